"""The text of each graph of a file, as it stands there: for programs that keep some graphs of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from fastmatch.errors import OptionError
from fastmatch.graphs.dialects import DIALECTS, make_reader
from fastmatch.graphs.reading import contents, feed_all, on_error_mode, saved_corpus, several_files
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.types import Dialect, Int64Array, OnError

_MARK = b"\xef\xbb\xbf"


class GraphTexts:
    """Where the graphs of a file of Penman notation, or of several, begin and end.

    A text begins with the comments in front of its graph, and ends where that of the next graph begins. So all texts,
    one after the other, are the file. A byte-order mark is left out.

    Parameters
    ----------
    source : path, file object, "-", or list of paths
    dialect, on_error : str
        As for :func:`fastmatch.read`, which finds as many graphs.

    Raises
    ------
    ReadError, OSError
        As for :func:`fastmatch.read`.
    OptionError
        If it is no text in Penman notation.
    """

    def __init__(self, source: Any, dialect: Dialect, on_error: OnError) -> None:
        self._files: list[tuple[bytes, Int64Array]] = []
        files = None if hasattr(source, "read") else several_files(source)
        for file in [source] if files is None else files:
            name, data = contents(file)
            if not DIALECTS[dialect].penman or saved_corpus(file, name, data) is not None:
                raise OptionError(f"{name}: this is no text in Penman notation, of which graphs could be kept")
            raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else bytes(data)
            raw = raw.removeprefix(_MARK)
            reader = make_reader(dialect, Vocabulary().interner)
            feed_all(reader, raw, on_error_mode(on_error), name, None)
            self._files.append((raw, reader.begins()))

    def __len__(self) -> int:
        return sum(len(begins) for _, begins in self._files)

    def __iter__(self) -> Iterator[bytes]:
        for raw, begins in self._files:
            places = begins.tolist()
            starts = [_start(raw, begin, before) for before, begin in pairwise([0, *places])]
            for start, stop in pairwise([0, *starts[1:], len(raw)] if places else []):
                yield raw[start:stop]


def _start(raw: bytes, begin: int, floor: int) -> int:
    """Where the text of the graph at ``begin`` begins, behind ``floor``: with the first of the comments before it."""
    line = _line(raw, begin, floor)
    if raw[line:begin].strip():
        return begin
    start = line
    while line > floor:
        before = _line(raw, line - 1, floor)
        text = raw[before:line].strip()
        if text.startswith(b"#"):
            start = before
        elif text:
            break
        line = before
    return start


def _line(raw: bytes, place: int, floor: int) -> int:
    """Where the line of a place begins, or ``floor``."""
    return max(raw.rfind(b"\n", floor, place) + 1, raw.rfind(b"\r", floor, place) + 1, floor)
