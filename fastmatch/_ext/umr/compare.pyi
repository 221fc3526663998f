from fastmatch._ext.umr.sentences import Sentences
from fastmatch.types import ByteArray, Int32Array, Int64Array

def compare_sentences(
    pred: Sentences, gold: Sentences, text_start: Int64Array, text: ByteArray, ignored: ByteArray, concept: int,
    empty: int, unmapped: int, document_level: bool, tool: bool, limit: int, work: int, cancel: ByteArray,
    statistics: Int64Array, by_role: Int64Array, partners_pred: Int32Array, partners_gold: Int32Array, whole: ByteArray,
) -> int: ...
