"""The sums of soft overlap against their definition, and what must hold for all graphs."""

from itertools import pairwise

import numpy as np
import pytest

import fastmatch as fm
from fastmatch._ext.overlap.score import cosines, likeness, mean_vectors, score_pairs, single_matches
from fastmatch._ext.overlap.space import SoftSpace
from fastmatch.metrics import make

from support.refusal import fails
from twins import overlap

N = 12


#: Best matches only; both kinds of matches, of nodes and of edges.
MIXTURES = [(0.0, 0.0), (0.3, 0.6), (1.0, 1.0), (0.0, 0.7), (0.4, 0.0)]


def both(d: int = 20, alone: tuple[float, float] = (0.0, 0.0)) -> tuple[SoftSpace, SoftSpace]:
    one, two = (SoftSpace(*overlap.random_space(seed, N, d, alone=alone)) for seed in (1, 2))
    return one, two


def scored(a: SoftSpace, b: SoftSpace, **options: object) -> np.ndarray:
    i, j = np.divmod(np.arange(a.n_graphs * b.n_graphs, dtype=np.int32), np.int32(b.n_graphs))
    out = np.full((4, len(i)), -1.0)
    score_pairs(a, b, (i, j, 0, len(i), np.zeros(1, np.uint8)), out=out, **options)
    return out.reshape(4, a.n_graphs, b.n_graphs)


@pytest.mark.parametrize(("d", "alone"), [(0, (0.0, 0.0)), (3, (0.0, 0.0)), *((20, mixture) for mixture in MIXTURES)])
def test_sums_are_those_of_the_definition(d, alone):
    a, b = both(d, alone)
    one, two = (dict(zip(overlap.NAMES, space.arrays, strict=True)) for space in (a, b))
    found = scored(a, b)
    for i in range(N):
        for j in range(N):
            assert found[:, i, j].tolist() == pytest.approx(overlap.sums(one, two, i, j), rel=1e-5, abs=1e-12)


def test_every_term_of_the_likeness_is_the_largest_somewhere():
    a, b = both()
    one, two = (dict(zip(overlap.NAMES, space.arrays, strict=True)) for space in (a, b))
    table = np.array([[overlap.likeness(one, two, r, q) for q in range(30)] for r in range(30)])
    lemma, _, _, characters = one["settings"][:4]
    for value in (0.0, 1.0, lemma, characters):
        assert (table == value).any()
    assert ((table > 0) & ~np.isin(table, [1.0, lemma, characters])).any()
    for i in range(N):
        for j in range(N):
            rows = one["rows"][one["node_offsets"][i] : one["node_offsets"][i + 1]]
            columns = two["rows"][two["node_offsets"][j] : two["node_offsets"][j + 1]]
            assert likeness(a, b, i, j) == pytest.approx(table[np.ix_(rows, columns)], rel=1e-5, abs=1e-12)


@pytest.mark.parametrize("alone", MIXTURES)
def test_what_must_hold_of_any_graphs(alone):
    """To the last bit: exchanged, graphs give the same; one matches itself; no bound is below."""
    a, b = both(alone=alone)
    exact, bound = scored(a, b), scored(a, b, with_edges=False)
    for there, options in ((exact, {}), (bound, {"with_edges": False})):
        assert there.tolist() == scored(b, a, **options)[[2, 3, 0, 1]].transpose(0, 2, 1).tolist()
    itself = scored(a, a)
    assert all(len(set(itself[:, g, g].tolist())) == 1 for g in range(N))
    assert (bound[[0, 2]] >= exact[[0, 2]]).all() and (bound[[0, 2]] > exact[[0, 2]]).any()
    assert (bound[[0, 2]] <= exact[[1, 3]] * (1 + 1e-12)).all() and bound[[1, 3]].tolist() == exact[[1, 3]].tolist()


@pytest.mark.parametrize("with_edges", [True, False])
@pytest.mark.parametrize("d", [0, 20])
def test_large_pairs_have_the_same_bits(d, with_edges):
    """Each label is compared with each once, and edges by lists of what is alike."""
    a, b = both(d)
    whole = np.zeros(N * N, np.uint8)
    tables = scored(a, b, with_edges=with_edges, large_from=-1)
    assert tables.tolist() == scored(a, b, with_edges=with_edges, large_from=0, whole=whole).tolist() and whole.all()


