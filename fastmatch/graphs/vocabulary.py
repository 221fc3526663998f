"""Strings as small numbers.

A :class:`Vocabulary` gives every distinct string (variable names, concepts, roles, constants, alignments) an int32 id,
in order of first appearance. Corpora that are compared share one, so that equal strings are equal numbers. It only
grows: an id, once given, keeps its meaning, which is why corpora may share it, and may add to it, at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.reading.interner import CASE, MARKS, QUOTES, SENSES, UNDERSCORES, Interner
from fastmatch.types import ByteArray, Int32Array, Int64Array

_Id = TypeVar("_Id", np.int32, np.int64)

__all__ = ["CASE", "MARKS", "QUOTES", "SENSES", "UNDERSCORES", "Vocabulary", "distinct", "relabelled"]

#: Numbers for each id, from the least to the greatest, up to which a table is faster than sorting the ids.
_DENSE = 8


class Vocabulary:
    """A growing table string ↔ int32 id.

    Parameters
    ----------
    strings : iterable of str, optional
        Strings that get the ids 0, 1, 2 … (repeated ones keep their first id).

    Attributes
    ----------
    interner : Interner
        The compiled table behind it, for kernels and for the reader.
    """

    __slots__ = ("__weakref__", "interner")

    interner: Interner

    def __init__(self, strings: Iterable[str] = ()) -> None:
        self.interner = Interner()
        if strings:
            self.ids(strings)

    @classmethod
    def from_interner(cls, interner: Interner) -> Vocabulary:
        """The vocabulary around an existing table (shared, not copied)."""
        vocabulary: Vocabulary = cls.__new__(cls)
        vocabulary.interner = interner
        return vocabulary

    def id(self, text: str) -> int:
        """The id of ``text``, which is added when it is new. See :meth:`lookup` for asking without adding."""
        return self.interner.intern(_encoded(text))

    def ids(self, texts: Iterable[str]) -> Int32Array:
        """The ids of many strings, int32[n]; new ones are added."""
        return self.interner.intern_many([_encoded(text) for text in texts])

    def lookup(self, text: str) -> int:
        """The id of ``text``, or −1 if it was never added."""
        return self.interner.lookup(_encoded(text))

    def text(self, id: int) -> str:
        """The string with this id.

        Raises
        ------
        IndexError
            If ``id`` is negative or not given yet.
        """
        return self.interner.text(id)

    def fold(self, flags: int) -> Int32Array:
        """id → id of the folded string, int32[len(self)].

        ``flags`` is a sum of ``CASE`` (1, ``str.lower``), ``UNDERSCORES`` (2, trailing ``_`` off), ``QUOTES`` (4, one
        pair of surrounding double quotes off), ``MARKS`` (8, every single and double quote off, wherever it
        stands) and ``SENSES`` (16, a hyphen with two or more digits off the end). Folded strings are added to this
        vocabulary, and fold to themselves. The result belongs to the table and is kept for the next call: do not write
        into it.
        """
        return self.interner.fold(flags)

    def merge(self, other: Vocabulary) -> Int32Array:
        """Add every string of ``other``; returns id in ``other`` → id here, int32[len(other)]."""
        return self.interner.intern_many(other._strings())

    def match(self, other: Vocabulary) -> Int32Array:
        """id in ``other`` → id here, −2 where this vocabulary lacks the string; int32[len(other)]. Adds nothing."""
        lookup = self.interner.lookup
        found = np.fromiter((lookup(text) for text in other._strings()), np.int32)
        found[found < 0] = -2
        return found

    def copy(self) -> Vocabulary:
        """Another vocabulary with the same strings and ids, to which strings can be added without changing this one."""
        return Vocabulary.from_interner(self.interner.copy())

    def export(self) -> tuple[ByteArray, Int64Array]:
        """All strings as UTF-8 end to end, uint8[·], and where each begins, int64[len + 1]."""
        return self.interner.export()

    @classmethod
    def from_export(cls, blob: ByteArray, offsets: Int64Array) -> Vocabulary:
        """The inverse of :meth:`export`; trusts its arguments (see :meth:`Corpus.load` for files)."""
        return cls.from_interner(Interner.from_export(blob, offsets))

    @property
    def nbytes(self) -> int:
        """Bytes of the table."""
        return self.interner.nbytes

    def _strings(self) -> list[bytes]:
        blob, offsets = self.interner.export()
        data, bounds = blob.tobytes(), offsets.tolist()
        return [data[start:stop] for start, stop in pairwise(bounds)]

    def __contains__(self, text: object) -> bool:
        return isinstance(text, str) and self.interner.lookup(_encoded(text)) >= 0

    def __len__(self) -> int:
        return len(self.interner)

    def __iter__(self) -> Iterator[str]:
        text = self.interner.text
        return (text(id) for id in range(len(self)))

    def __repr__(self) -> str:
        return f"<Vocabulary: {len(self):,} strings>"

    def __reduce__(self) -> tuple[object, ...]:
        # pickle keeps one copy of an object it meets again: corpora that share a vocabulary still do afterwards
        return (Vocabulary.from_export, self.interner.export())


def distinct(ids: NDArray[_Id]) -> tuple[NDArray[_Id], NDArray[np.intp]]:
    """What ``np.unique(ids, return_inverse=True)`` gives, of whole numbers that mostly lie close together, as ids do.

    Parameters
    ----------
    ids : int[n]

    Returns
    -------
    found : int[m]
        The different ones, ascending.
    places : intp[n]
        ``found[places]`` is ``ids``.
    """
    least = ids.min(initial=0)
    size = int(ids.max(initial=0)) - int(least) + 1
    if size > _DENSE * len(ids):
        return np.unique(ids, return_inverse=True)
    shifted = ids - least
    there = np.zeros(size, np.bool_)
    there[shifted] = True
    found = np.flatnonzero(there) + least
    return found.astype(ids.dtype, copy=False), (np.cumsum(there) - 1)[shifted]


def relabelled(vocabulary: Vocabulary, ids: Int32Array, change: Callable[[str], str]) -> Int32Array:
    """The ids of the changed strings, int32[n]; one call of ``change`` for each different string. −1 stays."""
    found, places = distinct(ids)
    some = found >= 0
    found[some] = vocabulary.ids(change(vocabulary.text(id)) for id in found[some].tolist())
    return found[places]


def _encoded(text: str) -> bytes:
    # a Python string may hold half of a surrogate pair, which strict UTF-8 cannot
    return text.encode("utf-8", "surrogatepass")
