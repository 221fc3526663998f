from typing import Any

from numpy.typing import NDArray

from fastmatch._ext.graphs.columns import Columns
from fastmatch.types import ByteArray, Int32Array, Int64Array

def find_copies(corpus: Columns) -> tuple[Int32Array, Int32Array, Int32Array]: ...
def link_names(corpus: Columns, names: Int32Array, values: Int32Array) -> tuple[Int32Array, Int32Array]: ...
def append_attribute(
    corpus: Columns, variables: Int32Array, role: int, values: Int32Array
) -> tuple[Int64Array, Int32Array]: ...
def select(
    corpus: Columns, keep_variables: ByteArray, keep_instances: ByteArray, keep_attributes: ByteArray,
    keep_relations: ByteArray,
) -> dict[str, NDArray[Any]]: ...
