import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.features.keys import JoinTable
from fastmatch._ext.features.sets import FeatureSets

def ngram_bags(
    variable_offsets: NDArray[np.int64],
    instance_offsets: NDArray[np.int64],
    instances: NDArray[np.int32],
    attribute_offsets: NDArray[np.int64],
    attributes: NDArray[np.int32],
    relation_offsets: NDArray[np.int64],
    relations: NDArray[np.int32],
    label_keys: NDArray[np.uint64],
    role_keys: NDArray[np.uint64],
    turned: NDArray[np.uint8],
    *,
    order: int,
    published: bool = ...,
    table: JoinTable | None = ...,
) -> tuple[FeatureSets, NDArray[np.int64]]: ...
