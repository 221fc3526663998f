from typing import Self

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

LANES: int

@disjoint_base
class FeatureSums:
    def __new__(
        cls,
        offsets: NDArray[np.int64],
        ids: NDArray[np.int32],
        values: NDArray[np.float64],
        n_features: int,
        *,
        products: bool = ...,
    ) -> Self: ...
    @property
    def n_graphs(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    def rows(
        self,
        offsets: NDArray[np.int64],
        ids: NDArray[np.int32],
        values: NDArray[np.float64],
        start: int,
        stop: int,
        out: NDArray[np.float32],
    ) -> None: ...

@disjoint_base
class Postings:
    def __new__(
        cls, offsets: NDArray[np.int64], ids: NDArray[np.int32], masses: NDArray[np.float32], n_features: int
    ) -> Self: ...
    @property
    def n_graphs(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    def look_up(self, numbers: NDArray[np.float32], out: NDArray[np.float32], *, add: bool) -> None: ...

def lane_sums(
    offsets: NDArray[np.int64],
    ids: NDArray[np.int32],
    masses: NDArray[np.float32],
    table: NDArray[np.float32],
    out: NDArray[np.float32],
    *,
    others: NDArray[np.int32] | None = ...,
) -> None: ...
def lane_maxima(
    offsets: NDArray[np.int64], ids: NDArray[np.int32], table: NDArray[np.float32], out: NDArray[np.float32]
) -> None: ...
def highest(bounds: NDArray[np.float32], columns: NDArray[np.int32]) -> None: ...
