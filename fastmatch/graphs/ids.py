"""The ids of graphs (``# ::id``), read from their comment lines when they are first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, overload

from fastmatch.graphs.notation import parse_metadata
from fastmatch.types import ByteArray, Int64Array


def find_ids(comments: ByteArray, offsets: Int64Array) -> list[str | None]:
    """The ``::id`` of every graph, None where it has none, from the arrays ``comments`` and ``comment_offsets``."""
    text = comments.tobytes()
    return [_find_id(text, start, stop) for start, stop in pairwise(offsets.tolist())]


def _find_id(text: bytes, start: int, stop: int) -> str | None:
    """The ``::id`` in the comment lines text[start:stop]; only lines that may hold one are parsed."""
    if text.startswith(b"# ::id ", start, stop):  # most often, and the line has nothing else
        end = text.find(b"\n", start, stop)
        end = stop if end < 0 else end
        if text.find(b"::", start + 7, end) < 0 and text.find(b"::id", end, stop) < 0:
            return text[start + 7 : end].decode("utf-8", "replace").rstrip()
    found = None
    place = text.find(b"::id", start, stop)
    while place >= 0:
        begin = max(start, text.rfind(b"\n", start, place) + 1)
        end = text.find(b"\n", place, stop)
        end = stop if end < 0 else end
        found = parse_metadata(text[begin:end].decode("utf-8", "replace")).get("id", found)
        place = text.find(b"::id", end, stop)
    return found


class Ids(Sequence[str | None]):
    """The ids of graphs, or of pairs of graphs: for each the id in the first source that has one, or None.

    Until they are first asked for, only the comment lines are kept, and nothing is read: scoring takes no longer than
    without. Equal to a tuple of the same ids.

    Parameters
    ----------
    *sources : (comments, comment_offsets)
        Arrays of corpora that have as many graphs each.
    """

    __slots__ = ("_found", "_length", "_sources")

    def __init__(self, *sources: tuple[ByteArray, Int64Array]) -> None:
        self._sources = sources
        self._length = len(sources[0][1]) - 1
        self._found: tuple[str | None, ...] | None = None

    def _known(self) -> tuple[str | None, ...]:
        found = self._found
        if found is None:
            first, *others = (find_ids(*source) for source in self._sources)
            for column in others:
                first = [one or other for one, other in zip(first, column, strict=True)]
            found = self._found = tuple(first)
            self._sources = ()
        return found

    @overload
    def __getitem__(self, item: int) -> str | None: ...
    @overload
    def __getitem__(self, item: slice) -> tuple[str | None, ...]: ...
    def __getitem__(self, item: int | slice) -> str | tuple[str | None, ...] | None:
        return self._known()[item]

    def __len__(self) -> int:
        return self._length

    def __repr__(self) -> str:
        return f"<Ids: {self._length:,}>"

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return self._known() == (other._known() if isinstance(other, Ids) else other)

    def __hash__(self) -> int:
        return hash(self._known())

    def __reduce__(self) -> tuple[Any, ...]:
        return (tuple, (self._known(),))
