"""What compare_umr.pl reads of a UMR file: the twin of :mod:`fastmatch._ext.umr.reading`, with patterns.

The program (github.com/ufal/umrtools at 4377bc4) counts blocks where others look for headings. One empty line ends a
block, two in a row end a sentence. The blocks of a sentence are, by their places, its tokens, its graph, its alignment
and its document relations; what comes behind the fourth is not read. In the last three a line ends at its first ``#``,
also in a string.

A graph is eaten from the front, line by line, by the first rule that fits:

==  =======================================  ===========================================================================
1   ``( variable /``                         a node; its concept is the first word in the rest of the line
2   ``:role``                                a role that waits for its value; one that has waited before is forgotten
3   ``"string"``                             a value, without its quotes
4   a word up to white space or ``)``        a value; one that is spelled like a variable is that variable
5   ``)``                                    closes a node
==  =======================================  ===========================================================================

A line of which nothing but ``0`` is left ends there, so a ``0`` in the last place of a line is lost.

Where no rule fits (a *failure*) the rest of the sentence is not read, but what was read before is compared. The nodes
of a graph that was not read to its end have an empty extended concept, and no document relation knows them.

Where white space or letters are meant, they are those of Unicode.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from fastmatch.umr.documents import joined_length

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastmatch.umr.documents import Relation, Span

#: The attribute of the first node, and its value.
TOP = (":TOP", "TOP")
_OPS = re.compile(r":op[0-9]+")

# white space of Perl: Python's \s has four separators more
_S = "[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
_W = r"[^\W_]"  # letters and numbers of any script
_N = r"(?:[^\W_]|-)"
_BLANK = re.compile(f"{_S}+")
_SPACES = "".join(filter(re.compile(_S).match, map(chr, range(0x3001))))
_WORDS = re.compile(f"Words:{_S}*(.*)", re.DOTALL)

_NODE = re.compile(rf"\({_S}*+({_W}++){_S}*+/{_S}*+")
_CONCEPT = re.compile(r"[^()\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_ROLE = re.compile(rf"(:{_N}++){_S}*+")
_STRING = re.compile(r'"([^"]*)"')
_VALUE = re.compile(r"[^)\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")

_ALIGNED = re.compile(rf"({_W}++):{_S}*+([0-9]+-[0-9]+(?:{_S}*+,{_S}*+[0-9]+-[0-9]+)*)")
_INTERVAL = re.compile(r"([0-9]+)-([0-9]+)")

_SENTENCE = re.compile(rf"\({_S}*+{_W}++{_S}*+/{_S}*+sentence{_S}*+")
# role and tail may be one word, whose last letter is the tail then
_TRIPLE = re.compile(rf"\({_S}*+({_N}++){_S}*+(:{_N}++){_S}*+({_N}++)?+{_S}*+\)")
_OPEN = re.compile(rf"\({_S}*+")
_CLOSE = re.compile(r"\)")


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


def extended_concept(node: Node) -> str:
    """The concept of a node; that of a name with the values of its ``:op1``, ``:op2`` …, in the order of these names.

    It is an order of strings, so ``:op10`` comes before ``:op2``.
    """
    if node.concept != "name":
        return node.concept
    ops = sorted(((role, value) for role, value, _ in node.attributes if _OPS.fullmatch(role)), key=itemgetter(0))
    return " ".join([node.concept, *(value for _, value in ops)])


class _Failure(Exception):
    """The program stops reading this sentence: why, and where, line and column counted from 1."""

    def __init__(self, message: str, row: _Row, left: int) -> None:
        """``left``: how many characters of the row were left."""
        super().__init__(message)
        self.problem = Problem(message, row.line, row.length - left + 1)


class _Row(NamedTuple):
    """A line, without the white space around it, and what it takes to find columns: its number, and where it ends."""

    text: str
    line: int
    length: int


def read_as_tool(text: str, top: bool = False) -> list[Side]:
    """The sentences of a file as the program sees them.

    Parameters
    ----------
    text : str
    top : bool
        Add the relation ``:TOP`` at the first node of each graph that is read to its end.
    """
    return [_sentence(blocks, top) for blocks in _sentences(text)]


def _sentences(text: str) -> Iterator[list[list[tuple[int, str]]]]:
    """The blocks of each sentence: lines, without the white space at their ends."""
    blocks: list[list[tuple[int, str]]] = []
    block: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        line = line.rstrip(_SPACES)
        if line:
            block.append((number, line))
        elif block:
            blocks.append(block)
            block = []
        elif blocks:
            yield blocks
            blocks = []
    if block:
        blocks.append(block)
    if blocks:
        yield blocks


def _sentence(blocks: list[list[tuple[int, str]]], top: bool) -> Side:
    side = Side(_tokens(blocks[0]), line=blocks[0][0][0])
    graph, alignment, annotation = ([*blocks, [], [], []])[1:4]
    try:
        side.whole = False
        first = _graph(graph, side.nodes)
        side.whole = True
        if top and side.nodes:
            side.nodes[first].attributes.append((*TOP, False))
        for node in side.nodes.values():
            node.extended = extended_concept(node)
        _alignment(alignment, side)
        _annotation(annotation, side.relations)
    except _Failure as failure:
        side.problem = failure.problem
    return side


def _tokens(block: list[tuple[int, str]]) -> list[str]:
    for _, line in block:
        words = _WORDS.match(line)
        if words and words[1]:
            return _BLANK.split(words[1])
    return []


def _bare(block: list[tuple[int, str]]) -> Iterator[_Row]:
    """The lines of a block without comments and without the white space around them."""
    for number, line in block:
        text = line.partition("#")[0].rstrip(_SPACES)
        bare = text.lstrip(_SPACES)
        if bare:
            yield _Row(bare, number, len(text))


# ---- graphs ----------------------------------------------------------------------------------------------------------


def _graph(block: list[tuple[int, str]], nodes: dict[str, Node]) -> str:
    """Add the nodes of a graph, those read before a failure as well; returns the first variable."""
    opened: list[Node] = []
    role = first = ""
    for row in _bare(block):
        text, place = row.text, 0
        while place < len(text) and not (text[place] == "0" and place + 1 == len(text)):
            letter = text[place]
            if letter == " ":
                place += 1
            elif letter == "(" and (match := _NODE.match(text, place)):
                concept = _CONCEPT.search(text, match.end())
                if concept is None:
                    raise _Failure("a node without a concept", row, len(text) - place)
                if role:
                    if not opened:
                        raise _Failure("a node behind a role, but outside of the graph", row, len(text) - place)
                    opened[-1].attributes.append((role, match[1], True))
                    role = ""
                elif nodes:
                    raise _Failure("a node without a role", row, len(text) - place)
                node = Node(match[1], concept[0])
                first = first or node.variable
                nodes[node.variable] = node
                opened.append(node)
                if concept.start() == match.end():
                    place = concept.end()
                else:
                    text, place = text[match.end() : concept.start()] + text[concept.end() :], 0
            elif letter == ":" and (match := _ROLE.match(text, place)):
                role = match[1]
                place = match.end()
            elif letter == ")":
                if role:
                    raise _Failure(f"the role {role!r} has no value", row, len(text) - place)
                if not opened:
                    raise _Failure("a closing bracket without an opening one", row, len(text) - place)
                opened.pop()
                place += 1
            elif match := _STRING.match(text, place) or _VALUE.match(text, place):
                if not opened or not role:
                    where = "without a role" if opened else "outside of the graph"
                    raise _Failure(f"a value {where}", row, len(text) - place)
                opened[-1].attributes.append((role, match[1] if match.lastindex else match[0], True))
                role = ""
                place = match.end()
            else:
                place += 1  # white space
    return first


# ---- alignments ------------------------------------------------------------------------------------------------------


def _alignment(block: list[tuple[int, str]], side: Side) -> None:
    for row in _bare(block):
        match = _ALIGNED.fullmatch(row.text)
        if match is None:
            raise _Failure("a line that is no alignment", row, len(row.text))
        node = side.nodes.get(match[1])
        if node is None:
            raise _Failure(f"an alignment of {match[1]!r}, which is not in the graph", row, len(row.text))
        spans = tuple((_number(first), _number(last)) for first, last in _INTERVAL.findall(match[2]))
        if spans == ((0, 0),):
            node.spans = ()
            continue
        if any(not 0 < first <= last for first, last in spans):
            raise _Failure("tokens that are 0 or run backwards", row, len(row.text))
        node.spans = spans
        node.length = joined_length(side.tokens, spans)


def _number(digits: str) -> int:
    """The number, or the largest that is told apart."""
    digits = digits.lstrip("0")
    return int(digits or "0") if len(digits) < 10 else 2**31 - 1


# ---- relations of the document level ---------------------------------------------------------------------------------


def _annotation(block: list[tuple[int, str]], relations: set[Relation]) -> None:
    """Add the relations, those read before a failure as well."""
    inside = group = waiting = False
    for row in _bare(block):
        text, place = row.text, 0
        while place < len(text) and not (text[place] == "0" and place + 1 == len(text)):
            wrong = ""
            if match := _SENTENCE.match(text, place):
                inside = True
            elif match := _ROLE.match(text, place):
                wrong = "" if inside and not waiting else "a group in the wrong place"
                group = waiting = True
            elif match := _triple(text, place):
                wrong = "" if inside and group and not waiting else "a relation in the wrong place"
                if not wrong:
                    tail = match[3]
                    relations.add((match[1], match[2] if tail else match[2][:-1], tail or match[2][-1]))
            elif match := _OPEN.match(text, place):
                wrong = "" if inside and waiting else "a bracket in the wrong place"
                waiting = False
            elif match := _CLOSE.match(text, place):
                wrong = "" if inside and not waiting else "a closing bracket in the wrong place"
                if group:
                    group = False
                else:
                    inside = False
            elif (match := _BLANK.match(text, place)) is None:
                wrong = "a word that is part of no relation"
            if wrong or match is None:
                raise _Failure(wrong, row, len(text) - place)
            place = match.end()


def _triple(text: str, place: int) -> re.Match[str] | None:
    match = _TRIPLE.match(text, place)
    return match if match and (match[3] or len(match[2]) > 2) else None
