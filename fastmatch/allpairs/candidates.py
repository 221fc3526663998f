"""Blocks by candidates: an inverted index nominates the pairs whose bound is not below what is asked for.

Where a metric can say how high a score may be at most, by the overlap of lists of features, only the *candidates* are
scored. So results equal those of scoring every pair, to the last bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fastmatch.allpairs import tiles
from fastmatch.allpairs.bounds import best_by_bounds
from fastmatch.allpairs.indexed import IndexedLists
from fastmatch.allpairs.tiles import PairList, joined, ranges, silent
from fastmatch.metrics.feature_lists import MEASURES
from fastmatch.runtime import threads

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fastmatch.allpairs.every_pair import EveryPair
    from fastmatch.allpairs.tiles import Best, Grid, Told
    from fastmatch.types import FloatArray, Int32Array, Int64Array

__all__ = ["Candidates"]

#: Rows of a chunk of a search for candidates.
SEARCH_ROWS = 512

#: Stands for "any overlap at all" as a cutoff of bounds.
TINY = 1e-12


class Candidates:
    """The way to a block by candidates: to what reaches a cutoff, and to the best k.

    A row of which the lists say nothing is *open*: any pair of it may reach the cutoff, and all of them are scored.
    """

    def __init__(self, grid: Grid, table: IndexedLists, every_pair: EveryPair) -> None:
        self.grid, self.table, self.every_pair = grid, table, every_pair

    @classmethod
    def of(cls, grid: Grid, every_pair: EveryPair) -> Candidates | None:
        """With an index of the lists that bound the scores; None if there is no such bound."""
        mine = grid.metric.filter(grid.pred)
        if mine is None:
            return None
        theirs = mine if grid.same else grid.metric.filter(grid.gold)
        assert theirs is not None
        return cls(grid, IndexedLists(mine, theirs), every_pair)

    def dense(self, start: int, stop: int, out: NDArray[Any], *, workers: int, report: Told, half: bool) -> None:
        """Fill ``out`` with these rows, given a cutoff; with ``half`` only cells with column ≥ row, others with 0."""
        out[:, start if half else 0 :] = 0
        found = self.listed(start, stop, workers=workers, report=silent, half=half)
        out[found.rows - start, found.columns] = found.scores

    def listed(self, start: int, stop: int, *, workers: int, report: Told, half: bool) -> PairList:
        """The pairs of these rows that reach the cutoff, which must be there; with ``half`` only column ≥ row."""
        grid = self.grid
        assert grid.cutoff is not None
        parts = []
        for low, high in grid.stretches(start, stop, tiles.CANDIDATES):
            given = np.arange(low, high)
            needs = self._needs(grid.cutoff)
            rows, columns, _ = self._nominated(given, grid.cutoff, needs, workers, half)
            parts.append(PairList(rows, columns, grid.scores(rows, columns, workers)))
            rows, columns = grid.pairs(given[needs[given] <= 0], half=half)
            parts.append(PairList(rows, columns, grid.scores(rows, columns, workers)))
            report((high - start) * grid.n_gold)
        found = joined(parts)
        keep = found.scores >= grid.cutoff
        rows, columns, scores = found.rows[keep], found.columns[keep], found.scores[keep]
        order = np.lexsort((columns, rows))
        return PairList(rows[order], columns[order], scores[order])

    def best(self, best: Best, *, workers: int, report: Told, skip_self: bool) -> None:
        """Fill in the best of these rows."""
        grid = self.grid
        cutoff = grid.cutoff or TINY
        needs = self._needs(cutoff)
        given = np.arange(best.start, best.stop)
        rows, open_rows = given[needs[given] > 0], given[needs[given] <= 0]
        step = max(1, tiles.TILE // max(1, grid.n_gold))
        for low in range(0, len(rows), step):
            wanted = rows[low : low + step]
            pairs = self._nominated(wanted, cutoff, needs, workers)
            best_by_bounds(grid, wanted, *pairs, best, workers=workers, skip_self=skip_self)
            report((low + len(wanted)) * grid.n_gold)
        self.every_pair.best_of(open_rows, best, workers=workers, report=report, skip_self=skip_self)

    def _needs(self, cutoff: float) -> FloatArray:
        """The overlap that each prediction needs for a cutoff, float64[n_pred]; 0 in open rows."""
        lists = self.table.mine
        needs = self.grid.metric.needs(self.grid.pred, lists, cutoff)
        return np.where(lists.offsets[1:] > lists.offsets[:-1], needs, 0.0)

    def _nominated(
        self, rows: Int64Array, cutoff: float, needs: FloatArray, workers: int, half: bool = False
    ) -> tuple[Int64Array, Int64Array, FloatArray]:
        """Pairs of these rows that may reach a cutoff, with their bounds: all of them, but none of open rows."""
        rows = rows[needs[rows] > 0]
        cancel = np.zeros(1, np.uint8)
        found: dict[int, tuple[Int32Array, Int32Array, FloatArray]] = {}
        chunks = []
        for _, (a, b) in ranges(rows):
            chunks += [(low, min(low + SEARCH_ROWS, b)) for low in range(a, b, SEARCH_ROWS)]
        mine, theirs = self.table.mine, self.table.theirs

        def work(low: int, high: int) -> None:
            found[low] = self.table.index.candidates(
                mine.offsets,
                self.table.ids,
                mine.values,
                low,
                high,
                sizes=mine.sizes,
                corpus_sizes=theirs.sizes,
                measure=MEASURES[mine.measure],
                cutoff=cutoff,
                needs=needs,
                triangle=half,
                cancel=cancel,
            )

        threads.spread(work, chunks, len(rows), workers, cancel)
        if not found:
            return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
        parts = [found[low] for low, _ in chunks]
        i, j = (np.concatenate(column).astype(np.int64) for column in list(zip(*parts, strict=True))[:2])
        bounds = mine.bounds(theirs, i, j, np.concatenate([part[2] for part in parts]))
        return i, j, bounds
