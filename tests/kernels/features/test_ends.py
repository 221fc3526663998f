"""Names of relations with their ends, and lemmas, against their definitions in plain Python."""

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fastmatch import Vocabulary
from fastmatch._ext.features.ends import end_names
from fastmatch.metrics.align_smatch import lemmas

from support.refusal import fails

CONCEPTS = st.lists(
    st.sampled_from(["想", "看", "a", "-", "0", "1", "２", "٣", "𝟘", "½", "é", "\x00"]), max_size=7
).map("".join)


@given(st.lists(CONCEPTS, min_size=1, max_size=8))
def test_lemmas(texts: list[str]) -> None:
    r"""What ``re.sub(r"-\d\d\Z", "", text)`` leaves, whatever the script of the digits."""
    vocabulary = Vocabulary()
    ids = vocabulary.ids(texts)
    found = lemmas(vocabulary, np.append(ids, np.int32(-1)))
    assert [vocabulary.text(k) for k in found[:-1].tolist()] == [re.sub(r"-\d\d\Z", "", text) for text in texts]
    assert found[-1] == -1


def test_lemmas_of_half_characters() -> None:
    """A text of Python may hold half of a surrogate pair, which is no digit."""
    vocabulary = Vocabulary()
    ids = vocabulary.ids(["a-\ud800\udc00", "a-0\ud800", "\udfff-01"])
    assert [vocabulary.text(k) for k in lemmas(vocabulary, ids).tolist()] == ["a-\ud800\udc00", "a-0\ud800", "\udfff"]


LABELS = st.sampled_from([-2, -1, 0, 1, 63, 64, 4095, 4096, 2**31 - 1])


@given(st.lists(st.tuples(LABELS, LABELS, LABELS), max_size=12))
def test_equal_names_have_equal_labels(rows: list[tuple[int, int, int]]) -> None:
    vocabulary = Vocabulary(["a", "b"])
    columns = np.array(rows, np.int32).reshape(-1, 3).T
    found = end_names(vocabulary.interner, *map(np.ascontiguousarray, columns)).tolist()
    assert len(set(found)) == len(set(rows)) == len(set(zip(found, rows, strict=True)))
    assert all(vocabulary.text(name).isprintable() is False for name in found)  # no label of a graph, most likely
    assert len(vocabulary) == 2 + len(set(rows))


def test_names_of_nothing_sensible() -> None:
    interner = Vocabulary().interner
    one, two = np.zeros(1, np.int32), np.zeros(2, np.int32)
    fails(ValueError, "differ in length", end_names, interner, one, two, one)
    fails(ValueError, "below -2", end_names, interner, one, one, one - 3)
