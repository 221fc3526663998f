import numpy as np
from numpy.typing import NDArray

def differing(
    comments: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    other_comments: NDArray[np.uint8],
    other_offsets: NDArray[np.int64],
    key: bytes,
    words: bool,
) -> tuple[NDArray[np.int64], NDArray[np.bool_], int]: ...
