from typing_extensions import disjoint_base

from fastmatch.types import ByteArray, FloatArray, Int32Array, Int64Array

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
    def own(self) -> Int32Array: ...
    def translate(self, keys: Int64Array) -> Int32Array: ...
    def candidates(
        self,
        offsets: Int64Array,
        ids: Int32Array,
        values: FloatArray,
        start: int,
        stop: int,
        *,
        sizes: FloatArray,
        corpus_sizes: FloatArray,
        measure: int,
        cutoff: float,
        needs: FloatArray,
        triangle: bool = ...,
        cancel: ByteArray,
    ) -> tuple[Int32Array, Int32Array, FloatArray]: ...

def best_of_rows(
    scores: FloatArray, *, cutoff: float, skip: Int64Array, indices: Int32Array, values: FloatArray
) -> None: ...
def feature_index(
    offsets: Int64Array, keys: Int64Array, values: FloatArray, kind: int, *, postings: bool = ...
) -> FeatureIndex: ...
