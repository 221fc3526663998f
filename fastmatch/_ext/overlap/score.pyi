from fastmatch._ext.overlap.space import SoftSpace
from fastmatch.types import ByteArray, Float32Array, FloatArray, Int32Array, Int64Array, Pairs

def score_pairs(
    a: SoftSpace,
    b: SoftSpace,
    pairs: Pairs,
    *,
    out: FloatArray,
    nodes: FloatArray | None = ...,
    skip: ByteArray | None = ...,
    with_edges: bool = ...,
    lasting: bool = ...,
    large_from: int = ...,
    whole: ByteArray | None = ...,
) -> None: ...
def likeness(a: SoftSpace, b: SoftSpace, i: int, j: int) -> FloatArray: ...
def single_matches(a: SoftSpace, b: SoftSpace, i: int, j: int) -> Int32Array: ...
def label_table(a: SoftSpace, b: SoftSpace, labels: Int64Array, products: Float32Array) -> Float32Array: ...
