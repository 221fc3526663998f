"""The ids of graphs (``# ::id``), read from their comment lines when they are first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, overload

from fastmatch.graphs.notation import parse_metadata

if TYPE_CHECKING:
    from typing import Any

    from fastmatch.types import ByteArray, Int64Array

__all__ = ["PairIds", "find_ids"]


def find_ids(comments: ByteArray, offsets: Int64Array) -> list[str | None]:
    """The ``::id`` of every graph, None where it has none, from the arrays ``comments`` and ``comment_offsets``."""
    text = comments.tobytes()
    return [_find_id(text, start, stop) for start, stop in pairwise(offsets.tolist())]


def _find_id(text: bytes, start: int, stop: int) -> str | None:
    """The ``::id`` in the comment lines text[start:stop]; only lines that may hold one are parsed."""
    if (
        text.startswith(b"# ::id ", start, stop) and text.find(b"::", start + 7, stop) < 0
    ):  # nothing but an id, most often
        line, _, _ = text[start + 7 : stop].partition(b"\n")
        return line.decode("utf-8", "replace").rstrip()
    found = None
    place = text.find(b"::id", start, stop)
    while place >= 0:
        begin = max(start, text.rfind(b"\n", start, place) + 1)
        end = text.find(b"\n", place, stop)
        end = stop if end < 0 else end
        found = parse_metadata(text[begin:end].decode("utf-8", "replace")).get("id", found)
        place = text.find(b"::id", end, stop)
    return found


class PairIds(Sequence[str | None]):
    """The ids of pairs of graphs: for each pair the gold graph's, or the prediction's, or None.

    Until they are first asked for, only the comment lines of both corpora are kept, and nothing is read: scoring takes
    no longer than without.

    Parameters
    ----------
    pred, gold : (comments, comment_offsets)
        Arrays of the two corpora, which have as many graphs each.
    """

    __slots__ = ("_found", "_length", "_sources")

    def __init__(self, pred: tuple[ByteArray, Int64Array], gold: tuple[ByteArray, Int64Array]) -> None:
        self._sources: tuple[tuple[ByteArray, Int64Array], ...] = (gold, pred)
        self._length = len(gold[1]) - 1
        self._found: tuple[str | None, ...] | None = None

    def _known(self) -> tuple[str | None, ...]:
        found = self._found
        if found is None:
            columns = [find_ids(*source) for source in self._sources]
            found = self._found = tuple(one or other for one, other in zip(*columns, strict=True))
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
        return f"<PairIds: {self._length:,}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (tuple, (self._known(),))
