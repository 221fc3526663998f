"""What several benchmarks need: the metrics that were asked for, correlations, the interval of a share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

import numpy as np

from fastmatch.metrics.base import Metric
from fastmatch.metrics.registry import from_text
from fastmatch.results.scores import Interval
from fastmatch.types import FloatArray

Protocol: TypeAlias = Literal["0.2", "0.1", "spearman", "rmse", "rmse-quantiles"]


def named_metrics(metrics: str | Metric | Iterable[str | Metric]) -> list[tuple[str, Metric]]:
    """Metrics that are given as themselves or as text, each with the name under which its results are shown."""
    if isinstance(metrics, str | Metric):
        metrics = [metrics]
    return [(metric, from_text(metric)) if isinstance(metric, str) else (metric.name, metric) for metric in metrics]


def correlation(scores: FloatArray, ratings: FloatArray, protocol: Protocol = "0.2") -> float:
    """Pearson's r, or Spearman's rho under the protocol ``spearman``; nan if scores or ratings do not vary."""
    if len(scores) < 2 or np.ptp(scores) == 0 or np.ptp(ratings) == 0:
        return float("nan")
    if protocol == "spearman":
        from scipy.stats import rankdata

        return float(np.corrcoef(rankdata(scores), rankdata(ratings))[0, 1])
    return float(np.corrcoef(scores, ratings)[0, 1])


def wilson(successes: float, total: int) -> Interval:
    """The 95 % interval of a share (Wilson 1927), from exactly 0 or to exactly 1 where the share is.

    nan without items, or with more successes than items.
    """
    if not 0 <= successes <= total or not total:
        return Interval(float("nan"), float("nan"))
    square = 1.959963984540054**2
    middle = (successes + square / 2) / (total + square)
    half = (square * successes * (total - successes) / total + square * square / 4) ** 0.5 / (total + square)
    return Interval(0.0 if successes == 0 else middle - half, 1.0 if successes == total else middle + half)
