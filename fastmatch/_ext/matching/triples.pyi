from typing_extensions import disjoint_base

from fastmatch._ext.graphs.columns import Columns
from fastmatch.types import ByteArray, Int32Array, Int64Array

@disjoint_base
class TripleFeatures:
    def __new__(
        cls, variables: Int32Array, triples: Int64Array, unary_offsets: Int64Array, unary_keys: Int64Array,
        unary: Int32Array, relation_offsets: Int64Array, relations: Int32Array, restricted: ByteArray | None = ...,
        variable_offsets: Int64Array | None = ..., group_offsets: Int64Array | None = ...,
        groups: Int32Array | None = ...,
    ) -> TripleFeatures: ...
    def grouped_by(self, restricted: ByteArray, group_offsets: Int64Array, groups: Int32Array) -> TripleFeatures: ...
    @property
    def n_graphs(self) -> int: ...
    @property
    def n_variables(self) -> Int32Array: ...
    @property
    def n_triples(self) -> Int64Array: ...
    @property
    def arrays(self) -> tuple[
        Int32Array,
        Int64Array,
        Int64Array,
        Int64Array,
        Int32Array,
        Int64Array,
        Int32Array,
    ]: ...
    def __len__(self) -> int: ...

def triple_features(
    corpus: Columns, fold: Int32Array, *, top: int, top_role: int, top_value: int, mod_role: int = ...,
    domain_role: int = ..., multiply_duplicates: bool = ..., classes: int = ...,
) -> TripleFeatures: ...
