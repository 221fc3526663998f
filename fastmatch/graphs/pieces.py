"""Long texts, and long lists of texts, read by several threads: the corpus is that of a single thread, to the last bit.

Threads read parts, each with a table of strings of its own. These tables are merged in the order of the parts, which
gives every string the number that one reader would have given it, and then all parts are written into one set of
columns. A list of texts with one graph each is divided as it is (:class:`Lists`). A text is cut at empty lines
(:class:`Pieces`).
"""

from __future__ import annotations

import os
import re
import threading
from bisect import bisect_left
from collections.abc import Callable
from typing import Any

import numpy as np

from fastmatch._ext.reading.interner import Interner
from fastmatch._ext.reading.reader import Reader, new_columns, trim
from fastmatch.errors import ReadError
from fastmatch.graphs.dialects import DIALECTS, make_reader
from fastmatch.runtime import threads
from fastmatch.types import Dialect, Int32Array, Int64Array

#: Bytes of a piece, about: a few hundredths of a second of reading. No shorter text is worth a thread.
PIECE = 1 << 22
#: So far from where a piece should end an empty line is looked for.
_WINDOW = 1 << 18
#: Seconds that a character of a list takes, and a text besides, about, and seconds that are worth threads.
_CHARACTER, _TEXT, _WORTH = 4e-9, 2e-7, 0.01

_BEGIN = re.compile(rb"\n\r?\n(?=[(#])")
#: White space between two graphs is seldom longer.
_GAP = 64


def cut(data: bytes | bytearray | memoryview, dialect: Dialect) -> list[int]:
    """Where the pieces of a text begin, in bytes; only 0 if it is not to be read in pieces.

    A piece begins with ``(`` or ``#`` behind one empty line, and behind a line that seems to end a graph.
    """
    found = [0]
    if DIALECTS[dialect].penman:
        for place in range(PIECE, len(data), PIECE):
            if place < found[-1]:
                continue
            window = bytes(data[place : place + _WINDOW])
            for match in _BEGIN.finditer(window):
                line = window.rfind(b"\n", 0, match.start()) + 1
                last = window[line : match.start()].removesuffix(b"\r")
                if line and not last[-1:].isspace() and last and not last.lstrip().startswith(b"#"):
                    found.append(place + match.end())
                    break
    return found


def load(path: str, workers: int) -> bytes | memoryview:
    """The bytes of a file, a large one read by several threads.

    The memory is numpy's, which comes in large pages. They are faster to get than small ones, and the columns get them
    again when the text is dropped.

    Raises
    ------
    OSError
        If the file cannot be opened or read.
    """
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size <= PIECE:
            return file.read()
        data = np.empty(size, np.uint8).data
        short: list[int] = []

        def part(start: int, stop: int) -> None:
            with open(path, "rb", buffering=0) as own:
                own.seek(start)
                while start < stop:
                    read = own.readinto(data[start:stop])
                    if not read:
                        short.append(start)
                        return
                    start += read

        chunks = [(start, min(start + PIECE, size)) for start in range(0, size, PIECE)]
        threads.spread(part, chunks, size, workers, np.zeros(1, np.uint8))
        return file.read() if short else data  # someone made the file shorter meanwhile


class Parts:
    """Graphs that several readers read, and what one :class:`Reader` has that read them all.

    Parameters
    ----------
    dialect : str
    interner : Interner
        Gets every string.
    workers : int
        Threads.
    """

    def __init__(self, dialect: Dialect, interner: Interner, workers: int) -> None:
        self._dialect, self._interner, self._workers = dialect, interner, workers
        self._parts: list[tuple[Reader, Int32Array | None]] = []  # merged, with the ids of their strings
        self.problems: list[tuple[int, str, int, int]] = []
        self.stops: list[int] = []

    def begins(self) -> Int64Array:
        """As ``Reader.begins``."""
        return np.concatenate([reader.begins() for reader, _ in self._parts])

    def columns(self) -> dict[str, Any]:
        """As ``Reader.columns``."""
        parts, self._parts = self._parts, []
        ends = np.cumsum([(0,) * 7, *(reader.counts for reader, _ in parts)], axis=0)
        columns = new_columns(tuple(ends[-1].tolist()))
        places = [tuple(row) for row in ends.tolist()]

        def write(start: int, stop: int) -> None:
            for number in range(start, stop):
                reader, ids = parts[number]
                reader.write(columns, places[number], ids)
                parts[number] = (reader, None)

        chunks = [(number, number + 1) for number in range(len(parts))]
        threads.spread(write, chunks, len(parts), self._workers, np.zeros(1, np.uint8))
        trim()
        return columns

    def _add(self, reader: Reader, interner: Interner | None) -> None:
        """Give the strings of the next part their numbers; None: they have them."""
        ids = None if interner is None else self._interner.intern_table(*interner.export())
        before = sum(len(part) for part, _ in self._parts)
        self.problems += [(index + before, message, line, column) for index, message, line, column in reader.problems]
        self.stops += reader.stops
        self._parts.append((reader, ids))


