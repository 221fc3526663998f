from typing import final

from fastmatch._ext.reading.camr_rows import RowReader
from fastmatch._ext.reading.interner import Interner

@final
class Reader(RowReader):
    def __new__(cls, interner: Interner) -> Reader: ...
