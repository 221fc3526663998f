"""The loop over pairs: chunks, threads, progress, the first exception, Ctrl-C, fork."""

from __future__ import annotations

import io
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from dataclasses import dataclass
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch import OptionError
from fastmatch.metrics.base import Metric
from fastmatch.metrics.run import run
from fastmatch.runtime import cpus, progress, threads


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

    def score(self, pred, gold, index_pred, index_gold, start, stop, out, cancel):
        CALLS.append((threading.current_thread(), start, stop))
        for k in range(start, stop):
            time.sleep(self.seconds)
            if cancel[0]:
                STOPPED.append(k)
                return
            if k == self.fail_at:
                raise ZeroDivisionError(f"pair {k}")
            out.matched[k] = index_pred[k]


CALLS: list[tuple[threading.Thread, int, int]] = []
STOPPED: list[int] = []


@pytest.fixture(autouse=True)
def _forget():
    CALLS.clear()
    STOPPED.clear()


def scored(metric: Metric, n: int = 50, **options) -> fm.PairScores:
    index = np.arange(n, dtype=np.int32)
    return run(metric, range(n), range(n), index, index, **options)


# ---------------------------------------------------------------- chunks


@given(st.lists(st.floats(1e-7, 10), max_size=200), st.integers(1, 16))
def test_every_pair_is_in_one_chunk(costs, workers):
    chunks = threads.plan(np.array(costs), workers)
    assert sorted(k for start, stop in chunks for k in range(start, stop)) == list(range(len(costs)))


@given(st.lists(st.floats(1e-7, 10), min_size=1, max_size=200), st.integers(1, 16))
def test_the_dearest_comes_first(costs, workers):
    sums = [sum(costs[start:stop]) for start, stop in threads.plan(np.array(costs), workers)]
    assert all(a >= b * (1 - 1e-9) for a, b in pairwise(sums))


def test_a_document_among_sentences_starts_first():
    costs = np.full(1000, 5e-5)
    costs[900] = 2.0
    first = threads.plan(costs, 2)[0]
    assert first[0] <= 900 < first[1]


def test_chunks_are_short_enough_to_be_stopped():
    costs = np.full(10_000, 1e-3)
    assert max((stop - start) * 1e-3 for start, stop in threads.plan(costs, 1)) <= threads.CHUNK + 1e-3


# ---------------------------------------------------------------- threads


@pytest.mark.parametrize("workers", [1, 2, 3, 7, -1])
def test_all_pairs_are_scored(workers):
    assert scored(Recorder(), workers=workers).matched.tolist() == list(range(50))


def test_one_worker_is_no_thread():
    scored(Recorder())
    assert {thread for thread, _, _ in CALLS} == {threading.current_thread()}


def test_little_work_is_no_thread_and_no_chunks():
    scored(Recorder(estimate=1e-6), workers=4)
    assert [(threading.current_thread(), 0, 50)] == CALLS


def test_several_workers():
    scored(Recorder(seconds=0.002), workers=3)
    assert {thread.name for thread, _, _ in CALLS} == {"fastmatch-0", "fastmatch-1", "fastmatch-2"}
    assert not any(thread.is_alive() for thread, _, _ in CALLS)


@pytest.mark.parametrize("workers", [1, 3])
def test_the_first_exception_comes_back_and_ends_the_work(workers):
    with pytest.raises(ZeroDivisionError, match="pair 7"):
        scored(Recorder(fail_at=7, seconds=0.001), n=500, workers=workers)
    assert sum(stop - start for _, start, stop in CALLS) < 500
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
    assert scored(Recorder(), workers=4, progress=lambda *counts: seen.append(counts)).matched.tolist() == list(
        range(50)
    )
    assert seen[-1] == (50, 50)


def test_called_from_several_threads_at_once():
    results: list[list[int]] = []

    def call():
        results.append(scored(Recorder(seconds=0.0002), workers=3).matched.tolist())

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [list(range(50))] * 4


@pytest.mark.parametrize("workers", [0, -2, 1.5, "2", True, None])
def test_wrong_workers(workers):
    with pytest.raises(OptionError, match=r"workers=.*: expected a positive number of threads, or -1"):
        cpus.worker_count(workers)


# ---------------------------------------------------------------- progress


@pytest.mark.parametrize("workers", [1, 3])
def test_progress_callback(workers):
    seen = []
    scored(Recorder(seconds=0.002), workers=workers, progress=lambda *counts: seen.append(counts))
    assert seen == sorted(seen)
    assert seen[-1] == (50, 50)
    assert seen.count((50, 50)) == 1
    assert len(seen) > 2


def test_progress_callback_with_little_work():
    seen = []
    scored(Recorder(estimate=1e-6), progress=lambda *counts: seen.append(counts))
    assert seen == [(50, 50)]


