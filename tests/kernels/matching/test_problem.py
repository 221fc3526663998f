"""The compiled matching problem of a pair is the twin's: the same gains on the same candidates and edge pairs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from support import columnar, strategies
from support.strategies import Spec
from twins import readers
from twins.smatch_problem import DEFAULT, SMATCH, Flavour, build


@pytest.mark.slow
@pytest.mark.parametrize("flavour", [SMATCH, DEFAULT], ids=["smatch", "default"])
@given(pair=strategies.pairs(max_size=7) | strategies.tangles(max_size=7))
@settings(max_examples=200)
def test_problem_equals_the_twin(flavour: Flavour, pair: tuple[Spec, Spec]) -> None:
    """The compiled problem has the twin's weights; each candidate and each edge pair stands there once."""
    read = readers.read_smatch if flavour is SMATCH else readers.read_penman
    a, b = (read(spec.text()) for spec in pair)
    twin = build(a, b, flavour)
    n, m, candidate_a, candidate_b, unary, first, second, weight = columnar.problem(a, b, flavour)
    assert (n, m) == (twin.n, twin.m)
    candidates = list(zip(candidate_a.tolist(), candidate_b.tolist(), strict=True))
    assert len(set(candidates)) == len(candidates)
    assert {pair: u for pair, u in zip(candidates, unary.tolist(), strict=True) if u} == twin.unary
    ends = [tuple(sorted((candidates[e], candidates[f]))) for e, f in zip(first, second, strict=True)]
    assert len(set(ends)) == len(ends)
    assert dict(zip(ends, weight.tolist(), strict=True)) == twin.binary
