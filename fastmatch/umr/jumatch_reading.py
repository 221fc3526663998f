"""What compare_umr.pl reads of a UMR file, its slips included, for ``preset="tool"`` of juːmæʧ.

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
from typing import TYPE_CHECKING

from fastmatch.umr.nodes import TOP, Node, Problem, Side, extended_concept, joined_length

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastmatch.umr.nodes import Relation

__all__ = ["read_as_tool"]

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


class _Failure(Exception):
    """The program stops reading this sentence; line, counted from 1, and column where it did."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message, self.line, self.column = message, line, column


@dataclass
class _Row:
    """What is left of a line, with its number and the length it had."""

    text: str
    line: int
    length: int = field(init=False)

    def __post_init__(self) -> None:
        self.length = len(self.text)

    @property
    def column(self) -> int:
        return self.length - len(self.text) + 1


def read_as_tool(text: str, top: bool = False) -> list[Side]:
    """The sentences of a file as the program sees them.

    Parameters
    ----------
    text : str
    top : bool
        Add the relation ``:TOP`` at the first node of each graph that is read to its end.
    """
    return [_sentence(blocks, top) for blocks in _sentences(text)]


def _sentences(text: str) -> Iterator[list[list[_Row]]]:
    """The blocks of each sentence: lines, without the white space at their ends."""
    blocks: list[list[_Row]] = []
    block: list[_Row] = []
    for number, line in enumerate(text.split("\n"), 1):
        line = line.rstrip(_SPACES)
        if line:
            block.append(_Row(line, number))
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


def _sentence(blocks: list[list[_Row]], top: bool) -> Side:
    side = Side(_tokens(blocks[0]), line=blocks[0][0].line)
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
        side.problem = Problem(failure.message, failure.line, failure.column)
    return side


def _tokens(block: list[_Row]) -> list[str]:
    for row in block:
        words = _WORDS.match(row.text)
        if words and words[1]:
            return _BLANK.split(words[1])
    return []


def _bare(block: list[_Row]) -> Iterator[_Row]:
    """The lines of a block without comments and without the white space around them."""
    for row in block:
        text = row.text.partition("#")[0].rstrip(_SPACES)
        bare = text.lstrip(_SPACES)
        if bare:
            found = _Row(bare, row.line)
            found.length = len(text)
            yield found


# ---- graphs ----------------------------------------------------------------------------------------------------------


def _graph(block: list[_Row], nodes: dict[str, Node]) -> str:
    """Add the nodes of a graph, those read before a failure as well; returns the first variable."""
    opened: list[Node] = []
    role = first = ""
    for row in _bare(block):
        while row.text and row.text != "0":
            text = row.text
            if text[0] == "(" and (match := _NODE.match(text)):
                rest = text[match.end() :]
                concept = _CONCEPT.search(rest)
                if concept is None:
                    raise _fail("a node without a concept", row)
                if role:
                    if not opened:
                        raise _fail("a node behind a role, but outside of the graph", row)
                    opened[-1].attributes.append((role, match[1], True))
                    role = ""
                elif nodes:
                    raise _fail("a node without a role", row)
                node = Node(match[1], concept[0])
                first = first or node.variable
                nodes[node.variable] = node
                opened.append(node)
                row.text = rest[: concept.start()] + rest[concept.end() :]
            elif text[0] == ":" and (match := _ROLE.match(text)):
                role = match[1]
                row.text = text[match.end() :]
            elif text[0] == ")":
                if role:
                    raise _fail(f"the role {role!r} has no value", row)
                if not opened:
                    raise _fail("a closing bracket without an opening one", row)
                opened.pop()
                row.text = text[1:]
            elif match := _STRING.match(text) or _VALUE.match(text):
                if not opened or not role:
                    raise _fail("a value without a role" if opened else "a value outside of the graph", row)
                opened[-1].attributes.append((role, match[1] if match.lastindex else match[0], True))
                role = ""
                row.text = text[match.end() :]
            else:
                row.text = text.lstrip(_SPACES)
    return first


def _fail(message: str, row: _Row) -> _Failure:
    return _Failure(message, row.line, row.column)


# ---- alignments ------------------------------------------------------------------------------------------------------


def _alignment(block: list[_Row], side: Side) -> None:
    for row in _bare(block):
        match = _ALIGNED.fullmatch(row.text)
        if match is None:
            raise _fail("a line that is no alignment", row)
        node = side.nodes.get(match[1])
        if node is None:
            raise _fail(f"an alignment of {match[1]!r}, which is not in the graph", row)
        spans = tuple((int(first), int(last)) for first, last in _INTERVAL.findall(match[2]))
        if spans == ((0, 0),):
            node.spans = ()
            continue
        if any(not 0 < first <= last for first, last in spans):
            raise _fail("tokens that are 0 or run backwards", row)
        node.spans = spans
        node.length = joined_length(side.tokens, spans)


# ---- relations of the document level ---------------------------------------------------------------------------------


def _annotation(block: list[_Row], relations: set[Relation]) -> None:
    """Add the relations, those read before a failure as well."""
    inside = group = waiting = False
    for row in _bare(block):
        while row.text and row.text != "0":
            text = row.text
            if match := _SENTENCE.match(text):
                inside = True
            elif match := _ROLE.match(text):
                if not inside or waiting:
                    raise _fail("a group in the wrong place", row)
                group = waiting = True
            elif match := _triple(text):
                if not inside or waiting or not group:
                    raise _fail("a relation in the wrong place", row)
                tail = match[3]
                role = match[2] if tail else match[2][:-1]
                relations.add((match[1], role, tail or match[2][-1]))
            elif match := _OPEN.match(text):
                if not inside or not waiting:
                    raise _fail("a bracket in the wrong place", row)
                waiting = False
            elif text[0] == ")":
                if not inside or waiting:
                    raise _fail("a closing bracket in the wrong place", row)
                if group:
                    group = False
                else:
                    inside = False
                row.text = text[1:]
                continue
            elif match := _BLANK.match(text):
                pass
            else:
                raise _fail("a word that is part of no relation", row)
            row.text = text[match.end() :]


def _triple(text: str) -> re.Match[str] | None:
    match = _TRIPLE.match(text)
    return match if match and (match[3] or len(match[2]) > 2) else None
