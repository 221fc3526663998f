from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from fastmatch._ext.graphs.columns import Columns
from fastmatch._ext.reading.interner import Interner
from fastmatch.types import Int32Array

_Entry = TypeVar("_Entry")
_Missing = TypeVar("_Missing")
_Key: TypeAlias = tuple[int, ...]
_Triple: TypeAlias = tuple[str | None, str, str | None]

def placed_triples(
    columns: Columns, interner: Interner, graph: int, labels: tuple[int, int, int, int, Int32Array], top: int,
    classes: int, repeated: bool = ...,
) -> list[tuple[_Key, _Triple]]: ...
def credited(
    columns: Columns, interner: Interner, texts: list[str | None], labels: tuple[int, int, int, int, Int32Array],
    top: int, classes: int, pred: int, gold: int, mapping: Int32Array, size: int, spans: list[Any],
    variables: dict[Any, Any], order: Callable[[list[_Triple], bool], list[tuple[int, int]]] | None, kind: type[_Entry],
    missing: type[_Missing],
) -> tuple[tuple[_Entry, ...], tuple[_Missing, ...]]: ...
def earned_ends(
    columns: Columns, interner: Interner, labels: tuple[int, int, int, int, Int32Array], top: int, classes: int,
    pred: int, gold: int, mapping: Int32Array, size: int, ends: list[int],
) -> tuple[list[float], list[int]] | None: ...
def to_tokens(offsets: list[Any], shares: list[float], ends: list[int], rest: float) -> list[float]: ...
