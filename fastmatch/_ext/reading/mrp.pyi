from typing import final

from fastmatch._ext.reading.blocks import BlockReader
from fastmatch._ext.reading.interner import Interner

@final
class Reader(BlockReader):
    def __new__(cls, interner: Interner, *, published: bool = False) -> Reader: ...
