from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.features.keys import JoinTable
from fastmatch._ext.graphs.columns import Columns

@final
class ConceptTriples:
    def __new__(
        cls,
        totals: NDArray[np.int64],
        roots: NDArray[np.uint64],
        variable_offsets: NDArray[np.int64],
        concepts: NDArray[np.uint64],
        variables: NDArray[np.int32],
        relation_offsets: NDArray[np.int64],
        relations: NDArray[np.uint64],
        place_offsets: NDArray[np.int64],
        places: NDArray[np.int32],
        attribute_offsets: NDArray[np.int64],
        attributes: NDArray[np.uint64],
        attribute_counts: NDArray[np.int32],
    ) -> ConceptTriples: ...
    @property
    def n_graphs(self) -> int: ...
    @property
    def most_variables(self) -> int: ...
    @property
    def most_pairs(self) -> int: ...
    @property
    def n_triples(self) -> NDArray[np.int64]: ...
    @property
    def arrays(self) -> tuple[NDArray[Any], ...]: ...
    def __len__(self) -> int: ...

def concept_triples(
    corpus: Columns,
    keys: NDArray[np.uint64],
    *,
    published: bool = ...,
    top_role: int = ...,
    table: JoinTable | None = ...,
) -> ConceptTriples: ...
def match_concept_triples(
    pred: ConceptTriples,
    gold: ConceptTriples,
    index_pred: NDArray[np.int32],
    index_gold: NDArray[np.int32],
    start: int,
    stop: int,
    cancel: NDArray[np.uint8],
    matched: NDArray[np.int64],
    *,
    published: bool = ...,
    in_gold: bool = ...,
) -> None: ...
