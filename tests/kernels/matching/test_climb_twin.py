"""The compiled hill-climber against its slow twin, start by start.

The twin scores every neighbour from nothing (``twins.climb.ascend``). Given the same starts it must end at the same
map, so a wrong gain, a stale one or a tie broken otherwise all show. The starts are restated here, random numbers
included, because the random numbers are the one thing in which fastmatch and smatch 1.0.4 are meant to differ.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastmatch.graphs.vocabulary import Vocabulary

from support import columnar, strategies
from support.columnar import features
from support.exact_search import climbed
from support.nightly import examples
from twins import climb, readers
from twins.smatch_problem import DEFAULT, SMATCH, Flavour, Triples, build, standardise

WORD = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
ALL, NONE = 2**31 - 1, 0
"""Values of ``few``: look at all candidates at each step, or keep gains."""

flavours = pytest.mark.parametrize("flavour", [SMATCH, DEFAULT], ids=["smatch", "default"])


def mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
    return z ^ (z >> 31)


def splitmix(state: int):
    """SplitMix64 from a given state."""

    def following() -> int:
        nonlocal state
        state = (state + GOLDEN) & WORD
        return mix(state)

    return following


def test_splitmix_gives_the_published_numbers() -> None:
    """First outputs for seed 1234567, as in the reference implementation's widely copied test vector."""
    following = splitmix(1234567)
    assert [following() for _ in range(2)] == [6457827717110365317, 3203168211198807973]


def starting_map(candidates, concepts: tuple[dict, dict], smart: bool, following) -> list[int]:
    """What the kernel starts from: ``candidates`` ascending, equal concepts first if ``smart``, the rest drawn."""
    mapping = [-1] * len(candidates)
    if smart:
        for i, row in enumerate(candidates):
            equal = (j for j in row if i in concepts[0] and concepts[0][i] == concepts[1].get(j) and j not in mapping)
            mapping[i] = next(equal, -1)
    for i, row in enumerate(candidates):
        pool = list(row)
        while mapping[i] == -1 and pool:
            at = ((following() >> 32) * len(pool)) >> 32
            if pool[at] in mapping:
                pool[at] = pool[-1]
                pool.pop()
            else:
                mapping[i] = pool[at]
    return mapping


def twin(a: Triples, b: Triples, flavour: Flavour, restarts: int, seed: int, pair: int) -> tuple[int, list[int]]:
    """The whole kernel, slowly."""
    problem = build(a, b, flavour)
    built = columnar.problem(a, b, flavour)
    candidates: list[list[int]] = [[] for _ in range(problem.n)]
    for i, j in zip(built[2].tolist(), built[3].tolist(), strict=True):
        candidates[i].append(j)
    concepts = tuple(dict(reversed(standardise(graph, flavour).instances)) for graph in (a, b))
    best_value, best = 0, [-1] * problem.n
    for start in range(restarts + 1):
        key = mix((mix((mix((seed + GOLDEN) & WORD) + pair) & WORD) + start) & WORD)
        mapping = climb.ascend(problem, starting_map(candidates, concepts, start == 0, splitmix(key)))
        if (value := problem.value(mapping)) > best_value:
            best_value, best = value, mapping
    # pairs that take part in no match are left out
    for i, j in enumerate(best):
        if j != -1 and problem.value([*best[:i], -1, *best[i + 1 :]]) == best_value:
            best[i] = -1
    return best_value, best


def run(a: Triples, b: Triples, flavour: Flavour, **options: int) -> tuple[int, list[int]]:
    vocabulary = Vocabulary()
    matched, mapping = climbed(features([a], flavour, vocabulary), features([b], flavour, vocabulary), **options)
    return matched, mapping.tolist()


