"""Blocks from an inverted index, where scores are made of the overlaps of lists of features.

Sums over postings become scores row by row, in one kernel (:mod:`fastmatch._ext.index.rows`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.index.formulas import OverlapScorer
from fastmatch._ext.index.postings import FeatureIndex, feature_index
from fastmatch._ext.index.rows import best_rows, find_rows, score_rows
from fastmatch._ext.index.slots import RowScorer
from fastmatch.allpairs import tiles
from fastmatch.allpairs.tiles import Best, Grid, PairList, Told, joined
from fastmatch.metrics.feature_lists import KINDS, FeatureLists
from fastmatch.runtime import threads
from fastmatch.types import ByteArray, FloatArray, Int32Array

#: Bytes of a matrix that a cache may hold until it is read, at most.
CACHE = 1 << 25


class IndexedLists:
    """Lists of features of both corpora, and the inverted index of the second."""

    def __init__(self, mine: FeatureLists, theirs: FeatureLists, *, postings: bool = True) -> None:
        self.mine, self.theirs = mine, theirs
        kind = KINDS[theirs.kind]
        self.index: FeatureIndex = feature_index(theirs.offsets, theirs.keys, theirs.values, kind, postings=postings)
        self.ids = self.index.own if mine is theirs else self.index.translate(mine.keys)


class IndexedRows:
    """The way to a block through an inverted index.

    There is one for whole rows, whose columns stand as they are, and one for what is sought in rows, whose columns
    stand by size; each is made when it is first asked for.
    """

    def __init__(self, grid: Grid, tables: list[IndexedLists], scorer: OverlapScorer) -> None:
        self.grid, self.tables, self.scorer = grid, tables, scorer
        self._making = threading.Lock()
        self._made: dict[bool, RowScorer] = {}

    @classmethod
    def of(cls, grid: Grid) -> IndexedRows | None:
        """With indexes of the lists that make the scores; None if scores are made of something else."""
        mine = grid.metric.overlaps(grid.pred)
        scorer = grid.metric.overlap_scorer(grid.pred, grid.gold) if mine else None
        if scorer is None:
            return None
        theirs = mine if grid.same else grid.metric.overlaps(grid.gold)
        return cls(grid, [IndexedLists(a, b, postings=False) for a, b in zip(mine, theirs, strict=True)], scorer)

    def _rows(self, *, by_size: bool) -> RowScorer:
        with self._making:  # threads may ask side by side
            if by_size not in self._made:
                lists = tuple((table.mine.offsets, table.ids, table.mine.values) for table in self.tables)
                indexes = tuple(table.index for table in self.tables)
                self._made[by_size] = RowScorer(indexes, lists, self.scorer, by_size, tiles.SUMMED)
            return self._made[by_size]

    def dense(self, start: int, stop: int, out: NDArray[Any], *, workers: int, report: Told, half: bool) -> None:
        """Fill ``out`` with these rows; with ``half`` columns before ``start`` are left alone."""
        rows = self._rows(by_size=False)
        first = start if half else 0
        direct = out.dtype in (np.float32, np.float64) and out.dtype.isnative and out.flags.c_contiguous

        def work(low: int, high: int, cancel: ByteArray) -> None:
            block = out[low - start : high - start]
            target = block if direct else np.empty(block.shape)
            score_rows(
                rows,
                low,
                high,
                target,
                first=first,
                cutoff=self.grid.cutoff or 0.0,
                streams=direct and out.nbytes > CACHE,
                cancel=cancel,
            )
            if not direct:
                block[:, first:] = target[:, first:]

        self._spread(work, start, stop, workers, report, tiles.STRETCH)

    def listed(self, start: int, stop: int, *, workers: int, report: Told, half: bool) -> PairList:
        """The pairs of these rows that score more than 0 and reach the cutoff; with ``half`` only column ≥ row."""
        found: dict[int, tuple[Int32Array, Int32Array, FloatArray]] = {}
        rows = self._rows(by_size=self.grid.cutoff is not None)

        def work(low: int, high: int, cancel: ByteArray) -> None:
            cutoff = self.grid.cutoff or 0.0
            found[low] = find_rows(rows, low, high, triangle=half, cutoff=cutoff, cancel=cancel)

        self._spread(work, start, stop, workers, report, tiles.CANDIDATES)
        parts = [found[low] for low in sorted(found)]
        return joined([PairList(i.astype(np.int64), j.astype(np.int64), scores) for i, j, scores in parts])

    def best(self, best: Best, *, workers: int, report: Told, skip_self: bool) -> None:
        """Fill in the best of these rows."""
        rows = self._rows(by_size=True)

        def work(low: int, high: int, cancel: ByteArray) -> None:
            part = best.part(low, high)
            best_rows(
                rows,
                low,
                high,
                cutoff=self.grid.cutoff or 0.0,
                skip_self=skip_self,
                indices=part.indices,
                values=part.scores,
                cancel=cancel,
            )

        self._spread(work, best.start, best.stop, workers, report, tiles.STRETCH)

    def _spread(
        self, work: Callable[[int, int, ByteArray], None], start: int, stop: int, workers: int, report: Told, cells: int
    ) -> None:
        """Do ``work(low, high, cancel)`` for ranges of these rows, of so many cells at most, in threads."""
        n_gold = self.grid.n_gold
        cancel = np.zeros(1, np.uint8)
        # rows that go through the tiles together share what is in the cache; only threads need shorter stretches
        step = cells // max(1, n_gold)
        if workers > 1:
            step = min(step, (stop - start) // (threads.CHUNKS_PER_WORKER * workers))
        step = max(1, step, min(tiles.TOGETHER, (stop - start) // workers))
        chunks = [(low, min(low + step, stop)) for low in range(start, stop, step)]

        def tell(rows: int, total: int) -> None:
            report(rows * n_gold)

        threads.spread(lambda low, high: work(low, high, cancel), chunks, stop - start, workers, cancel, tell)
