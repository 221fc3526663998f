from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.matching.partial import SoftFeatures

def concepts_that_meet(
    a: SoftFeatures,
    b: SoftFeatures,
    index_a: NDArray[np.int32],
    index_b: NDArray[np.int32],
    n_a: int,
    n_b: int,
    give: Callable[[NDArray[np.int32]], object],
    at_a_time: int = ...,
) -> None: ...
def concept_similarities(
    pairs: NDArray[np.int32],
    a: NDArray[np.int32],
    vectors_a: NDArray[np.float64],
    b: NDArray[np.int32],
    vectors_b: NDArray[np.float64],
    *,
    kind: int,
    cutoff: float,
    diffsense: float,
) -> NDArray[np.float64]: ...
