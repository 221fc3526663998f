"""Long computations that may be killed: which blocks of a result are on disk.

A result is written to ``NAME.part`` beside its final place, block by block, and renamed when it is whole; nothing
unfinished ever bears the final name. Beside it stands ``NAME.journal``, one JSON object a line:

    {"fastmatch": "…", "fingerprint": "…", "blocks": 54, …}     what is computed
    {"block": 0, "checksum": "…"}                               block 0 is on disk, …
    {"complete": true, "checksum": "…"}                         … and so is everything, under its final name

A block's line is written after its data have reached the disk (``fsync``), and the line is believed only if it ends in
a line break. So a block that the journal names is there, whatever killed the process (or the machine), and a block
whose data are half-written is not named: it is computed again, over whatever stands there. Whether the data still are
what was written then, their checksum says. Nothing is believed from the first line on that this module did not write.

The *fingerprint* is a digest of everything that the result depends on: the graphs (their content, not the files), the
metric with all its options and the version that computes it, and the shape of the result. A journal with another
fingerprint is another computation, and is neither continued nor overwritten.

While a process works it holds a lock on the journal, where the system has such locks, so that two of them never write
the same result.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

from fastmatch._ext.reading.vectors import checksum
from fastmatch.errors import OptionError

#: Bytes of a piece of long data, for a checksum: what is read at once.
_PIECE = 1 << 24


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
    done : dict of int → str
        Blocks that are on disk, with the checksums of their data.
    complete : bool
        The result stands in its place already.
    whole : str
        Its checksum; empty if the result is one whose blocks have checksums enough.

    Raises
    ------
    OptionError
        If there is an unfinished result and ``resume`` is false, or the result is of another computation.
    """

    def __init__(self, target: str, header: dict[str, Any], *, resume: bool) -> None:
        self.target, self.path, self.part = target, f"{target}.journal", f"{target}.part"
        self.done: dict[int, str] = {}
        self.complete, self.whole = False, ""
        self.header = header
        # opened without truncating: somebody else may be at work on it
        self._file: IO[bytes] = open(self.path, "a+b")  # noqa: SIM115 - until close()
        try:
            if not _locked(self._file):
                raise OptionError(f"{target} is being written by another process; wait for it, or give another name")
            self._begin(resume)
        except BaseException:
            with suppress(OSError):  # closing tries once more to write what could not be written
                self._file.close()
            raise

    def _begin(self, resume: bool) -> None:
        header, target = self.header, self.target
        known = self._load()
        begun = os.path.exists(self.part)
        if known is None and begun and self._file.tell():
            raise self.damaged()
        if known is not None and len(self.done) == known["blocks"] and not begun:
            self.complete = True  # killed after the result got its name, before the journal knew
        unfinished = known is not None and not self.complete and begun
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
                f"resume it (resume=True), or remove it to begin anew"
            )
        self.done, self.complete = {}, False
        self._file.truncate(0)
        self._write(header)

    def _load(self) -> dict[str, Any] | None:
        """Read what is there: the header, or None if there is none; fills ``done``, ``complete`` and ``whole``."""
        self._file.seek(0)
        text = self._file.read()
        header: dict[str, Any] | None = None
        self._length = 0
        for line in text.splitlines(keepends=True):
            entry = _entry(line)
            if header is None:
                if type(entry.get("fingerprint")) is not str or type(entry.get("blocks")) is not int:
                    break
                header = entry
            elif type(entry.get("block")) is int and type(entry.get("checksum")) is str:
                if not 0 <= entry["block"] < header["blocks"]:
                    break
                self.done[entry["block"]] = entry["checksum"]
            elif entry.get("complete") is True:
                self.complete, self.whole = True, str(entry.get("checksum", ""))
            else:
                break
            self._length += len(line)
        return header

    def _write(self, entry: dict[str, Any]) -> None:
        with naming(self.path):
            self._file.write(json.dumps(entry).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())

    def damaged(self) -> OptionError:
        """The error of a journal that cannot be what this module wrote, where an unfinished result belongs to it."""
        return OptionError(f"{self.path} is damaged: remove it and {self.part} to begin anew")

    def finish(self, block: int, checksum: str) -> None:
        """Note that a block is on disk: its data must have been flushed with ``fsync`` before."""
        self._write({"block": block, "checksum": checksum})
        self.done[block] = checksum

    def end(self, checksum: str = "") -> None:
        """Note that the result stands in its place."""
        self._write({"complete": True, **({"checksum": checksum} if checksum else {})})
        self.complete, self.whole = True, checksum

    def close(self) -> None:
        """Close the journal."""
        if not self._file.closed:
            with naming(self.path):
                self._file.close()


def _entry(line: bytes) -> dict[str, Any]:
    """What stands in a line; nothing if it is damaged."""
    try:
        entry = json.loads(line) if line.endswith(b"\n") else None
    except (ValueError, RecursionError):
        return {}
    return entry if isinstance(entry, dict) else {}


class Checksum:
    """A checksum of data that come in pieces, which must be cut the same way each time. About 8 GB/s.

    Not for protection against intent, as :func:`fastmatch._ext.reading.vectors.checksum` is not.
    """

    def __init__(self) -> None:
        self._state = 0

    def add(self, piece: memoryview | bytes) -> None:
        """Bytes, in one piece."""
        # an odd factor: a piece that differs makes the end differ, whatever follows
        self._state = (self._state * 0x9E3779B97F4A7C15 + checksum(piece)) % 2**64

    def add_all(self, data: memoryview) -> None:
        """Bytes, cut as :meth:`add_file` cuts them."""
        for begin in range(0, len(data), _PIECE):
            self.add(data[begin : begin + _PIECE])

    def add_file(self, file: IO[bytes], size: int) -> None:
        """The next so many bytes of a file, or those that are left of it."""
        while size > 0 and (piece := file.read(min(size, _PIECE))):
            self.add(piece)
            size -= len(piece)

    def __str__(self) -> str:
        return f"{self._state:016x}"


def checksum_of_file(path: str) -> str:
    """The checksum of all bytes of a file."""
    found = Checksum()
    with open(path, "rb") as file:
        found.add_file(file, os.fstat(file.fileno()).st_size)
    return str(found)


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
    """Give errors of writing (no space left), which do not know the name of the file, that name."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            raise type(error)(error.errno, os.strerror(error.errno), path) from None
        raise


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
