"""Sentences as juːmæʧ compares them: nodes with attributes and tokens, and relations of the document level."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias

    #: First and last token, counted from 1.
    Span: TypeAlias = tuple[int, int]
    #: (head, relation, tail)
    Relation: TypeAlias = tuple[str, str, str]
    #: (role with its colon, value, whether the value may be a variable)
    Attribute: TypeAlias = tuple[str, str, bool]

__all__ = ["CONCEPT", "TOP", "Node", "Problem", "Side", "extended_concept", "joined_length", "joined_spans"]

#: The attribute that stands for a node's concept.
CONCEPT = "concept"
#: The attribute of the first node, and its value.
TOP = (":TOP", "TOP")
_OPS = re.compile(r":op[0-9]+")


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
    attributes : list of Attribute
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
    attributes: list[Attribute] = field(default_factory=list)
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


def extended_concept(node: Node) -> str:
    """The concept of a node; that of a name with the values of its ``:op1``, ``:op2`` …, in the order of these names.

    It is an order of strings, so ``:op10`` comes before ``:op2``.
    """
    if node.concept != "name":
        return node.concept
    ops = sorted(((role, value) for role, value, _ in node.attributes if _OPS.fullmatch(role)), key=itemgetter(0))
    return " ".join([node.concept, *(value for _, value in ops)])


def joined_spans(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Spans in order, those that touch or overlap as one."""
    joined: list[Span] = []
    for first, last in sorted(spans):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return tuple(joined)


def joined_length(tokens: list[str], spans: tuple[Span, ...]) -> int:
    """Characters of the tokens in these spans, joined by blanks; those that do not exist do not count."""
    words = [word for first, last in joined_spans(spans) for word in tokens[first - 1 : last]]
    return sum(map(len, words)) + max(len(words) - 1, 0)
