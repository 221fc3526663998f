import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.features.keys import JoinTable
from fastmatch._ext.features.sets import FeatureSets
from fastmatch._ext.graphs.columns import Columns

def ngram_bags(
    corpus: Columns,
    label_keys: NDArray[np.uint64],
    role_keys: NDArray[np.uint64],
    turned: NDArray[np.uint8],
    *,
    order: int,
    published: bool = ...,
    most: int = ...,
    table: JoinTable | None = ...,
) -> tuple[FeatureSets, NDArray[np.int64]]: ...
