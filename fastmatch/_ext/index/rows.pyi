from typing import Any

from numpy.typing import NDArray

from fastmatch._ext.index.slots import RowScorer
from fastmatch.types import ByteArray, FloatArray, Int32Array

def score_rows(
    rows: RowScorer,
    start: int,
    stop: int,
    out: NDArray[Any],
    *,
    first: int = ...,
    cutoff: float = ...,
    cancel: ByteArray,
) -> None: ...
def find_rows(
    rows: RowScorer, start: int, stop: int, *, triangle: bool = ..., cutoff: float, cancel: ByteArray
) -> tuple[Int32Array, Int32Array, FloatArray]: ...
def best_rows(
    rows: RowScorer,
    start: int,
    stop: int,
    *,
    cutoff: float,
    skip_self: bool,
    indices: Int32Array,
    values: FloatArray,
    cancel: ByteArray,
) -> None: ...
