import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.matching.triples import TripleFeatures

def compress_pairs(
    a: TripleFeatures,
    b: TripleFeatures,
    index_a: NDArray[np.int32],
    index_b: NDArray[np.int32],
    start: int,
    stop: int,
    turned_role: NDArray[np.int32],
    turned: NDArray[np.uint8],
    *,
    first: int = ...,
    mapping: bool = ...,
) -> tuple[TripleFeatures, TripleFeatures, NDArray[np.int64], NDArray[np.int32] | None]: ...
def make_side(n_graphs: int, room: int, relations: int) -> list[NDArray[np.int64]]: ...
def cut(side: list[NDArray[np.int64]], n_unary: int, n_relations: int) -> list[NDArray[np.int64]]: ...
