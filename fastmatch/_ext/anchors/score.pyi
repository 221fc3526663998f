import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.anchors.graphs import AncastGraphs

def score_ancast(
    a: AncastGraphs,
    b: AncastGraphs,
    index_a: NDArray[np.int32],
    index_b: NDArray[np.int32],
    start: int,
    stop: int,
    *,
    alpha: float,
    beta: float,
    gamma: float,
    neighbours: float,
    tolerance: float,
    relative: float,
    iterations: int,
    rounds: int,
    work: int,
    free_steps: int,
    free_rounds: int,
    ceiling: int,
    memory: int,
    intrinsic: bool,
    inner_weight: bool,
    overlap: bool,
    top: bool,
    alignment: bool,
    hops: bool,
    tool: bool,
    cancel: NDArray[np.uint8],
    out: NDArray[np.float64],
    settled: NDArray[np.uint8],
    mapping_offsets: NDArray[np.int64] | None = ...,
    mapping: NDArray[np.int32] | None = ...,
) -> None: ...
