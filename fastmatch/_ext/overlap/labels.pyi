from collections.abc import Callable

from fastmatch.types import ByteArray, Float32Array, FloatArray, Int32Array, Int64Array, UInt16Array, UInt64Array

CLASSES: tuple[str, ...]

def value_of(text: bytes) -> float: ...
def describe(texts: list[bytes | None], constant: ByteArray) -> tuple[
    UInt64Array,
    UInt64Array,
    ByteArray,
    FloatArray,
    Int64Array,
    UInt16Array,
    UInt64Array,
]: ...
def project(
    vectors: FloatArray, known: ByteArray, centre: FloatArray, matrix: FloatArray, out: Float32Array
) -> None: ...
def ranks(texts: list[bytes | None], find: Callable[[bytes], int], n_words: int) -> Int64Array: ...
def node_places(
    node_offsets: Int64Array, edge_offsets: Int64Array, edges: Int32Array, roots: Int32Array
) -> tuple[Int32Array, Int32Array]: ...
def exponentials(x: FloatArray) -> FloatArray: ...
def logarithms(x: FloatArray) -> FloatArray: ...
