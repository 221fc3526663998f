"""Blocks of a comparison of everything with everything: some rows (graphs of one corpus) against all of another corpus.

A block depends on nothing but the two prepared corpora and its range of rows, so blocks may be computed in any order,
in any process and more than once: by :func:`fastmatch.cdist` one after the other, by Dask
(:mod:`fastmatch.distributed`) on many machines. :class:`AllPairs` holds what all blocks share and is cheap to pickle.

A block comes in three forms: a dense matrix, the list of pairs that reach a cutoff, the best k of each row. There are
three ways to each of them, and all give the same numbers, to the last bit:

* through an inverted index, where scores are made of overlaps (:class:`IndexedRows`);
* by scoring every pair (:class:`EveryPair`);
* by scoring the candidates that bounds of whole rows nominate, where a cutoff or k is given and the metric has such
  bounds (:mod:`fastmatch.allpairs.candidates`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.index.formulas import OverlapScorer
from fastmatch._ext.index.lists import best_of_rows
from fastmatch._ext.index.rows import best_rows, find_rows, score_rows
from fastmatch._ext.index.slots import RowScorer
from fastmatch.allpairs import tiles
from fastmatch.allpairs.candidates import Candidates
from fastmatch.allpairs.tiles import Best, Grid, PairList, Told, joined, mirror, silent
from fastmatch.metrics.base import Metric
from fastmatch.metrics.contract.metric import Indexed
from fastmatch.metrics.contract.required import PairRange
from fastmatch.metrics.row_bounds import SharedSums
from fastmatch.metrics.run import refuse_nan
from fastmatch.runtime import threads
from fastmatch.runtime.cached import cached_property
from fastmatch.types import ByteArray, FloatArray, Int32Array

#: Bytes of a matrix that a cache may hold until it is read, at most.
CACHE = 1 << 25


class IndexedRows:
    """The way to a block through an inverted index.

    There is one for whole rows, whose columns stand as they are, and one for what is sought in rows, whose columns
    stand by size; each is made when it is first asked for.
    """

    def __init__(self, grid: Grid, tables: list[SharedSums], scorer: OverlapScorer) -> None:
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
        return cls(grid, [SharedSums(a, b) for a, b in zip(mine, theirs, strict=True)], scorer)

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
        cutoff, streams = self.grid.cutoff or 0.0, direct and out.nbytes > CACHE

        def work(low: int, high: int, cancel: ByteArray) -> None:
            block = out[low - start : high - start]
            target = block if direct else np.empty(block.shape)
            score_rows(rows, low, high, target, first=first, cutoff=cutoff, streams=streams, cancel=cancel)
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
        rows, cutoff = self._rows(by_size=True), self.grid.cutoff or 0.0

        def work(low: int, high: int, cancel: ByteArray) -> None:
            part = best.part(low, high)
            indices, values = part.indices, part.scores
            best_rows(
                rows, low, high, cutoff=cutoff, skip_self=skip_self, indices=indices, values=values, cancel=cancel
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


class AllPairs:
    """Two corpora that are to be compared, each graph with each.

    Parameters
    ----------
    metric : Metric
    pred, gold
        What ``metric.prepare`` made of the corpora; the same object if a corpus is compared with itself.
    n_pred, n_gold : int
        Numbers of graphs.
    cutoff : float or None
        Scores below it count as 0 (and are absent from lists); a score that equals it is kept. None or 0: all are kept.

    Attributes
    ----------
    grid : Grid
        All of these; its metric leaves out work below the cutoff.
    """

    def __init__(
        self, metric: Metric, pred: Any, gold: Any, n_pred: int, n_gold: int, cutoff: float | None = None
    ) -> None:
        self.grid = Grid(metric.reaching(cutoff) if cutoff else metric, pred, gold, n_pred, n_gold, cutoff or None)

    def __getstate__(self) -> dict[str, Any]:
        # indexes are made again where they are needed: that is cheaper than sending them
        return {"grid": self.grid}

    @property
    def half(self) -> bool:
        """The lower triangle follows from the upper one."""
        return self.grid.same and self.grid.metric.symmetric

    @property
    def indexed(self) -> bool:
        """Scores are made of sums over an index, which need not be made to say so.

        Mirroring half of a matrix then costs more than computing it.
        """
        grid = self.grid
        listed = type(grid.metric).overlaps is not Indexed.overlaps
        return listed and grid.metric.overlap_scorer(grid.pred, grid.gold) is not None

    @property
    def bounded(self) -> bool:
        """Where the best k are wanted, bounds of whole rows leave few pairs to be scored."""
        return not self.indexed and self._candidates is not None

    @property
    def skips(self) -> bool:
        """There is a cutoff, and a way to find the pairs that reach it without looking at all."""
        return self.grid.cutoff is not None and (self.indexed or self._candidates is not None)

    def make_indexes(self, *, bounds: bool) -> None:
        """Make the indexes now, as otherwise the first block does: before threads do it side by side.

        ``bounds``: also what bounds the scores.
        """
        _ = self._indexed or (self._candidates if bounds else None)

    # ---------------------------------------------------------------- forms of a block

    def dense(
        self, start: int, stop: int, out: NDArray[Any], *, workers: int = 1, report: Told = silent, half: bool = False
    ) -> None:
        """Fill ``out``, of any float type and shape (stop − start, n_gold), with the rows ``start`` … ``stop − 1``.

        With ``half`` the columns before ``start`` are left alone and the rest of the lower triangle is filled in from
        the upper one. ``report`` is told the number of cells done.
        """
        self._way.dense(start, stop, out, workers=workers, report=report, half=half)
        if half:
            mirror(out[:, start:stop])
        report((stop - start) * (self.grid.n_gold - (start if half else 0)))

    def scattered(
        self, start: int, stop: int, out: NDArray[Any], *, workers: int = 1, report: Told = silent, half: bool = False
    ) -> None:
        """Write the scores of these rows that reach the cutoff into ``out``, shape (n_pred, n_gold), elsewhere 0.

        Memory that was never written need not be touched where nothing is found. With ``half`` only columns from the
        row on are looked at, and the mirror image is written as well.
        """
        for low, high in self.grid.stretches(start, stop, tiles.CANDIDATES):

            def tell(done: int, before: int = (low - start) * self.grid.n_gold) -> None:
                report(before + done)

            found = self.listed(low, high, workers=workers, report=tell, half=half)
            out[found.rows, found.columns] = found.scores
            if half:
                out[found.columns, found.rows] = found.scores

    def listed(self, start: int, stop: int, *, workers: int = 1, report: Told = silent, half: bool = False) -> PairList:
        """The pairs of these rows that score more than 0 and reach the cutoff; with ``half`` only column ≥ row."""
        return self._way.listed(start, stop, workers=workers, report=report, half=half)

    def best(
        self, start: int, stop: int, k: int, *, workers: int = 1, report: Told = silent, skip_self: bool = False
    ) -> tuple[Int32Array, FloatArray]:
        """The best ``k`` of each of these rows, best first, ties by index.

        Returns
        -------
        indices : int32[stop − start, k]
            −1 where a row has fewer than ``k`` pairs (that reach the cutoff).
        scores : float64[stop − start, k]
            0 there.
        """
        best = Best.none_yet(start, stop, k)
        way = self._indexed or (self._candidates if self.grid.n_gold else None) or self._every_pair
        way.best(best, workers=workers, report=report, skip_self=skip_self)
        return best.indices, best.scores

    # ---------------------------------------------------------------- ways to a block

    @property
    def _way(self) -> IndexedRows | EveryPair | Candidates:
        """The way to scores, and to what reaches the cutoff."""
        # without a cutoff every pair is asked for
        return self._indexed or (self._candidates if self.grid.cutoff is not None else None) or self._every_pair

    @cached_property
    def _indexed(self) -> IndexedRows | None:
        return IndexedRows.of(self.grid)

    @cached_property
    def _every_pair(self) -> EveryPair:
        return EveryPair(self.grid)

    @cached_property
    def _candidates(self) -> Candidates | None:
        return Candidates.of(self.grid)
