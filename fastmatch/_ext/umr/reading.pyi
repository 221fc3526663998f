from typing import final

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.reading.interner import Interner
from fastmatch._ext.umr.sentences import Sentences

@final
class Reader:
    def __new__(cls, interner: Interner, top: bool) -> Reader: ...

def read_as_tool(
    text: str, interner: Interner, top: bool = False
) -> tuple[Sentences, NDArray[np.int64], list[tuple[int, str, int, int]]]: ...
