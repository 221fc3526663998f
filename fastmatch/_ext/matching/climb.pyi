from fastmatch._ext.matching.triples import TripleFeatures
from fastmatch.types import Int32Array

def climb_pair(
    a: TripleFeatures, b: TripleFeatures, i: int, j: int, *, restarts: int = ..., seed: int = ..., pair: int = ...,
    few: int = ...,
) -> tuple[int, Int32Array]: ...
