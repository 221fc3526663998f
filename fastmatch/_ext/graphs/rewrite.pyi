from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.graphs.columns import Columns

def find_copies(corpus: Columns) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]: ...
def link_names(
    corpus: Columns, names: NDArray[np.int32], values: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]: ...
def append_attribute(
    corpus: Columns, variables: NDArray[np.int32], role: int, values: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...
def select(
    corpus: Columns,
    keep_variables: NDArray[np.uint8],
    keep_instances: NDArray[np.uint8],
    keep_attributes: NDArray[np.uint8],
    keep_relations: NDArray[np.uint8],
) -> dict[str, NDArray[Any]]: ...
