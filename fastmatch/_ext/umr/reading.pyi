from typing import final

from fastmatch._ext.reading.interner import Interner
from fastmatch._ext.umr.sentences import Sentences
from fastmatch.types import Int64Array

@final
class Reader:
    def __new__(cls, interner: Interner, top: bool) -> Reader: ...

def read_as_tool(
    text: str, interner: Interner, top: bool = False
) -> tuple[Sentences, Int64Array, list[tuple[int, str, int, int]]]: ...
