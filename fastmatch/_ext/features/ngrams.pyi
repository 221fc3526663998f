from fastmatch._ext.features.keys import JoinTable
from fastmatch._ext.features.sets import FeatureSets
from fastmatch._ext.graphs.columns import Columns
from fastmatch.types import ByteArray, Int64Array, UInt64Array

def ngram_bags(
    corpus: Columns, label_keys: UInt64Array, role_keys: UInt64Array, turned: ByteArray, *, order: int,
    published: bool = ..., most: int = ..., table: JoinTable | None = ...,
) -> tuple[FeatureSets, Int64Array]: ...
