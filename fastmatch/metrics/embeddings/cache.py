"""Text files of vectors, parsed, and kept on disk: a file that is mapped the next time, with checksums of everything.

The cache belongs to one text file, in the state it had when it was read: path, size, time of the last change and inode
must be the same, else the text is read again: piece by piece, so that memory besides the result is a few megabytes.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.reading.vectors import VectorParser, checksum
from fastmatch.errors import ReadError

#: What the caller makes of the arrays.
Made = TypeVar("Made")

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


def map_cache(place: str, origin: list[Any], make: Callable[..., Made]) -> Made | None:
    """What ``make(blob, offsets, vectors, fingerprint)`` makes of the arrays in a cache file.

    None if there is no such file, or it is of another text, or damaged, or ``make`` raises ValueError.
    """
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
        if checksum(vectors.reshape(-1).view(np.uint8)) != header["vectors"]:
            return None
        if checksum(whole[starts[1] :]) != header["words"]:
            return None
        offsets = np.frombuffer(data, np.int64, rows + 1, starts[1])
        blob = np.frombuffer(data, np.uint8, header["bytes"], starts[2])
        fingerprint = fingerprint_of(header["vectors"], blob)
        return make(blob, offsets, vectors, fingerprint) if fingerprint == header["fingerprint"] else None
    except (ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError):
        return None


def write_cache(file: IO[bytes], place: str, origin: list[Any], path: str, make: Callable[..., Made]) -> Made | None:
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
    return map_cache(place, origin, make)


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


# Bytes of text that are read and parsed in one go.
_PIECE = 1 << 20
# Bytes behind the text that the parser may look at.
_PADDING = 16


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
