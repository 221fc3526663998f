import numpy as np
from numpy.typing import NDArray

def likeness(
    offsets: NDArray[np.int64],
    instances: NDArray[np.int32],
    other_offsets: NDArray[np.int64],
    other_instances: NDArray[np.int32],
    n_labels: int,
    graphs: NDArray[np.int64],
    others: NDArray[np.int64],
) -> NDArray[np.float64]: ...
def look_around(
    offsets: NDArray[np.int64],
    instances: NDArray[np.int32],
    other_offsets: NDArray[np.int64],
    other_instances: NDArray[np.int32],
    n_labels: int,
    graphs: NDArray[np.int64],
    reach: int,
    low: float,
    toll: float,
) -> tuple[NDArray[np.float64], int, int, dict[int, float]]: ...
def closest(
    offsets: NDArray[np.int64],
    instances: NDArray[np.int32],
    other_offsets: NDArray[np.int64],
    other_instances: NDArray[np.int32],
    n_labels: int,
    graphs: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.int64]]: ...
