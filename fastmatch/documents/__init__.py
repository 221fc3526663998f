"""Document graphs: how they represent coreference, and how they are made of sentence graphs."""

from __future__ import annotations

from fastmatch.documents.annotation import Annotation, Bridge, Chain, Mention, parse_annotations, read_annotations
from fastmatch.documents.converting import UNMERGED, join, represent
from fastmatch.documents.merging import REPRESENTATIONS

__all__ = [
    "REPRESENTATIONS",
    "UNMERGED",
    "Annotation",
    "Bridge",
    "Chain",
    "Mention",
    "join",
    "parse_annotations",
    "read_annotations",
    "represent",
]
