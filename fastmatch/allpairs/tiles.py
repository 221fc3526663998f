"""Lists of pairs, scored in tiles, and what all ways to a block share: the grid of pairs and the forms of results.

A *tile* is as many pairs as are listed and scored at a time, so that memory has a bound whatever the corpora's sizes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastmatch.metrics.base import Metric
from fastmatch.metrics.run import run
from fastmatch.types import FloatArray, Int32Array, Int64Array

#: Is told how many cells are done: :class:`fastmatch.runtime.progress.Report`, :func:`silent`.
Told = Callable[[int], object]

#: Pairs that are listed at a time: some 60 bytes each while they are scored.
TILE = 1 << 19

#: The same, where a pair costs next to nothing: what fits the cache.
CHEAP_TILE = 1 << 15

#: Cells of rows that one thread takes from an index at a time, at most, if there are more than :data:`TOGETHER` rows.
#: Where pairs are listed they are :data:`CANDIDATES`.
STRETCH = 1 << 27

#: Rows that one thread takes from an index at a time, at least.
TOGETHER = 256

#: Graphs of a corpus whose overlaps with one graph are summed up at a time: what fits the cache.
SUMMED = 8192

#: Pairs of which all could be candidates: some 60 bytes each, in the worst case.
CANDIDATES = 1 << 23


class PairList(NamedTuple):
    """Scored pairs: int64[n], int64[n], float64[n]."""

    rows: Int64Array
    columns: Int64Array
    scores: FloatArray


@dataclass(frozen=True, eq=False)
class Grid:
    """All pairs of two prepared corpora: a row for each prediction, a column for each gold graph.

    Attributes
    ----------
    metric : Metric
    pred, gold
        What ``metric.prepare`` made of the corpora; the same object if a corpus is compared with itself.
    n_pred, n_gold : int
        Numbers of graphs.
    cutoff : float or None
        Lower scores count as 0, and are absent from lists.
    """

    metric: Metric
    pred: Any
    gold: Any
    n_pred: int
    n_gold: int
    cutoff: float | None = None

    @property
    def same(self) -> bool:
        """A corpus against itself."""
        return self.pred is self.gold

    def stretches(self, start: int, stop: int, cells: int) -> list[tuple[int, int]]:
        """The rows ``start`` … ``stop − 1`` as ranges of at most so many cells (but at least one row)."""
        step = max(1, cells // max(1, self.n_gold))
        return [(low, min(low + step, stop)) for low in range(start, stop, step)]

    def scores(
        self, rows: Int64Array, columns: Int64Array, workers: int, reaching: FloatArray | None = None
    ) -> FloatArray:
        """Headline scores of these pairs, float64[n]. Statistics are there of one tile at a time.

        Scores below ``reaching``, one number a pair, need not be exact, if all of them are above 0.
        """
        parts = [np.empty(0)]
        for low in range(0, len(rows), TILE):
            i, j = rows[low : low + TILE].astype(np.int32), columns[low : low + TILE].astype(np.int32)
            least = None if reaching is None else reaching[low : low + TILE]
            metric = self.metric if least is None or least.min() <= 0 else self.metric.reaching(least)
            parts.append(run(metric, self.pred, self.gold, i, j, workers=workers).score)
        return np.concatenate(parts)


class Best:
    """The best k pairs of each of some rows, best first, ties by column; to be filled.

    Parameters
    ----------
    start : int
        The first row.
    indices : int32[n_rows, k]
        Columns; −1 where there is none (any more).
    scores : float64[n_rows, k]
        0 there.
    """

    def __init__(self, start: int, indices: Int32Array, scores: FloatArray) -> None:
        self.start, self.indices, self.scores = start, indices, scores

    @property
    def stop(self) -> int:
        """Behind the last row."""
        return self.start + len(self.indices)

    @property
    def k(self) -> int:
        """Pairs a row, at most."""
        return int(self.indices.shape[1])

    def part(self, low: int, high: int) -> Best:
        """The rows ``low`` … ``high − 1`` of it, in the same memory."""
        rows = slice(low - self.start, high - self.start)
        return Best(low, self.indices[rows], self.scores[rows])


def silent(done: int) -> None:
    """The report where no progress is wanted: does nothing."""


def joined(parts: list[PairList]) -> PairList:
    """One list of several."""
    parts = parts or [PairList(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))]
    return PairList(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def mirror(square: NDArray[Any], side: int = 128) -> None:
    """Fill the lower triangle of a square from the upper one, by squares of ``side`` that fit the cache."""
    for a in range(0, len(square), side):
        b = min(a + side, len(square))
        tile = square[a:b, a:b]
        below = np.tril_indices(b - a, -1)
        tile[below] = tile.T[below]
        square[b:, a:b] = square[a:b, b:].T
