"""Properties of the exact solver, judged by brute force, by HiGHS and by recounting.

The graphs come from ``strategies`` as text, are read by penman or by smatch 1.0.4 (so no reader of ours is involved)
and reach the kernels through ``columnar``. Every test runs in both flavours: the library's own standardisation, and the
``smatch`` one, in which repeated triples multiply.
"""

import re
from collections import Counter

import pytest
from hypothesis import given

import fastmatch as fm

from support import columnar, strategies
from support.columnar import solve
from support.nightly import examples
from twins import brute_force, counts, documents, ilp, readers
from twins.smatch_problem import DEFAULT, SMATCH, Flavour, Triples, build

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


both_flavours = pytest.mark.parametrize("flavour", [SMATCH, DEFAULT], ids=["smatch", "default"])


def one(a: Triples, b: Triples, flavour: Flavour, **options: object) -> columnar.Solved:
    """Solve one pair and check what must hold of any answer: the map is one to one, it is worth ``matched``,

    ``matched`` is not above ``upper``, and they meet exactly when the answer calls itself certified.
    """
    (found,) = solve([(a, b)], flavour, **options)
    assert counts.matched_triples(a, b, found.mapping, flavour) == found.matched and found.matched <= found.upper
    assert found.certified == (found.matched == found.upper)
    return found


@given(pair=strategies.pairs(min_size=7, max_size=7) | strategies.pairs(min_size=2, max_size=5, missing_concepts=True))
@examples(50)
def test_equals_brute_force(pair):
    """A node without concept is a triple like any other and equals only another node without concept."""
    a, b = (readers.read_penman(spec.text()) for spec in pair)
    found, problem = one(a, b, DEFAULT), build(a, b, DEFAULT)
    assert found.certified and found.matched == brute_force.optimum(problem)[0]
    assert (found.n_pred, found.n_gold) == (problem.n_pred, problem.n_gold)


@pytest.mark.slow
@both_flavours
@given(pair=strategies.big_pairs(max_size=20))
@examples(15)
def test_equals_highs(flavour, pair):
    """On bigger graphs lower <= optimum <= upper, and a certified answer is HiGHS's proven optimum."""
    a, b = (readers.read(spec.text(), flavour) for spec in pair)
    judge = ilp.solve(build(a, b, flavour), time_limit=2)
    found = one(a, b, flavour, time_limit=1.0)
    assert found.matched <= judge.upper and judge.value <= found.upper
    if judge.proven and found.certified:
        assert found.matched == judge.value


def test_documents_are_certified_and_equal_highs(own_data):
    """Eight sentences under one root: certified, HiGHS's optimum, and no less than the sentences give on their own.

    A sentence's match of TOP means that its roots are aligned, so what the document loses in TOP it gains in ``:sntN``;
    the document's own concept and TOP add two.
    """
    texts = [list(readers.penman_blocks(own_data / f"pairs-{side}.amr")) for side in ("pred", "gold")]
    sentences = [tuple(map(readers.read_penman, pair)) for pair in zip(*texts, strict=True)]
    values = [found.matched for found in solve(sentences, DEFAULT)]
    joined = zip(*(documents.documents(side, 8) for side in texts), strict=True)
    for number, (text_a, text_b) in enumerate(joined):
        a, b = readers.read_penman(text_a), readers.read_penman(text_b)
        found = one(a, b, DEFAULT)
        judge = ilp.solve(build(a, b, DEFAULT))
        assert judge.proven
        assert found.certified and found.matched == judge.value
        assert found.matched >= sum(values[8 * number : 8 * number + 8]) + 2
    assert number == 1


def read_knots(own_data) -> tuple[list[tuple[Triples, Triples]], list[int]]:
    """The pinned hard pairs and their optima, which HiGHS has proven."""
    sides = [list(readers.penman_blocks(own_data / f"knots-{side}.amr")) for side in ("pred", "gold")]
    optima = [int(found) for found in re.findall(r"::optimum (\d+)", (own_data / "knots-gold.amr").read_text())]
    return [(readers.read_smatch(a), readers.read_smatch(b)) for a, b in zip(*sides, strict=True)], optima


def test_knots_are_solved(own_data):
    """Pairs on which the solver must shrink and branch: certified, and the optimum that HiGHS has proven."""
    pairs, optima = read_knots(own_data)
    assert len(pairs) == len(optima) == 20
    for pair, optimum in zip(pairs, optima, strict=True):
        found = one(*pair, SMATCH)
        assert found.certified and found.matched == optimum


@pytest.mark.slow
def test_knots_keep_true_bounds_wherever_they_are_cut(own_data):
    """Stopped after any amount of work the optimum lies between the bounds, and more work never finds a worse map."""
    pairs, optima = read_knots(own_data)
    before = [0] * len(pairs)
    for exponent in range(10, 22):
        answers = solve(pairs, SMATCH, max_work=2**exponent)
        for found, optimum in zip(answers, optima, strict=True):
            assert found.matched <= optimum <= found.upper
        matched = [found.matched for found in answers]
        assert all(now >= then for now, then in zip(matched, before, strict=True))
        before = matched


def test_a_repeated_triple_multiplies_under_smatch() -> None:
    """The example of the specification: a graph with a doubled triple against itself has 6 matched of 4."""
    graph = readers.read_smatch("(a / b :op1 5 :op1 5)")
    found = one(graph, graph, SMATCH)
    assert (found.matched, found.n_pred, found.n_gold) == (6, 4, 4)
    graph = readers.read_penman("(a / b :op1 5 :op1 5)")
    found = one(graph, graph, DEFAULT)
    assert (found.matched, found.n_pred, found.n_gold) == (3, 3, 3)


@pytest.mark.slow
@both_flavours
@pytest.mark.parametrize("limit", [{"max_work": 0}, {"max_work": 1}, {"max_work": 100}, {"time_limit": 0.0}], ids=str)
@given(pair=strategies.pairs(max_size=7) | strategies.tangles(max_size=7))
@examples(20)
def test_bounds_hold_when_the_solver_is_cut_short(flavour, limit, pair):
    """With hardly any work allowed the map is still real, and the optimum still lies between the bounds."""
    a, b = (readers.read(spec.text(), flavour) for spec in pair)
    found = one(a, b, flavour, **limit)
    assert found.matched <= brute_force.optimum(build(a, b, flavour))[0] <= found.upper


# ---- from two strings to an alignment: what is printed for people is recounted by the judges -------------------------
#
# Here the text goes through fastmatch's own reader, and through penman or smatch 1.0.4 for the judge, so this is the
# whole way from characters to matched triples.


@pytest.mark.parametrize("preset", [None, "smatch"])
@given(pair=strategies.pairs(max_size=6) | strategies.tangles(max_size=5))
@examples(50)
def test_two_strings(preset, pair):
    """matched is the optimum; renaming by ``mapping`` matches that many triples; ``matched_triples`` lists them."""
    text_a, text_b = (spec.text() for spec in pair)
    flavour = SMATCH if preset else DEFAULT
    a, b = (readers.read(text, flavour) for text in (text_a, text_b))
    problem = build(a, b, flavour)
    found = fm.align(text_a, text_b, preset=preset)
    assert found.certified and (found.n_pred, found.n_gold) == (problem.n_pred, problem.n_gold)
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
