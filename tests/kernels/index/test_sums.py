"""Lists of numbered features; dense rows of their sums are those that a loop over them gives; the best of rows."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fastmatch._ext.index.lists import best_of_rows
from fastmatch._ext.index.sums import LANES, Postings, lane_maxima, lane_sums
from fastmatch.metrics.feature_lists import FeatureLists

from support.refusal import fails
from twins.everything import best

N_FEATURES = 12
LISTS = st.lists(st.dictionaries(st.integers(0, N_FEATURES - 1), st.integers(1, 4), max_size=6), max_size=40)


def table(graphs: list[dict[int, int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    offsets = np.cumsum([0] + [len(graph) for graph in graphs])
    ids = [feature for graph in graphs for feature in graph]
    values = [float(value) for graph in graphs for value in graph.values()]
    return offsets.astype(np.int64), np.array(ids, np.int32), np.array(values, np.float32)


@given(LISTS, st.randoms(use_true_random=False))
def test_lanes(graphs, random):
    offsets, ids, values = table(graphs)
    numbers = np.array([[random.randint(0, 5) for _ in range(LANES)] for _ in range(N_FEATURES)], np.float32)
    others = np.array([random.randrange(N_FEATURES) for _ in ids], np.int32)
    out = np.empty((3, LANES, len(graphs)), np.float32)
    lane_sums(offsets, ids, values, numbers, out[0])
    lane_sums(offsets, ids, values, numbers, out[1], others=others)
    lane_maxima(offsets, ids, numbers, out[2])
    for g in range(len(graphs)):
        part = slice(*offsets[g : g + 2])
        lines = numbers[ids[part]]
        assert (out[0, :, g] == (lines * values[part, None]).sum(axis=0)).all()
        assert (out[1, :, g] == (lines * values[part, None] * numbers[others[part]]).sum(axis=0)).all()
        assert (out[2, :, g] == lines.max(axis=0, initial=0)).all()


@given(LISTS, st.lists(st.integers(0, 3), min_size=N_FEATURES, max_size=N_FEATURES))
def test_postings(graphs, numbers):
    offsets, ids, values = table(graphs)
    postings = Postings(offsets, ids, values, N_FEATURES)
    sums, largest = np.full((2, len(graphs)), 9, np.float32)
    postings.look_up(np.array(numbers, np.float32), sums, add=True)
    postings.look_up(np.array(numbers, np.float32), largest, add=False)
    for g, graph in enumerate(graphs):
        assert sums[g] == sum(numbers[feature] * mass for feature, mass in graph.items())
        assert largest[g] == max((numbers[feature] for feature in graph), default=0)


@given(st.lists(st.sampled_from([-np.inf, 0.0, 0.5, 0.75, 1.0, np.inf]), max_size=20), st.integers(0, 6))
def test_the_highest_of_rows_in_single_precision(line, k):
    columns, least = np.full((1, k), 99, np.int32), np.finfo(np.float32).min
    best_of_rows(np.array([line], np.float32).reshape(1, -1), cutoff=least, indices=columns, values=np.empty((1, k)))
    wanted = sorted((place for place in range(len(line)) if line[place] > -np.inf), key=lambda p: (-line[p], p))[:k]
    assert columns[0].tolist() == wanted + [-1] * (k - len(wanted))


def test_what_does_not_fit_is_refused():
    offsets, ids, values = table([{0: 1}, {1: 2, 3: 1}])
    for wrong in ((offsets[::-1].copy(), ids, values), (offsets, ids, values[:1]), (offsets + 1, ids, values)):
        fails(ValueError, r"offsets|one entry", Postings, *wrong, N_FEATURES)
    fails(IndexError, "feature 3 of 3", Postings, offsets, ids, values, 3)
    sums = Postings(offsets, ids, values, N_FEATURES)
    numbers, out = np.zeros((N_FEATURES, LANES), np.float32), np.empty((LANES, 2), np.float32)
    fails(ValueError, "numbers a feature", lane_maxima, offsets, ids, numbers[:, :4].copy(), out)
    fails(IndexError, "feature", lane_maxima, offsets, ids - 1, numbers, out)
    fails(ValueError, "masses", lane_sums, offsets, ids, values[:1], numbers, out)
    fails(ValueError, "others", lane_sums, offsets, ids, values, numbers, out, others=ids[:1])
    fails(ValueError, "a number for each", sums.look_up, np.zeros(3, np.float32), np.zeros(2, np.float32), add=True)


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
    best_of_rows(scores, cutoff=cutoff, skip=skip, indices=indices, values=values)
    wanted = best(scores, k, cutoff, skip_self)
    assert indices.tolist() == [places + [-1] * (k - len(places)) for places in wanted]
    for row, places in enumerate(wanted):
        assert values[row].tolist() == [*scores[row, places], *[0] * (k - len(places))]


def test_lists_of_single_occurrences():
    owners, keys = np.array([2, 0, 2, 2, 0]), np.array([7, 5, 7, -1, 4])
    bags = FeatureLists.of(owners, keys, 4, measure="dice")
    assert bags.offsets.tolist() == [0, 2, 2, 4, 4]
    assert (bags.keys.tolist(), bags.values.tolist()) == ([4, 5, -1, 7], [1, 1, 1, 2])
    assert bags.sizes.tolist() == [2, 0, 3, 0]
    sets = FeatureLists.of(owners, keys, 4, kind="set", measure="jaccard")
    assert (sets.values.tolist(), sets.sizes.tolist()) == ([1, 1, 1, 1], [2, 0, 2, 0])
    assert len(FeatureLists.of(owners[:0], keys[:0], 3, measure="dice")) == 3
