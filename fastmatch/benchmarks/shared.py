"""What several benchmarks need: the metrics that were asked for, and correlations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

import numpy as np

from fastmatch.metrics.base import Metric
from fastmatch.metrics.registry import from_text
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
