import numpy as np
from numpy.typing import NDArray

def node_graphs(
    variable_offsets: NDArray[np.int64],
    variable_names: NDArray[np.int32],
    instance_offsets: NDArray[np.int64],
    instances: NDArray[np.int32],
    attribute_offsets: NDArray[np.int64],
    attributes: NDArray[np.int32],
    relation_offsets: NDArray[np.int64],
    relations: NDArray[np.int32],
    labels: NDArray[np.int32],
    roles: NDArray[np.int32],
    inverse: NDArray[np.uint8],
    *,
    merge_constants: bool,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]: ...
def edges_as_nodes(
    node_offsets: NDArray[np.int64],
    node_labels: NDArray[np.int32],
    edge_offsets: NDArray[np.int64],
    edges: NDArray[np.int32],
    role: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]: ...
