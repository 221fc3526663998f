"""Sentences of UMR documents as the twins have them, and as the kernels take them."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from fastmatch._ext.umr.reading import read_as_tool
from fastmatch._ext.umr.sentences import Sentences
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.umr.documents import joined_spans

from twins.jumatch_reading import Node, Problem, Side

if TYPE_CHECKING:
    from collections.abc import Sequence


def starts(lists: Sequence[Sequence[object] | set[object]]) -> np.ndarray:
    return np.cumsum([0, *map(len, lists)]).astype(np.int64)


def table(rows: list[tuple[int, ...]], width: int) -> np.ndarray:
    return np.array(rows, np.int32).reshape(-1, width).T.copy()


def columns_of(sides: list[Side], vocabulary: Vocabulary) -> Sentences:
    """Sentences for the kernel; their strings are added to the vocabulary."""
    number = vocabulary.id
    ordered = [sorted(side.nodes.values(), key=lambda node: node.variable) for side in sides]
    nodes = list(chain.from_iterable(ordered))
    spans = [joined_spans(node.spans) for node in nodes]
    return Sentences(
        starts(ordered),
        table(
            [(number(n.variable), number(n.concept), number(n.extended), n.length if n.spans else 0) for n in nodes], 4
        ),
        starts([node.attributes for node in nodes]),
        table([(number(role), number(value), kind) for node in nodes for role, value, kind in node.attributes], 3),
        starts(spans),
        table(list(chain.from_iterable(spans)), 2),
        starts([side.tokens for side in sides]),
        np.array([number(token) for side in sides for token in side.tokens], np.int32),
        starts([side.relations for side in sides]),
        table([tuple(map(number, each)) for side in sides for each in side.relations], 3),
        np.array([side.whole for side in sides], np.uint8),
    )


def sides_as_tool(text: str, top: bool = False) -> list[Side]:
    """What the kernel reads of a text, in the form of its twin."""
    vocabulary = Vocabulary()
    sentences, lines, problems = read_as_tool(text, vocabulary.interner, top)
    said = {k: Problem(*problem) for k, *problem in problems}
    of = vocabulary.text
    columns = {name: np.asarray(getattr(sentences, name)).tolist() for name in dir(sentences) if name[0] != "_"}
    found = []
    for k in range(len(sentences)):
        nodes = {}
        for i in range(*columns["node_start"][k : k + 2]):
            variable, concept, extended, length = (row[i] for row in columns["nodes"])
            attributes = [
                (of(columns["attributes"][0][a]), of(columns["attributes"][1][a]), bool(columns["attributes"][2][a]))
                for a in range(*columns["attribute_start"][i : i + 2])
            ]
            spans = tuple(
                (columns["spans"][0][s], columns["spans"][1][s]) for s in range(*columns["span_start"][i : i + 2])
            )
            nodes[of(variable)] = Node(of(variable), of(concept), of(extended), attributes, spans, length)
        relations = {
            (of(columns["relations"][0][r]), of(columns["relations"][1][r]), of(columns["relations"][2][r]))
            for r in range(*columns["relation_start"][k : k + 2])
        }
        tokens = [of(columns["tokens"][t]) for t in range(*columns["token_start"][k : k + 2])]
        found.append(Side(tokens, nodes, relations, bool(columns["whole"][k]), said.get(k), int(lines[k])))
    return found
