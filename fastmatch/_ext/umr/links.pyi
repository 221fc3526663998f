from typing import Self

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

@disjoint_base
class Nodes:
    n_sentences: int
    def __new__(
        cls,
        sentences: NDArray[np.int64],
        nodes: NDArray[np.int32],
        text_start: NDArray[np.int64],
        text: NDArray[np.uint8],
        attribute_start: NDArray[np.int64],
        attributes: NDArray[np.int32],
        span_start: NDArray[np.int64],
        spans: NDArray[np.int32],
    ) -> Self: ...
    def __len__(self) -> int: ...

def check_offsets(offsets: NDArray[np.int64], stop: int, name: str) -> None: ...
def link_nodes(
    a: Nodes,
    b: Nodes,
    n_tokens: NDArray[np.int32],
    unmapped: int,
    limit: int,
    cancel: NDArray[np.uint8],
    ambiguous: NDArray[np.int64],
    partners_a: NDArray[np.int32],
    partners_b: NDArray[np.int32],
) -> int: ...
