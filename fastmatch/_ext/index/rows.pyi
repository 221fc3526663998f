from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from fastmatch._ext.index.formulas import OverlapScorer
from fastmatch._ext.index.postings import FeatureIndex

TILE: int

@disjoint_base
class RowScorer:
    def __new__(
        cls,
        indexes: tuple[FeatureIndex, ...],
        lists: tuple[tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]], ...],
        scorer: OverlapScorer,
        by_size: bool = ...,
        tile: int = ...,
    ) -> Self: ...
    @property
    def scorer(self) -> OverlapScorer: ...
    @property
    def by_size(self) -> bool: ...

def score_rows(
    rows: RowScorer,
    start: int,
    stop: int,
    out: NDArray[Any],
    *,
    first: int = ...,
    cutoff: float = ...,
    cancel: NDArray[np.uint8],
) -> None: ...
def find_rows(
    rows: RowScorer, start: int, stop: int, *, triangle: bool = ..., cutoff: float, cancel: NDArray[np.uint8]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]: ...
def best_rows(
    rows: RowScorer,
    start: int,
    stop: int,
    *,
    cutoff: float,
    skip_self: bool,
    indices: NDArray[np.int32],
    values: NDArray[np.float64],
    cancel: NDArray[np.uint8],
) -> None: ...
