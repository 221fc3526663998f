from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.graphs.columns import Columns
from fastmatch._ext.reading.interner import Interner

_Entry = TypeVar("_Entry")

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
def shares(
    listed: list[tuple[tuple[int, ...], tuple[str | None, str, str | None], int]],
    waiting: dict[tuple[int, ...], tuple[str | None, str, str | None]],
    size: int,
    spans: list[tuple[tuple[int, int], ...]],
    variables: dict[str | None, Any],
    kind: type[_Entry],
) -> tuple[tuple[_Entry, ...], float]: ...
