from fastmatch._ext.features.keys import JoinTable
from fastmatch._ext.features.sets import FeatureSets
from fastmatch.types import Int32Array, Int64Array, UInt64Array

def label_bags(
    node_offsets: Int64Array, node_labels: Int32Array, edge_offsets: Int64Array, edges: Int32Array,
    label_keys: UInt64Array, role_keys: UInt64Array, *, rounds: int, down: bool, up: bool, mark_turned: bool = ...,
    triples: bool = ..., counted: bool = ..., by_label: bool = ..., table: JoinTable | None = ...,
) -> FeatureSets: ...
