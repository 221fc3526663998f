from typing import Any

from fastmatch._ext.matching.triples import TripleFeatures
from fastmatch.types import ByteArray, FloatArray

def better_than(
    a: TripleFeatures, b: TripleFeatures, i: int, j: int, lower: float, rounds: int, narrow: int, besides: bool
) -> tuple[ByteArray, float, tuple[tuple[Any, ...], FloatArray, FloatArray] | None]: ...
