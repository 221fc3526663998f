"""What the alignment-free metrics have in common: keys of labels, and the tables behind exact keys."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from fastmatch._ext.keys import JoinTable, label_keys
from fastmatch.errors import OptionError
from fastmatch.vocabulary import CASE, QUOTES, Vocabulary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fastmatch.corpus import Corpus
    from fastmatch.types import Int32Array

__all__ = ["FOLD", "KEYS", "KEYS_HELP", "join_table", "keys", "need_dialect", "without_domain"]

#: Labels are compared ignoring case and surrounding quotes, as in every default of this package.
FOLD = CASE | QUOTES

KEYS = ("hashed", "exact")
KEYS_HELP = "what stands for a feature: a 64-bit hash, or a number from a table, without collisions"

_TABLES: WeakKeyDictionary[Vocabulary, JoinTable] = WeakKeyDictionary()


def join_table(corpus: Corpus, keys: str) -> JoinTable | None:
    """The table of exact keys that goes with the corpus's vocabulary; None for hashed keys."""
    return _TABLES.setdefault(corpus.vocabulary, JoinTable()) if keys == "exact" else None


def keys(corpus: Corpus, fold: Int32Array, exact: bool, *more: Int32Array) -> NDArray[np.uint64]:
    """Keys of all labels in the corpus's triples, and of the ids in ``more``; uint64[len(fold)], by label id."""
    rows = (corpus.instances[1], corpus.attributes[1], corpus.attributes[2], corpus.relations[1], *more)
    return label_keys(corpus.vocabulary.interner, fold, rows, exact)


def without_domain(corpus: Corpus) -> Int32Array:
    """The relations of a corpus, (a :domain b) as (b :mod a); call it before any fold, for ``:mod`` may be new.

    The array may have no more rows than source, role and target.
    """
    intern = corpus.vocabulary.interner.intern
    domain, mod = intern(b":domain"), intern(b":mod")
    back = corpus.vocabulary.fold(FOLD)[corpus.relations[1]] == domain
    if not back.any():
        return corpus.relations
    relations = corpus.relations[:3].copy()
    relations[0, back], relations[2, back] = corpus.relations[2, back], corpus.relations[0, back]
    relations[1, back] = mod
    return relations


def need_dialect(metric: str, wanted: str, dialect: str) -> None:
    """Raise :class:`~fastmatch.OptionError` if a tool's preset is given graphs that were read otherwise."""
    if dialect != wanted:
        raise OptionError(
            f"preset 'tool' of {metric!r} needs graphs as its tool reads them, these were read with "
            f"dialect={dialect!r}: read them with dialect={wanted!r}"
        )
