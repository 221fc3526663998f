"""Broken graphs of a corpus, mended and read again: what ``on_error="repair"`` does.

At first a text is read as with ``on_error="empty"``. So a file is divided into graphs in the same way, and a text
without broken graphs costs what it costs there. Then the texts of these graphs are looked at once more:

* what could not be read, and so is an empty graph now;
* in the dialect ``penman``, what could be read but has a node without a variable or a concept, a variable with two
  concepts, or a role without a name or a target. The reader keeps such gaps, and :func:`fastmatch.repair` fills them.

What :func:`fastmatch.repair` makes of the text takes the place of the graph, if it can be read. Comments and the number
of the line stay. What cannot be mended stays as it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from fastmatch._ext.reading.repair import mend
from fastmatch.graphs.arrays import SECOND_GRAPH, Content, Repair
from fastmatch.graphs.dialects import make_reader
from fastmatch.graphs.selecting import joined, taken
from fastmatch.types import Int64Array

_EMPTY = 2  # what becomes of a broken graph, for readers
_BREAK = re.compile(r"\r\n|\r|\n")
# a node, and the role that it hangs on, if there is one
_NODE = re.compile(r'(:[^\s()/:"~]+\s*)?\(\s*[^\s()/:"~]+\s*/')
_AT_MARGIN = re.compile(r"(?<=[\r\n])\(")
_CONTINUATION = bytes(range(0x80, 0xC0))


class _Piece(NamedTuple):
    """The text of one graph, and where it begins."""

    graph: int
    text: str
    source: str
    line: int
    column: int


def mended_text(
    content: Content, data: str | bytes | bytearray | memoryview, begins: Int64Array, stops: Sequence[int]
) -> Content:
    """The graphs of one text, mended where they are broken.

    Parameters
    ----------
    content : Content
        As it was read with ``on_error="empty"``.
    data : str or bytes
        The text.
    begins : int64[n]
        Where the graphs begin in it, in bytes behind a byte-order mark.
    stops : sequence of int
        Where each of ``content.problems`` ends.
    """
    broken = {graph: stop for (graph, _), stop in zip(content.problems, stops, strict=True)}
    numbers = sorted(broken.keys() | _doubtful(content))
    return _replaced(content, _pieces(content, data, begins, broken, numbers), broken.keys()) if numbers else content


def mended_items(content: Content, items: Sequence[Any], place: Callable[[int], str]) -> Content:
    """The graphs of texts with one graph each, mended where they are broken.

    Parameters
    ----------
    content : Content
        As they were read with ``on_error="empty"``.
    items : sequence
        The texts; what is no string stays an empty graph.
    place : callable
        Number of a text → its name for messages.
    """
    numbers = sorted({graph for graph, _ in content.problems} | _doubtful(content))
    pieces = (_Piece(k, items[k], place(k), 1, 1) for k in numbers if isinstance(items[k], str))
    return _replaced(content, pieces, None) if numbers else content


def _doubtful(content: Content) -> set[int]:
    """Graphs that were read, but in which something is missing or is there twice."""
    arrays = content.arrays
    if content.dialect != "penman" or not len(arrays["root"]):
        return set()
    variables, instances = arrays["variable_offsets"], arrays["instance_offsets"]
    found: set[int] = set()
    if variables.tobytes() != instances.tobytes():
        found.update(np.flatnonzero(np.diff(variables) != np.diff(instances)).tolist())
    attributes, relations = arrays["attribute_offsets"], arrays["relation_offsets"]
    columns = [
        (offsets, ids, -1)
        for offsets, ids in (
            (variables, arrays["variable_names"]),
            (instances, arrays["instances"][1]),
            (attributes, arrays["attributes"][2]),
        )
        # a list of a few is searched before numpy has begun
        if (-1 in ids.tolist() if len(ids) < 100 else ids.min() < 0)
    ]
    nameless = content.vocabulary.interner.lookup(b":")
    if nameless >= 0:
        columns += [(attributes, arrays["attributes"][1], nameless), (relations, arrays["relations"][1], nameless)]
    for offsets, ids, odd in columns:
        found.update((np.searchsorted(offsets, np.flatnonzero(ids == odd), side="right") - 1).tolist())
    return found


def _pieces(
    content: Content,
    data: str | bytes | bytearray | memoryview,
    begins: Int64Array,
    broken: dict[int, int],
    numbers: list[int],
) -> Iterator[_Piece]:
    """The texts of these graphs of a text.

    Those with bytes that are no UTF-8, in their comments as well, cannot be mended, and are left out.
    """
    comments = content.arrays["comments"]
    comment_bounds = content.arrays["comment_offsets"]
    is_text = isinstance(data, str)
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else bytes(data)
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    bounds = [*begins.tolist(), len(raw)]
    position, column = 0, 1  # counted on from graph to graph, for a file may be one long line
    for graph in numbers:
        start = bounds[graph]
        stop = broken.get(graph, bounds[graph + 1])
        line_start = 1 + max(raw.rfind(b"\n", position, start), raw.rfind(b"\r", position, start))
        if line_start:
            position, column = line_start, 1
        column += len(raw[position:start].translate(None, _CONTINUATION))
        position = start
        errors = "surrogatepass" if is_text else "strict"
        try:
            text = raw[start:stop].decode("utf-8", errors)
            comments[comment_bounds[graph] : comment_bounds[graph + 1]].tobytes().decode("utf-8", errors)
        except UnicodeDecodeError:
            continue
        yield _Piece(graph, text, content.source, int(content.arrays["lines"][graph]), column)


def _replaced(content: Content, pieces: Iterator[_Piece], of_file: Any) -> Content:
    """The content with the graphs of these texts in their places, so far as they can be mended.

    ``of_file`` are the numbers of broken graphs of a text with many graphs; None: each graph has a text of its own.
    """
    n = len(content.arrays["root"])
    reader = make_reader(content.dialect, content.vocabulary.interner)
    chosen = np.arange(n)
    repairs: list[Repair] = []
    for piece in pieces:
        text, found = mend(str(piece.text))
        if not found:
            continue
        row, before = len(reader), len(reader.problems)
        reader.feed(text, _EMPTY, True)
        if len(reader.problems) > before:
            continue
        chosen[piece.graph] = n + row
        noted = [*found]
        if of_file is not None and piece.graph in of_file:
            second = _second_graph(piece.text, found)
            if second >= 0:
                noted = sorted([*found, (SECOND_GRAPH, second)], key=itemgetter(1))
        repairs += _located(piece, noted)
    if not repairs:
        return content
    more = Content(content.vocabulary, reader.columns(), content.dialect, content.source)
    made = taken(joined([content, more]), chosen)
    arrays = made.arrays
    if of_file is not None:
        arrays |= {name: content.arrays[name] for name in ("lines", "comments", "comment_offsets")}
    problems = tuple((graph, message) for graph, message in content.problems if chosen[graph] < n)
    return content._replace(arrays=arrays, problems=problems, repairs=tuple(repairs))


def _second_graph(text: str, found: Sequence[tuple[str, int]]) -> int:
    """Where another graph seems to begin in the text of one that was mended, or −1.

    That is at a bracket at the margin, or in what was cut off behind the graph, at a node that hangs on no role.
    """
    ended = next((place for rule, place in found if rule == "text-after"), len(text))
    margin = _AT_MARGIN.search(text, text.find("(") + 1, ended)
    if margin is not None:
        return margin.start()
    return next((node.start() for node in _NODE.finditer(text, ended) if node[1] is None), -1)


def _located(piece: _Piece, found: Sequence[tuple[str, int]]) -> Iterator[Repair]:
    """The repairs of a text with line and column of their places, which ascend."""
    position, line, column = 0, piece.line, piece.column
    for rule, place in found:
        between = piece.text[position:place]
        breaks = list(_BREAK.finditer(between))
        line += len(breaks)
        column = len(between) - breaks[-1].end() + 1 if breaks else column + len(between)
        position = place
        yield Repair(piece.graph, rule, f"{piece.source}:{line}:{column}")
