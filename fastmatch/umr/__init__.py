"""UMR documents: read them, and compare a predicted one with a gold one."""

from __future__ import annotations

from fastmatch.umr.documents import ASPECTS, Document, Sentence, parse, read
from fastmatch.umr.graphs import sentences
from fastmatch.umr.jumatch_scoring import JumatchScore, Role
from fastmatch.umr.scoring import DocumentScore, score

__all__ = [
    "ASPECTS",
    "Document",
    "DocumentScore",
    "JumatchScore",
    "Role",
    "Sentence",
    "parse",
    "read",
    "score",
    "sentences",
]
