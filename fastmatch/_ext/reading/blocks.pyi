from typing_extensions import disjoint_base

from fastmatch._ext.reading import reader

@disjoint_base
class BlockReader(reader.Reader): ...

@disjoint_base
class GluedReader(BlockReader): ...

def bare_texts(data: bytes) -> tuple[bytes, list[int]]: ...
