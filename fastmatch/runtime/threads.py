"""Threads over ranges of a list: which thread does which range, progress, cancellation.

Whatever works on ranges of a list (scoring pairs, rows of a matrix, resampling) hands its work to :func:`spread`.

* Chunks are ranges of roughly equal *estimated cost*. The most expensive one is handed out first, so that a document at
  the end of a list of sentences does not keep one thread busy alone. What a range computes depends on nothing but the
  range, so results are the same for any number of workers.
* One worker means no thread. Ctrl-C is then seen between two chunks, and by kernels that look for it themselves
  (``_ext/base/interrupt.pxd``).
* Threads are made for the call and gone when it returns. A pool kept in the module would hang a child after ``fork``.
* The first exception is kept, the other threads are told to stop, and it is raised again in the caller. While threads
  work, the caller wakes ten times a second to see Ctrl-C and to report progress.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

import numpy as np

from fastmatch.runtime.progress import Steps, heard
from fastmatch.types import ByteArray, FloatArray, Progress

#: Seconds of estimated work below which everything is done in one go, without chunks or threads.
INLINE = 0.003
#: Estimated seconds in a chunk, at most (unless one item takes longer): bounds the wait for Ctrl-C and progress.
CHUNK = 0.1
#: Chunks per worker, at least, if the work is long enough: evens out what the estimates get wrong.
CHUNKS_PER_WORKER = 8
#: Seconds between two looks at Ctrl-C.
WAKE = 0.1


def spread(
    work: Callable[[int, int], None],
    chunks: list[tuple[int, int]],
    total: int,
    workers: int,
    cancel: ByteArray,
    progress: Progress = None,
) -> None:
    """Do ``work(start, stop)`` for every chunk, in up to ``workers`` threads.

    Parameters
    ----------
    work : callable
        Should drop the GIL, and return soon once ``cancel`` has become 1.
    chunks : list of (int, int)
        Ranges (start, stop), in the order in which they are handed out.
    total : int
        What the chunks add up to, for ``progress``.
    workers : int
        One: everything is done in the calling thread.
    cancel : uint8[1]
        Becomes 1 when the work is to end: after an error, or Ctrl-C.
    progress : None, bool or callable
        True draws a bar on a terminal; a callable gets (done, total), in the calling thread. What it raises ends the
        work.

    Raises
    ------
    BaseException
        The first one that ``work`` raised.
    """
    workers = min(workers, len(chunks))
    with Steps(progress, total) as report:
        if workers > 1:
            _run_threads(work, chunks, workers, cancel, report)
        else:
            _run_inline(work, chunks, report)


def plan(costs: FloatArray, workers: int, pieces: int = CHUNKS_PER_WORKER) -> list[tuple[int, int]]:
    """Chunks of a list, of about equal cost.

    Parameters
    ----------
    costs : float64[n]
        Estimated seconds of each item, positive.
    workers : int
    pieces : int
        Chunks per worker, at least, if the work is long enough. One is enough for a single worker whose progress
        nobody wants to see.

    Returns
    -------
    list of (int, int)
        Ranges (start, stop) that cover all items once, the most expensive first; ties by position. O(n).
    """
    if not len(costs):
        return []
    ends = np.cumsum(costs)
    size = min(max(ends[-1] / (pieces * workers), INLINE / 4), CHUNK)
    # an item belongs to the chunk in which it begins, where the one before it ends
    borders = np.searchsorted(ends, np.arange(size, ends[-1], size)) + 1
    starts = np.unique(np.append(0, borders[borders < len(costs)]))
    stops = np.append(starts[1:], len(costs))
    order = np.argsort(-np.add.reduceat(costs, starts), kind="stable")
    return list(zip(starts[order].tolist(), stops[order].tolist(), strict=True))


def _run_inline(work: Callable[[int, int], None], chunks: Iterable[tuple[int, int]], report: Steps) -> None:
    done = 0

    def tell(_: int, reached: float, bound: float, share: float) -> None:
        report.inside(done, [(reached, bound, share)])

    with heard(tell if report.wanted else None):
        for start, stop in chunks:
            work(start, stop)
            done += stop - start
            report(done)


def _run_threads(
    work: Callable[[int, int], None], chunks: list[tuple[int, int]], workers: int, cancel: ByteArray, report: Steps
) -> None:
    queue = iter(chunks)
    change = threading.Condition()
    done = running = 0
    failure: BaseException | None = None
    at_work: dict[int, tuple[float, float, float]] = {}  # by thread, while one item takes long

    def take_chunks(thread: int) -> None:
        nonlocal done
        while True:
            with change:
                chunk = None if cancel[0] else next(queue, None)
            if chunk is None:
                return
            work(*chunk)
            at_work.pop(thread, None)
            with change:
                done += chunk[1] - chunk[0]
                change.notify()

    def loop() -> None:
        nonlocal running, failure
        thread = threading.get_ident()

        def tell(_: int, reached: float, bound: float, share: float) -> None:
            at_work[thread] = reached, bound, share

        try:
            with heard(tell if report.wanted else None):
                take_chunks(thread)
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
            report.inside(so_far, at_work.copy().values())
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
