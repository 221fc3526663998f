from typing import Self, final

from fastmatch.types import ByteArray, Int32Array, Int64Array

@final
class Sentences:
    n_sentences: int
    highest: int
    node_start: memoryview
    nodes: memoryview
    attribute_start: memoryview
    attributes: memoryview
    span_start: memoryview
    spans: memoryview
    token_start: memoryview
    tokens: memoryview
    relation_start: memoryview
    relations: memoryview
    whole: memoryview
    def __new__(
        cls, node_start: Int64Array, nodes: Int32Array, attribute_start: Int64Array, attributes: Int32Array,
        span_start: Int64Array, spans: Int32Array, token_start: Int64Array, tokens: Int32Array,
        relation_start: Int64Array, relations: Int32Array, whole: ByteArray,
    ) -> Self: ...
    def __len__(self) -> int: ...
