"""Scores of MRP JSON that need no map: what a node is known by, what is remote, circles, against the definition."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.fine_grained.mrp import _Graph, _yields, edge_attributes

from twins.mrp import characters

TEXT = "  a bc, de. f"


def line(nodes: list[list[tuple[int, int]]], edges: list[tuple[int, int, str, bool]], text: str | None = TEXT) -> str:
    graph = {
        "id": 1,
        "nodes": [
            {"id": k, **({"anchors": [{"from": start, "to": stop} for start, stop in spans]} if spans else {})}
            for k, spans in enumerate(nodes)
        ],
        "edges": [
            {"source": s, "target": t, "label": label, **({"attributes": ["remote"], "values": [True]} if far else {})}
            for s, t, label, far in edges
        ],
    }
    return json.dumps(graph if text is None else {**graph, "input": text})


def counts(kind, pred: str, gold: str) -> dict[str, tuple[int, int, int]]:
    found = fm.aspects([pred], [gold], kind=kind)
    return {row: (int(one.matched), int(one.n_pred), int(one.n_gold)) for row, one in found.items()}


Graph = tuple[list[list[tuple[int, int]]], list[tuple[int, int, str, bool]]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    lengths = st.tuples(st.integers(0, len(TEXT) - 1), st.integers(1, 4))
    span = lengths.map(lambda pair: (pair[0], min(len(TEXT), sum(pair))))
    nodes = draw(st.lists(st.lists(span, max_size=2), min_size=1, max_size=6))
    node = st.integers(0, len(nodes) - 1)
    edge = st.tuples(node, node, st.sampled_from("AB"), st.booleans())
    return nodes, draw(st.lists(edge, max_size=9, unique_by=lambda edge: edge[:3]))


def of_ucca(graph: Graph):
    nodes, edges = graph
    below = np.eye(len(nodes), dtype=bool)
    for source, target, _, far in edges:
        below[source, target] |= not far
    for _ in nodes:
        below = below @ below
    own = [characters(spans, TEXT) for spans in nodes]
    known = [frozenset().union(*(own[k] for k in row.nonzero()[0])) for row in below]
    return {
        f"{how} {kind}": {
            (known[s], known[t], *([label] if how == "labeled" else []))
            for s, t, label, far in edges
            if far == (kind == "remote")
        }
        for how in ("labeled", "unlabeled")
        for kind in ("primary", "remote")
    }


def of_sdp(graph: Graph):
    nodes, edges = graph
    known = [characters(spans, TEXT) if spans else None for spans in nodes]
    return {
        "labeled": {(known[s], known[t], label) for s, t, label, _ in edges},
        "unlabeled": {(known[s], known[t]) for s, t, *_ in edges},
    }


@given(graphs(), graphs())
def test_as_the_definition(pred: Graph, gold: Graph) -> None:
    for kind, items in (("ucca", of_ucca), ("sdp", of_sdp)):
        mine, its = items(pred), items(gold)
        wanted = {row: (len(mine[row] & its[row]), len(mine[row]), len(its[row])) for row in mine}
        assert counts(kind, line(*pred), line(*gold)) == wanted


def test_without_input_places_count() -> None:
    one = line([[(0, 2)], [(2, 4)], []], [(2, 0, "A", False), (2, 1, "A", False)], None)
    other = line([[(0, 2)], [(2, 4)], [(0, 4)]], [(2, 0, "A", False), (2, 1, "A", False)], None)
    assert counts("ucca", one, other)["labeled primary"] == (2, 2, 2)


def test_places_far_away_cost_nothing() -> None:
    one = line([[(0, 2_000_000_000)], []], [(1, 0, "A", False)], None)
    assert counts("ucca", one, one)["labeled primary"] == (1, 1, 1)


def test_tops_are_edges_of_sdp() -> None:
    text = line([[(2, 3)], [(4, 6)]], [(0, 1, "A", False)])
    topped = json.dumps({**json.loads(text), "tops": [0]})
    assert counts("sdp", text, topped) == {"labeled": (1, 1, 2), "unlabeled": (1, 1, 2)}


def test_a_label_with_a_bar_is_an_edge() -> None:
    """An attribute stands behind its edge, with the edge's role in front of its own."""
    text = line([[], []], [(0, 1, "A|remote=true", False), (0, 1, "B", True), (1, 0, "B|x", False)])
    attribute, remote = edge_attributes(fm.parse([text, text], dialect="mrp"))
    assert attribute.tolist() == [False, False, True, False] * 2
    assert remote.tolist() == [False, True, False, False] * 2
    assert fm.aspects([text], [text], kind="mrp")["edges"].n_gold == 3


def test_no_graphs() -> None:
    for kind in ("edm", "sdp", "ucca"):
        with pytest.warns(fm.PairingWarning):
            found = fm.aspects([], [], kind=kind)
        assert found and all(score.n_gold == 0 for score in found.values())


def test_yields_of_a_long_chain() -> None:
    """Every node of a chain covers what the nodes behind it cover; of a ring, what all cover."""
    n = 2_000
    graph = _Graph(n_nodes=n)
    graph.anchors = {k: f"{k}:{k + 1}" for k in range(n)}
    graph.cuts = range(n + 1)
    for step in (1, -1):
        ring = [(k, 0, (k + step) % n, False) for k in range(n)]
        graph.edges = ring[:-1] if step == 1 else ring[1:]
        assert [covered.bit_count() for covered in _yields(graph)] == list(range(1, n + 1))[::-step]
        graph.edges = ring
        assert set(_yields(graph)) == {(1 << n) - 1}
