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
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.reading.interner import Interner
from fastmatch._ext.reading.vectors import MOST, checksum
from fastmatch.errors import OptionError, ReadError
from fastmatch.graphs.arrays import starts_of
from fastmatch.metrics.embeddings.cache import (
    cache_folder,
    cache_place,
    fingerprint_of,
    map_cache,
    parse_vectors,
    too_fresh,
    write_cache,
)
from fastmatch.runtime.files import version
from fastmatch.types import ByteArray, Int32Array, Int64Array


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
        made = partial(cls, path=path)
        try:
            with open(path, "rb") as file:
                status = os.fstat(file.fileno())
                origin: list[Any] = [os.path.realpath(path), status.st_size, status.st_mtime_ns, status.st_ino]
                place = None if folder is None else cache_place(folder, origin[0])
                if place is not None:
                    found = map_cache(place, origin, made)
                    if found is None and not too_fresh(status.st_mtime_ns):
                        found = write_cache(file, place, origin, path, made)
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
