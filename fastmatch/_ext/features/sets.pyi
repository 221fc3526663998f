from typing import final

import numpy as np
from numpy.typing import NDArray

@final
class FeatureSets:
    def __new__(
        cls,
        offsets: NDArray[np.int64],
        keys: NDArray[np.uint64],
        counts: NDArray[np.int32] | None = ...,
        n_levels: int = ...,
        cut: NDArray[np.bool_] | None = ...,
    ) -> FeatureSets: ...
    @property
    def n_graphs(self) -> int: ...
    @property
    def n_levels(self) -> int: ...
    @property
    def cut(self) -> NDArray[np.bool_] | None: ...
    @property
    def offsets(self) -> NDArray[np.int64]: ...
    @property
    def keys(self) -> NDArray[np.uint64]: ...
    @property
    def counts(self) -> NDArray[np.int32] | None: ...
    @property
    def totals(self) -> NDArray[np.int64]: ...
    @property
    def squares(self) -> NDArray[np.int64]: ...
    def __len__(self) -> int: ...

def count_shared(
    pred: FeatureSets,
    gold: FeatureSets,
    index_pred: NDArray[np.int32],
    index_gold: NDArray[np.int32],
    start: int,
    stop: int,
    cancel: NDArray[np.uint8],
    shared: NDArray[np.int64],
    product: bool = ...,
    nested: bool = ...,
) -> None: ...