@pytest.mark.parametrize("workers", [1, 3])
def test_progress_may_end_the_work(workers):
    def enough(done, total):
        if done >= 5:
            raise StopIteration

    with pytest.raises(StopIteration):
        scored(Recorder(seconds=0.001), n=1000, workers=workers, progress=enough)
    assert sum(stop - start for _, start, stop in CALLS) < 1000


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_only_on_a_terminal_and_only_for_long_work(monkeypatch, capfd):
    monkeypatch.setattr(sys, "stderr", Terminal())
    scored(Recorder(), progress=True)
    assert sys.stderr.getvalue() == ""
    monkeypatch.setattr(progress, "APPEARS_AFTER", 0.0)
    scored(Recorder(), progress=True)
    assert "50 of 50" in sys.stderr.getvalue()
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    scored(Recorder(), progress=True)
    assert sys.stderr.getvalue() == ""
    assert capfd.readouterr() == ("", "")


# ---------------------------------------------------------------- CPUs


def test_usable_cpus_is_at_most_the_affinity_mask():
    assert 1 <= cpus.usable_cpus() <= (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1 << 20)


def cgroup(tmp_path, table: str, files: dict[str, str]) -> float | None:
    (tmp_path / "cgroup").write_text(table)
    for name, content in files.items():
        path = tmp_path / "fs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return cpus._cgroup_quota(str(tmp_path / "fs"), str(tmp_path / "cgroup"))


def test_quota_of_cgroup_2(tmp_path):
    files = {"job/task/cpu.max": "max 100000\n", "job/cpu.max": "150000 100000\n"}
    assert cgroup(tmp_path, "0::/job/task\n", files) == 1.5


def test_quota_of_a_container_that_sees_itself_as_root(tmp_path):
    assert cgroup(tmp_path, "0::/\n", {"cpu.max": "400000 100000\n"}) == 4


def test_quota_of_cgroup_1(tmp_path):
    files = {"cpu/job/cpu.cfs_quota_us": "50000\n", "cpu/job/cpu.cfs_period_us": "100000\n"}
    table = "4:memory:/job\n3:cpu,cpuacct:/job\n"
    assert cgroup(tmp_path, table, files) == 0.5
    assert cgroup(tmp_path, table, {**files, "cpu/job/cpu.cfs_quota_us": "-1\n"}) is None


def test_no_quota(tmp_path):
    assert cgroup(tmp_path, "0::/\n", {"cpu.max": "max 100000\n"}) is None
    assert cgroup(tmp_path, "0::/\n", {"cpu.max": "what\n"}) is None
    assert cpus._cgroup_quota(str(tmp_path), str(tmp_path / "missing")) is None


def test_a_quota_below_one_cpu_is_one_worker(monkeypatch):
    monkeypatch.setattr(cpus, "_cgroup_quota", lambda: 0.2)
    assert cpus.usable_cpus() == 1


def test_one_worker_within_a_pool(monkeypatch):
    """``workers=-1`` in each of n workers of a pool would be n² threads."""
    monkeypatch.setattr(cpus, "_cgroup_quota", lambda: None)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(8)), raising=False)
    assert cpus.usable_cpus() == 8
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: object())
    for name, cpus in [("ForkPoolWorker-3", 1), ("LokyProcess-1", 1), ("Dask Worker process", 1), ("Process-1", 8)]:
        monkeypatch.setattr(multiprocessing, "current_process", lambda name=name: SimpleNamespace(name=name))
        assert cpus.usable_cpus() == cpus


def test_one_worker_within_a_dask_thread(monkeypatch):
    monkeypatch.setattr(cpus, "_cgroup_quota", lambda: None)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(8)), raising=False)
    inside = [True]

    def get_worker():
        if not inside:
            raise ValueError("No worker found")

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(get_worker=get_worker))
    assert cpus.usable_cpus() == 1
    inside.clear()
    assert cpus.usable_cpus() == 8


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
        from fastmatch.metrics.run import run
        from fastmatch.runtime import cpus
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
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60).stdout
    assert out.strip() == "0"


ENDLESS = """
import threading, sys
import fastmatch as fm
from fastmatch.metrics.run import run
from fastmatch.runtime import cpus
from fastmatch.runtime import threads
def tangle(n, seed):  # all concepts equal, edges at random: no search closes such a pair soon
    import random
    rng = random.Random(seed)
    edges = [("v%d" % rng.randrange(n), ":r%d" % rng.randrange(2), "v%d" % rng.randrange(n)) for _ in range(3 * n)]
    triples = [(f"v{i}", ":instance", "x") for i in range(n)] + edges
    return fm.Graph.from_triples(triples, "v0")
pred, gold = [tangle(N, k) for k in range(4)], [tangle(N, k + 50) for k in range(4)]
print("ready", flush=True)
try:
    fm.score(pred, gold, workers=int(sys.argv[1]))
except KeyboardInterrupt:
    print("interrupted", threading.active_count(), flush=True)
else:
    print("finished", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
@pytest.mark.parametrize("variables", [40, 200])
@pytest.mark.parametrize("workers", [1, 2])
def test_interrupt(workers, variables):
    """Ctrl-C within one long pair: KeyboardInterrupt, and no thread left behind.

    The smaller pair is one that looks cheap, so that it runs in the main thread whatever the number of workers.
    """
    code = ENDLESS.replace("N,", f"{variables},")
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(workers)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.7)
        assert process.poll() is None, "the pair was meant to take longer"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert (out, err) == ("interrupted 1\n", "")
