"""Graphs of networkx and RDF, and what is said where the libraries are not installed."""

import io
import sys
from pathlib import Path

import pytest

from fastmatch import Corpus, FastmatchWarning, OptionError, ReadError, ReadWarning, read, score

from support.readback import spelled
from support.refusal import fails

TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
EX = "http://example.org/"


@pytest.fixture
def networkx():
    return pytest.importorskip("networkx", reason="networkx is not installed: pip install 'fastmatch[networkx]'")


@pytest.fixture
def rdf():
    return pytest.importorskip("pyoxigraph", reason="pyoxigraph is not installed: pip install 'fastmatch[rdf]'")


# ---- networkx --------------------------------------------------------------------------------------------------------


def test_networkx(networkx):
    scene = networkx.MultiDiGraph(id="7", snt="A cat.", year=3)
    scene.add_node("n1", label="cat (x)", colour=["red", "black"], size=2, none=None)
    scene.add_node(2, label=["mat", "rug"])
    scene.add_node("n3")
    scene.add_edge("n1", 2, "on")
    scene.add_edge("n1", 2, "near", weight=3)
    scene.add_edge(2, "n1", role="under")
    plain = networkx.DiGraph([("a", "b", {"role": "r"}), ("b", "b", {"role": "s"})])
    corpus = Corpus.from_networkx([scene, plain], tops=[None, "a"])
    assert spelled(corpus[0].triples) == (
        "n1 :instance cat (x); 2 :instance mat; 2 :instance rug; n1 :on 2; n1 :near 2; 2 :under n1; n1 :colour red; "
        "n1 :colour black; n1 :size 2"
    )
    assert corpus[0].variables == ("n1", "2", "n3") and corpus[0].metadata == {"id": "7", "snt": "A cat."}
    assert corpus[1].triples == [("a", ":r", "b"), ("b", ":s", "b")] and corpus.root.tolist() == [-1, 0]
    [own] = Corpus.from_networkx([plain], label=None)
    assert own.instances == [("a", ":instance", "a"), ("b", ":instance", "b")]
    assert score(corpus, corpus).f1 == 1


def test_networkx_errors(networkx):
    directed, several = networkx.DiGraph, networkx.MultiDiGraph
    for graphs, message in (
        ([networkx.Graph([("a", "b")])], r"graph 0: a graph without directions: .*to_directed\(\)"),
        ([directed(), directed([("a", "b", {"label": "r"})])], "graph 1: the edge .* has no 'role'; role=… names"),
        ([several([("a", "b")])], "the edge from 'a' to 'b' has no 'role'"),
        ([directed([(("a", 1), "b", {"role": "r"})])], r"a node: expected text or a number, found \('a', 1\)"),
        ([[]], "expected a graph of networkx, found list"),
        (directed([("a", "b")]), r"expected graphs of networkx, found one, .* of one graph: \[graph\]"),
    ):
        fails(OptionError, message, Corpus.from_networkx, graphs)
    fails(OptionError, "top: 'x' is not among the nodes", Corpus.from_networkx, [directed()], tops=["x"])


# ---- RDF -------------------------------------------------------------------------------------------------------------


def test_ntriples(rdf, own_data):
    path = own_data / "triples" / "library.nt"
    expected = (
        "book/1 :instance book/1; Person :instance Person; book/1 :http://purl.org/dc/terms/creator _:author; _:author "
        f":{TYPE} Person; book/1 :http://purl.org/dc/terms/title On Colours (and light)@en; _:author :born 1850"
    )
    corpus = read(path)
    assert spelled(corpus[0].triples).replace(EX, "") == expected and corpus.rootless.tolist() == [0]
    assert Corpus.from_rdf(path.read_text()) == corpus and Corpus.from_rdf(io.BytesIO(path.read_bytes())) == corpus
    [typed] = Corpus.from_rdf(path.read_bytes(), label="rdf:type")
    assert typed.instances == [("_:author", ":instance", f"{EX}Person")]
    assert [role for _, role, _ in typed.relations] == [":http://purl.org/dc/terms/creator"]


def test_named_graphs(rdf, own_data):
    path = own_data / "triples" / "library.trig"
    corpus = read(path)
    assert corpus.ids == [f"{EX}g1", f"{EX}g2", None] and [len(graph.relations) for graph in corpus] == [1, 1, 0]
    labelled = Corpus.from_rdf(path.read_bytes(), format="trig", label="rdfs:label")
    assert labelled[0].instances == [(f"{EX}a", ":instance", "Ann"), (f"{EX}a", ":instance", "Anna")]
    assert labelled[0].attributes == []
    assert score(corpus, read(path)).f1 == 1