class Lists(Parts):
    """Reads texts with one graph each."""

    @staticmethod
    def divided(texts: tuple[object, ...], dialect: Dialect, workers: int) -> list[tuple[int, int]]:
        """Ranges of the texts that threads take one after the other; a single one if threads are not worth it."""
        if workers > 1 and DIALECTS[dialect].penman:
            sizes = np.fromiter((len(text) if isinstance(text, str) else 0 for text in texts), np.float64, len(texts))
            costs = sizes * _CHARACTER + _TEXT
            if costs.sum() > _WORTH:
                return sorted(threads.plan(costs, workers))
        return [(0, len(texts))]

    def read(self, chunks: list[tuple[int, int]], part: Callable[[Reader, int, int], None]) -> None:
        """Have ``part(reader, start, stop)`` read each range; raises the error of the first text that has one."""
        made: dict[int, tuple[Reader, Interner]] = {}
        errors: dict[int, Exception] = {}
        cancel = np.zeros(1, np.uint8)

        def work(start: int, stop: int) -> None:
            interner = Interner()
            reader = make_reader(self._dialect, interner)
            made[start] = reader, interner
            try:
                part(reader, start, stop)
            except (ReadError, TypeError) as error:
                errors[start] = error
                cancel[0] = 1  # ranges before this one were handed out before, and are read to their ends

        threads.spread(work, chunks, chunks[-1][1], self._workers, cancel)
        for start, _ in chunks:
            self._add(*made.pop(start))
            if start in errors:
                raise errors[start]


class Pieces(Parts):
    """Reads a text with several threads and has what a :class:`Reader` that read it has.

    An empty line need not end a graph: brackets decide that in most dialects, and what is broken may swallow the lines
    that follow. So a piece counts only if its reader stood between two graphs at its end (``Reader.between``), with
    nothing left that matters for the next one. If not, a reader of the whole text reads from the beginning of that
    piece until it stands between two graphs where another piece begins. An error that ends reading is found the same
    way: the broken piece is read again in its turn, so the first error of the text is the one that is raised.

    Parameters
    ----------
    dialect, interner, workers
        As those of :class:`Parts`.
    data : bytes-like
    starts : list of int
        Where the pieces begin, as :func:`cut` finds them.
    mode : int
        ``on_error`` of ``Reader.feed``.
    error : callable
        Makes the exception of a reader that came to an error.
    """

    def __init__(
        self,
        dialect: Dialect,
        interner: Interner,
        data: bytes | bytearray | memoryview,
        starts: list[int],
        mode: int,
        error: Callable[[Reader], Exception],
        workers: int,
    ) -> None:
        super().__init__(dialect, interner, workers)
        self._mode, self._error = mode, error
        self._data: Any = data
        self._starts, self._stops = starts, [*starts[1:], len(data)]
        self._mark = 3 if bytes(data[:3]) == b"\xef\xbb\xbf" else 0  # places of readers are behind a byte-order mark
        self._lines = np.ones(len(starts) + 1, np.int64)  # in which the pieces begin
        self._lock = threading.Lock()
        self._read: dict[int, tuple[Reader, Interner] | None] = {}  # and not merged yet, by number
        self._merging = False
        self._next = 0  # the piece that is merged next
        self._reached = 0  # what stands before is merged

    def read(self, progress: Callable[[int, int], object] | None) -> None:
        """Read the whole text; it raises what ``error`` makes, for the first error of the text."""
        chunks = list(zip(self._starts, self._stops, strict=True))
        cancel = np.zeros(1, np.uint8)
        threads.spread(self._count_lines, chunks, len(self._data), self._workers, cancel)
        np.cumsum(self._lines, out=self._lines)
        threads.spread(self._read_piece, chunks, len(self._data), self._workers, cancel, progress)
        self._data = None  # as large as the columns

    def _count_lines(self, start: int, stop: int) -> None:
        part = np.frombuffer(self._data, np.uint8)[start:stop]
        returns = np.flatnonzero(part == 13)  # behind which a line feed is part of the same break
        behind = part[returns[returns < len(part) - 1] + 1]
        breaks = np.count_nonzero(part == 10) + len(returns) - np.count_nonzero(behind == 10)
        self._lines[bisect_left(self._starts, start) + 1] = breaks

    def _read_piece(self, start: int, stop: int) -> None:
        number = bisect_left(self._starts, start)
        interner = Interner()
        reader = make_reader(self._dialect, interner)
        end = stop - self._mark if stop < len(self._data) else -1
        read = self._feed(reader, start, number, limit=-1, stop=end)
        with self._lock:
            self._read[number] = (reader, interner) if read == 0 else None
            if self._merging:
                return  # whoever is at that comes to this piece as well
            self._merging = True
        while True:
            with self._lock:
                if self._next not in self._read:
                    self._merging = False
                    return
                piece = self._read.pop(self._next)
            if self._starts[self._next] >= self._reached:
                self._merge(piece)
            self._next += 1

    def _merge(self, piece: tuple[Reader, Interner] | None) -> None:
        """Give the strings of the next piece their numbers; None: it is to be read by a reader of the whole text."""
        if piece is None:
            reader, interner = make_reader(self._dialect, self._interner), None
            self._reached = self._read_on(reader)
        else:
            reader, interner = piece
            self._reached = self._stops[self._next]
        self._add(reader, interner)

    def _read_on(self, reader: Reader) -> int:
        """Read from the beginning of the next piece to that of a later one, or to the end; returns the place."""
        position = self._feed(reader, self._starts[self._next], self._next, limit=1)
        while position > 0:
            place = position + self._mark
            following = bisect_left(self._starts, place)
            if following < len(self._starts) and reader.between:
                start = self._starts[following]
                if start - place < _GAP and not bytes(self._data[place:start]).strip():
                    return start
            position = reader.feed(self._data, self._mode, False, position, 1)
        if position < 0:
            raise self._error(reader)
        return len(self._data)

    def _feed(self, reader: Reader, start: int, number: int, *, limit: int, stop: int = -1) -> int:
        begin = start - self._mark if start else 0
        return reader.feed(self._data, self._mode, False, begin, limit, int(self._lines[number]), stop)
