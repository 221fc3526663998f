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

__all__ = ["FOLD", "KEYS", "KEYS_HELP", "domain_and_mod", "join_table", "keys", "need_dialect"]

#: Labels are compared ignoring case and surrounding quotes, as in every default of this package.
FOLD = CASE | QUOTES

KEYS = ("hashed", "exact")
KEYS_HELP = "what stands for a feature: a 64-bit hash, or a number from a table, without collisions"

_TABLES: WeakKeyDictionary[Vocabulary, JoinTable] = WeakKeyDictionary()


def join_table(corpus: Corpus, keys: str) -> JoinTable | None:
    """The table of exact keys that goes with the corpus's vocabulary; None for hashed keys."""
    return _TABLES.setdefault(corpus.vocabulary, JoinTable()) if keys == "exact" else None


def keys(corpus: Corpus, fold: Int32Array, exact: bool, *more: int) -> NDArray[np.uint64]:
    """Keys of all labels in the corpus's triples, and of the ids in ``more``; uint64[len(fold)], by label id."""
    import numpy as np

    rows = (corpus.instances[1], corpus.attributes[1], corpus.attributes[2], corpus.relations[1])
    return label_keys(corpus.vocabulary.interner, fold, (*rows, np.array(more, np.int32)), exact)


def domain_and_mod(corpus: Corpus) -> tuple[int, int]:
    """Folded ids of ``:domain`` and ``:mod``; ask before the fold, for they may be new."""
    intern = corpus.vocabulary.interner.intern
    return intern(b":domain"), intern(b":mod")


def need_dialect(metric: str, wanted: str, dialect: str) -> None:
    """Raise :class:`~fastmatch.OptionError` if a tool's preset is given graphs that were read otherwise."""
    if dialect != wanted:
        raise OptionError(
            f"preset 'tool' of {metric!r} needs graphs as its tool reads them, these were read with "
            f"dialect={dialect!r}: read them with dialect={wanted!r}"
        )
