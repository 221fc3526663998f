from fastmatch._ext.overlap.space import SoftSpace
from fastmatch.types import ByteArray, FloatArray, Int32Array

def add_slopes(
    space: SoftSpace, index_a: Int32Array, index_b: Int32Array, slopes: FloatArray, *, cancel: ByteArray,
    node_masses: FloatArray, edge_masses: FloatArray, vectors: FloatArray, scales: FloatArray, settings: FloatArray,
) -> None: ...
