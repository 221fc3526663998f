"""Keys and feature sets: hashes that do not collide where they should not, merges against Python's own sets."""

import gc
import pickle
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch._ext.features.keys import label_keys
from fastmatch._ext.features.sets import FeatureSets, count_shared
from fastmatch.metrics import make
from fastmatch.metrics.shared import labels as _features

from support.refusal import fails

FEATURES = st.dictionaries(st.integers(0, 30).map(lambda k: k * 2**58), st.integers(1, 4), max_size=12)
BAGS = st.lists(st.tuples(FEATURES, FEATURES), min_size=1, max_size=4)


def feature_sets(bags: list[tuple[dict[int, int], ...]], counted: bool) -> FeatureSets:
    rows = [sorted(level.items()) for bag in bags for level in bag]
    flat = [item for row in rows for item in row]
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    counts = np.array([count for _, count in flat], np.int32) if counted else None
    return FeatureSets(offsets, np.array([key for key, _ in flat], np.uint64), counts, 2)


def run(pred: FeatureSets, gold: FeatureSets, product: bool = False) -> np.ndarray:
    n, m = pred.totals.shape[1], gold.totals.shape[1]
    i, j = np.divmod(np.arange(n * m, dtype=np.int32), np.int32(m))
    shared = np.full((2, len(i)), -1, np.int64)
    count_shared(pred, gold, (i, j, 0, len(i), np.zeros(1, np.uint8)), shared, product)
    return shared


@pytest.mark.slow
@given(BAGS, BAGS)
def test_merges(left, right):
    for counted in (False, True):
        pred, gold = feature_sets(left, counted), feature_sets(right, counted)
        for features, bags in ((pred, left), (gold, right)):
            sizes = [[sum(level.values()) if counted else len(level) for level in bag] for bag in bags]
            assert features.totals.T.tolist() == sizes
            for k in range(2):
                offsets, keys, values = features.level(k)
                flat = [item for bag in bags for item in sorted(bag[k].items())]
                assert np.diff(offsets).tolist() == [len(bag[k]) for bag in bags]
                # unsigned keys, moved so that they keep their order as signed ones
                assert [int(key) + 2**63 for key in keys] == [key for key, _ in flat]
                assert values.tolist() == [count if counted else 1 for _, count in flat]
        pairs = [(a, b) for a in left for b in right]
        if counted:
            smaller = [[(Counter(a[k]) & Counter(b[k])).total() for a, b in pairs] for k in range(2)]
            product = [[sum(n * b[k].get(key, 0) for key, n in a[k].items()) for a, b in pairs] for k in range(2)]
            assert run(pred, gold, product=True).tolist() == product
        else:
            smaller = [[len(a[k].keys() & b[k].keys()) for a, b in pairs] for k in range(2)]
        assert run(pred, gold).tolist() == smaller
        assert run(*pickle.loads(pickle.dumps((pred, gold)))).tolist() == smaller


def test_feature_sets_fit_together():
    keys = np.arange(3, dtype=np.uint64)
    few = np.array([1, 1], np.int32)
    of_one_level = [([0, 4], None, 1), ([-1, 3], None, 1), ([0, 2, 1], None, 1), ([], None, 1), ([0, 3], few, 1)]
    for offsets, counts, levels in [*of_one_level, ([0, 3], None, 2), ([0, 3], None, 0)]:
        fails(ValueError, "offsets|counts", FeatureSets, np.array(offsets, np.int64), keys, counts, levels)


