from typing_extensions import disjoint_base

from fastmatch.types import FloatArray

FORMULAS: dict[str, int]

@disjoint_base
class OverlapScorer:
    @property
    def n_pred(self) -> int: ...
    @property
    def n_gold(self) -> int: ...
    @property
    def n_overlaps(self) -> int: ...

@disjoint_base
class RatioScorer(OverlapScorer):
    def __new__(
        cls, formula: str, weights: FloatArray, sizes_pred: FloatArray, sizes_gold: FloatArray
    ) -> RatioScorer: ...
