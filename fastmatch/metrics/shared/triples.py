"""Triples as the metrics that match triples compare them: their classes, their labels, the triple of the root."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fastmatch.graphs.vocabulary import CASE, QUOTES

if TYPE_CHECKING:
    from fastmatch.graphs.corpus import Corpus
    from fastmatch.types import Int32Array

__all__ = ["ATTRIBUTE", "INSTANCE", "RELATION", "TOPS", "TRIPLE_CLASSES", "Labels"]

#: Classes of triples, to be added up; the triple of the root is an attribute.
INSTANCE, ATTRIBUTE, RELATION = 1, 2, 4
TRIPLE_CLASSES = INSTANCE | ATTRIBUTE | RELATION

#: What the option ``top`` says of the triple of the root, and its number in the kernels.
TOPS = {"none": 0, "constant": 1, "concept": 2}


class Labels(NamedTuple):
    """How a metric compares the labels of a corpus.

    Attributes
    ----------
    top_role, top_value : int
        Folded ids of the role and value of the triple that stands for the root.
    mod, domain : int
        Folded ids of ``:mod`` and ``:domain``, where ``(a :domain b)`` is to be ``(b :mod a)``; else −1.
    fold : int32[n_labels]
        Id of each label → id of the label that it is compared as.
    """

    top_role: int
    top_value: int
    mod: int
    domain: int
    fold: Int32Array

    @classmethod
    def of(cls, corpus: Corpus, flags: int = CASE | QUOTES, *, domain_as_mod: bool = True) -> Labels:
        """Labels of AMR, by default as this package compares them: in lower case and without surrounding quotes.

        Parameters
        ----------
        corpus : Corpus
            Its vocabulary gets the labels that it lacks.
        flags : int
            What to leave out of account, of the flags in :mod:`fastmatch.graphs.vocabulary`.
        domain_as_mod : bool
            Whether ``(a :domain b)`` is ``(b :mod a)``.
        """
        intern = corpus.vocabulary.interner.intern
        top_role, top_value = intern(b":top"), intern(b"top")
        mod, domain = (intern(b":mod"), intern(b":domain")) if domain_as_mod else (-1, -1)
        return cls(top_role, top_value, mod, domain, corpus.vocabulary.fold(flags))
