from fastmatch.types import FloatArray, Int32Array

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
    mapping: Int32Array | None,
) -> tuple[str | None, bool, int, int, float]: ...
