"""The inverted index against a dictionary at a time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastmatch._ext.index import postings as kernel
from fastmatch.metrics.feature_lists import MEASURES, FeatureLists

from support.feature_lists import NO, corpora, index, lists
from twins.everything import best, overlap, similarity


@pytest.mark.slow
@given(corpora(kinds=("set", "bag")), st.sampled_from(["jaccard", "dice"]), st.floats(0.01, 1), st.booleans())
def test_candidates_miss_nothing(given_corpora, measure, cutoff, exact):
    """All pairs that reach the cutoff are there; with a cutoff that is one of the scores, too."""
    kind, mine, theirs = given_corpora
    rows, columns = lists(kind, mine, measure), lists(kind, theirs, measure)
    scores = {
        (i, j): similarity(measure, overlap(kind, x, y), rows.sizes[i], columns.sizes[j])
        for i, x in enumerate(mine)
        for j, y in enumerate(theirs)
        if x
    }
    if exact and any(scores.values()):
        cutoff = min(score for score in scores.values() if score)
    made = index(columns)
    found = made.candidates(
        rows.offsets,
        made.translate(rows.keys),
        rows.values,
        0,
        len(mine),
        sizes=rows.sizes,
        corpus_sizes=columns.sizes,
        measure=MEASURES[measure],
        cutoff=cutoff,
        needs=np.maximum(rows.needs(cutoff), 1e-12),
        cancel=NO,
    )
    pairs = list(zip(found[0].tolist(), found[1].tolist(), strict=True))
    assert pairs == sorted(set(pairs))
    assert set(pairs) >= {pair for pair, score in scores.items() if score >= cutoff}
    assert set(pairs) <= {pair for pair, score in scores.items() if score >= cutoff * (1 - 1e-6)}
    # an overlap may be added up in another order here, but it is the overlap
    assert found[2].tolist() == pytest.approx([overlap(kind, mine[i], theirs[j]) for i, j in pairs], rel=1e-12)


def test_candidates_of_a_triangle():
    rows = lists("set", [{1: 1.0, 2: 1.0}, {1: 1.0}, {2: 1.0, 1: 1.0}])
    made = index(rows)
    found = made.candidates(
        rows.offsets,
        made.translate(rows.keys),
        rows.values,
        1,
        3,
        sizes=rows.sizes,
        corpus_sizes=rows.sizes,
        measure=MEASURES["dice"],
        cutoff=0.1,
        needs=rows.needs(0.1),
        triangle=True,
        cancel=NO,
    )
    assert [column.tolist() for column in found] == [[1, 1, 2], [1, 2, 2], [1, 1, 2]]


@pytest.mark.parametrize(
    ("offsets", "keys", "values", "message"),
    [
        ([0, 2], [1, 1], [1, 1], "features of graph 0 do not ascend"),
        ([0, 2], [2, 1], [1, 1], "features of graph 0 do not ascend"),
        ([0, 1], [1, 2], [1, 1], "do not fit together"),
        ([0, 2, 1, 2], [1, 2], [1, 1], "offsets of graph 1 decrease"),
        ([0, 1], [1], [0], "a value of graph 0 is not above 0"),
        ([0, 1], [1], [float("nan")], "a value of graph 0 is not above 0"),
    ],
)
def test_lists_that_are_none(offsets, keys, values, message):
    with pytest.raises(ValueError, match=message):
        kernel.feature_index(np.array(offsets), np.array(keys), np.array(values, np.float64), 0)


def test_arguments_that_do_not_fit():
    rows = lists("set", [{1: 1.0}, {1: 1.0, 2: 1.0}])
    made = index(rows)
    ids = made.translate(rows.keys)

    def candidates(stop=2, cutoff=0.5, ids=ids, values=rows.values):
        made.candidates(
            rows.offsets,
            ids,
            values,
            0,
            stop,
            sizes=rows.sizes,
            corpus_sizes=rows.sizes,
            measure=0,
            cutoff=cutoff,
            needs=rows.sizes,
            cancel=NO,
        )

    with pytest.raises(IndexError, match="lists 0 to 3 of 2"):
        candidates(stop=3)
    with pytest.raises(IndexError, match="feature 9 of 2 in list 0"):
        candidates(ids=ids + 9)
    with pytest.raises(ValueError, match="a value of list 0 is not above 0"):
        candidates(values=rows.values * 0)
    with pytest.raises(ValueError, match="cutoff must be above 0"):
        candidates(cutoff=0)


@given(
    st.lists(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=6, max_size=6), max_size=4),
    st.integers(1, 8),
    st.sampled_from([0.0, 0.3, 0.5]),
    st.booleans(),
)
def test_the_best_of_rows(rows, k, cutoff, skip_self):
    scores = np.array(rows, np.float64).reshape(-1, 6)
    indices, values = np.full((len(scores), k), 9, np.int32), np.full((len(scores), k), 9.0)
    skip = np.arange(len(scores)) if skip_self else np.full(len(scores), -1)
    kernel.best_of_rows(scores, cutoff=cutoff, skip=skip, indices=indices, values=values)
    wanted = best(scores, k, cutoff, skip_self)
    assert indices.tolist() == [places + [-1] * (k - len(places)) for places in wanted]
    assert values.tolist() == [
        [scores[row, place] for place in places] + [0] * (k - len(places)) for row, places in enumerate(wanted)
    ]


def test_best_of_rows_that_do_not_fit():
    with pytest.raises(ValueError, match="must have one entry a row"):
        kernel.best_of_rows(
            np.zeros((2, 2)),
            cutoff=0,
            skip=np.zeros(1, np.int64),
            indices=np.zeros((2, 1), np.int32),
            values=np.zeros((2, 1)),
        )


def test_lists_of_single_occurrences():
    owners, keys = np.array([2, 0, 2, 2, 0]), np.array([7, 5, 7, -1, 4])
    bags = FeatureLists.of(owners, keys, 4, measure="dice")
    assert bags.offsets.tolist() == [0, 2, 2, 4, 4]
    assert (bags.keys.tolist(), bags.values.tolist()) == ([4, 5, -1, 7], [1, 1, 1, 2])
    assert bags.sizes.tolist() == [2, 0, 3, 0]
    sets = FeatureLists.of(owners, keys, 4, kind="set", measure="jaccard")
    assert (sets.values.tolist(), sets.sizes.tolist()) == ([1, 1, 1, 1], [2, 0, 2, 0])
    assert len(FeatureLists.of(owners[:0], keys[:0], 3, measure="dice")) == 3
