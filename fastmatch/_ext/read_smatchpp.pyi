from typing import final

from fastmatch._ext.interner import Interner
from fastmatch._ext.read_blocks import BlockReader

@final
class Reader(BlockReader):
    def __new__(cls, interner: Interner, *, table: bool = False, comments: bool = False) -> Reader: ...
