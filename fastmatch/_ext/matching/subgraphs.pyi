from fastmatch._ext.graphs.columns import Columns
from fastmatch._ext.matching.triples import TripleFeatures
from fastmatch.types import ByteArray, Int32Array, Int64Array

def extract(
    corpus: Columns, turned: ByteArray, triggers: ByteArray, group: ByteArray, *, root_role: int, concepts: bool = ...,
    depth: int = ..., parents: bool = ..., predicates: bool = ..., reentrancies: bool = ...,
) -> tuple[ByteArray, ByteArray, ByteArray]: ...
def count_matched(
    a: TripleFeatures, b: TripleFeatures, index_a: Int32Array, index_b: Int32Array, mapping_offsets: Int64Array,
    mapping: Int32Array,
) -> Int64Array: ...
