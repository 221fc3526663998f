import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.graphs.columns import Columns

def sentence_groups(
    corpus: Columns, number: NDArray[np.int32], kind: NDArray[np.uint8], *, tool: bool = ...
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int32]]: ...
