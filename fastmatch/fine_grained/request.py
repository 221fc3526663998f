"""What the function of each kind of aspects is given: the graphs, and the arguments of :func:`fastmatch.aspects`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fastmatch.evaluation.checks import warn_odd_pairs
from fastmatch.evaluation.pairing import paired
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import Graphs, corpora_of
from fastmatch.metrics.base import Metric
from fastmatch.metrics.run import run
from fastmatch.types import Int32Array, OnErrorPaired, PairBy, Progress, Unpaired


@dataclass(frozen=True)
class Request:
    """The arguments of :func:`fastmatch.aspects`, apart from those for intervals; ``options`` are all others.

    ``mapping``: the best maps of the aspects that match are wanted, in :attr:`Found.matches`.
    """

    pred: Graphs
    gold: Graphs
    kind: str
    preset: str | None
    workers: int
    progress: Progress
    on_error: OnErrorPaired
    pair_by: PairBy
    unpaired: Unpaired
    options: Mapping[str, Any]
    mapping: bool = False

    def scored(self, metric: Metric, prepared: Iterable[Any], index: Int32Array, *, mapping: bool) -> Any:
        """The scores of graph ``index[k]`` of one side with that of the other, both as the metric prepares them."""
        pred, gold = prepared
        return run(metric, pred, gold, index, index, workers=self.workers, progress=self.progress, mapping=mapping)

    def corpora(self, metric: Metric) -> tuple[Corpus, Corpus]:
        """The graphs, read for a metric and paired; warns of odd pairs.

        Raises
        ------
        PairingError, ReadError, TypeError
            As for :func:`fastmatch.score`.
        OptionError
            If the metric cannot score graphs of their dialect.
        """
        read = corpora_of(self.pred, self.gold, metric.dialect, self.on_error, workers=self.workers)
        pred, gold = paired("aspects", *read, self.pair_by, self.unpaired)
        warn_odd_pairs(pred, gold)
        metric.check(pred.dialect)
        return pred, gold
