"""The judges are judged first: the slow twins against the installed smatch 1.0.4 and the recorded optima.

None of these tests touches fastmatch. If one fails, nothing that the twins say about the kernels is worth anything.
"""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given

from support import strategies
from support.nightly import NIGHT, examples
from support.recorded import SETS, smatch_table
from twins import brute_force, climb, counts, ilp, readers
from twins.smatch_problem import DEFAULT, SMATCH, Problem, Triples, build

pytestmark = pytest.mark.slow

smatch = pytest.importorskip("smatch", reason="smatch 1.0.4 is a test dependency", exc_type=ImportError)

STEPS = {"lpp-parsers": 1, "sts-main-test": 7, "sick-main-test-1000": 7} if NIGHT else dict.fromkeys(SETS, 12)
"""Every row of the first set and every seventh of the others; by day every twelfth."""


def package_pool(a: Triples, b: Triples) -> tuple[list[set[int]], dict, dict]:
    """Candidates, unary and binary weights as ``smatch.compute_pool`` of the released package gives them."""

    def lists(graph: Triples, prefix: str) -> tuple[list, list, list]:
        name = {v: f"{prefix}{i}" for i, v in enumerate(graph.variables)}
        attributes = [(role, name[v], value) for v, role, value in graph.attributes]
        return (
            [("instance", name[v], concept) for v, concept in graph.instances],
            [*attributes, (":TOP", name[graph.top], "top")],
            [(role, name[source], name[target]) for source, role, target in graph.relations],
        )

    candidates, weights = smatch.compute_pool(*lists(a, "a"), *lists(b, "b"), "a", "b")
    unary = {pair: row[-1] for pair, row in weights.items() if row[-1]}
    # The package stores each entry at both ends, and also entries no one-to-one map can use (loop against edge).
    binary = {
        (pair, other): weight
        for pair, row in weights.items()
        for other, weight in row.items()
        if other != -1 and pair[0] < other[0] and pair[1] != other[1]
    }
    return candidates, unary, binary


@pytest.mark.parametrize("name", SETS)
def test_twins_reproduce_the_recorded_optima_and_climbs(data_dir: Path, name: str) -> None:
    """HiGHS on the twin's problem gives each recorded optimum; the twin's climb each recorded climb (small graphs)."""
    pred, gold, *_ = SETS[name]
    step = STEPS[name]
    optima = smatch_table(data_dir / "reference" / "smatch-optimal" / f"{name}.tsv")
    climbs = smatch_table(data_dir / "reference" / "smatch" / f"{name}.tsv")
    texts = (readers.smatch_lines(data_dir / place) for place in (pred, gold))
    pairs = zip(*texts, optima, climbs, strict=False)
    seen = 0
    for number, (text_a, text_b, optimum, climbed) in enumerate(pairs):
        if number % step:
            continue
        a, b = readers.read_smatch(text_a), readers.read_smatch(text_b)
        problem = build(a, b, SMATCH)
        assert (problem.n_pred, problem.n_gold) == optimum[1:], number
        solution = ilp.solve(problem)
        assert solution.proven, number
        assert solution.value == optimum[0], number
        assert counts.matched_triples(a, b, solution.mapping, SMATCH) == solution.value, number
        if max(problem.n, problem.m) <= 12:
            concepts = ([concept for _, concept in graph.instances] for graph in (a, b))
            assert climb.climb(problem, *concepts, random=Random(0))[0] == climbed[0], number
        seen += 1
    assert seen == (len(optima) + step - 1) // step


@given(strategies.pairs())
@examples(35)
def test_twin_problem_is_the_package_pool(pair: tuple[strategies.Spec, strategies.Spec]) -> None:
    a, b = (readers.read_smatch(spec.text()) for spec in pair)
    problem = build(a, b, SMATCH)
    assert (problem.candidates, problem.unary, problem.binary) == package_pool(a, b)


def judged(problem: Problem) -> int:
    solution = ilp.solve(problem)
    assert solution.proven
    assert problem.value(solution.mapping) == solution.value
    return solution.value


@pytest.mark.parametrize("n", range(5))
@pytest.mark.parametrize("m", range(5))
def test_full_maps_are_the_partial_maps_that_use_the_smaller_side(n: int, m: int) -> None:
    full = [mapping for mapping in brute_force.every_map(n, m) if sum(j >= 0 for j in mapping) == min(n, m)]
    assert sorted(brute_force.full_maps(n, m)) == sorted(full)


@given(strategies.pairs(max_size=4, missing_concepts=True))
@examples(20)
def test_full_maps_are_enough(pair: tuple[strategies.Spec, strategies.Spec]) -> None:
    """Looking only at maps that use the whole smaller side loses nothing, and HiGHS agrees with looking."""
    a, b = (readers.read_penman(spec.text()) for spec in pair)
    problem = build(a, b, DEFAULT)
    best = max(map(problem.value, brute_force.every_map(problem.n, problem.m)))
    assert brute_force.optimum(problem)[0] == best == judged(problem)


@given(strategies.tangles(max_size=5))
@examples(20)
def test_heavy_weights(pair: tuple[strategies.Spec, strategies.Spec]) -> None:
    """HiGHS agrees with brute force where parallel edges multiply."""
    a, b = (readers.read_smatch(spec.text()) for spec in pair)
    problem = build(a, b, SMATCH)
    assert brute_force.optimum(problem)[0] == judged(problem)


@given(strategies.pairs(max_size=6))
@examples(20)
def test_value_is_a_recount(pair: tuple[strategies.Spec, strategies.Spec]) -> None:
    """The quadratic objective of a map is the number of triples that coincide after renaming, in both flavours."""
    for read, flavour in ((readers.read_smatch, SMATCH), (readers.read_penman, DEFAULT)):
        a, b = (read(spec.text()) for spec in pair)
        problem = build(a, b, flavour)
        mapping = climb.ascend(problem, climb.random_start(problem, Random(0)))
        assert counts.matched_triples(a, b, mapping, flavour) == problem.value(mapping)
        empty = [-1] * problem.n
        assert counts.matched_triples(a, b, empty, flavour) == problem.value(empty) == 0
