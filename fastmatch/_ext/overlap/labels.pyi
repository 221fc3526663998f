from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

CLASSES: tuple[str, ...]

def value_of(text: bytes) -> float: ...
def describe(
    texts: list[bytes | None], constant: NDArray[np.uint8]
) -> tuple[
    NDArray[np.uint64],
    NDArray[np.uint64],
    NDArray[np.uint8],
    NDArray[np.float64],
    NDArray[np.int64],
    NDArray[np.uint16],
    NDArray[np.uint64],
]: ...
def project(
    vectors: NDArray[np.float64],
    known: NDArray[np.uint8],
    centre: NDArray[np.float64],
    matrix: NDArray[np.float64],
    out: NDArray[np.float32],
) -> None: ...
def ranks(texts: list[bytes | None], find: Callable[[bytes], int], n_words: int) -> NDArray[np.int64]: ...
def node_places(
    node_offsets: NDArray[np.int64],
    edge_offsets: NDArray[np.int64],
    edges: NDArray[np.int32],
    roots: NDArray[np.int32],
) -> tuple[NDArray[np.int32], NDArray[np.int32]]: ...
def exponentials(x: NDArray[np.float64]) -> NDArray[np.float64]: ...
