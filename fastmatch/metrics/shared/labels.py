"""What the metrics that do not align graphs have in common: keys of labels, tables of exact keys, labelled graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.features.keys import JoinTable, label_keys
from fastmatch._ext.features.sets import FeatureSets
from fastmatch._ext.graphs.labelled import node_graphs
from fastmatch.errors import otherwise_read
from fastmatch.graphs.arrays import starts_of
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.vocabulary import CASE, MARKS, QUOTES, Vocabulary
from fastmatch.metrics.feature_lists import FeatureLists
from fastmatch.types import BoolArray, Dialect, Int32Array, Int64Array

#: Labels are compared in lower case and without surrounding quotes, by default of this package.
FOLD = CASE | QUOTES

KEYS = ("hashed", "exact")
KEYS_HELP = "what stands for a feature: a 64-bit hash, or a number from a table, without collisions"

_TABLES: WeakKeyDictionary[Vocabulary, JoinTable] = WeakKeyDictionary()


def join_table(corpus: Corpus, keys: str) -> JoinTable | None:
    """The table of exact keys that belongs to the corpus's vocabulary; None if ``keys`` is ``"hashed"``."""
    return _TABLES.setdefault(corpus.vocabulary, JoinTable()) if keys == "exact" else None


def keys(corpus: Corpus, fold: Int32Array, exact: bool, *more: Int32Array) -> NDArray[np.uint64]:
    """Keys of all labels in the corpus's triples, and of the ids in ``more``; uint64[len(fold)], by label id."""
    rows = (corpus.instances[1], corpus.attributes[1], corpus.attributes[2], corpus.relations[1], *more)
    return label_keys(corpus.vocabulary.interner, fold, rows, exact)


def without_domain(corpus: Corpus) -> Corpus:
    """The corpus with (a :domain b) as (b :mod a).

    It may add ``:mod`` to the vocabulary, so it must be called before labels are folded.
    """
    intern = corpus.vocabulary.interner.intern
    domain, mod = intern(b":domain"), intern(b":mod")
    back = corpus.vocabulary.fold(FOLD)[corpus.relations[1]] == domain
    if not back.any():
        return corpus
    relations = corpus.relations.copy()
    relations[0, back], relations[2, back] = corpus.relations[2, back], corpus.relations[0, back]
    relations[1, back] = mod
    return corpus.with_columns(relations=relations)


def labelled_graphs(corpus: Corpus, *, tool: bool) -> tuple[Int64Array, Int32Array, Int64Array, Int32Array]:
    """Graphs whose nodes are variables and constants: what :func:`fastmatch._ext.graphs.labelled.node_graphs` returns.

    Parameters
    ----------
    corpus : Corpus
    tool : bool
        Build them as weisfeiler-leman-amr-metrics 0.4 does: see :func:`program_graphs`.
    """
    if tool:
        return program_graphs(corpus)[:4]
    labels, roles = corpus.vocabulary.fold(FOLD), corpus.vocabulary.fold(CASE)
    return node_graphs(corpus.columns, labels, roles, np.zeros(len(roles), np.uint8))


