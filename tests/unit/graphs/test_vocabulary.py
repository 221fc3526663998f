"""Vocabulary: strings to ids and back, looking up, merging, distinct numbers."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fastmatch.graphs.vocabulary import Vocabulary, distinct

from support.refusal import fails


def test_lookup_and_in_add_nothing():
    vocabulary = Vocabulary(["boy"])
    assert vocabulary.lookup("girl") == -1 and "girl" not in vocabulary and 0 not in vocabulary
    assert vocabulary.lookup("boy") == 0 and "boy" in vocabulary and len(vocabulary) == 1
    assert repr(vocabulary) == "<Vocabulary: 1 strings>"


def test_text_of_no_id():
    fails(IndexError, None, Vocabulary(["boy"]).text, 1)
    fails(IndexError, None, Vocabulary(["boy"]).text, -1)


def test_merge_and_match():
    one, other = Vocabulary(["a", "b"]), Vocabulary(["c", "b", ""])
    assert one.match(other).tolist() == [-2, 1, -2] and one.merge(other).tolist() == [2, 1, 3]
    assert list(one) == ["a", "b", "c", ""] and list(other) == ["c", "b", ""]
    assert one.merge(one).tolist() == [0, 1, 2, 3] and one.merge(Vocabulary()).tolist() == []


@given(st.lists(st.integers(-1, 40) | st.sampled_from([5_000, 2**31 - 1])), st.sampled_from(["int32", "int64"]))
def test_distinct_numbers(ids, dtype):
    given_ids = np.array(ids, dtype)
    found, places = distinct(given_ids)
    expected, inverse = np.unique(given_ids, return_inverse=True)
    assert found.dtype == expected.dtype and places.dtype == inverse.dtype and found.tolist() == expected.tolist()
    assert places.tolist() == inverse.tolist()
