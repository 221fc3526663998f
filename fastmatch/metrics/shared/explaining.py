"""Which triples match under a map of variables: what ``explain`` of the metrics that map variables has in common.

The triples of both graphs get keys, so that two of them match if the key of one becomes that of the other when its
variables are mapped. A key is (role, value, variable) for a concept or attribute, (role, −2, source, target) for a
relation; labels are folded ids, and the role of a concept is −1.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from fastmatch._ext.graphs.placed import placed_triples
from fastmatch.graphs.corpus import Corpus
from fastmatch.metrics.shared.triples import TOPS, TRIPLE_CLASSES, Labels
from fastmatch.results.alignment import Explanation
from fastmatch.types import Int32Array, Triple

Key = tuple[int, ...]
#: A triple by its key, and as it was written.
KeyedTriple = tuple[Key, Triple]


def keyed_triples(
    corpus: Corpus, graph: int, labels: Labels, *, top: str, classes: int = TRIPLE_CLASSES, repeated: bool = False
) -> list[KeyedTriple]:
    """The triples of a graph that count, TOP first and then in the order of the text.

    Parameters
    ----------
    corpus : Corpus
    graph : int
        Its number.
    labels : Labels
        Of this corpus.
    top : {"constant", "concept", "none"}
        The value of the triple that stands for the root; it is written as ``(root, ":TOP", …)``.
    classes : int
        Sum of the classes that count: ``INSTANCE``, ``ATTRIBUTE``, ``RELATION``.
    repeated : bool
        Keep every copy of a repeated triple; else only the first one.
    """
    return placed_triples(corpus.columns, corpus.vocabulary.interner, graph, labels, TOPS[top], classes, repeated)


def explanation(
    pred: Sequence[KeyedTriple],
    gold: Sequence[KeyedTriple],
    mapping: Int32Array,
    *,
    similar: Set[tuple[int, int]] = frozenset(),
    similar_roles: Set[int] = frozenset(),
) -> Explanation:
    """Pair every predicted triple with the gold triple that it matches, each gold triple with one at most.

    Equal triples come first; of what is left, triples with similar values.

    Parameters
    ----------
    pred, gold : sequence of (key, triple)
        What :func:`keyed_triples` gives.
    mapping : int32[n_variables of the prediction]
        Variable → variable of the gold graph, or −1.
    similar : set of (int, int)
        Values of a prediction and a gold graph that match though they differ.
    similar_roles : set of int
        Roles of the triples for which this holds, −1 for concepts.
    """
    places = mapping.tolist()
    waiting: dict[Key, list[int]] = {}
    for number in reversed(range(len(gold))):
        waiting.setdefault(gold[number][0], []).append(number)
    partners: dict[int, int] = {}
    for number, ((role, value, *ends), _) in enumerate(pred):
        renamed = [places[variable] for variable in ends]
        queue = waiting.get((role, value, *renamed)) if -1 not in renamed else None
        if queue:
            partners[number] = queue.pop()
    taken = set(partners.values())
    for number, ((role, value, *ends), _) in enumerate(pred if similar else ()):
        if number in partners or role not in similar_roles or len(ends) > 1:
            continue
        for other, ((other_role, other_value, *other_ends), _) in enumerate(gold):
            if (
                other not in taken
                and other_role == role
                and other_ends == [places[ends[0]]]
                and (value, other_value) in similar
            ):
                partners[number] = other
                taken.add(other)
                break
    return Explanation(
        tuple((pred[a][1], gold[b][1]) for a, b in partners.items()),
        tuple(triple for number, (_, triple) in enumerate(pred) if number not in partners),
        tuple(triple for number, (_, triple) in enumerate(gold) if number not in taken),
    )