def program_graphs(corpus: Corpus) -> tuple[Int64Array, Int32Array, Int64Array, Int32Array, Int32Array]:
    """Graphs as weisfeiler-leman-amr-metrics 0.4 builds them.

    It turns every role around that contains ``-of`` (also ``:consist-of`` and ``:prep-out-of``), cuts the role off
    there, and removes all quotes. Its graphs differ in four points from those of
    :func:`fastmatch._ext.graphs.labelled.node_graphs`:

    * The program lower-cases all text and removes all quotes before it looks for variables. So variables whose names
      then are equal are one node, and a constant that then is the name of a variable is that variable: in
      ``(c / cat :name (n / name :op1 "C"))`` the edge of ``:op1`` leads to ``cat``.
    * A constant with the label of a concept gets no node of its own. In ``(c / city :name (n / name :op1 "city"))`` the
      edge of ``:op1`` leads to the last variable whose concept is ``city``.
    * A variable without a concept is not a node. A relation that leads to it leads to a constant, its name. The edges
      that leave it are lost.
    * The order of the nodes, on which the program's labels depend (:mod:`fastmatch._ext.features.neighbourhoods`), is
      not that of the text. The program renames the variables (to the first letter of the concept, and a number from the
      second variable with that letter on), makes a Python set of the triples, and takes the order of the set. So graphs
      that have equal triples after renaming have one order, but it changes with Python's hash seed. Here it is the
      alphabetical order of the renamed triples, where constants with the same source and role stay in the order of the
      text. Where the program gives one score for all seeds, it gives that score for this order as well.

    One thing is not copied. The program drops every edge from a constant to a variable with its label if that variable
    is node 0, which it may be or not, by the seed. Here such an edge is dropped if the graph has one variable only, so
    that it is node 0 always.

    Returns
    -------
    node_offsets, node_labels, edge_offsets, edges : arrays
        As of :func:`~fastmatch._ext.graphs.labelled.node_graphs`. Variables come first, then constants, both in the
        order said above.
    node_variables : int32, shape (n_nodes,)
        For each node the number of the variable within its graph, -1 for a constant.
    """
    vocabulary = corpus.vocabulary
    used = np.unique(np.concatenate([corpus.attributes[1], corpus.relations[1]])).tolist()
    folded = vocabulary.fold(CASE | MARKS)
    cut = {role: vocabulary.text(folded[role]).partition("-of") for role in used}
    bases = {role: vocabulary.id(base) for role, (base, _, _) in cut.items()}
    order = {base: rank for rank, base in enumerate(sorted({base for base, _, _ in cut.values()}))}
    roles = {role: (bases[role], order[base], bool(of)) for role, (base, of, _) in cut.items()}
    labels = np.append(vocabulary.fold(CASE | MARKS), -1)  # the last: what has no label
    names, root_role, text = labels[corpus.variable_names].tolist(), vocabulary.lookup(":root"), cache(vocabulary.text)
    instances = list(zip(corpus.instances[0].tolist(), labels[corpus.instances[1]].tolist(), strict=True))
    relations = corpus.relations[:3].T.tolist()
    attributes = list(zip(*corpus.attributes[:2].tolist(), labels[corpus.attributes[2]].tolist(), strict=True))
    offsets = corpus.variable_offsets, corpus.instance_offsets, corpus.relation_offsets, corpus.attribute_offsets
    tables: tuple[list[Any], ...] = names, instances, relations, attributes
    nodes: list[tuple[int, int]] = []
    edges: list[tuple[int, int, int]] = []
    starts = [(0, 0)]
    for bounds in zip(*(pairwise(each.tolist()) for each in offsets), strict=True):
        rows = [table[slice(*each)] for table, each in zip(tables, bounds, strict=True)]
        more_nodes, more_edges = _program_graph(rows, roles, root_role, text)
        nodes += more_nodes
        edges += more_edges
        starts.append((len(nodes), len(edges)))
    node_offsets, edge_offsets = np.array(starts, np.int64).T.copy()
    node_labels, node_variables = np.array(nodes, np.int32).reshape(-1, 2).T.copy()
    return node_offsets, node_labels, edge_offsets, np.array(edges, np.int32).reshape(-1, 3).T.copy(), node_variables


