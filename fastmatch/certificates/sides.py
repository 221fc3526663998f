"""The lines of certificates, from the features that the search has of graphs: what a kernel needs to write them."""

from __future__ import annotations

import json
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from fastmatch._ext.matching.proofs import lines
from fastmatch.errors import OptionError
from fastmatch.metrics.shared.partial_matching import SoftMetric, grid
from fastmatch.metrics.softmatch import Softmatch
from fastmatch.metrics.wsmatch import WSmatch

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fastmatch.graphs.corpus import Corpus
    from fastmatch.results.pairs import PairScores
    from fastmatch.types import BoolArray, FloatArray, Int64Array

__all__ = ["Pairs", "Side"]

#: Lines that are made at a time.
_AT_A_TIME = 256
#: Visits for a proof of one step. Of a thousand pairs of sentences one takes more.
_SHORT = 100_000
#: Value of a loop in the key of a feature; see _ext/matching/triples.pyx.
_LOOP = 0xFFFFFFFF


class Side:
    """The predictions, or the gold graphs.

    Parameters
    ----------
    metric : Smatch or SoftMetric
    corpus : Corpus
        Standardised for the metric.
    """

    def __init__(self, metric: Any, corpus: Corpus) -> None:
        self.corpus = corpus
        #: What a metric whose triples match in part prepares.
        self.soft: Any = metric.prepare(corpus) if isinstance(metric, SoftMetric) else None
        self.hard = self.soft.features.hard if self.soft else metric.features(corpus)
        self.prepared = self.soft or self.hard
        #: What stands fourth in the rows of triples, by their classes: their weights, in matches.
        self.own: FloatArray | None = (
            grid(metric.own_weights(self.soft.classes)) if self.soft and _weighted(metric) else None
        )

    def arrays(self, digests: Sequence[str], unit: int) -> tuple[Any, ...]:
        """As the kernel takes them, with the hashes of texts if there are any."""
        return (
            self.hard,
            self.soft and self.soft.features,
            np.ascontiguousarray(self.corpus.variable_offsets, np.int64),
            np.ascontiguousarray(self.corpus.variable_names, np.int32),
            None if self.own is None else np.rint(self.own * unit).astype(np.int64),
            self.soft and np.ascontiguousarray(self.soft.labels, np.int32),
            "".join(digests).encode("ascii") if digests else None,
        )

    def mark(self, used: BoolArray) -> None:
        """Mark the labels that lines have; the last entry stands for none."""
        _, _, _, keys, _, _, relations = self.hard.arrays
        values = keys & _LOOP
        concepts = self.soft.labels if self.soft else relations[0]
        for labels in (
            self.corpus.variable_names,
            (keys >> 32) - 1,
            values[values != _LOOP] - 1,
            relations[0],
            concepts,
        ):
            used[labels] = True

    @property
    def sizes(self) -> Int64Array:
        """Variables and triples of each graph, int64[2, n_graphs]."""
        return np.stack([self.hard.n_variables.astype(np.int64), self.hard.n_triples])


def _weighted(metric: Any) -> bool:
    return isinstance(metric, WSmatch) or (isinstance(metric, Softmatch) and metric.weight is not None)


def _joined(texts: Sequence[str]) -> tuple[bytes, Int64Array]:
    """ASCII texts one after another, and where each starts, and the last one ends."""
    return "".join(texts).encode("ascii"), np.array([0, *accumulate(map(len, texts))], np.int64)


class Pairs:
    """Pairs: graph k of one side with graph k of the other.

    Parameters
    ----------
    metric : Smatch or SoftMetric
    pred, gold : Side
        With one vocabulary.
    digests : {"pred": list of str, "gold": list of str}
        The hash of each graph's text; an empty list if there are none.
    unit : int
        A whole match counts so much.
    step : int
        No map is to be better by so many units.
    """

    def __init__(
        self, metric: Any, pred: Side, gold: Side, digests: Mapping[str, Sequence[str]], unit: int, step: int
    ) -> None:
        self.metric, self.unit, self.step = metric, unit, step
        self.pred, self.gold = pred, gold
        self._sides = pred.arrays(digests["pred"], unit), gold.arrays(digests["gold"], unit)
        vocabulary = pred.corpus.vocabulary
        used = np.zeros(len(vocabulary) + 1, np.bool_)
        pred.mark(used)
        gold.mark(used)
        encoded = [""] * len(vocabulary)
        for number in np.flatnonzero(used[:-1]).tolist():
            encoded[number] = json.dumps(vocabulary.text(number))
        self._labels = _joined([*encoded, "null", '":instance"'])

    def _matching(self, scores: PairScores) -> tuple[Any, FloatArray] | None:
        """Links of concepts, and the weights of classes."""
        if self.pred.soft is None:
            return None
        shared = getattr(scores, "shared", None)
        if shared is None:
            numbers = np.arange(len(self.pred.corpus), dtype=np.int32)
            shared = self.metric.shared(self.pred.soft, self.gold.soft, numbers, numbers)
        if callable(getattr(self.metric, "weight", None)):
            self._refuse_weights(shared[1])
        return shared  # type: ignore[no-any-return]

    def _refuse_weights(self, weights: FloatArray) -> None:
        """Raise OptionError unless two equal triples add what the one of less weight does."""
        assert self.pred.own is not None
        assert self.gold.own is not None
        roles = [np.array([role for role, _ in side.soft.classes], object) for side in (self.pred, self.gold)]
        least = np.minimum.outer(self.pred.own, self.gold.own)
        if (weights != least)[roles[0][:, None] == roles[1]].any():
            raise OptionError(
                "certificate: weights have none where two equal triples add other than the less of what each counts: "
                "expected weight(role, a, b) = min(weight(role, a, a), weight(role, b, b))"
            )

    def lines(
        self, ids: Sequence[str | None], scores: PairScores, wanted: BoolArray, work: int
    ) -> Iterator[tuple[bytes, bool]]:
        """The line of each pair, and whether it has a proof; that of a pair without one ends before its map.

        Parameters
        ----------
        ids
            One for each pair, or None.
        scores : PairScores
            With maps.
        wanted : bool[n_pairs]
            Whether to look for a proof.
        work : int
            Visits of candidates and their edges for a proof, at most.
        """
        totals = np.rint(np.concatenate([scores.n_pred, scores.n_gold]) * float(self.unit)).astype(np.int64)
        heads = [
            f'{{"pair":{k},"pred":' if name is None else f'{{"pair":{k},"id":{json.dumps(name)},"pred":'
            for k, name in enumerate(ids)
        ]
        matching = self._matching(scores)
        for start in range(0, len(heads), _AT_A_TIME):
            yield from lines(
                *self._sides,
                self._labels,
                _joined(heads[start : start + _AT_A_TIME]),
                start,
                totals,
                scores.mapping_offsets,  # type: ignore[arg-type]  # they were asked for
                scores.mapping,  # type: ignore[arg-type]
                wanted.tobytes(),
                matching,
                self.unit,
                self.step,
                min(_SHORT, work),
            )
