"""Texts of Chinese AMR (CAMR), as the corpus has them: Penman notation with ids of words on nodes and relations.

    # ::id export_amr.7 ::cid export_amr.7 ::2020-01-01 00:00:00
    # ::wid x1_妈妈 x2_把 x3_蛋糕 x4_切 x5_了 x6_她 x7_哭
    (x4 / 切-01
          :arg0() (x1 / 妈妈)
          :arg1(x2/把) (x3 / 蛋糕)
          :cause() (x7 / 哭-01
                :arg0() (x6 / x1)
                :arg1() x3))

An empty line ends a graph. Lines are joined with nothing between them. A line with ``#`` in front is a comment; one
says which sentence it is (``::id``), and one has its words (``::wid``). Byte-order marks and U+200B count for nothing.

Blanks and tabs in concepts are dropped, and so are double quotes; between quotes ``( ) : /`` are letters like others.
Brackets right behind a role hold the function words that stand on it; ``()`` is none.

A concept that is an id (``x6 / x1``) is a co-reference: the concept is the word, or characters of words, on which the
node itself stands. If it stands on none, its concept is that of the node which it refers to.

A role with an id, ``/`` and text behind it (``:op1 x1/北京``) is a piece of a name. The pieces of a node, joined, are
its concept, if a ``)`` follows the last one; they are no relations.

A node that is introduced twice has the concept that comes last, and its relations count twice.

The rows are those that the converter of the CAMRP shared tasks writes: one for the root, and then for each node, in the
order in which nodes are introduced, its relations; the reader of such rows (``_ext/reading/camr_tuples.pyx``) makes a
graph of them. The converter differs in a few points: it puts words on the last relation to the same node, takes the
words of a sentence without a graph for those of the next one, and stops at what is read here: a role without brackets
within a line, pieces at the beginning of a line, several blanks between words, co-reference beyond the sentence. A
concept with any text behind an ``x`` is an id to it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn

from fastmatch._ext.reading.blocks import Broken, PlainReader
from fastmatch._ext.reading.camr_tuples import Reader as RowReader
from fastmatch._ext.reading.interner import Interner
from fastmatch.errors import shortened

_NO_SENTENCE = "expected a line with the id of the sentence before the graph, such as '# ::id export_amr.7'"
_NO_WORDS = "expected a line with the words of the sentence before the graph, such as '# ::wid x1_我 x2_想'"
_WORD_LIST = "expected numbered words with blanks between them, such as x1_我 x2_想"
_WORDS = "expected the words on the relation, such as (x2/把), or ()"
_NO_WORD = "a co-reference from a node that stands on no word, to one without a concept of its own"
_UNDEFINED = "the id of a node that does not exist; expected one that is in brackets somewhere in the graph"
_TOO_LARGE = "the graph is too large; expected at most 1,000,000,000 triples, and few node names twice"

_MARKS = re.compile("[\ufeff\u200b]")
_INDENT = re.compile("[\\s\ufeff\u200b]*")
_BLANKS = re.compile(r"[ \t]*")
_WORD = re.compile(r"x([0-9]{1,9})_(.*)", re.DOTALL)
_ID = re.compile(r"x[0-9]+(?:_x?[0-9]+)*")
_ROLE = re.compile(r":[^ \t():]*")
_CONCEPT = re.compile(r'(?:"[^"]*"|[^"():/])*')
_DROPPED = re.compile(r'[ \t"]')

#: Relations of a graph that count again because their node is introduced again.
_MOST_REPEATED = 100_000
#: Stands for a tab in a cell of a row.
_TAB = "\0"


class Reader(PlainReader):  # type: ignore[misc]
    """The dialect ``camr``; see the top of this module."""

    def __init__(self, interner: Interner) -> None:
        self.lone = "surrogateescape"
        self._strings = Interner()
        self._forget()

    def _forget(self) -> None:
        """Forget the lines before a graph."""
        self._open = self.named = False
        self.forget_notes()
        #: Where the line with the words begins, the line, and where the words begin there.
        self.words: tuple[int, str, int] | None = None

    def look_at(self, text: bytes) -> None:
        """A text begins."""
        self._forget()

    def takes(self, line: str, first: bool) -> int:
        """Whether a line belongs to the graph."""
        start = _INDENT.match(line).end()  # type: ignore[union-attr]
        if first and (self._open or start == len(line)):  # behind a graph, or a sentence without one
            self._forget()
        if start == len(line):
            return 0 if first else -1
        if line[start] != "#":
            self._open = True
            return 1
        self.note(line[start:])
        at = line.find("::wid", start)
        if at >= 0:
            self.words = self.here, line, at + 5
        self.named = self.named or line.find("::id", start) >= 0
        return 0

    def graph(self, lines: list[str]) -> tuple[list[str], list[Any], int]:
        """Variables, triples and root of a graph."""
        text = _Text(self, lines)
        rows, places = text.rows()
        reader, string = RowReader(self._strings), self._strings.text
        if reader.feed("\n".join(rows), 0, True) < 0:
            raise Broken(reader.fault[0], -1, -1)
        if reader.lost is not None:
            number, line, name = reader.lost
            self.lose(number, text.place_of(places[line - 1])[0], name)
        columns = reader.columns()
        found = [
            (position, (node, None, string(concept), False))
            for node, concept, position in columns["instances"].T.tolist()
        ]
        found += [
            (position, (source, string(role).replace(_TAB, "\t"), target, bool(turned)))
            for source, role, target, position, turned in columns["relations"].T.tolist()
        ]
        found.sort(key=lambda each: each[0])
        names = [string(name) for name in columns["variable_names"].tolist()]
        return names, [triple for _, triple in found], int(columns["root"][0])


class _Relation(NamedTuple):
    role: str
    place: str
    word: str
    target: str
    at: int


@dataclass(slots=True, eq=False)
class _Node:
    name: str
    at: int = 0
    concept: str = ""
    coref: str = "-"
    relations: list[_Relation] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    ends_in_piece: bool = False


class _Text:
    """The text of one graph while it is read."""

    def __init__(self, reader: Reader, lines: list[str]) -> None:
        self._lines = lines
        #: Where parts of the joined line begin: there, and (line, place in it); where lines begin.
        self._starts: list[int] = []
        self._sources: list[tuple[int, int]] = []
        self._joints: list[int] = []
        parts, size = [], 0
        for k, line in enumerate(lines):
            start, line = _INDENT.match(line).end(), line.rstrip()  # type: ignore[union-attr]
            self._joints.append(size)
            while start < len(line):
                mark = _MARKS.search(line, start)
                stop = mark.start() if mark else len(line)
                self._starts.append(size)
                self._sources.append((k, start))
                parts.append(line[start:stop])
                size += stop - start
                start = stop + 1
        self._text = "".join(parts)
        if not reader.named:
            self._refuse(_NO_SENTENCE, 0)
        if reader.words is None:
            self._refuse(_NO_WORDS, 0)
        self._words: dict[int, str] = {}
        here, header, start = reader.words
        for found in re.finditer(r"\S+", header[start:]):
            word = _WORD.fullmatch(found[0])
            if word is None:
                before = header[: start + found.start()].encode("utf-8", reader.lone)
                raise Broken(_WORD_LIST, -1, here + len(before))
            self._words[int(word[1])] = word[2]
        self._nodes: dict[str, _Node] = {}
        self._introduced: list[_Node] = []
        self._open: list[_Node] = []
        self._relations: list[_Relation] = []

    def place_of(self, at: int) -> tuple[int, int]:
        """Line, and place in it, of a place in the joined line."""
        k = bisect_right(self._starts, min(at, len(self._text) - 1)) - 1
        line, start = self._sources[k]
        return line, start + at - self._starts[k]

    def _refuse(self, what: str, at: int) -> NoReturn:
        raise Broken(what, *self.place_of(at))

    # The text --------------------------------------------------------------------------------------------------------

    def _skip(self, at: int) -> tuple[int, str]:
        """The next place that is no blank, and the character there, or nothing."""
        at = _BLANKS.match(self._text, at).end()  # type: ignore[union-attr]
        return at, self._text[at : at + 1]

    def _read(self) -> None:
        """Collect nodes, their relations and pieces."""
        at, letter = self._skip(0)
        if letter != "(":
            closed = "')' without a '(' before it"
            self._refuse(closed if letter == ")" else "expected a graph, which begins with '('", at)
        at = self._open_node(at)
        while True:
            at, letter = self._skip(at)
            if not letter:
                return  # brackets may be missing at the end
            if not self._open:
                closed = "')' without a '(' before it"
                self._refuse(closed if letter == ")" else "text behind the graph; expected an empty line", at)
            if letter == ")":
                node = self._open.pop()
                if node.ends_in_piece:
                    node.concept, node.coref = "".join(node.pieces), "-"
                at += 1
            elif letter == ":":
                at = self._read_role(at)
            else:
                self._refuse("expected a role or ')'", at)

    def _read_id(self, at: int) -> str:
        found = _ID.match(self._text, at)
        if found is None or self._text[found.end() : found.end() + 1] not in " \t):/":
            line, start = self.place_of(at)
            shown = self._lines[line][start:].partition("\t")[0].strip()
            what = "expected the id of a node, such as x3, x3_x5 or x15_1_2"
            self._refuse(f"{what}, found {shortened(shown)!r}", at)
        return found[0]

    def _read_concept(self, at: int) -> tuple[str, int]:
        """Text up to the next bracket, colon or slash that is not quoted, and where it ends."""
        start, _ = self._skip(at)
        found = _CONCEPT.match(self._text, start)
        assert found is not None
        at = found.end()
        letter = self._text[at : at + 1]
        if letter == '"':
            self._refuse("a string that does not end; expected another '\"'", at)
        if letter and letter in "(/":
            self._refuse(f"{letter!r} in a concept; expected double quotes around it", at)
        concept = _DROPPED.sub("", found[0])
        if not concept:
            self._refuse("expected a concept", start)
        return concept, at

    def _open_node(self, at: int) -> int:
        """Read a bracket, an id and a concept; where they end."""
        start, _ = self._skip(at + 1)
        name = self._read_id(start)
        at, letter = self._skip(start + len(name))
        if letter != "/":
            self._refuse("expected '/' and a concept behind the id of a node", at)
        concept, at = self._read_concept(at + 1)
        node = self._nodes.setdefault(name, _Node(name))
        node.at, node.concept, node.ends_in_piece = start, concept, False
        node.coref = concept if _ID.fullmatch(concept) else "-"
        self._introduced.append(node)
        self._open.append(node)
        return at

    def _read_role(self, start: int) -> int:
        """Read a role and what it leads to; where that ends."""
        text, parent = self._text, self._open[-1]
        k = bisect_right(self._joints, start)
        joint = self._joints[k] if k < len(self._joints) else len(text)
        at = _ROLE.match(text, start, joint).end()  # type: ignore[union-attr]
        role, place, word = text[start:at], "-", "-"
        if at < joint and text[at] == "(":
            close = text.find(")", at)
            slash = text.find("/", at, close)
            if close < 0 or (close > at + 1 and slash < 0):
                self._refuse(_WORDS, at)
            if slash >= 0:
                place, word = text[at + 1 : slash], text[slash + 1 : close]
            at = close + 1
        at, letter = self._skip(at)
        place_of_target = at
        if letter == "(":
            at = self._open_node(at)
            target = self._open[-1].name
        elif letter == "x":
            target = self._read_id(at)
            at, letter = self._skip(at + len(target))
            if letter == "/":
                piece, at = self._read_concept(at + 1)
                parent.pieces.append(piece)
                parent.ends_in_piece = True
                return at
        else:
            self._refuse("a role that leads nowhere; expected '(' or the id of a node behind it", start)
        parent.ends_in_piece = False
        parent.relations.append(_Relation(role, place, word, target, place_of_target))
        self._relations.append(parent.relations[-1])
        return at

    # What it means ---------------------------------------------------------------------------------------------------

    def _words_of(self, name: str) -> str | None:
        """The words and characters that an id names; None if the sentence lacks one."""
        found, word = "", ""
        parts = name.split("_")
        for part, after in zip(parts, [*parts[1:], "x"], strict=True):
            number = int(part.lstrip("x0")[:10] or "0")
            if part[0] == "x":
                if number not in self._words:
                    return None
                word = self._words[number]
                if after[0] == "x":
                    found += word
            elif 0 < number <= len(word):
                found += word[number - 1]
            else:
                return None
        return found

    def rows(self) -> tuple[list[str], list[int]]:
        """Rows of cells with tabs between them, and the places that they are from."""
        self._read()
        for node in self._nodes.values():
            if node.coref != "-":
                concept = self._words_of(node.name)
                if concept is None:
                    other = self._nodes.get(node.coref)
                    if other is None or other.coref != "-":
                        self._refuse(_NO_WORD, node.at)
                    concept = other.concept
                node.concept = concept
        for relation in self._relations:
            if relation.target not in self._nodes:
                self._refuse(_UNDEFINED, relation.at)
        node = self._introduced[0]
        rows = [("s", "-", "root", "-", ":top", "-", "-", node.name, node.concept, node.coref)]
        places = [node.at]
        for node in self._introduced:
            if len(rows) + len(node.relations) > len(self._relations) + _MOST_REPEATED + 1:
                raise Broken(_TOO_LARGE, -1, -1)
            for role, place, word, target, at in node.relations:
                end = self._nodes[target]
                this, other_end = (node.name, node.concept, node.coref), (end.name, end.concept, end.coref)
                rows.append(("s", *this, role, place, word, *other_end))
                places.append(at)
        return ["\t".join(cell.replace("\t", _TAB) for cell in row) for row in rows], places
