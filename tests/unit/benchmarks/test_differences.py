"""Whether two metrics differ: tests against formulas written out, and clusters."""

import itertools

import numpy as np
import pytest
import scipy.stats

from fastmatch.benchmarks import concordance
from fastmatch.benchmarks.concordance import STATISTICS, calibrated, clusters, corrected, perm_both, williams


def figures(human: np.ndarray, name: str = "pearson"):
    return lambda rows: STATISTICS[name](rows, human, np.ones(rows.shape))


@pytest.mark.parametrize(
    ("first", "second", "both", "n"), [(0.7, 0.6, 0.8, 100), (0.1, 0.5, -0.2, 12), (0.3, 0.2, 0.9, 4)]
)
def test_williams(first: float, second: float, both: float, n: int) -> None:
    """The formula of Graham and Baldwin (2014), by the determinant of the matrix of correlations."""
    matrix = np.array([[1, first, second], [first, 1, both], [second, both, 1]])
    mean = (first + second) / 2
    t = (first - second) * np.sqrt((n - 1) * (1 + both))
    t /= np.sqrt(2 * np.linalg.det(matrix) * (n - 1) / (n - 3) + mean**2 * (1 - both) ** 3)
    assert williams(first, second, both, n) == pytest.approx(2 * scipy.stats.t.sf(abs(t), n - 3))
    assert williams(second, first, both, n) == pytest.approx(williams(first, second, both, n))


def test_williams_without_an_answer() -> None:
    assert np.isnan(williams(0.5, 0.4, 0.3, 3)) and np.isnan(williams(float("nan"), 0.4, 0.3, 30))
    assert williams(0.5, 0.5, 1.0, 30) == 1.0 and 0 <= williams(1.0, 0.9, 0.9, 30) < 1e-3


@pytest.mark.parametrize(("statistic", "n"), [("pearson", 9), ("calibrated accuracy", 8)])
def test_perm_both_is_near_the_p_value_of_all_permutations(statistic: str, n: int) -> None:
    """With a threshold of its own for each mixture of two metrics."""
    rng = np.random.default_rng(2)
    human = rng.normal(size=n) if statistic == "pearson" else rng.integers(0, 3, n).astype(float)
    scores = np.stack([human + rng.normal(0, 0.5, n), 9 * human + rng.normal(0, 18.0, n)])
    standard = [(row - row.mean()) / row.std() for row in scores]

    def figure(row: np.ndarray) -> float:
        return float(np.corrcoef(row, human)[0, 1]) if statistic == "pearson" else calibrated(row, human).accuracy

    def difference(exchanged: np.ndarray) -> float:
        mixed = [np.where(exchanged, standard[a], standard[b]) for a, b in ((1, 0), (0, 1))]
        return abs(figure(mixed[0]) - figure(mixed[1]))

    observed = difference(np.zeros(n, bool))
    assert observed == pytest.approx(abs(figure(scores[0]) - figure(scores[1])))
    exchanges = itertools.product((False, True), repeat=n)
    exact = np.mean([difference(np.array(each)) >= observed - 1e-12 for each in exchanges])
    of_rows = figures(human) if statistic == "pearson" else lambda rows: concordance.calibrated_rows(rows, human)
    found = perm_both(scores, of_rows, 6000, 0)
    assert 0 < found[0, 1] == found[1, 0] == pytest.approx(exact, abs=0.02) and np.isnan(found[0, 0])


def test_equal_metrics_do_not_differ_and_constant_ones_have_no_answer() -> None:
    rng = np.random.default_rng(0)
    human, scores = rng.normal(size=20), rng.normal(size=20)
    found = perm_both(np.stack([scores, 2 * scores + 1, np.ones(20)]), figures(human), 200, 0)
    assert found[0, 1] == 1.0 and np.isnan(found[0, 2])


def test_corrected_by_holm() -> None:
    p = np.full((4, 4), np.nan)
    for (i, j), value in {(0, 1): 0.01, (0, 2): 0.04, (1, 2): 0.03}.items():  # the fourth metric has no figure
        p[i, j] = p[j, i] = value
    found = corrected(p)
    assert [found[0, 1], found[0, 2], found[1, 2]] == pytest.approx([0.03, 0.06, 0.06]) and np.isnan(found[3]).all()
    assert (found == found.T)[~np.isnan(found)].all()


def test_clusters() -> None:
    values = np.array([0.5, 0.9, 0.8, 0.7, np.nan])
    p = np.ones((5, 5))
    for i, j in ((1, 3), (1, 0), (2, 0)):  # the best differs from the two worst, the second from the worst
        p[i, j] = p[j, i] = 0.01
    assert clusters(values, p, 0.05) == ("c", "a", "ab", "bc", "")
    assert clusters(values, np.ones((5, 5)), 0.05) == ("a", "a", "a", "a", "")
    assert clusters(np.array([0.1, 0.2]), np.full((2, 2), np.nan), 0.05) == ("a", "a")
    many = clusters(np.arange(30.0), np.zeros((30, 30)), 0.05)
    assert len(set(many)) == 30 and many[0] == "(30)"
