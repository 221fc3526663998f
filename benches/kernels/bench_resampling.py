"""What do bootstrap intervals and paired tests cost, next to ``scipy.stats.bootstrap`` and to a table of indices?

2,000 pairs, 10,000 resamples, micro and macro F1, precision and recall: six intervals, where the peers make one (F1).
They get 1,000 resamples, because of the memory; ``extra_info`` says how many each made.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fastmatch import CorpusScore, Signature, TripleScores
from fastmatch.evaluation import bootstrap as resampling
from fastmatch.evaluation import comparison

PAIRS, RESAMPLES, PEER_RESAMPLES = 2000, 10_000, 1000


def scores(seed: int) -> TripleScores:
    rng = np.random.default_rng(seed)
    n_pred, n_gold = rng.integers(5, 60, (2, PAIRS))
    matched = rng.binomial(np.minimum(n_pred, n_gold), 0.8)
    return TripleScores(matched, n_pred, n_gold, matched, np.ones(PAIRS, np.bool_))


@pytest.mark.parametrize("method", resampling.METHODS)
def test_bootstrap(benchmark: Any, method: str) -> None:
    how = resampling.Resampling(resamples=RESAMPLES, confidence=0.95, method=method, seed=0)
    found = benchmark(resampling.bootstrap, scores(0), how)
    benchmark.extra_info.update(resamples=RESAMPLES, intervals=len(found), f1=found["f1"])


def test_index_table(benchmark: Any) -> None:
    """As sacreBLEU resamples: all indices at once, then the rows they choose."""
    table = scores(0).statistics.T.astype(np.float32)

    def run() -> Any:
        chosen = np.random.default_rng(0).choice(PAIRS, size=(PEER_RESAMPLES, PAIRS), replace=True)
        matched, n_pred, n_gold = table[chosen].sum(axis=1).T
        return np.quantile(2 * matched / (n_pred + n_gold), [0.025, 0.975])

    found = benchmark(run)
    benchmark.extra_info.update(resamples=PEER_RESAMPLES, intervals=1, f1=found.tolist())


def test_scipy(benchmark: Any) -> None:
    from scipy import stats

    pairs = scores(0)

    def f1(matched: Any, n_pred: Any, n_gold: Any, axis: int) -> Any:
        return 2 * matched.sum(axis=axis) / (n_pred.sum(axis=axis) + n_gold.sum(axis=axis))

    def run() -> Any:
        columns = (pairs.matched, pairs.n_pred, pairs.n_gold)
        return stats.bootstrap(columns, f1, paired=True, vectorized=True, n_resamples=PEER_RESAMPLES, batch=100)

    found = benchmark(run).confidence_interval
    benchmark.extra_info.update(resamples=PEER_RESAMPLES, intervals=1, f1=list(found))


def test_compare(benchmark: Any) -> None:
    """Two systems: intervals of both and of the difference, paired bootstrap and approximate randomisation."""
    results = [CorpusScore(scores(seed), Signature("smatch", {"solver": "exact"})) for seed in (0, 1)]
    found = benchmark(comparison.compare_scores, results, ["a", "b"], resamples=RESAMPLES)
    benchmark.extra_info.update(resamples=RESAMPLES, p=found.of("f1")[0].p_randomisation)
