"""Features with names, and where they occur: for the metrics whose kernels compare features by their hashes.

The features of two graphs are made once more, in Python, for people to look at; nothing is scored by them. The tests
hold their numbers to the kernels'. :func:`named_graph` is a graph as the default definitions see it,
:func:`labelled_graph` one with the labels of a published program, :func:`program_graph` one with the nodes of WLK's
program.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.vocabulary import CASE, MARKS
from fastmatch.metrics.shared.labels import FOLD, program_graphs, without_domain
from fastmatch.results.features import NamedFeature
from fastmatch.types import Int32Array

#: Group and text of a feature, and the triples that make it.
Occurrence = tuple[str, str, tuple[int, ...]]

#: Features of one graph that are named: a page with more would be slow, and nobody would read them.
MOST = 5000

_NO_CONCEPT = "()"


class Edge(NamedTuple):
    """An edge between two nodes.

    Attributes
    ----------
    source, target : int
        Numbers of the nodes.
    role : str
    triple : int
    constant : bool
        The target is the value of an attribute.
    """

    source: int
    role: str
    target: int
    triple: int
    constant: bool


class NamedGraph(NamedTuple):
    """A graph whose nodes are variables and constants, with its labels as the metrics compare them.

    Attributes
    ----------
    labels : list of str
        Of the nodes: variables in the order of the corpus, then constants.
    triples : list of int
        The triple that names each node: its instance, or its attribute; −1 where there is none.
    edges : list of Edge
        Each once, ``(a :domain b)`` as ``(b :mod a)``: relations in the order of the text, then attributes.
    n_variables : int
    root : int
        −1 in an empty graph.
    further : list of (int, str, int)
        Concepts of a variable beside its first one: the variable, the concept, the triple.
    """

    labels: list[str]
    triples: list[int]
    edges: list[Edge]
    n_variables: int
    root: int
    further: list[tuple[int, str, int]]


class Parts(NamedTuple):
    """The triples of one graph by kind, each a row of numbers, in the order of the text.

    Attributes
    ----------
    instances, attributes, relations : list of (int, int, int, int)
        Concept, attribute: variable, role (0 for a concept), label, number of the triple. Relation: source, role,
        target, number of the triple.
    n_variables : int
    """

    instances: list[tuple[int, int, int, int]]
    attributes: list[tuple[int, int, int, int]]
    relations: list[tuple[int, int, int, int]]
    n_variables: int


def parts_of(corpus: Corpus, g: int) -> Parts:
    """The triples of graph ``g``; their numbers are their places in the order of the text."""
    rows = {kind: corpus.rows(kind, g) for kind in ("instances", "attributes", "relations")}
    positions = np.sort(np.concatenate([part[2 if kind == "instances" else 3] for kind, part in rows.items()]))
    number = {position: k for k, position in enumerate(positions.tolist())}
    instances = [(v, 0, concept, number[place]) for v, concept, place in rows["instances"][:3].T.tolist()]
    attributes, relations = (
        sorted(
            ((v, role, end, number[place]) for v, role, end, place in rows[kind][:4].T.tolist()), key=lambda row: row[3]
        )
        for kind in ("attributes", "relations")
    )
    return Parts(instances, attributes, relations, len(corpus.rows("variable_names", g)))


def named_graph(corpus: Corpus, g: int) -> NamedGraph:
    """Graph ``g`` with names, O(T log T) for T triples."""
    corpus = without_domain(corpus)
    fold = corpus.vocabulary.fold(FOLD)
    return labelled_graph(corpus, g, fold, fold, fold)


def labelled_graph(
    corpus: Corpus, g: int, concepts: Int32Array, constants: Int32Array, roles: Int32Array, hidden: int = -2
) -> NamedGraph:
    """Graph ``g`` with the names of other labels.

    Parameters
    ----------
    corpus : Corpus
    g : int
    concepts, constants, roles : int32[n_labels]
        What stands for each label as a concept; as role or value of an attribute; as role of a relation.
    hidden : int
        Attributes with this value, a label, are left out.
    """
    text = corpus.vocabulary.text

    def name(table: Int32Array, label: int) -> str:
        return text(int(table[label])) if label >= 0 else _NO_CONCEPT

    parts = parts_of(corpus, g)
    labels, triples = [_NO_CONCEPT] * parts.n_variables, [-1] * parts.n_variables
    further = []
    for variable, _, concept, number in parts.instances:
        if triples[variable] < 0:
            labels[variable], triples[variable] = name(concepts, concept), number
        else:
            further.append((variable, name(concepts, concept), number))
    found: dict[tuple[object, ...], Edge] = {}
    for source, role, target, number in parts.relations:
        edge = Edge(source, name(roles, role), target, number, False)
        found.setdefault(edge[:3], edge)
    for source, role, value, number in parts.attributes:
        key = (source, name(constants, role), name(constants, value), "constant")
        if key not in found and value != hidden:
            found[key] = Edge(source, name(constants, role), len(labels), number, True)
            labels.append(name(constants, value))
            triples.append(number)
    return NamedGraph(labels, triples, list(found.values()), parts.n_variables, int(corpus.root[g]), further)


def program_graph(corpus: Corpus, g: int) -> NamedGraph:
    """Graph ``g`` as WLK's program builds it: nodes and edges in its order, of which some stand for no triple.

    Its program merges nodes and turns edges around (:mod:`fastmatch._ext.graphs.labelled_program`). The triples of a
    node or an edge are those that have its labels.
    """
    corpus = corpus[g : g + 1]
    offsets, node_labels, edge_offsets, edges, variables = program_graphs(corpus)
    vocabulary, parts = corpus.vocabulary, parts_of(corpus, 0)
    fold, text = vocabulary.fold(CASE | MARKS), vocabulary.text
    node_labels, variables = node_labels[: offsets[1]].tolist(), variables[: offsets[1]].tolist()
    node_of = {variable: node for node, variable in enumerate(variables) if variable >= 0}
    instance = {v: number for v, _, _, number in reversed(parts.instances)}
    value = {int(fold[end]): number for _, _, end, number in reversed(parts.attributes) if end >= 0}
    triples = [
        instance.get(variable, -1) if variable >= 0 else value.get(label, -1)
        for variable, label in zip(variables, node_labels, strict=True)
    ]
    # the ends of the triples by the labels of their nodes, for both directions of the edge
    places: dict[tuple[frozenset[int], str], int] = {}
    rows = [(v, role, int(fold[end]), number) for v, role, end, number in parts.attributes if end >= 0]
    rows += [(v, role, node_labels[node_of[w]], k) for v, role, w, k in parts.relations if w in node_of]
    for variable, role, label, number in rows:
        if variable in node_of:
            ends = frozenset((node_labels[node_of[variable]], label))
            places.setdefault((ends, text(int(fold[role])).partition("-of")[0]), number)
    made = []
    for source, role, target in edges[:, : edge_offsets[1]].T.tolist():
        ends = frozenset((node_labels[source], node_labels[target]))
        made.append(Edge(source, text(role), target, places.get((ends, text(role)), -1), variables[target] < 0))
    labels = [text(label) if label >= 0 else _NO_CONCEPT for label in node_labels]
    return NamedGraph(labels, triples, made, len(node_of), int(corpus.root[0]), [])


def compared(
    pred: Iterable[Occurrence], gold: Iterable[Occurrence], *, sets: bool = False
) -> list[NamedFeature] | None:
    """The features of two graphs beside each other; None if there are more than :data:`MOST` of either.

    ``sets``: a feature counts once in each graph, however often it occurs.
    """
    sides = []
    for occurrences in (pred, gold):
        places: dict[tuple[str, str], list[tuple[int, ...]]] = {}
        for count, (group, text, triples) in enumerate(occurrences):
            if count >= MOST:
                return None
            places.setdefault((group, text), []).append(tuple(sorted({triple for triple in triples if triple >= 0})))
        sides.append(places)
    mine, theirs = sides
    rows = []
    for group, text in {**mine, **theirs}:
        here, there = mine.get((group, text), []), theirs.get((group, text), [])
        shared = min(len(here), len(there))
        rows.append(NamedFeature(group, text, min(shared, 1) if sets else shared, tuple(here), tuple(there)))
    return rows
