from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.graphs.columns import Columns

def reify(
    corpus: Columns, concept_of: NDArray[np.int32], first_of: NDArray[np.int32], second_of: NDArray[np.int32]
) -> dict[str, NDArray[Any]]: ...
def dereify(
    corpus: Columns, rule_of: NDArray[np.int32], rules: NDArray[np.int32], turned: NDArray[np.uint8]
) -> tuple[NDArray[Any], ...] | None: ...