def test_rdf_errors(rdf, tmp_path):
    bad = tmp_path / "bad.nt"
    bad.write_text("<http://e/a> <http://e/p> <http://e/b> .\n<http://e/a> <http://e/p b> .\n", encoding="utf-8")
    assert "\n" not in str(fails(ReadError, r"bad\.nt:2:14: no RDF that can be read: .*IRI", read, bad))
    fails(ReadError, "no RDF that can be read", Corpus.from_rdf, b"\xff\xfe")
    fails(OptionError, "RDF of which format", Corpus.from_rdf, "", format="docx")
    for name in ("a/b.nt", Path("a/b.nt")):
        fails(OptionError, r"found the name of a file; fastmatch\.read\('a/b\.nt'\) reads it", Corpus.from_rdf, name)
    fails(ReadError, "this is RDF, which has no text to be read as 'wlk'", read, bad, dialect="wlk")
    empty = tmp_path / "empty.nt"
    empty.write_text("# nothing\n", encoding="utf-8")
    assert len(read(empty)) == 0


def test_blank_nodes_without_a_name_are_numbered(rdf):
    """pyoxigraph draws their names anew in every reading; the same text is the same graph."""
    written = "0123456789abcdef0123456789abcdef"
    text = f"@prefix e: <{EX}> . [] e:knows [ e:name 'x' ] . _:{written} e:knows _:b ."
    corpus = Corpus.from_rdf(text, format="ttl")
    assert corpus == Corpus.from_rdf(text.encode(), format="ttl")
    assert corpus[0].relations == [("_:[1]", f":{EX}knows", "_:[2]"), (f"_:{written}", f":{EX}knows", "_:b")]


@pytest.mark.parametrize("form", ["nt", "ttl"])
def test_a_byte_order_mark_is_dropped(rdf, form):
    text = f'<{EX}a> <{EX}p> "x" .'
    plain = Corpus.from_rdf(text, format=form)
    assert Corpus.from_rdf("\ufeff" + text, format=form) == plain
    assert Corpus.from_rdf(text.encode("utf-8-sig"), format=form) == plain


def test_a_huge_literal_is_one_line(rdf):
    with pytest.raises(ReadError, match="an IRI or a literal of more than 16 MiB"):
        Corpus.from_rdf(f'<{EX}a> <{EX}p> "{"x" * (17 << 20)}" .')


def test_a_direction_is_part_of_a_language(rdf):
    if not hasattr(rdf.Literal, "direction"):
        pytest.skip("this pyoxigraph knows no directions")
    [graph] = Corpus.from_rdf(f'<{EX}a> <{EX}p> "x"@ar--rtl .')
    assert graph.attributes == [(f"{EX}a", f":{EX}p", "x@ar--rtl")]


@pytest.mark.parametrize("label", [TYPE, f"<{TYPE}>", "rdf:type", "a"])
def test_ways_to_name_the_predicate_of_labels(rdf, label):
    [graph] = Corpus.from_rdf(f"<{EX}x> a <{EX}T> .", format="ttl", label=label)
    assert graph.triples == [(f"{EX}x", ":instance", f"{EX}T")]


def test_a_prefix_of_the_data_names_the_predicate_of_labels(rdf):
    [graph] = Corpus.from_rdf(f"@prefix e: <{EX}> . e:x e:name 'X' .", format="ttl", label="e:name")
    assert graph.triples == [(f"{EX}x", ":instance", "X")]


def test_a_predicate_that_gives_no_labels_is_warned_of(rdf):
    """A misspelt one would leave all nodes without labels, in silence."""
    message = r"^<rdf>: no triple has the predicate 'rdf:typ', so no node has a label$"
    with pytest.warns(FastmatchWarning, match=message):
        Corpus.from_rdf(f"<{EX}x> a <{EX}T> .", format="ttl", label="rdf:typ")
    assert len(Corpus.from_rdf("", label="rdf:typ")) == 0


@pytest.mark.parametrize("data", [None, 3, ["<a>"]])
def test_what_is_no_rdf_is_a_type_error(rdf, data):
    fails(TypeError, r"^expected RDF as str, bytes or a file, found ", Corpus.from_rdf, data)


def test_a_file_of_a_folder_without_triples_keeps_its_place(rdf, tmp_path):
    """A prediction of nothing is an empty graph: left out, the graphs behind it would have other partners."""
    for name, text in (("1.nt", ""), ("2.ttl", f"<{EX}a> <{EX}p> <{EX}b> ."), ("3.rdf", ""), ("4.trig", "")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.warns(ReadWarning, match=r"no graphs in 1 of its 4 files \(4\.trig\)"):
        corpus = read(tmp_path)
    assert [len(graph.triples) for graph in corpus] == [0, 3, 0]


def test_without_the_libraries(monkeypatch: pytest.MonkeyPatch, own_data: Path):
    """One line that names the extra; nothing else needs them."""
    monkeypatch.setitem(sys.modules, "pyoxigraph", None)
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(OptionError, match=r"RDF files need pyoxigraph: pip install 'fastmatch\[rdf\]'"):
        read(own_data / "triples" / "library.nt")
    assert len(read(own_data / "triples" / "facts.jsonl")) == 3
