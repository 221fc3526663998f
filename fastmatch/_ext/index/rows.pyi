from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.index.slots import RowScorer

def score_rows(
    rows: RowScorer,
    start: int,
    stop: int,
    out: NDArray[Any],
    *,
    first: int = ...,
    cutoff: float = ...,
    cancel: NDArray[np.uint8],
) -> None: ...
def find_rows(
    rows: RowScorer, start: int, stop: int, *, triangle: bool = ..., cutoff: float, cancel: NDArray[np.uint8]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]: ...
def best_rows(
    rows: RowScorer,
    start: int,
    stop: int,
    *,
    cutoff: float,
    skip_self: bool,
    indices: NDArray[np.int32],
    values: NDArray[np.float64],
    cancel: NDArray[np.uint8],
) -> None: ...
