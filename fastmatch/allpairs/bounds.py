"""The search for the best k of a row by bounds of its scores.

The pairs with the highest bounds are scored first. Then those come, in the order of their bounds, whose bound is not
below the k-th best score so far, until none is left. Among equal scores the lower column comes first. So pairs whose
bound equals the k-th best score are scored as well: one of them may have that score, and a lower column.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fastmatch.metrics.row_bounds import as_single
from fastmatch.runtime import threads

if TYPE_CHECKING:
    from fastmatch.allpairs.tiles import Best, Grid, Told
    from fastmatch.metrics.row_bounds import Bounds
    from fastmatch.types import FloatArray, Int64Array

__all__ = ["Queue", "best_by_bounds"]


class Queue:
    """The candidates of one row, and those that were scored; its best k so far say when it is done.

    Parameters
    ----------
    k : int
    least : float
        Scores below it are not asked for.
    floor : float
        Pairs whose bound is not above it have this score; they are not asked for either.
    """

    def __init__(self, k: int, least: float, floor: float) -> None:
        self.k, self.least, self.floor = k, least, floor
        self.columns, self.bounds = np.empty(0, np.int64), np.empty(0, np.float32)
        self.place = 0
        self.scored, self.values = np.empty(0, np.int64), np.empty(0)
        self.reached = least

    def put(self, bounds: Bounds) -> None:
        """Bounds of all columns; minus infinity for those that were scored."""
        columns = np.flatnonzero((bounds >= as_single(self.reached)) & (bounds > self.floor))
        order = np.lexsort((columns, -bounds[columns]))
        self.columns, self.bounds, self.place = columns[order], bounds[columns[order]], 0

    @property
    def open(self) -> Int64Array:
        """The candidates that may be among the best and are not scored yet, the highest bound first."""
        end = np.searchsorted(-self.bounds, -as_single(self.reached), side="right")
        return self.columns[self.place : int(end)]

    def add(self, columns: Int64Array, values: FloatArray) -> None:
        """More scores; those below :attr:`reached` may be too high, but not as high as that."""
        keep = values >= self.reached
        self.scored = np.concatenate([self.scored, columns[keep]])
        self.values = np.concatenate([self.values, values[keep]])
        n = len(self.values)
        if n >= self.k:
            self.reached = max(self.least, float(np.partition(self.values, n - self.k)[n - self.k]))

    def found(self) -> tuple[Int64Array, FloatArray]:
        """Columns that reach what is asked for, and their scores."""
        return self.scored, self.values


def best_by_bounds(
    grid: Grid, start: int, bounds: Bounds, floor: float, best: Best, *, workers: int, report: Told, skip_self: bool
) -> None:
    """Fill in the best of some rows from bounds of their scores.

    Parameters
    ----------
    start : int
        The first row.
    bounds : float32[n_rows, n_gold]
        Of the scores. It is changed.
    floor : float
        No score is below it.
    best : Best
        Gets the result.
    report : callable
        Is told the number of cells done.
    skip_self : bool
        Leave out pairs with row = column.
    """
    from fastmatch._ext.index.sums import highest

    least = -np.inf if grid.cutoff is None else grid.cutoff  # scores of a metric may be below 0
    n, k = len(bounds), best.k
    if skip_self:
        inside = np.arange(min(n, max(0, grid.n_gold - start)))
        bounds[inside, inside + start] = -np.inf
    leading = np.empty((n, k), np.int32)
    highest(bounds, leading)
    worthy = as_single(max(least, floor))
    first = [columns[columns >= 0].astype(np.int64) for columns in leading]
    first = [c[(row[c] >= worthy) & (row[c] > floor)] for c, row in zip(first, bounds, strict=True)]
    sizes = [len(columns) for columns in first]
    rows = np.repeat(np.arange(start, start + n), sizes)
    values = np.split(grid.scores(rows, np.concatenate(first), workers), np.cumsum(sizes)[:-1])
    cancel = np.zeros(1, np.uint8)

    def work(low: int, high: int) -> None:
        for place in range(low, high):
            if cancel[0]:
                return
            row, columns = start + place, first[place]
            queue = Queue(k, least, floor)
            queue.add(columns, values[place])
            if len(columns) == k:  # else these were all
                bounds[place, columns] = -np.inf
                queue.put(bounds[place])
                exhaust(grid, row, queue, inner)
            found, scores = queue.found()
            if grid.cutoff is None and np.count_nonzero(scores > floor) < k and floor > -np.inf:
                # pairs that were not scored have the least score that there is
                rest = np.setdiff1d(np.arange(min(grid.n_gold, 2 * k + len(queue.scored) + 1)), queue.scored)
                rest = rest[rest != row] if skip_self else rest
                found, scores = np.concatenate([found, rest]), np.concatenate([scores, np.full(len(rest), floor)])
            best.put(row, found, scores)

    # threads have a row each; of fewer rows, parts of a row
    inner = workers if n < workers else 1
    step = n if inner > 1 else max(1, n // (threads.CHUNKS_PER_WORKER * workers))
    chunks = [(low, min(low + step, n)) for low in range(0, n, step)]
    threads.spread(work, chunks, n, workers, cancel, lambda done, total: report(done * grid.n_gold))


def exhaust(grid: Grid, row: int, queue: Queue, workers: int) -> None:
    """Score k candidates, then twice as many, and so on, until none is open."""
    size = queue.k
    while len(batch := queue.open[:size]):
        values = grid.scores(np.full(len(batch), row), batch, workers, queue.reached)
        queue.place += len(batch)
        queue.add(batch, values)
        size *= 2
