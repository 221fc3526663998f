from fastmatch.types import FloatArray, Int64Array

def solve_transport(
    cost: FloatArray, supply: Int64Array | None = ..., demand: Int64Array | None = ..., *, method: str = ...,
    most: int = ...,
) -> tuple[float, Int64Array]: ...
