from typing_extensions import disjoint_base

from fastmatch._ext.reading.interner import Interner

@disjoint_base
class GraphReader:
    def __new__(cls, interner: Interner, top: bool) -> GraphReader: ...
