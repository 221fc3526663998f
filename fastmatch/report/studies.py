"""Measurements of metrics (:mod:`fastmatch.benchmarks.studies`) as tables, JSON and TSV."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TextIO, cast

import numpy as np

from fastmatch.report.tables import count, points, print_row, print_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastmatch.benchmarks.studies import Impact, Optima, Ranking, SearchSpace

    Found = Optima | list[SearchSpace] | dict[str, Impact] | Ranking

__all__ = ["print_study", "print_study_tsv", "study_record"]


def study_record(found: Found) -> dict[str, Any]:
    """One JSON object, with the columns of the pairs as lists; undefined numbers are None."""
    if isinstance(found, dict):
        return {place: _plain(entry._asdict()) for place, entry in found.items()}
    if isinstance(found, list):
        return {"metrics": [_plain(entry._asdict()) for entry in found]}
    record: dict[str, Any] = _plain(found._asdict())
    if hasattr(found, "orders"):
        record = {name: [_plain(entry._asdict()) for entry in getattr(found, name)] for name in found._fields}
    else:
        record["slope"] = _plain(found.slope)
    return record


def print_study(found: Found, files: Sequence[str], file: TextIO | None = None) -> None:
    """The means, as a table for people."""
    file = sys.stdout if file is None else file
    if isinstance(found, list):
        print(f"size of the search space of {count(len(found[0].log10), 'pair')}, decimal logarithm\n", file=file)
        rows = [
            [s.metric, *(f"{value:.2f}" for value in (s.log10.mean(), np.median(s.log10), s.log10.max()))]
            for s in found
        ]
        print_table(("metric", "mean", "median", "largest"), rows, file, right=True)
    elif isinstance(found, dict):
        print("what a node takes part in, mean over the nodes\n", file=file)
        rows = [[place, f"{i.nodes:,}", f"{i.kgrams:.2f}", f"{i.triples:.2f}"] for place, i in found.items()]
        print_table(("place", "nodes", "k-grams", "triples"), rows, file, right=True)
    elif hasattr(found, "orders"):
        _print_ranking(cast("Ranking", found), files, file)
    else:
        pairs = len(found.distinct)
        proven = found.certified
        always = int((found.reached[proven] == found.runs).sum())
        print(f"{count(pairs, 'pair')}, {count(found.runs, 'climb')} each\n", file=file)
        rows = [
            ["different scores at the end, mean", f"{found.distinct.mean():.2f}" if pairs else "–"],
            ["more of them for one more variable", f"{found.slope:.3f}"],
            ["pairs with one score only", f"{int((found.distinct == 1).sum()):,}"],
            ["pairs with a proven optimum", f"{int(proven.sum()):,}"],
            ["of these, every climb reaches it", f"{always:,}"],
            ["of these, no climb reaches it", f"{int((found.reached[proven] == 0).sum()):,}"],
        ]
        print_table(("", ""), rows, file, right=True)


def _print_ranking(found: Ranking, files: Sequence[str], file: TextIO) -> None:
    names = [order.metric for order in found.orders]
    rows = [
        [order.metric, *(f"{files[k]} ({points(order.scores[k])})" for k in order.systems)] for order in found.orders
    ]
    places = [f"{k + 1}." for k in range(len(files) - 1)]
    print_table(("metric", *places), rows, file)
    if found.disagreements:
        print(file=file)
        rows = [
            [
                f"{names[d.metrics[0]]} and {names[d.metrics[1]]}",
                f"{files[d.systems[0]]} or {files[d.systems[1]]}",
                points(d.ratio),
                f"{d.p:.4f}",
            ]
            for d in found.disagreements
        ]
        print_table(("metrics", "which is better", "disagree on % of pairs", "p (paired t)"), rows, file)


def print_study_tsv(found: Found, files: Sequence[str], file: TextIO | None = None) -> None:
    """A header and a line a pair of graphs, place, or pair of metrics and systems; every digit."""
    file = sys.stdout if file is None else file
    rows: list[list[Any]]
    if isinstance(found, list):
        header = ["metric", "index", "triples", "log10"]
        rows = [
            [entry.metric, k, size, value]
            for entry in found
            for k, (size, value) in enumerate(zip(entry.triples.tolist(), entry.log10.tolist(), strict=True))
        ]
    elif isinstance(found, dict):
        header = ["place", "nodes", "kgrams", "triples"]
        rows = [[place, *entry] for place, entry in found.items()]
    elif hasattr(found, "orders"):
        ranked = cast("Ranking", found)
        names = [order.metric for order in ranked.orders]
        header = ["metric_1", "metric_2", "system_1", "system_2", "ratio", "p"]
        rows = [
            [*(names[k] for k in d.metrics), *(files[k] for k in d.systems), d.ratio, d.p] for d in ranked.disagreements
        ]
    else:
        header = ["index", "variables", "distinct", "reached", "certified"]
        columns = (found.variables, found.distinct, found.reached, found.certified.astype(int))
        rows = [[k, *row] for k, row in enumerate(zip(*(column.tolist() for column in columns), strict=True))]
    for row in (header, *rows):
        print_row(row, file)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    return None if isinstance(value, float) and not np.isfinite(value) else value
