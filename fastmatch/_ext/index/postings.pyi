import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

SET: int
BAG: int
DOT: int
ROW: int
JACCARD: int
DICE: int

@disjoint_base
class FeatureIndex:
    def __new__(cls, where: object = None) -> FeatureIndex: ...
    @property
    def n_graphs(self) -> int: ...
    @property
    def kind(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    @property
    def own(self) -> NDArray[np.int32]: ...
    def translate(self, keys: NDArray[np.int64]) -> NDArray[np.int32]: ...
    def candidates(
        self,
        offsets: NDArray[np.int64],
        ids: NDArray[np.int32],
        values: NDArray[np.float64],
        start: int,
        stop: int,
        *,
        sizes: NDArray[np.float64],
        corpus_sizes: NDArray[np.float64],
        measure: int,
        cutoff: float,
        needs: NDArray[np.float64],
        triangle: bool = ...,
        cancel: NDArray[np.uint8],
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]: ...

def best_of_rows(
    scores: NDArray[np.float64],
    *,
    cutoff: float,
    skip: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: NDArray[np.float64],
) -> None: ...
def feature_index(
    offsets: NDArray[np.int64],
    keys: NDArray[np.int64],
    values: NDArray[np.float64],
    kind: int,
    *,
    postings: bool = ...,
) -> FeatureIndex: ...
