"""What the metrics that do not align graphs have in common: keys of labels, tables of exact keys, labelled graphs."""

from __future__ import annotations

from typing import ClassVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.features.keys import JoinTable, label_keys
from fastmatch._ext.features.sets import FeatureSets
from fastmatch._ext.graphs.labelled import node_graphs
from fastmatch._ext.graphs.labelled_program import program_graphs as kernel
from fastmatch.errors import otherwise_read
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.vocabulary import CASE, MARKS, QUOTES, Vocabulary
from fastmatch.metrics.feature_lists import FeatureLists
from fastmatch.types import Dialect, Int32Array, Int64Array

#: Labels are compared in lower case and without surrounding quotes, by default of this package.
FOLD = CASE | QUOTES

KEYS = ("hashed", "exact")
KEYS_HELP = "what stands for a feature: a 64-bit hash, or a number from a table, without collisions"

_TABLES: WeakKeyDictionary[Vocabulary, JoinTable] = WeakKeyDictionary()


def join_table(corpus: Corpus, keys: str) -> JoinTable | None:
    """The table of exact keys that belongs to the corpus's vocabulary; None if ``keys`` is ``"hashed"``."""
    return _TABLES.setdefault(corpus.vocabulary, JoinTable()) if keys == "exact" else None


def keys(corpus: Corpus, fold: Int32Array, exact: bool, *more: Int32Array) -> NDArray[np.uint64]:
    """Keys of all labels in the corpus's triples, and of the ids in ``more``; uint64[len(fold)], by label id."""
    rows = (corpus.instances[1], corpus.attributes[1], corpus.attributes[2], corpus.relations[1], *more)
    return label_keys(corpus.vocabulary.interner, fold, rows, exact)


def without_domain(corpus: Corpus) -> Corpus:
    """The corpus with (a :domain b) as (b :mod a).

    It may add ``:mod`` to the vocabulary, so it must be called before labels are folded.
    """
    intern = corpus.vocabulary.interner.intern
    domain, mod = intern(b":domain"), intern(b":mod")
    back = corpus.vocabulary.fold(FOLD)[corpus.relations[1]] == domain
    if not back.any():
        return corpus
    relations = corpus.relations.copy()
    relations[0, back], relations[2, back] = corpus.relations[2, back], corpus.relations[0, back]
    relations[1, back] = mod
    return corpus.with_columns(relations=relations)


def labelled_graphs(corpus: Corpus, *, tool: bool) -> tuple[Int64Array, Int32Array, Int64Array, Int32Array]:
    """Graphs whose nodes are variables and constants: what :func:`fastmatch._ext.graphs.labelled.node_graphs` returns.

    Parameters
    ----------
    corpus : Corpus
    tool : bool
        Build them as weisfeiler-leman-amr-metrics 0.4 does: see :func:`program_graphs`.
    """
    if tool:
        return program_graphs(corpus)[:4]
    labels, roles = corpus.vocabulary.fold(FOLD), corpus.vocabulary.fold(CASE)
    return node_graphs(corpus.columns, labels, roles)


def program_graphs(corpus: Corpus) -> tuple[Int64Array, Int32Array, Int64Array, Int32Array, Int32Array]:
    """Graphs as weisfeiler-leman-amr-metrics 0.4 builds them.

    It turns every role around that contains ``-of`` (also ``:consist-of`` and ``:prep-out-of``), cuts the role off
    there, and removes all quotes.

    Returns
    -------
    tuple of arrays
        What :func:`fastmatch._ext.graphs.labelled_program.program_graphs` returns; the last one has the variable of
        each node.
    """
    vocabulary = corpus.vocabulary
    used = np.unique(np.concatenate([corpus.attributes[1], corpus.relations[1]])).tolist()
    folded = vocabulary.fold(CASE | MARKS)
    cut = {role: vocabulary.text(folded[role]).partition("-of") for role in used}
    bases = {role: vocabulary.id(base) for role, (base, _, _) in cut.items()}
    labels = vocabulary.fold(CASE | MARKS)  # with the new strings
    order = {base: rank for rank, base in enumerate(sorted({base for base, _, _ in cut.values()}))}
    roles = labels.copy()
    ranks = np.zeros(len(labels), np.int32)
    inverse = np.zeros(len(labels), np.uint8)
    for role, (base, of, _) in cut.items():
        roles[role], ranks[role], inverse[role] = bases[role], order[base], bool(of)
    return kernel(corpus.columns, vocabulary.interner, labels, roles, ranks, inverse, vocabulary.lookup(":root"))


def level_lists(sets: FeatureSets, kind: str, measure: str = "row") -> tuple[FeatureLists, ...]:
    """A list of features for each level; overlaps of several bound no score, so their measure is ``"row"``."""
    sizes = (sets.squares if kind == "dot" else sets.totals).astype(np.float64)
    lists = []
    for level in range(sets.n_levels):
        offsets, keys, values = sets.level(level)
        lists.append(FeatureLists(offsets, keys, values, kind, sizes[level], measure))
    return tuple(lists)


class ToolReads:
    """A part of metrics whose tool reads graphs in a way of its own: every ``standard`` but the default needs that."""

    name: ClassVar[str]
    tool_dialect: ClassVar[Dialect]
    standard: str

    @property
    def dialect(self) -> Dialect:
        return "penman" if self.standard == "default" else self.tool_dialect

    def check(self, dialect: str) -> None:
        if self.standard != "default" and dialect != self.tool_dialect:
            raise otherwise_read(
                f"preset 'tool' of {self.name!r} needs graphs as its tool reads them", dialect, self.tool_dialect
            )
