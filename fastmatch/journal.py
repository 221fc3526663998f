"""Long computations that may be killed: which blocks of a result are on disk.

A result is written to ``NAME.part`` beside its final place, block by block, and renamed when it is whole; nothing
unfinished ever bears the final name. Beside it stands ``NAME.journal``, one JSON object a line:

    {"fastmatch": "…", "fingerprint": "…", "blocks": 54, …}     what is computed
    {"block": 0}                                                block 0 is on disk, …
    {"complete": true}                                          … and so is everything, under its final name

A block's line is written after its data have reached the disk (``fsync``), and the line is believed only if it ends in
a line break. So a block that the journal names is there, whatever killed the process (or the machine), and a block
whose data are half-written is not named: it is computed again, over whatever stands there.

The *fingerprint* is a digest of everything that the result depends on: the graphs (their content, not the files), the
metric with all its options and the version that computes it, and the shape of the result. A journal with another
fingerprint is another computation, and is neither continued nor overwritten.

While a process works it holds a lock on the journal, where the system has such locks, so that two of them never write
the same result.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from fastmatch.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from fastmatch.corpus import Corpus

__all__ = ["Journal", "MatrixFile", "digest", "fingerprint", "flush_folder", "naming"]


def fingerprint(**parts: Any) -> str:
    """A short digest of named values that JSON can hold (or that ``repr`` tells apart); hexadecimal."""
    text = json.dumps(parts, sort_keys=True, default=repr)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def digest(corpus: Corpus) -> str:
    """A digest of the graphs of a corpus, and of their order and ids: equal for equal content, however it was read.

    Ids of the vocabulary do not go into it, as they depend on what else was read.
    """
    names = "root variable_offsets instance_offsets instances attribute_offsets attributes relation_offsets relations"
    state = hashlib.sha256(corpus.dialect.encode())
    strings = [corpus.variable_names, corpus.instances[1], *corpus.attributes[1:3], corpus.relations[1]]
    used, first, places = np.unique(np.concatenate(strings), return_index=True, return_inverse=True)
    # numbered in the order in which they first occur
    order = np.argsort(first)
    rank = np.empty(len(used), np.int64)
    rank[order] = np.arange(len(used))
    texts = [corpus.vocabulary.text(int(id)) if id >= 0 else None for id in used[order]]
    for name in names.split():
        array = getattr(corpus, name)
        rows = {"instances": (1,), "attributes": (1, 2), "relations": (1,)}.get(name)
        if rows is not None:
            array = np.delete(array, rows, axis=0)
        state.update(f"{name}{array.shape}".encode())
        state.update(np.ascontiguousarray(array).data)
    state.update(rank[places].data)
    state.update(json.dumps([texts, list(corpus.ids)]).encode())
    return state.hexdigest()[:32]


class Journal:
    """The journal of one result.

    Parameters
    ----------
    target : str
        Where the result will stand.
    header : dict
        Says what is computed: ``fingerprint``, ``blocks`` (their number) and whatever else helps a reader.
    resume : bool
        Go on with what an earlier process left.

    Attributes
    ----------
    done : set of int
        Blocks that are on disk.
    complete : bool
        The result stands in its place already.

    Raises
    ------
    OptionError
        If there is an unfinished result and ``resume`` is false, or the result is of another computation.
    """

    def __init__(self, target: str, header: dict[str, Any], *, resume: bool) -> None:
        self.target, self.path, self.part = target, f"{target}.journal", f"{target}.part"
        self.done: set[int] = set()
        self.complete = False
        self.header = header
        # opened without truncating: somebody else may be at work on it
        self._file: IO[bytes] = open(self.path, "a+b")  # noqa: SIM115 - until close()
        try:
            if not _locked(self._file):
                raise OptionError(f"{target} is being written by another process; wait for it, or give another name")
            self._begin(resume)
        except BaseException:
            self._file.close()
            raise

    def _begin(self, resume: bool) -> None:
        header, target = self.header, self.target
        known = self._load()
        if known is not None and len(self.done) == known["blocks"] and not os.path.exists(self.part):
            self.complete = True  # killed after the result got its name, before the journal knew
        unfinished = known is not None and not self.complete and os.path.exists(self.part)
        if known is not None and not unfinished and not (self.complete and os.path.exists(target)):
            known = None  # what it tells of is gone
        if known is not None and resume:
            if known["fingerprint"] != header["fingerprint"]:
                raise OptionError(
                    f"{self.path} is of another computation (other graphs, metric, options or version): "
                    "give the same ones, or remove it to begin anew"
                )
            self.header = known
            self._file.truncate(self._length)
            return
        if unfinished:
            raise OptionError(
                f"{self.part} is unfinished ({len(self.done)} of {known and known['blocks']} blocks are done): "
                f"resume it (resume=True, --resume), or remove it to begin anew"
            )
        self.done, self.complete = set(), False
        self._file.truncate(0)
        self._write(header)

    def _load(self) -> dict[str, Any] | None:
        """Read what is there: the header, or None if there is none; fills ``done`` and ``complete``."""
        self._file.seek(0)
        text = self._file.read()
        header: dict[str, Any] | None = None
        self._length = 0
        for line in text.splitlines(keepends=True):
            try:
                entry = json.loads(line)
            except ValueError:
                break
            if not line.endswith(b"\n") or not isinstance(entry, dict):
                break
            if header is None:
                if "fingerprint" not in entry or "blocks" not in entry:
                    break
                header = entry
            elif "block" in entry:
                self.done.add(entry["block"])
            elif "complete" in entry:
                self.complete = True
            self._length += len(line)
        return header

    def _write(self, entry: dict[str, Any]) -> None:
        with naming(self.path):
            self._file.write(json.dumps(entry).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())

    def finish(self, block: int) -> None:
        """Note that a block is on disk: its data must have been flushed with ``fsync`` before."""
        self._write({"block": block})
        self.done.add(block)

    def close(self, *, complete: bool = False) -> None:
        """Close the journal; with ``complete`` after noting that the result stands in its place."""
        if complete and not self.complete:
            self._write({"complete": True})
            self.complete = True
        if not self._file.closed:
            with naming(self.path):
                self._file.close()


def _locked(file: IO[bytes]) -> bool:
    """Take the lock of a file, until it is closed; False if somebody else has it."""
    try:
        import fcntl
    except ImportError:  # Windows
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


@contextmanager
def naming(path: str) -> Iterator[None]:
    """An error of writing (no space left) does not know the name of the file; give it."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            raise type(error)(error.errno, os.strerror(error.errno), path) from None
        raise


class MatrixFile:
    """A ``.npy`` file that is filled by rows.

    Plain writes, not a memory-map: they need no address space for the whole matrix, so a limit of memory holds for a
    matrix of any size.
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
        self._file.close()


def flush_folder(path: str) -> None:
    """Wait until the names in the folder of ``path`` are on disk (a rename is one), where the system can."""
    if os.name != "nt":
        name = os.path.dirname(os.path.abspath(path))
        folder = os.open(name, os.O_RDONLY)
        try:
            with naming(name):
                os.fsync(folder)
        finally:
            os.close(folder)
