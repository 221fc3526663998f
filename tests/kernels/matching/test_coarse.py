"""Pairs too large to build a matching problem for: a greedy map and a bound from counts."""

import random

import pytest

import fastmatch as fm

from support.hostile import graph_text


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
    assert len(alignment.matched_triples) == alignment.matched == 2 * 2300 + 2
    assert alignment.certified


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
        concepts = [f"of{seed}n{i}" for i in range(3000)]
        texts.append(graph_text(concepts, edges, [f"v{i}" for i in range(3000)]))
    assert fm.score(*texts).matched > 1400
