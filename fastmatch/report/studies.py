"""Reports of measurements of metrics (:mod:`fastmatch.benchmarks.studies`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fastmatch.report.model import Report, Table
from fastmatch.report.tables import count, points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastmatch.benchmarks.studies import Impact, Optima, Ranking, SearchSpace

__all__ = ["impact_report", "optima_report", "ranking_report", "space_report"]


def optima_report(found: Optima) -> Report:
    """The means for people, a row a pair of graphs for programs."""
    pairs = len(found.distinct)
    proven = found.certified
    always = int((found.reached[proven] == found.runs).sum())
    rows = [
        ("different scores at the end, mean", f"{found.distinct.mean():.2f}" if pairs else "–"),
        ("more of them for one more variable", f"{found.slope:.3f}"),
        ("pairs with one score only", f"{int((found.distinct == 1).sum()):,}"),
        ("pairs with a proven optimum", f"{int(proven.sum()):,}"),
        ("of these, every climb reaches it", f"{always:,}"),
        ("of these, no climb reaches it", f"{int((found.reached[proven] == 0).sum()):,}"),
    ]
    columns = (found.variables, found.distinct, found.reached, found.certified.astype(int))
    return Report(
        "fastmatch bench optima",
        [Table(("", ""), rows, f"{count(pairs, 'pair')}, {count(found.runs, 'climb')} each")],
        ("index", "variables", "distinct", "reached", "certified"),
        [(k, *row) for k, row in enumerate(zip(*(column.tolist() for column in columns), strict=True))],
        {**_plain(found._asdict()), "slope": _plain(found.slope)},
    )


def space_report(found: Sequence[SearchSpace]) -> Report:
    """Means a metric for people, a row a metric and pair of graphs for programs."""
    rows = [
        (s.metric, *(f"{value:.2f}" for value in (s.log10.mean(), np.median(s.log10), s.log10.max()))) for s in found
    ]
    title = f"size of the search space of {count(len(found[0].log10), 'pair')}, decimal logarithm"
    return Report(
        "fastmatch bench space",
        [Table(("metric", "mean", "median", "largest"), rows, title)],
        ("metric", "index", "triples", "log10"),
        [
            (entry.metric, k, size, value)
            for entry in found
            for k, (size, value) in enumerate(zip(entry.triples.tolist(), entry.log10.tolist(), strict=True))
        ],
        {"metrics": [_plain(entry._asdict()) for entry in found]},
    )


def impact_report(found: dict[str, Impact]) -> Report:
    """A row a place of nodes."""
    rows = [(place, f"{i.nodes:,}", f"{i.kgrams:.2f}", f"{i.triples:.2f}") for place, i in found.items()]
    return Report(
        "fastmatch bench impact",
        [Table(("place", "nodes", "k-grams", "triples"), rows, "what a node takes part in, mean over the nodes")],
        ("place", "nodes", "kgrams", "triples"),
        [(place, *entry) for place, entry in found.items()],
        {place: _plain(entry._asdict()) for place, entry in found.items()},
    )


def ranking_report(found: Ranking, files: Sequence[str]) -> Report:
    """The order of the systems by each metric, and how often two metrics disagree about two systems."""
    names = [order.metric for order in found.orders]
    rows = [
        (order.metric, *(f"{files[k]} ({points(order.scores[k])})" for k in order.systems)) for order in found.orders
    ]
    tables = [Table(("metric", *(f"{k + 1}." for k in range(len(files) - 1))), rows, right=False)]
    if found.disagreements:
        rows = [
            (
                f"{names[d.metrics[0]]} and {names[d.metrics[1]]}",
                f"{files[d.systems[0]]} or {files[d.systems[1]]}",
                points(d.ratio),
                f"{d.p:.4f}",
            )
            for d in found.disagreements
        ]
        header = ("metrics", "which is better", "disagree on % of pairs", "p (paired t)")
        tables.append(Table(header, rows, right=False))
    return Report(
        "fastmatch bench ranking",
        tables,
        ("metric_1", "metric_2", "system_1", "system_2", "ratio", "p"),
        [(*(names[k] for k in d.metrics), *(files[k] for k in d.systems), d.ratio, d.p) for d in found.disagreements],
        {name: [_plain(entry._asdict()) for entry in getattr(found, name)] for name in found._fields},
    )


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    return None if isinstance(value, float) and not np.isfinite(value) else value
