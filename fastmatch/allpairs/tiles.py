from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fastmatch.types import FloatArray, Int64Array

__all__ = ["CANDIDATES", "CHEAP_TILE", "STRETCH", "TILE", "PairList"]


#: Pairs that are listed at a time: some 60 bytes each while they are scored.
TILE = 1 << 19


#: The same, where a pair costs next to nothing: what fits the cache.
CHEAP_TILE = 1 << 15


#: Cells of a dense stretch that one thread works on at a time, at most: some milliseconds.
STRETCH = 1 << 20


#: Pairs of which all could be candidates: some 60 bytes each, in the worst case.
CANDIDATES = 1 << 23


class PairList(NamedTuple):
    """Scored pairs, by row and column."""

    rows: Int64Array
    columns: Int64Array
    scores: FloatArray


def silent(done: int) -> None:
    """Nobody wants to know."""


def joined(parts: list[PairList]) -> PairList:
    """One list of several."""
    parts = parts or [PairList(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))]
    return PairList(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def mirror(square: NDArray[Any], side: int = 128) -> None:
    """Fill the lower triangle of a square from the upper one, by tiles that fit the cache."""
    for a in range(0, len(square), side):
        b = min(a + side, len(square))
        tile = square[a:b, a:b]
        below = np.tril_indices(b - a, -1)
        tile[below] = tile.T[below]
        square[b:, a:b] = square[a:b, b:].T
