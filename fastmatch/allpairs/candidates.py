"""Blocks by candidates: bounds of whole rows nominate the pairs whose score may be what is asked for.

Where a metric can say cheaply how high a score may be at most (:mod:`fastmatch.metrics.row_bounds`), only the
*candidates* are scored. So results equal those of scoring every pair, to the last bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastmatch.allpairs import tiles
from fastmatch.allpairs.bounds import Room, best_by_bounds
from fastmatch.allpairs.tiles import Best, Grid, PairList, Told, joined, silent
from fastmatch.metrics.base import Metric
from fastmatch.metrics.row_bounds import Bounds, RowBounds, as_single
from fastmatch.metrics.run import run
from fastmatch.runtime import threads
from fastmatch.types import ByteArray, Int32Array

#: Rows of a chunk of a search for candidates.
SEARCH_ROWS = 512

#: Rows of a group whose best are searched together, and cells that their bounds have, at most.
GROUP, CELLS = 64, 1 << 21


class PairBounds(RowBounds):
    """Bounds of rows from a metric that has only bounds of single pairs."""

    floor = -np.inf

    def __init__(self, grid: Grid, bounding: Metric) -> None:
        super().__init__(grid.n_pred, grid.n_gold)
        self.grid, self.bounding = grid, bounding

    def rows(self, start: int, stop: int, out: Bounds) -> None:
        i, j = (index.astype(np.int32) for index in self.grid.pairs(np.arange(start, stop)))
        bounds = run(self.bounding, self.grid.pred, self.grid.gold, i, j).score
        # scores may differ from these in their last bits
        out[:] = as_single(bounds + 1e-9 * (1 + np.abs(bounds)), up=True).reshape(out.shape)


class Candidates:
    """The way to a block by candidates: to what reaches a cutoff, and to the best k."""

    def __init__(self, grid: Grid, bounds: RowBounds) -> None:
        self.grid, self.bounds = grid, bounds

    @classmethod
    def of(cls, grid: Grid) -> Candidates | None:
        """By the metric's bounds of rows; None if it has none.

        Bounds of single pairs are no way to what reaches a cutoff: a metric that has them uses them while it scores.
        """
        bounds = grid.metric.bounds(grid.pred, grid.gold)
        return None if bounds is None else cls(grid, bounds)

    @classmethod
    def of_pairs(cls, grid: Grid) -> Candidates | None:
        """By the metric's bounds of single pairs; None if it has none."""
        bounding = grid.metric.reaching(np.inf)
        return None if bounding is grid.metric else cls(grid, PairBounds(grid, bounding))

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

        def work(low: int, high: int) -> None:
            room = rooms.pop() if rooms else Room.of(step, grid.n_gold)
            part = best.part(low, high)
            best_by_bounds(grid, self.bounds, part, room, workers=inner, skip_self=skip_self, cancel=cancel)
            rooms.append(room)

        outer = 1 if inner > 1 else workers
        threads.spread(work, chunks, n, outer, cancel, lambda done, total: report(done * grid.n_gold))
