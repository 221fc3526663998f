"""The files of ``--per-pair``: a line a pair of graphs, tab separated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fastmatch.report.writing import in_table, write_lines
from fastmatch.results.scores import CorpusScore


def write_pairs(result: CorpusScore, path: str) -> None:
    """All that the metric says of each pair, with its id, and how many of its graphs were invalid or repaired.

    Parameters
    ----------
    result : CorpusScore
    path : str
        As :func:`fastmatch.report.writing.write_lines` takes it.
    """
    write_lines(_pair_lines(result), path)


def _pair_lines(result: CorpusScore) -> Iterator[str]:
    table = result.pairs.columns()
    counts = _broken_counts([result])
    yield "\t".join(("index", "id", *table, "n_invalid", "n_repaired")) + "\n"
    columns = [(column.astype("int8") if column.dtype == bool else column).tolist() for column in table.values()]
    for index, (name, *values) in enumerate(zip(result.ids, *columns, *counts, strict=True)):
        yield f"{index}\t{in_table(name)}\t" + "\t".join(map(repr, values)) + "\n"


def write_headlines(results: Mapping[str, CorpusScore], path: str) -> None:
    """One line a pair, tab separated: index, id, then the headline score of each metric or aspect as a fraction.

    The score of an aspect that neither graph of the pair has is left empty: it is not in the mean either. The last
    columns say how many graphs of the pair count as empty, and how many were repaired.

    Parameters
    ----------
    results : mapping of str → CorpusScore
        By the names of the columns; all of the same pairs.
    path : str
        As :func:`fastmatch.report.writing.write_lines` takes it.
    """
    write_lines(_lines(results), path)


def _lines(results: Mapping[str, CorpusScore]) -> Iterator[str]:
    yield "\t".join(("index", "id", *results, "n_invalid", "n_repaired")) + "\n"
    columns = [_cells(result) for result in results.values()]
    columns += [list(map(str, counts)) for counts in _broken_counts([*results.values()])]
    for index, (name, *cells) in enumerate(zip(next(iter(results.values())).ids, *columns, strict=True)):
        yield "\t".join((str(index), in_table(name), *cells)) + "\n"


def _cells(result: CorpusScore) -> list[str]:
    cells = list(map(repr, result.pairs.score.tolist()))
    return [cell if there else "" for cell, there in zip(cells, result.pairs.present.tolist(), strict=True)]


def _broken_counts(results: Sequence[CorpusScore]) -> list[list[int]]:
    """How many graphs of each pair count as empty, and how many were repaired, in scores of the same pairs.

    A graph may be read differently by different metrics: what one of them could not read is counted.
    """
    counts = [[0] * len(results[0]), [0] * len(results[0])]
    problems = (problem for result in results for problem in result.problems)
    for _, index, invalid in {(problem.side, problem.pair, problem.rule is None) for problem in problems}:
        counts[not invalid][index] += 1
    return counts
