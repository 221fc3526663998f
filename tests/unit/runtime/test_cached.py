"""Cached properties: one value, no lock."""

import os
import threading

import numpy as np
import pytest

from fastmatch.results.pairs import PairScores
from fastmatch.runtime.cached import cached_property

from support.child import forked


class Kept:
    @cached_property
    def value(self) -> object:
        """A new object."""
        return object()


def test_one_value_is_kept() -> None:
    kept = Kept()
    assert kept.value is kept.value is vars(kept)["value"]
    assert Kept.value.__doc__ == "A new object."


class Held:
    """A metric that keeps whoever combines its statistics."""

    statistics, summable = ("matched",), False

    def __init__(self) -> None:
        self.begun, self.go = threading.Event(), threading.Event()

    def combine(self, statistics):
        self.begun.set()
        assert self.go.wait(60)
        return {"score": np.ones(1)}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_in_the_middle_of_a_property() -> None:
    """A child that is forked while another thread computes the scores of a result can compute those of its own."""
    metric, free = Held(), Held()
    free.go.set()
    thread = threading.Thread(target=lambda: PairScores(np.ones((1, 1)), metric).scores)
    thread.start()
    assert metric.begun.wait(60)
    status = forked(lambda: PairScores(np.ones((1, 1)), free).scores["score"] == 1)
    metric.go.set()
    thread.join()
    assert status == 0
