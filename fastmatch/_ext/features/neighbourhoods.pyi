import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.features.keys import JoinTable
from fastmatch._ext.features.sets import FeatureSets

def label_bags(
    node_offsets: NDArray[np.int64],
    node_labels: NDArray[np.int32],
    edge_offsets: NDArray[np.int64],
    edges: NDArray[np.int32],
    label_keys: NDArray[np.uint64],
    role_keys: NDArray[np.uint64],
    *,
    rounds: int,
    down: bool,
    up: bool,
    mark_turned: bool = ...,
    triples: bool = ...,
    counted: bool = ...,
    by_label: bool = ...,
    table: JoinTable | None = ...,
) -> FeatureSets: ...
