from typing import final

from fastmatch.types import BoolArray, Int32Array, Int64Array, Pairs, UInt64Array

@final
class FeatureSets:
    def __new__(
        cls,
        offsets: Int64Array,
        keys: UInt64Array,
        counts: Int32Array | None = ...,
        n_levels: int = ...,
        cut: BoolArray | None = ...,
    ) -> FeatureSets: ...
    @property
    def n_graphs(self) -> int: ...
    @property
    def n_levels(self) -> int: ...
    @property
    def cut(self) -> BoolArray | None: ...
    @property
    def offsets(self) -> Int64Array: ...
    @property
    def keys(self) -> UInt64Array: ...
    @property
    def counts(self) -> Int32Array | None: ...
    @property
    def totals(self) -> Int64Array: ...
    @property
    def squares(self) -> Int64Array: ...
    def __len__(self) -> int: ...

def count_shared(
    pred: FeatureSets,
    gold: FeatureSets,
    pairs: Pairs,
    shared: Int64Array,
    product: bool = ...,
    nested: bool = ...,
) -> None: ...
