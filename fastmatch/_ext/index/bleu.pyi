import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from fastmatch._ext.index.formulas import OverlapScorer

DIRECTIONS: dict[str, int]

def bleu_scores(
    matches: NDArray[np.float64],
    totals: NDArray[np.float64],
    sizes: NDArray[np.float64],
    others: NDArray[np.float64],
    *,
    weights: NDArray[np.float64],
    smoothing: str,
    brevity: bool,
) -> NDArray[np.float64]: ...

@disjoint_base
class BleuScorer(OverlapScorer):
    def __new__(
        cls,
        totals_pred: NDArray[np.float64],
        totals_gold: NDArray[np.float64],
        sizes_pred: NDArray[np.float64],
        sizes_gold: NDArray[np.float64],
        *,
        direction: str,
        weights: NDArray[np.float64],
        smoothing: str,
        brevity: bool,
    ) -> BleuScorer: ...
