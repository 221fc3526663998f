"""What two UMR documents have in common beyond their sentences: modality, time, coreference.

This is AnCast++ (package ancast 0.1.1). AnCast aligns the sentence graphs. Then every concept of the document level
annotation gets an *identity*: a number that two concepts share if they are aligned, so that relations of both documents
can be compared.

*modal*     relations between identities as sets: precision and recall of what they share;
*temporal*  relations become edges of a few kinds. From each concept the edges are followed as long as their kinds can
            be composed (what is before something that is before a third thing is before that). What is reached this
            way are *facts*. A document falls into *clusters* of concepts that are connected. A cluster's score is the
            share of its facts that the other document has as well; it is weighted by the number of its concepts;
*coref*     the same, with kinds for same entity, same event, part and whole;
*comp*      numerators and denominators of labelled relations, modal, temporal and coref relations added up.

The default mends what are plain slips of the package:

* a variable of another sentence is looked up in that sentence's alignment (the package takes equal names for the same
  thing in both documents if that sentence's annotation does not mention the variable);
* ``same-event`` holds in both directions (there it is noted twice in one);
* anchors of each graph are looked for in the text of its own sentence (there both in the prediction's);
* a document whose only coreference is of a thing with itself is no error;
* where neither document has relations of a kind they score 1 (there 0).

``preset="tool"`` keeps the slips, and like the package leaves out sentences that it cannot read.

A document has a few hundred relations at most, so this is Python; aligning the sentences is not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeAlias

from fastmatch.umr.documents import Relation

#: What a sentence's annotation holds: ``temporal``, ``modal``, ``coref`` → relations.
Annotation: TypeAlias = Mapping[str, tuple[Relation, ...]]
#: The alignment of a sentence: variable of the prediction → its partner or None; all variables of the gold graph.
Names: TypeAlias = tuple[dict[str, str | None], set[str]]
#: (head, tail) → relation, heads and tails by their identities.
Relations: TypeAlias = dict[tuple[int, int], str]
#: Concept → the concepts it has an edge to, with the edge's kind.
Edges: TypeAlias = dict[int, list[tuple[int, str]]]
#: (concept, concept, kind)
Fact: TypeAlias = tuple[int, int, str]
#: The facts of the concepts of a cluster, and these concepts.
Cluster: TypeAlias = tuple[set[Fact], set[int]]
#: Numerator and denominator of a precision or a recall.
Counts: TypeAlias = tuple[float, float]

# ---- identities ------------------------------------------------------------------------------------------------------


def identities(
    sentences: Sequence[tuple[Annotation, Annotation]], alignments: Sequence[Names]
) -> dict[str, tuple[Relations, Relations]]:
    """Relations of both documents by kind; the alignments of all sentences together say which concepts are the same.

    Parameters
    ----------
    sentences : sequence of (Annotation, Annotation)
        The annotation of each sentence of the prediction with that of the gold document.
    alignments : sequence of Names
        The alignment of each of them.

    Returns
    -------
    dict of str → (Relations, Relations)
        ``temporal``, ``modal``, ``coref``: relations of the prediction and of the gold document.
    """
    forth: dict[str, str | None] = {}
    gold_variables: set[str] = set()
    for matched, others in alignments:
        for name, other in matched.items():
            forth.setdefault(name, other)
        gold_variables |= others
    numbers: dict[Hashable, int] = {}

    def identity(name: str, document: int) -> int:
        key: Hashable
        if document == 0 and name in forth:
            other = forth[name]
            key = ("gold", other) if other is not None else ("pred", name)
        elif document == 1 and name in gold_variables:
            key = ("gold", name)
        else:  # author, root, document-creation-time …
            key = name
        return numbers.setdefault(key, len(numbers))

    result = _no_relations()
    for pair in sentences:
        for aspect, both in result.items():
            for document in (0, 1):
                for head, relation, tail in pair[document][aspect]:
                    both[document][identity(head, document), identity(tail, document)] = relation
    return result


def tool_identities(
    sentences: Sequence[tuple[Annotation, Annotation]], alignments: Sequence[Names]
) -> dict[str, tuple[Relations, Relations]]:
    """The same as the package does it: a name gets its number, and gives it to its partner, where it is first met."""
    known: tuple[dict[str, int], dict[str, int]] = ({}, {})
    count = 0
    result = _no_relations()
    for pair, (matched, others) in zip(sentences, alignments, strict=True):
        back = {other: name for name, other in matched.items() if other is not None}
        for aspect, both in result.items():
            for document in (0, 1):
                for head, relation, tail in pair[document][aspect]:
                    for name in (head, tail):
                        if name in known[document]:
                            continue
                        known[document][name] = count
                        here = name in matched if document == 0 else name in others
                        other = (matched if document == 0 else back).get(name) if here else name
                        if other is not None:
                            known[1 - document][other] = count
                        count += 1
                    both[document][known[document][head], known[document][tail]] = relation
    return result


def _no_relations() -> dict[str, tuple[Relations, Relations]]:
    # the package numbers names in this order
    return {"temporal": ({}, {}), "modal": ({}, {}), "coref": ({}, {})}


# ---- edges and facts -------------------------------------------------------------------------------------------------


def temporal_edges(relations: Relations, tool: bool) -> Edges:
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


def coref_edges(relations: Relations, tool: bool) -> Edges:
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


#: (kind so far, kind of the next edge) → kind of the two together; a walk ends where there is none.
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


#: Edges that the walks of a document may follow; documents of a thousand relations that all compose need no more.
MOST_STEPS = 500_000


def clusters(edges: Edges, composed: bool = True) -> list[Cluster] | None:
    """The clusters of a document: what can be said of their concepts, and the concepts.

    From every concept with edges a walk, depth first, the last edge of a concept first. A concept that was expanded is
    not expanded again. If it is met again in another way, that is one more fact; only that a concept is the same as
    itself is none.

    ``composed`` False: facts are what single edges say. None if walks would follow more than ``MOST_STEPS`` edges; in a
    chain of relations their number grows with the square of its length.
    """
    steps = 0
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
            leaving = edges.get(here, ())
            steps += len(leaving)
            if steps > MOST_STEPS and composed:
                return None
            for there, step in leaving:
                parent[root(there)] = root(start)
                together = _COMPOSED.get((kind, step)) if kind else step
                if together is None:
                    continue
                if there not in expanded:
                    found.add(_fact(start, there, together))
                    if there in edges and composed:
                        waiting.append((there, together))
                    else:
                        expanded.add(there)
                elif there != start or together not in ("sn", "sv"):
                    found.add(_fact(start, there, together))
        facts[start] = found
    result: dict[int, Cluster] = {}
    for concept in parent:
        said, members = result.setdefault(root(concept), (set(), set()))
        members.add(concept)
        said |= facts.get(concept, set())
    return list(result.values())


def _fact(start: int, end: int, kind: str) -> Fact:
    """One spelling for what can be said in two ways."""
    if kind == "up":
        return end, start, "dn"
    if kind in ("sv", "sn", "o") and end < start:
        return end, start, kind
    return start, end, kind


# ---- counts and ratios -----------------------------------------------------------------------------------------------


def compare_sets(pred: Relations, gold: Relations) -> tuple[Counts, Counts]:
    """Relations as sets: numerators and denominators of precision and of recall."""
    common = len(pred.items() & gold.items())
    return (common, len(pred)), (common, len(gold))


def compare_clusters(pred: list[Cluster], gold: list[Cluster]) -> tuple[Counts, Counts]:
    """Shares of facts, weighted by concepts: numerators and denominators of precision and of recall."""
    counts = []
    for mine, theirs in ((pred, gold), (gold, pred)):
        known: set[Fact] = set().union(*(facts for facts, _ in theirs))
        shares = [(len(concepts), ratio(len(facts & known), len(facts))) for facts, concepts in mine]
        counts.append((float(sum(size * share for size, share in shares)), float(sum(size for size, _ in shares))))
    return counts[0], counts[1]


def ratio(top: float, bottom: float) -> float:
    """``top / bottom``, 0 for 0 / 0."""
    return top / bottom if bottom else 0.0


def harmonic(p: float, r: float) -> float:
    """F1 of precision and recall."""
    return 2 * p * r / (p + r) if p + r else 0.0
