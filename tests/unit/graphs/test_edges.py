"""Graphs given by nodes and edges, with a root or without: what they hold, what is refused, what keeps them."""

import pickle

import numpy as np
import pytest

from fastmatch import Corpus, FastmatchError, Graph, OptionError, parse, read

from support.refusal import fails

ODD = ['cat ("a/b": c)', "a b", ":ARG0", "()", "/", '"quoted"', "~e.1", "# ::id 3", "tab\there", "line\nbreak", "東"]


@pytest.fixture
def corpus() -> Corpus:
    nodes = [dict(enumerate(ODD)), {"n1": "cat", "n2": ["mat", "rug"], "n3": None}, {}, ["alone"]]
    chain = [(k, label, k + 1) for k, label in enumerate(ODD[:-1])]
    edges = [chain, [("n1", ":on", "n2"), ("n2", "on", "n1"), ("n3", "is", "n3")], [], []]
    attributes = [[(0, "said", "( :x )")], [("n1", "count", 2), ("n1", "size", 1.5), ("n2", "name", "n1")], [], []]
    return Corpus.from_edges(nodes, edges, attributes=attributes, metadata=[{"id": str(k)} for k in range(4)])


def test_labels_are_what_they_are(corpus: Corpus):
    graph = corpus[0]
    assert [label for _, _, label in graph.instances] == ODD and graph.relations[0] == ("0", ':cat ("a/b": c)', "1")
    assert graph.relations[2] == ("2", ":ARG0", "3") and graph.attributes == [("0", ":said", "( :x )")]
    assert graph.top is None and graph.metadata == {"id": "0"}


def test_what_is_a_node_and_what_is_a_constant(corpus: Corpus):
    """By what they are given as, not by how they are spelled."""
    graph = corpus[1]
    assert graph.variables == ("n1", "n2", "n3")
    assert graph.instances == [("n1", ":instance", "cat"), ("n2", ":instance", "mat"), ("n2", ":instance", "rug")]
    assert graph.relations == [("n1", ":on", "n2"), ("n2", ":on", "n1"), ("n3", ":is", "n3")]
    assert graph.attributes == [("n1", ":count", "2"), ("n1", ":size", "1.5"), ("n2", ":name", "n1")]
    assert corpus.attributes.shape[1] == 4 and corpus.relations.shape[1] == len(ODD) - 1 + 3
    assert corpus[3].variables == ("alone",) and corpus.rootless.tolist() == [0, 1, 3] and corpus.validate() is corpus


def test_what_keeps_them(corpus, tmp_path):
    corpus.save(tmp_path / "x")
    kept = [Corpus.load(tmp_path / "x"), read(tmp_path / "x"), pickle.loads(pickle.dumps(corpus))]
    made = [Corpus.from_graphs(list(corpus)), corpus[:2] + corpus[2:], corpus[[3, 2, 1, 0]][::-1], corpus.detached()]
    for again in kept + made:
        assert again == corpus and again.rootless.tolist() == corpus.rootless.tolist() and list(again) == list(corpus)


def test_there_is_no_text(corpus: Corpus):
    for k in (0, 1, 3):
        fails(FastmatchError, "the graph has no root, and Penman notation", corpus[k].encode)
    assert corpus[2].encode() == "# ::id 2\n()" and "n1" in corpus[1]._repr_html_()
    assert corpus[1].to_penman().top == "n1"


def test_a_root():
    rooted = Graph.from_edges({1: "go", 2: "boy"}, [(1, "ARG0", 2)], top=1)
    assert rooted.top == "1" and rooted.encode(None) == "(1 / go :ARG0 (2 / boy))"
    assert rooted == parse("(1 / go :ARG0 (2 / boy))")[0]
    assert Corpus.from_edges([["a"], ["a"]], [[], []], tops=["a", None]).root.tolist() == [0, -1]


def test_triples_without_a_root():
    """By penman's rule, targets that are no sources are constants."""
    triples = [("a", "instance", "cat"), ("a", "on", "b"), ("b", ":instance", "mat"), ("a", "count", 2)]
    rootless = Graph.from_triples(triples, rooted=False)
    rooted = Graph.from_triples(triples)
    assert rootless.top is None and rooted.top == "a" and rootless.triples == rooted.triples
    assert rootless.relations == [("a", ":on", "b")]
    assert [graph.top for graph in Corpus.from_triples([(None, triples), ("b", triples)], rooted=False)] == [None, "b"]
    assert Corpus.from_triples([(None, triples)])[0].top == "a"
    assert Corpus.from_triples([(None, [])], rooted=False)[0].triples == []
    # a nameless node on top is a root, and stays one
    assert Corpus.from_graphs([parse("()")[0]]).root.tolist() == [0]


