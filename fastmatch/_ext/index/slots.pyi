from typing import Self

from typing_extensions import disjoint_base

from fastmatch._ext.index.formulas import OverlapScorer
from fastmatch._ext.index.postings import FeatureIndex
from fastmatch.types import FloatArray, Int32Array, Int64Array

TILE: int

@disjoint_base
class RowScorer:
    def __new__(
        cls,
        indexes: tuple[FeatureIndex, ...],
        lists: tuple[tuple[Int64Array, Int32Array, FloatArray], ...],
        scorer: OverlapScorer,
        by_size: bool = ...,
        tile: int = ...,
    ) -> Self: ...
    @property
    def scorer(self) -> OverlapScorer: ...
    @property
    def by_size(self) -> bool: ...
