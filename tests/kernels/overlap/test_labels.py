"""What soft overlap knows of labels and of the places of nodes."""

import math

import networkx as nx
import numpy as np
import pytest

from fastmatch._ext.overlap import labels
from fastmatch._ext.overlap.labels import CLASSES, describe, node_places, project, ranks, value_of

from support.refusal import fails

#: Class → labels of concepts, and of constants.
KINDS = {
    "frame": (["want-01"], []),
    "special-frame": (["have-org-role-91"], []),
    "word": (["boy", "", "a-1"], []),
    "pronoun": (["she", "amr-unknown"], []),
    "generic": (["person"], []),
    "conjunction": (["and"], []),
    "compound": (["date-entity", "temporal-quantity"], []),
    "string": ([], ["paris", "want-01"]),
    "number": (["12", "-01"], ["12", "-3.5"]),
    "minus": ([], ["-"]),
    "none": ([], [None]),
}


@pytest.mark.parametrize("kind", KINDS)
def test_classes(kind):
    for constant, texts in enumerate(KINDS[kind]):
        found = describe(
            [None if text is None else text.encode() for text in texts], np.full(len(texts), constant, np.uint8)
        )
        assert [CLASSES[number] for number in found[2]] == [kind] * len(texts)


def test_lemmas_and_bigrams():
    texts = [b"want-01", b"want", b"want-02", b"wane", None, b"", b"7", b"-", "ü".encode()]
    keys, lemmas, _, numbers, offsets, bigrams, signs = describe(texts, np.zeros(len(texts), np.uint8))
    assert len(set(keys.tolist())) == len(texts) and lemmas[0] == lemmas[1] == lemmas[2] == keys[1]
    assert lemmas[3] == keys[3]
    assert numbers[6] == 7 and np.isnan(np.delete(numbers, 6)).all()
    assert np.diff(offsets).tolist() == [3, 3, 3, 3, 0, 0, 0, 0, 1]
    assert bigrams[:3].tolist() == sorted(b[0] << 8 | b[1] for b in (b"wa", b"an", b"nt"))
    assert signs[0] == signs[1] != signs[3] and (signs[4:8] == 0).all()
    again = describe(texts, np.ones(len(texts), np.uint8))
    assert again[0].tolist() == keys.tolist()
    assert again[1][0] == again[0][0]  # a constant has no sense


@pytest.mark.parametrize(
    ("text", "value"), [(b"12", 12), (b"-1.5", -1.5), (b"+3", 3), (b"1e3", 1000), (b".5", 0.5), (b"0", 0)]
)
def test_values(text, value):
    assert value_of(text) == value


@pytest.mark.parametrize("text", [b"", b"-", b"nan", b"inf", b"1_000", b"12:30", b"1e999", b"+", b"one", b"\xff1"])
def test_what_is_no_number(text):
    assert math.isnan(value_of(text))


def test_ranks():
    lines = {b"the": 0, b"look": 10, b"up": 3, b"new_york": 7, b"york": 20}
    texts = [b"the", b"look-01", b"look-up-05", b"new_york", b"york_up", b"look-nowhere", b"nowhere", None, b"-", b""]
    assert ranks(texts, lambda word: lines.get(word, -1), 50).tolist() == [0, 10, 10, 7, 20, 50, 50, 50, 50, 50]


def test_projection():
    random = np.random.default_rng(0)
    vectors, centre, matrix = random.normal(size=(6, 5)), random.normal(size=5), random.normal(size=(5, 5))
    vectors[3] = centre
    known = np.array([1, 1, 0, 1, 1, 1], np.uint8)
    out = np.ones((6, 8), np.float32)
    project(vectors, known, centre, matrix, out)
    expected = (vectors - centre) @ matrix
    expected /= np.maximum(np.linalg.norm(expected, axis=1, keepdims=True), 1e-9)
    expected[known == 0] = 0
    assert out[:, :5] == pytest.approx(expected, abs=1e-6) and (out[:, 5:] == 0).all() and (out[3] == 0).all()
    alone = np.ones((1, 8), np.float32)
    project(vectors[4:5], known[4:5], centre, matrix, alone)
    assert alone.tolist() == out[4:5].tolist()
    fails(ValueError, "do not fit", project, vectors, known[:-1], centre, matrix, out)
    fails(ValueError, "room", project, vectors, known, centre, matrix, out[:, :4].copy())


def test_exponentials():
    assert labels.exponentials(np.array([0.0, 1.0, -2.0])).tolist() == [math.exp(x) for x in (0.0, 1.0, -2.0)]


def test_logarithms():
    """NumPy's ``log1p`` is off from these in 1 of 25 whole numbers up to 100, in others by version and processor."""
    x = np.arange(20_000)
    assert labels.logarithms(x.astype(np.float64)).tolist() == [math.log1p(each) for each in x.tolist()]


def slow_places(n, edges, root):
    graph = nx.MultiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((source, target) for source, _, target in edges)
    depth = nx.single_source_shortest_path_length(graph, root) if root >= 0 else {}
    far = max(depth.values(), default=-1) + 1
    return [depth.get(v, far) for v in range(n)], [graph.degree(v) for v in range(n)]


def test_places_of_nodes():
    random = np.random.default_rng(5)
    sizes, graphs, depths, degrees, roots = [], [], [], [], []
    for _ in range(60):
        n = int(random.integers(0, 8))
        edges = random.integers(0, max(n, 1), (int(random.integers(0, 9)) if n else 0, 3))
        root = int(random.integers(-1, n)) if n else -1
        depth, degree = slow_places(n, edges.tolist(), root)
        sizes.append(n)
        graphs.append(edges)
        roots.append(root)
        depths += depth
        degrees += degree
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    edge_offsets = np.concatenate([[0], np.cumsum([len(each) for each in graphs])]).astype(np.int64)
    edges = np.ascontiguousarray(np.concatenate(graphs).T.astype(np.int32))
    found = node_places(offsets, edge_offsets, edges, np.array(roots, np.int32))
    assert found[0].tolist() == depths and found[1].tolist() == degrees
    one = np.array([0, 3]), np.array([0, 1]), np.array([[0], [0], [1]], np.int32), np.zeros(1, np.int32)
    assert node_places(*one, 7)[0].tolist() == [0, 1, 7]
    fails(IndexError, None, node_places, offsets, edge_offsets, edges + np.int32(9), np.array(roots, np.int32))
    with pytest.raises(ValueError, match="edges: the offsets do not divide"):
        node_places(offsets, edge_offsets[:-1], edges, np.array(roots, np.int32))
