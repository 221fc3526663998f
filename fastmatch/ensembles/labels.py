"""The triples of graphs as a metric compares them, as plain numbers, with the labels as they were written."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat
from typing import Any, NamedTuple

import numpy as np

from fastmatch.graphs.corpus import Corpus
from fastmatch.metrics.shared.triples import TOPS, Labels
from fastmatch.types import Int32Array

#: The role of a triple that holds a concept, and the value of a relation from a node to itself.
CONCEPT, LOOP = -1, -2


class GraphTriples(NamedTuple):
    """One graph. Labels that a metric takes for equal are equal numbers; a repeated triple is there once.

    Attributes
    ----------
    n_nodes, root : int
        ``root`` is −1 in a graph without one.
    unary : list of (node, role, value, written role, written value)
        Concepts, attributes, loops; the last two are ids of the vocabulary.
    relations : list of (source, role, target, written role)
    """

    n_nodes: int
    root: int
    unary: list[tuple[int, int, int, int, int]]
    relations: list[tuple[int, int, int, int]]

    @property
    def says_nothing(self) -> bool:
        """Whether it is ``()`` or ``(a)``: no triples, and one node at most."""
        return self.n_nodes < 2 and not self.unary and not self.relations

    def well_formed(self, *, rooted: bool = True) -> bool:
        """Whether it is connected, has one concept a node, and a root, if there is to be one; or says nothing."""
        if self.says_nothing:
            return True
        seen = {node for node, role, *_ in self.unary if role == CONCEPT}
        if (rooted and self.root < 0) or len(seen) < sum(row[1] == CONCEPT for row in self.unary):
            return False
        parents = list(range(self.n_nodes))
        for source, _, target, _ in self.relations:
            parents[_top(parents, source)] = _top(parents, target)
        return len({_top(parents, node) for node in range(self.n_nodes)}) == 1


def _top(parents: list[int], node: int) -> int:
    while parents[node] != node:
        parents[node] = node = parents[parents[node]]
    return node


def table_of(rows: Sequence[tuple[int, ...]], width: int) -> Int32Array:
    """Rows as a table, int32[width, n]: a row for each field."""
    return np.fromiter(chain.from_iterable(rows), np.int32, len(rows) * width).reshape(-1, width).T.copy()


def graph_triples(corpus: Corpus, labels: Labels) -> list[GraphTriples]:
    """The triples of every graph of a corpus, without those of roots, under the folding of a metric."""
    fold = labels.fold
    node, concept, _ = corpus.instances
    concepts = node, None, _folded(fold, concept), None, concept
    node, role, value, _ = corpus.attributes
    attributes = node, fold[role], _folded(fold, value), role, value
    source, role, target, _, _ = corpus.relations
    folded = fold[role]
    turned = (folded == labels.domain) & (labels.mod >= 0)
    if turned.any():
        source, target = np.where(turned, target, source), np.where(turned, source, target)
        folded, role = np.where(turned, labels.mod, folded), np.where(turned, labels.mod, role)
    tables = [
        list(zip(*[repeat(CONCEPT) if row is None else row.tolist() for row in table], strict=False))
        for table in (concepts, attributes, (source, folded, target, role))
    ]
    offsets = [each.tolist() for each in (corpus.instance_offsets, corpus.attribute_offsets, corpus.relation_offsets)]
    made = []
    for g, (size, root) in enumerate(zip(np.diff(corpus.variable_offsets).tolist(), corpus.root.tolist(), strict=True)):
        named, valued, binary = (rows[at[g] : at[g + 1]] for rows, at in zip(tables, offsets, strict=True))
        loops = [(start, number, LOOP, written, LOOP) for start, number, end, written in binary if start == end]
        if loops:
            binary = [row for row in binary if row[0] != row[2]]
        made.append(GraphTriples(size, root, _firsts([*named, *valued, *loops]), _firsts(binary)))
    return made


def _firsts(rows: list[Any]) -> list[Any]:
    """Of rows that are equal up to how they are written the first."""
    if len({row[:3] for row in rows}) == len(rows):
        return rows
    known: dict[Any, Any] = {}
    for row in rows:
        known.setdefault(row[:3], row)
    return list(known.values())


def _folded(fold: Int32Array, label: Int32Array) -> Int32Array:
    return np.where(label >= 0, fold[label], -1) if len(label) else label


def label_list(graph: GraphTriples, top: str, any_concept: bool = False) -> list[int]:
    """What each triple of a graph is without its nodes: only triples with equal ones can match, the root's included.

    Numbers, which are counted in half the time that tuples take: a role with its value from 0 on, roles of relations
    from −1 down, and roots below them.

    ``any_concept``: two concepts match, whatever they are.
    """
    labels = [
        (role + 1 << 32) + 2 + (0 if any_concept and role == CONCEPT else value) for _, role, value, _, _ in graph.unary
    ]
    labels += [-1 - role for _, role, _, _ in graph.relations]
    if graph.root >= 0 and TOPS[top]:
        concepts = (value for node, role, value, _, _ in graph.unary if role == CONCEPT and node == graph.root)
        labels.append(-(2 << 32) - (next(concepts, -2) if top == "concept" and not any_concept else 0))
    return labels
