"""Scores of UMR documents, for people and for programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TextIO

from fastmatch.report.tables import points, print_table

if TYPE_CHECKING:
    from fastmatch.document_scores import DocumentScore

__all__ = ["documents_record", "print_documents", "warn_left_out"]

_LABELS = {
    "sent": "sentences (labelled relations)",
    "modal": "modal relations",
    "temporal": "temporal relations",
    "coref": "coreference",
    "comp": "comprehensive",
}


def documents_record(result: DocumentScore) -> dict[str, Any]:
    """Scores of documents as one JSON object."""
    from fastmatch import __version__

    return {**result.to_dict(), "version": __version__}


def print_documents(result: DocumentScore, file: TextIO | None = None) -> None:
    """One line a kind of relation, what was left out, and the signature."""
    file = file or sys.stdout
    rows = [
        (label, *(points(result.scores[name + kind]) for kind in ("_p", "_r", ""))) for name, label in _LABELS.items()
    ]
    print_table(("", "precision", "recall", "F1"), rows, file, right=True)
    print(file=file)
    if result.problems:
        print(f"unreadable sentences, left out: {len(result.problems):,}", file=file)
    print(f"signature: {result.signature}", file=file)


def warn_left_out(result: DocumentScore) -> None:
    """One line on standard error for each sentence that could not be read."""
    for _, _, message in result.problems:
        print(f"fastmatch: left out: {message}", file=sys.stderr)
