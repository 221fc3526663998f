import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from fastmatch._ext.reading.interner import Interner

@disjoint_base
class Builder:
    def __new__(
        cls,
        interner: Interner,
        lower: NDArray[np.int32],
        value: NDArray[np.int32],
        tool: bool,
        ops: bool,
        assume: bool,
        hops: bool,
    ) -> Builder: ...
