"""From two strings to an alignment: what is printed for people is recounted by the judges.

Here the text goes through fastmatch's own reader, and through penman or smatch 1.0.4 for the judge, so this is the
whole way from characters to matched triples.
"""

from collections import Counter

import pytest
from hypothesis import given

import fastmatch as fm

from support import strategies
from support.nightly import examples
from support.strategies import Spec
from twins import brute_force, counts, readers
from twins.smatch_problem import DEFAULT, SMATCH, build


@pytest.mark.parametrize("preset", [None, "smatch"])
@given(pair=strategies.pairs(max_size=6) | strategies.tangles(max_size=5))
@examples(50)
def test_two_strings(preset: str | None, pair: tuple[Spec, Spec]) -> None:
    """matched is the optimum; renaming by ``mapping`` matches that many triples; ``matched_triples`` lists them."""
    text_a, text_b = (spec.text() for spec in pair)
    read, flavour = (readers.read_smatch, SMATCH) if preset else (readers.read_penman, DEFAULT)
    a, b = read(text_a), read(text_b)
    problem = build(a, b, flavour)
    found = fm.align(text_a, text_b, preset=preset)
    assert found.certified
    assert (found.n_pred, found.n_gold) == (problem.n_pred, problem.n_gold)
    optimum = brute_force.optimum(problem)[0]
    assert found.matched == found.upper == optimum
    for solver in ("climb", "ilp"):
        pairs = fm.score([text_a], [text_b], preset=preset, solver=solver).pairs
        assert pairs.matched[0] <= optimum <= pairs.upper[0], solver
        assert pairs.certified[0] == (pairs.matched[0] == pairs.upper[0]), solver
        assert pairs.certified[0] or solver == "climb"

    assert set(found.mapping) <= set(a.variables)
    position = {variable: j for j, variable in enumerate(b.variables)}
    mapping = [position.get(found.mapping.get(variable), -1) for variable in a.variables]
    assert counts.matched_triples(a, b, mapping, flavour) == found.matched

    # Both columns of the list are triples of the graphs, none of them used twice.
    if preset is None:
        assert len(found.matched_triples) == found.matched
    else:
        assert len(found.matched_triples) <= found.matched
    for side, graph in enumerate((a, b)):
        written = Counter((v, ":instance", concept) for v, concept in graph.instances)
        written.update((v, role, value) for v, role, value in graph.attributes)
        written.update((source, role, target) for source, role, target in graph.relations)
        written[graph.top, ":TOP", "top"] += 1
        assert not Counter(pair[side] for pair in found.matched_triples) - written
