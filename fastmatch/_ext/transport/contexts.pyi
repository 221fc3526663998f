from typing import final

import numpy as np
from numpy.typing import NDArray

@final
class NodeSpace:
    def __new__(
        cls,
        node_offsets: NDArray[np.int64],
        node_rows: NDArray[np.int32],
        edge_offsets: NDArray[np.int64],
        edges: NDArray[np.int32],
        vectors: NDArray[np.float64],
        drawn: NDArray[np.float64],
        weights: NDArray[np.float64],
        *,
        iterations: int,
        halve: bool,
        multiply: bool,
        down: bool,
        up: bool,
    ) -> NodeSpace: ...
    node_offsets: NDArray[np.int64]
    node_rows: NDArray[np.int32]
    edge_offsets: NDArray[np.int64]
    edges: NDArray[np.int32]
    vectors: NDArray[np.float64]
    drawn: NDArray[np.float64]
    weights: NDArray[np.float64]
    @property
    def n_graphs(self) -> int: ...
    @property
    def n_nodes(self) -> NDArray[np.int64]: ...
    @property
    def dimension(self) -> int: ...
    @property
    def n_weights(self) -> int: ...
    def embeddings(self, graph: int, draw: int = ...) -> NDArray[np.float64]: ...
    def all_embeddings(self, start: int, stop: int, draw: int = ...) -> NDArray[np.float64]: ...
    def usage(self, graphs: NDArray[np.int32]) -> NDArray[np.int64]: ...
