"""The compiled matching problem of a pair is the twin's: the same gains on the same candidates."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from support import columnar, strategies
from support.nightly import examples
from support.strategies import Spec
from twins import readers
from twins.smatch_problem import DEFAULT, SMATCH, Flavour, build


@pytest.mark.slow
@pytest.mark.parametrize("flavour", [SMATCH, DEFAULT], ids=["smatch", "default"])
@given(pair=strategies.pairs(max_size=7) | strategies.tangles(max_size=7))
@examples(50)
def test_problem_equals_the_twin(flavour: Flavour, pair: tuple[Spec, Spec]) -> None:
    """The compiled problem has the twin's weights; each candidate and each edge pair stands there once."""
    read = readers.read_smatch if flavour is SMATCH else readers.read_penman
    assert_equals_the_twin(*(read(spec.text()) for spec in pair), flavour)


def assert_equals_the_twin(a: Any, b: Any, flavour: Flavour) -> None:
    twin = build(a, b, flavour)
    n, m, candidate_a, candidate_b, unary, first, second, weight = columnar.problem(a, b, flavour)
    assert (n, m) == (twin.n, twin.m)
    candidates = list(zip(candidate_a.tolist(), candidate_b.tolist(), strict=True))
    assert len(set(candidates)) == len(candidates)
    assert {pair: u for pair, u in zip(candidates, unary.tolist(), strict=True) if u} == twin.unary
    ends = [tuple(sorted((candidates[e], candidates[f]))) for e, f in zip(first, second, strict=True)]
    assert len(set(ends)) == len(ends)
    assert dict(zip(ends, weight.tolist(), strict=True)) == twin.binary


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
