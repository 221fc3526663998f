from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

def best_of_votes(
    unary: NDArray[np.int32],
    unary_voters: NDArray[np.int32],
    relations: NDArray[np.int32],
    relation_voters: NDArray[np.int32],
    roots: NDArray[np.int32],
    root_concepts: NDArray[np.int32],
    weights: NDArray[np.float64],
    sizes: NDArray[np.float64],
    size: float,
    matched: NDArray[np.float64],
    *,
    n_nodes: int,
    top: int,
    rounds: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], float, float, NDArray[np.float64]]: ...
def merged_tables(
    tables: list[tuple[NDArray[np.int32], NDArray[np.int32]]],
    places: list[list[int]],
    roots: Sequence[int],
    root_concepts: Sequence[int],
    weights: Sequence[float],
    sizes: Sequence[float],
    size: float,
    matched: Sequence[float],
    *,
    n_nodes: int,
    top: int,
    rounds: int,
) -> tuple[int, list[tuple[int, int, int, int, int]], list[tuple[int, int, int, int]], float, float, list[float]]: ...