@pytest.mark.slow
def test_of_too_many_alike_edges_count_those_that_are_most_alike():
    """6,000 numbers, of which each is a little like each: more than lists hold. Nodes are compared all the same."""
    metric = make("softoverlap", smatch=0.0)
    one, two = ("(a / b " + " ".join(f":A {k}" for k in range(first, 12000, 2)) + ")" for first in (1, 2))
    a, b = (metric.prepare(corpus).space for corpus in fm.Corpus.together((fm.parse(one), fm.parse(two))))
    whole = np.ones(1, np.uint8)
    lists, tables = scored(a, b, whole=whole)[:, 0, 0], scored(a, b, large_from=-1)[:, 0, 0]
    assert whole.tolist() == [0]
    assert lists[[1, 3]].tolist() == tables[[1, 3]].tolist() and (lists <= tables).all()
    assert (lists[[0, 2]] > 0.9 * tables[[0, 2]]).all()
    assert not fm.score([one], [two], metric=metric).certified


def test_single_matches():
    """No node twice, the best sum of all; none if they count for nothing."""
    a, b = both(alone=(0.5, 0.0))
    one, two = (dict(zip(overlap.NAMES, space.arrays, strict=True)) for space in (a, b))
    for i in range(N):
        for j in range(N):
            found, back = single_matches(a, b, i, j), single_matches(b, a, j, i)
            assert found.shape == (a.n_nodes[i],)
            pairs = {(v, w) for v, w in enumerate(found.tolist()) if w >= 0}
            assert pairs == {(v, w) for w, v in enumerate(back.tolist()) if v >= 0}
            # of equal labels either may be taken
            rows = [side["rows"][side["node_offsets"][g] :].tolist() for side, g in ((one, i), (two, j))]
            expected = overlap.single_matches(one, two, i, j).items()
            assert sorted((rows[0][v], rows[1][w]) for v, w in pairs) == sorted(
                (rows[0][v], rows[1][w]) for v, w in expected
            )
    assert (single_matches(*both(), 3, 4) == -1).all()
    fails(IndexError, None, single_matches, a, b, 0, N)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_nodes_makes_no_difference(seed):
    """Many nodes have the same label and mass, so that many assignments are equally good. Every edge finds itself."""
    random = np.random.default_rng(seed)
    n, n_edges = 12, 16
    order = random.permutation(n)
    place = np.argsort(order)
    rows, other_rows = random.integers(0, 4, n), random.integers(2, 6, n)
    (ends, other_ends), roles = random.integers(0, n, (2, 2, n_edges)), random.integers(0, 2, n_edges)
    arrays = list(overlap.random_space(1, 2, 8, alone=(1.0, 1.0)))
    arrays[0], arrays[3] = n * np.arange(4), n_edges * np.arange(4)
    # a graph, the same with its nodes in another order, and another one
    arrays[1] = np.concatenate([rows, rows[order], other_rows]).astype(np.int32)
    arrays[2] = 1.0 + arrays[1] // 2
    parts = [ends, place[ends], other_ends]
    arrays[4] = np.concatenate([np.stack([part[0], roles, part[1]]) for part in parts], axis=1).astype(np.int32)
    arrays[5] = np.concatenate([1.0 + roles] * 3)
    space = SoftSpace(*arrays)
    found = scored(space, space)
    for row in range(4):
        assert found[row, :2, :2].tolist() == [[found[1, 0, 0]] * 2] * 2  # masses are whole numbers
        assert found[row, 0, 2] == pytest.approx(found[row, 1, 2], rel=1e-12)
    assert 0 < found[0, 0, 2] < found[1, 0, 2]


def one_graph(random, seed, n, n_edges, d, labels, alone):
    """The arrays of one graph of so many nodes and edges."""
    space = list(overlap.random_space(seed, 1, d, alone=alone))
    space[0], space[3] = np.array([0, n]), np.array([0, n_edges])
    space[1] = random.integers(0, labels, n).astype(np.int32)
    space[2], space[5] = random.uniform(0.1, 2, n), random.uniform(0.1, 2, n_edges)
    ends = random.integers(0, n, (2, n_edges))
    space[4] = np.stack([ends[0], random.integers(0, 3, n_edges), ends[1]]).astype(np.int32)
    return space


@pytest.mark.parametrize("n_edges", [63, 64, 65, 130])
def test_graphs_of_many_edges(n_edges):
    """The edges that may be a match between labels are sets of bits, of 64 bits a word."""
    random = np.random.default_rng(n_edges)
    arrays = [one_graph(random, seed, 8, n_edges, 8, 12, (0.4, 0.6)) for seed in (1, 2)]
    a, b = (SoftSpace(*space) for space in arrays)
    one, two = (dict(zip(overlap.NAMES, space, strict=True)) for space in arrays)
    assert scored(a, b)[:, 0, 0].tolist() == pytest.approx(overlap.sums(one, two, 0, 0), rel=1e-5, abs=1e-12)
    # matches between labels are below the best ones, so they decide
    best = scored(*(SoftSpace(*space[:-1], space[-1] * [*[1] * 8, 0, 0]) for space in arrays))
    assert scored(a, b)[0, 0, 0] < best[0, 0, 0]


