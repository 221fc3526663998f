import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.matching.triples import TripleFeatures

def climb_pair(
    a: TripleFeatures,
    b: TripleFeatures,
    i: int,
    j: int,
    *,
    restarts: int = ...,
    seed: int = ...,
    pair: int = ...,
    few: int = ...,
) -> tuple[int, NDArray[np.int32]]: ...
