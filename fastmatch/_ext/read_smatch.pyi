from typing import final

from fastmatch._ext.interner import Interner
from fastmatch._ext.read_blocks import GluedReader

@final
class Reader(GluedReader):
    def __new__(
        cls, interner: Interner, tool: str = "smatch", *, partial: bool = False, keyed: bool = False, mark: bool = True
    ) -> Reader: ...
