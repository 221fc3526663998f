from __future__ import annotations

import os
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

import numpy as np

from fastmatch.errors import OptionError, PairingError, ReadError
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.metrics.registry import make
from fastmatch.results.scores import Scores
from fastmatch.results.signature import Signature
from fastmatch.umr.documents import Document, parse, read
from fastmatch.umr.relations import (
    closure,
    compare_clusters,
    compare_sets,
    coref_edges,
    harmonic,
    identities,
    ratio,
    temporal_edges,
    tool_identities,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeAlias, TypeGuard

    from fastmatch.graphs.corpus import Corpus
    from fastmatch.metrics.base import Metric
    from fastmatch.results.scores import PairScores

    Documents: TypeAlias = "Document | str | PathLike[str] | Iterable[Document | str | PathLike[str]]"

__all__ = ["DocumentScore", "score", "score_documents"]


def score(
    pred: Documents,
    gold: Documents,
    *,
    preset: str | None = None,
    **options: Any,
) -> DocumentScore:
    """Compare predicted documents with gold ones.

    Parameters
    ----------
    pred, gold : Document, str, path object, or a sequence of these
        A string is the text of one document, a path object names its file, or a folder whose files are documents (but
        those whose names begin with a dot). Documents of folders are paired by the names of their files, others by
        their places, sentences in a document by theirs.
    preset : {None, "tool"}
        ``"tool"``: as the package ancast 0.1.1 does it, its slips included.
    **options
        AnCast's own.

    Returns
    -------
    DocumentScore

    Raises
    ------
    PairingError
        If the numbers of documents or sentences differ, or two folders hold files of different names.
    ReadError, OptionError
        If a text is no document, or an option has no such value.
    OSError
        If a file cannot be read.
    """
    if _is_folder(pred) and _is_folder(gold):
        names = [set(_files(folder)) for folder in (pred, gold)]
        odd = sorted(names[0] ^ names[1])
        if odd:
            there, missing = (pred, gold) if odd[0] in names[0] else (gold, pred)
            raise PairingError(
                f"umr: {fspath(there)} has {odd[0]!r}, {fspath(missing)} has not; folders are paired by names of files"
            )
    return score_documents(_documents("pred", pred), _documents("gold", gold), preset, options)


def _documents(side: str, given: Any) -> list[Document]:
    if isinstance(given, Document | str | PathLike):
        return _read_any(side, given)
    if isinstance(given, bytes) or not hasattr(given, "__iter__"):
        raise TypeError(f"{side}: expected {_EXPECTED}, or a sequence of these, not {type(given).__name__}")
    documents: list[Document] = []
    for number, one in enumerate(given):
        if not isinstance(one, Document | str | PathLike):
            raise TypeError(f"{side}[{number}]: expected {_EXPECTED}, not {type(one).__name__}")
        documents += _read_any(f"{side}[{number}]", one)
    return documents


def _is_folder(given: Any) -> TypeGuard[PathLike[str]]:
    return isinstance(given, PathLike) and os.path.isdir(given)


def _files(folder: PathLike[str]) -> list[str]:
    """Names of the files of a folder, in order.

    Raises
    ------
    OptionError
        If there are none.
    """
    with os.scandir(folder) as entries:
        names = sorted(entry.name for entry in entries if entry.is_file() and not entry.name.startswith("."))
    if not names:
        raise OptionError(f"{fspath(folder)}: no files in this folder, expected UMR documents")
    return names


_EXPECTED = "a Document, the text of one or a path object"


def _read_any(name: str, given: Document | str | PathLike[str]) -> list[Document]:
    if isinstance(given, Document):
        return [given]
    if isinstance(given, str):
        if given.strip() and "\n" not in given:
            raise ReadError("no UMR document; the name of a file goes into a path object", source=name)
        return [parse(given, source=name)]
    if _is_folder(given):
        return [read(os.path.join(given, file)) for file in _files(given)]
    return [read(given)]


_NAMES = ("sent", "modal", "temporal", "coref", "comp")


@dataclass(frozen=True)
class DocumentScore:
    """Scores of documents.

    Attributes
    ----------
    scores : Scores
        F of sentences (labelled relations), of modal, temporal and coreference relations, and of all together
        (``sent``, ``modal``, ``temporal``, ``coref``, ``comp``), and precision (``_p``) and recall (``_r``) of each. Of
        several documents the means.
    documents : tuple of Scores
        The same of each document.
    signature : Signature
        What the numbers depend on.
    problems : tuple of (document, sentence, message)
        Sentences that could not be read and are left out (preset ``tool``), counted from 0.
    names : tuple of (str, str)
        Where each document and its gold document come from.
    sentences : tuple of (numbers, PairScores)
        For each document which of its sentences were scored, counted from 0, and AnCast's scores of them.
    unlike : tuple of (document, sentence)
        Sentences whose texts differ, counted from 0: are the documents those that belong together?
    """

    scores: Scores
    documents: tuple[Scores, ...]
    signature: Signature
    problems: tuple[tuple[int, int, str], ...] = ()
    names: tuple[tuple[str, str], ...] = ()
    sentences: tuple[tuple[tuple[int, ...], PairScores], ...] = ()
    unlike: tuple[tuple[int, int], ...] = ()

    @property
    def score(self) -> float:
        """The comprehensive F."""
        return self.scores["comp"]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON."""
        return {
            "signature": str(self.signature),
            "n_documents": len(self.documents),
            "scores": dict(self.scores),
            "documents": [
                {"pred": pred, "gold": gold, **scores}
                for (pred, gold), scores in zip(self.names, self.documents, strict=True)
            ],
            "problems": [list(problem) for problem in self.problems],
            "unlike": [list(place) for place in self.unlike],
        }

    def __repr__(self) -> str:
        values = ", ".join(f"{name} {self.scores[name]:.6f}" for name in _NAMES)
        return f"<DocumentScore: {values}, {self.signature}>"


def score_documents(
    pred: Sequence[Document], gold: Sequence[Document], preset: str | None, options: Mapping[str, Any]
) -> DocumentScore:
    """See :func:`fastmatch.umr.scoring.score`."""
    metric = make("ancast", preset, **options)
    tool: bool = metric.standard == "tool"  # type: ignore[attr-defined]
    if len(pred) != len(gold):
        raise PairingError(f"umr: {len(pred)} predicted documents but {len(gold)} gold ones")
    problems: list[tuple[int, int, str]] = []
    rows = []
    sentences = []
    for number, (one, two) in enumerate(zip(pred, gold, strict=True)):
        if len(one) != len(two):
            raise PairingError(
                f"umr: {one.source} has {len(one)} sentences but {two.source} has {len(two)}; they are paired by place"
            )
        scores, kept, pairs = _score_one(one, two, metric, tool, number, problems)
        rows.append(scores)
        sentences.append((kept, pairs))
    if rows:
        means = {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}
    else:
        means = {f"{name}{kind}": 1.0 for name in _NAMES for kind in ("", "_p", "_r")}
    signature = Signature("umr", metric.fields("ancast-umr" if tool else "penman"))
    return DocumentScore(
        Scores(means),
        tuple(rows),
        signature,
        tuple(problems),
        tuple((one.source, two.source) for one, two in zip(pred, gold, strict=True)),
        tuple(sentences),
        tuple(
            (number, k)
            for number, (one, two) in enumerate(zip(pred, gold, strict=True))
            for k in range(len(one))
            if one.sentences[k].text != two.sentences[k].text
        ),
    )


def _score_one(
    pred: Document, gold: Document, metric: Metric, tool: bool, number: int, problems: list[tuple[int, int, str]]
) -> tuple[Scores, tuple[int, ...], PairScores]:
    """The document's scores, which of its sentences were scored, and how."""
    left_out: set[int] = set()
    dialect = "ancast-umr" if tool else "penman"
    # the package looks for the names of both graphs in the text of the prediction
    texts = [sentence.text for sentence in pred.sentences] if tool else None
    vocabulary = Vocabulary()
    pred_corpus = _graphs(pred, dialect, vocabulary, None)
    gold_corpus = _graphs(gold, dialect, vocabulary, texts)
    for document, corpus in ((pred, pred_corpus), (gold, gold_corpus)):
        for k, message in corpus.problems:
            message = f"sentence {k + 1}: {message.partition(': ')[2]}"
            if not tool:
                raise ReadError(message, source=document.source, line=document.sentences[k].line, column=1)
            left_out.add(k)
            problems.append((number, k, f"{document.source}:{document.sentences[k].line}: {message}"))
    kept = [k for k in range(len(pred)) if k not in left_out]
    pred_corpus, gold_corpus = pred_corpus[kept], gold_corpus[kept]
    aligned = score(pred_corpus, gold_corpus, metric=metric, mapping=True)
    maps = [
        _by_name(pred_corpus, gold_corpus, k, aligned.pairs.mapping_of(k).tolist()) for k in range(len(pred_corpus))
    ]
    sentences = [(pred.sentences[k], gold.sentences[k]) for k in kept]
    relations = (tool_identities if tool else identities)(sentences, maps)
    parts = {"modal": compare_sets(*relations["modal"])}
    for name, edges in (("temporal", temporal_edges), ("coref", coref_edges)):
        sides = [closure(edges(side, tool)) for side in relations[name]]
        if not tool:  # what says nothing is nothing to find
            sides = [[cluster for cluster in side if cluster[0]] for side in sides]
        parts[name] = compare_clusters(sides[0], sides[1])
    sums = dict(zip(aligned.pairs.names, aligned.pairs.statistics.sum(axis=1).tolist(), strict=True))
    lr = [(sums[f"labelled_{side}"], sums[f"n_relations_{side}"]) for side in ("pred", "gold")]
    pooled = [
        (sum(part[side][0] for part in (lr, *parts.values())), sum(part[side][1] for part in (lr, *parts.values())))
        for side in (0, 1)
    ]
    micro = aligned.micro
    # of no sentences the package's average is 0
    scores = {"sent": (micro["lr_p"], micro["lr_r"]) if kept or not tool else (0.0, 0.0)}
    for name, part in {**parts, "comp": pooled}.items():
        if tool or part[0][1] or part[1][1]:
            scores[name] = ratio(*part[0]), ratio(*part[1])
        else:  # two documents that say nothing of the kind say the same
            scores[name] = scores["sent"] if name == "comp" else (1.0, 1.0)
    result = {name: harmonic(*scores[name]) for name in _NAMES}
    for name in _NAMES:
        result[f"{name}_p"], result[f"{name}_r"] = scores[name]
    return Scores(result), tuple(kept), aligned.pairs


def _graphs(document: Document, dialect: str, vocabulary: Vocabulary, texts: list[str] | None) -> Corpus:
    """The sentence graphs, with their texts, or those given, as ``# ::snt``."""
    own: Sequence[str | None] = texts or [None] * len(document)
    blocks = [sentence.penman(text) for sentence, text in zip(document.sentences, own, strict=True)]
    return parse(blocks, dialect=dialect, on_error="empty", vocabulary=vocabulary)


def _by_name(pred: Corpus, gold: Corpus, k: int, partners: list[int]) -> tuple[dict[str, str | None], set[str]]:
    """Variables of sentence k → their partners or None; and all variables of the gold sentence."""
    sides = []
    for corpus in (pred, gold):
        start, stop = corpus.variable_offsets[k : k + 2].tolist()
        ids = corpus.variable_names[start:stop].tolist()
        sides.append([corpus.vocabulary.text(name) if name >= 0 else "" for name in ids])
    names, others = sides
    matched: dict[str, str | None] = {}
    for name, partner in zip(names, partners, strict=True):
        if matched.get(name) is None:
            matched[name] = others[partner] if partner >= 0 else None
    return matched, set(others)
