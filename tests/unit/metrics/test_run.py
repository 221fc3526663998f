"""The loop over pairs: threads, progress, the first exception, Ctrl-C, fork."""

import io
import os
import re
import sys
import textwrap
import threading
import time
from dataclasses import dataclass
from functools import cache
from unittest.mock import Mock

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.metrics import Metric, make
from fastmatch.metrics.run import run
from fastmatch.metrics.shared.search import WORK
from fastmatch.runtime import progress, threads

from support.child import interrupted, printed
from support.command_line import needs_signals
from support.entangled import tangle
from support.refusal import fails
from support.terminal import Terminal


@dataclass(frozen=True)
class Recorder(Metric):
    """Scores pair k with k, notes which thread did which range, and takes as long as it is told."""

    seconds: float = 0.0
    estimate: float = 0.01
    fail_at: int = -1

    def prepare(self, corpus):
        return corpus

    def sizes(self, prepared):
        return np.full(len(prepared), 10**6, np.int64)

    def costs(self, pred, gold, index_pred, index_gold):
        return np.full(len(index_pred), self.estimate)

    def score(self, pred, gold, pairs, out):
        CALLS.append((threading.current_thread(), pairs.start, pairs.stop))
        for k in range(pairs.start, pairs.stop):
            time.sleep(self.seconds)
            if pairs.cancel[0]:
                return
            if k == self.fail_at:
                raise ZeroDivisionError(f"pair {k}")
            out.matched[k] = pairs.index_pred[k]


CALLS: list[tuple[threading.Thread, int, int]] = []


@pytest.fixture(autouse=True)
def _forget():
    CALLS.clear()


def scored(metric: Metric, n: int = 50, **options) -> fm.PairScores:
    index = np.arange(n, dtype=np.int32)
    return run(metric, range(n), range(n), index, index, **options)


# ---------------------------------------------------------------- threads


def test_one_worker_is_no_thread():
    scored(Recorder())
    assert {thread for thread, _, _ in CALLS} == {threading.current_thread()}


def test_little_work_is_no_thread_and_no_chunks():
    scored(Recorder(estimate=1e-6), workers=4)
    assert [(threading.current_thread(), 0, 50)] == CALLS


def test_a_few_pairs_of_a_kernel_that_heeds_ctrl_c_are_not_divided(monkeypatch):
    metric = make("smatch")
    prepared = metric.prepare(fm.parse(["(a / b)", "(a / b :mod (c / d))", "(e / f)"]))
    index = np.array([[0, 0, 1], [1, 2, 2]], np.int32)
    whole = run(metric, prepared, prepared, *index, progress=lambda done, total: None)
    monkeypatch.setattr(type(metric), "costs", Mock(side_effect=AssertionError("costs are not needed")))
    assert run(metric, prepared, prepared, *index).score.tolist() == whole.score.tolist()
    for asked in ({"workers": 2}, {"progress": lambda done, total: None}):
        fails(AssertionError, "not needed", run, metric, prepared, prepared, *index, **asked)
    fails(AssertionError, "not needed", run, metric, prepared, prepared, *np.zeros((2, 65), np.int32))


def test_several_workers(monkeypatch):
    met, score = threading.Barrier(3, timeout=600), Recorder.score

    def meet(*arguments):
        """None begins before all three are there, however late a busy machine starts them."""
        if threading.current_thread() not in {thread for thread, _, _ in CALLS}:
            met.wait()
        score(*arguments)

    monkeypatch.setattr(Recorder, "score", meet)
    scored(Recorder(), workers=3)
    assert {thread.name for thread, _, _ in CALLS} == {"fastmatch-0", "fastmatch-1", "fastmatch-2"}
    assert not any(thread.is_alive() for thread, _, _ in CALLS)


@pytest.mark.parametrize("workers", [1, 3])
def test_the_first_exception_comes_back_and_ends_the_work(workers):
    fails(ZeroDivisionError, "pair 7", scored, Recorder(fail_at=7, seconds=0.001), n=50_000, workers=workers)
    assert sum(stop - start for _, start, stop in CALLS) < 50_000
    assert not any(thread.is_alive() for thread, _, _ in CALLS if thread is not threading.current_thread())


def test_no_more_threads(monkeypatch):
    """The system may refuse threads; the work gets done all the same."""
    start, allowed = threading.Thread.start, [1]

    def refuse(self):
        if not allowed:
            raise RuntimeError("can't start new thread")
        allowed.pop()
        start(self)

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert scored(Recorder(), workers=4).matched.tolist() == list(range(50))
    assert len({thread for thread, _, _ in CALLS}) == 1
    seen = []
    told = scored(Recorder(), workers=4, progress=lambda *counts: seen.append(counts))
    assert told.matched.tolist() == list(range(50)) and seen[-1] == (50, 50)


# ---------------------------------------------------------------- progress


@pytest.mark.parametrize("workers", [1, 3])
def test_progress_callback(workers):
    seen = []
    # long enough for the caller to wake a few times, however late the threads begin
    scored(Recorder(seconds=0.008 * workers), workers=workers, progress=lambda *counts: seen.append(counts))
    assert seen == sorted(seen) and seen[-1] == (50, 50) and seen.count((50, 50)) == 1 and len(seen) > 2


