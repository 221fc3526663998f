from fastmatch._ext.transport.contexts import NodeSpace
from fastmatch.types import ByteArray, FloatArray, Int64Array, Pairs

def score_pairs(
    a: NodeSpace, b: NodeSpace, pairs: Pairs, *, out: FloatArray, weights: FloatArray | None = ..., limit: float = ...,
    most: int = ..., most_per_cell: int = ..., whole: ByteArray | None = ..., many: int = ..., room: int = ...,
) -> None: ...
def plan(
    a: NodeSpace, b: NodeSpace, i: int, j: int, *, most: int = ..., most_per_cell: int = ...
) -> tuple[FloatArray, Int64Array]: ...
