from typing import Any

from fastmatch._ext.matching.triples import TripleFeatures
from fastmatch.types import Int32Array

def build_problem(
    a: TripleFeatures, b: TripleFeatures, i: int, j: int, whole: bool = True
) -> tuple[
    int,
    int,
    Int32Array,
    Int32Array,
    Any,
    Int32Array,
    Int32Array,
    Any,
]: ...
