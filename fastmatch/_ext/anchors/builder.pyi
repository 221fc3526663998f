from typing_extensions import disjoint_base

from fastmatch._ext.reading.interner import Interner
from fastmatch.types import Int32Array

@disjoint_base
class Builder:
    def __new__(
        cls, interner: Interner, lower: Int32Array, value: Int32Array, tool: bool, ops: bool, assume: bool, hops: bool
    ) -> Builder: ...
