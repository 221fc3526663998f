from threading import Lock
from typing import final

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.reading.interner import Interner

@final
class JoinTable:
    lock: Lock
    def __len__(self) -> int: ...

def label_keys(
    interner: Interner, fold: NDArray[np.int32], rows: tuple[NDArray[np.int32], ...], exact: bool
) -> NDArray[np.uint64]: ...
