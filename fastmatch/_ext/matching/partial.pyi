from typing import Any

from typing_extensions import disjoint_base

from fastmatch._ext.graphs.columns import Columns
from fastmatch._ext.matching.triples import TripleFeatures
from fastmatch.types import FloatArray, Int32Array, Int64Array

@disjoint_base
class SoftFeatures:
    def __new__(
        cls,
        hard: TripleFeatures,
        unary_class: Int32Array,
        relation_class: Int32Array,
        soft_offsets: Int64Array,
        soft: Int32Array,
    ) -> SoftFeatures: ...
    @property
    def hard(self) -> TripleFeatures: ...
    @property
    def arrays(self) -> tuple[Int32Array, Int32Array, Int64Array, Int32Array]: ...
    def __len__(self) -> int: ...

@disjoint_base
class Links:
    def __new__(cls, n_a: int, n_b: int, a: Any, b: Any, similarity: Any) -> Links: ...
    @property
    def n_a(self) -> int: ...
    @property
    def n_b(self) -> int: ...
    @property
    def arrays(self) -> tuple[Int32Array, Int32Array, FloatArray]: ...
    def __len__(self) -> int: ...

def build_soft_problem(
    a: SoftFeatures, b: SoftFeatures, links: Links, weight: FloatArray, i: int, j: int
) -> tuple[
    int,
    int,
    Int32Array,
    Int32Array,
    FloatArray,
    Int32Array,
    Int32Array,
    FloatArray,
]: ...
def root_distances(corpus: Columns, unreachable: int = 999999) -> Int32Array: ...
