import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

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
        cls,
        formula: str,
        weights: NDArray[np.float64],
        sizes_pred: NDArray[np.float64],
        sizes_gold: NDArray[np.float64],
    ) -> RatioScorer: ...
