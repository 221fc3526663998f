from collections.abc import Iterable
from typing import Any, TypeAlias, TypeVar

from fastmatch._ext.graphs.columns import Columns
from fastmatch._ext.reading.interner import Interner
from fastmatch.types import Int32Array

_Entry = TypeVar("_Entry")
_Key: TypeAlias = tuple[int, ...]
_Triple: TypeAlias = tuple[str | None, str, str | None]

def placed_triples(
    columns: Columns,
    interner: Interner,
    graph: int,
    top_role: int,
    top_value: int,
    mod: int,
    domain: int,
    fold: Int32Array,
    top: int,
    classes: int,
    repeated: bool = ...,
    mapping: Int32Array | None = ...,
) -> tuple[list[tuple[_Key, _Triple, int]], dict[_Key, _Triple], list[str | None]]: ...
def shares(
    listed: list[tuple[_Key, _Triple, int]],
    waiting: dict[_Key, _Triple],
    size: int,
    spans: list[Any],
    variables: dict[Any, Any],
    kind: type[_Entry],
) -> tuple[tuple[_Entry, ...], float]: ...
def unmatched(
    waiting: dict[_Key, _Triple],
    theirs: list[str | None],
    names: list[str | None],
    mapping: list[int],
    variables: dict[Any, Any],
    kind: type[_Entry],
) -> tuple[_Entry, ...]: ...
def to_tokens(offsets: list[Any], entries: Iterable[tuple[Any, ...]], rest: float) -> list[float]: ...
