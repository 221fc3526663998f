"""Blocks by candidates: bounds of whole rows nominate the pairs whose score may be what is asked for.

Where a metric can say cheaply how high a score may be at most (:mod:`fastmatch.metrics.row_bounds`), only the
*candidates* are scored. So results equal those of scoring every pair, to the last bit.

Of the best k of a row the pairs with the highest bounds are scored first. Then those come, in the order of their
bounds, whose bound is not below the k-th best score of their row so far, until none is left. Among equal scores the
lower column comes first. So pairs whose bound equals the k-th best score are scored as well: one of them may have that
score, and a lower column.

Rows are searched in groups whose bounds fit the cache: what is done for a group at once costs a tenth of doing it row
by row, and threads do not wait for each other's Python.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.index.lists import best_of_rows
from fastmatch.allpairs import tiles
from fastmatch.allpairs.tiles import Best, Grid, PairList, Told, joined, silent
from fastmatch.metrics.row_bounds import Bounds, RowBounds, as_single
from fastmatch.runtime import threads
from fastmatch.types import BoolArray, ByteArray, FloatArray, Int32Array, Int64Array

#: Rows of a chunk of a search for candidates.
SEARCH_ROWS = 512

#: Rows of a group whose best are searched together, and cells that their bounds have, at most.
GROUP, CELLS = 64, 1 << 21


class Candidates:
    """The way to a block by candidates: to what reaches a cutoff, and to the best k."""

    def __init__(self, grid: Grid, bounds: RowBounds) -> None:
        self.grid, self.bounds = grid, bounds

    @classmethod
    def of(cls, grid: Grid) -> Candidates | None:
        """By the metric's bounds of rows; None if it has none."""
        bounds = grid.metric.bounds(grid.pred, grid.gold)
        return None if bounds is None else cls(grid, bounds)

    def dense(self, start: int, stop: int, out: NDArray[Any], *, workers: int, report: Told, half: bool) -> None:
        """Fill ``out`` with these rows, given a cutoff; with ``half`` only cells with column ≥ row, others with 0."""
        out[:, start if half else 0 :] = 0
        found = self.listed(start, stop, workers=workers, report=silent, half=half)
        out[found.rows - start, found.columns] = found.scores

    def listed(self, start: int, stop: int, *, workers: int, report: Told, half: bool) -> PairList:
        """The pairs of these rows that reach the cutoff, which must be there; with ``half`` only column ≥ row."""
        grid = self.grid
        cutoff = grid.cutoff
        assert cutoff is not None
        parts = []
        for low, high in grid.stretches(start, stop, tiles.CANDIDATES):
            found: dict[int, tuple[Int32Array, Int32Array, Bounds]] = {}
            cancel = np.zeros(1, np.uint8)

            def search(a: int, b: int, found: Any = found, cancel: ByteArray = cancel) -> None:
                found[a] = self.bounds.reached(a, b, cutoff, triangle=half, cancel=cancel)

            step = max(SEARCH_ROWS, -(-(high - low) // workers))
            chunks = [(a, min(a + step, high)) for a in range(low, high, step)]
            threads.spread(search, chunks, high - low, workers, cancel)
            rows = np.concatenate([found[a][0] for a in sorted(found)]).astype(np.int64)
            columns = np.concatenate([found[a][1] for a in sorted(found)]).astype(np.int64)
            scores = grid.scores(rows, columns, workers)
            keep = scores >= cutoff
            parts.append(PairList(rows[keep], columns[keep], scores[keep]))
            report((high - start) * grid.n_gold)
        return joined(parts)

    def best(self, best: Best, *, workers: int, report: Told, skip_self: bool) -> None:
        """Fill in the best of these rows."""
        grid, n, cancel = self.grid, best.stop - best.start, np.zeros(1, np.uint8)
        # threads have groups of rows; of fewer rows, parts of a row
        inner = workers if n < workers else 1
        step = min(GROUP, max(1, CELLS // grid.n_gold), -(-n // workers))
        chunks = [(low, min(low + step, best.stop)) for low in range(best.start, best.stop, step)]

        # threads take these and put them back: memory of its own for each group would be new to the machine each time
        # where what is freed is given back at once, as by Dask's workers, and that would cost as much as the search
        rooms: list[Room] = []
        shape = step, grid.n_gold

        def work(low: int, high: int) -> None:
            room = rooms.pop() if rooms else (np.empty(shape, np.float32), np.empty(shape, bool))
            part = best.part(low, high)
            best_by_bounds(grid, self.bounds, part, room, workers=inner, skip_self=skip_self, cancel=cancel)
            rooms.append(room)

        outer = 1 if inner > 1 else workers
        threads.spread(work, chunks, n, outer, cancel, lambda done, total: report(done * grid.n_gold))


#: What a group of rows needs memory for, float32 and bool[n_rows, n_gold]; its contents mean nothing.
Room: TypeAlias = tuple[Bounds, BoolArray]


class Leaders:
    """The best k pairs so far of some rows, best first, ties by column.

    Parameters
    ----------
    grid : Grid
    start, stop : int
        The rows ``start`` … ``stop − 1``. Others are numbers from 0 on: of these.
    k : int
    workers : int
        Threads that score.

    Attributes
    ----------
    columns : int64[stop − start, k]
        −1 where there is none yet.
    values : float64[stop − start, k]
        Minus infinity there.
    """

    def __init__(self, grid: Grid, start: int, stop: int, k: int, workers: int) -> None:
        self.grid, self.start, self.workers = grid, start, workers
        self.least = -np.inf if grid.cutoff is None else grid.cutoff  # scores of a metric may be below 0
        self.columns, self.values = np.full((stop - start, k), -1), np.full((stop - start, k), -np.inf)

    @property
    def reached(self) -> FloatArray:
        """What a score must be, at least, to come among the best: float64[stop − start]."""
        return np.maximum(self.values[:, -1], self.least)

    def score(self, rows: Int64Array, columns: Int64Array, worthy: BoolArray) -> None:
        """Score columns of some rows, int64[n_rows, size], where they are worth it."""
        those, k = rows[np.nonzero(worthy)[0]], self.columns.shape[1]
        found = np.full(columns.shape, -np.inf)
        found[worthy] = self.grid.scores(self.start + those, columns[worthy], self.workers, self.reached[those])
        found[found < self.least] = -np.inf
        columns = np.concatenate([self.columns[rows], columns], axis=1)
        values = np.concatenate([self.values[rows], found], axis=1)
        order = np.lexsort((columns, -values))[:, :k]
        self.columns[rows] = np.take_along_axis(columns, order, axis=1)
        self.values[rows] = np.take_along_axis(values, order, axis=1)

    def fill_up(self, floor: float, *, skip_self: bool) -> None:
        """Pairs that were not scored have the least score that there is: the first columns take the places left."""
        for row in np.flatnonzero(self.values[:, -1] <= floor):
            above = self.values[row] > floor
            known = self.columns[row, above]
            rest = np.arange(min(self.grid.n_gold, self.columns.shape[1] + 1))
            rest = np.setdiff1d(rest, np.append(known, self.start + row if skip_self else -1))
            rest = rest[: self.columns.shape[1] - len(known)]
            self.columns[row, len(known) : len(known) + len(rest)] = rest
            self.values[row, len(known) : len(known) + len(rest)] = floor


def best_by_bounds(
    grid: Grid, row_bounds: RowBounds, best: Best, room: Room, *, workers: int, skip_self: bool, cancel: ByteArray
) -> None:
    """Fill in the best of a group of rows from bounds of their scores.

    Parameters
    ----------
    row_bounds : RowBounds
    best : Best
        Says which rows, and gets the result.
    room : Room
        To work in; of at least as many rows.
    workers : int
        Threads that score.
    skip_self : bool
        Leave out pairs with row = column.
    cancel : uint8[1]
        Becomes 1 when the caller gives up.
    """
    n, floor, k = best.stop - best.start, row_bounds.floor, best.k
    bounds, above = room[0][:n], room[1][:n]
    row_bounds.rows(best.start, best.stop, bounds)
    leaders = Leaders(grid, best.start, best.stop, k, workers)
    above_floor = np.nextafter(np.float32(floor), np.float32(np.inf))
    rows = np.arange(n)
    if skip_self:
        own = rows[best.start + rows < grid.n_gold]
        bounds[own, best.start + own] = -np.inf
    leading = np.empty((n, k), np.int32)
    best_of_rows(bounds, cutoff=np.finfo(np.float32).min, indices=leading, values=np.empty((n, k)))
    worthy = leading >= 0
    worthy &= np.take_along_axis(bounds, leading, axis=1) >= np.maximum(as_single(leaders.least), above_floor)
    leaders.score(rows, leading.astype(np.int64), worthy)
    bounds[np.nonzero(worthy)[0], leading[worthy]] = -np.inf

    # what may still be among the best: of each row one after the other, the highest bound first
    limit = np.maximum(as_single(leaders.reached), above_floor)
    place, columns = np.divmod(np.flatnonzero(np.greater_equal(bounds, limit[:, None], out=above)), grid.n_gold)
    order = np.lexsort((-bounds[place, columns], place))
    candidates = np.append(columns[order], 0)
    begin, end, size = np.searchsorted(place, rows), np.searchsorted(place, rows, side="right"), k
    left = rows[begin < end]
    while len(left) and not cancel[0]:
        # as many as were scored before, so that at most twice what is needed is scored
        at = begin[left, None] + np.arange(min(size, (end - begin)[left].max()))
        inside = at < end[left, None]
        columns = candidates[np.where(inside, at, -1)]
        worthy = inside & (bounds[left[:, None], columns] >= as_single(leaders.reached[left, None]))
        leaders.score(left, columns, worthy)
        begin[left] += size
        left = left[worthy[:, -1] & (begin[left] < end[left])]
        size *= 2

    if grid.cutoff is None and floor > -np.inf:
        leaders.fill_up(floor, skip_self=skip_self)
    some = leaders.values > -np.inf
    best.indices[:], best.scores[:] = np.where(some, leaders.columns, -1), np.where(some, leaders.values, 0)
