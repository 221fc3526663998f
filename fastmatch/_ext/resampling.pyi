from fastmatch.types import ByteArray, FloatArray, Int32Array, Int64Array

BOOTSTRAP: int
SWAP: int
SUBSET: int

def resampled_sums(
    counts: Int64Array, reals: FloatArray, seed: int, mode: int, start: int, stop: int, count_sums: Int64Array,
    real_sums: FloatArray, cancel: ByteArray,
) -> None: ...
def replicate_weights(seed: int, mode: int, replicate: int, weights: Int32Array) -> None: ...
