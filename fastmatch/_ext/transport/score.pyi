from fastmatch._ext.transport.contexts import NodeSpace
from fastmatch.types import ByteArray, FloatArray, Int32Array, Int64Array

def score_pairs(
    a: NodeSpace,
    b: NodeSpace,
    index_a: Int32Array,
    index_b: Int32Array,
    start: int,
    stop: int,
    cancel: ByteArray,
    *,
    out: FloatArray,
    weights: FloatArray | None = ...,
    limit: float = ...,
    most: int = ...,
    most_per_cell: int = ...,
    whole: ByteArray | None = ...,
    many: int = ...,
    room: int = ...,
) -> None: ...
def plan(
    a: NodeSpace, b: NodeSpace, i: int, j: int, *, most: int = ..., most_per_cell: int = ...
) -> tuple[FloatArray, Int64Array]: ...
