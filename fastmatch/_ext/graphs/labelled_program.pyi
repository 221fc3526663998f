from fastmatch._ext.graphs.columns import Columns
from fastmatch._ext.reading.interner import Interner
from fastmatch.types import ByteArray, Int32Array, Int64Array

def program_graphs(
    corpus: Columns, interner: Interner, labels: Int32Array, roles: Int32Array, ranks: Int32Array, inverse: ByteArray,
    root_role: int = -1,
) -> tuple[Int64Array, Int32Array, Int64Array, Int32Array, Int32Array]: ...
