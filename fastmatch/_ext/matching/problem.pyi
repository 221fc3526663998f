from fastmatch._ext.matching.triples import TripleFeatures
from fastmatch.types import Int32Array, Int64Array

def build_problem(
    a: TripleFeatures, b: TripleFeatures, i: int, j: int
) -> tuple[
    int,
    int,
    Int32Array,
    Int32Array,
    Int64Array,
    Int32Array,
    Int32Array,
    Int64Array,
]: ...
