"""The triples of graphs as a metric compares them, as plain numbers, with the labels as they were written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain, repeat
from typing import Any, NamedTuple

import numpy as np

from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.notation import format_metadata
from fastmatch.graphs.reaching import connected
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.metrics.shared.triples import TOPS, Labels
from fastmatch.types import Dialect, Int32Array

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
        return connected(range(self.n_nodes), ((source, target) for source, _, target, _ in self.relations))


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


_LETTER = re.compile(r"[A-Za-z]")


# ---- graphs in the making: as a corpus that a metric scores, and as graphs for people --------------------------------


def draft_corpus(drafts: Sequence[GraphTriples], vocabulary: Vocabulary, dialect: Dialect) -> Corpus:
    """Drafts as a corpus, whose nodes have no names, for a metric to score."""
    instances: list[tuple[int, ...]] = []
    attributes: list[tuple[int, ...]] = []
    relations: list[tuple[int, ...]] = []
    bounds = [(0, 0, 0, 0)]
    n_nodes = 0
    for draft in drafts:
        for node, role, value, written_role, written_value in draft.unary:
            if role == CONCEPT:
                instances.append((node, written_value, 0))
            elif value == LOOP:
                relations.append((node, written_role, node, 0, 0))
            else:
                attributes.append((node, written_role, written_value, 0))
        relations += [(source, role, target, 0, 0) for source, _, target, role in draft.relations]
        n_nodes += draft.n_nodes
        bounds.append((n_nodes, len(instances), len(attributes), len(relations)))
    offsets = np.array(bounds, np.int64).T.copy()
    nothing = np.zeros(len(drafts) + 1, np.int64)
    arrays: dict[str, Any] = {
        "root": np.array([draft.root for draft in drafts], np.int32),
        "lines": np.zeros(len(drafts), np.int32),
        "variable_offsets": offsets[0],
        "variable_names": np.full(n_nodes, -1, np.int32),
        "instance_offsets": offsets[1],
        "instances": table_of(instances, 3),
        "attribute_offsets": offsets[2],
        "attributes": table_of(attributes, 4),
        "relation_offsets": offsets[3],
        "relations": table_of(relations, 5),
        "surface_offsets": nothing,
        "surface": np.empty((3, 0), np.int32),
        "comment_offsets": nothing,
        "comments": np.empty(0, np.uint8),
    }
    return Corpus(vocabulary, arrays, dialect, "<ensemble>")


def written(draft: GraphTriples, vocabulary: Vocabulary) -> tuple[str | None, list[tuple[str, str, str | None]]]:
    """The top of a draft and its triples, with names for its nodes: node by node, the concept first."""
    text = vocabulary.text
    concepts = {node: value for node, role, _, _, value in draft.unary if role == CONCEPT}
    # a constant that is the name of a node is that node, in text
    taken = {text(value) for _, role, _, _, value in draft.unary if role != CONCEPT and value >= 0}
    names = []
    counts: Counter[str] = Counter()  # of each letter: what numbers before were tried
    for node in range(draft.n_nodes):
        concept = text(concepts[node]) if concepts.get(node, -1) >= 0 else ""
        found = _LETTER.search(concept)
        letter = found[0].lower() if found else "x"
        counts[letter] += 1
        while (name := f"{letter}{counts[letter] if counts[letter] > 1 else ''}") in taken:
            counts[letter] += 1
        names.append(name)
    rows: list[list[tuple[str, str, str | None]]] = [[] for _ in names]
    for node, role, value, written_role, written_value in draft.unary:
        target = names[node] if value == LOOP else text(written_value) if written_value >= 0 else None
        row = (names[node], ":instance" if role == CONCEPT else text(written_role), target)
        rows[node].insert(0 if role == CONCEPT else len(rows[node]), row)
    for start, _, end, role in draft.relations:
        rows[start].append((names[start], text(role), names[end]))
    return names[draft.root] if draft.root >= 0 else None, [row for found in rows for row in found]


def kept_metadata(metadata: dict[str, str]) -> str:
    """The comment lines of a graph made of others: what is said of the sentence, not of the graph."""
    return format_metadata({key: metadata[key] for key in ("id", "snt", "tok") if key in metadata})
