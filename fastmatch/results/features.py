"""Features that two graphs share: what metrics without an alignment can show of a pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fastmatch.report.cells import points
from fastmatch.report.model import Report, Table
from fastmatch.results.alignment import STYLES
from fastmatch.results.scores import CorpusScore
from fastmatch.results.words import label

#: Where a feature occurs in a graph: for each time the triples that make it, by their number in the order of the text.
Places = tuple[tuple[int, ...], ...]


class NamedFeature(NamedTuple):
    """A feature of one or both of two graphs.

    Attributes
    ----------
    group : str
        The kind of feature: "2-grams", "relation motifs".
    text : str
        The feature as people read it; within a group the name of one feature only.
    shared : int
        How often both graphs have it.
    pred, gold : Places
        Where it occurs in the prediction and in the gold graph.
    """

    group: str
    text: str
    shared: int
    pred: Places
    gold: Places

    @property
    def mark(self) -> str:
        """``-`` only in the prediction, ``+`` only in the gold graph, ``=`` as often in both, ``~`` not as often."""
        if not self.shared:
            return "-" if self.pred else "+"
        return "=" if len(self.pred) == len(self.gold) else "~"


def features_report(result: CorpusScore, features: Sequence[NamedFeature] | None) -> Report:
    """The features of one pair, a table for each kind, those of one graph only first; then scores.

    ``pred`` and ``gold`` say how often a graph has a feature, ``shared`` how often both have it. ``features`` is None
    where there are too many to be named.
    """
    kinds: dict[str, list[NamedFeature]] = {}
    for row in features or ():
        kinds.setdefault(row.group, []).append(row)
    tables = []
    for group, rows in kinds.items():
        rows.sort(key=lambda row: "-+~=".index(row.mark))
        both = sum(bool(row.shared) for row in rows)
        cells = [(row.text, row.mark, len(row.pred), len(row.gold)) for row in rows]
        title = f"{group}: {both:,} of {len(rows):,} in both graphs"
        styles = [STYLES[row.mark] for row in rows]
        tables.append(Table(("", "", "predicted", "gold"), cells, title, (), styles, right=False))
    notes = [", ".join(f"{label(name)} {points(value)}" for name, value in result.scores.items())]
    if not tables:
        tables = [Table(("features",), [("none" if features is not None else "more than can be listed",)])]
    columns = ("group", "text", "shared", "pred", "gold")
    data = [(row.group, row.text, row.shared, len(row.pred), len(row.gold)) for row in features or ()]
    signature = result.signature
    listed = None if features is None else [dict(zip(columns, row, strict=True)) for row in data]
    record = {**signature.to_dict(), "scores": dict(result.scores), "features": listed}
    return Report("fastmatch align", tables, columns, data, record, [(signature.metric, str(signature))], notes)
