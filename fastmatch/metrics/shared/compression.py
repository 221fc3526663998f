"""Pairs matched as smatchpp's lossless graph compression has them: what is certain is taken out before the search.

A variable whose concept is found once in the pair, or once in each of its two graphs, becomes a constant.
:mod:`fastmatch._ext.matching.compression` says what becomes of a pair's triples; here are the tables of roles that it
needs, and the way from a compressed pair's result to that of the pair.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fastmatch._ext.matching.triples import TripleFeatures
from fastmatch.graphs.corpus import Corpus
from fastmatch.metrics.contract.metric import Metric
from fastmatch.metrics.contract.required import PairRange
from fastmatch.results.pairs import TripleScores
from fastmatch.types import ByteArray, Int32Array, Int64Array


class Compressible(NamedTuple):
    """Features of a corpus whose pairs are to be compressed, and how its roles are turned around.

    Attributes
    ----------
    features : TripleFeatures
    turned_role : int32[n_labels]
        For a role of the features the id of it with ``-of``, or without if it has it; −1 for other labels.
    turned : uint8[n_labels]
        1 for roles with ``-of``.
    """

    features: TripleFeatures
    turned_role: Int32Array
    turned: ByteArray

    @property
    def n_triples(self) -> Int64Array:
        return self.features.n_triples

    @property
    def n_variables(self) -> Int32Array:
        return self.features.n_variables


def compressible(features: TripleFeatures, corpus: Corpus) -> Compressible:
    """The features with the ids of their roles turned around; only roles that occur are looked up."""
    _, _, _, keys, _, _, relations = features.arrays
    roles = np.unique(np.concatenate([np.unique(keys >> 32) - 1, relations[0]]))
    roles, vocabulary = roles[roles >= 0], corpus.vocabulary
    texts = [vocabulary.text(role) for role in roles.tolist()]
    others = vocabulary.ids(text[:-3] if text.endswith("-of") else f"{text}-of" for text in texts)
    turned_role, turned = np.full(len(vocabulary), -1, np.int32), np.zeros(len(vocabulary), np.uint8)
    turned_role[roles], turned[roles] = others, [text.endswith("-of") for text in texts]
    return Compressible(features, turned_role, turned)


def score_compressed(
    inner: Metric[TripleFeatures],
    pred: Compressible,
    gold: Compressible,
    pairs: PairRange,
    out: TripleScores,
    *,
    numbered: bool,
) -> None:
    """Compress the pairs of a range, solve what is left as any other pair, and add what the compression matched.

    Parameters
    ----------
    inner : Metric
        Solves the compressed pairs; its ``empty`` and ``score`` give :class:`TripleScores`.
    numbered : bool
        Results of ``inner`` depend on the number of a pair, which must not depend on the range then: a climber's random
        numbers are made from it.

    The other parameters are those of ``Metric.score``.
    """
    from fastmatch._ext.matching.compression import compress_pairs

    index_pred, index_gold, start, stop, cancel = pairs
    first = 0 if numbered else start
    sides, mapping = (pred.features, gold.features), out.mapping is not None
    left, right, ground, implied = compress_pairs(
        *sides, index_pred, index_gold, start, stop, *_joined(pred, gold), first=first, mapping=mapping
    )
    index = np.arange(stop - first, dtype=np.int32)
    found = inner.empty(left, right, index, index, mapping)
    inner.score(left, right, PairRange(index, index, start - first, stop - first, cancel), found)
    here, there = slice(start, stop), slice(start - first, None)
    out.matched[here] = found.matched[there] + ground[there]
    out.upper[here] = found.upper[there] + ground[there]
    out.n_pred[here], out.n_gold[here] = left.n_triples[there], right.n_triples[there]
    out.certified[here] = found.certified[there]
    if out.mapping is not None and out.mapping_offsets is not None and implied is not None:
        assert found.mapping is not None
        places = found.mapping[-len(implied) :] if len(implied) else found.mapping[:0]
        filled = slice(int(out.mapping_offsets[start]), int(out.mapping_offsets[stop]))
        out.mapping[filled] = np.where(implied >= 0, implied, places)


def _joined(pred: Compressible, gold: Compressible) -> tuple[Int32Array, ByteArray]:
    """One pair of tables for two corpora, which were prepared at different sizes of their vocabulary."""
    size = max(len(pred.turned), len(gold.turned))
    turned_role, turned = np.full(size, -1, np.int32), np.zeros(size, np.uint8)
    for corpus in (pred, gold):
        known = corpus.turned_role >= 0
        turned_role[: len(known)][known] = corpus.turned_role[known]
        turned[: len(known)][known] = corpus.turned[known]
    return turned_role, turned
