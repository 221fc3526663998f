from collections.abc import Callable

from fastmatch._ext.matching.partial import SoftFeatures
from fastmatch.types import FloatArray, Int32Array

def concepts_that_meet(
    a: SoftFeatures, b: SoftFeatures, index_a: Int32Array, index_b: Int32Array, n_a: int, n_b: int,
    give: Callable[[Int32Array], object], at_a_time: int = ...,
) -> None: ...
def concept_similarities(
    pairs: Int32Array, a: Int32Array, vectors_a: FloatArray, b: Int32Array, vectors_b: FloatArray, *, kind: int,
    cutoff: float, diffsense: float,
) -> FloatArray: ...
