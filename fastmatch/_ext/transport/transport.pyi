import numpy as np
from numpy.typing import NDArray

def solve_transport(
    cost: NDArray[np.float64],
    supply: NDArray[np.int64] | None = ...,
    demand: NDArray[np.int64] | None = ...,
    *,
    method: str = ...,
    most: int = ...,
) -> tuple[float, NDArray[np.int64]]: ...
