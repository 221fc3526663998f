"""The sums of soft overlap against their definition, and what must hold for all graphs."""

from __future__ import annotations

import numpy as np
import pytest

from fastmatch._ext.overlap.score import likeness, score_pairs
from fastmatch._ext.overlap.space import SoftSpace

from twins import overlap

N = 12


def both(d: int = 20) -> tuple[SoftSpace, SoftSpace]:
    return SoftSpace(*overlap.random_space(1, N, d)), SoftSpace(*overlap.random_space(2, N, d))


def scored(a: SoftSpace, b: SoftSpace, **options: object) -> np.ndarray:
    i, j = np.divmod(np.arange(a.n_graphs * b.n_graphs, dtype=np.int32), np.int32(b.n_graphs))
    out = np.full((4, len(i)), -1.0)
    score_pairs(a, b, i, j, 0, len(i), cancel=np.zeros(1, np.uint8), out=out, **options)
    return out.reshape(4, a.n_graphs, b.n_graphs)


@pytest.mark.parametrize("d", [0, 3, 8, 20])
def test_sums_are_those_of_the_definition(d):
    a, b = both(d)
    one, two = (dict(zip(overlap.NAMES, space.arrays, strict=True)) for space in (a, b))
    found = scored(a, b)
    for i in range(N):
        for j in range(N):
            assert found[:, i, j].tolist() == pytest.approx(overlap.sums(one, two, i, j), rel=1e-5, abs=1e-12)


def test_every_term_of_the_likeness_is_the_largest_somewhere():
    a, b = both()
    one, two = (dict(zip(overlap.NAMES, space.arrays, strict=True)) for space in (a, b))
    table = np.array([[overlap.likeness(one, two, r, q) for q in range(30)] for r in range(30)])
    lemma, _, _, characters, _, _, _, _ = one["settings"]
    for value in (0.0, 1.0, lemma, characters):
        assert (table == value).any()
    assert ((table > 0) & ~np.isin(table, [1.0, lemma, characters])).any()
    for i in range(N):
        for j in range(N):
            rows = one["rows"][one["node_offsets"][i] : one["node_offsets"][i + 1]]
            columns = two["rows"][two["node_offsets"][j] : two["node_offsets"][j + 1]]
            assert likeness(a, b, i, j) == pytest.approx(table[np.ix_(rows, columns)], rel=1e-5, abs=1e-12)


def test_exchanging_the_graphs_changes_no_bit():
    a, b = both()
    for with_edges in (True, False):
        there, back = scored(a, b, with_edges=with_edges), scored(b, a, with_edges=with_edges)
        assert there.tolist() == back[[2, 3, 0, 1]].transpose(0, 2, 1).tolist()


def test_a_graph_matches_itself_to_the_last_bit():
    a, _ = both()
    found = scored(a, a)
    for g in range(N):
        assert found[0, g, g] == found[1, g, g] == found[2, g, g] == found[3, g, g]


def test_the_bound_is_never_below():
    a, b = both()
    exact, bound = scored(a, b), scored(a, b, with_edges=False)
    assert (bound[[0, 2]] >= exact[[0, 2]]).all()
    assert (bound[[0, 2]] <= exact[[1, 3]] * (1 + 1e-12)).all()
    assert (bound[[0, 2]] > exact[[0, 2]]).any()
    assert bound[[1, 3]].tolist() == exact[[1, 3]].tolist()


def test_pairs_that_are_skipped_stay_as_they_are():
    a, b = both()
    skip = (np.arange(N * N) % 3 == 0).astype(np.uint8)
    found, whole = scored(a, b, skip=skip).reshape(4, -1), scored(a, b).reshape(4, -1)
    assert (found[:, skip == 1] == -1).all()
    assert found[:, skip == 0].tolist() == whole[:, skip == 0].tolist()


def test_cancelled():
    a, b = both()
    out = np.full((4, 3), -1.0)
    index = np.zeros(3, np.int32)
    score_pairs(a, b, index, index, 0, 3, cancel=np.ones(1, np.uint8), out=out)
    assert (out == -1).all()


def test_what_does_not_fit_is_refused():
    a, b = both()
    index, cancel = np.zeros(2, np.int32), np.zeros(1, np.uint8)
    with pytest.raises(IndexError):
        score_pairs(a, b, index + N, index, 0, 2, cancel=cancel, out=np.zeros((4, 2)))
    with pytest.raises(ValueError, match="4 rows"):
        score_pairs(a, b, index, index, 0, 2, cancel=cancel, out=np.zeros((3, 2)))
    with pytest.raises(ValueError, match="marks"):
        score_pairs(a, b, index, index, 0, 2, cancel=cancel, out=np.zeros((4, 2)), skip=np.zeros(1, np.uint8))
    with pytest.raises(ValueError, match="different options"):
        score_pairs(a, both(9)[1], index, index, 0, 2, cancel=cancel, out=np.zeros((4, 2)))
    other = list(b.arrays)
    other[-1] = other[-1] * 0.5
    with pytest.raises(ValueError, match="different options"):
        likeness(a, SoftSpace(*other), 0, 0)
    with pytest.raises(IndexError):
        likeness(a, b, 0, N)


@pytest.mark.parametrize(
    ("place", "change", "error"),
    [
        (0, lambda x: x + 1, ValueError),
        (1, lambda x: x + 30, IndexError),
        (2, lambda x: x[:-1], ValueError),
        (3, lambda x: x[::-1].copy(), ValueError),
        (4, lambda x: x + np.array([[99], [0], [0]], np.int32), IndexError),
        (5, lambda x: x[:-1], ValueError),
        (6, lambda x: x[:, :5].copy(), ValueError),
        (8, lambda x: x[:-1], ValueError),
        (9, lambda x: x + np.uint8(11), IndexError),
        (11, lambda x: x[:-1], ValueError),
        (14, lambda x: x[:, :5].copy(), ValueError),
        (15, lambda x: x[:-1], ValueError),
    ],
)
def test_arrays_are_checked_once(place, change, error):
    arrays = list(overlap.random_space(1, N, 20))
    arrays[place] = change(arrays[place])
    with pytest.raises(error):
        SoftSpace(*arrays)
