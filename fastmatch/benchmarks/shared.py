"""What several benchmarks need: named metrics, the work of pairs, correlations, the interval of a share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from fastmatch.graphs.corpus import Corpus
from fastmatch.metrics.base import Metric
from fastmatch.metrics.registry import from_text
from fastmatch.metrics.shared.search import Shared, Sharing, sharing
from fastmatch.report.cells import count
from fastmatch.results.pairs import PairScores
from fastmatch.results.scores import Interval
from fastmatch.types import BoolArray, FloatArray, Int32Array, Int64Array

Protocol: TypeAlias = Literal["0.2", "0.1", "spearman", "rmse", "rmse-quantiles"]

#: Triples of a pair's graphs, their geometric mean, above which its searches have little work: a benchmark has ten to
#: fifty searches of a pair, or of others like it, which take up to 4 s each. Documents of 25 sentences have fewer.
LARGE = 2000
#: Visits that leave other searches of a pair as little as may be left; more than any search takes.
_ALL = 2**50


def named_metrics(metrics: str | Metric | Iterable[str | Metric]) -> list[tuple[str, Metric]]:
    """Metrics that are given as themselves or as text, each with the name under which its results are shown."""
    if isinstance(metrics, str | Metric):
        metrics = [metrics]
    return [(metric, from_text(metric)) if isinstance(metric, str) else (metric.name, metric) for metric in metrics]


def sizes(graphs: Corpus) -> Int64Array:
    """Triples of every graph, int64[n_graphs]."""
    return np.diff(graphs.instance_offsets + graphs.attribute_offsets + graphs.relation_offsets)


def large(metric: Metric, pred: Int64Array, gold: Int64Array) -> BoolArray:
    """Which pairs of graphs of so many triples are to have little work, bool[n_pairs]: none where more is asked for."""
    more = getattr(metric, "effort", None) in ("high", "proof") or getattr(metric, "time_limit", None) is not None
    return (pred * gold > LARGE**2) & (not more)


def limited(metric: Metric, pairs: BoolArray, maps: list[Int32Array] | None = None) -> tuple[Metric, Int64Array]:
    """The metric for a list of pairs some of which are to have little work; and a count of what they take.

    A pair with little work has what is left where other searches of it have taken all
    (:class:`~fastmatch.metrics.shared.search.Shared`): a quarter of an ordinary pair's. Other pairs are
    searched as ever; so are all by a metric that does not search, or whose options say how: then the metric itself is
    given back. The count, int64[n_pairs], is for :func:`unproven`. ``maps``: where searches of large pairs begin, as
    for :func:`hurried`.
    """
    shared = Shared.of(len(pairs))
    if maps is not None:
        shared.maps[:] = maps
    others = not isinstance(metric, Sharing) or metric.effort != "default"
    # only the exact search counts and limits its work
    if others or getattr(metric, "time_limit", None) is not None or getattr(metric, "solver", "exact") != "exact":
        return metric, shared.work
    shared.work[pairs] = _ALL
    return sharing(metric, shared), shared.work


def hurried(metric: Metric, maps: list[Int32Array]) -> tuple[Metric, Int64Array]:
    """The metric for pairs that are to have as little work as searches can have, and a count as for :func:`limited`.

    ``maps``: where the search of each pair begins, int32[n_variables] of the prediction: a variable of the gold graph,
    or −1.
    """
    shared = Shared(np.full(len(maps), _ALL), list(maps))
    return sharing(replace(metric, effort="low"), shared), shared.work  # type: ignore[type-var]


def visits(work: Int64Array) -> Int64Array:
    """What the searches of pairs have taken, int64[n_pairs], of a count by :func:`limited`."""
    return np.where(work < _ALL, work, work - _ALL)


def unproven(work: Int64Array, pairs: PairScores) -> BoolArray:
    """Which pairs were searched with little work and have no proof, bool[n_pairs]; ``work``: what they took."""
    little = work > _ALL
    return little & ~pairs.certified if little.any() else little


def limits_note(metric: str, pairs: int) -> list[str]:
    """What a report says of pairs that had little work and have no proof, if there are any."""
    searched = f"{metric}: {count(pairs, 'pair')} searched with little work, no proof"
    return [f"{searched}; time_limit=60 or effort=high asks for more"] if pairs else []


def correlation(scores: FloatArray, ratings: FloatArray, protocol: Protocol = "0.2") -> float:
    """Pearson's r, or Spearman's rho under the protocol ``spearman``; nan if scores or ratings do not vary."""
    if len(scores) < 2 or np.ptp(scores) == 0 or np.ptp(ratings) == 0:
        return float("nan")
    if protocol == "spearman":
        from scipy.stats import rankdata

        return float(np.corrcoef(rankdata(scores), rankdata(ratings))[0, 1])
    return float(np.corrcoef(scores, ratings)[0, 1])


def wilson(successes: float, total: int) -> Interval:
    """The 95 % interval of a share (Wilson 1927), from exactly 0 or to exactly 1 where the share is.

    nan without items, or with more successes than items.
    """
    if not 0 <= successes <= total or not total:
        return Interval(float("nan"), float("nan"))
    square = 1.959963984540054**2
    middle = (successes + square / 2) / (total + square)
    half = (square * successes * (total - successes) / total + square * square / 4) ** 0.5 / (total + square)
    return Interval(0.0 if successes == 0 else middle - half, 1.0 if successes == total else middle + half)
