import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from fastmatch._ext.reading.interner import Interner

@disjoint_base
class Reader:
    def __new__(cls, interner: Interner, *arguments: object, **options: object) -> Reader: ...
    def __len__(self) -> int: ...
    @property
    def problems(self) -> list[tuple[int, str, int, int]]: ...
    @property
    def skipped(self) -> int: ...
    @property
    def fault(self) -> tuple[str, int, int, str, int] | None: ...
    def feed(
        self,
        text: str | bytes | bytearray | memoryview,
        on_error: int = 0,
        single: bool = False,
        start: int = 0,
        limit: int = -1,
    ) -> int: ...
    def columns(self) -> dict[str, NDArray[np.int32] | NDArray[np.int64] | NDArray[np.uint8]]: ...
