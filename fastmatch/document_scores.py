"""What two UMR documents have in common beyond their sentences: modality, time, coreference.

As AnCast++ (package ancast 0.1.1) has it. Sentences are aligned by AnCast; then every concept of the annotation gets an
*identity* that both documents share if it is aligned, and relations can be compared:

*modal*     relations between identities as sets: precision and recall of what they share;
*temporal*  relations become edges of a few kinds, from each concept on the edges are followed as long as their kinds
            can be composed (before a thing that is before another …), and what is reached this way are *facts*. A
            document falls into clusters of concepts that are connected; a cluster's score is the share of its facts
            that the other document has as well, and weighs as much as it has concepts;
*coref*     the same, with kinds for same entity, same event, part and whole;
*comp*      numerators and denominators of labelled relations, modal, temporal and coref relations added up.

The default mends what are plain slips in the package: a variable of another sentence is looked up in that sentence's
alignment (the package takes it for the same thing on both sides if that sentence's annotation does not mention it),
``same-event`` holds in both directions (there it is noted twice in one), each side's anchors are looked for in its own
sentence (there both in the prediction's), a document whose only coreference is a thing with itself is no error, and
where neither document has relations of a kind they score 1 (there 0).
``preset="tool"`` keeps them, and like the package leaves out sentences that it cannot read.

A document has a few hundred relations at most, so this is Python; aligning the sentences is not.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fastmatch.errors import PairingError, ReadError
from fastmatch.metrics.base import make
from fastmatch.reading import parse
from fastmatch.results import Scores
from fastmatch.scoring import score
from fastmatch.signature import Signature
from fastmatch.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from fastmatch.corpus import Corpus
    from fastmatch.metrics.base import Metric
    from fastmatch.results import PairScores
    from fastmatch.umr import Document, Sentence

    #: concept → the concepts it has an edge to, with the edge's kind
    Edges = dict[int, list[tuple[int, str]]]
    Fact = tuple[int, int, str]

__all__ = ["DocumentScore", "score_documents"]

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
    """See :func:`fastmatch.umr.score`."""
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


# One document -----------------------------------------------------------------------------------------------------


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
    relations = (_tool_identities if tool else _identities)(sentences, maps)
    parts = {"modal": _compare_sets(*relations["modal"])}
    for name, edges in (("temporal", _temporal_edges), ("coref", _coref_edges)):
        sides = [_closure(edges(side, tool)) for side in relations[name]]
        if not tool:  # what says nothing is nothing to find
            sides = [[cluster for cluster in side if cluster[0]] for side in sides]
        parts[name] = _compare_clusters(sides[0], sides[1])
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
            scores[name] = _ratio(*part[0]), _ratio(*part[1])
        else:  # two documents that say nothing of the kind say the same
            scores[name] = scores["sent"] if name == "comp" else (1.0, 1.0)
    result = {name: _harmonic(*scores[name]) for name in _NAMES}
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


# Identities -------------------------------------------------------------------------------------------------------

Relations = dict[tuple[int, int], str]


def _identities(
    sentences: Sequence[tuple[Sentence, Sentence]], maps: Sequence[tuple[dict[str, str | None], set[str]]]
) -> dict[str, tuple[Relations, Relations]]:
    """Both sides' relations between numbered concepts; the alignment of all sentences says which are the same."""
    forth: dict[str, str | None] = {}
    gold_variables: set[str] = set()
    for matched, others in maps:
        for name, other in matched.items():
            forth.setdefault(name, other)
        gold_variables |= others
    numbers: dict[Hashable, int] = {}

    def identity(name: str, side: int) -> int:
        key: Hashable
        if side == 0 and name in forth:
            other = forth[name]
            key = ("gold", other) if other is not None else ("pred", name)
        elif side == 1 and name in gold_variables:
            key = ("gold", name)
        else:  # author, root, document-creation-time …
            key = name
        return numbers.setdefault(key, len(numbers))

    result: dict[str, tuple[Relations, Relations]] = {"temporal": ({}, {}), "modal": ({}, {}), "coref": ({}, {})}
    for pair in sentences:
        for aspect, both in result.items():
            for side in (0, 1):
                for head, relation, tail in pair[side].relations[aspect]:
                    both[side][identity(head, side), identity(tail, side)] = relation
    return result


def _tool_identities(
    sentences: Sequence[tuple[Sentence, Sentence]], maps: Sequence[tuple[dict[str, str | None], set[str]]]
) -> dict[str, tuple[Relations, Relations]]:
    """The same as the package does it: a name gets its number, and gives it to its partner, where it is first met."""
    known: tuple[dict[str, int], dict[str, int]] = ({}, {})
    count = 0
    result: dict[str, tuple[Relations, Relations]] = {"temporal": ({}, {}), "modal": ({}, {}), "coref": ({}, {})}
    for pair, (matched, others) in zip(sentences, maps, strict=True):
        back = {other: name for name, other in matched.items() if other is not None}
        for aspect, both in result.items():
            for side in (0, 1):
                for head, relation, tail in pair[side].relations[aspect]:
                    for name in (head, tail):
                        if name in known[side]:
                            continue
                        known[side][name] = count
                        here = name in matched if side == 0 else name in others
                        other = (matched if side == 0 else back).get(name) if here else name
                        if other is not None:
                            known[1 - side][other] = count
                        count += 1
                    both[side][known[side][head], known[side][tail]] = relation
    return result


