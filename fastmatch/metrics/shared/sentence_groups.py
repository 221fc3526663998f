"""A matching that keeps to sentences: the option ``within`` of metrics that search for the best map of variables.

With ``within="sentences"`` variables of two documents may be mapped to each other only if they share a sentence; see
:mod:`fastmatch.metrics.docsmatch`. Candidates are taken away and nothing else changes, so every solver keeps to it, and
the optimum under the constraint is proven as any other.
"""

from __future__ import annotations

import re

import numpy as np

from fastmatch._ext.matching.triples import TripleFeatures
from fastmatch.errors import warn_caller
from fastmatch.graphs.corpus import Corpus
from fastmatch.metrics.contract.metric import Metric
from fastmatch.types import ByteArray, Int32Array, Int64Array

#: Roles as the kernel tells them apart; all others are 0.
_TOOL_KINDS = {":coref": 1, ":part": 2, ":subset": 2, ":domain": 3}
_KINDS = {**_TOOL_KINDS, ":same-as": 2}
_SENTENCE = re.compile(r":snt([0-9]+)")
#: Numbers of sentences from here on are told apart by their digits.
_LARGE = 2**30


def grouped(features: TripleFeatures, corpus: Corpus, within: str) -> TripleFeatures:
    """The features of a corpus under the constraint that the option names."""
    if within == "document":
        return features
    return features.grouped_by(*sentence_groups(corpus, tool=within == "tool"))


def warn_undivided(metric: Metric, pred: Corpus, gold: Corpus) -> None:
    """Warn if a metric keeps to sentences and a side has none: all pairs are matched as if it did not, in silence.

    A reward does not ask for this: it may not end a training run where warnings are errors.
    """
    within = getattr(metric, "within", "document")
    if within == "document" or not len(pred) or not len(gold):
        return
    lacking = [not _divided(corpus) for corpus in (pred, gold)]
    # the program puts all of a graph without sentences into one group, which matches no sentence
    if all(lacking) if within == "tool" else any(lacking):
        where = "no graph" if all(lacking) else f"no graph of {'pred' if lacking[0] else 'gold'}"
        warn_caller(
            f"within={within!r} has no effect: {where} has a sentence (:snt1, :snt2, … at its root); the score is that "
            "of within='document'"
        )


def _divided(corpus: Corpus) -> bool:
    """Whether any graph has a relation ``:snt1``, … at its root."""
    text, relations = corpus.vocabulary.text, corpus.relations
    # mostly the first relation is one, which is seen in a tenth of the time that the calls below take
    first = int(corpus.root[0])
    for root, role in relations[:2, : min(10, corpus.relation_offsets[1])].T.tolist():
        if root == first and _SENTENCE.fullmatch(text(role).lower()):
            return True
    roles = [role for role in np.unique(relations[1]).tolist() if _SENTENCE.fullmatch(text(role).lower())]
    rows = np.flatnonzero(np.isin(relations[1], roles))
    graphs = np.searchsorted(corpus.relation_offsets, rows, side="right") - 1
    return bool((relations[0, rows] == corpus.root[graphs]).any())


def sentence_groups(corpus: Corpus, *, tool: bool = False) -> tuple[ByteArray, Int64Array, Int32Array]:
    """The groups of variables that may match: those of sentences.

    Parameters
    ----------
    corpus : Corpus
    tool : bool
        Divide documents as DocSmatch does.

    Returns
    -------
    restricted : uint8[n_graphs]
        0 for a graph without sentences: its variables may match any.
    offsets : int64[n_variables + 1]
        Variable v, of all graphs' one after the other, has the groups ``groups[offsets[v]:offsets[v + 1]]``.
    groups : int32[offsets[-1]]
        0: the root, and what is in no sentence; k + 1: what is in the sentence of ``:snt<k>``.
    """
    from fastmatch._ext.matching.sentences import sentence_groups as groups

    known = _TOOL_KINDS if tool else _KINDS
    n_labels = len(corpus.vocabulary)
    numbers = np.full(n_labels, -1, np.int32)
    kinds = np.zeros(n_labels, np.uint8)
    # only roles: a vocabulary that many corpora share may be large
    for role in np.unique(corpus.relations[1]).tolist():
        text = corpus.vocabulary.text(role)
        if not tool:
            text = text.lower()
        kinds[role] = known.get(text, 0)
        if number := _SENTENCE.fullmatch(text):
            digits = number[1].lstrip("0") or "0"
            small = len(digits) < 10 and int(digits) < _LARGE
            numbers[role] = int(digits) if small else _LARGE + corpus.vocabulary.interner.intern(digits.encode())
    return groups(corpus.columns, numbers, kinds, tool=tool)
