import numpy as np
from numpy.typing import NDArray

BOOTSTRAP: int
SWAP: int
SUBSET: int

def resampled_sums(
    counts: NDArray[np.int64],
    reals: NDArray[np.float64],
    seed: int,
    mode: int,
    start: int,
    stop: int,
    count_sums: NDArray[np.int64],
    real_sums: NDArray[np.float64],
    cancel: NDArray[np.uint8],
) -> None: ...
def replicate_weights(seed: int, mode: int, replicate: int, weights: NDArray[np.int32]) -> None: ...
