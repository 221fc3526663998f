from typing_extensions import disjoint_base

from fastmatch._ext.index.formulas import OverlapScorer
from fastmatch.types import FloatArray

DIRECTIONS: dict[str, int]

def bleu_scores(
    matches: FloatArray,
    totals: FloatArray,
    sizes: FloatArray,
    others: FloatArray,
    *,
    weights: FloatArray,
    smoothing: str,
    brevity: bool,
) -> FloatArray: ...

@disjoint_base
class BleuScorer(OverlapScorer):
    def __new__(
        cls,
        totals_pred: FloatArray,
        totals_gold: FloatArray,
        sizes_pred: FloatArray,
        sizes_gold: FloatArray,
        *,
        direction: str,
        weights: FloatArray,
        smoothing: str,
        brevity: bool,
    ) -> BleuScorer: ...
