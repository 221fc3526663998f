from fastmatch._ext.matching.triples import TripleFeatures
from fastmatch.types import ByteArray, Int32Array, Int64Array

def compress_pairs(
    a: TripleFeatures,
    b: TripleFeatures,
    index_a: Int32Array,
    index_b: Int32Array,
    start: int,
    stop: int,
    turned_role: Int32Array,
    turned: ByteArray,
    *,
    first: int = ...,
    mapping: bool = ...,
) -> tuple[TripleFeatures, TripleFeatures, Int64Array, Int32Array | None]: ...
def make_side(n_graphs: int, room: int, relations: int) -> list[Int64Array]: ...
def cut(side: list[Int64Array], n_unary: int, n_relations: int) -> list[Int64Array]: ...
