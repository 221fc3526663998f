from typing_extensions import disjoint_base

from fastmatch._ext.reading import reader

@disjoint_base
class BlockReader(reader.Reader): ...

@disjoint_base
class GluedReader(BlockReader): ...
