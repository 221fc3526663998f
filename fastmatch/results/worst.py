"""The pairs that score lowest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import index as as_index
from typing import Any, NamedTuple, overload

from fastmatch.errors import OptionError
from fastmatch.report.cells import Points, count
from fastmatch.report.frames import Tabular
from fastmatch.report.model import Report, Table
from fastmatch.results.equality import ByValue
from fastmatch.results.signature import Signature
from fastmatch.types import FloatArray, Int64Array


def number_of_pairs(n: int) -> int:
    """``n`` as a number of pairs.

    Raises
    ------
    OptionError
        If it is no whole number, 0 or more.
    """
    try:
        number = as_index(n)
    except TypeError:
        number = -1
    if number < 0:
        raise OptionError(f"worst: expected a whole number of pairs, 0 or more, found {n!r}")
    return number


class ScoredPair(NamedTuple):
    """One pair: its number, its ``::id`` (None if it has none) and its headline score."""

    index: int  # type: ignore[assignment] # hides the method of tuples
    id: str | None
    score: float


@dataclass(frozen=True, eq=False, repr=False)
class Worst(ByValue, Sequence[ScoredPair], Tabular):
    """The pairs that score lowest, the lowest first: a sequence of :class:`ScoredPair`.

    Attributes
    ----------
    indices : int64[n]
        Numbers of the pairs: ``pred[found.indices]`` is a corpus of their predictions.
    ids : tuple of str or None
        The ``::id`` of the gold graphs, or of the predictions where these have none.
    scores : float64[n]
        Headline scores.
    signature : Signature
        What the scores depend on.
    """

    indices: Int64Array
    ids: tuple[str | None, ...]
    scores: FloatArray
    signature: Signature

    @overload
    def __getitem__(self, item: int) -> ScoredPair: ...
    @overload
    def __getitem__(self, item: slice) -> Worst: ...
    def __getitem__(self, item: int | slice) -> ScoredPair | Worst:
        if isinstance(item, slice):
            return Worst(self.indices[item], self.ids[item], self.scores[item], self.signature)
        return ScoredPair(self.indices[item].item(), self.ids[item], self.scores[item].item())

    def __iter__(self) -> Iterator[ScoredPair]:
        return map(ScoredPair, self.indices.tolist(), self.ids, self.scores.tolist())

    def __len__(self) -> int:
        return len(self.indices)

    def _table(self) -> dict[str, Any]:
        return {"index": self.indices, "id": self.ids, "score": self.scores}

    def __repr__(self) -> str:
        lowest = ", ".join(f"{index if id is None else id} {score:.6f}" for index, id, score in self[:3])
        return f"<Worst: {count(len(self), 'pair')}{': ' * bool(len(self))}{lowest}{', …' * (len(self) > 3)}>"


def with_worst(report: Report, results: Mapping[str, Any], number: int | None) -> Report:
    """The report of some results, with a table behind of the pairs that each scores lowest, if ``number`` is given.

    Results in which every pair is 1 or more are left out. In JSON what is a list has the pairs of each result with it;
    what is one object has them by the names of the results.
    """
    if number is None:
        return report
    tables, records = [*report.tables], {}
    for name, result in results.items():
        worst = result.worst(number)
        records[name] = [{"index": index, "id": id, "score": score} for index, id, score in worst]
        rows = [(str(index), id, Points(score)) for index, id, score in worst if score < 1]
        if rows:
            title = f"{name}: {count(len(rows), 'pair')} with the lowest scores"
            tables.append(Table(("pair", "id", "score"), rows, title))
    if isinstance(report.record, list):
        record: Any = [{**one, "worst": found} for one, found in zip(report.record, records.values(), strict=True)]
    else:
        record = {**report.record, "worst": records}
    return report._replace(tables=tables, record=record)
