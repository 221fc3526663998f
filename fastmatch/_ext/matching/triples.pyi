import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from fastmatch._ext.graphs.columns import Columns

@disjoint_base
class TripleFeatures:
    def __new__(
        cls,
        variables: NDArray[np.int32],
        triples: NDArray[np.int64],
        unary_offsets: NDArray[np.int64],
        unary_keys: NDArray[np.int64],
        unary: NDArray[np.int32],
        relation_offsets: NDArray[np.int64],
        relations: NDArray[np.int32],
        restricted: NDArray[np.uint8] | None = ...,
        variable_offsets: NDArray[np.int64] | None = ...,
        group_offsets: NDArray[np.int64] | None = ...,
        groups: NDArray[np.int32] | None = ...,
    ) -> TripleFeatures: ...
    def grouped_by(
        self, restricted: NDArray[np.uint8], group_offsets: NDArray[np.int64], groups: NDArray[np.int32]
    ) -> TripleFeatures: ...
    @property
    def n_graphs(self) -> int: ...
    @property
    def n_variables(self) -> NDArray[np.int32]: ...
    @property
    def n_triples(self) -> NDArray[np.int64]: ...
    @property
    def arrays(
        self,
    ) -> tuple[
        NDArray[np.int32],
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.int32],
        NDArray[np.int64],
        NDArray[np.int32],
    ]: ...
    def __len__(self) -> int: ...

def triple_features(
    corpus: Columns,
    fold: NDArray[np.int32],
    *,
    top: int,
    top_role: int,
    top_value: int,
    mod_role: int = ...,
    domain_role: int = ...,
    multiply_duplicates: bool = ...,
    classes: int = ...,
) -> TripleFeatures: ...
