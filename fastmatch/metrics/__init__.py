"""Metrics, one module each; :mod:`fastmatch.metrics.base` says what a metric is and finds one by its name."""

from __future__ import annotations

from fastmatch.metrics.base import (
    Metric,
    PairScores,
    TripleScores,
    available,
    from_signature,
    get,
    make,
    option,
    register,
)

__all__ = ["Metric", "PairScores", "TripleScores", "available", "from_signature", "get", "make", "option", "register"]
