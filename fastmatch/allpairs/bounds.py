"""The search for the best k of some rows by bounds of their scores.

The pairs with the highest bounds are scored first. Then those come, in the order of their bounds, whose bound is not
below the k-th best score of their row so far, until none is left. Among equal scores the lower column comes first. So
pairs whose bound equals the k-th best score are scored as well: one of them may have that score, and a lower column.

Rows are searched in groups: what is done for a group at once costs a tenth of doing it row by row, and threads do not
wait for each other's Python. Rows whose k-th best scores are near each other make a group: some metrics take the least
of these for all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fastmatch.metrics.row_bounds import as_single
from fastmatch.runtime import threads

if TYPE_CHECKING:
    from fastmatch.allpairs.tiles import Best, Grid, Told
    from fastmatch.metrics.row_bounds import Bounds
    from fastmatch.types import BoolArray, FloatArray, Int64Array

__all__ = ["best_by_bounds"]

#: Rows of a group, at most.
GROUP = 64


class Leaders:
    """The best k pairs so far of some rows, best first, ties by column.

    Parameters
    ----------
    n, k : int
    least : float
        Lower scores are not asked for.

    Attributes
    ----------
    columns : int64[n, k]
        −1 where there is none yet.
    values : float64[n, k]
        Minus infinity there.
    """

    def __init__(self, n: int, k: int, least: float) -> None:
        self.least = least
        self.columns, self.values = np.full((n, k), -1), np.full((n, k), -np.inf)

    @property
    def reached(self) -> FloatArray:
        """What a score must be, at least, to come among the best: float64[n]."""
        reached: FloatArray = np.maximum(self.values[:, -1], self.least)
        return reached

    def add(self, rows: Int64Array, columns: Int64Array, values: FloatArray) -> None:
        """More scores of some rows, both (n_rows, size); minus infinity where there is none."""
        k = self.columns.shape[1]
        values = np.where(values >= self.least, values, -np.inf)
        columns = np.concatenate([self.columns[rows], columns], axis=1)
        values = np.concatenate([self.values[rows], values], axis=1)
        order = np.lexsort((columns, -values))[:, :k]
        self.columns[rows] = np.take_along_axis(columns, order, axis=1)
        self.values[rows] = np.take_along_axis(values, order, axis=1)


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
        No score is below it. Pairs whose bound is not above it have this score.
    best : Best
        Gets the result.
    report : callable
        Is told the number of cells done.
    skip_self : bool
        Leave out pairs with row = column.
    """
    from fastmatch._ext.index.sums import highest

    n, k = len(bounds), best.k
    if skip_self:
        inside = np.arange(min(n, max(0, grid.n_gold - start)))
        bounds[inside, inside + start] = -np.inf
    leaders = Leaders(n, k, -np.inf if grid.cutoff is None else grid.cutoff)  # scores of a metric may be below 0
    leading = np.empty((n, k), np.int32)
    highest(bounds, leading)
    everyone = np.arange(n)
    of_leading = np.take_along_axis(bounds, leading, axis=1)
    above_floor = np.nextafter(np.float32(floor), np.float32(np.inf))
    worthy = (leading >= 0) & (of_leading >= np.maximum(as_single(leaders.least), above_floor))
    _score(grid, start, leaders, everyone, leading.astype(np.int64), worthy, workers)
    bounds[np.nonzero(worthy)[0], leading[worthy]] = -np.inf
    alike = np.argsort(leaders.reached, kind="stable")
    cancel = np.zeros(1, np.uint8)

    def work(low: int, high: int) -> None:
        rows = alike[low:high]
        those = bounds[rows]
        limit = np.maximum(as_single(leaders.reached[rows]), above_floor)
        place, columns = np.divmod(np.flatnonzero(those >= limit[:, None]), grid.n_gold)
        order = np.lexsort((-those[place, columns], place))
        candidates = np.append(columns[order], 0)
        left = np.arange(len(rows))
        begin, ends, size = np.searchsorted(place, left), np.searchsorted(place, left, side="right"), k
        left = left[begin < ends]
        while len(left) and not cancel[0]:
            # as many as were scored before, so that at most twice what is needed is scored
            at = begin[left, None] + np.arange(min(size, (ends - begin)[left].max()))
            inside = at < ends[left, None]
            columns = candidates[np.where(inside, at, -1)]
            limit = as_single(leaders.reached[rows[left], None])
            worthy = inside & (those[left[:, None], columns] >= limit)
            _score(grid, start, leaders, rows[left], columns, worthy, inner)
            begin[left] += size
            left = left[worthy[:, -1] & (begin[left] < ends[left])]
            size *= 2

    # threads have two groups of rows each, at least, the costly ones first; of fewer rows, parts of a row
    inner = workers if n < workers else 1
    step = n if inner > 1 else min(GROUP, -(-n // (2 * workers)))
    chunks = [(low, min(low + step, n)) for low in range(0, n, step)]
    threads.spread(work, chunks, n, workers, cancel, lambda done, total: report(done * grid.n_gold))
    if grid.cutoff is None and floor > -np.inf:
        # pairs that were not scored have the least score that there is
        for row in np.flatnonzero(leaders.values[:, -1] <= floor):
            above = leaders.values[row] > floor
            known = leaders.columns[row, above]
            rest = np.setdiff1d(np.arange(min(grid.n_gold, k + 1)), np.append(known, start + row if skip_self else -1))
            rest = rest[: k - len(known)]
            leaders.columns[row, len(known) : len(known) + len(rest)] = rest
            leaders.values[row, len(known) : len(known) + len(rest)] = floor
    some = leaders.values > -np.inf
    best.indices[:], best.scores[:] = np.where(some, leaders.columns, -1), np.where(some, leaders.values, 0)


def _score(
    grid: Grid,
    start: int,
    leaders: Leaders,
    rows: Int64Array,
    columns: Int64Array,
    worthy: BoolArray,
    workers: int,
) -> None:
    """Score these columns of some rows, (n_rows, size), where they are worth it."""
    values, those = np.full(columns.shape, -np.inf), rows[np.nonzero(worthy)[0]]
    values[worthy] = grid.scores(start + those, columns[worthy], workers, leaders.reached[those])
    leaders.add(rows, columns, values)
