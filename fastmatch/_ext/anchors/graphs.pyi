import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from fastmatch._ext.graphs.columns import Columns
from fastmatch._ext.reading.interner import Interner

@disjoint_base
class AncastGraphs:
    def __new__(cls, *arrays: NDArray[np.int64] | NDArray[np.int32] | NDArray[np.uint8]) -> AncastGraphs: ...
    @property
    def n_graphs(self) -> int: ...
    @property
    def n_variables(self) -> NDArray[np.int64]: ...
    @property
    def n_nodes(self) -> NDArray[np.int64]: ...
    @property
    def n_candidates(self) -> NDArray[np.int64]: ...
    @property
    def n_classes(self) -> NDArray[np.int64]: ...
    @property
    def arrays(self) -> tuple[NDArray[np.int64] | NDArray[np.int32] | NDArray[np.uint8], ...]: ...
    def __len__(self) -> int: ...

def ancast_graphs(
    columns: Columns,
    interner: Interner,
    lower: NDArray[np.int32],
    value: NDArray[np.int32],
    spans: NDArray[np.int32] | None = ...,
    *,
    tool: bool,
    ops: bool,
    assume: bool,
    hops: bool,
) -> AncastGraphs: ...
