from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

@disjoint_base
class Tables:
    def __init__(
        self,
        root: NDArray[np.int32],
        variable_offsets: NDArray[np.int64],
        instance_offsets: NDArray[np.int64],
        instances: NDArray[np.int32],
        attribute_offsets: NDArray[np.int64],
        attributes: NDArray[np.int32],
        relation_offsets: NDArray[np.int64],
        relations: NDArray[np.int32],
        surface_offsets: NDArray[np.int64],
        surface: NDArray[np.int32],
    ) -> None: ...
    @property
    def n_graphs(self) -> int: ...
    @property
    def n_labels(self) -> int: ...
    def __len__(self) -> int: ...

def find_copies(t: Tables) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]: ...
def link_names(
    t: Tables, names: NDArray[np.int32], values: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]: ...
def append_attribute(
    t: Tables, variables: NDArray[np.int32], role: int, values: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...
def select(
    t: Tables,
    keep_variables: NDArray[np.uint8],
    keep_instances: NDArray[np.uint8],
    keep_attributes: NDArray[np.uint8],
    keep_relations: NDArray[np.uint8],
) -> dict[str, NDArray[Any]]: ...
def columns(
    root: NDArray[np.int32],
    offsets: NDArray[np.int64],
    instances: NDArray[np.int32],
    attributes: NDArray[np.int32],
    relations: NDArray[np.int32],
    surface: NDArray[np.int32],
) -> dict[str, NDArray[Any]]: ...
def reify(
    t: Tables, concept_of: NDArray[np.int32], first_of: NDArray[np.int32], second_of: NDArray[np.int32]
) -> dict[str, NDArray[Any]]: ...
def dereify(
    t: Tables, rule_of: NDArray[np.int32], rules: NDArray[np.int32], turned: NDArray[np.uint8]
) -> tuple[NDArray[Any], ...] | None: ...
