"""Matrices in ``.npy`` files that are filled block by block."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from fastmatch.errors import OptionError
from fastmatch.runtime.journal import naming

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MatrixFile", "NpyFile"]


class MatrixFile:
    """A ``.npy`` file that is filled by rows.

    Plain writes, not a memory-map: they need no address space for the whole matrix, so a limit of memory holds for a
    matrix of any size.

    Parameters
    ----------
    path : str
    shape : (int, int)
    dtype : dtype
    resume : bool
        The file is there; its header is written again, its rows stay.

    Raises
    ------
    OptionError
        With ``resume``, if the file has not the size that it should have.
    """

    def __init__(self, path: str, shape: tuple[int, int], dtype: np.dtype[Any], *, resume: bool) -> None:
        self.path, self.shape, self.dtype = path, shape, dtype
        text = io.BytesIO()
        descr = np.lib.format.dtype_to_descr(dtype)
        np.lib.format.write_array_header_1_0(text, {"descr": descr, "fortran_order": False, "shape": shape})
        self._begin = len(text.getvalue())
        whole = self._begin + shape[0] * shape[1] * dtype.itemsize
        if resume and os.path.getsize(path) != whole:
            raise OptionError(
                f"{path} has {os.path.getsize(path):,} bytes, expected {whole:,}: it is not what its journal tells of; "
                "remove it to begin anew"
            )
        # unbuffered: every write goes where it was sought, and nothing is held back from fsync
        self._file = open(path, "r+b" if resume else "w+b", buffering=0)  # noqa: SIM115 - until close()
        with naming(path):
            self._file.write(text.getvalue())
            self._file.truncate(whole)

    def write(self, start: int, rows: NDArray[Any]) -> None:
        """Rows ``start`` …, whole ones."""
        self._put(start, 0, rows)

    def write_mirrored(self, start: int, rows: NDArray[Any]) -> None:
        """Rows ``start`` … of a symmetric matrix, given from column ``start`` on, and their mirror image."""
        height = len(rows)
        for k in range(height):
            self._put(start + k, start, rows[k, start:])
        below = np.ascontiguousarray(rows[:, start + height :].T)
        for k in range(len(below)):
            self._put(start + height + k, start, below[k])

    def _put(self, row: int, column: int, values: NDArray[Any]) -> None:
        self._file.seek(self._begin + (row * self.shape[1] + column) * self.dtype.itemsize)
        data = np.ascontiguousarray(values, self.dtype).reshape(-1).view(np.uint8).data
        with naming(self.path):
            while data:
                data = data[self._file.write(data) :]

    def flush(self) -> None:
        """Wait until what was written is on disk."""
        with naming(self.path):
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class NpyFile:
    """A ``.npy`` file that is written under the name ``NAME.part`` and renamed when it is whole.

    What :meth:`fastmatch.allpairs.setting.Setting.journalled` expects of a file.

    Parameters
    ----------
    path : str
        Of the whole file.
    shape : (int, int)
    kind : dtype
    """

    def __init__(self, path: str, shape: tuple[int, int], kind: np.dtype[Any]) -> None:
        self.path, self.shape, self.kind = path, shape, kind
        self.matrix: MatrixFile | None = None

    def open(self, *, fresh: bool) -> None:
        """Begin; ``fresh``: nothing of an earlier run is to be kept."""
        self.matrix = MatrixFile(f"{self.path}.part", self.shape, self.kind, resume=not fresh)

    def has(self, number: int) -> bool:
        """What the journal says of a block is right: its rows have their places in the file."""
        return True

    def flush(self) -> None:
        """Wait until what was written is on disk."""
        assert self.matrix is not None
        self.matrix.flush()

    def finish(self) -> None:
        """Give the file its name."""
        self.flush()
        self.close()
        os.replace(f"{self.path}.part", self.path)

    def clean(self) -> None:
        """Nothing besides the file is left."""

    def close(self) -> None:
        """Close the file, if it is open."""
        if self.matrix is not None:
            self.matrix.close()
