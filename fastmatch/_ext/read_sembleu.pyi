from typing import final

from fastmatch._ext import reader

@final
class Reader(reader.Reader): ...
