from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.matching.triples import TripleFeatures

def score_exact(
    a: TripleFeatures,
    b: TripleFeatures,
    index_a: NDArray[np.int32],
    index_b: NDArray[np.int32],
    start: int,
    stop: int,
    *,
    max_work: int,
    time_limit: float,
    cancel: NDArray[np.uint8],
    matched: NDArray[np.int64],
    upper: NDArray[np.int64],
    certified: NDArray[np.uint8],
    mapping_offsets: NDArray[np.int64] | None = ...,
    mapping: NDArray[np.int32] | None = ...,
    unsolved: list[tuple[int, float, tuple[Any, ...], bool, int, bool, Any]] | None = ...,
    branching: int = ...,
    narrow: int = ...,
    wide: int = ...,
    whole: int = ...,
    alike: int = ...,
    programs: int = ...,
    work: NDArray[np.int64] | None = ...,
    tell: Callable[[int, float, float, float], object] | None = ...,
    least: NDArray[np.int64] | None = ...,
) -> None: ...
def score_climb(
    a: TripleFeatures,
    b: TripleFeatures,
    index_a: NDArray[np.int32],
    index_b: NDArray[np.int32],
    start: int,
    stop: int,
    *,
    restarts: int = ...,
    seed: int = ...,
    first: int = ...,
    cancel: NDArray[np.uint8],
    matched: NDArray[np.int64],
    mapping_offsets: NDArray[np.int64] | None = ...,
    mapping: NDArray[np.int32] | None = ...,
) -> None: ...
