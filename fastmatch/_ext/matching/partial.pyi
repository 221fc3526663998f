from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from fastmatch._ext.graphs.columns import Columns
from fastmatch._ext.matching.triples import TripleFeatures

@disjoint_base
class SoftFeatures:
    def __new__(
        cls,
        hard: TripleFeatures,
        unary_class: NDArray[np.int32],
        relation_class: NDArray[np.int32],
        soft_offsets: NDArray[np.int64],
        soft: NDArray[np.int32],
    ) -> SoftFeatures: ...
    @property
    def hard(self) -> TripleFeatures: ...
    @property
    def arrays(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]: ...
    def __len__(self) -> int: ...

@disjoint_base
class Links:
    def __new__(cls, n_a: int, n_b: int, a: Any, b: Any, similarity: Any) -> Links: ...
    @property
    def n_a(self) -> int: ...
    @property
    def n_b(self) -> int: ...
    @property
    def arrays(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]: ...
    def __len__(self) -> int: ...

def build_soft_problem(
    a: SoftFeatures, b: SoftFeatures, links: Links, weight: NDArray[np.float64], i: int, j: int
) -> tuple[
    int,
    int,
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.float64],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.float64],
]: ...
def root_distances(
    corpus: Columns,
    unreachable: int = 999999,
) -> NDArray[np.int32]: ...
