from typing import Any, final

import numpy as np
from numpy.typing import NDArray

@final
class SoftSpace:
    def __new__(
        cls,
        node_offsets: NDArray[np.int64],
        rows: NDArray[np.int32],
        masses: NDArray[np.float64],
        edge_offsets: NDArray[np.int64],
        edges: NDArray[np.int32],
        edge_masses: NDArray[np.float64],
        vectors: NDArray[np.float32],
        keys: NDArray[np.uint64],
        lemmas: NDArray[np.uint64],
        classes: NDArray[np.uint8],
        numbers: NDArray[np.float64],
        bigram_offsets: NDArray[np.int64],
        bigrams: NDArray[np.uint16],
        signs: NDArray[np.uint64],
        scales: NDArray[np.float64],
        settings: NDArray[np.float64],
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
    def n_nodes(self) -> NDArray[np.int64]: ...
    @property
    def n_edges(self) -> NDArray[np.int64]: ...
