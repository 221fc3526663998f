"""Metrics, one module each; :mod:`fastmatch.metrics.base` says what a metric is.

The names below are loaded when they are first used, so that a module of this package can be imported without numpy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
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


def __getattr__(name: str) -> object:
    if name != "base" and name not in __all__:
        raise AttributeError(f"module 'fastmatch.metrics' has no attribute {name!r}")
    from importlib import import_module

    base = import_module("fastmatch.metrics.base")
    value = base if name == "base" else getattr(base, name)
    globals()[name] = value  # found directly from now on
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
