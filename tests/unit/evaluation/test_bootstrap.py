"""Bootstrap intervals: the kernel against its definition, intervals against scipy's on the same draws, the edges."""

import inspect
import math
import pickle
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import fastmatch as fm
from fastmatch._ext.resampling import BOOTSTRAP, SUBSET, SWAP, resampled_sums
from fastmatch.evaluation import bootstrap as resampling
from fastmatch.metrics import Metric, PairScores

from support.columnar import weights
from support.refusal import fails

MODES = (BOOTSTRAP, SWAP, SUBSET)


def intervals_of(pairs, workers=1, progress=None, **given):
    """By default 1,000 resamples."""
    how = {"resamples": 1000, "confidence": 0.95, "method": "bca", "seed": 0, **given}
    return resampling.bootstrap(pairs, resampling.Resampling(**how), workers, progress)


def sums(counts, reals, seed, mode, resamples, stretches=None):
    """The kernel's sums, made stretch by stretch."""
    found = np.zeros((len(counts), resamples), np.int64), np.zeros((len(reals), resamples))
    for start, stop in stretches or [(0, resamples)]:
        resampled_sums(counts, reals, seed, mode, start, stop, *found, np.zeros(1, np.uint8))
    return found


def triple_scores(matched, n_pred, n_gold) -> fm.TripleScores:
    columns = [np.array(column) for column in (matched, n_pred, n_gold)]
    return fm.TripleScores(*columns, columns[0], np.ones(len(matched), np.bool_))


def some_scores(n: int, seed: int = 1) -> fm.TripleScores:
    rng = np.random.default_rng(seed)
    n_pred, n_gold = rng.integers(1, 40, (2, n))
    return triple_scores(rng.binomial(np.minimum(n_pred, n_gold), 0.7), n_pred, n_gold)


class Similarity(Metric):
    """A metric whose pairs do not add up."""

    name = "similarity"
    statistics = ("similarity",)
    counts = False
    summable = False

    def combine(self, statistics):
        return {"similarity": np.asarray(statistics[0], np.float64)}


# ---------------------------------------------------------------- the kernel


def test_subsets_are_all_there_once():
    subsets = {tuple(weights(0, SUBSET, replicate, 4)) for replicate in range(16)}
    assert len(subsets) == 16 and {sum(subset) for subset in subsets} == {0, 1, 2, 3, 4}


def test_draws_are_uniform():
    """Every pair as often as every other, and replicates unlike each other; 5 standard deviations."""
    n, resamples = 50, 4000
    for mode, mean, variance in ((BOOTSTRAP, 1.0, 1 - 1 / n), (SWAP, 0.5, 0.25)):
        table = sums(np.eye(n, dtype=np.int64), np.zeros((0, n)), 3, mode, resamples)[0].T
        assert np.abs(table.mean(axis=0) - mean).max() < 5 * math.sqrt(variance / resamples)
        assert abs(table.var() - variance) < 0.02
        neighbours = ((table[:-1] - mean) * (table[1:] - mean)).mean() / variance
        assert abs(neighbours) < 5 / math.sqrt(table.size)


