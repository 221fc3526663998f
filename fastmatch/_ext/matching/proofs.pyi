from typing import Any

from fastmatch._ext.matching.partial import Links
from fastmatch.types import FloatArray, Int32Array, Int64Array

def prices(
    n: int,
    m: int,
    rows: Int32Array,
    cols: Int32Array,
    own: FloatArray,
    first: Int32Array,
    second: Int32Array,
    gains: FloatArray,
    unit: float,
    goal: float,
    step: float,
    limit: int,
) -> tuple[str | None, bool, int, int]: ...

def lines(
    pred: tuple[Any, ...],
    gold: tuple[Any, ...],
    labels: tuple[bytes, Int64Array],
    heads: tuple[bytes, Int64Array],
    start: int,
    totals: Int64Array,
    offsets: Int64Array,
    mapping: Int32Array,
    wanted: bytes,
    matching: tuple[Links, FloatArray] | None,
    unit: float,
    step: float,
    limit: int,
    most: int,
) -> tuple[bytes, list[int], list[bool]]: ...
