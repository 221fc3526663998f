"""Matrices in ``.npy`` files that are filled block by block."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from fastmatch.errors import OptionError
from fastmatch.runtime.files import opener, remove, take_place
from fastmatch.runtime.journal import Checksum, Journal, naming


class NpyFile:
    """A ``.npy`` file that is filled by blocks of rows under the name ``NAME.part``, and renamed when it is whole.

    What :meth:`fastmatch.allpairs.setting.Setting.journalled` expects of a file. Plain writes, not a memory-map: they
    need no address space for the whole matrix, so a limit of memory holds for a matrix of any size.

    Parameters
    ----------
    path : str
        Of the whole file.
    shape : (int, int)
    kind : dtype
    half : bool
        The matrix is symmetric. Blocks are given from column ``start`` on, and their mirror image is written as well.

    Attributes
    ----------
    checksum : str
        Of the block that was written last.
    """

    def __init__(self, path: str, shape: tuple[int, int], kind: np.dtype[Any], *, half: bool) -> None:
        self.path, self.part, self.shape, self.kind, self.half = path, f"{path}.part", shape, kind, half
        self.checksum = ""
        text = io.BytesIO()
        descr = np.lib.format.dtype_to_descr(kind)
        np.lib.format.write_array_header_1_0(text, {"descr": descr, "fortran_order": False, "shape": shape})
        self._header = text.getvalue()
        self._size = len(self._header) + shape[0] * shape[1] * kind.itemsize
        self._file: io.FileIO | None = None

    def open(self, *, fresh: bool) -> None:
        """Begin; ``fresh``: nothing of an earlier run is to be kept, else the rows of ``NAME.part`` stay."""
        if fresh:
            remove(self.part)
        # unbuffered: every write goes where it was sought, and nothing is held back from fsync
        self._file = open(self.part, "x+b" if fresh else "r+b", buffering=0, opener=opener(self.path))  # noqa: SIM115
        with naming(self.part):
            self._file.write(self._header)
            self._file.truncate(self._size)

    def write(self, start: int, rows: NDArray[Any]) -> None:
        """Rows ``start`` …, a block."""
        written = Checksum()
        if not self.half:
            written.add_all(self._put(start, 0, rows))
        else:
            height = len(rows)
            for k in range(height):
                written.add(self._put(start + k, start, rows[k, start:]))
            below = np.ascontiguousarray(rows[:, start + height :].T)
            for k in range(len(below)):
                written.add(self._put(start + height + k, start, below[k]))
        self.checksum = str(written)

    def _put(self, row: int, column: int, values: NDArray[Any]) -> memoryview:
        assert self._file is not None
        self._file.seek(len(self._header) + (row * self.shape[1] + column) * self.kind.itemsize)
        data = left = np.ascontiguousarray(values, self.kind).reshape(-1).view(np.uint8).data
        with naming(self.part):
            while left:
                left = left[self._file.write(left) :]
        return data

    def kept(self, blocks: Sequence[tuple[int, int]], journal: Journal) -> set[int]:
        """The blocks in ``NAME.part`` that are what the journal says.

        Raises
        ------
        OptionError
            If the file has not the size that it should have.
        """
        size = os.path.getsize(self.part)
        if size != self._size:
            raise OptionError(
                f"{self.part} has {size:,} bytes, expected {self._size:,}: it is not what its journal tells of; "
                "remove it to begin anew"
            )
        return self._sound(self.part, blocks, journal.done)

    def fault(self, blocks: Sequence[tuple[int, int]], journal: Journal) -> str:
        """Why the whole file is not what the journal tells of; nothing if it is."""
        size = os.path.getsize(self.path)
        if size != self._size:
            return f"it has {size:,} bytes, expected {self._size:,}"
        with open(self.path, "rb") as file:
            if file.read(len(self._header)) != self._header:
                return f"its header is not that of a matrix of {self.kind}, {self.shape[0]} x {self.shape[1]}"
        bad = len(blocks) - len(self._sound(self.path, blocks, journal.done))
        return f"{bad} of {len(blocks)} blocks are not what was written" if bad else ""

    def _sound(self, path: str, blocks: Sequence[tuple[int, int]], known: dict[int, str]) -> set[int]:
        """The blocks in a file that have these checksums."""
        found = {number: Checksum() for number in known}
        width = self.shape[1] * self.kind.itemsize
        with open(path, "rb") as file:
            for number, (start, stop) in enumerate(blocks):
                file.seek(len(self._header) + start * width)
                if self.half:
                    self._add_rows(file, number, blocks, found)
                elif number in found:
                    found[number].add_file(file, (stop - start) * width)
        return {number for number in known if str(found[number]) == known[number]}

    def _add_rows(
        self, file: IO[bytes], number: int, blocks: Sequence[tuple[int, int]], found: dict[int, Checksum]
    ) -> None:
        """Add the rows of a block of a symmetric matrix: each has a part of every block above it, and of its own."""
        item = self.kind.itemsize
        parts = [(found[n], blocks[n][0] * item, blocks[n][1] * item) for n in range(number) if n in found]
        if number in found:
            parts.append((found[number], blocks[number][0] * item, self.shape[1] * item))
        for _ in range(*blocks[number]):
            row = memoryview(file.read(self.shape[1] * item))
            for checksum, low, high in parts:
                checksum.add(row[low:high])

    def flush(self) -> None:
        """Wait until what was written is on disk."""
        assert self._file is not None
        with naming(self.part):
            os.fsync(self._file.fileno())

    def finish(self, blocks: Sequence[tuple[int, int]]) -> str:
        """Give the file its name; its blocks have checksums enough, so it needs none as a whole."""
        self.flush()
        self.close()
        take_place(self.part, self.path)
        return ""

    def clean(self) -> None:
        """Nothing besides the file is left."""

    def close(self) -> None:
        """Close the file, if it is open."""
        if self._file is not None:
            self._file.close()
