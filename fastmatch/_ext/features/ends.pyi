import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.reading.interner import Interner

def end_names(
    interner: Interner, roles: NDArray[np.int32], sources: NDArray[np.int32], targets: NDArray[np.int32]
) -> NDArray[np.int32]: ...
def lemmas(interner: Interner, labels: NDArray[np.int32]) -> NDArray[np.int32]: ...
