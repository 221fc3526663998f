"""Statistics of agreement: equal to scipy's and to definitions written out, on any resample."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from fastmatch.benchmarks import concordance
from fastmatch.benchmarks.concordance import STATISTICS, calibrated, calibrated_rows, equal_answers, rows_of

SCIPY = {
    "pearson": lambda x, y: scipy.stats.pearsonr(x, y).statistic,
    "spearman": lambda x, y: scipy.stats.spearmanr(x, y).statistic,
    "kendall": lambda x, y: scipy.stats.kendalltau(x, y).statistic,
}


def drawn(seed, n, digits):
    """Scores and human values, both with ties, and resamples of them, of which the first has each once."""
    rng = np.random.default_rng(seed)
    human = rng.integers(0, 5, n).astype(float)
    weights = np.vstack([np.ones(n), rng.multinomial(n, np.full(n, 1 / n), 4)])
    return np.round(human + rng.normal(0, 2, n), digits), human, weights


def copies(weights):
    return np.repeat(np.arange(len(weights)), weights.astype(int))


@pytest.mark.parametrize("name", SCIPY)
@pytest.mark.parametrize("n", [2, 5, 40, 700])
def test_correlations_are_those_of_scipy_on_every_resample(name: str, n: int) -> None:
    for seed in range(8):
        scores, human, weights = drawn(seed, n, seed % 3)
        for row, value in zip(weights, STATISTICS[name](scores, human, weights), strict=True):
            x, y = scores[copies(row)], human[copies(row)]
            if len(set(x)) < 2 or len(set(y)) < 2:
                assert np.isnan(value)
            else:
                assert value == pytest.approx(SCIPY[name](x, y), abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans(), st.integers(0, 3)), min_size=1, max_size=12))
def test_auc_is_the_share_of_pairs_in_order(items: list[tuple[int, bool, int]]) -> None:
    scores, yes, weights = (np.array(column, np.float64) for column in zip(*items, strict=True))
    found = concordance.auc(scores, yes, weights[None])[0]
    pairs = [
        (w * v, (x > y) + (x == y) / 2)
        for x, a, w in zip(scores, yes, weights, strict=True)
        for y, b, v in zip(scores, yes, weights, strict=True)
        if a and not b
    ]
    total = sum(weight for weight, _ in pairs)
    expected = sum(weight * right for weight, right in pairs) / total if total else np.nan
    assert found == pytest.approx(expected, nan_ok=True)


def test_a_tie_of_the_metric_counts_half_and_ties_of_people_do_not_count() -> None:
    differences, human = np.array([0.5, 0.0, -1.0, 2.0]), np.array([1.0, -1.0, 1.0, 0.0])
    assert concordance.accuracy(differences, human, np.ones((1, 4))).tolist() == [0.5]
    assert np.isnan(concordance.accuracy(differences, 0 * human, np.ones((1, 4)))[0])


def answers(scores, human, threshold):
    """Whether metric and people say the same of each pair of items."""
    apart = scores[:, None] - scores
    return np.where(np.abs(apart) <= threshold, 0, np.sign(apart)) == np.sign(human[:, None] - human)


@pytest.mark.parametrize("n", [2, 3, 10, 60])
def test_the_calibrated_threshold_is_the_best_one(n: int) -> None:
    for seed in range(10):
        scores, human, weights = drawn(seed, n, seed % 3)
        upper = np.triu_indices(n, 1)
        thresholds = sorted({0.0, *np.abs(scores[:, None] - scores)[upper]})
        values = np.array([answers(scores, human, each)[upper].mean() for each in thresholds])
        found = calibrated(scores, human)
        assert found.exact and found.accuracy == pytest.approx(values.max())
        assert found.threshold == thresholds[int(np.argmax(values > values.max() - 1e-12))]
        assert equal_answers(scores, human, found.threshold, np.ones((1, n)))[0] == pytest.approx(found.accuracy)
        for row, value in zip(weights, equal_answers(scores, human, found.threshold, weights), strict=True):
            chosen = copies(row)
            right = answers(scores[chosen], human[chosen], found.threshold)[chosen[:, None] != chosen]
            assert value == pytest.approx(right.mean() if right.size else np.nan, nan_ok=True)


def test_with_groups_the_mean_over_groups_is_the_best_one() -> None:
    scores, human, _ = drawn(3, 30, 1)
    groups = np.arange(30) % 4
    groups[0] = 4  # alone: no pair
    members = [np.flatnonzero(groups == group) for group in range(4)]

    def mean(threshold: float) -> float:
        tables = [answers(scores[each], human[each], threshold) for each in members]
        return float(np.mean([table[np.triu_indices(len(table), 1)].mean() for table in tables]))

    found = calibrated(scores, human, groups)
    assert found.accuracy == pytest.approx(mean(found.threshold))
    assert found.accuracy == pytest.approx(max(mean(each) for each in np.abs(scores[:, None] - scores).ravel()))


def test_a_preference_is_a_pair() -> None:
    differences, human = np.array([0.1, -0.2, 3.0, -3.0]), np.array([0.0, 0.0, 1.0, -1.0])
    assert concordance.preferences_equal(differences, human) == (1.0, 0.2, True)
    assert concordance.preferences_equal(np.empty(0), np.empty(0)).exact


def test_of_too_many_pairs_a_sample_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    scores, human, _ = drawn(0, 300, 2)
    whole = calibrated(scores, human)
    monkeypatch.setattr(concordance, "MOST_PAIRS", 20_000)
    found = calibrated(scores, human)
    assert not found.exact and found == calibrated(scores, human)
    assert found.accuracy == pytest.approx(whole.accuracy, abs=0.02)
    within = calibrated(scores, human, np.arange(300) % 2)
    assert not within.exact
    monkeypatch.undo()
    assert within.accuracy == pytest.approx(calibrated(scores, human, np.arange(300) % 2).accuracy, abs=0.03)
    assert np.isnan(equal_answers(scores, human, float("nan"), np.ones((2, 300)))).all()


def test_every_row_of_scores_has_a_threshold_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    human = drawn(0, 60, 1)[1]
    rows = np.stack([drawn(seed, 60, 1)[0] for seed in range(4)])
    for groups in (None, np.arange(60) % 7):
        expected = [calibrated(row, human, groups).accuracy for row in rows]
        assert calibrated_rows(rows, human, groups).tolist() == expected
    monkeypatch.setattr(concordance, "MOST_TESTED", 1000)
    found = calibrated_rows(rows, human)
    assert found.tolist() == calibrated_rows(rows, human).tolist()
    assert found == pytest.approx([calibrated(row, human).accuracy for row in rows], abs=0.06)
    assert np.isnan(calibrated_rows(rows[:, :1], human[:1])).all()


@pytest.mark.parametrize("classes", [1, 2, 5, 400])
def test_pairs_are_counted_in_any_resample_without_a_table_of_them(classes: int) -> None:
    """Against the table of all pairs; differences at the threshold, which a sum would round away, among them."""
    rng = np.random.default_rng(classes)
    human = rng.integers(0, classes, 150).astype(float)
    scores = np.round(0.1 * rng.integers(0, 30, 150), 12)
    weights = rng.multinomial(150, np.full(150, 1 / 150), 3).astype(float)
    for threshold in (0.0, abs(scores[3] - scores[4]), 0.3, 9.0):
        right = answers(scores, human, threshold)
        for row, value in zip(weights, equal_answers(scores, human, threshold, weights), strict=True):
            pairs = np.outer(row, row)
            np.fill_diagonal(pairs, 0)
            assert value == (pairs * right).sum() / pairs.sum()


def test_units_are_drawn_whole() -> None:
    units = np.array([0, 0, 1, 2, 2, 2])
    weights, again = (np.concatenate([rows for _, rows in rows_of(6, 300, 0, units)]) for _ in range(2))
    assert (weights[:, 0] == weights[:, 1]).all() and (weights[:, 3] == weights[:, 5]).all()
    assert (weights[:, [0, 2, 3]].sum(axis=1) == 3).all() and (weights == again).all()