def test_progress_callback_with_little_work():
    seen = []
    scored(Recorder(estimate=1e-6), progress=lambda *counts: seen.append(counts))
    assert seen == [(50, 50)]


LONG = [tangle(60, 1), tangle(60, 2)], [tangle(60, 3), tangle(60, 4)]


@cache
def matched_in_long_pairs(metric: str) -> float:
    return fm.score(*LONG, metric=metric).matched


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("metric", ["smatch", "wsmatch"])
def test_progress_inside_a_long_pair(monkeypatch, metric, workers):
    """What is done rises within a pair, stays below the number of pairs until it is over, and ends with it."""
    monkeypatch.setitem(WORK, "default", WORK["default"] // 3)  # to be quick
    monkeypatch.setattr(progress, "INSIDE_EVERY", 0.0)
    monkeypatch.setattr(threads, "WAKE", 0.001)
    seen = []
    result = fm.score(*LONG, metric=metric, workers=workers, progress=lambda *counts: seen.append(counts))
    assert result.matched == matched_in_long_pairs(metric)
    done = [part for part, total in seen]
    assert done == sorted(done) and seen[-1] == (2, 2) and {total for _, total in seen} == {2}
    assert len({part for part in done if 0 < part < 1}) > 3 and all(part < 2 for part in done[:-1])


@pytest.mark.parametrize("workers", [1, 2])
def test_progress_may_end_a_long_pair(monkeypatch, workers):
    def enough(done, total):
        if done > 0:
            raise ValueError("enough")

    before = threading.enumerate()
    with pytest.raises(ValueError, match="enough"):
        fm.score([tangle(60, 1)] * 2, [tangle(60, 3)] * 2, effort="proof", workers=workers, progress=enough)
    assert set(threading.enumerate()) <= set(before)


def test_a_bar_says_what_is_known_of_a_long_pair(monkeypatch, capsys):
    monkeypatch.setattr(progress, "INSIDE_EVERY", 0.0)
    monkeypatch.setattr(progress, "LINE_EVERY", 0.0)
    fm.score([tangle(60, 1)], [tangle(60, 3)], progress=True)
    assert re.search(r"fastmatch: pairs: 0 of 1, .*at work: \d+ matched, at most \d", capsys.readouterr().err)


@pytest.mark.parametrize("workers", [1, 3])
def test_progress_may_end_the_work(workers):
    def enough(done, total):
        if done >= 5:
            raise StopIteration

    fails(StopIteration, None, scored, Recorder(seconds=0.001), n=1000, workers=workers, progress=enough)
    assert sum(stop - start for _, start, stop in CALLS) < 1000


def test_a_bar_only_on_a_terminal_and_only_for_long_work(monkeypatch, capfd):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(progress, "APPEARS_AFTER", 60.0)  # not so short that a busy machine takes longer
    scored(Recorder(), progress=True)
    assert sys.stderr.getvalue() == ""
    monkeypatch.setattr(progress, "APPEARS_AFTER", 0.0)
    scored(Recorder(), progress=True)
    assert "50 of 50" in sys.stderr.getvalue()
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    scored(Recorder(), progress=True)
    assert sys.stderr.getvalue() == ""
    assert capfd.readouterr() == ("", "")


# ---------------------------------------------------------------- processes

TEXTS = """
import fastmatch as fm
pred = ["(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :polarity -))"] * 300
gold = ["(w / want-01 :ARG0 (g / girl) :ARG1 (b / believe-01 :ARG0 g :ARG1 (b2 / boy)))"] * 300
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_safe_after_fork():
    """A child that inherits a pool waits for threads it does not have; ours inherits nothing."""
    code = TEXTS + textwrap.dedent(
        """
        import os, signal
        from fastmatch.runtime import threads
        threads.INLINE = 1e-6
        expected = fm.score(pred, gold, workers=3).matched
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            os._exit(0 if fm.score(pred, gold, workers=3).matched == expected else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
    )
    assert printed("-c", code) == "0\n"


ENDLESS = """
import threading, sys
import fastmatch as fm
from support.entangled import tangle
pred, gold = [tangle(N, k) for k in range(4)], [tangle(N, k + 50) for k in range(4)]
fm.score(pred[0], pred[0], metric="rematch")  # imports numpy, which is not to be interrupted
print("ready", flush=True)
try:
    fm.score(pred, gold, workers=int(sys.argv[1]))
except KeyboardInterrupt:
    print("interrupted", threading.active_count(), flush=True)
"""


@needs_signals
@pytest.mark.parametrize(("workers", "variables"), [(1, 200), (2, 40)])
def test_interrupt(workers, variables):
    """Ctrl-C within one long pair: KeyboardInterrupt, and no thread left behind.

    The smaller pair is one that looks cheap, so that it runs in the main thread whatever the number of workers.
    """
    assert interrupted(ENDLESS.replace("N,", f"{variables},"), str(workers), after=0.7) == "interrupted 1\n"
