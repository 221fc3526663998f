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
def columns(
    root: NDArray[np.int32],
    offsets: NDArray[np.int64],
    instances: NDArray[np.int32],
    attributes: NDArray[np.int32],
    relations: NDArray[np.int32],
    surface: NDArray[np.int32],
) -> dict[str, NDArray[Any]]: ...
def reify(
    corpus: Columns, concept_of: NDArray[np.int32], first_of: NDArray[np.int32], second_of: NDArray[np.int32]
) -> dict[str, NDArray[Any]]: ...
def dereify(
    corpus: Columns, rule_of: NDArray[np.int32], rules: NDArray[np.int32], turned: NDArray[np.uint8]
) -> tuple[NDArray[Any], ...] | None: ...
