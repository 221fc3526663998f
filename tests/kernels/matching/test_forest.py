"""Graphs whose relations make a forest: the bound from prices, and the maps that are annealed from its choices.

At the end pairs that are larger still.
"""

import random

import pytest

import fastmatch as fm
from fastmatch._ext.matching.problem import build_problem
from fastmatch.metrics.shared import integer_program
from fastmatch.metrics.shared.search import WORK

from support.exact_search import exact_search, sides_of
from support.hostile import FAMILIES, NAMES, graph_text
from support.nightly import by_day


def tree_text(rng: random.Random, n: int, concepts: str, roles: str) -> str:
    """A random tree, a third of whose relations point upwards."""
    edges = [
        (rng.randrange(i), f":{rng.choice(roles)}" + ("-of" if rng.random() < 0.3 else ""), i) for i in range(1, n)
    ]
    return graph_text([rng.choice(concepts) for _ in range(n)], edges)


def match(pred: str, gold: str, *, level: str = "default", alike: int = 0) -> tuple[int, int, tuple]:
    """The triples that match, at least and at most, and the problem in the form that other solvers take."""
    sides = sides_of(pred, gold)
    found = exact_search(*sides, max_work=WORK[level], alike=alike)
    return int(found.matched[0]), int(found.upper[0]), build_problem(*sides, 0, 0)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("level", ["minimal", "low", "default"])
def test_the_optimum_of_small_trees_lies_between_the_bounds(seed: int, level: str) -> None:
    """HiGHS solves the whole problem as an integer program, without prices and without a relaxation of ours."""
    rng = random.Random(seed)
    concepts, roles = (("c", "a"), ("cd", "a"), ("c", "ab"), ("cd", "ab"))[seed % 4]
    pred, gold = (tree_text(rng, rng.randrange(12, 19), concepts, roles) for _ in range(2))
    matched, upper, problem = match(pred, gold, level=level, alike=1)
    assert matched <= integer_program.solve(problem).matched <= upper
    if level == "default":
        assert matched == upper


@pytest.mark.parametrize("seed", by_day([*range(6)], 2))
@pytest.mark.parametrize("level", ["low", "default"])
def test_no_bound_is_below_a_map_that_is_known(seed: int, level: str) -> None:
    """The other tree is the same one with branches moved to other places, so the rest of it matches."""
    rng = random.Random(seed)
    n, moved = 80 + 10 * seed, 12
    parents = [0, *(rng.randrange(i) for i in range(1, n))]
    other = list(parents)
    for i in rng.sample(range(1, n), moved):
        other[i] = rng.randrange(i)
    shuffled = rng.sample(NAMES[:n], n)
    pred = graph_text(["c"] * n, [(parents[i], ":a", i) for i in range(1, n)])
    gold = graph_text(["c"] * n, [(other[i], ":a", i) for i in rng.sample(range(1, n), n - 1)], shuffled)
    known = n + 1 + sum(a == b for a, b in zip(parents[1:], other[1:], strict=True))
    for texts in ((pred, gold), (gold, pred)):
        matched, upper, _ = match(*texts, level=level)
        assert matched <= upper and known <= upper


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "most"),
    [
        ("trees", 0.05),
        ("trees without concepts", 0.075),
        ("trees of two roles", 0.033),
        ("trees of five concepts", 0.06),
        ("trees of five concepts and roles", 0.045),
        ("chains", 0.035),
    ],
)
def test_trees_without_differences_keep_a_narrow_gap(family: str, most: float) -> None:
    """Four short annealings left 5.6, 7.8, 3.4, 9.3 and 6.0 %, and 2.7 % of chains; one long one finds a better map."""
    matched, upper, _ = match(*FAMILIES[family](1))
    assert upper - matched < most * upper


def test_more_work_gives_no_worse_bound() -> None:
    texts = FAMILIES["trees of two roles"](3, 900)
    found = [match(*texts, level=level)[:2] for level in ("minimal", "low", "default")]
    assert [low for low, _ in found] == sorted(low for low, _ in found)
    assert [high for _, high in found] == sorted((high for _, high in found), reverse=True)


@pytest.mark.parametrize("metric", ["wsmatch", "softmatch"])
def test_gains_that_are_no_whole_numbers(metric: str) -> None:
    """Bounds hold for triples of any weight: none is below what a longer search finds."""
    pred, gold = FAMILIES["trees of five concepts"](2, 700)
    first = fm.score([pred], [gold], metric=metric, effort="low").pairs
    longer = fm.score([pred], [gold], metric=metric).pairs
    assert first.matched[0] <= longer.matched[0] + 1e-6 and longer.matched[0] <= first.upper[0] + 1e-6
    assert longer.upper[0] <= first.upper[0] + 1e-6


# ---- pairs too large to build a matching problem for: a greedy map and a bound from counts ---------------------------


def chain(n: int, role: str = "ARG0") -> str:
    return "".join(f"(v{i} / x :{role} " for i in range(n - 1)) + f"(v{n - 1} / x" + ")" * n


def star(n: int) -> str:
    return "(r / and " + " ".join(f":op1 (v{i} / x)" for i in range(n)) + ")"


def test_equal_chains_are_proven_equal_by_counting() -> None:
    n = 5000
    score = fm.score(chain(n), chain(n))
    assert score.pairs.matched.tolist() == score.pairs.upper.tolist() == score.pairs.n_pred.tolist() == [2 * n]
    assert score.certified


@pytest.mark.parametrize("preset", [None, "smatch"])
def test_bounds_hold_where_nothing_is_proven(preset: str | None) -> None:
    """Both have 3,000 x; the star's edges are op1, the chain's ARG0, so no edge matches: 3,000 concepts, maybe TOP."""
    alignment = fm.align(star(3000), chain(3000), preset=preset)
    assert 3000 <= alignment.matched <= 3001 <= alignment.upper
    mapped = alignment.mapping
    assert len(set(mapped.values())) == len(mapped)


def test_the_map_is_worth_what_is_claimed() -> None:
    alignment = fm.align(star(2400) + "\n", star(2300))
    assert len(alignment.matched_triples) == alignment.matched == 2 * 2300 + 2 and alignment.certified


def test_climb_falls_back_to_the_same_map() -> None:
    assert fm.score(chain(5000), chain(4999), solver="climb").pairs.matched.tolist() == [2 * 4999]


def test_graphs_without_a_shared_concept_are_mapped_by_their_relations() -> None:
    """Two random trees of 3,000 variables: every variable has a concept of its own. One that keeps only what shares a
    label matches one triple, that of the root.
    """
    texts = []
    for seed in (1, 2):
        rng = random.Random(seed)
        edges = [(rng.randrange(i), ":a", i) for i in range(1, 3000)]
        texts.append(graph_text([f"of{seed}n{i}" for i in range(3000)], edges, [f"v{i}" for i in range(3000)]))
    assert fm.score(*texts).matched > 1400
