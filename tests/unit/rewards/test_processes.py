"""Rewards in other processes and threads, through pickles, and again and again."""

import multiprocessing
import os
import pickle
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from fastmatch.rewards import GraphReward, RewardResult, smatch_reward, verl

from support.child import printed
from support.nightly import by_day

GOLD = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
PRED = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02))"
TEXTS, GOLDS = [PRED, "hm", GOLD, PRED[:-1]] * 4, [GOLD] * 16


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_processes(method: str) -> None:
    """A reward is sent to a worker, as TRL's and Ray's workers get it, and its results are sent back."""
    reward = GraphReward("smatch", repair=True, beta=2.0, concepts=0.5, name="sent")
    with multiprocessing.get_context(method).Pool(1) as pool:
        found = pool.starmap(reward.batch, [(TEXTS, GOLDS)] * 3)
        doors = pool.apply(verl.compute_score, ("amr", PRED, GOLD))
        named = pool.apply(smatch_reward, (), {"completions": TEXTS, "amr": GOLDS})
    assert found == [reward.batch(TEXTS, GOLDS)] * 3 and all(type(result) is RewardResult for result in found[0])
    assert doors == verl.compute_score("amr", PRED, GOLD)
    assert named == smatch_reward(completions=TEXTS, amr=GOLDS)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_while_other_threads_score() -> None:
    """Workers of a data loader are forked from a process whose threads may be in the middle of a reward."""
    reward = GraphReward()
    expected, stop = reward.batch(TEXTS, GOLDS), threading.Event()

    def work() -> None:
        while not stop.is_set():
            reward.batch(TEXTS, GOLDS)

    with ThreadPoolExecutor(3) as threads:
        for _ in range(3):
            threads.submit(work)
        try:
            with multiprocessing.get_context("fork").Pool(2) as pool:
                assert pool.starmap(reward.batch, [(TEXTS, GOLDS)] * 20) == [expected] * 20
        finally:
            stop.set()


def test_pickles_of_every_kind() -> None:
    """Of the object, its methods, and of a function around it, as Ray pickles closures."""
    reward = GraphReward("wlk", length_guard=2.0, name="kept")
    expected = reward.batch(TEXTS, GOLDS)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(reward, protocol))
        assert (again.__name__, again.signature) == ("kept", reward.signature) and again.batch(TEXTS, GOLDS) == expected
    closure = pickle.loads(pytest.importorskip("cloudpickle").dumps(lambda texts, golds: reward.batch(texts, golds)))
    assert closure(TEXTS, GOLDS) == expected


def test_no_signal_is_touched_and_no_main_thread_is_needed() -> None:
    before = {number: signal.getsignal(number) for number in signal.valid_signals()}
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(GraphReward(workers=2).batch, TEXTS, GOLDS).result()
    assert found == GraphReward().batch(TEXTS, GOLDS)
    assert {number: signal.getsignal(number) for number in signal.valid_signals()} == before


def test_workers_of_a_data_loader() -> None:
    torch = pytest.importorskip("torch")
    reward = GraphReward()

    class Scored(torch.utils.data.Dataset):  # type: ignore[misc]
        def __len__(self) -> int:
            return len(TEXTS)

        def __getitem__(self, place: int):
            return reward.one(TEXTS[place], GOLDS[place]).score

    loader = torch.utils.data.DataLoader(Scored(), batch_size=4, num_workers=2, multiprocessing_context="fork")
    found = [value for part in loader for value in part.tolist()]
    assert found == [result.score for result in reward.batch(TEXTS, GOLDS)]


_MANY = """
import gc, resource, sys
from fastmatch.rewards import GraphReward, openrlhf, verl
calls, metric = int(sys.argv[1]), sys.argv[2]
reward = GraphReward(metric, repair=True)

def resident():
    gc.collect()
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() / 2**20

def some(start, stop):
    for k in range(start, stop):
        gold = f"(w{k} / want-{k % 97} :ARG0 (b / boy{k}) :ARG1 (g / go-02 :ARG0 b :quant {k}))"
        text = gold if k % 3 else gold[:-1] + f" :mod (x / new{k})"
        reward.one(text, gold)
        if k % 10 == 0:
            reward.batch([text, "(a / ", "hm", None], [gold, gold, gold, "("])
            verl.compute_score("amr", text, gold)
            openrlhf.rewards(["p" + text], ["p"], [gold], reward)

some(0, calls // 4)
before = resident()
some(calls // 4, calls)
print(before, resident())
"""


def growth(calls: int, metric: str) -> float:
    """MiB that a process gains in the last three quarters of so many calls, each with strings of its own."""
    before, after = map(float, printed("-c", _MANY, str(calls), metric).split())
    return after - before


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(("calls", "metric"), by_day([(8000, "smatch"), (2000, "sembleu"), (2000, "wwlk")], 3))
def test_memory_stays_as_it_is(calls: int, metric: str) -> None:
    """A string that is kept of each call would be 1 MiB; 10⁶ calls gained nothing.

    Of 8,000 calls 87 bytes each are seen. More calls would see no less, and take longer.
    """
    assert growth(calls, metric) < 0.5
