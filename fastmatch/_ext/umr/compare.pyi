import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.umr.sentences import Sentences

def compare_sentences(
    pred: Sentences,
    gold: Sentences,
    text_start: NDArray[np.int64],
    text: NDArray[np.uint8],
    ignored: NDArray[np.uint8],
    concept: int,
    empty: int,
    unmapped: int,
    document_level: bool,
    tool: bool,
    limit: int,
    work: int,
    cancel: NDArray[np.uint8],
    statistics: NDArray[np.int64],
    by_role: NDArray[np.int64],
    partners_pred: NDArray[np.int32],
    partners_gold: NDArray[np.int32],
    whole: NDArray[np.uint8],
) -> int: ...
