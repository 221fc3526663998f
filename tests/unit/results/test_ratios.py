"""Precision, recall and F1 from counts: the conventions for empty sides, and the two ways to a corpus score."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastmatch import TripleScores
from fastmatch.results import ratios as statistics

from support.refusal import fails


def test_conventions_of_one_set_of_counts():
    for counts, expected in {
        # (matched, n_pred, n_gold): (precision, recall, f1)
        (0, 0, 0): (1.0, 1.0, 1.0),
        (0, 0, 5): (0.0, 0.0, 0.0),
        (0, 5, 0): (0.0, 0.0, 0.0),
        (0, 5, 5): (0.0, 0.0, 0.0),
        (3, 4, 6): (0.75, 0.5, 0.6),
        (6, 4, 4): (1.5, 1.5, 1.5),  # multiplying duplicates: reported as it is
    }.items():
        assert statistics.prf(*counts) == expected


count = st.integers(0, 2**40)


@given(st.lists(st.tuples(count, count, count), max_size=20))
def test_elementwise_agrees_with_one_by_one_bit_for_bit(rows):
    got = np.array(statistics.precision_recall_f1(*np.array(rows, np.int64).reshape(-1, 3).T)).T
    assert got.dtype == np.float64 and got.tolist() == [list(statistics.prf(*row)) for row in rows]


def triples(matched, n_pred, n_gold):
    matched = np.array(matched)
    return TripleScores(matched, np.array(n_pred), np.array(n_gold), matched, np.ones(len(matched), bool))


def test_micro_sums_and_macro_averages():
    pairs = triples([1, 9], [2, 10], [1, 30])
    assert pairs.micro() == statistics.prf(10, 12, 31)._asdict()
    rows = [statistics.prf(1, 2, 1), statistics.prf(9, 10, 30)]
    expected = {name: sum(getattr(row, name) for row in rows) / 2 for name in ("f1", "precision", "recall")}
    assert pairs.macro() == expected


def test_large_counts_keep_every_triple():
    """float32 sums, as some tools use for resampling, lose single triples beyond 2**24."""
    many = np.full(3, 2**24, np.int64)
    assert triples(many + 1, many + 1, many + 1).micro().f1 == 1
    assert triples(many, many + np.array([0, 0, 1]), many).micro().f1 < 1


def test_any_shape_for_resampling():
    """A bootstrap hands over one total per replicate; counts that are the same for all broadcast."""
    totals = np.arange(12).reshape(3, 4)
    precision, recall, f1 = statistics.precision_recall_f1(totals, 20, 30)
    assert precision.shape == recall.shape == f1.shape == (3, 4) and f1[2, 3] == statistics.prf(11, 20, 30).f1
    assert statistics.precision_recall_f1(totals, 0, 0)[0].shape == (3, 4)


def test_weighted_counts_may_be_fractions():
    assert triples([0.5, 0.25], [1, 1], [1, 1]).micro().f1 == 0.375


@pytest.mark.parametrize("counts", [(-1, 1, 1), (1, -1, 1), (1, 1, -1)])
def test_negative_counts_are_refused(counts):
    fails(ValueError, "may not be negative", statistics.prf, *counts)
    fails(ValueError, "may not be negative", statistics.precision_recall_f1, *[np.array([count]) for count in counts])
