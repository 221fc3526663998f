from typing import Any, final

from numpy.typing import NDArray

from fastmatch.types import ByteArray, Float32Array, FloatArray, Int32Array, Int64Array, UInt16Array, UInt64Array

@final
class SoftSpace:
    def __new__(
        cls, node_offsets: Int64Array, rows: Int32Array, masses: FloatArray, edge_offsets: Int64Array,
        edges: Int32Array, edge_masses: FloatArray, vectors: Float32Array, keys: UInt64Array, lemmas: UInt64Array,
        classes: ByteArray, numbers: FloatArray, bigram_offsets: Int64Array, bigrams: UInt16Array, signs: UInt64Array,
        scales: FloatArray, settings: FloatArray,
    ) -> SoftSpace: ...
    @property
    def arrays(self) -> tuple[NDArray[Any], ...]: ...
    @property
    def n_graphs(self) -> int: ...
    @property
    def n_labels(self) -> int: ...
    @property
    def n_classes(self) -> int: ...
    @property
    def width(self) -> int: ...
    @property
    def n_nodes(self) -> Int64Array: ...
    @property
    def n_edges(self) -> Int64Array: ...
