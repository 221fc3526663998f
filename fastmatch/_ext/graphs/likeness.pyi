from fastmatch.types import FloatArray, Int32Array, Int64Array

def likeness(
    offsets: Int64Array, instances: Int32Array, other_offsets: Int64Array, other_instances: Int32Array, n_labels: int,
    graphs: Int64Array, others: Int64Array,
) -> FloatArray: ...
def look_around(
    offsets: Int64Array, instances: Int32Array, other_offsets: Int64Array, other_instances: Int32Array, n_labels: int,
    graphs: Int64Array, reach: int, low: float, toll: float,
) -> tuple[FloatArray, int, int, dict[int, float]]: ...
def closest(
    offsets: Int64Array, instances: Int32Array, other_offsets: Int64Array, other_instances: Int32Array, n_labels: int,
    graphs: Int64Array,
) -> tuple[FloatArray, Int64Array]: ...
