"""Several scores of the same pairs side by side: metrics in one table, metrics or aspects in one file of pairs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

from fastmatch.report.records import broken_counts, in_table, write_lines
from fastmatch.report.tables import count, points, print_table, span
from fastmatch.results.words import label

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fastmatch.results.scores import CorpusScore

__all__ = ["print_scores", "write_headlines"]


def print_scores(results: Mapping[str, CorpusScore], file: TextIO | None = None) -> None:
    """A line a metric: the headline score, its interval if there is one, the macro score, what was proven or broken.

    The last columns are numbers of pairs and graphs. Then the signatures.

    Parameters
    ----------
    results : mapping of str → CorpusScore
        By what the user called the metric; all of the same pairs.
    file : TextIO, optional
        Standard output by default.
    """
    file = file or sys.stdout
    first = next(iter(results.values()))
    pairs = len(first.pairs)
    print(f"{count(len(results), 'metric')}, {count(pairs, 'pair')}\n", file=file)
    if not pairs:
        print("no score, as there is nothing to compare", file=file)
    else:
        intervals = first.intervals is not None
        header = ["", "is", "score", "precision", "recall", "macro", "proven", "invalid", "repaired"]
        if first.intervals is not None:
            header.insert(3, f"{100 * first.intervals.confidence:g} % interval")
        rows = []
        for name, result in results.items():
            headline = next(iter(result.scores))
            parts = [result.scores.get(part) for part in ("precision", "recall")]
            row = [name, label(headline), points(result.score)]
            if intervals:
                assert result.intervals is not None
                row.append(span(result.intervals[headline]))
            row += ["" if part is None else points(part) for part in parts]
            numbers = (result.n_certified, result.n_invalid, result.n_repaired)
            rows.append([*row, points(result.macro.headline), *(f"{number:,}" for number in numbers)])
        print_table(header, rows, file, right=True)
    print(file=file)
    for name, result in results.items():
        print(f"signature of {name}: {result.signature}", file=file)
    if first.intervals is not None:
        print(f"intervals: {first.intervals.signature}", file=file)


def write_headlines(results: Mapping[str, CorpusScore], ids: Sequence[str | None], path: str) -> None:
    """One line a pair, tab separated: index, id, then the headline score of each metric or aspect as a fraction.

    The score of an aspect that neither graph of the pair has is left empty: it is not in the mean either. The last
    columns say how many graphs of the pair count as empty, and how many were repaired.

    Parameters
    ----------
    results : mapping of str → CorpusScore
        By the names of the columns; all of the same pairs.
    ids : sequence of str or None
        The ``::id`` of each pair.
    path : str
        As :func:`fastmatch.report.records.write_lines` takes it.
    """
    write_lines(_lines(results, ids), path)


def _lines(results: Mapping[str, CorpusScore], ids: Sequence[str | None]) -> Iterator[str]:
    yield "\t".join(("index", "id", *results, "n_invalid", "n_repaired")) + "\n"
    columns = [_cells(result) for result in results.values()]
    columns += [list(map(str, counts)) for counts in broken_counts([*results.values()])]
    for index, (name, *cells) in enumerate(zip(ids, *columns, strict=True)):
        yield "\t".join((str(index), in_table(name), *cells)) + "\n"


def _cells(result: CorpusScore) -> list[str]:
    cells = list(map(repr, result.pairs.score.tolist()))
    return [cell if there else "" for cell, there in zip(cells, result.pairs.present.tolist(), strict=True)]
