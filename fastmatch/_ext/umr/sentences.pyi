from typing import Self, final

import numpy as np
from numpy.typing import NDArray

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
        cls,
        node_start: NDArray[np.int64],
        nodes: NDArray[np.int32],
        attribute_start: NDArray[np.int64],
        attributes: NDArray[np.int32],
        span_start: NDArray[np.int64],
        spans: NDArray[np.int32],
        token_start: NDArray[np.int64],
        tokens: NDArray[np.int32],
        relation_start: NDArray[np.int64],
        relations: NDArray[np.int32],
        whole: NDArray[np.uint8],
    ) -> Self: ...
    def __len__(self) -> int: ...
