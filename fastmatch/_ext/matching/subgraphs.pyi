import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.graphs.columns import Columns
from fastmatch._ext.matching.triples import TripleFeatures

def extract(
    corpus: Columns,
    turned: NDArray[np.uint8],
    triggers: NDArray[np.uint8],
    group: NDArray[np.uint8],
    *,
    root_role: int,
    concepts: bool = ...,
    depth: int = ...,
    parents: bool = ...,
    predicates: bool = ...,
    reentrancies: bool = ...,
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]: ...
def count_matched(
    a: TripleFeatures,
    b: TripleFeatures,
    index_a: NDArray[np.int32],
    index_b: NDArray[np.int32],
    mapping_offsets: NDArray[np.int64],
    mapping: NDArray[np.int32],
) -> NDArray[np.int64]: ...
