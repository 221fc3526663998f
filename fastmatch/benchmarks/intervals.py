"""How sure a result on BAMBOO is: intervals by resampling pairs, and tests of the difference between two metrics.

Pairs of sentences are drawn with replacement, set by set. The variants main, reify and syno of a set are about the same
pairs of sentences, so they get the same draws; role confusion has pairs of its own (a foil and a paraphrase are drawn
together). All metrics get the same draws, so that differences are those on the same sentences (a paired bootstrap).

An interval is that of the percentiles of the resampled values. The p-value of a difference is twice the smaller share
of resamples in which it has either sign, with one resample added to each (Davison and Hinkley 1997, section 4.4).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from fastmatch.benchmarks.bamboo import SETS, TASKS, bamboo_pairs
from fastmatch.benchmarks.shared import named_metrics
from fastmatch.errors import OptionError
from fastmatch.evaluation.scoring import score_corpora
from fastmatch.metrics.base import Metric
from fastmatch.metrics.options import fraction, whole
from fastmatch.metrics.training.human_scores import pearson
from fastmatch.report.frames import Tabular
from fastmatch.results.equality import ByValue
from fastmatch.types import FloatArray


@dataclass(frozen=True, eq=False)
class BambooIntervals(ByValue, Tabular):
    """Values of several metrics on BAMBOO, and what resampling says of them, all in points.

    Attributes
    ----------
    metrics : tuple of str
        What was asked for.
    tasks : tuple of str
        Such as ``"main/sts"``; the last one is ``"amean"``, the mean over all others.
    values : float64[n_metrics, n_tasks]
    low, high : float64[n_metrics, n_tasks]
        Ends of the intervals.
    differences : float64[n_metrics, n_tasks]
        The first metric's value less each one's.
    difference_low, difference_high : float64[n_metrics, n_tasks]
    p : float64[n_metrics, n_tasks]
        Of the differences, two-sided; 1 for the first metric.
    resamples : int
    confidence : float
    """

    metrics: tuple[str, ...]
    tasks: tuple[str, ...]
    values: FloatArray
    low: FloatArray
    high: FloatArray
    differences: FloatArray
    difference_low: FloatArray
    difference_high: FloatArray
    p: FloatArray
    resamples: int
    confidence: float

    def _rows(self) -> list[dict[str, Any]]:
        """One row a metric and task."""
        columns = ("low", "high", "differences", "difference_low", "difference_high", "p")
        return [
            {
                "metric": metric,
                "task": task,
                "value": float(self.values[i, j]),
                **{name.removesuffix("s"): float(getattr(self, name)[i, j]) for name in columns},
            }
            for i, metric in enumerate(self.metrics)
            for j, task in enumerate(self.tasks)
        ]


def bamboo_intervals(
    folder: str | os.PathLike[str],
    metrics: str | Metric | Iterable[str | Metric],
    *,
    split: Literal["train", "dev", "test"] = "test",
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    workers: int = 1,
) -> BambooIntervals:
    """Run metrics on BAMBOO (protocol 0.2) and resample its pairs.

    Parameters
    ----------
    folder, metrics, split, workers
        As for :func:`fastmatch.benchmarks.bamboo.bamboo`. The first metric is compared with all others.
    resamples : int
        At least 1.
    confidence : float
        Between 0 and 1.
    seed : int
        Of the draws.

    Returns
    -------
    BambooIntervals

    Raises
    ------
    OptionError, ReadError, PairingError
        As for :func:`fastmatch.benchmarks.bamboo.bamboo`, or if a number is out of range.
    """
    whole("resamples", resamples, 1)
    fraction("confidence", confidence)
    made = named_metrics(metrics)
    if not made:
        raise OptionError("metrics: expected at least one")
    first = np.random.default_rng(seed)
    seeds = {name: first.integers(2**62, size=2).tolist() for name in SETS}
    found: list[str] = []
    values: list[list[float]] = []
    drawn: list[FloatArray] = []
    read = {dialect: bamboo_pairs(folder, split, dialect=dialect) for dialect in {metric.dialect for _, metric in made}}
    for variant, name in TASKS:
        task = f"{variant}/{name}"
        if any(task not in pairs for pairs in read.values()):
            continue
        found.append(task)
        row, resampled = [], np.empty((len(made), resamples))
        for number, (_, metric) in enumerate(made):
            pred, gold, ratings = read[metric.dialect][task]
            scores = score_corpora(metric, pred, gold, workers, None, mapping=False)[0].score
            # variants with the same number of rows have the same draws
            random = np.random.default_rng(seeds[name][variant == "role_confusion"])
            if ratings is None:
                right = (scores[1::2] > scores[0::2]).astype(np.float64)
                row.append(float(right.mean()))
                for k in range(resamples):
                    resampled[number, k] = right[random.integers(0, len(right), len(right))].mean()
            else:
                row.append(pearson(scores, ratings))
                for k in range(resamples):
                    chosen = random.integers(0, len(scores), len(scores))
                    resampled[number, k] = pearson(scores[chosen], ratings[chosen])
        values.append(row)
        drawn.append(resampled)
    table = 100 * np.array(values).T
    samples = 100 * np.stack(drawn)  # tasks, metrics, resamples
    table = np.concatenate([table, table.mean(axis=1, keepdims=True)], axis=1)
    samples = np.concatenate([samples, samples.mean(axis=0, keepdims=True)])
    ends = 50 - 50 * confidence, 50 + 50 * confidence
    low, high = np.percentile(samples, ends, axis=2)
    apart = samples[:, :1] - samples
    apart_low, apart_high = np.percentile(apart, ends, axis=2)
    below, above = (apart <= 0).sum(axis=2), (apart >= 0).sum(axis=2)
    p = np.minimum(1.0, 2 * (np.minimum(below, above) + 1) / (resamples + 1))
    names, tasks = tuple(label for label, _ in made), (*found, "amean")
    differences = table[:1] - table
    return BambooIntervals(
        names, tasks, table, low.T, high.T, differences, apart_low.T, apart_high.T, p.T, resamples, confidence
    )
