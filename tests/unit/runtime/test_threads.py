"""Chunks of equal cost, and threads that work them off; :mod:`fastmatch.metrics.run` has tests of its own."""

import threading
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastmatch.runtime import threads


@given(st.lists(st.floats(1e-7, 10), max_size=200), st.integers(1, 16))
def test_every_pair_is_in_one_chunk_and_the_dearest_come_first(costs, workers):
    chunks = threads.plan(np.array(costs), workers)
    assert sorted(k for start, stop in chunks for k in range(start, stop)) == list(range(len(costs)))
    sums = [sum(costs[start:stop]) for start, stop in chunks]
    assert all(a >= b * (1 - 1e-9) for a, b in pairwise(sums))


def test_chunks_are_short_enough_to_be_stopped():
    assert max((stop - start) * 1e-3 for start, stop in threads.plan(np.full(10_000, 1e-3), 1)) <= threads.CHUNK + 1e-3


def test_a_single_worker_may_have_a_single_chunk():
    costs = np.full(100, 1e-4)
    assert threads.plan(costs, 1, 1) == [(0, 100)] and len(threads.plan(costs, 1)) == threads.CHUNKS_PER_WORKER
    assert max(stop - start for start, stop in threads.plan(np.full(100, 1e-2), 1, 1)) * 1e-2 <= threads.CHUNK + 1e-2


# ---------------------------------------------------------------- spread


def spread(chunks: list[tuple[int, int]], workers: int, fail_at: int = -1) -> tuple[list[int], list[tuple[int, int]]]:
    """What was done, and what the progress function was told."""
    done: list[int] = []
    told: list[tuple[int, int]] = []

    def work(start: int, stop: int) -> None:
        if start <= fail_at < stop:
            raise ZeroDivisionError(f"item {fail_at}")
        done.extend(range(start, stop))

    total = sum(stop - start for start, stop in chunks)
    threads.spread(work, chunks, total, workers, np.zeros(1, np.uint8), lambda *counts: told.append(counts))
    return done, told


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_every_chunk_is_done_once(workers):
    done, told = spread([(4, 9), (0, 4), (9, 10)], workers)
    assert sorted(done) == list(range(10))
    assert told == sorted(told) and told[-1] == (10, 10) and told.count((10, 10)) == 1


@pytest.mark.parametrize("workers", [1, 2])
def test_nothing_to_do(workers):
    assert spread([], workers)[0] == []


@pytest.mark.parametrize("workers", [1, 3])
def test_a_failure_ends_the_work(workers):
    with pytest.raises(ZeroDivisionError, match="item 1"):
        spread([(start, start + 1) for start in range(5)], workers, fail_at=1)
    # other tests may have left threads of other packages
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("fastmatch-")]
