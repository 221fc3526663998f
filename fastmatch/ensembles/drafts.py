"""Graphs in the making: as a corpus that a metric scores, and as graphs for people when they are done."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from fastmatch.ensembles.labels import CONCEPT, LOOP, GraphTriples, table_of
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.notation import format_metadata
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.types import Dialect

_LETTER = re.compile(r"[A-Za-z]")


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
