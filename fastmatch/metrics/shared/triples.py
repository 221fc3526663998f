"""Triples as the metrics that match triples compare them: their classes, their labels, the triple of the root.

``explain`` of those that map variables says which triples match. The triples of both graphs get keys, so that two of
them match if the key of one becomes that of the other when its variables are mapped. A key is (role, value, variable)
for a concept or attribute, (role, −2, source, target) for a relation; labels are folded ids, and the role of a concept
is −1.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fastmatch._ext.matching.triples import TripleFeatures, triple_features
from fastmatch.graphs.arrays import kept_rows, owners_of
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.vocabulary import CASE, QUOTES
from fastmatch.types import Int32Array, Triple

if TYPE_CHECKING:
    from fastmatch.results.alignment import Explanation


#: Classes of triples, to be added up; the triple of the root is an attribute.
INSTANCE, ATTRIBUTE, RELATION = 1, 2, 4
TRIPLE_CLASSES = INSTANCE | ATTRIBUTE | RELATION

#: What the option ``top`` says of the triple of the root, and its number in the kernels.
TOPS = {"none": 0, "constant": 1, "concept": 2}


class BothSides(NamedTuple):
    """Features of graphs as predictions and as gold graphs, where these differ.

    What else is asked of it, sizes for instance, is that of the predictions.
    """

    pred: TripleFeatures
    gold: TripleFeatures

    def __getattr__(self, name: str) -> Any:
        return getattr(self.pred, name)


class Labels(NamedTuple):
    """How a metric compares the labels of a corpus.

    Attributes
    ----------
    top_role, top_value : int
        Folded ids of the role and value of the triple that stands for the root.
    mod, domain : int
        Folded ids of ``:mod`` and ``:domain``, where ``(a :domain b)`` is to be ``(b :mod a)``; else −1.
    fold : int32[n_labels]
        Id of each label → id of the label that it is compared as.
    """

    top_role: int
    top_value: int
    mod: int
    domain: int
    fold: Int32Array

    @classmethod
    def of(cls, corpus: Corpus, flags: int = CASE | QUOTES, *, domain_as_mod: bool = True) -> Labels:
        """Labels of AMR, by default as this package compares them: in lower case and without surrounding quotes.

        Parameters
        ----------
        corpus : Corpus
            Its vocabulary gets the labels that it lacks.
        flags : int
            What to leave out of account, of the flags in :mod:`fastmatch.graphs.vocabulary`.
        domain_as_mod : bool
            Whether ``(a :domain b)`` is ``(b :mod a)``.
        """
        intern = corpus.vocabulary.interner.intern
        top_role, top_value = intern(b":top"), intern(b"top")
        mod, domain = (intern(b":mod"), intern(b":domain")) if domain_as_mod else (-1, -1)
        return cls(top_role, top_value, mod, domain, corpus.vocabulary.fold(flags))

    def features(
        self, corpus: Corpus, top: str, *, multiply_duplicates: bool = False, classes: int = TRIPLE_CLASSES
    ) -> TripleFeatures:
        """The triples of every graph, compared as these labels are; the options are those of the kernel."""

        return triple_features(
            corpus.columns,
            self.fold,
            top=TOPS[top],
            top_role=self.top_role,
            top_value=self.top_value,
            mod_role=self.mod,
            domain_role=self.domain,
            multiply_duplicates=multiply_duplicates,
            classes=classes,
        )


def without_bare_nodes(corpus: Corpus) -> Corpus:
    """The corpus without what graphs say that say nothing: ``()`` and ``(a)``.

    Such a graph has a root without a concept, and so a triple for the root that equals that of any other graph. It is
    what is left of an output that went wrong, and earns nothing: it loses its root and its instance, and keeps its
    variable, so that maps of variables still fit. Graphs that were read as a published tool reads them are left as they
    are, as the tool would score them.
    """
    if corpus.dialect != "penman" or not corpus.columns.n_bare:
        return corpus
    bare = (np.diff(corpus.attribute_offsets) == 0) & (np.diff(corpus.relation_offsets) == 0) & (corpus.root >= 0)
    owner = owners_of(corpus.instance_offsets)
    bare[owner[corpus.instances[1] >= 0]] = False
    root = np.where(bare, np.int32(-1), corpus.root)
    return corpus.with_columns(root=root, **kept_rows(corpus, "instance", ~bare[owner]))


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
    from fastmatch._ext.graphs.placed import placed_triples

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
    from fastmatch.results.alignment import Explanation

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
