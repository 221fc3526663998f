"""Word vectors: a text file read once, then a memory-mapped array.

``Embeddings.load(path)`` reads the text format of GloVe (a word and its numbers a line) and of word2vec and fastText
(the same under a first line with two counts), plain or gzipped. What comes out is the words and a float32 array with a
row for each, and both are kept in a cache file, so that the next load maps that file and only hashes the words.

The cache stands in ``$FASTMATCH_CACHE``, or ``fastmatch`` under the user's cache directory (``$XDG_CACHE_HOME``,
``~/.cache``, ``%LOCALAPPDATA%``), one file for each path. It is written under another name and renamed when it is
complete. Where it cannot be written, every load reads the text. The cache is used only if

* path, size, time of modification and inode of the text are those it was made from;
* checksums over all of it hold (10 GB/s), so half a file, or one with a flipped bit, is read anew from the text.

A text that was changed less than a moment before it was read is not cached, for another change within the clock's
resolution could not be told from it.

A word that occurs twice has the vector of its last line. :meth:`Embeddings.lookup` gives −1 for a word that is not
there; what becomes of such words is for the caller to say, and metrics have an option for it.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.reading.interner import Interner
from fastmatch._ext.reading.vectors import MOST, VectorParser, checksum
from fastmatch.errors import OptionError, ReadError
from fastmatch.graphs.arrays import starts_of
from fastmatch.runtime.files import version
from fastmatch.types import ByteArray, Int32Array, Int64Array

#: A cache file: these eight bytes (the last one counts versions of the format), the length of the header as a
#: little-endian uint64, the header (JSON), its checksum; from ``_BEGIN`` on the vectors, then offsets and bytes of the
#: words, each at a multiple of 64.
MAGIC = b"fmvecs\r\x01"
_BEGIN = 4096
_ALIGNMENT = 64

#: Names of files that are being written; seconds without a change after which nobody writes to one any more.
_PARTIAL = re.compile(r"\.vectors\.[0-9a-f]{12}\.partial$")
_ABANDONED = 3600

#: Nanoseconds that must lie between a file's last change and its reading for the change to be told from the next.
_CLOCK = 50_000_000

#: Bytes of text that are read and parsed in one go.
_PIECE = 1 << 20
#: Bytes behind the text that the parser may look at.
_PADDING = 16


class Embeddings:
    """Vectors of words. Immutable; equal if words and vectors are.

    Make them with :meth:`load` or :meth:`from_arrays`.

    Attributes
    ----------
    vectors : float32[n_words, dimension]
        Read-only; mapped from a file, if it was loaded from one that is cached.
    path : str or None
        The text file.
    find : callable
        From a word as UTF-8 bytes to its row, or −1: what :meth:`lookup` calls, for kernels.
    fingerprint : str
        16 hexadecimal digits that depend on all words and numbers; it stands in signatures.
    """

    __slots__ = ("__weakref__", "_blob", "_offsets", "_words", "find", "fingerprint", "path", "vectors")

    vectors: NDArray[np.float32]
    path: str | None
    find: Callable[[bytes], int]
    fingerprint: str

    def __init__(
        self,
        blob: ByteArray,
        offsets: Int64Array,
        vectors: NDArray[np.float32],
        fingerprint: str,
        path: str | None = None,
    ) -> None:
        """From the bytes of all words (UTF-8), where each begins and the last one ends, and their vectors.

        Raises
        ------
        ValueError
            If they do not fit together, or a vector has more than 16,384 numbers.
        """
        if vectors.ndim != 2 or len(vectors) != len(offsets) - 1:
            raise ValueError(f"vectors of shape {vectors.shape} for {len(offsets) - 1} words")
        if vectors.shape[1] > MOST:
            raise ValueError(f"vectors of {vectors.shape[1]} numbers; expected {MOST} at most")
        index = Interner()
        ids = index.intern_table(blob, offsets)
        if index.lookup(b"") >= 0:
            raise ValueError(f"word {np.argmin(np.diff(offsets))} is empty")
        self.find = index.lookup
        if len(index) < len(ids):  # of a word that occurs twice, the last row counts
            rows = np.full(len(index) + 1, -1, np.int32)
            rows[ids] = np.arange(len(ids))
            self.find = lambda word: int(rows[index.lookup(word)])
        self._blob, self._offsets = blob, offsets
        self._words: list[str] | None = None
        vectors.flags.writeable = False
        self.vectors, self.fingerprint, self.path = vectors, fingerprint, path

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, cache: bool | str | os.PathLike[str] = True) -> Embeddings:
        """Read a text file of vectors, or map what an earlier call kept of it.

        Parameters
        ----------
        path : path
            GloVe or word2vec text, UTF-8, gzipped or not.
        cache : bool or path
            Whether to look for and leave a cache file; a path is the directory for it.

        Raises
        ------
        OptionError
            If the file cannot be opened.
        ReadError
            If it holds no vectors, a line is not a word and as many finite numbers as the other lines have, or these
            are more than 16,384.

        Notes
        -----
        Memory besides the vectors is a few megabytes: the text is read piece by piece.
        """
        path = os.fspath(path)
        folder = cache_folder() if cache is True else os.fspath(cache) if cache else None
        try:
            with open(path, "rb") as file:
                status = os.fstat(file.fileno())
                origin: list[Any] = [os.path.realpath(path), status.st_size, status.st_mtime_ns, status.st_ino]
                place = None if folder is None else cache_place(folder, origin[0])
                if place is not None:
                    found = map_cache(place, origin, path)
                    if found is None and not too_fresh(status.st_mtime_ns):
                        found = write_cache(file, place, origin, path)
                    if found is not None:
                        return found
                rows: list[NDArray[np.float32]] = []
                # a piece without the end of a line has no rows, and before the first row they have no length
                parser = parse_vectors(file, path, lambda more: rows.append(more.copy()) if len(more) else None)
        except OSError as error:
            raise OptionError(f"embeddings: cannot read {path}: {error.strerror or error}") from None
        vectors = np.concatenate(rows)
        blob, offsets = parser.words()
        return cls(blob, offsets, vectors, _fingerprint(vectors, blob), path)

    @classmethod
    def from_arrays(cls, words: Sequence[str], vectors: Any) -> Embeddings:
        """From words and an array-like of shape (n_words, dimension), which is copied.

        Raises
        ------
        ValueError
            If the lengths differ, a word is empty, a number is not finite as float32, or a vector has more than 16,384.
        """
        rows = np.array(vectors, np.float32, order="C", ndmin=2 if len(words) else 0)
        if rows.ndim != 2:
            rows = rows.reshape(0, 0)
        if len(rows) != len(words):
            raise ValueError(f"{len(words)} words for {len(rows)} vectors")
        if not np.isfinite(rows).all():
            raise ValueError("a number is not finite")
        encoded = [word.encode("utf-8", "surrogatepass") for word in words]
        offsets = starts_of([len(word) for word in encoded])
        blob = np.frombuffer(b"".join(encoded), np.uint8)
        return cls(blob, offsets, rows, _fingerprint(rows, blob))

    @property
    def dimension(self) -> int:
        """Numbers of a vector."""
        return int(self.vectors.shape[1])

    @property
    def words(self) -> list[str]:
        """All words, by row. Made when first asked for: 0.1 s for 400,000 words."""
        if self._words is None:
            data, bounds = self._blob.tobytes(), self._offsets.tolist()
            self._words = [data[start:stop].decode("utf-8", "surrogateescape") for start, stop in pairwise(bounds)]
        return self._words

    def lookup(self, word: str) -> int:
        """Row of a word, exactly as it is written, or −1."""
        try:
            encoded = word.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            encoded = word.encode("utf-8", "surrogatepass")
        return self.find(encoded)

    def rows(self, words: Iterable[str]) -> Int32Array:
        """Rows of many words, int32[n], −1 for those that are not there."""
        return np.fromiter(map(self.lookup, words), np.int32)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.lookup(word) >= 0

    def __len__(self) -> int:
        return len(self.vectors)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Embeddings):
            return NotImplemented
        return self.fingerprint == other.fingerprint and self.vectors.shape == other.vectors.shape

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        name = "" if self.path is None else f" {os.path.basename(self.path)!r}"
        return f"<Embeddings{name}: {len(self):,} words, {self.dimension} dimensions>"

    def __reduce__(self) -> tuple[object, ...]:
        if self.path is not None:  # a worker maps the same file
            return (_again, (self.path, self.fingerprint))
        return (Embeddings, (self._blob, self._offsets, np.array(self.vectors), self.fingerprint))


def loaded_vectors(given: str | os.PathLike[str] | Embeddings | None) -> Embeddings | None:
    """The word vectors of an option ``embeddings``: a file is loaded once for each state of it."""
    if given is None or isinstance(given, Embeddings):
        return given
    return _loaded(*version(given, "embeddings"))


@lru_cache(maxsize=4)
def _loaded(path: str, size: int, changed: int, inode: int) -> Embeddings:
    return Embeddings.load(path)


def _again(path: str, fingerprint: str) -> Embeddings:
    found = Embeddings.load(path)
    if found.fingerprint != fingerprint:
        raise ReadError("the vectors have changed since they were first loaded", source=path)
    return found


def _fingerprint(vectors: NDArray[np.float32], blob: ByteArray) -> str:
    numbers = vectors.reshape(-1).view(np.uint8)
    return fingerprint_of(checksum(numbers), blob)


# ---- the cache -------------------------------------------------------------------------------------------------------


def cache_folder() -> str | None:
    """Where cache files go, or None if there is no such place."""
    given = os.environ.get("FASTMATCH_CACHE")
    if given is not None:
        return given or None
    if os.name == "nt":
        base = os.environ.get("LOCALAPPDATA") or ""
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "fastmatch") if os.path.isabs(base) else None


def cache_place(folder: str, real_path: str) -> str:
    """Name of the cache file of a text file: the same for all its versions, so that old ones are not left lying."""
    stem = "".join(c if c.isalnum() or c in ".-_" else "_" for c in os.path.basename(real_path))[:80]
    return os.path.join(folder, f"{stem}.{checksum(os.fsencode(real_path)):016x}.vectors")


def too_fresh(changed: int) -> bool:
    """Whether a file was changed so recently (nanoseconds since 1970) that its next change might get the same time."""

    return abs(time.time_ns() - changed) < _CLOCK


def map_cache(place: str, origin: list[Any], path: str) -> Embeddings | None:
    """The vectors in a cache file; None if there is no such file, or it is of another text, or damaged."""
    import json
    import mmap

    try:
        with open(place, "rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):  # an empty file cannot be mapped
        return None
    try:
        size = int.from_bytes(data[8:16], "little")
        if data[:8] != MAGIC or size > _BEGIN - 24:
            return None
        text = data[16 : 16 + size]
        if int.from_bytes(data[16 + size : 24 + size], "little") != checksum(text):
            return None
        header = json.loads(text)
        if header["origin"] != origin or header["order"] != sys.byteorder:
            return None
        starts, length = _layout(header)
        whole = np.frombuffer(data, np.uint8)
        if length != len(whole):
            return None
        rows, dimension = header["rows"], header["dimension"]
        vectors = np.frombuffer(data, np.float32, rows * dimension, starts[0]).reshape(rows, dimension)
        sums = checksum(vectors.reshape(-1).view(np.uint8)), checksum(whole[starts[1] :])
        if sums != (header["vectors"], header["words"]):
            return None
        offsets = np.frombuffer(data, np.int64, rows + 1, starts[1])
        blob = np.frombuffer(data, np.uint8, header["bytes"], starts[2])
        fingerprint = fingerprint_of(header["vectors"], blob)
        return Embeddings(blob, offsets, vectors, fingerprint, path) if fingerprint == header["fingerprint"] else None
    except (ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError):
        return None


def write_cache(file: IO[bytes], place: str, origin: list[Any], path: str) -> Embeddings | None:
    """Parse a file into a new cache file and map that, as :func:`map_cache` does; None if there can be no cache."""

    name = f"{place}.{os.urandom(6).hex()}.partial"
    try:
        os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
        _clear(os.path.dirname(place))
        target = open(name, "x+b")  # noqa: SIM115 - closed below, before the file is renamed
    except OSError:
        return None

    def write(array: NDArray[Any] | bytes) -> None:
        target.write(array.reshape(-1).view(np.uint8).data if isinstance(array, np.ndarray) else array)

    try:
        write(bytes(_BEGIN))
        parser = parse_vectors(file, path, write)
        if os.fstat(file.fileno()).st_mtime_ns != origin[2]:  # somebody is writing to it
            return None
        blob, offsets = parser.words()
        header: dict[str, Any] = {
            "origin": origin,
            "order": sys.byteorder,
            "rows": parser.n_rows,
            "dimension": parser.dimension,
            "bytes": len(blob),
        }
        starts, length = _layout(header)
        for start, array in zip(starts[1:], (offsets, blob), strict=True):
            write(bytes(start - target.tell()))
            write(array)
        write(bytes(length - target.tell()))
        _seal(target, header, write)
        os.replace(name, place)
    except OSError:
        # reading may have failed as well: the caller reads once more, without a cache, and sees
        return None
    finally:
        target.close()
        if os.path.exists(name):
            os.unlink(name)
    return map_cache(place, origin, path)


def _clear(folder: str) -> None:
    """Remove what processes that were killed have left half-written: a file of two gigabytes may be among it."""
    long_ago = time.time() - _ABANDONED
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _PARTIAL.search(entry.name) and entry.stat().st_mtime < long_ago:
                os.unlink(entry)


def fingerprint_of(vectors: int, words: Any) -> str:
    """16 hexadecimal digits, from the checksum of the vectors and the bytes of the words."""
    return f"{vectors ^ checksum(words):016x}"


def _layout(header: dict[str, Any]) -> tuple[list[int], int]:
    """Where vectors, offsets and words begin, and the size of the file."""
    rows = header["rows"]
    # text or a list times a number would be long
    if any(type(header[name]) is not int or header[name] < 0 for name in ("rows", "dimension", "bytes")):
        raise ValueError("a number is none")
    sizes = [4 * rows * header["dimension"], 8 * (rows + 1), header["bytes"]]
    starts, at = [], _BEGIN
    for size in sizes:
        starts.append(at)
        at += -(-size // _ALIGNMENT) * _ALIGNMENT
    return starts, at


def _seal(target: IO[bytes], header: dict[str, Any], write: Callable[[bytes], None]) -> None:
    """Checksums over what has been written, then the header."""
    import json
    import mmap

    starts, length = _layout(header)
    numbers = 4 * header["rows"] * header["dimension"]
    target.flush()
    with mmap.mmap(target.fileno(), length, access=mmap.ACCESS_READ) as data, memoryview(data) as whole:
        with whole[starts[0] : starts[0] + numbers] as part:
            header["vectors"] = checksum(part)
        with whole[starts[1] :] as part:
            header["words"] = checksum(part)
        with whole[starts[2] : starts[2] + header["bytes"]] as part:
            header["fingerprint"] = fingerprint_of(header["vectors"], part)
    text = json.dumps(header).encode()
    if len(text) > _BEGIN - 24:
        raise OSError("the header is too long")
    target.seek(0)
    write(MAGIC + len(text).to_bytes(8, "little") + text + checksum(text).to_bytes(8, "little"))
    target.flush()


def parse_vectors(file: IO[bytes], path: str, keep: Callable[[NDArray[np.float32]], object]) -> VectorParser:
    """Parse a whole file, from its beginning.

    Parameters
    ----------
    file : binary file
        Plain or gzipped text.
    path : str
        Its name, for messages.
    keep : callable
        Gets the rows piece by piece, float32[n, dimension], and must copy them: the memory is used again.

    Returns
    -------
    VectorParser
        Has the words.

    Raises
    ------
    ReadError
        If the text holds no vectors, a line is not a word and as many finite numbers as the other lines have, or these
        are too many.
    OSError
        If the file cannot be read.
    """
    import gzip
    import zlib

    parser = VectorParser()
    source: Any = file
    file.seek(0)
    if file.read(2) == b"\x1f\x8b":
        source = gzip.GzipFile(fileobj=file)
    file.seek(0)
    data = bytearray(_PIECE + _PADDING)
    filled = 0
    mark = 3  # a byte-order mark is no part of the first word
    while True:
        try:
            n = source.readinto(memoryview(data)[filled : len(data) - _PADDING])
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ReadError(f"damaged gzip file: {error}", source=path) from None
        filled += n
        if mark and (filled >= mark or n == 0):
            if data[:mark] == b"\xef\xbb\xbf":
                filled -= mark
                data[:filled] = data[mark : mark + filled]
            mark = 0
        used = parser.feed(data, filled, n == 0)
        if used < 0:
            assert parser.fault is not None
            message, line, column = parser.fault
            raise ReadError(message, source=path, line=line, column=column)
        keep(parser.take())
        if n == 0:
            break
        filled -= used
        data[:filled] = data[used : used + filled]
        if filled == len(data) - _PADDING:  # a line longer than the piece
            data.extend(bytes(len(data)))
    if parser.n_rows == 0:
        raise ReadError("expected a word and its numbers on each line, found no line", source=path)
    if parser.announced not in (-1, parser.n_rows):
        raise ReadError(f"the first line says {parser.announced} words, found {parser.n_rows}", source=path)
    return parser
