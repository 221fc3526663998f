"""RARE: does a metric notice how much of a graph was rewired? (Kachwala et al. 2024, "Rematch", sections 4.1 and 5.1.)

A corpus is divided, 80 : 10 : 10, and every graph of it rewired step by step (:mod:`fastmatch.benchmarks.rewiring`).
Each step makes a pair of the original and the rewired graph, and its label is the share of edges that are still there.
A graph with any step makes one more pair with itself, whose label is 1. The result is Spearman's rho between scores and
labels over all pairs of a split: the metric's *structural consistency*. The prediction is the original, the gold graph
the rewired one; pairs without a score (nan) are left out.

Two presets decide how pairs are made:

``default``
    as the paper says, by seed; the split as well.
``tool``
    as the published program does, with its seed of 0: the same pairs in the same order, in penman's spelling.

The published figures are for AMR 3.0. Its graphs are larger than those of The Little Prince, for instance, so they
stand beside one's own for orientation only.

:func:`generate` makes pairs (``rare_pairs.py``), :func:`write` and :func:`load` keep them in files (``rare_files.py``),
:func:`evaluate` runs metrics on them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from fastmatch.benchmarks.rare_files import check_folder, load, write
from fastmatch.benchmarks.rare_pairs import PRESETS, SPLITS, RarePairs, RareSet, divide, generate
from fastmatch.benchmarks.shared import correlation, named_metrics
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.reading import parse
from fastmatch.metrics.base import Metric
from fastmatch.metrics.run import run
from fastmatch.report.cells import Number
from fastmatch.report.frames import Tabular, columns_of
from fastmatch.report.model import Report, Reported, Table
from fastmatch.results.words import short_name
from fastmatch.runtime.progress import Steps
from fastmatch.types import Dialect, Progress

__all__ = [
    "PRESETS",
    "PUBLISHED",
    "SPLITS",
    "RarePairs",
    "RareResult",
    "RareRow",
    "RareSet",
    "check_folder",
    "divide",
    "evaluate",
    "generate",
    "load",
    "write",
]

#: Table 1 of the paper, in points: the test split of AMR 3.0, 56,718 pairs.
PUBLISHED = {"smatch": 96.57, "s2match": 94.11, "sembleu": 94.83, "wlk": 90.39, "wwlk": 86.31, "rematch": 95.32}


@dataclass(frozen=True)
class RareRow:
    """One metric's results.

    Attributes
    ----------
    metric : str
        What was asked for.
    signature : str
    values : tuple of float
        Spearman's rho in points (−100 to 100) for each split; nan where it is not defined.
    n_unscored : tuple of int
        Pairs left out of each because the metric gave nan.
    n_unreadable : tuple of int
        Graphs of each that the metric's reader could not read; they scored as empty graphs.
    published : float or None
        The paper's figure for this metric on the test split of AMR 3.0.
    seconds : float
        Wall time of preparing and scoring, without generating and reading.
    """

    metric: str
    signature: str
    values: tuple[float, ...]
    n_unscored: tuple[int, ...]
    n_unreadable: tuple[int, ...]
    published: float | None
    seconds: float


_COLUMNS = ("metric", "split", "pairs", "spearman", "published", "unscored", "unreadable", "signature")


@dataclass(frozen=True)
class RareResult(Reported, Tabular):
    """Rows in the order in which the metrics were given, and the pairs that their numbers come from."""

    rows: tuple[RareRow, ...]
    pairs: RareSet

    def _rows(self) -> list[tuple[Any, ...]]:
        """One row a metric and split, with the cells of ``_COLUMNS``."""
        return [
            (
                *(row.metric, split.split, len(split), row.values[k]),
                *(row.published if split.split == "test" else None, row.n_unscored[k], row.n_unreadable[k]),
                row.signature,
            )
            for row in self.rows
            for k, split in enumerate(self.pairs.splits)
        ]

    def _table(self) -> dict[str, Any]:
        return columns_of([dict(zip(_COLUMNS, row, strict=True)) for row in self._rows()])

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON; undefined numbers are None."""
        splits = [pairs.split for pairs in self.pairs.splits]
        return {
            **self.pairs.to_dict(),
            "rows": [
                {
                    "metric": row.metric,
                    "signature": row.signature,
                    "spearman": {
                        split: None if np.isnan(value) else value
                        for split, value in zip(splits, row.values, strict=True)
                    },
                    "unscored": dict(zip(splits, row.n_unscored, strict=True)),
                    "unreadable": dict(zip(splits, row.n_unreadable, strict=True)),
                    "published": row.published,
                    "seconds": row.seconds,
                }
                for row in self.rows
            ],
        }

    def report(self) -> Report:
        """The numbers of pairs, and a row a metric, under it the published figure."""
        pairs = self.pairs
        made = "pairs as they were" if pairs.seed is None else f"preset {pairs.preset}, seed {pairs.seed}"
        sizes = [(split.split, split.n_graphs, len(split.originals), len(split)) for split in pairs.splits]
        title = f"RARE of {pairs.source}, {made}"
        splits = [split.split for split in pairs.splits]
        rows: list[list[object]] = []
        styles, notes = [], []
        for row in self.rows:
            rows.append([short_name(row.metric), *map(Number, row.values), Number(row.seconds)])
            styles.append("")
            if row.published is not None and "test" in splits:
                published = [Number(row.published) if split == "test" else None for split in splits]
                rows.append(["  paper, AMR 3.0", *published, None])
                styles.append("dim")
            for number, what in (
                (sum(row.n_unreadable), "graphs its reader could not read; they scored as empty ones"),
                (sum(row.n_unscored), "pairs without a score were left out"),
            ):
                if number:
                    notes.append(f"{row.metric}: {number:,} {what}")
        what = "Spearman's rho between score and share of edges kept, points"
        table = Table(["metric", *splits, "s"], rows, what, styles=styles)
        report = Report(
            "fastmatch bench rare",
            [Table(("split", "graphs", "rewired", "pairs"), sizes, title), *([table] if rows else [])],
            _COLUMNS,
            self._rows(),
            self.to_dict(),
            [(row.metric, row.signature) for row in self.rows],
            notes,
        )
        of = ", ".join(f"{split.split} {len(split):,}" for split in pairs.splits)
        paper = table._replace(
            header=table.header[:-1], rows=[row[:-1] for row in rows], title=f"{title}, pairs: {of}; {what}"
        )
        return report._replace(paper=report._replace(tables=[paper]))


