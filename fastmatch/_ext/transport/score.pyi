import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.transport.contexts import NodeSpace

def score_pairs(
    a: NodeSpace,
    b: NodeSpace,
    index_a: NDArray[np.int32],
    index_b: NDArray[np.int32],
    start: int,
    stop: int,
    *,
    cancel: NDArray[np.uint8],
    out: NDArray[np.float64],
    weights: NDArray[np.float64] | None = ...,
    limit: float = ...,
    most: int = ...,
    most_per_cell: int = ...,
    whole: NDArray[np.uint8] | None = ...,
    many: int = ...,
    room: int = ...,
) -> None: ...
def plan(
    a: NodeSpace, b: NodeSpace, i: int, j: int, *, most: int = ..., most_per_cell: int = ...
) -> tuple[NDArray[np.float64], NDArray[np.int64]]: ...
