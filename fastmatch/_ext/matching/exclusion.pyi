import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.matching.triples import TripleFeatures

def reaching(a: TripleFeatures, b: TripleFeatures, i: int, j: int, value: float, rounds: int) -> NDArray[np.uint8]: ...
