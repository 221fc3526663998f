import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.matching.triples import TripleFeatures

def build_problem(
    a: TripleFeatures, b: TripleFeatures, i: int, j: int
) -> tuple[
    int,
    int,
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int64],
]: ...
