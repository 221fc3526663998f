from fastmatch._ext.reading.interner import Interner

class GraphReader:
    def __new__(cls, interner: Interner, top: bool) -> GraphReader: ...
