from typing import Any, final

from numpy.typing import NDArray

from fastmatch._ext.features.keys import JoinTable
from fastmatch._ext.graphs.columns import Columns
from fastmatch.types import Int32Array, Int64Array, Pairs, UInt64Array

@final
class ConceptTriples:
    def __new__(
        cls, totals: Int64Array, roots: UInt64Array, variable_offsets: Int64Array, concepts: UInt64Array,
        variables: Int32Array, relation_offsets: Int64Array, relations: UInt64Array, place_offsets: Int64Array,
        places: Int32Array, attribute_offsets: Int64Array, attributes: UInt64Array, attribute_counts: Int32Array,
    ) -> ConceptTriples: ...
    @property
    def n_graphs(self) -> int: ...
    @property
    def most_variables(self) -> int: ...
    @property
    def most_pairs(self) -> int: ...
    @property
    def n_triples(self) -> Int64Array: ...
    @property
    def arrays(self) -> tuple[NDArray[Any], ...]: ...
    def __len__(self) -> int: ...

def concept_triples(
    corpus: Columns, keys: UInt64Array, *, published: bool = ..., top_role: int = ..., table: JoinTable | None = ...
) -> ConceptTriples: ...
def match_concept_triples(
    pred: ConceptTriples, gold: ConceptTriples, pairs: Pairs, matched: Int64Array, *, published: bool = ...,
    in_gold: bool = ...,
) -> None: ...