@given(
    st.integers(0, 9), st.integers(0, 3), st.integers(0, 3), st.integers(0, 2**63), st.sampled_from(MODES), st.data()
)
def test_sums_are_weighted_sums(n, n_counts, n_reals, seed, mode, data):
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    resamples = min(2**n, 7) if mode == SUBSET else 7
    counts, reals = rng.integers(-(2**40), 2**40, (n_counts, n)), rng.random((n_reals, n))
    found = sums(counts, reals, seed, mode, resamples, [(0, resamples // 2), (resamples // 2, resamples)])
    for replicate in range(resamples):
        weight = weights(seed, mode, replicate, n)
        assert found[0][:, replicate].tolist() == (counts @ weight).tolist()
        np.testing.assert_allclose(found[1][:, replicate], reals @ weight, rtol=1e-13)


def test_refused_by_the_kernel():
    counts, reals, cancel = np.zeros((1, 3), np.int64), np.zeros((1, 3)), np.zeros(1, np.uint8)
    one, out, short = (counts[:, :1].copy(), reals[:, :1].copy()), np.zeros((1, 4)), np.zeros((1, 3))
    for columns, mode, stop, sums_of_reals, message in (
        ((counts, reals[:, :2].copy()), BOOTSTRAP, 4, out, "one column a pair"),
        ((counts, reals), BOOTSTRAP, 4, short, "one column a replicate"),
        ((counts, reals), BOOTSTRAP, 5, out, "replicates 0 to 5 of 4"),
        ((counts, reals), 3, 4, out, "mode 3"),
        (one, SUBSET, 3, out, "subsets 0 to 3 of 1 pairs"),
    ):
        with pytest.raises((ValueError, IndexError), match=message):
            resampled_sums(*columns, 0, mode, 0, stop, np.zeros((1, 4), np.int64), sums_of_reals, cancel)


def test_a_set_cancel_leaves_the_rest():
    counts = np.ones((1, 3), np.int64)
    out = np.full((1, 4), -1), np.zeros((0, 4))
    resampled_sums(counts, np.zeros((0, 3)), 0, BOOTSTRAP, 0, 4, *out, np.ones(1, np.uint8))
    assert out[0].tolist() == [[-1] * 4]


# ---------------------------------------------------------------- the intervals


class Draws(np.random.Generator):
    """Hands scipy the draws that the kernel made: index k as often as the kernel's weight says."""

    def __init__(self, seed: int, resamples: int, n: int) -> None:
        super().__init__(np.random.PCG64(0))
        rows = [np.repeat(np.arange(n), weights(seed, BOOTSTRAP, replicate, n)) for replicate in range(resamples)]
        self.rows = np.array(rows)

    def integers(self, low, high=None, size=None, **_):
        assert tuple(size) == self.rows.shape
        return self.rows


def scipy_interval(scores: fm.TripleScores, name: str, resamples: int, confidence: float, method: str, seed: int):
    plain = name.removeprefix("macro_")

    def micro(matched, n_pred, n_gold, axis):
        return scores.combine(np.stack([column.sum(axis=axis) for column in (matched, n_pred, n_gold)]))[name]

    def macro(matched, n_pred, n_gold, axis):
        # rounded: draws of the same pairs in another order are ties, which count half
        return scores.combine(np.stack([matched, n_pred, n_gold]))[plain].mean(axis=axis).round(14)

    # older versions of scipy call the generator something else
    generator = "rng" if "rng" in inspect.signature(stats.bootstrap).parameters else "random_state"
    found = stats.bootstrap(
        (scores.matched, scores.n_pred, scores.n_gold),
        macro if name.startswith("macro_") else micro,
        paired=True,
        vectorized=True,
        n_resamples=resamples,
        confidence_level=confidence,
        method=method,
        **{generator: Draws(seed, resamples, len(scores))},
    )
    return found.confidence_interval


@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize(("n", "confidence"), [(2, 0.9), (7, 0.95), (60, 0.68), (61, 0.99)])
def test_scipy_on_the_same_draws(method, n, confidence):
    scores = some_scores(n)
    found = intervals_of(scores, resamples=499, confidence=confidence, method=method, seed=5)
    assert set(found) == {f"{kind}{name}" for kind in ("", "macro_") for name in ("f1", "precision", "recall")}
    for name, interval in found.items():
        expected = scipy_interval(scores, name, 499, confidence, method, 5)
        np.testing.assert_allclose(interval, expected, rtol=1e-11, err_msg=name)


def test_real_statistics_and_means():
    """Float statistics (soft matches) give what their integers give; a metric without sums has intervals of means."""
    scores = some_scores(30)
    columns = (scores.matched, scores.n_pred, scores.n_gold)
    soft = fm.TripleScores(*(column / 4 for column in columns), scores.upper / 4, scores.certified)
    expected = intervals_of(scores, resamples=200)
    for name, interval in intervals_of(soft, resamples=200).items():
        np.testing.assert_allclose(interval, expected[name], rtol=1e-12)
    (found,) = intervals_of(PairScores(scores.f1[None, :], Similarity()), resamples=200).items()
    assert found[0] == "similarity"
    np.testing.assert_allclose(found[1], expected["macro_f1"], rtol=1e-12)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_edges(method):
    def of(*columns):
        return intervals_of(triple_scores(*columns), resamples=100, method=method)

    for none in ([[], [], []], [[3], [4], [5]]):
        assert all(math.isnan(end) for interval in of(*none).values() for end in interval)
    # all pairs alike: the score, exactly
    alike = of([3] * 8, [4] * 8, [6] * 8)
    assert (alike["f1"], alike["precision"], alike["recall"]) == ((0.6, 0.6), (0.75, 0.75), (0.5, 0.5))
    np.testing.assert_allclose(alike["macro_f1"], 0.6, rtol=1e-14)
    # perfect everywhere, nothing anywhere, empty graphs on both sides: no division by zero
    assert set(of([4, 2, 7], [4, 2, 7], [4, 2, 7]).values()) == {(1, 1)}
    assert set(of([0, 0, 0], [4, 2, 7], [0, 0, 0]).values()) == {(0, 0)}
    assert set(of([0, 0, 0], [0, 0, 0], [0, 0, 0]).values()) == {(1, 1)}
    # replicates without any gold triple among others
    assert all(0 <= low <= high <= 1 for low, high in of([0, 0, 5], [0, 3, 5], [0, 0, 5]).values())


def test_bca_beyond_its_formula():
    """A value outside all replicates, equal jackknife values, and an acceleration that turns the formula over."""
    replicates = np.linspace(0.2, 0.4, 101)
    flat = np.full(10, 0.3)
    above = resampling.interval(0.9, replicates, flat, 0.95, "bca")
    below = resampling.interval(0.1, replicates, flat, 0.95, "bca")
    assert 0.39 < above.low <= above.high <= 0.4
    assert 0.2 <= below.low <= below.high < 0.21
    # no bias and no skewness: the percentile interval
    middle = resampling.interval(0.3, replicates, flat, 0.95, "bca")
    np.testing.assert_allclose(middle, resampling.interval(0.3, replicates, None, 0.95, "percentile"), rtol=1e-12)
    # one pair carries it all: a = 1/6 · 0.9…, and z runs past 1/a for a bias this large
    spike = np.full(50, 0.3)
    spike[0] = 0.1
    low, high = resampling.interval(0.5, np.append(np.linspace(0.1, 0.4, 10**6), 0.6), spike, 1 - 1e-6, "bca")
    assert high == 0.6 and low <= high


@pytest.mark.parametrize("workers", [2, 3, -1])
def test_workers_change_nothing(workers, monkeypatch):
    monkeypatch.setattr("fastmatch.runtime.threads.INLINE", 1e-6)
    scores = some_scores(40)
    assert intervals_of(scores, resamples=300, workers=workers) == intervals_of(scores, resamples=300)


def test_the_seed_and_the_number_of_resamples():
    scores = some_scores(40)
    first = intervals_of(scores, resamples=200, seed=1)
    assert first != intervals_of(scores, resamples=200, seed=2)
    assert str(first.signature).startswith("bootstrap|ci:bca|conf:0.95|n:200|seed:1|v:")
    assert first.signature != intervals_of(scores, resamples=201, seed=1).signature


def test_ctrl_c_comes_through():
    stop = Mock(side_effect=KeyboardInterrupt)
    fails(KeyboardInterrupt, None, intervals_of, some_scores(2000), resamples=5000, progress=stop)


def test_pickle_and_json():
    found = intervals_of(some_scores(5), resamples=50)
    again = pickle.loads(pickle.dumps(found))
    assert again == found and again.signature == found.signature
    assert intervals_of(some_scores(1)).to_dict()["f1"] == [None, None]
    assert found.to_dict()["f1"] == list(found["f1"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bootstrap": 0}, r"bootstrap=0: expected a number of resamples"),
        ({"bootstrap": True}, r"bootstrap=True: expected a number"),
        ({"confidence": 95}, r"confidence=95: expected a fraction between 0 and 1; did you mean 0.95\?"),
        ({"confidence": 1.0}, r"confidence=1.0: expected a fraction"),
        ({"bootstrap_method": "basic"}, r"^bootstrap_method='basic': expected one of 'bca', 'percentile'"),
        ({"bootstrap_seed": -1}, r"^bootstrap_seed=-1: expected a whole number"),
    ],
)
def test_options(options, message):
    fails(fm.OptionError, message, fm.score, "(a / b)", "(a / b)", **{"bootstrap": 10, **options})


@pytest.mark.parametrize("metric", ["smatch", "toy"])
def test_through_score(metric):
    from support import toy_metric  # noqa: F401

    pred, gold = ["(a / b :ARG0 (c / d))"] * 5 + ["(a / x)"] * 3, ["(a / b :ARG1 (c / d))"] * 8
    plain = fm.score(pred, gold, metric=metric)
    assert plain.intervals is None and "intervals" not in plain.to_dict()
    result = fm.score(pred, gold, metric=metric, bootstrap=300, confidence=0.9, bootstrap_method="percentile")
    assert result.signature == plain.signature
    assert result.intervals == intervals_of(plain.pairs, resamples=300, confidence=0.9, method="percentile")
    assert result.intervals["f1"].low < result.f1 < result.intervals["f1"].high
    assert result.to_dict()["intervals"]["confidence"] == 0.9
