"""The search for the best k of a row by bounds of its scores.

Pairs are scored in the order of their bounds, the highest first, until no bound is left that reaches the k-th best
score. Among equal scores the lower column comes first. So pairs whose bound equals the k-th best score are scored as
well: one of them may have that score, and a lower column.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from fastmatch.allpairs.tiles import Best, Grid
    from fastmatch.types import FloatArray, Int64Array

__all__ = ["Queue", "best_by_bounds"]


class Queue:
    """The candidates of one row, the highest bound first; its best k so far say when it is done.

    Parameters
    ----------
    row : int
    columns : int64[n]
    bounds : float64[n]
        No score exceeds its bound.
    k : int
    least : float
        Scores below it are not asked for.
    """

    def __init__(self, row: int, columns: Int64Array, bounds: FloatArray, k: int, least: float) -> None:
        order = np.lexsort((columns, -bounds))
        self.row, self.columns, self.bounds = row, columns[order], bounds[order]
        self.values = np.empty(len(columns))
        self.n_scored, self.k, self.least = 0, k, least

    @property
    def open(self) -> bool:
        """There are candidates that may be among the best."""
        return self.n_scored < self._end()

    def next(self, size: int) -> Int64Array:
        """The next columns to score; they count as scored once :meth:`add` got their scores."""
        return self.columns[self.n_scored : min(self.n_scored + size, self._end())]

    def add(self, values: FloatArray) -> None:
        """Scores of the columns that :meth:`next` gave."""
        self.values[self.n_scored : self.n_scored + len(values)] = values
        self.n_scored += len(values)

    def scored(self) -> tuple[Int64Array, FloatArray]:
        """Columns that reach the least score, and their scores."""
        columns, values = self.columns[: self.n_scored], self.values[: self.n_scored]
        keep = values >= self.least
        return columns[keep], values[keep]

    def _end(self) -> int:
        """How many candidates have a bound that the k-th best so far does not exceed."""
        least = self.least
        if self.n_scored >= self.k:
            done = self.values[: self.n_scored]
            least = max(least, float(np.partition(done, self.n_scored - self.k)[self.n_scored - self.k]))
        # bounds are floating-point numbers as well: a little below counts as equal
        return int(np.searchsorted(-self.bounds, -least * (1 - 1e-9) if least > 0 else np.inf, side="right"))


def best_by_bounds(
    grid: Grid,
    wanted: Int64Array,
    rows: Int64Array,
    columns: Int64Array,
    bounds: FloatArray,
    best: Best,
    *,
    workers: int,
    skip_self: bool,
) -> None:
    """Fill in the best of some rows from pairs with bounds of their scores.

    Parameters
    ----------
    wanted : int64[n_rows]
        The rows.
    rows, columns, bounds : int64[n], int64[n], float64[n]
        Their candidates, by row. Pairs that are missing score 0, or less than the cutoff if there is one.
    best : Best
        Gets the result.
    skip_self : bool
        Leave out pairs with row = column.
    """
    least = -np.inf if grid.cutoff is None else grid.cutoff  # scores of a metric may be below 0
    if skip_self:
        others = rows != columns
        rows, columns, bounds = rows[others], columns[others], bounds[others]
    starts, stops = np.searchsorted(rows, wanted), np.searchsorted(rows, wanted, side="right")
    queues = [
        Queue(row, columns[a:b], bounds[a:b], best.k, least)
        for row, a, b in zip(wanted.tolist(), starts.tolist(), stops.tolist(), strict=True)
    ]
    _exhaust(grid, queues, best.k, workers)
    for queue in queues:
        found, values = queue.scored()
        if grid.cutoff is None and np.count_nonzero(values) < best.k:  # pairs that are no candidates score 0
            rest = np.setdiff1d(np.arange(min(grid.n_gold, 2 * best.k + len(queue.columns) + 1)), queue.columns)
            rest = rest[rest != queue.row] if skip_self else rest
            found, values = np.concatenate([found, rest]), np.concatenate([values, np.zeros(len(rest))])
        best.put(queue.row, found, values)


def _exhaust(grid: Grid, queues: list[Queue], size: int, workers: int) -> None:
    """Score of each queue ``size`` pairs, then twice as many, and so on, until none is open."""
    waiting = [queue for queue in queues if queue.open]
    while waiting:
        batches = [queue.next(size) for queue in waiting]
        rows = np.repeat([queue.row for queue in waiting], [len(batch) for batch in batches])
        values = grid.scores(rows, np.concatenate(batches), workers)
        stops = np.cumsum([len(batch) for batch in batches])
        for queue, part in zip(waiting, np.split(values, stops[:-1]), strict=True):
            queue.add(part)
        waiting = [queue for queue in waiting if queue.open]
        size *= 2
