"""Blocks of a comparison of everything with everything: some rows (graphs of one corpus) against all of another corpus.

A block depends on nothing but the two prepared corpora and its range of rows, so blocks may be computed in any order,
in any process and more than once: by :func:`fastmatch.cdist` one after the other, by Dask
(:mod:`fastmatch.distributed`) on many machines. :class:`AllPairs` holds what all blocks share and is cheap to
pickle.

A block comes in three forms: a dense matrix, the list of pairs that reach a cutoff, the best k of each row. There are
three ways to them:

* through an inverted index, where scores are made of the overlaps of lists of features (:mod:`fastmatch.metrics.feature_lists`): sums
  over postings become scores row by row, in one kernel (:mod:`fastmatch._ext.index.rows`);
* every pair through ``Metric.score`` (:func:`fastmatch.runtime.threads.run`): any metric, alignments included;
* where a metric can say how high a score may be at most, by overlaps again, an index *nominates* pairs: those whose
  bound is not below what is asked for. Only they are scored, so results equal those of the second way to the last bit.

The search for the best k by bounds scores pairs in the order of their bounds until no bound is left that reaches the
k-th best score. Ties go to the lower index, and a tie may hide behind a bound that equals the k-th score, so such pairs
are scored as well.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fastmatch.allpairs.candidates import SEARCH_ROWS, TINY, IndexedLists, Queue, by_row, put_best, stretches_of
from fastmatch.allpairs.tiles import CANDIDATES, CHEAP_TILE, STRETCH, TILE, PairList, joined, mirror, silent
from fastmatch.metrics.run import run
from fastmatch.runtime import threads

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from fastmatch._ext.index.rows import RowScorer
    from fastmatch.metrics.base import Metric
    from fastmatch.types import ByteArray, FloatArray, Int32Array, Int64Array

    Report = Callable[[int], object]

__all__ = ["AllPairs", "PairList"]


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
    """

    def __init__(
        self, metric: Metric, pred: Any, gold: Any, n_pred: int, n_gold: int, cutoff: float | None = None
    ) -> None:
        self.metric, self.pred, self.gold = metric.reaching(cutoff) if cutoff else metric, pred, gold
        self.n_pred, self.n_gold = n_pred, n_gold
        self.cutoff = cutoff or None

    @property
    def same(self) -> bool:
        """A corpus against itself."""
        return self.pred is self.gold

    @property
    def half(self) -> bool:
        """The lower triangle follows from the upper one."""
        return self.same and self.metric.symmetric

    @property
    def skips(self) -> bool:
        """There is a cutoff, and a way to find the pairs that reach it without looking at all."""
        return self.cutoff is not None and (self.indexed or self._filter is not None)

    @property
    def indexed(self) -> bool:
        """Scores are made of sums over an index: mirroring half of a matrix costs more than computing it."""
        return self._rows is not None

    def __getstate__(self) -> dict[str, Any]:
        # indexes are made again where they are needed: that is cheaper than sending them
        names = ("metric", "pred", "gold", "n_pred", "n_gold", "cutoff")
        return {name: self.__dict__[name] for name in names}

    # ---------------------------------------------------------------- forms of a block

    def dense(
        self,
        start: int,
        stop: int,
        out: NDArray[Any],
        *,
        workers: int = 1,
        report: Report = silent,
        half: bool = False,
    ) -> None:
        """Fill ``out``, of any float type and shape (stop − start, n_gold), with the rows ``start`` … ``stop − 1``.

        With ``half`` the columns before ``start`` are left alone and the rest of the lower triangle is filled in from
        the upper one. ``report`` is told the number of cells done.
        """
        first = start if half else 0
        if self._rows is not None:
            self._dense_rows(self._rows, start, stop, out, workers, report, half)
        elif self.skips:
            out[:, first:] = 0
            found = self.listed(start, stop, workers=workers, half=half)
            out[found.rows - start, found.columns] = found.scores
        else:
            self._dense_pairs(start, stop, out, workers, report, half)
        if half:
            mirror(out[:, start:stop])
        report((stop - start) * (self.n_gold - first))

    def scattered(
        self,
        start: int,
        stop: int,
        out: NDArray[Any],
        *,
        workers: int = 1,
        report: Report = silent,
        half: bool = False,
    ) -> None:
        """Write the scores of these rows that reach the cutoff into ``out``, shape (n_pred, n_gold), elsewhere 0.

        Memory that was never written need not be touched where nothing is found. With ``half`` only columns from the
        row on are looked at, and the mirror image is written as well.
        """
        for low, high in self._stretches(start, stop):

            def tell(done: int, before: int = (low - start) * self.n_gold) -> None:
                report(before + done)

            found = self.listed(low, high, workers=workers, report=tell, half=half)
            out[found.rows, found.columns] = found.scores
            if half:
                out[found.columns, found.rows] = found.scores

    def listed(
        self, start: int, stop: int, *, workers: int = 1, report: Report = silent, half: bool = False
    ) -> PairList:
        """The pairs of these rows that score more than 0 and reach the cutoff; with ``half`` only column ≥ row."""
        if self._rows is not None:
            return self._listed_rows(self._rows, start, stop, workers, report, half)
        if self.cutoff is None or not self.skips:
            return self._listed_dense(start, stop, workers, report, half)
        parts = []
        for low, high in self._stretches(start, stop):
            given = np.arange(low, high)
            rows, columns, _ = self._nominate(given, self.cutoff, workers, half)
            parts.append(PairList(rows, columns, self._score(rows, columns, workers)))
            parts += self._whole_rows(self._open_rows(given, self.cutoff), workers, half)
            report((high - start) * self.n_gold)
        found = joined(parts)
        keep = found.scores >= self.cutoff
        rows, columns, scores = found.rows[keep], found.columns[keep], found.scores[keep]
        order = np.lexsort((columns, rows))
        return PairList(rows[order], columns[order], scores[order])

    def _stretches(self, start: int, stop: int) -> list[tuple[int, int]]:
        """Rows in stretches of which all pairs could be candidates without filling the memory."""
        step = max(1, CANDIDATES // max(1, self.n_gold))
        return [(low, min(low + step, stop)) for low in range(start, stop, step)]

    def best(
        self,
        start: int,
        stop: int,
        k: int,
        *,
        workers: int = 1,
        report: Report = silent,
        skip_self: bool = False,
    ) -> tuple[Int32Array, FloatArray]:
        """The best ``k`` of each of these rows, best first, ties by index.

        Returns
        -------
        indices : int32[stop − start, k]
            −1 where a row has fewer than ``k`` pairs (that reach the cutoff).
        scores : float64[stop − start, k]
            0 there.
        """
        indices = np.full((stop - start, k), -1, np.int32)
        scores = np.zeros((stop - start, k))
        if self._rows is not None:
            self._best_rows(self._rows, start, stop, workers, report, skip_self, indices, scores)
            return indices, scores
        for low, high in self._stretches(start, stop):
            part = slice(low - start, high - start)

            def tell(done: int, before: int = (low - start) * self.n_gold) -> None:
                report(before + done)

            self._best(low, high, k, workers, tell, skip_self, indices[part], scores[part])
        return indices, scores

    def _best(
        self,
        start: int,
        stop: int,
        k: int,
        workers: int,
        report: Report,
        skip_self: bool,
        indices: Int32Array,
        scores: FloatArray,
    ) -> None:
        from fastmatch._ext.index.postings import best_of_rows

        pending = np.arange(start, stop)
        if k and self.n_gold and self._filter is not None:
            pending = self._best_by_bound(pending, k, workers, skip_self, indices, scores, start, report)
        elif k and self.n_gold and self.metric.reaching(np.inf) is not self.metric:
            pending = self._best_of_bounded(pending, k, workers, skip_self, indices, scores, start, report)
        report((stop - start - len(pending)) * self.n_gold)
        done, step = stop - start - len(pending), max(1, TILE // max(1, self.n_gold))
        for low in range(0, len(pending), step):
            rows = pending[low : low + step]
            block = np.empty((len(rows), self.n_gold))
            for place, (a, b) in stretches_of(rows):
                self.dense(a, b, block[place : place + b - a], workers=workers)
            found, values = np.empty((len(rows), k), np.int32), np.empty((len(rows), k))
            skip = rows if skip_self else np.full(len(rows), -1)
            best_of_rows(block, cutoff=self.cutoff or 0.0, skip=skip, indices=found, values=values)
            indices[rows - start], scores[rows - start] = found, values
            done += len(rows)
            report(done * self.n_gold)

    # ---------------------------------------------------------------- single pairs

    def _score(self, rows: Int64Array, columns: Int64Array, workers: int) -> FloatArray:
        """Headline scores of these pairs, in tiles, so that their statistics are never all there at once."""
        parts = [np.empty(0)]
        for low in range(0, len(rows), TILE):
            i, j = rows[low : low + TILE].astype(np.int32), columns[low : low + TILE].astype(np.int32)
            parts.append(run(self.metric, self.pred, self.gold, i, j, workers=workers).score)
        return np.concatenate(parts)

    # ---------------------------------------------------------------- dense

    def _dense_pairs(self, start: int, stop: int, out: NDArray[Any], workers: int, report: Report, half: bool) -> None:
        first = start if half else 0
        width = max(1, self.n_gold - first)
        cancel = np.zeros(1, np.uint8)

        def tile(low: int, high: int) -> tuple[Int32Array, Int32Array]:
            rows = np.repeat(np.arange(low, high, dtype=np.int32), self.n_gold - first)
            columns = np.tile(np.arange(first, self.n_gold, dtype=np.int32), high - low)
            keep = columns >= rows if half else slice(None)
            return rows[keep], columns[keep]

        if self._cheap:
            # listing pairs and sharing them out costs as much as scoring them does: threads do that as well

            def work(low: int, high: int) -> None:
                self._score_into(out, start, *tile(low, high), cancel)

            step = max(1, CHEAP_TILE // width)
            chunks = [(low, min(low + step, stop)) for low in range(start, stop, step)]
            threads.spread(work, chunks, stop - start, workers, cancel, lambda done, total: report(done * width))
            return
        step = max(1, TILE // width)
        for low in range(start, stop, step):
            rows, columns = tile(low, min(low + step, stop))
            before, cells = (low - start) * width, (min(low + step, stop) - low) * width / max(1, len(rows))

            def part(a: int, b: int, rows: Int32Array = rows, columns: Int32Array = columns) -> None:
                self._score_into(out, start, rows[a:b], columns[a:b], cancel)

            def tell(done: int, total: int, before: int = before, cells: float = cells) -> None:
                report(before + int(done * cells))

            chunks = threads.plan(self.metric.costs(self.pred, self.gold, rows, columns), workers)
            threads.spread(part, chunks, len(rows), workers, cancel, tell)

    @cached_property
    def _cheap(self) -> bool:
        """Most pairs cost less than a microsecond: asked of some of them."""
        if not (self.n_pred and self.n_gold):
            return True
        places = np.random.default_rng(0).integers(0, [[self.n_pred], [self.n_gold]], (2, 1024)).astype(np.int32)
        return bool(self.metric.costs(self.pred, self.gold, *places).mean() < 1e-6)

    def _score_into(
        self, out: NDArray[Any], start: int, rows: Int32Array, columns: Int32Array, cancel: ByteArray
    ) -> None:
        """Score pairs and write what reaches the cutoff to its place in the rows from ``start`` on."""
        result = self.metric.empty(self.pred, self.gold, rows, columns, False)
        self.metric.score(self.pred, self.gold, rows, columns, 0, len(rows), result, cancel)
        scores = result.score
        if self.cutoff is not None:
            scores = np.where(scores < self.cutoff, 0, scores)
        out[rows - start, columns] = scores

    def _listed_dense(self, start: int, stop: int, workers: int, report: Report, half: bool) -> PairList:
        parts = []
        step = max(1, TILE // max(1, self.n_gold))
        for low in range(start, stop, step):
            high = min(low + step, stop)
            block = np.zeros((high - low, self.n_gold))
            self.dense(low, high, block, workers=workers, half=half)
            if half:
                block = np.triu(block, low)
            rows, columns = np.nonzero(block)
            parts.append(PairList(rows + low, columns, block[rows, columns]))
            report((high - start) * self.n_gold)
        return joined(parts)

    # ---------------------------------------------------------------- scores from an inverted index

    def make_indexes(self, *, bounds: bool) -> None:
        """Make the indexes now, as otherwise the first block does: before threads do it side by side.

        ``bounds``: also that of the lists that bound the scores.
        """
        _ = self._rows, self._filter if bounds else None

    @cached_property
    def _rows(self) -> RowScorer | None:
        """Indexes of the lists that make the scores; None if scores are made of something else."""
        mine = self.metric.overlaps(self.pred)
        scorer = self.metric.overlap_scorer(self.pred, self.gold) if mine else None
        if scorer is None:
            return None
        from fastmatch._ext.index.rows import RowScorer

        theirs = mine if self.same else self.metric.overlaps(self.gold)
        tables = [IndexedLists(a, b) for a, b in zip(mine, theirs, strict=True)]
        lists = tuple((table.mine.offsets, table.ids, table.mine.values) for table in tables)
        return RowScorer(tuple(table.index for table in tables), lists, scorer)

    def _spread_rows(
        self, work: Callable[[int, int, ByteArray], None], start: int, stop: int, workers: int, report: Report
    ) -> None:
        """Do ``work(low, high, cancel)`` for stretches of these rows, in threads."""
        cancel = np.zeros(1, np.uint8)
        step = min(STRETCH // max(1, self.n_gold), (stop - start) // (threads.CHUNKS_PER_WORKER * workers))
        step = max(1, step)
        chunks = [(low, min(low + step, stop)) for low in range(start, stop, step)]

        def tell(rows: int, total: int) -> None:
            report(rows * self.n_gold)

        threads.spread(lambda low, high: work(low, high, cancel), chunks, stop - start, workers, cancel, tell)

    def _dense_rows(
        self, rows: RowScorer, start: int, stop: int, out: NDArray[Any], workers: int, report: Report, half: bool
    ) -> None:
        from fastmatch._ext.index.rows import score_rows

        first = start if half else 0
        direct = out.dtype in (np.float32, np.float64) and out.dtype.isnative and out.flags.c_contiguous

        def work(low: int, high: int, cancel: ByteArray) -> None:
            block = out[low - start : high - start]
            target = block if direct else np.empty(block.shape)
            score_rows(rows, low, high, target, first=first, cutoff=self.cutoff or 0.0, cancel=cancel)
            if not direct:
                block[:, first:] = target[:, first:]

        self._spread_rows(work, start, stop, workers, report)

    def _listed_rows(
        self, rows: RowScorer, start: int, stop: int, workers: int, report: Report, half: bool
    ) -> PairList:
        from fastmatch._ext.index.rows import find_rows

        found: dict[int, tuple[Int32Array, Int32Array, FloatArray]] = {}

        def work(low: int, high: int, cancel: ByteArray) -> None:
            found[low] = find_rows(rows, low, high, triangle=half, cutoff=self.cutoff or 0.0, cancel=cancel)

        self._spread_rows(work, start, stop, workers, report)
        parts = [found[low] for low in sorted(found)]
        return joined([PairList(i.astype(np.int64), j.astype(np.int64), scores) for i, j, scores in parts])

    def _best_rows(
        self,
        rows: RowScorer,
        start: int,
        stop: int,
        workers: int,
        report: Report,
        skip_self: bool,
        indices: Int32Array,
        scores: FloatArray,
    ) -> None:
        from fastmatch._ext.index.rows import best_rows

        def work(low: int, high: int, cancel: ByteArray) -> None:
            best_rows(
                rows,
                low,
                high,
                cutoff=self.cutoff or 0.0,
                skip_self=skip_self,
                indices=indices[low - start : high - start],
                values=scores[low - start : high - start],
                cancel=cancel,
            )

        self._spread_rows(work, start, stop, workers, report)

    # ---------------------------------------------------------------- bounds from an inverted index

    @cached_property
    def _filter(self) -> IndexedLists | None:
        """Index of the lists that bound the scores."""
        mine = self.metric.filter(self.pred)
        if mine is None:
            return None
        theirs = mine if self.same else self.metric.filter(self.gold)
        assert theirs is not None
        return IndexedLists(mine, theirs)

    def _nominate(
        self, rows: Int64Array, cutoff: float, workers: int, half: bool = False
    ) -> tuple[Int64Array, Int64Array, FloatArray]:
        """Pairs of these rows that may reach a cutoff, with their bounds; none that reaches it is missing.

        Rows of which the lists say nothing have no candidates: see :meth:`_open_rows`.
        """
        table = self._filter
        assert table is not None
        needs = self._needs(cutoff)
        rows = rows[needs[rows] > 0]
        cancel = np.zeros(1, np.uint8)
        found: dict[int, tuple[Int32Array, Int32Array, FloatArray]] = {}
        chunks = []
        for _, (a, b) in stretches_of(rows):
            chunks += [(low, min(low + SEARCH_ROWS, b)) for low in range(a, b, SEARCH_ROWS)]

        def work(low: int, high: int) -> None:
            found[low] = table.candidates(low, high, cutoff, needs, half, cancel)

        threads.spread(work, chunks, len(rows), workers, cancel)
        if not found:
            return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
        parts = [found[low] for low, _ in chunks]
        i, j = (np.concatenate(column).astype(np.int64) for column in list(zip(*parts, strict=True))[:2])
        bounds = table.mine.bounds(table.theirs, i, j, np.concatenate([part[2] for part in parts]))
        return i, j, bounds

    def _needs(self, cutoff: float) -> FloatArray:
        """The overlap that each row needs for a cutoff; 0 where its list says nothing, or is empty."""
        assert self._filter is not None
        lists = self._filter.mine
        needs = self.metric.needs(self.pred, lists, cutoff)
        return np.where(lists.offsets[1:] > lists.offsets[:-1], needs, 0.0)

    def _whole_rows(self, given: Int64Array, workers: int, half: bool) -> list[PairList]:
        """All pairs of these rows, scored; those that score 0 may be left out."""
        rows, columns = np.repeat(given, self.n_gold), np.tile(np.arange(self.n_gold), len(given))
        keep = columns >= rows if half else slice(None)
        rows, columns = rows[keep], columns[keep]
        return [PairList(rows, columns, self._score(rows, columns, workers))]

    def _open_rows(self, rows: Int64Array, cutoff: float) -> Int64Array:
        """Those of the rows of which an index says nothing: any pair of them may reach the cutoff."""
        return np.asarray(rows[self._needs(cutoff)[rows] <= 0])

    # ---------------------------------------------------------------- the best k

    def _best_by_bound(
        self,
        rows: Int64Array,
        k: int,
        workers: int,
        skip_self: bool,
        indices: Int32Array,
        scores: FloatArray,
        start: int,
        report: Report,
    ) -> Int64Array:
        """Pairs in the order of their bounds, until none is left that reaches the k-th best; returns open rows."""
        whole = self._open_rows(rows, self.cutoff or TINY)
        rows = np.setdiff1d(rows, whole)
        least = self.cutoff or 0.0
        step = max(1, TILE // max(1, self.n_gold))
        for low in range(0, len(rows), step):
            tile = rows[low : low + step]
            i, j, bounds = self._nominate(tile, self.cutoff or TINY, workers)
            if skip_self:
                i, j, bounds = i[i != j], j[i != j], bounds[i != j]
            queues = [Queue(*entry, k, least) for entry in by_row(tile, i, j, bounds)]
            self._exhaust(queues, k, workers)
            for queue in queues:
                columns, line = queue.columns[: queue.n_scored], queue.values[: queue.n_scored]
                keep = line >= least
                columns, line = columns[keep], line[keep]
                if self.cutoff is None and np.count_nonzero(line) < k:  # pairs that share nothing score 0
                    rest = np.setdiff1d(np.arange(min(self.n_gold, 2 * k + len(queue.columns) + 1)), queue.columns)
                    rest = rest[rest != queue.row] if skip_self else rest
                    columns, line = np.concatenate([columns, rest]), np.concatenate([line, np.zeros(len(rest))])
                put_best(indices[queue.row - start], scores[queue.row - start], columns, line, k)
            report((low + len(tile)) * self.n_gold)
        return whole

    def _exhaust(self, queues: list[Queue], size: int, workers: int) -> None:
        """Score of each queue ``size`` pairs, then twice as many, until none is open."""
        waiting = [queue for queue in queues if queue.open]
        while waiting:
            batches = [queue.next(size) for queue in waiting]
            i = np.repeat([queue.row for queue in waiting], [len(batch) for batch in batches])
            values = self._score(i, np.concatenate(batches), workers)
            stops = np.cumsum([len(batch) for batch in batches])
            for queue, part in zip(waiting, np.split(values, stops[:-1]), strict=True):
                queue.add(part)
            waiting = [queue for queue in waiting if queue.open]
            size *= 2

    def _best_of_bounded(
        self,
        rows: Int64Array,
        k: int,
        workers: int,
        skip_self: bool,
        indices: Int32Array,
        scores: FloatArray,
        start: int,
        report: Report,
    ) -> Int64Array:
        """Of metrics that have a bound for each pair: all bounds first, then pairs in their order."""
        least = self.cutoff or 0.0
        bounding = self.metric.reaching(np.inf)
        step = max(1, TILE // self.n_gold)
        for low in range(0, len(rows), step):
            tile = rows[low : low + step]
            i, j = np.repeat(tile, self.n_gold), np.tile(np.arange(self.n_gold), len(tile))
            if skip_self:
                i, j = i[i != j], j[i != j]
            pairs = i.astype(np.int32), j.astype(np.int32)
            bounds = run(bounding, self.pred, self.gold, *pairs, workers=workers).score
            queues = [Queue(*entry, k, least) for entry in by_row(tile, i, j, bounds)]
            self._exhaust(queues, k, workers)
            for queue in queues:
                columns, line = queue.columns[: queue.n_scored], queue.values[: queue.n_scored]
                keep = line >= least
                put_best(indices[queue.row - start], scores[queue.row - start], columns[keep], line[keep], k)
            report((low + len(tile)) * self.n_gold)
        return rows[:0]
