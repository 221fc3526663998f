from fastmatch._ext.features.keys import JoinTable
from fastmatch._ext.features.sets import FeatureSets
from fastmatch._ext.graphs.columns import Columns
from fastmatch.types import UInt64Array

def motif_sets(
    corpus: Columns, concept_keys: UInt64Array, constant_keys: UInt64Array, role_keys: UInt64Array, *,
    classes: int = ..., hidden_value: int = ..., most: int = ..., table: JoinTable | None = ...,
) -> FeatureSets: ...
