from typing_extensions import disjoint_base

from fastmatch._ext.reading.blocks import BlockReader

@disjoint_base
class RowReader(BlockReader):
    @property
    def lost(self) -> tuple[int, int, str] | None: ...
