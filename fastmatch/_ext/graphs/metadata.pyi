from fastmatch.types import BoolArray, ByteArray, Int64Array

def differing(
    comments: ByteArray, offsets: Int64Array, other_comments: ByteArray, other_offsets: Int64Array, key: bytes,
    words: bool,
) -> tuple[Int64Array, BoolArray, int]: ...
