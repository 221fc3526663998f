from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from fastmatch.metrics.feature_lists import KINDS, MEASURES

if TYPE_CHECKING:
    from fastmatch._ext.index.postings import FeatureIndex
    from fastmatch.metrics.feature_lists import FeatureLists
    from fastmatch.types import ByteArray, FloatArray, Int32Array, Int64Array

__all__ = ["SEARCH_ROWS", "TINY", "IndexedLists", "Queue", "by_row", "put_best", "stretches_of"]


#: Rows of a chunk of a search for candidates.
SEARCH_ROWS = 512


#: Stands for "any overlap at all" as a cutoff of bounds.
TINY = 1e-12


class IndexedLists:
    """Lists of both corpora, and the index of the second."""

    def __init__(self, mine: FeatureLists, theirs: FeatureLists) -> None:
        from fastmatch._ext.index.postings import feature_index

        self.mine, self.theirs = mine, theirs
        self.index: FeatureIndex = feature_index(theirs.offsets, theirs.keys, theirs.values, KINDS[theirs.kind])
        self.ids = self.index.own if mine is theirs else self.index.translate(mine.keys)

    def candidates(
        self, start: int, stop: int, cutoff: float, needs: FloatArray, triangle: bool, cancel: ByteArray
    ) -> tuple[Int32Array, Int32Array, FloatArray]:
        return self.index.candidates(
            self.mine.offsets,
            self.ids,
            self.mine.values,
            start,
            stop,
            sizes=self.mine.sizes,
            corpus_sizes=self.theirs.sizes,
            measure=MEASURES[self.mine.measure],
            cutoff=cutoff,
            needs=needs,
            triangle=triangle,
            cancel=cancel,
        )


class Queue:
    """The candidates of one row, the highest bound first; the best k so far say when it is done."""

    def __init__(self, row: int, columns: Int64Array, bounds: FloatArray, k: int, least: float) -> None:
        order = np.lexsort((columns, -bounds))
        self.row, self.columns, self.bounds = row, columns[order], bounds[order]
        self.values = np.empty(len(columns))
        self.n_scored, self.k, self.least = 0, k, least

    def next(self, size: int) -> Int64Array:
        """The next columns to score; they count as scored once :meth:`add` got their scores."""
        return self.columns[self.n_scored : min(self.n_scored + size, self._end())]

    def add(self, values: FloatArray) -> None:
        self.values[self.n_scored : self.n_scored + len(values)] = values
        self.n_scored += len(values)

    @property
    def open(self) -> bool:
        return self.n_scored < self._end()

    def _end(self) -> int:
        """How many candidates have a bound that the k-th best so far does not exceed."""
        least = self.least
        if self.n_scored >= self.k:
            done = self.values[: self.n_scored]
            least = max(least, float(np.partition(done, self.n_scored - self.k)[self.n_scored - self.k]))
        # bounds are floating-point numbers as well: a little below counts as equal
        return int(np.searchsorted(-self.bounds, -least * (1 - 1e-9) if least > 0 else np.inf, side="right"))


def put_best(indices: Int32Array, scores: FloatArray, columns: Int64Array, values: FloatArray, k: int) -> None:
    """Write the best k of one row: ``columns`` in any order, ties by index."""
    if len(columns) > k:
        least = np.partition(values, len(values) - k)[len(values) - k]
        above = values > least
        # those that share the last place may be nearly all (with a score of 0): they are not sorted, only counted off
        ties = np.sort(columns[values == least])[: k - np.count_nonzero(above)]
        columns = np.concatenate([columns[above], ties])
        values = np.concatenate([values[above], np.full(len(ties), least)])
    order = np.lexsort((columns, -values))[:k]
    indices[: len(order)], scores[: len(order)] = columns[order], values[order]


def stretches_of(rows: Int64Array) -> list[tuple[int, tuple[int, int]]]:
    """Ascending rows as stretches: (place of the first among ``rows``, (start, stop))."""
    if not len(rows):
        return []
    places = np.concatenate([[0], np.flatnonzero(np.diff(rows) != 1) + 1, [len(rows)]]).tolist()
    return [(a, (int(rows[a]), int(rows[b - 1]) + 1)) for a, b in pairwise(places)]


def by_row(
    wanted: Int64Array, rows: Int64Array, columns: Int64Array, values: FloatArray
) -> list[tuple[int, Int64Array, FloatArray]]:
    """(row, its columns, its values) for each wanted row; ``rows`` is ascending."""
    starts, stops = np.searchsorted(rows, wanted), np.searchsorted(rows, wanted, side="right")
    return [
        (row, columns[a:b], values[a:b])
        for row, a, b in zip(wanted.tolist(), starts.tolist(), stops.tolist(), strict=True)
    ]
