"""Which triples match under a map of variables: what ``explain`` of the metrics that map variables has in common.

The triples of both graphs get keys, so that two of them match if the key of one becomes that of the other when its
variables are mapped. A key is (role, value, variable) for a concept or attribute, (role, −2, source, target) for a
relation; labels are folded ids, and the role of a concept is −1.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any

from fastmatch.metrics.shared.triples import ATTRIBUTE, INSTANCE, RELATION, TRIPLE_CLASSES
from fastmatch.results.alignment import Explanation

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from fastmatch.graphs.corpus import Corpus
    from fastmatch.metrics.shared.triples import Labels
    from fastmatch.types import Int32Array, Triple

    Key = tuple[int, ...]
    #: A triple by its key, and as it was written.
    KeyedTriple = tuple[Key, Triple]

__all__ = ["explanation", "keyed_triples", "placed_triples"]

_CONCEPT = -1
_NO_VALUE = -2
_POSITION = itemgetter(0)


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
    placed = placed_triples(corpus, graph, labels, top=top, classes=classes)
    result = [(key, triple) for key, triple, _ in placed]
    if repeated:
        return result
    first: dict[Key, Triple] = {}
    for key, triple in result:
        first.setdefault(key, triple)
    return list(first.items())


def placed_triples(
    corpus: Corpus, graph: int, labels: Labels, *, top: str, classes: int = TRIPLE_CLASSES
) -> list[tuple[Key, Triple, int]]:
    """As :func:`keyed_triples`, every copy of a repeated triple, with its place in the graph; −1 for TOP."""
    text, folds = corpus.vocabulary.interner.text, labels.fold
    start, stop = corpus.variable_offsets[graph : graph + 2].tolist()
    names = [text(name) if name >= 0 else None for name in corpus.variable_names[start:stop].tolist()]
    rows: list[tuple[int, int, Key, Any]] = []
    concept, root, called = -1, int(corpus.root[graph]), ""
    start, stop = corpus.instance_offsets[graph : graph + 2].tolist()
    for variable, label, position in corpus.instances[:3, start:stop].T.tolist():
        shown = text(label) if label >= 0 else None  # there is no label
        label = int(folds[label]) if label >= 0 else -1
        if variable == root:
            if concept == -1:
                concept = label
            called = called or shown or ""
        rows.append((position, INSTANCE, (_CONCEPT, label, variable), (names[variable], ":instance", shown)))
    start, stop = corpus.attribute_offsets[graph : graph + 2].tolist()
    for variable, role, value, position in corpus.attributes[:4, start:stop].T.tolist():
        triple = names[variable], text(role), text(value) if value >= 0 else None
        key = int(folds[role]), int(folds[value]) if value >= 0 else -1, variable
        rows.append((position, ATTRIBUTE, key, triple))
    start, stop = corpus.relation_offsets[graph : graph + 2].tolist()
    for source, role, target, position in corpus.relations[:4, start:stop].T.tolist():
        triple = names[source], text(role), names[target]
        role = int(folds[role])
        if role == labels.domain and labels.mod >= 0:
            role, source, target = labels.mod, target, source
        rows.append((position, RELATION, (role, _NO_VALUE, source, target), triple))
    rows.sort(key=_POSITION)
    result: list[tuple[Key, Triple, int]] = []
    if top != "none" and root >= 0 and classes & ATTRIBUTE:
        value, shown = (concept, called) if top == "concept" else (labels.top_value, "top")
        result.append(((labels.top_role, value, root), (names[root], ":TOP", shown), -1))
    result += [(key, triple, position) for position, kind, key, triple in rows if kind & classes]
    return result


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
