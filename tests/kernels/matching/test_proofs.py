"""Steps of proofs: by brute force on problems of few variables, and what is no problem."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastmatch._ext.matching.proofs import prices
from fastmatch.certificates.check_certificates import Refused, check_proof
from fastmatch.certificates.proving import Prover

UNIT = 4


@st.composite
def problems(draw: st.DrawFn) -> tuple[int, int, dict[Any, int], dict[Any, int]]:
    """Variables of both graphs, gains of candidates and of pairs of them that a map can have."""
    n, m = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    pairs = [(i, a) for i in range(n) for a in range(m)]
    gains = st.integers(1, 2 * UNIT)
    w = draw(st.dictionaries(st.sampled_from(pairs), gains, max_size=8))
    edges = [(one, two) for one, two in combinations(pairs, 2) if one[0] != two[0] and one[1] != two[1]]
    g = draw(st.dictionaries(st.sampled_from(edges), gains, max_size=8)) if edges else {}
    return n, m, dict(sorted(w.items())), dict(sorted(g.items()))


def optimum(n: int, m: int, w: dict[Any, int], g: dict[Any, int]) -> int:
    def value(partner: tuple[int, ...]) -> int:
        chosen = set(enumerate(partner))
        return sum(gain for ia, gain in w.items() if ia in chosen) + sum(
            gain for edge, gain in g.items() if chosen.issuperset(edge)
        )

    return max(value(partner) for partner in permutations(range(m + n), n))


@given(problems())
def test_the_optimum_is_proven_and_no_less(problem: tuple[int, int, dict[Any, int], dict[Any, int]]) -> None:
    n, m, w, g = problem
    best = optimum(*problem)
    proof = Prover(n, m, UNIT, 1, 10_000_000).proof(w, g, best + 1)
    assert proof is not None
    check_proof(proof, n, m, w, g, best + 1, [0])
    with pytest.raises(Refused, match="not below the goal"):
        check_proof(proof, n, m, w, g, best, [0])
    assert not best or Prover(n, m, UNIT, 1, 10_000_000).proof(w, g, best) is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"own": [1]}, "for each candidate and each edge"),
        ({"gains": []}, "for each candidate and each edge"),
        ({"candidates": [(0, 0), (2, 1)]}, "no variable"),
        ({"candidates": [(0, 0), (1, 2)]}, "no variable"),
        ({"candidates": [(0, 0), (1, -1)]}, "no variable"),
        ({"edges": [(0, 2)]}, "no candidates"),
        ({"edges": [(1, 0)]}, "the larger one first"),
        ({"edges": [(-1, 0)]}, "no candidates"),
    ],
)
def test_what_is_no_problem(changes: dict[str, Any], message: str) -> None:
    problem: dict[str, Any] = {"candidates": [(0, 0), (1, 1)], "own": [1, 1], "edges": [(0, 1)], "gains": [1]}
    assert prices(2, 2, *problem.values(), UNIT, 4, 1, 1000)[1]
    with pytest.raises(ValueError, match=message):
        prices(2, 2, *(problem | changes).values(), UNIT, 4, 1, 1000)
