"""Metrics in one table: how well they agree with people, how robust they are, what they cost.

A column for the headline of each question that people answered (:mod:`fastmatch.benchmarks.judgements`), for BAMBOO's
arithmetic and harmonic mean (protocol 0.2), for RARE's Spearman's rho; the cost of a pair of graphs; and whether a
metric uses word vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from fastmatch.benchmarks.bamboo import TASKS
from fastmatch.benchmarks.intervals import BambooIntervals
from fastmatch.benchmarks.judged import HEADS, Judgements
from fastmatch.benchmarks.rare import RareResult
from fastmatch.errors import OptionError
from fastmatch.metrics.base import Metric
from fastmatch.metrics.options import taking
from fastmatch.report.cells import Number, Points
from fastmatch.report.frames import Tabular
from fastmatch.report.model import Report, Table
from fastmatch.report.writing import plain
from fastmatch.results.equality import ByValue
from fastmatch.results.words import short_name
from fastmatch.types import FloatArray


class Measure(NamedTuple):
    """One column, fractions.

    Attributes
    ----------
    name : str
        What was measured: a question, or a benchmark.
    statistic : str
    values, low, high : float64[n_metrics]
        NaN where a figure is not defined, or an end of its interval was not asked for.
    """

    name: str
    statistic: str
    values: FloatArray
    low: FloatArray
    high: FloatArray

    def of(self, metric: int) -> tuple[float, float, float]:
        """The figure of a metric, and the ends of its interval."""
        return float(self.values[metric]), float(self.low[metric]), float(self.high[metric])


@dataclass(frozen=True, eq=False)
class Overview(ByValue, Tabular):
    """Metrics side by side.

    Attributes
    ----------
    metrics : tuple of str
    measures : tuple of Measure
    microseconds : float64[n_metrics]
        Of preparing and scoring a pair of those that people judged.
    vectors : tuple of bool
        Whether the metric was given word vectors.
    absent : tuple of str
        BAMBOO's tasks that are not in its data, and so not in its means.
    """

    metrics: tuple[str, ...]
    measures: tuple[Measure, ...]
    microseconds: FloatArray
    vectors: tuple[bool, ...]
    absent: tuple[str, ...] = ()

    def _table(self) -> dict[str, Any]:
        """One row a metric."""
        columns: dict[str, Any] = {"metric": list(self.metrics)}
        for measure in self.measures:
            name = f"{measure.name} {measure.statistic}"
            columns |= {name: measure.values, f"{name} low": measure.low, f"{name} high": measure.high}
        return {**columns, "microseconds": self.microseconds, "vectors": np.array(self.vectors)}

    def report(self, judged: Judgements) -> Report:
        """The report of what people judged, with a table of all measures behind, and a row a measure for programs."""
        header = ["metric", *(f"{each.name} {HEADS[each.statistic]}" for each in self.measures), "µs a pair", "vectors"]
        rows: list[list[object]] = []
        for i, metric in enumerate(self.metrics):
            cells = [Points(value, (low, high)) for value, low, high in (each.of(i) for each in self.measures)]
            rows.append(
                [short_name(metric), *cells, Number(self.microseconds[i], 1), "yes" if self.vectors[i] else "no"]
            )
        data = [
            (measure.name, "benchmark", metric, measure.statistic, None, None, *measure.of(i), None, signature)
            for measure in self.measures[len(judged.questions) :]
            for i, (metric, signature) in enumerate(zip(self.metrics, judged.signatures, strict=True))
        ]
        made = judged.report()
        notes = [f"not in BAMBOO's data, and not in its means: {', '.join(self.absent)}"] if self.absent else []
        return made._replace(
            tables=[*made.tables, Table(header, rows, "all together, points", notes)],
            data=[*made.data, *data],
            record={**made.record, "overview": self.to_dict(), "absent": list(self.absent)},
        )

    def to_dict(self) -> list[dict[str, Any]]:
        """A mapping a metric, ready for JSON; undefined numbers are None."""
        names = ("name", "statistic", "value", "low", "high")
        return [
            {
                "metric": metric,
                "measures": [
                    dict(zip(names, (each.name, each.statistic, *plain(each.of(i))), strict=True))
                    for each in self.measures
                ],
                "microseconds": float(self.microseconds[i]),
                "vectors": self.vectors[i],
            }
            for i, metric in enumerate(self.metrics)
        ]


def overview(
    judged: Judgements, metrics: Sequence[Metric], bamboo: BambooIntervals | None = None, rare: RareResult | None = None
) -> Overview:
    """Put results of the same metrics beside each other.

    Parameters
    ----------
    judged : Judgements
    metrics : sequence of Metric
        The metrics themselves, in the order of the results.
    bamboo : BambooIntervals, optional
    rare : RareResult, optional

    Raises
    ------
    OptionError
        If the results are of other metrics.
    """
    measures = [
        Measure(question.name, question.statistics[0], question.values[:, 0], question.low[:, 0], question.high[:, 0])
        for question in judged.questions
    ]
    named = [judged.metrics]
    nothing = np.full(len(judged.metrics), np.nan)
    absent: list[str] = []
    if bamboo is not None:
        absent = [task for task in map("/".join, TASKS) if task not in bamboo.tasks]
        named.append(bamboo.metrics)
        values = bamboo.values[:, :-1] / 100
        with np.errstate(all="ignore"):
            harmonic = np.where((values > 0).all(axis=1), values.shape[1] / (1 / values).sum(axis=1), np.nan)
        ends = bamboo.low[:, -1] / 100, bamboo.high[:, -1] / 100
        measures.append(Measure("BAMBOO", "amean", bamboo.values[:, -1] / 100, *ends))
        measures.append(Measure("BAMBOO", "hmean", harmonic, nothing, nothing))
    if rare is not None:
        named.append(tuple(row.metric for row in rare.rows))
        for k, split in enumerate(rare.pairs.splits):
            values = np.array([row.values[k] / 100 for row in rare.rows])
            name = "RARE" if split.split == "test" else f"RARE {split.split}"
            measures.append(Measure(name, "spearman", values, nothing, nothing))
    if len(set(named)) > 1:
        raise OptionError("overview: the results are of different metrics")
    per_pair = 1e6 * np.array(judged.seconds) / max(judged.n_pairs, 1)
    return Overview(judged.metrics, tuple(measures), per_pair, tuple(map(uses_vectors, metrics)), tuple(absent))


def uses_vectors(metric: Metric) -> bool:
    """Whether a metric has word vectors."""
    return any(getattr(metric, option) is not None for option in taking(type(metric), "vectors"))
