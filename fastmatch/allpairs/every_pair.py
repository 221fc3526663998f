"""Blocks by scoring every pair with ``Metric.score``: for any metric, alignments included."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.index.postings import best_of_rows
from fastmatch.allpairs import tiles
from fastmatch.allpairs.tiles import Best, Grid, PairList, Told, joined, silent
from fastmatch.metrics.contract.required import PairRange
from fastmatch.metrics.run import refuse_nan
from fastmatch.runtime import threads
from fastmatch.runtime.cached import cached_property
from fastmatch.types import ByteArray, Int32Array


class EveryPair:
    """The way to a block that scores every pair."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid

    def dense(
        self, start: int, stop: int, out: NDArray[Any], *, workers: int, report: Told = silent, half: bool = False
    ) -> None:
        """Fill ``out`` with these rows; with ``half`` only cells with column ≥ row."""
        grid = self.grid
        first = start if half else 0
        width = max(1, grid.n_gold - first)
        cancel = np.zeros(1, np.uint8)

        def listed(low: int, high: int) -> tuple[Int32Array, Int32Array]:
            rows = np.repeat(np.arange(low, high, dtype=np.int32), grid.n_gold - first)
            columns = np.tile(np.arange(first, grid.n_gold, dtype=np.int32), high - low)
            keep = columns >= rows if half else slice(None)
            return rows[keep], columns[keep]

        if self._cheap:
            # listing pairs and sharing them out costs as much as scoring them does: threads do that as well

            def work(low: int, high: int) -> None:
                self._score_into(out, start, *listed(low, high), cancel)

            step = max(1, tiles.CHEAP_TILE // width)
            chunks = [(low, min(low + step, stop)) for low in range(start, stop, step)]
            threads.spread(work, chunks, stop - start, workers, cancel, lambda done, total: report(done * width))
            return
        step = max(1, tiles.TILE // width)
        for low in range(start, stop, step):
            rows, columns = listed(low, min(low + step, stop))
            before, cells = (low - start) * width, (min(low + step, stop) - low) * width / max(1, len(rows))

            def part(a: int, b: int, rows: Int32Array = rows, columns: Int32Array = columns) -> None:
                self._score_into(out, start, rows[a:b], columns[a:b], cancel)

            def tell(done: int, total: int, before: int = before, cells: float = cells) -> None:
                report(before + int(done * cells))

            chunks = threads.plan(grid.metric.costs(grid.pred, grid.gold, rows, columns), workers)
            threads.spread(part, chunks, len(rows), workers, cancel, tell)

    def listed(self, start: int, stop: int, *, workers: int, report: Told, half: bool) -> PairList:
        """The pairs of these rows whose score is not 0 and reaches the cutoff; with ``half`` only column ≥ row."""
        parts = []
        for low, high in self.grid.stretches(start, stop, tiles.TILE):
            block = np.zeros((high - low, self.grid.n_gold))
            self.dense(low, high, block, workers=workers, half=half)
            rows, columns = np.nonzero(block)
            parts.append(PairList(rows + low, columns, block[rows, columns]))
            report((high - start) * self.grid.n_gold)
        return joined(parts)

    def best(self, best: Best, *, workers: int, report: Told, skip_self: bool) -> None:
        """Fill in the best of these rows from all their scores."""
        grid = self.grid
        cutoff = -np.inf if grid.cutoff is None else grid.cutoff  # scores of a metric may be below 0
        for low, high in grid.stretches(best.start, best.stop, tiles.TILE):
            block = np.empty((high - low, grid.n_gold))
            self.dense(low, high, block, workers=workers)
            part = best.part(low, high)
            skip = np.arange(low, high) if skip_self else np.full(high - low, -1)
            best_of_rows(block, cutoff=cutoff, skip=skip, indices=part.indices, values=part.scores)
            report((high - best.start) * grid.n_gold)

    @cached_property
    def _cheap(self) -> bool:
        """Most pairs cost less than a microsecond: asked of some of them."""
        grid = self.grid
        if not (grid.n_pred and grid.n_gold):
            return True
        places = np.random.default_rng(0).integers(0, [[grid.n_pred], [grid.n_gold]], (2, 1024)).astype(np.int32)
        return bool(grid.metric.costs(grid.pred, grid.gold, *places).mean() < 1e-6)

    def _score_into(
        self, out: NDArray[Any], start: int, rows: Int32Array, columns: Int32Array, cancel: ByteArray
    ) -> None:
        """Score pairs and write what reaches the cutoff to its place in the rows from ``start`` on."""
        grid = self.grid
        result = grid.metric.empty(grid.pred, grid.gold, rows, columns, False)
        grid.metric.score(grid.pred, grid.gold, PairRange.all(rows, columns, cancel), result)
        refuse_nan(grid.metric, result, rows, columns)
        scores = result.score
        if grid.cutoff is not None:
            scores = np.where(scores < grid.cutoff, 0, scores)
        out[rows - start, columns] = scores
