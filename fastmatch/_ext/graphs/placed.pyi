import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.graphs.columns import Columns
from fastmatch._ext.reading.interner import Interner

def placed_triples(
    columns: Columns,
    interner: Interner,
    graph: int,
    top_role: int,
    top_value: int,
    mod: int,
    domain: int,
    fold: NDArray[np.int32],
    top: int,
    classes: int,
    repeated: bool = ...,
    mapping: NDArray[np.int32] | None = ...,
) -> tuple[list[tuple[tuple[int, ...], tuple[str | None, str, str | None], int]], list[str | None]]: ...
