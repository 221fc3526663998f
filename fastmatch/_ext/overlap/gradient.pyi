import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.overlap.space import SoftSpace

def add_slopes(
    space: SoftSpace,
    index_a: NDArray[np.int32],
    index_b: NDArray[np.int32],
    slopes: NDArray[np.float64],
    *,
    cancel: NDArray[np.uint8],
    node_masses: NDArray[np.float64],
    edge_masses: NDArray[np.float64],
    vectors: NDArray[np.float64],
    scales: NDArray[np.float64],
    settings: NDArray[np.float64],
) -> None: ...