def test_pairs_are_checked():
    sets = feature_sets([({1: 1}, {2: 1})] * 3, False)
    bags = feature_sets([({1: 1}, {2: 1})] * 3, True)
    index, cancel, out = np.array([0, 1, 2], np.int32), np.zeros(1, np.uint8), np.zeros((2, 3), np.int64)
    fine, other = (index, index, 0, 3, cancel), FeatureSets(np.array([0, 1]), np.ones(1, np.uint64))
    for arguments, message in (
        ((sets, sets, (index, index + 1, *fine[2:]), out), "pair 2 is of graphs 2 and 3, of 3 and 3"),
        ((sets, sets, fine, out[:1]), "no room"),
        ((sets, bags, fine, out), "a bag and a set"),
        ((sets, other, fine, out), "levels"),
    ):
        fails((IndexError, ValueError), message, count_shared, *arguments)


def test_cancelling():
    sets = feature_sets([({1: 1}, {2: 1})], False)
    out = np.full((2, 5), -1, np.int64)
    index = np.zeros(5, np.int32)
    count_shared(sets, sets, (index, index, 0, 5, np.ones(1, np.uint8)), out)
    assert (out == -1).all()


# ---------------------------------------------------------------- keys


def hashes(texts: list[str]) -> list[int]:
    vocabulary = fm.Vocabulary(texts)
    ids = vocabulary.ids(texts)
    fold = np.arange(len(vocabulary), dtype=np.int32)
    return label_keys(vocabulary.interner, fold, (ids,), False)[ids].tolist()


def test_hashes_of_labels_differ_and_depend_on_the_text_alone():
    texts = [f"{a}{b}" for a in ("", "a", "ab", "abcdefgh", "abcdefghi", "\0", "\0\0") for b in range(2000)]
    texts = sorted({*texts, "", "\0", "\0\0", "a" * 8, "a" * 16, "a" * 24})
    keys = hashes(texts)
    assert len(set(keys)) == len(texts) and hashes(texts[::-1]) == keys[::-1]
    # every bit is set about half of the time: 5 standard deviations
    bits = np.unpackbits(np.array(keys, np.uint64).view(np.uint8).reshape(-1, 8), axis=1).mean(axis=0)
    assert (abs(bits - 0.5) < 2.5 / len(texts) ** 0.5).all()


def test_hashed_keys_do_not_depend_on_the_vocabulary():
    """So prepared corpora of different processes can be compared, and a result can be resumed elsewhere."""
    text = '(w / want-01 :ARG0 (b / Boy :name "x") :domain (c / cat))'
    metric = make("rematch")
    one = metric.prepare(fm.parse(text))
    other = metric.prepare(fm.parse(text, vocabulary=fm.Vocabulary(["cat", "spare", ":mod", "boy"])))
    assert one.keys.tolist() == other.keys.tolist()


def test_exact_keys_of_many_labels():
    """Enough to make the table of joins grow several times; as many motifs as there are by construction."""
    n = 3000
    corpus = fm.parse([f"(a{k} / a{k} :ARG0 (b / b{k % 7} :x {k}))" for k in range(n)])
    exact, hashed = make("rematch", keys="exact").prepare(corpus), make("rematch").prepare(corpus)
    assert len(set(exact.keys.tolist())) == len(set(hashed.keys.tolist())) == 4 * n
    # the table belongs to the vocabulary: the same motifs get the same numbers later, new ones new numbers
    again = make("rematch", keys="exact").prepare(corpus[::-1])
    assert again.keys[again.offsets[-2] :].tolist() == exact.keys[: exact.offsets[1]].tolist()


def test_tables_of_exact_keys_go_with_their_vocabulary():
    gc.collect()  # of what other tests have left
    before = len(_features._TABLES)
    corpus = fm.parse("(a / b)")
    make("rematch", keys="exact").prepare(corpus)
    assert len(_features._TABLES) == before + 1
    del corpus
    gc.collect()
    assert len(_features._TABLES) == before


def test_labels_are_checked():
    vocabulary = fm.Vocabulary(["a", "b"])
    for fold, label in (([0, 1], 2), ([0, 7], 1)):
        arguments = np.array(fold, np.int32), (np.array([label], np.int32),), False
        fails(ValueError, "outside its table", label_keys, vocabulary.interner, *arguments)
