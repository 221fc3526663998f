"""Scores of UMR documents, for people and for programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TextIO

from fastmatch.report.records import write_lines
from fastmatch.report.tables import points, print_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastmatch.umr.scoring import DocumentScore

__all__ = ["documents_record", "print_documents", "print_documents_tsv", "warn_left_out", "write_sentences"]

_LABELS = {
    "sent": "sentences (labelled relations)",
    "modal": "modal relations",
    "temporal": "temporal relations",
    "coref": "coreference",
    "comp": "comprehensive",
}


def documents_record(result: DocumentScore) -> dict[str, Any]:
    """Scores of documents as one JSON object."""
    from fastmatch.version import __version__

    return {**result.to_dict(), "version": __version__}


def print_documents(result: DocumentScore, file: TextIO | None = None) -> None:
    """One line a kind of relation, one a document if there are several, what was left out, and the signature."""
    file = file or sys.stdout
    rows = [
        (label, *(points(result.scores[name + kind]) for kind in ("_p", "_r", ""))) for name, label in _LABELS.items()
    ]
    if len(result.documents) > 1:
        print(f"means of {len(result.documents):,} documents\n", file=file)
    print_table(("", "precision", "recall", "F1"), rows, file, right=True)
    print(file=file)
    if len(result.documents) > 1:
        each = [
            (pred, *(points(scores[name]) for name in _LABELS))
            for (pred, _), scores in zip(result.names, result.documents, strict=True)
        ]
        print_table(("F1", *_LABELS), each, file, right=True)
        print(file=file)
    if result.problems:
        broken = {(document, k) for document, k, _ in result.problems}
        out = sum(k not in result.sentences[document][0] for document, k in broken)
        print(f"sentences that could not be read: {len(broken):,}, left out: {out:,}", file=file)
    print(f"signature: {result.signature}", file=file)


def print_documents_tsv(result: DocumentScore, file: TextIO | None = None) -> None:
    """A header and a line a document: fractions, every digit."""
    file = file or sys.stdout
    print("\t".join(("pred", "gold", *result.scores, "signature")), file=file)
    for names, scores in zip(result.names, result.documents, strict=True):
        print("\t".join((*names, *map(repr, scores.values()), str(result.signature))), file=file)


def write_sentences(result: DocumentScore, path: str) -> None:
    """One line a sentence, with AnCast's scores of it; as :func:`write_lines` writes them."""
    write_lines(_sentence_lines(result), path)


def _sentence_lines(result: DocumentScore) -> Iterator[str]:
    for document, (kept, pairs) in enumerate(result.sentences):
        table = pairs.columns()
        if not document:
            yield "\t".join(("document", "sentence", *table)) + "\n"
        for k, *values in zip(kept, *(column.tolist() for column in table.values()), strict=True):
            yield "\t".join((result.names[document][0], str(k + 1), *map(repr, values))) + "\n"


def warn_left_out(result: DocumentScore) -> None:
    """One line on standard error for each thing that could not be read, and one if texts differ."""
    for document, k, message in result.problems:
        what = "could not be read" if k in result.sentences[document][0] else "left out"
        print(f"fastmatch: {what}: {message}", file=sys.stderr)
    if result.unlike:
        places = ", ".join(
            (f"{result.names[document][0]}: " if len(result.documents) > 1 else "") + str(sentence + 1)
            for document, sentence in result.unlike[:5]
        )
        more = "" if len(result.unlike) <= 5 else ", ..."
        n = len(result.unlike)
        differ = "1 sentence differs in its" if n == 1 else f"{n:,} sentences differ in their"
        print(f"fastmatch: {differ} text ({places}{more}); do the documents belong together?", file=sys.stderr)
