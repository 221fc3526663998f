from typing import final

from fastmatch._ext import reader
from fastmatch._ext.interner import Interner

@final
class Reader(reader.Reader):
    def __new__(cls, interner: Interner, *, table: bool = False, comments: bool = False) -> Reader: ...
