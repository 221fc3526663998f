"""What the function of each kind of aspects is given, and what it gives.

Given are the graphs, and the arguments of :func:`fastmatch.aspects`. Scores of parts of graphs have one rule for their
means. Most sentences have no negation, no re-entrancy, no name of a place. Two graphs that have nothing of an aspect
agree in it, but a mean that counts them would say how rare the aspect is, and not how well it is predicted. So the
macro score of an aspect is the mean over the pairs in which one of the graphs, or both, has something of it, for every
kind of aspects; ``n_macro`` says how many these are. Intervals are made of the same pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from fastmatch._ext.matching.score import count_matched
from fastmatch._ext.matching.triples import TripleFeatures
from fastmatch.evaluation.checks import warn_odd_pairs
from fastmatch.evaluation.pairing import Rules, paired
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import Graphs, corpora_of
from fastmatch.metrics.base import Metric
from fastmatch.metrics.run import run
from fastmatch.metrics.shared.search import Shared
from fastmatch.results.pairs import TripleScores
from fastmatch.runtime.cached import cached_property
from fastmatch.types import BoolArray, Progress


@dataclass(frozen=True)
class Request:
    """The arguments of :func:`fastmatch.aspects`, apart from those for intervals; ``options`` are all others.

    ``mapping``: the best maps of the aspects that match are wanted, in :attr:`Found.matches`. ``known``: a metric, its
    scores of these pairs, and what that search shares with others (:class:`~fastmatch.metrics.shared.search.Shared`).
    """

    pred: Graphs
    gold: Graphs
    kind: str
    preset: str | None
    rules: Rules
    progress: Progress
    options: Mapping[str, Any]
    mapping: bool = False
    known: tuple[Metric, Any, Shared] | None = None

    def scored(self, metric: Metric, prepared: Iterable[Any], n_pairs: int, *, mapping: bool) -> Any:
        """The scores of graph k of one side with that of the other, both as the metric prepares them."""
        pred, gold = prepared
        index = np.arange(n_pairs, dtype=np.int32)
        workers, progress = self.rules.workers, self.progress
        return run(metric, pred, gold, index, index, workers=workers, progress=progress, mapping=mapping)

    def corpora(self, metric: Metric) -> tuple[Corpus, Corpus]:
        """The graphs, read for a metric and paired; warns of odd pairs.

        Raises
        ------
        PairingError, ReadError, TypeError
            As for :func:`fastmatch.score`.
        OptionError
            If the metric cannot score graphs of their dialect.
        """
        read = corpora_of(self.pred, self.gold, metric.dialect, self.rules.on_error, workers=self.rules.workers)
        pred, gold = paired(*read, self.rules)
        warn_odd_pairs(pred, gold)
        metric.check(pred.dialect)
        return pred, gold


class PartScores(TripleScores):
    """Scores of parts of graphs, whose means leave out the pairs in which neither graph has such a part."""

    @classmethod
    def of(cls, scores: TripleScores) -> Self:
        """The same counts."""
        return cls(scores.matched, scores.n_pred, scores.n_gold, scores.upper, scores.certified)

    @classmethod
    def counted(cls, whole: TripleScores, pred: TripleFeatures, gold: TripleFeatures) -> Self:
        """What matches of parts of graphs under the best maps of the whole ones."""
        assert whole.mapping_offsets is not None
        assert whole.mapping is not None
        index = np.arange(len(whole), dtype=np.int32)
        matched = count_matched(pred, gold, index, index, whole.mapping_offsets, whole.mapping)
        return cls(matched, pred.n_triples, gold.n_triples, matched, whole.certified)

    @cached_property
    def present(self) -> BoolArray:
        """bool[n_pairs]: one of the two graphs has something of the aspect."""
        return (self.n_pred > 0) | (self.n_gold > 0)

    @cached_property
    def n_macro(self) -> int:
        """Number of pairs that have such a part: :meth:`macro` is their mean."""
        return int(self.present.sum())

    @property
    def resampled(self) -> TripleScores:
        """The pairs that have such a part, for intervals; all pairs if none has."""
        chosen = self.present if self.n_macro else slice(None)
        return type(self)(
            self.matched[chosen], self.n_pred[chosen], self.n_gold[chosen], self.upper[chosen], self.certified[chosen]
        )
