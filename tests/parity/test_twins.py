"""The judge is judged first: the problem that the twins solve, against that of the installed smatch 1.0.4.

Nothing here touches fastmatch. If it fails, nothing that the twins say about the kernels is worth anything.
"""

import pytest
from hypothesis import given

from support import strategies
from support.nightly import examples
from twins import readers
from twins.smatch_problem import SMATCH, Triples, build

pytestmark = pytest.mark.slow

smatch = pytest.importorskip("smatch", reason="smatch 1.0.4 is a test dependency", exc_type=ImportError)


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


@given(strategies.pairs())
@examples(35)
def test_twin_problem_is_the_package_pool(pair: tuple[strategies.Spec, strategies.Spec]) -> None:
    a, b = (readers.read_smatch(spec.text()) for spec in pair)
    problem = build(a, b, SMATCH)
    assert (problem.candidates, problem.unary, problem.binary) == package_pool(a, b)
