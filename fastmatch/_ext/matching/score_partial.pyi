from collections.abc import Callable
from typing import Any

from fastmatch._ext.matching.partial import Links, SoftFeatures
from fastmatch.types import ByteArray, FloatArray, Int32Array, Int64Array, Pairs

TOLERANCE: float

def score_soft(
    a: SoftFeatures, b: SoftFeatures, links: Links, weight: FloatArray, most_a: FloatArray, most_b: FloatArray,
    pairs: Pairs, *, whole: bool, climb_restarts: int = -1, seed: int = 0, max_work: int, time_limit: float,
    matched: FloatArray, upper: FloatArray, certified: ByteArray, mapping_offsets: Int64Array | None = None,
    mapping: Int32Array | None = None,
    unsolved: list[tuple[int, float, tuple[Any, ...], bool, int, bool, Any]] | None = None, branching: int = ...,
    work: Int64Array | None = ..., tell: Callable[[int, float, float, float], object] | None = ...,
    least: FloatArray | None = ..., spent: Int64Array | None = ..., maps: list[Int32Array | None] | None = ...,
) -> None: ...
