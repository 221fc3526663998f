from collections.abc import Callable
from typing import Any

from fastmatch._ext.matching.triples import TripleFeatures
from fastmatch.types import ByteArray, Int32Array, Int64Array, Pairs

def score_exact(
    a: TripleFeatures, b: TripleFeatures, pairs: Pairs, *, max_work: int, time_limit: float, matched: Int64Array,
    upper: Int64Array, certified: ByteArray, mapping_offsets: Int64Array | None = ..., mapping: Int32Array | None = ...,
    unsolved: list[tuple[int, float, tuple[Any, ...], bool, int, bool, Any]] | None = ..., branching: int = ...,
    narrow: int = ..., wide: int = ..., whole: int = ..., alike: int = ..., programs: int = ...,
    work: Int64Array | None = ..., tell: Callable[[int, float, float, float], object] | None = ...,
    least: Int64Array | None = ..., spent: Int64Array | None = ..., maps: list[Int32Array | None] | None = ...,
) -> None: ...
def score_climb(
    a: TripleFeatures, b: TripleFeatures, pairs: Pairs, *, restarts: int = ..., seed: int = ..., first: int = ...,
    matched: Int64Array, mapping_offsets: Int64Array | None = ..., mapping: Int32Array | None = ...,
) -> None: ...
