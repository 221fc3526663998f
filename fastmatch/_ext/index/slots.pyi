from typing import Self

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
