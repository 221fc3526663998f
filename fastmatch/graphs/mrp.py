"""Graphs in MRP JSON, the format of the shared tasks on meaning representation parsing (2019, 2020), normalised.

Each line is a graph, a JSON object. Its nodes become variables (``n12`` for the id 12), and its tuples triples:

* the label of a node is its concept, a node without one has no instance;
* a top is an attribute ``:TOP "top"`` of its node, the first one is the root as well; a graph without tops has none;
* a property is an attribute with the property's name;
* anchors are an attribute ``:ANCHORS`` that says which characters they cover (below);
* an edge is a relation, and each of its attributes a further one with the role ``:label|name=value``.

Values are in double quotes, and so are concepts that are no symbols of Penman notation.

Normalisation
-------------
As mtool does before it scores (``Graph.normalize``). Letters in upper case stay, because labels are compared without
regard to case.

* Three kinds of edges are turned around: those with a field ``normal``, which becomes the label; those with the label
  ``mod``, which becomes ``domain``; and those whose label ends in ``-of`` (or ``-of-of``), which is cut off. Labels
  ``prep-…-of`` stay, and so do ``consist-of`` and ``subset-of``, which mtool means to leave but turns (``published``).
* Attributes of edges ``remote``, ``effective`` and ``member`` with the value ``false`` are dropped.
* The spans of a node are joined to runs, and punctuation and white space at both ends of each run are taken off. The
  node covers the other characters, apart from white space. They are written as ``from:to``, one for each run of them.
  Without ``input`` they are the runs as they are.

Of edges with the same source, target and label the first one counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, NoReturn, TypeAlias

from fastmatch._ext.reading.blocks import Broken, PlainReader
from fastmatch._ext.reading.interner import Interner
from fastmatch.graphs.notation import string_of

#: Variable, role (None: its concept), variable or text, whether the edge was turned around.
_Triple: TypeAlias = "tuple[int, str | None, int | str, bool]"

_FIELDS = re.compile("id|flavor|framework|version|time|source|provenance|language|input|targets|tops|nodes|edges", re.I)
_OBJECT = "expected a graph, node or edge of MRP: a JSON object with its fields"
_LENGTHS = "properties or attributes and their values; expected two lists of equal length"
_SPAN = 'expected an anchor, such as {"from": 0, "to": 3}'
_ENDS = "the line ends within its JSON; in MRP each line is a graph"
_SYMBOL = re.compile(r'(?!#)[^()/:~"\x00-\x20\s]+')
_PUNCTUATION = frozenset(".?!;,:“\"”‘'’()[]{}")
_BLANK = re.compile(r"[ \t]*")
_STRING_OR_NO_NUMBER = re.compile(r'"(?:[^"\\]|\\.)*"|(NaN|-?Infinity)')


class _Number(str):
    """A number as it is written."""

    __slots__ = ()


class _NoNumber(Exception):
    pass


def _no_number(name: str) -> NoReturn:
    raise _NoNumber


_JSON = json.JSONDecoder(parse_int=_Number, parse_float=_Number, parse_constant=_no_number)


class Reader(PlainReader):  # type: ignore[misc]
    """The dialects ``mrp`` and ``mrp-tool``; see the top of this module.

    Parameters
    ----------
    interner : Interner
        Gets every string.
    published : bool
        Turn ``consist-of`` and ``subset-of`` around, as mtool does.
    """

    def __init__(self, interner: Interner, *, published: bool = False) -> None:
        self._published = published

    def takes(self, line: str, first: bool) -> int:
        """Each line that is not empty is a graph."""
        return bool(line.strip()) if first else -1

    def graph(self, lines: list[str]) -> tuple[list[str], list[_Triple], int]:
        """Variables, triples and root of a line."""
        return _Graph(lines[0].rstrip(), self._published, self.note).read()


class _Graph:
    """The graph of one line while it is read."""

    def __init__(self, line: str, published: bool, note: Callable[[str], None]) -> None:
        self._line, self._indent = line.lstrip(), len(line) - len(line.lstrip())
        self._published, self._note = published, note
        self._numbers: dict[str, int] = {}
        self._triples: list[_Triple] = []

    def read(self) -> tuple[list[str], list[_Triple], int]:
        graph = self._parsed()
        if not isinstance(graph, dict):
            self._refuse(_OBJECT)
        if graph.get("id") is not None:
            name = self._text(graph, "id")
            if graph.get("framework") is not None:
                name = f"{self._text(graph, 'framework')}/{name}"
            self._note("# ::id " + name.replace("\n", " ").replace("\r", " "))
        if graph.get("input") is not None:
            self._note("# ::snt " + self._text(graph, "input").replace("\n", " ").replace("\r", " "))
        nodes, edges, tops = (self._list(graph, name) for name in ("nodes", "edges", "tops"))
        text = graph.get("input")
        if text is not None and type(text) is not str:
            self._refuse("expected a string", "input")
        if nodes is edges is tops is None and (
            graph.get("id") is None or any(not _FIELDS.fullmatch(name) for name in graph)
        ):  # a row of another kind of file
            self._refuse(_OBJECT)
        input_ = None if text is None else _Input(text)
        for k, node in enumerate(nodes or ()):
            self._add_node(node, input_, "nodes", k)
        found = [self._node_at(top, "tops", k) for k, top in enumerate(tops or ())]
        self._triples += [(node, ":TOP", '"top"', False) for node in found]
        self._add_edges(edges or ())
        return list(self._numbers), self._triples, found[0] if found else -1

    # JSON ------------------------------------------------------------------------------------------------------------

    def _parsed(self) -> Any:
        line = self._line
        try:
            return _JSON.decode(line)
        except json.JSONDecodeError as error:
            what, place = error.msg, error.pos
        except RecursionError:
            self._refuse_at("lists or objects within others, too many for a graph of MRP", 0)
        except _NoNumber:
            what = ""
            place = next(found.start() for found in _STRING_OR_NO_NUMBER.finditer(line) if found[1])
        if what.startswith("Illegal trailing comma"):
            place = _blank(line, place + 1)
        if line[place : place + 1] in ("e", "E"):  # of a number without an exponent
            start = len(line[:place].rstrip("0123456789.-"))
            what, place = what if start == place else "", start
        if what.startswith("Unterminated") or place >= len(line):
            self._refuse_at(_ENDS, len(line))
        if what.startswith("Extra"):
            self._refuse_at("text behind the graph; in MRP each line is a graph", place)
        if what.startswith("Invalid"):
            if "escape" in what:
                place = line.rfind("\\", 0, place + 1)
            said = "no JSON here: a string with an escape that does not exist, or a control character"
            self._refuse_at(said, place)
        raise Broken(f"no JSON here: {line[place : place + 20]!r}", 0, self._indent + place)

    def _refuse_at(self, what: str, place: int) -> NoReturn:
        raise Broken(what, 0, self._indent + place)

    def _refuse(self, what: str, *path: str | int) -> NoReturn:
        """Say what is wrong with the value to which a path of fields and places in lists leads."""
        place = self._span(path)[0]
        self._refuse_at(what, place + (self._line[place] == '"'))  # within the quotes of a string

    def _span(self, path: Sequence[str | int]) -> tuple[int, int]:
        """Where a value begins and ends."""
        line, start = self._line, 0
        for step in path:
            at, number = _blank(line, start + 1), 0
            named = line[start] == "{"
            while line[at] not in "}]":
                key: str | int = number
                if named:
                    key, at = _JSON.raw_decode(line, at)
                    at = _blank(line, _blank(line, at) + 1)
                if key == step:  # of equal fields the last one counts
                    start = at
                at = _blank(line, _JSON.raw_decode(line, at)[1])
                if line[at] == ",":
                    at = _blank(line, at + 1)
                number += 1
        return start, _JSON.raw_decode(line, start)[1]

    def _list(self, values: dict[str, Any], name: str, *path: str | int) -> list[Any] | None:
        """A field that must be a list, if there is one."""
        found = values.get(name)
        if found is not None and not isinstance(found, list):
            self._refuse("expected a list, [ … ]", *path, name)
        return found

    def _text(self, values: Any, *path: str | int) -> str:
        """A string, or anything else as it is written; the last step of the path leads to it from ``values``."""
        value = values[path[-1]]
        if isinstance(value, str):
            return str(value)
        if value in (None, True, False):
            return json.dumps(value)
        start, stop = self._span(path)
        return self._line[start:stop]

    def _pairs(self, values: dict[str, Any], fields: Sequence[str], *path: str | int) -> list[tuple[str, str]]:
        """Names and values of a node or an edge; the names stand in the first of these fields that is there."""
        given = self._list(values, "values", *path)
        field = next((name for name in fields if values.get(name) is not None), fields[-1])
        names = self._list(values, field, *path)
        if names is given is None:
            return []
        if names is None or given is None or len(names) != len(given):
            self._refuse(_LENGTHS, *path)
        return [(self._text(names, *path, field, k), self._text(given, *path, "values", k)) for k in range(len(names))]

    # Nodes -----------------------------------------------------------------------------------------------------------

    def _add_node(self, node: Any, text: _Input | None, *path: str | int) -> None:
        if not isinstance(node, dict):
            self._refuse(_OBJECT, *path)
        name = _name(node.get("id"))
        if name is None:
            self._refuse("a node without an id; expected a number or a string", *path)
        if name in self._numbers:
            self._refuse("a second node with the same id", *path, "id")
        number = self._numbers[name] = len(self._numbers)
        if node.get("label") is not None:
            label = self._text(node, *path, "label")
            self._triples.append((number, None, label if _SYMBOL.fullmatch(label) else string_of(label), False))
        for key, value in self._pairs(node, ("properties",), *path):
            self._triples.append((number, f":{key}", string_of(value), False))
        spans = []
        for k, anchor in enumerate(self._list(node, "anchors", *path) or ()):
            if not isinstance(anchor, dict):
                self._refuse(_SPAN, *path, "anchors", k)
            if anchor.get("from") is None or anchor.get("to") is None:
                continue  # no span of characters
            start, stop = _whole(anchor["from"]), _whole(anchor["to"])
            if not 0 <= start <= stop:
                self._refuse(_SPAN, *path, "anchors", k)
            if text is not None and stop > text.size:
                self._refuse("an anchor that ends behind the input", *path, "anchors", k)
            if start < stop:
                spans.append((start, stop))
        if spans:
            runs = ",".join(f"{start}:{stop}" for start, stop in _runs(sorted(spans), text))
            self._triples.append((number, ":ANCHORS", f'"{runs}"', False))

    def _node_at(self, value: Any, *path: str | int) -> int:
        """The node with an id."""
        name = _name(value)
        if name is None or name not in self._numbers:
            self._refuse("expected the id of a node", *path)
        return self._numbers[name]

    # Edges -----------------------------------------------------------------------------------------------------------

    def _add_edges(self, edges: Sequence[Any]) -> None:
        first: dict[tuple[int, int, str], int] = {}
        for k, edge in enumerate(edges):
            if not isinstance(edge, dict):
                self._refuse(_OBJECT, "edges", k)
            source, target = (
                self._node_at(edge.get(end), "edges", k, *([end] if edge.get(end) is not None else []))
                for end in ("source", "target")
            )
            label = "" if edge.get("label") is None else self._text(edge, "edges", k, "label")
            first.setdefault((source, target, label), k)
        for (source, target, label), k in first.items():
            edge, turned, lower = edges[k], True, label.lower()
            if edge.get("normal") is not None:
                label = self._text(edge, "edges", k, "normal")
            elif lower == "mod":
                label = "domain"
            elif lower.endswith("-of") and (
                lower.endswith("-of-of")
                or not (lower.startswith("prep-") or (lower in ("consist-of", "subset-of") and not self._published))
            ):
                label = label[:-3]
            else:
                turned = False
            if turned:
                source, target = target, source
            self._triples.append((source, f":{label}", target, turned))
            for name, value in self._pairs(edge, ("attributes", "properties"), "edges", k):
                if value.lower() != "false" or name.lower() not in ("remote", "effective", "member"):
                    self._triples.append((source, f":{label}|{name}={value}", target, turned))


class _Input:
    """The text of a graph, by characters.

    Attributes
    ----------
    size : int
    filled : list of int
        Before each character, those that are not white space.
    begin, end : list of int
        From each character on the next one that is neither white space nor punctuation; behind the last such one up to
        each character.
    """

    def __init__(self, text: str) -> None:
        self.size = len(text)
        self.filled = [0, *accumulate(not c.isspace() for c in text)]
        solid = [not c.isspace() and c not in _PUNCTUATION for c in text]
        self.end = list(accumulate(((k + 1) * one for k, one in enumerate(solid)), max))
        places = (k if solid[k] else self.size for k in reversed(range(self.size)))
        self.begin = list(accumulate(places, min))[::-1]


def _runs(spans: list[tuple[int, int]], text: _Input | None) -> list[tuple[int, int]]:
    """Runs of characters of sorted spans; a gap of white space behind white space belongs to a run."""
    runs = spans[:1]
    for start, stop in spans[1:]:
        last = runs[-1]
        if start <= last[1] or (text is not None and text.filled[start] == text.filled[last[1] - 1]):
            runs[-1] = last[0], max(last[1], stop)
        else:
            runs.append((start, stop))
    if text is None:
        return runs
    # less what is at the ends of runs; nothing, if the node covers only punctuation
    runs = [(text.begin[start], text.end[stop - 1]) for start, stop in runs]
    kept: list[tuple[int, int]] = []
    for start, stop in runs:
        if start < stop:
            if kept and text.filled[start] == text.filled[kept[-1][1]]:
                start = kept.pop()[0]
            kept.append((start, stop))
    return kept


def _name(value: Any) -> str | None:
    """The variable of a node with this id."""
    return f"n{value}" if isinstance(value, _Number) else value if isinstance(value, str) else None


def _whole(value: Any) -> int:
    """A number from 0 on, or −1."""
    if not isinstance(value, _Number) or not value.isdigit():
        return -1
    return int(value) if len(value) < 10 else 10**9


def _blank(line: str, at: int) -> int:
    """The next place that is no blank."""
    return _BLANK.match(line, at).end()  # type: ignore[union-attr]
