import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.features.keys import JoinTable
from fastmatch._ext.features.sets import FeatureSets

def motif_sets(
    variable_offsets: NDArray[np.int64],
    instance_offsets: NDArray[np.int64],
    instances: NDArray[np.int32],
    attribute_offsets: NDArray[np.int64],
    attributes: NDArray[np.int32],
    relation_offsets: NDArray[np.int64],
    relations: NDArray[np.int32],
    concept_keys: NDArray[np.uint64],
    constant_keys: NDArray[np.uint64],
    role_keys: NDArray[np.uint64],
    *,
    classes: int = ...,
    hidden_value: int = ...,
    table: JoinTable | None = ...,
) -> FeatureSets: ...
