from typing import final

from fastmatch._ext.reading import smatch
from fastmatch._ext.reading.interner import Interner

@final
class Reader(smatch.Reader):
    def __new__(
        cls, interner: Interner, program: str = "default", *, lenient: bool = False, ill_formed: bool = False,
        tolerant: bool = False,
    ) -> Reader: ...