def evaluate(
    pairs: RareSet,
    metrics: str | Metric | Iterable[str | Metric] = ("smatch",),
    *,
    workers: int = 1,
    progress: Progress = None,
) -> RareResult:
    """Correlate metrics with how much was rewired.

    Parameters
    ----------
    pairs : RareSet
        From :func:`generate` or :func:`load`.
    metrics : str, Metric, or iterable of them
        Metrics with their options, or text such as ``"sembleu/tool,k=2"``
        (:func:`fastmatch.metrics.registry.from_text`).
    workers : int
        Threads, −1 for all CPUs this process may use.
    progress : None, bool or callable
        True draws a bar on a terminal; a callable gets (pairs done, pairs in all), each pair once for each metric.

    Returns
    -------
    RareResult

    Raises
    ------
    OptionError
        If there is no such metric, preset or option.
    """
    made = named_metrics(metrics)
    values: list[list[float]] = [[] for _ in made]
    unscored: list[list[int]] = [[] for _ in made]
    unreadable: list[list[int]] = [[] for _ in made]
    seconds = [0.0] * len(made)
    done = 0
    with Steps(progress, len(made) * sum(map(len, pairs.splits))) as report:
        for split in pairs.splits:
            corpora: dict[Dialect, tuple[Corpus, Corpus]] = {}  # read once for all metrics of a dialect
            index = np.arange(len(split), dtype=np.int32)
            for number, (_, metric) in enumerate(made):
                if metric.dialect not in corpora:
                    corpora[metric.dialect] = _read(split, metric.dialect)
                pred, gold = corpora[metric.dialect]
                began = perf_counter()
                prepared = metric.prepare(pred), metric.prepare(gold)
                part = report.part(done)
                found = run(metric, *prepared, split.index, index, workers=workers, progress=part, allow_nan=True)
                scores = next(iter(found.combine(found.statistics).values()))
                seconds[number] += perf_counter() - began
                done += len(split)
                known = ~np.isnan(scores)
                values[number].append(100 * correlation(scores[known], split.scores[known], "spearman"))
                unscored[number].append(len(split) - int(known.sum()))
                unreadable[number].append(len(pred.problems) + len(gold.problems))
    rows = [
        RareRow(
            metric=label,
            signature=str(metric.signature(metric.dialect)),
            values=tuple(values[number]),
            n_unscored=tuple(unscored[number]),
            n_unreadable=tuple(unreadable[number]),
            published=PUBLISHED.get(metric.name),
            seconds=seconds[number],
        )
        for number, (label, metric) in enumerate(made)
    ]
    return RareResult(tuple(rows), pairs)


def _read(split: RarePairs, dialect: Dialect) -> tuple[Corpus, Corpus]:
    """What a tool cannot read scores as an empty graph; the rows say how many there were."""
    pred = parse(split.originals, dialect=dialect, on_error="empty")
    return pred, parse(split.rewired, dialect=dialect, on_error="empty", vocabulary=pred.vocabulary)
