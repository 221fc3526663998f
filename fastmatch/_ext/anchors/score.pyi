from fastmatch._ext.anchors.graphs import AncastGraphs
from fastmatch.types import ByteArray, FloatArray, Int32Array, Int64Array, Pairs

def score_ancast(
    a: AncastGraphs, b: AncastGraphs, pairs: Pairs, *, alpha: float, beta: float, gamma: float, neighbours: float,
    tolerance: float, relative: float, iterations: int, rounds: int, work: int, free_steps: int, free_rounds: int,
    ceiling: int, memory: int, intrinsic: bool, inner_weight: bool, overlap: bool, top: bool, alignment: bool,
    hops: bool, tool: bool, out: FloatArray, settled: ByteArray, mapping_offsets: Int64Array | None = ...,
    mapping: Int32Array | None = ...,
) -> None: ...
