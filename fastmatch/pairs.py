"""The only loop over pairs: chunks, threads, progress, cancellation.

A metric fills ranges of a list of pairs (:meth:`fastmatch.metrics.base.Metric.score`); this module decides which
thread fills which range, and when to stop.

* Chunks are ranges of roughly equal *estimated cost*, handed out the dearest first, so that a document at the end of a
  list of sentences does not keep one thread busy alone. A pair's result depends on nothing but the pair, so results
  are the same for any number of workers.
* One worker means no thread, and so does work that is too short to be worth the few tenths of a millisecond that
  threads cost. Ctrl-C is then seen between two chunks, and by kernels that look for it themselves (``interrupt.pxd``).
* Threads are made for the call and gone when it returns. A pool kept in the module would hang a child after ``fork``.
* The first exception is kept, the other threads are told to stop, and it is raised again in the caller. While threads
  work the caller wakes ten times a second to see Ctrl-C and to report progress.

The module can be called: ``fastmatch.pairs(A, B, index_pairs)`` is :func:`fastmatch.allpairs.score_pairs`.
"""

from __future__ import annotations

import os
import sys
import threading
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from fastmatch.errors import OptionError
from fastmatch.progress import Bar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fastmatch.metrics.base import Metric
    from fastmatch.results import PairScores
    from fastmatch.types import ByteArray, FloatArray, Int32Array, Progress


__all__ = ["Report", "plan", "run", "spread", "usable_cpus", "worker_count"]

#: Seconds of estimated work below which everything is done in one go, without chunks or threads.
INLINE = 0.003
#: Estimated seconds in a chunk, at most (unless one pair takes longer): bounds the wait for Ctrl-C and progress.
CHUNK = 0.1
#: Chunks per worker, at least, if the work is long enough: evens out what the estimates get wrong.
CHUNKS_PER_WORKER = 8
#: Seconds between two looks at Ctrl-C.
WAKE = 0.1


def run(
    metric: Metric,
    pred: Any,
    gold: Any,
    index_pred: Int32Array,
    index_gold: Int32Array,
    *,
    workers: int = 1,
    progress: Progress = None,
    mapping: bool = False,
) -> PairScores:
    """Score a list of pairs.

    Parameters
    ----------
    metric : Metric
    pred, gold
        What ``metric.prepare`` made of the two corpora.
    index_pred, index_gold : int32[n_pairs]
        Pair k is graph ``index_pred[k]`` of ``pred`` against graph ``index_gold[k]`` of ``gold``.
    workers : int
        Threads; −1 for as many CPUs as this process may use.
    progress : None, bool or callable
        True draws a bar on stderr if that is a terminal and the work lasts longer than half a second. A callable gets
        (pairs done, pairs in all), in the caller's thread, and a last call with both equal. What it raises ends the
        run.
    mapping : bool
        Keep the alignments.

    Raises
    ------
    OptionError
        If ``workers`` is neither −1 nor positive.
    """
    if workers != 1:
        workers = worker_count(workers)
    out = metric.empty(pred, gold, index_pred, index_gold, mapping)
    n_pairs = len(index_pred)
    cancel = np.zeros(1, np.uint8)
    # one pair cannot be divided, whatever it costs, and asking what it costs is a tenth of scoring a small one
    costs = metric.costs(pred, gold, index_pred, index_gold) if n_pairs > 1 else None
    if costs is None or costs.sum() <= INLINE:
        metric.score(pred, gold, index_pred, index_gold, 0, n_pairs, out, cancel)
        if callable(progress):
            progress(n_pairs, n_pairs)
        return out

    def work(start: int, stop: int) -> None:
        metric.score(pred, gold, index_pred, index_gold, start, stop, out, cancel)

    spread(work, plan(costs, workers), n_pairs, workers, cancel, progress)
    return out


def spread(
    work: Callable[[int, int], None],
    chunks: list[tuple[int, int]],
    total: int,
    workers: int,
    cancel: ByteArray,
    progress: Progress = None,
) -> None:
    """Do ``work(start, stop)`` for every chunk, in up to ``workers`` threads; what :func:`run` does, for other work.

    ``work`` should drop the GIL, and return soon once ``cancel``, uint8[1], has become 1. ``total`` is what the chunks
    add up to, for ``progress``.
    """
    report = Report(progress, total)
    workers = min(workers, len(chunks))
    try:
        if workers > 1:
            _run_threads(work, chunks, workers, cancel, report)
        else:
            _run_inline(work, chunks, report)
    finally:
        report.close()


def plan(costs: FloatArray, workers: int) -> list[tuple[int, int]]:
    """Ranges (start, stop) that cover all pairs once, of about equal cost, the dearest first; ties by position.

    ``costs``: estimated seconds per pair, float64[n_pairs], positive. O(n_pairs).
    """
    if not len(costs):
        return []
    ends = np.cumsum(costs)
    size = min(max(ends[-1] / (CHUNKS_PER_WORKER * workers), INLINE / 4), CHUNK)
    # a pair belongs to the chunk in which it begins, where the one before it ends
    borders = np.searchsorted(ends, np.arange(size, ends[-1], size)) + 1
    starts = np.unique(np.append(0, borders[borders < len(costs)]))
    stops = np.append(starts[1:], len(costs))
    order = np.argsort(-np.add.reduceat(costs, starts), kind="stable")
    return list(zip(starts[order].tolist(), stops[order].tolist(), strict=True))


def _run_inline(work: Callable[[int, int], None], chunks: Iterable[tuple[int, int]], report: Report) -> None:
    done = 0
    for start, stop in chunks:
        work(start, stop)
        done += stop - start
        report(done)


