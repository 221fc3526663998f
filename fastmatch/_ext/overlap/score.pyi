import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.overlap.space import SoftSpace

def score_pairs(
    a: SoftSpace,
    b: SoftSpace,
    index_a: NDArray[np.int32],
    index_b: NDArray[np.int32],
    start: int,
    stop: int,
    *,
    cancel: NDArray[np.uint8],
    out: NDArray[np.float64],
    nodes: NDArray[np.float64] | None = ...,
    skip: NDArray[np.uint8] | None = ...,
    with_edges: bool = ...,
    lasting: bool = ...,
    large_from: int = ...,
    whole: NDArray[np.uint8] | None = ...,
) -> None: ...
def likeness(a: SoftSpace, b: SoftSpace, i: int, j: int) -> NDArray[np.float64]: ...
def single_matches(a: SoftSpace, b: SoftSpace, i: int, j: int) -> NDArray[np.int32]: ...
def label_table(
    a: SoftSpace, b: SoftSpace, labels: NDArray[np.int64], products: NDArray[np.float32]
) -> NDArray[np.float32]: ...
