"""The kernel that makes a graph of votes against the same in plain Python, which S2match uses."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastmatch._ext.votes import best_of_votes, merged_tables, placed
from fastmatch.ensembles.labels import CONCEPT, LOOP, GraphTriples
from fastmatch.ensembles.merging import Voter, merged


@st.composite
def graphs(draw: st.DrawFn) -> GraphTriples:
    """A graph of numbers, in which few labels make votes meet; it need not be connected, nor have a root."""
    n = draw(st.integers(0, 6))
    if not n:
        return GraphTriples(0, -1, [], [])
    node, label = st.integers(0, n - 1), st.integers(0, 2)
    unary = {(k, CONCEPT, draw(label)) for k in range(n) if draw(st.integers(0, 9))}
    unary |= draw(st.sets(st.tuples(node, label, label), max_size=4))
    unary |= draw(st.sets(st.tuples(node, label, st.just(LOOP)), max_size=1))
    relations = {(draw(st.integers(0, k - 1)), draw(label), k) for k in range(1, n)}
    relations |= {row for row in draw(st.sets(st.tuples(node, label, node), max_size=4)) if row[0] != row[2]}
    return GraphTriples(
        n,
        draw(st.integers(-1, n - 1)),
        [(*row, row[1] + 10, row[2] + 20) for row in sorted(unary)],
        [(*row, row[1] + 10) for row in sorted(relations)],
    )


@st.composite
def ballots(draw: st.DrawFn) -> tuple[list[Voter], int, float, list[float]]:
    """Candidates, each with a map of its nodes to those of a graph, one to one."""
    base = draw(graphs())
    voters = []
    for _ in range(draw(st.integers(1, 5))):
        graph = draw(st.just(base) | graphs())
        free = draw(st.permutations(range(base.n_nodes)))
        places = [-1] * graph.n_nodes
        for node, place in zip(range(graph.n_nodes), free, strict=False):
            places[node] = place if draw(st.integers(0, 4)) else -1
        size = len(graph.unary) + len(graph.relations) + (graph.root >= 0)
        voters.append(Voter(graph, size, draw(st.sampled_from([0.2, 0.25, 0.5])), places))
    size = len(base.unary) + len(base.relations) + 1
    return voters, base.n_nodes, size, [draw(st.integers(0, size)) for _ in voters]


@pytest.mark.parametrize("top", ["constant", "concept", "none"])
@given(ballot=ballots())
def test_the_kernel_makes_the_graphs_of_the_twin(top: str, ballot: tuple[list[Voter], int, float, list[float]]) -> None:
    voters, n_nodes, size, matched = ballot
    fast = merged(voters, n_nodes, size, matched, top)
    plain = merged(voters, n_nodes, size, matched, top, {})
    assert fast.least == pytest.approx(plain.least, abs=1e-12)
    assert fast.size == plain.size
    assert list(fast.matched) == list(plain.matched)
    assert (fast.graph.n_nodes, fast.graph.root) == (plain.graph.n_nodes, plain.graph.root)
    assert sorted(fast.graph.unary) == sorted(plain.graph.unary)
    assert sorted(fast.graph.relations) == sorted(plain.graph.relations)


@given(ballot=ballots())
def test_what_is_made_is_a_graph_with_the_score_that_is_said(
    ballot: tuple[list[Voter], int, float, list[float]],
) -> None:
    voters, n_nodes, size, matched = ballot
    found = merged(voters, n_nodes, size, matched, "constant")
    if found.graph.n_nodes:
        concepts = [row[0] for row in found.graph.unary if row[1] == CONCEPT]
        assert len(set(concepts)) == len(concepts)
        assert GraphTriples(
            found.graph.n_nodes,
            0,
            [(node, CONCEPT, 0, 0, 0) for node in range(found.graph.n_nodes)],
            found.graph.relations,
        ).well_formed()
        assert found.size == len(found.graph.unary) + len(found.graph.relations) + (found.graph.root >= 0)
    scores = [2 * m / (found.size + v.size) * v.weight for v, m in zip(voters, found.matched, strict=True) if m]
    assert found.least == pytest.approx(sum(scores), abs=1e-12)


def new_nodes(voters: list[Voter], n_nodes: int) -> tuple[list[list[int]], int]:
    """What ``placed`` does, straight from its definition."""
    known: dict[tuple[Any, ...], int] = {}
    places = []
    for graph, _, _, mapped in voters:
        at = list(mapped)

        def settle(node: int, *keys: tuple[Any, ...], at: list[int] = at) -> None:
            nonlocal n_nodes
            free = [known[key] for key in keys if key in known and known[key] not in at]
            at[node] = free[0] if free else n_nodes
            n_nodes += not free
            for key in keys:
                known.setdefault(key, at[node])

        while -1 in at:
            before = at.count(-1)
            for source, role, target, _ in graph.relations:
                for node, other, way in ((target, source, "down"), (source, target, "up")):
                    if at[node] < 0 <= at[other]:
                        concept, hook = graph.concepts[node], (at[other], way)
                        settle(node, (*hook, role, concept), (*hook, "any", concept), (*hook, role, "any"))
            if at.count(-1) == before:
                node = at.index(-1)
                settle(node, ("a part of its own", graph.concepts[node]))
        places.append(at)
    return places, n_nodes


def of_voters(voters: list[Voter], n_nodes: int) -> tuple[list[list[int]], int]:
    graphs = [voter.graph for voter in voters]
    return placed([v.map for v in voters], [g.relations for g in graphs], [g.concepts for g in graphs], n_nodes)


@given(ballot=ballots())
def test_new_nodes_are_those_of_the_twin(ballot: tuple[list[Voter], int, float, list[float]]) -> None:
    voters, n_nodes, _, _ = ballot
    places, n = of_voters(voters, n_nodes)
    assert (places, n) == new_nodes(voters, n_nodes)
    assert all(len(set(at)) == len(at) for at in places)
    assert {node for at in places for node in at if node >= n_nodes} == set(range(n_nodes, n))


def test_new_nodes_of_what_does_not_fit() -> None:
    relation = (0, 1, 1, 11)
    assert placed([[0, -1], [0, -1]], [[relation], [relation]], [[5, 6], [5, 6]], 1) == ([[0, 1], [0, 1]], 2)
    for bad in ((0, 1, 2, 11), (-1, 1, 0, 11)):
        with pytest.raises(IndexError, match="lacks"):
            placed([[0, -1]], [[bad]], [[5, 6]], 1)
    with pytest.raises(ValueError, match="differ in nodes"):
        placed([[0, -1]], [[relation]], [[5]], 1)
    with pytest.raises(ValueError, match="differ in length"):
        placed([[0, -1]], [], [[5, 6]], 1)
    with pytest.raises(ValueError, match="a relation is"):
        placed([[0, -1]], [[(0, 1, 1)]], [[5, 6]], 1)  # type: ignore[list-item]


def call(**changed: Any) -> Any:
    """Two candidates: a node 0 with a relation to node 1, twice."""
    given_: dict[str, Any] = {
        "unary": np.array([[0, 1, 0, 1], [-1, -1, -1, -1], [5, 6, 5, 6]], np.int32),
        "unary_voters": np.array([0, 0, 1, 1], np.int32),
        "relations": np.array([[0, 0], [7, 7], [1, 1]], np.int32),
        "relation_voters": np.array([0, 1], np.int32),
        "roots": np.array([0, 0], np.int32),
        "root_concepts": np.array([5, 5], np.int32),
        "weights": np.array([0.5, 0.5]),
        "sizes": np.array([4.0, 4.0]),
        "size": 4.0,
        "matched": np.array([4.0, 4.0]),
        "n_nodes": 2,
        "top": 1,
        "rounds": 5,
        **changed,
    }
    positional = [given_.pop(name) for name in list(given_)[:10]]
    return best_of_votes(*positional, **given_)


def test_equal_candidates_are_the_graph() -> None:
    nodes, unary, relations, least, size, matched = call()
    assert nodes.tolist() == [0, 1]
    assert unary.tolist() == [0, 1]
    assert relations.tolist() == [0]
    assert (least, size, matched.tolist()) == (1.0, 4.0, [4.0, 4.0])


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"n_nodes": 1}, IndexError),
        ({"unary_voters": np.array([0, 0, 1, 2], np.int32)}, IndexError),
        ({"relation_voters": np.array([0, -1], np.int32)}, IndexError),
        ({"roots": np.array([0, 2], np.int32)}, IndexError),
        ({"unary_voters": np.array([0, 0, 1], np.int32)}, ValueError),
        ({"weights": np.array([1.0])}, ValueError),
        ({"matched": np.array([1.0])}, ValueError),
    ],
)
def test_arguments_that_do_not_fit(changed: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        call(**changed)


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"places": [[0]]}, IndexError),
        ({"places": [[0, 1], [0, 1]]}, ValueError),
        ({"tables": [(np.zeros((4, 1), np.int32), np.zeros((4, 0), np.int32))]}, ValueError),
        ({"tables": [(np.zeros((5, 1), np.int32), np.zeros((5, 0), np.int32))]}, ValueError),
        ({"tables": [(np.zeros((5, 1), np.int32), np.full((4, 1), 2, np.int32))]}, IndexError),
        ({"n_nodes": 1}, IndexError),
        ({"sizes": [1.0, 2.0]}, ValueError),
    ],
)
def test_tables_that_do_not_fit(changed: dict[str, Any], error: type[Exception]) -> None:
    table = np.array([[0, 1], [-1, -1], [5, 6], [-1, -1], [5, 6]], np.int32)
    edges = np.array([[0], [7], [1], [7]], np.int32)
    given_: dict[str, Any] = {
        "tables": [(table, edges)],
        "places": [[0, 1]],
        "roots": [0],
        "root_concepts": [5],
        "weights": [1.0],
        "sizes": [4.0],
        "size": 4.0,
        "matched": [4.0],
        "n_nodes": 2,
        "top": 1,
        "rounds": 5,
    }
    assert merged_tables(*list(given_.values())[:8], n_nodes=2, top=1, rounds=5)[0] == 2
    given_ |= changed
    with pytest.raises(error):
        merged_tables(*list(given_.values())[:8], n_nodes=given_["n_nodes"], top=given_["top"], rounds=given_["rounds"])
