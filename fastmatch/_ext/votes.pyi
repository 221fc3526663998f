from collections.abc import Sequence

from fastmatch.types import FloatArray, Int32Array

def best_of_votes(
    unary: Int32Array,
    unary_voters: Int32Array,
    relations: Int32Array,
    relation_voters: Int32Array,
    roots: Int32Array,
    root_concepts: Int32Array,
    weights: FloatArray,
    sizes: FloatArray,
    size: float,
    matched: FloatArray,
    *,
    n_nodes: int,
    top: int,
    rounds: int,
) -> tuple[Int32Array, Int32Array, Int32Array, float, float, FloatArray]: ...
def merged_tables(
    tables: list[tuple[Int32Array, Int32Array]],
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
def placed(
    maps: list[Sequence[int]], relations: list[list[tuple[int, int, int, int]]], concepts: list[list[int]],
    n_nodes: int,
) -> tuple[list[list[int]], int]: ...
