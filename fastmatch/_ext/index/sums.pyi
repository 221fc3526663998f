from typing import Self

from typing_extensions import disjoint_base

from fastmatch.types import Float32Array, FloatArray, Int32Array, Int64Array

LANES: int

@disjoint_base
class FeatureSums:
    def __new__(
        cls, offsets: Int64Array, ids: Int32Array, values: Float32Array, n_features: int, *, products: bool = ...,
        with_columns: bool = ...,
    ) -> Self: ...
    @property
    def n_graphs(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    def rows(
        self, offsets: Int64Array, ids: Int32Array, values: FloatArray, start: int, stop: int, out: Float32Array
    ) -> None: ...
    def look_up(self, numbers: Float32Array, out: Float32Array, *, add: bool) -> None: ...

def lane_sums(
    offsets: Int64Array,
    ids: Int32Array,
    masses: Float32Array,
    table: Float32Array,
    out: Float32Array,
    *,
    others: Int32Array | None = ...,
) -> None: ...
def lane_maxima(offsets: Int64Array, ids: Int32Array, table: Float32Array, out: Float32Array) -> None: ...
def highest(bounds: Float32Array, columns: Int32Array) -> None: ...