def _program_graph(
    tables: list[list[Any]], roles: dict[int, tuple[int, int, bool]], root_role: int, text: Callable[[int], str]
) -> tuple[list[tuple[int, int]], list[tuple[int, int, int]]]:
    """Nodes (label, variable) and edges of one graph; -1: no label, no variable."""
    names, instances, relations, attributes = tables
    first: dict[int, int] = {}
    one_of = [first.setdefault(name, v) if name >= 0 else v for v, name in enumerate(names)]
    concept: dict[int, int] = {}  # of a variable the one that the text has last, and the greatest, which order has last
    greatest: dict[int, int] = {}
    for v, label in instances:
        v = one_of[v]
        concept[v] = label
        if v not in greatest or label >= 0 > greatest[v] or (label >= 0 and text(label) > text(greatest[v])):
            greatest[v] = label
    # concepts, and the last node with each; a variable's name, and its constants, which a new name must not equal
    concepts = dict.fromkeys((label for _, label in instances), -1)
    one_instance = len({(one_of[v], label) for v, label in instances}) == 1
    called = {name: v for name, v in first.items() if v in concept}
    constants = set(concept.values())
    for source, _, target in relations:
        constants.update(names[one_of[v]] for v in (source, target) if one_of[v] not in concept)
    for source, _, label in attributes:
        if one_of[source] not in concept:
            constants.add(names[one_of[source]])
        if label not in called:
            constants.add(label)
    taken = {text(label) for label in constants if label >= 0}
    counts: Counter[str] = Counter()
    renamed = []
    for v, label in concept.items():
        letter = text(label)[:1] if label >= 0 else ""
        number = str(counts[letter] or "")
        counts[letter] += 1
        more = ""
        while letter + number + more in taken:
            more += "x"
        renamed.append((letter, number + more[:1], v))
    renamed.sort()
    node = {v: k for k, (_, _, v) in enumerate(renamed)}
    nodes = [(greatest[v], v) for v in node]
    concepts.update((label, k) for k, (label, _) in enumerate(nodes))

    def end(v: int) -> int:
        """The node of a variable, or -2 - its name."""
        v = one_of[v]
        return node[v] if v in node else -2 - names[v]

    triples = [(end(source), role, end(target)) for source, role, target in relations]
    triples += [
        (end(source), role, node[called[label]] if label in called else -2 - label)
        for source, role, label in attributes
    ]
    seen = set()
    own: list[tuple[int, int, int, int]] = []  # constants with nodes: source, rank of the role, number, label
    edges: list[tuple[int, int, int]] = []
    for source, role, target in triples:
        role, rank, turned = roles[role]
        if turned:
            source, target = target, source
        if role == root_role or (source, role, target) in seen:
            continue
        seen.add((source, role, target))
        if target < 0:
            label = -2 - target
            if label not in concepts:
                # an end that is no node comes last
                own.append((source if source >= 0 else len(node), rank, len(own), label))
                target = -len(own)
            elif concepts[label] < 0 or one_instance:
                continue  # a concept that no node is left with, or node 0
            else:
                target = concepts[label]
        if source >= 0:
            edges.append((source, role, target))
    own.sort()
    places = {-1 - number: len(node) + k for k, (_, _, number, _) in enumerate(own)}
    nodes += [(label, -1) for _, _, _, label in own]
    return nodes, [(source, role, places.get(target, target)) for source, role, target in edges]


def level_lists(sets: FeatureSets, kind: str) -> tuple[FeatureLists, ...]:
    """A list of features for each level; their overlaps alone bound no score, so the measure is ``"row"``."""
    rows = np.arange(sets.n_graphs) * sets.n_levels
    lists = []
    for level in range(sets.n_levels):
        starts, stops = sets.offsets[rows + level], sets.offsets[rows + level + 1]
        offsets = starts_of(stops - starts)
        places = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], stops - starts)
        counts = None if sets.counts is None else sets.counts[places]
        lists.append(FeatureLists.of_rows(offsets, sets.keys[places], counts, kind=kind, measure="row"))
    return tuple(lists)


def whole_pairs(
    pred: BoolArray | None, gold: BoolArray | None, index_pred: Int32Array, index_gold: Int32Array
) -> BoolArray | None:
    """Pairs of which no graph was cut, bool[n_pairs]; None: all of them. ``pred``, ``gold``: graphs that were cut."""
    if pred is None and gold is None:
        return None
    whole = np.ones(len(index_pred), np.bool_)
    for cut, index in ((pred, index_pred), (gold, index_gold)):
        if cut is not None:
            whole &= ~cut[index]
    return whole


class ToolReads:
    """A part of metrics whose tool reads graphs in a way of its own: every ``standard`` but the default needs that."""

    name: ClassVar[str]
    tool_dialect: ClassVar[Dialect]
    standard: str

    @property
    def dialect(self) -> Dialect:
        return "penman" if self.standard == "default" else self.tool_dialect

    def check(self, dialect: str) -> None:
        if self.standard != "default" and dialect != self.tool_dialect:
            raise otherwise_read(
                f"preset 'tool' of {self.name!r} needs graphs as its tool reads them", dialect, self.tool_dialect
            )
