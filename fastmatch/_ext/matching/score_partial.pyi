from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.matching.partial import Links, SoftFeatures

TOLERANCE: float

def score_soft(
    a: SoftFeatures,
    b: SoftFeatures,
    links: Links,
    weight: NDArray[np.float64],
    most_a: NDArray[np.float64],
    most_b: NDArray[np.float64],
    index_a: NDArray[np.int32],
    index_b: NDArray[np.int32],
    start: int,
    stop: int,
    *,
    whole: bool,
    climb_restarts: int = -1,
    seed: int = 0,
    max_work: int,
    time_limit: float,
    cancel: NDArray[np.uint8],
    matched: NDArray[np.float64],
    upper: NDArray[np.float64],
    certified: NDArray[np.uint8],
    mapping_offsets: NDArray[np.int64] | None = None,
    mapping: NDArray[np.int32] | None = None,
    unsolved: list[tuple[int, float, tuple[Any, ...], bool, int, bool, Any]] | None = None,
    branching: int = ...,
    work: NDArray[np.int64] | None = ...,
    tell: Callable[[int, float, float, float], object] | None = ...,
    least: NDArray[np.float64] | None = ...,
) -> None: ...
