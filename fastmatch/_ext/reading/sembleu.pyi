from typing import final

from fastmatch._ext.reading.blocks import GluedReader

@final
class Reader(GluedReader): ...