def _run_threads(
    work: Callable[[int, int], None],
    chunks: list[tuple[int, int]],
    workers: int,
    cancel: ByteArray,
    report: Report,
) -> None:
    queue = iter(chunks)
    change = threading.Condition()
    done = running = 0
    failure: BaseException | None = None

    def loop() -> None:
        nonlocal done, running, failure
        try:
            while True:
                with change:
                    chunk = None if cancel[0] else next(queue, None)
                if chunk is None:
                    break
                work(*chunk)
                with change:
                    done += chunk[1] - chunk[0]
                    change.notify()
        except BaseException as error:
            with change:
                if failure is None:
                    failure = error
                cancel[0] = 1
        finally:
            with change:
                running -= 1
                change.notify()

    threads: list[threading.Thread] = []
    try:
        for number in range(workers):
            threads.append(threading.Thread(target=loop, name=f"fastmatch-{number}"))
            with change:
                running += 1
            try:
                threads[-1].start()
            except RuntimeError:  # the system gives no more threads: make do with those there are
                threads.pop()
                with change:
                    running -= 1
                if not threads:
                    _run_inline(work, queue, report)
                    return
                break
        while True:
            with change:
                if not running:
                    break
                change.wait(WAKE)
                so_far = done
            report(so_far)
    except BaseException:  # Ctrl-C, or the caller's progress function
        cancel[0] = 1
        raise
    finally:
        for thread in threads:
            if thread.ident is not None:  # Ctrl-C may have come before it was started
                thread.join()
    if failure is not None:
        try:
            raise failure
        finally:
            failure = None  # break the cycle failure -> traceback -> this frame -> failure
    report(done)


class Report:
    """Tells a callable, or a bar on a terminal, how far the work is."""

    def __init__(self, progress: Progress, total: int) -> None:
        self.total, self.last = total, -1
        self.bar = Bar("pairs", quiet=progress is not True)
        self.call = progress if callable(progress) else self.bar

    call: Callable[[int, int], object]

    def __call__(self, done: int) -> None:
        if done != self.last:
            self.last = done
            self.call(done, self.total)

    def close(self) -> None:
        self.bar.close()


def worker_count(workers: int) -> int:
    """The number of threads that ``workers`` stands for.

    Raises
    ------
    OptionError
        If it is neither −1 nor a positive whole number.
    """
    if isinstance(workers, bool) or not isinstance(workers, int | np.integer) or (workers < 1 and workers != -1):
        raise OptionError(f"workers={workers!r}: expected a positive number of threads, or -1 for all CPUs")
    return usable_cpus() if workers == -1 else int(workers)


def usable_cpus() -> int:
    """CPUs this process may use: its affinity mask, cut down to the CPU quota of its control group. At least 1.

    Containers often see all CPUs of the machine but get the time of a few; more threads than that only wait. In a
    worker of joblib, Dask or a multiprocessing pool it is 1: the others of the pool have the rest.
    """
    if _in_a_pool():
        return 1
    if hasattr(os, "sched_getaffinity"):
        cpus = len(os.sched_getaffinity(0))
    else:
        cpus = os.cpu_count() or 1
    quota = _cgroup_quota()
    return max(1, cpus if quota is None else min(cpus, int(quota + 0.5)))


def _in_a_pool() -> bool:
    # what is not imported cannot have started this process or thread
    multiprocessing: Any = sys.modules.get("multiprocessing")
    if multiprocessing is not None and multiprocessing.parent_process() is not None:
        name: str = multiprocessing.current_process().name
        if "PoolWorker" in name or name.startswith(("LokyProcess", "Dask Worker")):
            return True
    distributed: Any = sys.modules.get("distributed")
    if distributed is None or not hasattr(distributed, "get_worker"):
        return False
    try:
        distributed.get_worker()
    except ValueError:
        return False
    return True


def _cgroup_quota(root: str = "/sys/fs/cgroup", table: str = "/proc/self/cgroup") -> float | None:
    """CPUs' worth of time the control group grants, the least along the path to its root; None without a limit."""
    try:
        with open(table) as file:
            entries = [line.rstrip("\n").split(":", 2) for line in file]
    except OSError:
        return None
    quotas = []
    for _, controllers, path in (entry for entry in entries if len(entry) == 3):
        if controllers == "":  # version 2: one hierarchy
            base, read = root, _quota_v2
        elif "cpu" in controllers.split(","):
            base, read = f"{root}/cpu", _quota_v1
        else:
            continue
        parts = [part for part in path.split("/") if part not in ("", "..")]
        for depth in range(len(parts) + 1):
            quota = read("/".join([base, *parts[:depth]]))
            if quota is not None:
                quotas.append(quota)
    return min(quotas, default=None)


def _quota_v2(folder: str) -> float | None:
    limit = _numbers(f"{folder}/cpu.max")  # "max 100000" or "150000 100000", microseconds
    return limit[0] / limit[1] if len(limit) == 2 and min(limit) > 0 else None


def _quota_v1(folder: str) -> float | None:
    limit = _numbers(f"{folder}/cpu.cfs_quota_us") + _numbers(f"{folder}/cpu.cfs_period_us")  # -1: no limit
    return limit[0] / limit[1] if len(limit) == 2 and min(limit) > 0 else None


def _numbers(path: str) -> list[int]:
    try:
        with open(path) as file:
            return [int(word) for word in file.read().split()]
    except (OSError, ValueError):
        return []


class _Callable(ModuleType):
    """A module cannot have the name of a function beside it; so it is the function as well."""

    def __call__(self, *arguments: Any, **options: Any) -> PairScores:
        from fastmatch.allpairs import score_pairs

        return score_pairs(*arguments, **options)


sys.modules[__name__].__class__ = _Callable
