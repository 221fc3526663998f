from typing import Any

from numpy.typing import NDArray

from fastmatch._ext.graphs.columns import Columns
from fastmatch.types import ByteArray, Int32Array

def reify(
    corpus: Columns, concept_of: Int32Array, first_of: Int32Array, second_of: Int32Array
) -> dict[str, NDArray[Any]]: ...
def dereify(
    corpus: Columns, rule_of: Int32Array, rules: Int32Array, turned: ByteArray
) -> tuple[NDArray[Any], ...] | None: ...