# Edges and facts --------------------------------------------------------------------------------------------------


def _temporal_edges(relations: Relations, tool: bool) -> Edges:
    """``r``: after. ``dp``: depends on. ``up``, ``dn``: to the whole, to the part. ``o``: overlaps."""
    edges: Edges = defaultdict(list)
    for (head, tail), relation in relations.items():
        if relation == "after":
            edges[head].append((tail, "r"))
        elif relation == "before":
            edges[tail].append((head, "r"))
        elif relation == "depends-on":
            edges[head].append((tail, "dp"))
        elif relation in ("contained", "includes"):
            edges[tail].append((head, "dn"))
            edges[head].append((tail, "up"))
        elif relation == "overlap":
            edges[min(head, tail)].append((max(head, tail), "o"))
    return edges


def _coref_edges(relations: Relations, tool: bool) -> Edges:
    """``sn``: same entity. ``sv``: same event. ``up``, ``dn``: to the whole, to the part."""
    edges: Edges = defaultdict(list)
    for (head, tail), relation in relations.items():
        if relation == "same-entity":
            edges[head].append((tail, "sn"))
            edges[tail].append((head, "sn"))
        elif relation == "same-event":
            edges[tail if tool else head].append((head if tool else tail, "sv"))
            edges[tail].append((head, "sv"))
        elif relation == "subset-of":
            edges[head].append((tail, "up"))
            edges[tail].append((head, "dn"))
    return edges


#: kind so far, kind of the next edge → kind of the two together; what is not here ends a walk.
_COMPOSED = {
    ("r", "r"): "r",
    ("r", "dn"): "r",
    ("up", "r"): "r",
    ("up", "up"): "up",
    ("dn", "dn"): "dn",
    **{(same, kind): kind for same in ("sn", "sv") for kind in ("up", "dn")},
    **{(kind, same): kind for same in ("sn", "sv") for kind in ("up", "dn")},
    **{(one, two): one for one in ("sn", "sv") for two in ("sn", "sv")},
}


def _fact(start: int, end: int, kind: str) -> Fact:
    """One way to write what can be said in two."""
    if kind == "up":
        return end, start, "dn"
    if kind in ("sv", "sn", "o") and end < start:
        return end, start, kind
    return start, end, kind


def _closure(edges: Edges) -> list[tuple[set[Fact], set[int]]]:
    """The clusters: what can be said of their concepts, and the concepts.

    From every concept with edges a walk, depth first, the last edge of a concept first. A concept that was expanded is
    not expanded again; if it is met again in another way, that is one more fact, except that a concept is itself.
    """
    parent: dict[int, int] = {}

    def root(concept: int) -> int:
        parent.setdefault(concept, concept)
        while parent[concept] != concept:
            parent[concept] = parent[parent[concept]]
            concept = parent[concept]
        return concept

    facts: dict[int, set[Fact]] = {}
    for start in edges:
        found: set[Fact] = set()
        expanded = set()
        waiting = [(start, "")]
        while waiting:
            here, kind = waiting.pop()
            expanded.add(here)
            for there, step in edges.get(here, ()):
                parent[root(there)] = root(start)
                together = _COMPOSED.get((kind, step)) if kind else step
                if together is None:
                    continue
                if there not in expanded:
                    found.add(_fact(start, there, together))
                    if there in edges:
                        waiting.append((there, together))
                    else:
                        expanded.add(there)
                elif there != start or together not in ("sn", "sv"):
                    found.add(_fact(start, there, together))
        facts[start] = found
    clusters: dict[int, tuple[set[Fact], set[int]]] = {}
    for concept in parent:
        said, members = clusters.setdefault(root(concept), (set(), set()))
        members.add(concept)
        said |= facts.get(concept, set())
    return list(clusters.values())


# Scores -----------------------------------------------------------------------------------------------------------


def _compare_sets(pred: Relations, gold: Relations) -> tuple[tuple[float, float], tuple[float, float]]:
    common = len(pred.items() & gold.items())
    return (common, len(pred)), (common, len(gold))


def _compare_clusters(
    pred: list[tuple[set[Fact], set[int]]], gold: list[tuple[set[Fact], set[int]]]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Numerator and denominator of either side."""
    sides = []
    for mine, theirs in ((pred, gold), (gold, pred)):
        known: set[Fact] = set().union(*(facts for facts, _ in theirs))
        shares = [(len(concepts), _ratio(len(facts & known), len(facts))) for facts, concepts in mine]
        sides.append((float(sum(size * share for size, share in shares)), float(sum(size for size, _ in shares))))
    return sides[0], sides[1]


def _ratio(top: float, bottom: float) -> float:
    return top / bottom if bottom else 0.0


def _harmonic(p: float, r: float) -> float:
    return 2 * p * r / (p + r) if p + r else 0.0
