from typing_extensions import disjoint_base

from fastmatch._ext.reading.blocks import GluedReader
from fastmatch._ext.reading.interner import Interner

@disjoint_base
class Reader(GluedReader):
    def __new__(
        cls, interner: Interner, tool: str = "smatch", *, partial: bool = False, keyed: bool = False, mark: bool = True
    ) -> Reader: ...