@flavours
@given(
    pair=strategies.pairs(max_size=7) | strategies.tangles(max_size=7),
    restarts=st.integers(0, 3),
    seed=st.integers(0, WORD),
    number=st.integers(0, 2**40),
    few=st.sampled_from((ALL, NONE)),
)
@examples(50)
def test_every_climb_equals_the_twin(flavour, pair, restarts, seed, number, few):
    a, b = (readers.read(spec.text(), flavour) for spec in pair)
    expected = twin(a, b, flavour, restarts, seed, number)
    assert run(a, b, flavour, restarts=restarts, seed=seed, salt=number, few=few) == expected


@given(pair=strategies.big_pairs(max_size=14), few=st.sampled_from((ALL, NONE)))
@examples(15)
def test_longer_climbs_equal_the_twin(pair, few):
    a, b = (readers.read_penman(spec.text()) for spec in pair)
    assert run(a, b, DEFAULT, restarts=1, few=few) == twin(a, b, DEFAULT, 1, 0, 0)


@given(pair=strategies.big_pairs(min_size=20, max_size=80), seed=st.integers(0, 100))
@examples(35)
def test_kept_gains_change_nothing(pair, seed):
    """Both ways of finding the best neighbour take the same path, however many ties there are."""
    a, b = (readers.read_smatch(spec.text()) for spec in pair)
    assert run(a, b, SMATCH, seed=seed, few=NONE) == run(a, b, SMATCH, seed=seed, few=ALL)


def test_a_swap_may_leave_an_image_that_is_no_candidate() -> None:
    """Such an image is worth nothing but keeps its place taken, so later steps are swaps where they could be moves.

    Seldom seen: a climber that gives the place free ends elsewhere for one random pair in 500, this one among them.
    """
    a = readers.read_penman("(v0 / q :a (v1 / r :c (v3 / p)) :a (v2 / r))")
    b = readers.read_penman("(v0 / p :a (v1 / p) :a (v2 / q) :a (v3 / q))")
    for pair in range(40):
        for few in (ALL, NONE):
            assert run(a, b, DEFAULT, restarts=0, salt=pair, few=few) == twin(a, b, DEFAULT, 0, 0, pair)


# ---- the compiled matching problem of a pair is the twin's: the same gains on the same candidates --------------------


@pytest.mark.slow
@flavours
@given(pair=strategies.pairs(max_size=7) | strategies.tangles(max_size=7))
@examples(50)
def test_problem_equals_the_twin(flavour, pair):
    """The compiled problem has the twin's weights; each candidate and each edge pair stands there once."""
    assert_equals_the_twin(*(readers.read(spec.text(), flavour) for spec in pair), flavour)


def assert_equals_the_twin(a, b, flavour: Flavour) -> None:
    twin = build(a, b, flavour)
    n, m, candidate_a, candidate_b, unary, first, second, weight = columnar.problem(a, b, flavour)
    assert (n, m) == (twin.n, twin.m)
    candidates = list(zip(candidate_a.tolist(), candidate_b.tolist(), strict=True))
    assert len(set(candidates)) == len(candidates)
    assert {pair: u for pair, u in zip(candidates, unary.tolist(), strict=True) if u} == twin.unary
    ends = [tuple(sorted((candidates[e], candidates[f]))) for e, f in zip(first, second, strict=True)]
    assert len(set(ends)) == len(ends) and dict(zip(ends, weight.tolist(), strict=True)) == twin.binary


@pytest.mark.slow
def test_candidates_of_graphs_too_large_for_a_table() -> None:
    """16,800 variables a side are 282 million cells, of which few are candidates: these are sorted instead of counted.

    Concepts stand twice, roles six times, so that most candidates are ends of edge-pairs alone, and some have both.
    """
    n = 16_800
    texts = []
    for seed in (0, 1):
        order = np.random.default_rng(seed).permutation(n).tolist()
        children = " ".join(f":r{k % 2800} (v{k + 1} / c{k // 2})" for k in order)
        texts.append(f"(v0 / root {children})")
    assert_equals_the_twin(*map(readers.read_penman, texts), DEFAULT)
