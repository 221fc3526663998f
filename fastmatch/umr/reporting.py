"""What scores of documents have to show, whatever their metric."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from fastmatch.report.cells import Points, count
from fastmatch.report.frames import Tabular
from fastmatch.report.model import Report, Reported, Table
from fastmatch.report.writing import plain
from fastmatch.results.pairs import PairScores, Scores
from fastmatch.results.signature import Signature


@dataclass(frozen=True)
class ScoresOfDocuments(Reported, Tabular):
    """What scores of documents are, whatever their metric.

    Attributes
    ----------
    scores : Scores
        Those of all documents together.
    documents : tuple of Scores
        The same of each document.
    signature : Signature
        What the numbers depend on.
    problems : tuple of (document, sentence, message)
        Sentences of which a part could not be read, or that one side lacks, counted from 0, and what is wrong and
        where. They are left out, or what is missing of them is empty or was mended, as ``on_error`` asks.
    names : tuple of (str, str)
        Where each document and its gold document come from.
    sentences : tuple of (numbers, PairScores)
        For each document the numbers of the sentences that were scored, counted from 0, and what was found of them.
    unlike : tuple of (document, sentence)
        Sentences whose texts differ, counted from 0: perhaps the two documents do not belong together.
    """

    headline: ClassVar[str]

    scores: Scores
    documents: tuple[Scores, ...]
    signature: Signature
    problems: tuple[tuple[int, int, str], ...] = ()
    names: tuple[tuple[str, str], ...] = ()
    sentences: tuple[tuple[tuple[int, ...], PairScores], ...] = ()
    unlike: tuple[tuple[int, int], ...] = ()

    @property
    def score(self) -> float:
        """The score that stands for all: ``headline``."""
        return self.scores[self.headline]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON."""
        return {
            "metric": self.signature.metric,
            "signature": str(self.signature),
            "scores": plain(self.scores),
            "documents": self._rows(),
            "problems": [list(problem) for problem in self.problems],
            "unlike": [list(place) for place in self.unlike],
        }

    def _rows(self) -> list[dict[str, Any]]:
        """What there is to know of each document."""
        return [
            {"pred": pred, "gold": gold, **plain(scores)}
            for (pred, gold), scores in zip(self.names, self.documents, strict=True)
        ]

    def _report(self, table: Table, headlines: Mapping[str, str]) -> Report:
        """The table of all documents together, one row a document if there are several, and what was left out.

        For programs a row a document. ``headlines`` says which scores stand for a document, and what they are called.
        """
        tables = [table]
        if len(self.documents) > 1:
            each = [
                (pred, *(Points(scores[name]) for name in headlines))
                for (pred, _), scores in zip(self.names, self.documents, strict=True)
            ]
            tables.append(Table(("F1", *headlines.values()), each))
        notes = []
        if self.problems:
            broken = {(document, k) for document, k, _ in self.problems}
            out = sum(k not in self.sentences[document][0] for document, k in broken)
            notes.append(f"sentences that could not be read: {len(broken):,}, left out: {out:,}")
        n_cut = sum(int((~getattr(pairs, "settled", pairs.certified)).sum()) for _, pairs in self.sentences)
        if n_cut:
            n = sum(len(pairs) for _, pairs in self.sentences)
            notes.append(f"cut short by a limit of work: {n_cut:,} of {count(n, 'sentence')}")
        data = [
            (*names, *scores.values(), str(self.signature))
            for names, scores in zip(self.names, self.documents, strict=True)
        ]
        return self._reported("fastmatch score", tables, ("pred", "gold", *self.scores, "signature"), data, notes)