@pytest.mark.parametrize("n", [1, 4, 5, 63, 64, 65, 150])
def test_lasting_bits_are_those_of_the_other_algorithms(n):
    """Powers by the C library and the sparse assignment, of graphs on either side of what is done at once."""
    random = np.random.default_rng(n)
    sizes = [n, max(1, n - 1)]
    arrays = [one_graph(random, seed, size, 2 * n, 24, 30, (0.7, 0.4)) for seed, size in enumerate(sizes)]
    for space in arrays:
        space[15] = space[15].copy()
        space[15][1:3] = 0.01, 0.23  # a low floor, and a power of which nothing is exact
    a, b = (SoftSpace(*space) for space in arrays)
    usual, lasting = scored(a, b), scored(a, b, lasting=True)
    assert usual.ravel().tolist() == pytest.approx(lasting.ravel().tolist(), rel=1e-13)
    assert scored(b, a)[[2, 3, 0, 1]].ravel().tolist() == usual.ravel().tolist()
    alike = likeness(a, b, 0, 0)
    assert alike.shape == (sizes[0], sizes[1])
    assert n < 63 or len(np.unique(alike)) > 50


def test_pairs_that_are_skipped_stay_as_they_are():
    a, b = both()
    skip = (np.arange(N * N) % 3 == 0).astype(np.uint8)
    found, whole = scored(a, b, skip=skip).reshape(4, -1), scored(a, b).reshape(4, -1)
    assert (found[:, skip == 1] == -1).all() and found[:, skip == 0].tolist() == whole[:, skip == 0].tolist()


def test_mean_vectors_and_their_cosines():
    a, b = both()
    plain = []
    for space in (a, b):
        offsets, rows, masses, *_ = space.arrays
        vectors = space.arrays[6]
        vectors[:] = np.random.default_rng(0).normal(size=vectors.shape)
        vectors[0], rows[: offsets[1]] = 0, 0  # the first graph has none
        weighted = [np.sqrt(masses[k:n]) @ vectors[rows[k:n]] for k, n in pairwise(offsets)]
        plain.append(np.array([x / np.linalg.norm(x) if x.any() else x * np.nan for x in weighted]))
    means = mean_vectors(a), mean_vectors(b)
    for found, expected in zip(means, plain, strict=True):
        assert found[0] == pytest.approx(np.full(found.shape[1], np.nan), nan_ok=True)
        assert found == pytest.approx(expected, rel=1e-12, nan_ok=True)
    i, j = np.divmod(np.arange(N * N, dtype=np.int32), np.int32(N))
    never = np.zeros(1, np.uint8)
    there, back = np.full((2, N * N), 7.0)
    cosines(*means, (i, j, 2, N * N, never), there)
    cosines(*means[::-1], (j, i, 2, N * N, never), back)
    assert there.tolist() == back.tolist() and (there[:2] == 7).all()
    products = np.maximum(plain[0] @ plain[1].T, 0)
    assert there[2:] == pytest.approx(np.where(np.isnan(products), -1, products).ravel()[2:], abs=1e-12)
    assert {-1.0, 0.0} < {*there[2:].tolist()}
    fails(ValueError, "different options", cosines, means[0], mean_vectors(both(9)[1]), (i, j, 0, 1, never), there)
    fails(IndexError, None, cosines, *means, (i + N, j, 0, 1, never), there)
    assert mean_vectors(both(0)[0]).shape == (N, 0)


def test_cancelled():
    a, b = both()
    out = np.full((4, 3), -1.0)
    index = np.zeros(3, np.int32)
    score_pairs(a, b, (index, index, 0, 3, np.ones(1, np.uint8)), out=out)
    assert (out == -1).all()


def test_what_does_not_fit_is_refused():
    a, b = both()
    index, cancel = np.zeros(2, np.int32), np.zeros(1, np.uint8)
    fails(IndexError, None, score_pairs, a, b, (index + N, index, 0, 2, cancel), out=np.zeros((4, 2)))
    fails(ValueError, "4 rows", score_pairs, a, b, (index, index, 0, 2, cancel), out=np.zeros((3, 2)))
    with pytest.raises(ValueError, match="marks"):
        score_pairs(a, b, (index, index, 0, 2, cancel), out=np.zeros((4, 2)), skip=np.zeros(1, np.uint8))
    with pytest.raises(ValueError, match="different options"):
        score_pairs(a, both(9)[1], (index, index, 0, 2, cancel), out=np.zeros((4, 2)))
    other = list(b.arrays)
    other[-1] = other[-1] * 0.5
    fails(ValueError, "different options", likeness, a, SoftSpace(*other), 0, 0)
    fails(IndexError, None, likeness, a, b, 0, N)


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
    fails(error, None, SoftSpace, *arrays)
