"""Several scores of the same pairs, metrics or aspects, side by side in one file of pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastmatch.report.records import broken_counts, in_table, write_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fastmatch.results.scores import CorpusScore

__all__ = ["write_headlines"]


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
