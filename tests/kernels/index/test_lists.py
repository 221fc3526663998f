"""Lists of features that are numbered, and the best of rows."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fastmatch._ext.index import lists as kernel
from fastmatch.metrics.feature_lists import FeatureLists

from twins.everything import best


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


def test_lists_of_single_occurrences():
    owners, keys = np.array([2, 0, 2, 2, 0]), np.array([7, 5, 7, -1, 4])
    bags = FeatureLists.of(owners, keys, 4, measure="dice")
    assert bags.offsets.tolist() == [0, 2, 2, 4, 4]
    assert (bags.keys.tolist(), bags.values.tolist()) == ([4, 5, -1, 7], [1, 1, 1, 2])
    assert bags.sizes.tolist() == [2, 0, 3, 0]
    sets = FeatureLists.of(owners, keys, 4, kind="set", measure="jaccard")
    assert (sets.values.tolist(), sets.sizes.tolist()) == ([1, 1, 1, 1], [2, 0, 2, 0])
    assert len(FeatureLists.of(owners[:0], keys[:0], 3, measure="dice")) == 3
