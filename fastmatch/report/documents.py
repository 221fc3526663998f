"""Scores of UMR documents, for people and for programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from fastmatch.report.model import Report, Table
from fastmatch.report.records import write_lines
from fastmatch.report.tables import points
from fastmatch.results.words import counted
from fastmatch.runtime.streams import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastmatch.umr.jumatch_scoring import JumatchScore
    from fastmatch.umr.scoring import DocumentScore

__all__ = ["documents_report", "warn_left_out", "write_roles", "write_sentences"]

_LABELS = {
    "sent": "sentences (labelled relations)",
    "modal": "modal relations",
    "temporal": "temporal relations",
    "coref": "coreference",
    "comp": "comprehensive",
}


#: Scores of juːmæʧ: label, precision, recall, F1, and what is counted: matches, or nodes that have a partner.
_PARTS = {
    "juːmæʧ": ("precision", "recall", "f1", "matched", "n_pred", "n_gold"),
    "of nodes with a partner": ("linked_p", "linked_r", "linked_f", "linked", "n_linked_pred", "n_linked_gold"),
    "nodes with a partner": ("mapped_p", "mapped_r", "mapped_f", "mapped_pred", "nodes_pred", "nodes_gold"),
    "token sets of nodes": ("tokens_p", "tokens_r", "tokens_f", "tokens", "n_tokens_pred", "n_tokens_gold"),
}


def documents_report(result: DocumentScore | JumatchScore) -> Report:
    """One row a kind of relation, one a document if there are several, and what was left out.

    For programs a row a document.
    """
    from fastmatch.umr.jumatch_scoring import JumatchScore

    n_documents = len(result.documents)
    headline = {name: name for name in _LABELS}
    if isinstance(result, JumatchScore):
        tables = [_parts(result)]
        headline = {"f1": "juːmæʧ", "linked_f": "of nodes with a partner", "mapped_f": "nodes with a partner"}
    else:
        rows = [
            (label, *(points(result.scores[name + kind]) for kind in ("_p", "_r", "")))
            for name, label in _LABELS.items()
        ]
        title = f"means of {n_documents:,} documents" if n_documents > 1 else ""
        tables = [Table(("", "precision", "recall", "F1"), rows, title)]
    if n_documents > 1:
        each = [
            (pred, *(points(scores[name]) for name in headline))
            for (pred, _), scores in zip(result.names, result.documents, strict=True)
        ]
        tables.append(Table(("F1", *headline.values()), each))
    notes = []
    if result.problems:
        broken = {(document, k) for document, k, _ in result.problems}
        out = sum(k not in result.sentences[document][0] for document, k in broken)
        notes.append(f"sentences that could not be read: {len(broken):,}, left out: {out:,}")
    n_cut = sum(int((~getattr(pairs, "settled", pairs.certified)).sum()) for _, pairs in result.sentences)
    if n_cut:
        n = sum(len(pairs) for _, pairs in result.sentences)
        notes.append(f"cut short by a limit of work: {n_cut:,} of {counted(n, 'sentence')}")
    return Report(
        "fastmatch umr",
        tables,
        ("pred", "gold", *result.scores, "signature"),
        [
            (*names, *scores.values(), str(result.signature))
            for names, scores in zip(result.names, result.documents, strict=True)
        ],
        result.to_dict(),
        [(result.signature.metric, str(result.signature))],
        notes,
    )


def _parts(result: JumatchScore) -> Table:
    """The scores of juːmæʧ and what they are made of."""
    counts = result.counts
    n = sum(len(kept) for kept, _ in result.sentences)
    documents = f"{len(result.documents):,} documents, " if len(result.documents) > 1 else ""
    rows = []
    for label, names in _PARTS.items():
        cells = [points(result.scores[name]) for name in names[:3]]
        if result.intervals is not None:
            low, high = result.intervals[names[2]]
            cells.append(f"{points(low)} – {points(high)}")
        rows.append((label, *cells, *(f"{counts[name]:,}" for name in names[3:])))
    interval = [f"{result.intervals.confidence:.0%} interval"] if result.intervals is not None else []
    header = ("", "precision", "recall", "F1", *interval, "matched", "predicted", "gold")
    return Table(header, rows, f"{documents}{counted(n, 'sentence')}")


def write_sentences(result: DocumentScore | JumatchScore, path: str) -> None:
    """One line a sentence, with its scores and counts; as :func:`write_lines` writes them."""
    write_lines(_sentence_lines(result), path)


def _sentence_lines(result: DocumentScore | JumatchScore) -> Iterator[str]:
    for document, (kept, pairs) in enumerate(result.sentences):
        table = pairs.columns()
        if not document:
            yield "\t".join(("document", "sentence", *table)) + "\n"
        for k, *values in zip(kept, *(column.tolist() for column in table.values()), strict=True):
            yield "\t".join((result.names[document][0], str(k + 1), *map(repr, values))) + "\n"


def write_roles(result: JumatchScore, path: str) -> None:
    """One line a role, with its counts and scores; as :func:`write_lines` writes them."""
    from fastmatch.results.ratios import prf

    lines = ["\t".join(("role", "matched", "n_pred", "n_gold", "precision", "recall", "f1")) + "\n"]
    for role, counts in result.roles.items():
        lines.append("\t".join((role, *map(str, counts), *map(repr, prf(*counts)))) + "\n")
    write_lines(lines, path)


def warn_left_out(result: DocumentScore | JumatchScore) -> None:
    """One line on standard error for each thing that could not be read, and one if texts differ."""
    for document, k, message in result.problems:
        what = "not wholly read" if k in result.sentences[document][0] else "left out"
        say(f"fastmatch: {what}: {message}", sys.stderr)
    if result.unlike:
        places = ", ".join(
            (f"{result.names[document][0]}: " if len(result.documents) > 1 else "") + str(sentence + 1)
            for document, sentence in result.unlike[:5]
        )
        more = "" if len(result.unlike) <= 5 else ", ..."
        n = len(result.unlike)
        differ = "1 sentence differs in its" if n == 1 else f"{n:,} sentences differ in their"
        say(f"fastmatch: warning: {differ} text ({places}{more}); do the documents belong together?", sys.stderr)
