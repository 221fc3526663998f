"""Metrics, one module each; :mod:`fastmatch.metrics.base` says what a metric is.

The names below are loaded when they are first used, so that a module of this package can be imported without numpy.
"""

from __future__ import annotations

from typing import Any

__all__ = ["Metric", "PairScores", "TripleScores", "available", "from_signature", "get", "make", "option", "register"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'fastmatch.metrics' has no attribute {name!r}")
    from fastmatch.metrics import base

    return getattr(base, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
