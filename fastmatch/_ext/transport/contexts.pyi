from typing import final

from fastmatch.types import FloatArray, Int32Array, Int64Array

@final
class NodeSpace:
    def __new__(
        cls, node_offsets: Int64Array, node_rows: Int32Array, edge_offsets: Int64Array, edges: Int32Array,
        vectors: FloatArray, drawn: FloatArray, weights: FloatArray, *, iterations: int, halve: bool, multiply: bool,
        down: bool, up: bool,
    ) -> NodeSpace: ...
    node_offsets: Int64Array
    node_rows: Int32Array
    edge_offsets: Int64Array
    edges: Int32Array
    vectors: FloatArray
    drawn: FloatArray
    weights: FloatArray
    @property
    def n_graphs(self) -> int: ...
    @property
    def n_nodes(self) -> Int64Array: ...
    @property
    def dimension(self) -> int: ...
    @property
    def n_weights(self) -> int: ...
    def embeddings(self, graph: int, draw: int = ...) -> FloatArray: ...
    def all_embeddings(self, start: int, stop: int, draw: int = ...) -> FloatArray: ...
    def usage(self, graphs: Int32Array) -> Int64Array: ...
