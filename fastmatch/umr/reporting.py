"""What scores of documents have to show, whatever their metric."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from fastmatch.report.cells import Points, count
from fastmatch.report.model import Report, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fastmatch.results.pairs import PairScores, Scores
    from fastmatch.results.signature import Signature

__all__ = ["documents_report"]


class _Result(Protocol):
    @property
    def scores(self) -> Scores: ...
    @property
    def documents(self) -> Sequence[Scores]: ...
    @property
    def names(self) -> Sequence[tuple[str, str]]: ...
    @property
    def sentences(self) -> Sequence[tuple[tuple[int, ...], PairScores]]: ...
    @property
    def problems(self) -> Sequence[tuple[int, int, str]]: ...
    @property
    def signature(self) -> Signature: ...
    def to_dict(self) -> dict[str, Any]: ...


def documents_report(result: _Result, table: Table, headlines: Mapping[str, str]) -> Report:
    """The table of all documents together, one row a document if there are several, and what was left out.

    For programs a row a document. ``headlines`` says which scores stand for a document, and what they are called.
    """
    tables = [table]
    if len(result.documents) > 1:
        each = [
            (pred, *(Points(scores[name]) for name in headlines))
            for (pred, _), scores in zip(result.names, result.documents, strict=True)
        ]
        tables.append(Table(("F1", *headlines.values()), each))
    notes = []
    if result.problems:
        broken = {(document, k) for document, k, _ in result.problems}
        out = sum(k not in result.sentences[document][0] for document, k in broken)
        notes.append(f"sentences that could not be read: {len(broken):,}, left out: {out:,}")
    n_cut = sum(int((~getattr(pairs, "settled", pairs.certified)).sum()) for _, pairs in result.sentences)
    if n_cut:
        n = sum(len(pairs) for _, pairs in result.sentences)
        notes.append(f"cut short by a limit of work: {n_cut:,} of {count(n, 'sentence')}")
    return Report(
        "fastmatch score",
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
