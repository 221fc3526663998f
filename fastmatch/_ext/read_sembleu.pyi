from typing import final

from fastmatch._ext.read_blocks import GluedReader

@final
class Reader(GluedReader): ...
