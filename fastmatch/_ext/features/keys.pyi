from threading import Lock
from typing import final

from fastmatch._ext.reading.interner import Interner
from fastmatch.types import Int32Array, UInt64Array

@final
class JoinTable:
    lock: Lock | None
    def __new__(cls, hashing: bool = ...) -> JoinTable: ...
    def __len__(self) -> int: ...
    def __enter__(self) -> None: ...
    def __exit__(self, *error: object) -> None: ...

HASHING: JoinTable

def label_keys(interner: Interner, fold: Int32Array, rows: tuple[Int32Array, ...], exact: bool) -> UInt64Array: ...
