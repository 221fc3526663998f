from typing_extensions import disjoint_base

from fastmatch._ext.graphs.columns import Columns
from fastmatch._ext.reading.interner import Interner
from fastmatch.types import ByteArray, Int32Array, Int64Array

@disjoint_base
class AncastGraphs:
    def __new__(cls, *arrays: Int64Array | Int32Array | ByteArray) -> AncastGraphs: ...
    @property
    def n_graphs(self) -> int: ...
    @property
    def n_variables(self) -> Int64Array: ...
    @property
    def n_nodes(self) -> Int64Array: ...
    @property
    def n_candidates(self) -> Int64Array: ...
    @property
    def n_classes(self) -> Int64Array: ...
    @property
    def arrays(self) -> tuple[Int64Array | Int32Array | ByteArray, ...]: ...
    def __len__(self) -> int: ...

def ancast_graphs(
    columns: Columns,
    interner: Interner,
    lower: Int32Array,
    value: Int32Array,
    spans: Int32Array | None = ...,
    *,
    tool: bool,
    ops: bool,
    assume: bool,
    hops: bool,
) -> AncastGraphs: ...
