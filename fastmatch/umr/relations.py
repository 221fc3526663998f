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
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from fastmatch.umr.documents import Sentence

    #: concept → the concepts it has an edge to, with the edge's kind
    Edges = dict[int, list[tuple[int, str]]]
    Fact = tuple[int, int, str]

__all__ = []


# One document -----------------------------------------------------------------------------------------------------


# Identities -------------------------------------------------------------------------------------------------------

Relations = dict[tuple[int, int], str]


def identities(
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


def tool_identities(
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


def closure(edges: Edges) -> list[tuple[set[Fact], set[int]]]:
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


def compare_sets(pred: Relations, gold: Relations) -> tuple[tuple[float, float], tuple[float, float]]:
    common = len(pred.items() & gold.items())
    return (common, len(pred)), (common, len(gold))


def compare_clusters(
    pred: list[tuple[set[Fact], set[int]]], gold: list[tuple[set[Fact], set[int]]]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Numerator and denominator of either side."""
    sides = []
    for mine, theirs in ((pred, gold), (gold, pred)):
        known: set[Fact] = set().union(*(facts for facts, _ in theirs))
        shares = [(len(concepts), ratio(len(facts & known), len(facts))) for facts, concepts in mine]
        sides.append((float(sum(size * share for size, share in shares)), float(sum(size for size, _ in shares))))
    return sides[0], sides[1]


def ratio(top: float, bottom: float) -> float:
    return top / bottom if bottom else 0.0


def harmonic(p: float, r: float) -> float:
    return 2 * p * r / (p + r) if p + r else 0.0