def test_rootless_and_nameless():
    """What arrays of other origin may hold: no root, and a variable without a name, as that of () has none."""
    corpus = parse("(a :ARG0 ())").with_columns(root=np.array([-1], np.int32)).validate()
    assert corpus[0].top is None and Corpus.from_graphs(list(corpus)).root.tolist() == [-1]


@pytest.mark.parametrize(
    ("nodes", "edges", "attributes", "message"),
    [
        (["a"], [("a", "r", "b")], [], "edge 0: 'b' is not among the nodes"),
        (["a"], [("b", "r", "a")], [], "edge 0: 'b' is not among the nodes"),
        (["a"], [([], "r", "a")], [], r"edge 0: \[\] is not among the nodes"),
        (["a"], [("a", "r")], [], r"edge 0: expected three values \(source, role, target\), found \('a', 'r'\)"),
        (["a"], [7], [], "edge 0: expected three values"),
        (["a"], [("a", "", "a")], [], "edge 0: expected the name of a role, found ''"),
        (["a"], [("a", ": ", "a")], [], "edge 0: expected the name of a role, found ': '"),
        (["a"], [("a", None, "a")], [], "edge 0: expected the name of a role, found None"),
        (["a"], [("a", "instance", "a")], [], "edge 0: the role 'instance' is that of labels"),
        (["a"], [], [("a", "r", None)], "the value of attribute 0: expected text or a number, found None"),
        (["a"], [], [("a", "r", "")], "the value of attribute 0: expected text or a number, found an empty text"),
        (["a"], [], [("b", "r", 1)], "attribute 0: 'b' is not among the nodes"),
        (["1", 1], [], [], "nodes: two have the name '1'"),
        ([None], [], [], "a node: expected text or a number, found None"),
        ([["a"]], [], [], r"a node: expected text or a number, found \['a'\]"),
        ({"a": {"x": 1}}, [], [], "a label of the node 'a': expected text or a number"),
        ({"a": ["x", ""]}, [], [], "a label of the node 'a': .*an empty text"),
        ({"a": float("nan")}, [], [], "a label of the node 'a': expected text or a number, found NaN"),
        (["a"], [], [("a", "r", np.float64("nan"))], "the value of attribute 0: .*found NaN"),
    ],
)
def test_what_is_refused(nodes: object, edges: list, attributes: list, message: str):
    fails(OptionError, message, Graph.from_edges, nodes, edges, attributes=attributes)
    fails(OptionError, f"graph 1: {message}", Corpus.from_edges, [[], nodes], [[], edges], attributes=[[], attributes])


def test_other_errors():
    fails(OptionError, "top: 'x' is not among the nodes", Graph.from_edges, ["a"], [], top="x")
    fails(OptionError, "graph 1: edges hold fewer graphs than the others", Corpus.from_edges, [["a"], ["b"]], [[]])
    with pytest.raises(OptionError, match="graph 1: nodes and tops hold fewer graphs than the others"):
        Corpus.from_edges([["a"]], [[], []], tops=[None])
    with pytest.raises(OptionError, match=r"nodes: expected the nodes of each graph in turn; of one graph: \[nodes\]"):
        Corpus.from_edges({"a": "cat"}, [])
    with pytest.raises(OptionError, match="top='a': a graph that is not rooted has none"):
        Graph.from_triples([("a", "r", "b")], "a", rooted=False)
    fails(OptionError, "a triple without a source", Graph.from_triples, [(None, "r", "b")], rooted=False)
    with pytest.raises(OptionError, match="graph 0: metadata: expected a mapping from names to texts, found 'x'"):
        Corpus.from_edges([["a"]], [[]], metadata=["x"])  # type: ignore[list-item]
    for wrong in ("abc", [("a", "r", "b")], [7]):
        fails(OptionError, r"triples: expected \(top, triples\) for each graph, found", Corpus.from_triples, wrong)
    fails(TypeError, None, Corpus.from_edges, 7, [])


def test_many_kinds_of_names_and_values():
    graph = Graph.from_edges([np.int64(3), 2.5, True, "x"], [(3, "r", 2.5)], attributes=[("x", "is", False)])
    assert graph.variables == ("3", "2.5", "true", "x") and graph.attributes == [("x", ":is", "false")]
    of_numpy = Graph.from_edges(
        {1: np.float32(0.1), 2: np.bool_(True), 3: np.int8(4)}, []
    )  # as rows of arrays have them
    assert [concept for _, _, concept in of_numpy.triples] == ["0.1", "true", "4"]
