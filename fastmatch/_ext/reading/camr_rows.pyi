from fastmatch._ext.reading.blocks import BlockReader

class RowReader(BlockReader):
    @property
    def lost(self) -> tuple[int, int, str] | None: ...
