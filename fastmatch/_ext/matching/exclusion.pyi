import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.matching.triples import TripleFeatures

def reaching(
    a: TripleFeatures, b: TripleFeatures, i: int, j: int, values: NDArray[np.float64], rounds: int, limit: int = ...
) -> tuple[NDArray[np.uint8], NDArray[np.int32]]: ...
