import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.features.keys import JoinTable
from fastmatch._ext.features.sets import FeatureSets
from fastmatch._ext.graphs.columns import Columns

def motif_sets(
    corpus: Columns,
    concept_keys: NDArray[np.uint64],
    constant_keys: NDArray[np.uint64],
    role_keys: NDArray[np.uint64],
    *,
    classes: int = ...,
    hidden_value: int = ...,
    most: int = ...,
    table: JoinTable | None = ...,
) -> FeatureSets: ...
