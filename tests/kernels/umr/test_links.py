"""Links between the nodes of two sentences, against their definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastmatch._ext.umr.links import Nodes, link_nodes
from fastmatch.umr.jumatch import link
from fastmatch.umr.nodes import Node, Side

from twins import jumatch as twin

ROLES = (":ARG0", ":ARG1", ":mod", ":op1")
CONCEPTS = ("cat", "dog", "name")


@st.composite
def sides(draw: st.DrawFn) -> Side:
    """Few concepts, tokens and roles, so that much is ambiguous; values that are variables, of this side or not."""
    variables = draw(
        st.lists(st.sampled_from("abcdefgh") | st.sampled_from(["a1", "ab", "é"]), unique=True, max_size=8)
    )
    values = st.sampled_from([*variables, *variables, "a", "b", "x", "UNMAPPED", ""])
    nodes = {}
    for variable in variables:
        spans = draw(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 2)), max_size=2))
        concept = draw(st.sampled_from(CONCEPTS))
        nodes[variable] = Node(
            variable,
            concept,
            draw(st.sampled_from([concept, concept, "", "name x"])),
            draw(st.lists(st.tuples(st.sampled_from(ROLES), values, st.booleans()), max_size=4)),
            tuple((first, first + more) for first, more in spans),
            draw(st.integers(0, 3)) if spans else 0,
        )
    return Side(["w"] * draw(st.integers(0, 5)), nodes)


def of_twin(side: Side, tool: bool) -> list[twin.Node]:
    order = sorted(side.nodes)
    places = {variable: place for place, variable in enumerate(order)}
    found = []
    for variable in order:
        node = side.nodes[variable]
        attributes = [
            (role, value if known or not value else (value,), places.get(value) if known else None)
            for role, value, known in node.attributes
        ]
        tokens = {token for first, last in node.spans for token in range(first, last + 1)}
        found.append(twin.Node(variable, node.concept, node.extended, attributes, tokens, node.length))
    return found


@given(sides(), sides(), st.booleans(), st.sets(st.sampled_from([":ARG0", ":mod", "concept"])))
def test_links_are_those_of_the_definition(pred: Side, gold: Side, tool: bool, out: set[str]) -> None:
    (partners,), ((ambiguous),) = link([pred], [gold], out.__contains__, tool, "x")
    both = of_twin(gold, tool), of_twin(pred, tool)
    expected, counts = twin.link(
        both,
        len(gold.tokens) if tool else 1000,
        out.__contains__,
        twin.UNMAPPED if tool else None,
    )
    assert partners == {
        both[1][k].variable: both[0][partner].variable for k, partner in enumerate(expected[1]) if partner is not None
    }
    assert expected[0] == [
        next((k for k, partner in enumerate(expected[1]) if partner == place), None) for place in range(len(both[0]))
    ]
    assert ambiguous.tolist() == [*counts[0], *counts[1]]


@given(st.lists(st.tuples(sides(), sides()), max_size=4))
def test_sentences_do_not_know_each_other(pairs: list[tuple[Side, Side]]) -> None:
    together = link([pred for pred, _ in pairs], [gold for _, gold in pairs], lambda _: False, True, "x")
    alone = [link([pred], [gold], lambda _: False, True, "x") for pred, gold in pairs]
    assert together[0] == [partners for (partners,), _ in alone]
    assert together[1].tolist() == [counts.tolist() for _, (counts,) in alone]


def arrays(**changes: object) -> dict[str, np.ndarray]:
    """Two nodes, a and b, of one sentence; a has b as its :ARG0."""
    given = {
        "sentences": np.array([0, 2], np.int64),
        "nodes": np.zeros((3, 2), np.int32),
        "text_start": np.array([0, 1, 2], np.int64),
        "text": np.frombuffer(b"ab", np.uint8),
        "attribute_start": np.array([0, 1, 1], np.int64),
        "attributes": np.array([[1], [2], [1], [1]], np.int32),
        "span_start": np.array([0, 1, 1], np.int64),
        "spans": np.array([[1], [1]], np.int32),
    }
    return {**given, **changes}


def run(a: Nodes, b: Nodes, *, limit: int = 100, n: int | None = None, shape: tuple[int, int] = (1, 4), size: int = 2):
    partners = np.zeros(size, np.int32), np.zeros(2, np.int32)
    tokens = np.full(len(a) if n is None else n, 9, np.int32)
    return link_nodes(a, b, tokens, -1, limit, np.zeros(1, np.uint8), np.zeros(shape, np.int64), *partners), partners


def test_a_limit_of_links() -> None:
    nodes = Nodes(**arrays())
    assert run(nodes, nodes, limit=2)[0] == -1
    assert [each.tolist() for each in run(nodes, nodes)[1]] == [[0, 1], [0, 1]]
    assert run(nodes, nodes, limit=1)[0] == 0


def test_who_asks_to_stop_need_not_wait_until_all_pairs_of_nodes_are_compared() -> None:
    """A sentence of n equal nodes has n² pairs, which are looked at before their number is known to be too large."""
    n = 100
    ascending = np.arange(n + 1, dtype=np.int64)
    nodes = Nodes(
        sentences=np.array([0, n], np.int64),
        nodes=np.zeros((3, n), np.int32),
        text_start=ascending,
        text=np.arange(n, dtype=np.uint8),
        attribute_start=np.zeros(n + 1, np.int64),
        attributes=np.zeros((4, 0), np.int32),
        span_start=np.zeros(n + 1, np.int64),
        spans=np.zeros((2, 0), np.int32),
    )
    partners = np.zeros(n, np.int32)
    for stop, expected in ((0, 0), (1, -1)):
        tokens, cancel, counts = np.ones(1, np.int32), np.array([stop], np.uint8), np.zeros((1, 4), np.int64)
        assert link_nodes(nodes, nodes, tokens, -1, 9, cancel, counts, partners, partners) == expected


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"nodes": np.zeros((2, 2), np.int32)}, "expected 3 rows of nodes"),
        ({"spans": np.zeros((1, 1), np.int32)}, "expected 3 rows of nodes"),
        ({"sentences": np.array([0, 3], np.int64)}, "sentences must go from 0 to 2"),
        ({"sentences": np.array([0, 2, 1, 2], np.int64)}, "sentences must ascend"),
        ({"sentences": np.zeros(0, np.int64)}, "sentences must go from 0 to 2"),
        ({"text_start": np.array([0, 2], np.int64)}, "text_start must have 3 entries, not 2"),
        ({"attribute_start": np.array([0, 2, 2], np.int64)}, "attribute_start must go from 0 to 1"),
        ({"attributes": np.array([[1], [2], [2], [1]], np.int32)}, "attribute 0: no node 2 in its sentence"),
        ({"attributes": np.array([[1], [2], [-2], [1]], np.int32)}, "attribute 0: no node -2 in its sentence"),
        (
            {
                "attributes": np.array([[2, 1], [2, 2], [0, 0], [1, 1]], np.int32),
                "attribute_start": np.array([0, 2, 2], np.int64),
            },
            "attributes must be in the order of role and value",
        ),
    ],
)
def test_arrays_are_checked(changes: dict[str, np.ndarray], message: str) -> None:
    with pytest.raises((ValueError, IndexError), match=message):
        Nodes(**arrays(**changes))


def test_outputs_are_checked() -> None:
    nodes = Nodes(**arrays())
    for wrong in ({"n": 2}, {"shape": (1, 3)}, {"shape": (2, 4)}):
        with pytest.raises(ValueError, match="expected 1 sentences everywhere, and 4 columns"):
            run(nodes, nodes, **wrong)
    with pytest.raises(ValueError, match="expected a partner for each node"):
        run(nodes, nodes, size=3)
    with pytest.raises(ValueError, match="expected 1 sentences everywhere"):
        run(nodes, Nodes(**arrays(sentences=np.array([0, 2, 2], np.int64))))
