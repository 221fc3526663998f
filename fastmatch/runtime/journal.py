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

import json
import os
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any

from fastmatch.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Journal", "flush_folder", "naming"]


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
            with suppress(OSError):  # closing tries once more to write what could not be written
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
