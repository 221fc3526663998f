from typing import final

from fastmatch.types import ByteArray, Int32Array, Int64Array

@final
class Columns:
    def __new__(
        cls, root: Int32Array, variable_offsets: Int64Array, variable_names: Int32Array, instance_offsets: Int64Array,
        instances: Int32Array, attribute_offsets: Int64Array, attributes: Int32Array, relation_offsets: Int64Array,
        relations: Int32Array, surface_offsets: Int64Array, surface: Int32Array, comment_offsets: Int64Array,
        comments: ByteArray,
    ) -> Columns: ...
    @property
    def n_graphs(self) -> int: ...
    @property
    def n_labels(self) -> int: ...
    @property
    def n_names(self) -> int: ...
    @property
    def n_bare(self) -> int: ...
    def __len__(self) -> int: ...
