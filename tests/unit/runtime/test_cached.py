"""Cached properties: one value, no lock."""

import os
import threading

import numpy as np
import pytest

from fastmatch.results.pairs import PairScores
from fastmatch.runtime.cached import cached_property

from support.child import forked


class Slow:
    """Whose property takes as long as another thread likes."""

    def __init__(self) -> None:
        self.begun, self.go = threading.Event(), threading.Event()

    @cached_property
    def value(self) -> object:
        """A new object."""
        self.begun.set()
        assert self.go.wait(60)
        return object()


def test_one_value_is_kept() -> None:
    slow = Slow()
    slow.go.set()
    assert slow.value is slow.value is vars(slow)["value"]
    assert Slow.value.__doc__ == "A new object."


def test_instances_do_not_wait_for_each_other() -> None:
    first, second = Slow(), Slow()
    second.go.set()
    thread = threading.Thread(target=lambda: first.value)
    thread.start()
    assert first.begun.wait(60)
    assert second.value is second.value  # waited for ever
    first.go.set()
    thread.join()


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
