"""Scores of UMR documents: AnCast for the sentence graphs, AnCast++ for the relations of the document level.

:func:`score` takes documents in any form, pairs them, and gives a :class:`DocumentScore`. For each pair of documents
AnCast aligns and scores the sentence graphs. Under these alignments :mod:`fastmatch.umr.relations` compares the modal,
temporal and coreference relations. The comprehensive score adds up the numerators and the denominators of all four.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, overload

import numpy as np

from fastmatch.errors import PairingWarning, choice, warn_caller
from fastmatch.evaluation.scoring import score_corpora
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.reading import on_error_mode
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.metrics.base import Metric
from fastmatch.metrics.registry import make
from fastmatch.report.cells import Points
from fastmatch.report.model import Report, Table
from fastmatch.results.pairs import PairScores, Scores
from fastmatch.results.signature import Signature
from fastmatch.types import Dialect, OnError
from fastmatch.umr import relations
from fastmatch.umr.documents import Document, document_of
from fastmatch.umr.graphs import check_sentences, graphs_of_both, unlike_texts
from fastmatch.umr.inputs import Documents, document_pairs
from fastmatch.umr.jumatch_scoring import JumatchScore, score_jumatch
from fastmatch.umr.reporting import ScoresOfDocuments
from fastmatch.umr.tool_reading import relations_of, text_of

#: Scores of a document, in the order in which they are printed, and what they are of.
_TEXTS = {
    "sent": "sentences (labelled relations)",
    "modal": "modal relations",
    "temporal": "temporal relations",
    "coref": "coreference",
    "comp": "comprehensive",
}
_NAMES = tuple(_TEXTS)


@dataclass(frozen=True)
class DocumentScore(ScoresOfDocuments):
    """Scores of documents by AnCast++; the headline is the comprehensive F.

    ``scores`` are F of sentences (labelled relations), of modal, temporal and coreference relations, and of all
    together (``sent``, ``modal``, ``temporal``, ``coref``, ``comp``), and precision (``_p``) and recall (``_r``) of
    each. Fractions in [0, 1]; of several documents the means. NaN if there is no sentence in any of them (preset
    ``tool``: 0, as the package has it). ``sentences`` holds AnCast's scores.
    """

    headline: ClassVar[str] = "comp"

    def report(self) -> Report:
        """A row a kind of relation, one a document if there are several, and what was left out."""
        rows = [
            (text, *(Points(self.scores[name + kind]) for kind in ("_p", "_r", ""))) for name, text in _TEXTS.items()
        ]
        title = f"means of {len(self.documents):,} documents" if len(self.documents) > 1 else ""
        return self._report(Table(("", "precision", "recall", "F1"), rows, title), {name: name for name in _NAMES})

    def __repr__(self) -> str:
        values = ", ".join(f"{name} {self.scores[name]:.6f}" for name in _NAMES)
        return f"<DocumentScore: {values}, {self.signature}>"


@overload
def score(
    pred: Documents,
    gold: Documents,
    *,
    metric: Literal["ancast"] = "ancast",
    preset: Literal["tool"] | None = None,
    on_error: OnError | None = None,
    **options: Any,
) -> DocumentScore: ...


@overload
def score(
    pred: Documents,
    gold: Documents,
    *,
    metric: Literal["jumatch"],
    preset: Literal["tool"] | None = None,
    on_error: OnError | None = None,
    **options: Any,
) -> JumatchScore: ...


def score(
    pred: Documents,
    gold: Documents,
    *,
    metric: Literal["ancast", "jumatch"] = "ancast",
    preset: Literal["tool"] | None = None,
    on_error: OnError | None = None,
    **options: Any,
) -> DocumentScore | JumatchScore:
    """Compare predicted documents with gold ones.

    Parameters
    ----------
    pred, gold : Document, str, path object, open file, or a sequence of these
        A string is the text of one document. A path object names its file, or a folder whose files are documents (files
        whose names begin with a dot are passed over). Documents of two folders are paired by the names of their files,
        others by their places; sentences of a document by their places.
    metric : {"ancast", "jumatch"}
        AnCast++, or juːmæʧ, whose arguments and result :func:`fastmatch.umr.jumatch_scoring.score_jumatch` describes.
        What follows is about AnCast++.
    preset : {None, "tool"}
        ``"tool"``: as the package ancast 0.1.1 does it, its slips included.
    on_error : {None, "raise", "empty", "repair", "skip"}
        What becomes of what cannot be read of a sentence, its graph, alignment or annotation: an error, with the place;
        nothing, so that what the other side has there counts against the prediction; a graph that was mended; or both
        sentences of the pair are left out. None: ``"raise"``, but ``"skip"`` for preset ``tool``, because the package
        leaves out sentences whose graphs it cannot read.
    **options
        AnCast's own.

    Returns
    -------
    DocumentScore

    Raises
    ------
    PairingError
        If the numbers of documents or sentences differ, or two folders hold files of different names.
    ReadError
        If a text is no document, or with ``on_error="raise"`` a part of a sentence cannot be read.
    OptionError
        If an option has no such value.
    OSError
        If a file cannot be read.

    Warns
    -----
    PairingWarning
        If there is no sentence in any document.
    """
    if metric == "jumatch":
        return score_jumatch(pred, gold, preset=preset, on_error=on_error, **options)
    choice("metric", metric, ("ancast", "jumatch"))
    ancast = make("ancast", preset, **options)
    tool: bool = ancast.standard == "tool"  # type: ignore[attr-defined]
    on_error = ("skip" if tool else "raise") if on_error is None else on_error
    on_error_mode(on_error)
    # the package ends where a heading is missing; alignments and annotations it reads in its own way
    careful = on_error == "raise" or (tool and on_error == "skip")

    def reading(text: str, source: str) -> Document:
        return document_of(text, source, "raise" if careful else "empty", tool)

    pairs = document_pairs(pred, gold, reading)
    found = []
    for one, two in pairs:
        check_sentences(one, two)
        found.append(_score_pair(one, two, ancast, tool, on_error))
    if any(len(one) for one, _ in pairs) or (tool and found):
        means = {name: float(np.mean([each.scores[name] for each in found])) for name in found[0].scores}
    else:
        warn_caller("no sentences on either side: there is nothing to score", PairingWarning)
        means = {f"{name}{kind}": math.nan for name in _NAMES for kind in ("", "_p", "_r")}
    return DocumentScore(
        scores=Scores(means),
        documents=tuple(each.scores for each in found),
        signature=Signature("umr", ancast.signature_fields("ancast-umr" if tool else "penman")),
        problems=tuple((number, *problem) for number, each in enumerate(found) for problem in each.problems),
        names=tuple((one.source, two.source) for one, two in pairs),
        sentences=tuple((each.kept, each.sentences) for each in found),
        unlike=tuple((number, k) for number, pair in enumerate(pairs) for k in unlike_texts(*pair)),
    )


# ---- one pair of documents -------------------------------------------------------------------------------------------


class _Found(NamedTuple):
    """Scores of one document; which of its sentences were scored, and AnCast's scores of them; what was left out."""

    scores: Scores
    kept: tuple[int, ...]
    sentences: PairScores
    problems: list[tuple[int, str]]


