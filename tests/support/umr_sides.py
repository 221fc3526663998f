"""Sentences of UMR documents as the twin has them, and as the kernels take them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

import numpy as np

from fastmatch._ext.umr.sentences import Sentences
from fastmatch.graphs.notation import joined_spans
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.umr.columns import read_as_tool
from fastmatch.umr.documents import Relation, Span


@dataclass
class Node:
    """A node of a sentence graph.

    Attributes
    ----------
    variable : str
    concept : str
        Empty if there is none.
    extended : str
        What unaligned nodes are linked by: the concept, and for names what is named.
    attributes : list of (role with its colon, value, whether the value may be a variable)
        Relations to nodes and values, as written and in the order of the text, values without quotes.
    spans : tuple of (int, int)
        First and last token of each run of tokens that the node is aligned with, counted from 1, in any order, perhaps
        overlapping; empty for an unaligned node.
    length : int
        Characters of these tokens, joined by blanks.
    """

    variable: str
    concept: str = ""
    extended: str = ""
    attributes: list[tuple[str, str, bool]] = field(default_factory=list)
    spans: tuple[Span, ...] = ()
    length: int = 0


class Problem(NamedTuple):
    """What could not be read of a sentence, and where: line and column, counted from 1."""

    message: str
    line: int
    column: int


@dataclass
class Side:
    """A sentence of one side.

    Attributes
    ----------
    tokens : list of str
    nodes : dict of str → Node
    relations : set of (head, relation with its colon, tail)
        Of the document level.
    whole : bool
        Whether the graph was read to its end. If not, relations of the document level do not know its variables.
    problem : Problem or None
        Why reading ended early.
    line : int
        The line in which the sentence begins, from 1; 0: not known.
    """

    tokens: list[str]
    nodes: dict[str, Node] = field(default_factory=dict)
    relations: set[Relation] = field(default_factory=set)
    whole: bool = True
    problem: Problem | None = None
    line: int = 0


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
    sentences, lines, problems = read_as_tool(text, vocabulary, top)
    said = {k: Problem(*problem) for k, *problem in problems}
    of = vocabulary.text
    columns = {name: np.asarray(getattr(sentences, name)).tolist() for name in dir(sentences) if name[0] != "_"}

    def part(name: str, starts: str, at: int) -> list[list[int]]:
        """The rows of a table, of one sentence or node."""
        return [row[slice(*columns[starts][at : at + 2])] for row in columns[name]]

    found = []
    for k in range(len(sentences)):
        nodes = {}
        for i in range(*columns["node_start"][k : k + 2]):
            variable, concept, extended, length = (row[i] for row in columns["nodes"])
            roles, values, kinds = part("attributes", "attribute_start", i)
            attributes = list(zip(map(of, roles), map(of, values), map(bool, kinds), strict=True))
            spans = tuple(zip(*part("spans", "span_start", i), strict=True))
            nodes[of(variable)] = Node(of(variable), of(concept), of(extended), attributes, spans, length)
        relations = set(zip(*(map(of, row) for row in part("relations", "relation_start", k)), strict=True))
        tokens = [of(columns["tokens"][t]) for t in range(*columns["token_start"][k : k + 2])]
        found.append(Side(tokens, nodes, relations, bool(columns["whole"][k]), said.get(k), int(lines[k])))
    return found
