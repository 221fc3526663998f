"""Graphs of networkx and RDF, and what is said where the libraries are not installed."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest

import fastmatch as fm
from fastmatch import Corpus
from fastmatch.errors import OptionError, ReadError

TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
EX = "http://example.org/"


@pytest.fixture
def networkx() -> Any:
    return pytest.importorskip("networkx", reason="networkx is not installed: pip install 'fastmatch[networkx]'")


@pytest.fixture
def rdf() -> Any:
    return pytest.importorskip("pyoxigraph", reason="pyoxigraph is not installed: pip install 'fastmatch[rdf]'")


# ---- networkx --------------------------------------------------------------------------------------------------------


def test_networkx(networkx: Any):
    scene = networkx.MultiDiGraph(id="7", snt="A cat.", year=3)
    scene.add_node("n1", label="cat (x)", colour=["red", "black"], size=2, none=None)
    scene.add_node(2, label=["mat", "rug"])
    scene.add_node("n3")
    scene.add_edge("n1", 2, "on")
    scene.add_edge("n1", 2, "near", weight=3)
    scene.add_edge(2, "n1", role="under")
    plain = networkx.DiGraph([("a", "b", {"role": "r"}), ("b", "b", {"role": "s"})])
    corpus = Corpus.from_networkx([scene, plain], tops=[None, "a"])
    assert corpus[0].triples == [
        ("n1", ":instance", "cat (x)"),
        ("2", ":instance", "mat"),
        ("2", ":instance", "rug"),
        ("n1", ":on", "2"),
        ("n1", ":near", "2"),
        ("2", ":under", "n1"),
        ("n1", ":colour", "red"),
        ("n1", ":colour", "black"),
        ("n1", ":size", "2"),
    ]
    assert corpus[0].variables == ("n1", "2", "n3")
    assert corpus[0].metadata == {"id": "7", "snt": "A cat."}
    assert corpus[1].triples == [("a", ":r", "b"), ("b", ":s", "b")]
    assert corpus.root.tolist() == [-1, 0]
    [own] = Corpus.from_networkx([plain], label=None)
    assert own.instances == [("a", ":instance", "a"), ("b", ":instance", "b")]
    assert fm.score(corpus, corpus).f1 == 1


def test_networkx_errors(networkx: Any):
    with pytest.raises(OptionError, match=r"graph 0: a graph without directions: .*to_directed\(\)"):
        Corpus.from_networkx([networkx.Graph([("a", "b")])])
    with pytest.raises(OptionError, match="graph 1: the edge from 'a' to 'b' has no 'role'; role=… names where"):
        Corpus.from_networkx([networkx.DiGraph(), networkx.DiGraph([("a", "b", {"label": "r"})])])
    with pytest.raises(OptionError, match="the edge from 'a' to 'b' has no 'role'"):
        Corpus.from_networkx([networkx.MultiDiGraph([("a", "b")])])
    with pytest.raises(OptionError, match=r"a node: expected text or a number, found \('a', 1\)"):
        Corpus.from_networkx([networkx.DiGraph([(("a", 1), "b", {"role": "r"})])])
    with pytest.raises(OptionError, match="expected a graph of networkx, found list"):
        Corpus.from_networkx([[]])
    with pytest.raises(OptionError, match=r"expected graphs of networkx, found one, .* of one graph: \[graph\]"):
        Corpus.from_networkx(networkx.DiGraph([("a", "b")]))
    with pytest.raises(OptionError, match="top: 'x' is not among the nodes"):
        Corpus.from_networkx([networkx.DiGraph()], tops=["x"])


# ---- RDF -------------------------------------------------------------------------------------------------------------


def test_ntriples(rdf: Any, own_data: Path):
    path = own_data / "triples" / "library.nt"
    expected = [
        (f"{EX}book/1", ":instance", f"{EX}book/1"),
        (f"{EX}Person", ":instance", f"{EX}Person"),
        (f"{EX}book/1", ":http://purl.org/dc/terms/creator", "_:author"),
        ("_:author", f":{TYPE}", f"{EX}Person"),
        (f"{EX}book/1", ":http://purl.org/dc/terms/title", "On Colours (and light)@en"),
        ("_:author", f":{EX}born", "1850"),
    ]
    corpus = fm.read(path)
    assert corpus[0].triples == expected
    assert corpus.rootless.tolist() == [0]
    assert Corpus.from_rdf(path.read_text()) == corpus
    assert Corpus.from_rdf(io.BytesIO(path.read_bytes())) == corpus
    [typed] = Corpus.from_rdf(path.read_bytes(), label="rdf:type")
    assert typed.instances == [("_:author", ":instance", f"{EX}Person")]
    assert [role for _, role, _ in typed.relations] == [":http://purl.org/dc/terms/creator"]


def test_named_graphs(rdf: Any, own_data: Path):
    path = own_data / "triples" / "library.trig"
    corpus = fm.read(path)
    assert corpus.ids == [f"{EX}g1", f"{EX}g2", None]
    assert [len(graph.relations) for graph in corpus] == [1, 1, 0]
    labelled = Corpus.from_rdf(path.read_bytes(), format="trig", label="rdfs:label")
    assert labelled[0].instances == [(f"{EX}a", ":instance", "Ann"), (f"{EX}a", ":instance", "Anna")]
    assert labelled[0].attributes == []
    # a blank node has another name in every reading, which says nothing
    assert fm.score(corpus, fm.read(path)).f1 == 1


def test_rdf_errors(rdf: Any, tmp_path: Path):
    bad = tmp_path / "bad.nt"
    bad.write_text("<http://e/a> <http://e/p> <http://e/b> .\n<http://e/a> <http://e/p b> .\n", encoding="utf-8")
    with pytest.raises(ReadError, match=r"bad\.nt:2:14: no RDF that can be read: .*IRI") as caught:
        fm.read(bad)
    assert "\n" not in str(caught.value)
    with pytest.raises(ReadError, match="no RDF that can be read"):
        Corpus.from_rdf(b"\xff\xfe")
    with pytest.raises(OptionError, match="RDF of which format"):
        Corpus.from_rdf("", format="docx")
    with pytest.raises(OptionError, match=r"found the name of a file; fastmatch\.read\('a/b\.nt'\) reads it"):
        Corpus.from_rdf("a/b.nt")
    with pytest.raises(ReadError, match="this is RDF, which has no text to be read as 'wlk'"):
        fm.read(bad, dialect="wlk")
    empty = tmp_path / "empty.nt"
    empty.write_text("# nothing\n", encoding="utf-8")
    assert len(fm.read(empty)) == 0


def test_without_the_libraries(monkeypatch: pytest.MonkeyPatch, own_data: Path):
    """One line that names the extra; nothing else needs them."""
    monkeypatch.setitem(sys.modules, "pyoxigraph", None)
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(OptionError, match=r"RDF files need pyoxigraph: pip install 'fastmatch\[rdf\]'"):
        fm.read(own_data / "triples" / "library.nt")
    assert len(fm.read(own_data / "triples" / "facts.jsonl")) == 3