def _score_pair(pred: Document, gold: Document, metric: Metric, tool: bool, on_error: OnError) -> _Found:
    dialect: Dialect = "ancast-umr" if tool else "penman"
    # the package looks for the names of both graphs in the text of the prediction
    texts = list(map(text_of, pred.sentences)) if tool else None
    corpora, kept, problems = graphs_of_both(pred, gold, dialect, Vocabulary(), texts, on_error)
    pred_graphs, gold_graphs = corpora[0][kept], corpora[1][kept]
    aligned = score_corpora(metric, pred_graphs, gold_graphs, 1, None, True)[0]
    alignments = [
        _by_name(pred_graphs, gold_graphs, k, aligned.mapping_of(k).tolist()) for k in range(len(pred_graphs))
    ]
    sentences = [(pred.sentences[k], gold.sentences[k]) for k in kept]
    if tool:
        said = [(relations_of(one), relations_of(two)) for one, two in sentences]
        related = relations.tool_identities(said, alignments)
    else:
        related = relations.identities([(one.relations, two.relations) for one, two in sentences], alignments)
    parts = {"modal": relations.compare_sets(*related["modal"])}
    for name, edges in (("temporal", relations.temporal_edges), ("coref", relations.coref_edges)):
        both = [edges(each, tool) for each in related[name]]
        found = [relations.clusters(each) for each in both]
        if None in found:
            found = [relations.clusters(each, composed=False) for each in both]
            warn_caller(
                f"{pred.source} and {gold.source}: {name} relations compose to more than {relations.MOST_STEPS:,} "
                "steps, so only what single relations say is compared"
            )
        # a cluster without facts has nothing that could be found; the package counts it
        one, two = ([cluster for cluster in each or () if tool or cluster[0]] for each in found)
        parts[name] = relations.compare_clusters(one, two)
    return _Found(_scores(aligned, parts, bool(kept), tool), tuple(kept), aligned, problems)


def _scores(
    aligned: PairScores, parts: dict[str, tuple[relations.Counts, relations.Counts]], any_sentence: bool, tool: bool
) -> Scores:
    """F, precision and recall of all kinds, from AnCast's scores and the (numerator, denominator) of the others."""
    sums = dict(zip(aligned.names, aligned.statistics.sum(axis=1).tolist(), strict=True))
    sent = [(sums[f"labelled_{of}"], sums[f"n_relations_{of}"]) for of in ("pred", "gold")]
    pooled = [
        (sum(part[of][0] for part in (sent, *parts.values())), sum(part[of][1] for part in (sent, *parts.values())))
        for of in (0, 1)
    ]
    if any_sentence:
        micro = aligned.micro()
        scores = {"sent": (micro["lr_p"], micro["lr_r"])}
    else:  # two documents without sentences agree; the package's average is 0
        scores = {"sent": (0.0, 0.0) if tool else (1.0, 1.0)}
    for name, part in {**parts, "comp": pooled}.items():
        if tool or part[0][1] or part[1][1]:
            scores[name] = relations.ratio(*part[0]), relations.ratio(*part[1])
        else:  # two documents without relations of the kind agree
            scores[name] = scores["sent"] if name == "comp" else (1.0, 1.0)
    result = {name: relations.harmonic(*scores[name]) for name in _NAMES}
    for name in _NAMES:
        result[f"{name}_p"], result[f"{name}_r"] = scores[name]
    return Scores(result)


def _by_name(pred: Corpus, gold: Corpus, k: int, partners: list[int]) -> relations.Names:
    """The alignment of sentence k by the names of variables."""
    names, others = _variable_names(pred, k), _variable_names(gold, k)
    matched: dict[str, str | None] = {}
    for name, partner in zip(names, partners, strict=True):
        if matched.get(name) is None:
            matched[name] = others[partner] if partner >= 0 else None
    return matched, set(others)


def _variable_names(corpus: Corpus, k: int) -> list[str]:
    return [corpus.vocabulary.text(name) if name >= 0 else "" for name in corpus.rows("variable_names", k).tolist()]
