from typing import final

from fastmatch._ext.reading import reader

@final
class Reader(reader.Reader): ...
