"""Shared by the kernel benches: the generators of ``benches/data.py`` on the path, and pairs prepared for scoring."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from fastmatch.metrics.base import PairRange

sys.path.insert(0, str(Path(__file__).parents[1]))


class Prepared(NamedTuple):
    """What a metric's ``score`` takes: prepared graphs and the list of pairs (k against k)."""

    metric: Any
    pred: Any
    gold: Any
    index: Any

    def score(self) -> Any:
        """Score all pairs in one call, on this thread."""
        out = self.metric.empty(self.pred, self.gold, self.index, self.index, False)
        self.metric.score(self.pred, self.gold, PairRange.all(self.index, self.index), out)
        return out


@pytest.fixture
def prepare() -> Any:
    """``prepare(kind, count, **options)``: seeded pairs of one size class, ready for the kernel."""
    import data

    import fastmatch
    from fastmatch.metrics.base import make

    def prepared(kind: str, count: int, **options: Any) -> Prepared:
        predictions, golds = data.pairs(kind, count)
        pred = fastmatch.parse(predictions)
        gold = fastmatch.parse(golds, vocabulary=pred.vocabulary)
        metric = make("smatch", None, **options)
        return Prepared(metric, metric.prepare(pred), metric.prepare(gold), np.arange(count, dtype=np.int32))

    return prepared
