from fastmatch._ext.graphs.columns import Columns
from fastmatch.types import ByteArray, Int32Array, Int64Array

def node_graphs(
    corpus: Columns, labels: Int32Array, roles: Int32Array, inverse: ByteArray
) -> tuple[Int64Array, Int32Array, Int64Array, Int32Array]: ...
def edges_as_nodes(
    node_offsets: Int64Array, node_labels: Int32Array, edge_offsets: Int64Array, edges: Int32Array, role: int
) -> tuple[Int64Array, Int32Array, Int64Array, Int32Array]: ...
