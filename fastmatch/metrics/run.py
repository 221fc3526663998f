"""Score a list of pairs: a metric on threads.

A metric fills ranges of the list (``Metric.score``). :mod:`fastmatch.runtime.threads` divides the list among threads,
by the metric's own estimate of the seconds per pair (``Metric.costs``), and says when to stop.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fastmatch.errors import FastmatchError
from fastmatch.metrics.base import Metric
from fastmatch.metrics.contract.required import PairRange
from fastmatch.results.pairs import PairScores, TripleScores
from fastmatch.runtime import threads
from fastmatch.runtime.cpus import worker_count
from fastmatch.types import Int32Array, Progress

#: Pairs that a single thread does in one go.
_FEW = 64


def run(
    metric: Metric,
    pred: Any,
    gold: Any,
    index_pred: Int32Array,
    index_gold: Int32Array,
    *,
    workers: int = 1,
    progress: Progress = None,
    mapping: bool = False,
    allow_nan: bool = False,
) -> PairScores:
    """Score a list of pairs.

    Parameters
    ----------
    metric : Metric
    pred, gold
        What ``metric.prepare`` made of the two corpora.
    index_pred, index_gold : int32[n_pairs]
        Pair k is graph ``index_pred[k]`` of ``pred`` against graph ``index_gold[k]`` of ``gold``.
    workers : int
        Threads; −1 for as many CPUs as this process may use.
    progress : None, bool or callable
        True draws a bar on stderr if that is a terminal and the work lasts longer than half a second. A callable gets
        (pairs done, pairs in all), in the caller's thread, and a last call with both equal. While a long pair is
        searched, it is called ten times a second at most, and what is done has a part of that pair: the share of its
        limit of work or time that is spent. An exception that it raises ends the run.
    mapping : bool
        Keep the alignments, if the metric makes them.
    allow_nan : bool
        Let NaN pass, as the caller looks for it.

    Raises
    ------
    OptionError
        If ``workers`` is neither −1 nor positive.
    FastmatchError
        If a statistic of a pair is NaN, unless that is allowed.
    """
    if workers != 1:
        workers = worker_count(workers)
    out = metric.empty(pred, gold, index_pred, index_gold, mapping)
    n_pairs = len(index_pred)
    pairs = PairRange.all(index_pred, index_gold)
    # one pair cannot be divided, and a few need not be, unless for threads, progress or Ctrl-C; to compute costs takes
    # as long as to score three small pairs
    whole = n_pairs <= 1 or (n_pairs <= _FEW and workers == 1 and not progress and metric.interruptible)
    costs = None if whole else metric.costs(pred, gold, index_pred, index_gold)
    if costs is None or costs.sum() <= threads.INLINE:
        chunks = [(0, n_pairs)]
    else:
        chunks = threads.plan(costs, workers, 1 if workers == 1 and not progress else threads.CHUNKS_PER_WORKER)

    def work(start: int, stop: int) -> None:
        metric.score(pred, gold, pairs._replace(start=start, stop=stop), out)

    if progress or len(chunks) > 1:
        threads.spread(work, chunks, n_pairs, workers, pairs.cancel, progress)
    else:
        metric.score(pred, gold, pairs, out)
    if not allow_nan:
        refuse_nan(metric, out, index_pred, index_gold)
    return out


def refuse_nan(metric: Metric, found: PairScores, index_pred: Int32Array, index_gold: Int32Array) -> None:
    """Raise if a statistic of a pair is NaN: every sum and mean would be NaN, and no threshold would hold.

    Raises
    ------
    FastmatchError
        Names the metric, the statistic and the pair.
    """
    triples = isinstance(found, TripleScores)
    columns = [found.matched, found.n_pred, found.n_gold] if triples else [found.statistics]
    if columns[0].dtype.kind != "f":  # counts
        return
    for column in columns:
        if column.size and (lowest := column.min()) != lowest:  # a NaN makes the minimum one
            bad = np.isnan(found.statistics)
            pair = int(bad.any(axis=0).argmax())
            name = found.names[int(bad[:, pair].argmax())]
            raise FastmatchError(
                f"metric {metric.name!r}: {name} of pair {pair} (graphs {index_pred[pair]} and {index_gold[pair]}) is "
                "not a number (NaN)"
            )
