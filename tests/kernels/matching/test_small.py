"""The search of small graphs against the ordinary one: :func:`support.columnar.solve` runs both, and compares them."""

import numpy as np
import pytest

from fastmatch._ext.matching.score import few_scores, score_exact
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.metrics.base import PairRange

from support.columnar import any_triples, features, solve
from twins.smatch_problem import DEFAULT, SMATCH, Flavour, Triples


@pytest.mark.parametrize("flavour", [DEFAULT, SMATCH])  # repeated triples count once, and as often as they stand there
@pytest.mark.parametrize(
    ("n", "n_relations", "roles", "concepts"),
    [
        (1, 0, 1, 1),
        (2, 2, 1, 1),  # self-loops, and relations both ways
        (5, 6, 2, 2),
        (9, 10, 3, 4),
        (11, 11, 2, 20),
        (12, 14, 6, 3),
        (20, 24, 9, 12),
        (64, 20, 9, 60),
        (65, 20, 9, 60),  # one variable too many
    ],
)
def test_random_graphs(flavour: Flavour, n: int, n_relations: int, roles: int, concepts: int):
    random = np.random.default_rng([n, n_relations])
    sizes = [(n, max(1, n - k % 3)) for k in range(20)]
    pairs = [tuple(any_triples(random, size, n_relations, roles, concepts) for size in both) for both in sizes]
    for found, (one, two) in zip(solve(pairs, flavour), pairs, strict=True):
        assert found.certified and 0 <= found.matched <= min(len(one.instances), len(two.instances)) * 200
    # a graph against itself
    for found in solve([(one, one) for one, _ in pairs[:5]], flavour):
        assert found.certified and found.matched >= found.n_pred


@pytest.mark.parametrize("n_relations", [15, 16, 17, 22, 40])
def test_a_variable_of_many_relations(n_relations: int):
    """Up to sixteen of them may find something by the same candidate."""
    random = np.random.default_rng(n_relations)
    pairs = [
        tuple(any_triples(random, 30, n_relations, 3 * n_relations, 30, hub=True) for _ in range(2)) for _ in range(10)
    ]
    names = [f"v{k}" for k in range(n_relations + 1)]
    star = Triples(
        variables=tuple(names),
        top=names[0],
        instances=tuple((name, name) for name in names),
        attributes=(),
        relations=tuple((names[0], f":r{k}", name) for k, name in enumerate(names[1:])),
    )
    found = solve([*pairs, (star, star)], DEFAULT)
    assert all(one.certified for one in found) and found[-1].matched == 2 * n_relations + 2


@pytest.mark.parametrize("n", [11, 12])
def test_a_hundred_and_more_candidates(n: int):
    """Eleven equal variables on either side make 121 candidates, twelve 144, which are too many."""
    random = np.random.default_rng(n)
    pairs = [(any_triples(random, n, n - 1, 2, 1), any_triples(random, n, n - 1, 2, 1)) for _ in range(8)]
    assert all(found.certified for found in solve(pairs, DEFAULT))


@pytest.mark.parametrize(("n", "n_relations"), [(3, 3), (8, 9), (11, 11), (30, 24)])
def test_where_fewer_triples_do_not_matter(n: int, n_relations: int):
    """The optimum where it is enough, else something between the optimum and what is enough."""
    random = np.random.default_rng(n)
    pairs = [(any_triples(random, n, n_relations, 3, 4), any_triples(random, n, n_relations, 3, 4)) for _ in range(30)]
    optimum = np.array([found.matched for found in solve(pairs, DEFAULT)])
    vocabulary = Vocabulary()
    one, two = (features(side, DEFAULT, vocabulary) for side in zip(*pairs, strict=True))
    index = np.arange(len(pairs), dtype=np.int32)
    for least in (optimum - 1, optimum, optimum + 1, optimum + 3, np.full(len(pairs), 2**50)):
        matched, upper = np.full((2, len(pairs)), -1, np.int64)
        score_exact(
            one, two, PairRange.all(index, index), max_work=10**9, time_limit=np.inf,
            matched=matched, upper=upper, certified=np.zeros(len(pairs), np.uint8), least=least.astype(np.float64),
        )  # fmt: skip
        enough = optimum >= least
        assert (matched[enough] == optimum[enough]).all()
        assert ((optimum <= matched) & (matched < np.maximum(least, optimum + 1))).all()


@pytest.mark.parametrize("max_work", [0, 500, 2_000, 700_000])
def test_a_limit_of_work_leaves_open_what_the_ordinary_search_leaves(max_work: int):
    """The search of small graphs takes a small share of the limit, and so closes nothing that the other does not."""
    random = np.random.default_rng(7)
    graphs = [any_triples(random, 4 + k % 7, 4 + k % 9, 1 + k % 3, 1 + k % 2) for k in range(60)]
    prepared = features(graphs, DEFAULT, Vocabulary())
    pairs = PairRange.all(np.arange(0, 60, 2, dtype=np.int32), np.arange(1, 60, 2, dtype=np.int32))
    found = []
    for work in (None, np.zeros(30, np.int64)):  # who asks for the work gets the ordinary search
        matched, upper, certified = np.zeros(30, np.int64), np.zeros(30, np.int64), np.zeros(30, np.uint8)
        limits = {"max_work": max_work, "time_limit": np.inf, "work": work}
        score_exact(prepared, prepared, pairs, matched=matched, upper=upper, certified=certified, **limits)
        found.append((matched.tolist(), upper.tolist(), certified.tolist()))
    assert found[0] == found[1] and all(found[0][2]) == (max_work == 700_000)


def test_a_few_pairs_without_arrays():
    """F1 of what the search of small graphs closes, and nothing of the others."""
    random = np.random.default_rng(3)
    nothing = Triples(variables=(), top=None, instances=(), attributes=(), relations=())
    graphs = [nothing, nothing, *[any_triples(random, n, n, 2, 3) for n in (1, 4, 9, 65)]]
    prepared = features(graphs, DEFAULT, Vocabulary())
    assert prepared.n_triples[:2].tolist() == [0, 0]
    pairs = [(a, b) for a in range(6) for b in range(6)]
    for (a, b), score in zip(pairs, few_scores(prepared, pairs, 10**9), strict=True):
        (known,) = solve([(graphs[a], graphs[b])], DEFAULT)
        size = known.n_pred + known.n_gold
        assert known.certified and (known.n_pred, known.n_gold) == (prepared.n_triples[a], prepared.n_triples[b])
        assert score == (None if 5 in (a, b) else 2 * known.matched / size if size else 1.0)
    assert few_scores(prepared, [(3, 4)], 0) == [None] and few_scores(prepared, [], 10**9) == []
    for a, b in ((6, 0), (0, 6), (-1, 0), (0, -1)):
        with pytest.raises(IndexError, match=f"pair 1: graphs {a} and {b} of 6"):
            few_scores(prepared, [(0, 0), (a, b)], 10**9)
