"""Graph: from triples and penman, looking at it, and writing it as text."""

import numpy as np
import penman
import pytest
from penman.models.amr import model

from fastmatch import Corpus, FastmatchError, Graph, OptionError, parse
from fastmatch.graphs.notation import format_metadata, parse_metadata

from support.nightly import by_day
from support.readback import spelled
from support.refusal import fails

WANT = """\
# ::id 7 ::date today
# ::snt The boy wants to go.
(w / want-01
      :ARG0 (b / boy~e.1,2)
      :ARG1~e.3 (g / go-02
            :ARG0 b~e.1
            :polarity -)
      :ARG0-of (l / last-01))"""


def decode(text: str) -> penman.Graph:
    return penman.decode(text, model=model)


def test_looking():
    graph = Graph.from_penman(decode(WANT))
    assert graph.top == "w" and graph.variables == ("w", "b", "g", "l") and graph.triples == decode(WANT).triples
    assert graph.instances[-1] == ("l", ":instance", "last-01") and graph.attributes == [("g", ":polarity", "-")]
    assert graph.relations == [("w", ":ARG0", "b"), ("w", ":ARG1", "g"), ("g", ":ARG0", "b"), ("l", ":ARG0", "w")]
    assert graph.metadata == {"id": "7", "date": "today", "snt": "The boy wants to go."}
    assert graph.alignments == {("b", ":instance", "boy"): (1, 2), ("g", ":ARG0", "b"): (1,)}
    assert graph.role_alignments == {("w", ":ARG1", "g"): (3,)}
    assert repr(graph) == "<Graph: 7, top w, 4 variables, 9 triples>"


def test_from_triples_fills_in_as_penman_does():
    triples = [("b", "instance", "boy"), ("b", ":quant", 3), ("g", "ARG0", "b"), ("g", ":instance", "go-02")]
    graph = Graph.from_triples(triples, metadata={"id": "x", "snt": "two\nlines"})
    assert graph.top == "b" and spelled(graph.triples) == "b :instance boy; b :quant 3; g :ARG0 b; g :instance go-02"
    assert graph.encode(None) == "# ::id x\n# ::snt two lines\n(b / boy :quant 3 :ARG0-of (g / go-02))"
    assert Graph.from_triples(triples, "g").encode(None) == "(g / go-02 :ARG0 (b / boy :quant 3))"


@pytest.mark.parametrize(
    "text",
    [
        "(a / x :ARG0 ())",
        "(a / x :ARG0)",
        "(b / boy :ARG0-of-of (g / go-02))",
        "(b / boy :of (g / go-02) :-of (h / he) : (i / it))",
        "(a / act-01 :prep-on-behalf-of (b / boy) :prep-out-of (c / cup) :consist-of b)",
        '(n / name :op1 "a\\"b" :op2 "x (y) :z ~1 # /" :op3 "")',
        "(b / boy :quant-of 3)",
        "(é / garçon :ARG0 (日 / 日本))",
    ],
)
def test_round_trip(text):
    """What graphs of ``properties/test_corpus.py`` do not have."""
    judge = decode(text)
    graph = Graph.from_penman(judge)
    assert graph.encode(None) == text and graph.to_penman() == judge
    again = decode(Graph.from_triples(judge.triples, judge.top).encode())
    assert sorted(map(str, again.triples)) == sorted(map(str, judge.triples)) and again.top == judge.top


def test_roles_that_only_stand_one_way():
    consist = Graph.from_triples([("a", ":instance", "x"), ("b", ":consist", "a"), ("b", ":instance", "y")], "a")
    fails(FastmatchError, "variable 'b' is not connected with the top 'a'", consist.encode)
    assert Graph.from_triples(consist.triples, "b").encode(None) == "(b / y :consist (a / x))"
    turned = Graph.from_triples([("a", ":instance", "x"), ("a", ":ARG0-of", "b"), ("b", ":instance", "y")], "a")
    fails(FastmatchError, None, turned.encode)  # ':ARG0-of (b' would be read as (b, :ARG0, a)
    assert Graph.from_triples(turned.triples, "b").encode(None) == "(b / y :ARG0-of-of (a / x))"


def test_what_cannot_be_written():
    with pytest.raises(FastmatchError, match="variable 'c' is not connected with the top 'a'; Penman notation"):
        Graph.from_triples([("a", ":instance", "x"), ("c", ":instance", "y")]).encode()
    with pytest.raises(FastmatchError, match="variable 'a' has 2 concepts, more than there are places"):
        Graph.from_triples([("a", ":instance", "x"), ("a", ":instance", "y")]).encode()
    with pytest.raises(FastmatchError, match="value 'New York' cannot be written in Penman notation; put it into"):
        Graph.from_triples([("a", ":instance", "x"), ("a", ":op1", "New York")]).encode()
    for concept in ("", "#x", "a/b", '"open', '"a\nb"', "(", "12:30"):
        fails(FastmatchError, "concept", Graph.from_triples([("a", ":instance", concept)]).encode)
    fails(FastmatchError, "variable 'a b'", Graph.from_triples([("a b", ":instance", "x")]).encode)
    fails(FastmatchError, "role ':a b'", Graph.from_triples([("a", ":a b", "x")]).encode)


def test_further_concepts_find_a_place():
    """The second concept of a needs a relation written at its other end."""
    triples = [("a", ":instance", "x"), ("a", ":ARG0", "b"), ("b", ":instance", "y"), ("a", ":ARG1", "b")]
    triples.append(("a", ":instance", "z"))
    assert Graph.from_triples(triples).encode(None) == "(a / x :ARG0 (b / y :ARG1-of (a / z)))"


def test_empty_graph():
    graph = Graph.from_triples([])
    assert graph.top is None and graph.variables == () and graph.encode() == "()"
    assert Graph.from_triples([], "a").encode() == "(a)"


def test_equality_ignores_order_but_not_number():
    triples = decode("(a / x :mod 1 :ARG0 (b / y))").triples
    one = Graph.from_triples(triples, "a")
    assert one == Graph.from_triples(reversed(triples), "a")
    assert hash(one) == hash(Graph.from_triples(reversed(triples), "a")) and one != Graph.from_triples(triples, "b")
    assert one != Graph.from_triples([*triples, ("a", ":mod", "1")], "a") and one != "(a / x)"


def linked(shape: str, n: int = 10_000) -> list[tuple[str, str, str]]:
    triples = [(f"v{k}", ":instance", "x") for k in range(n)]
    ends = {"star": lambda k: (0, k + 1), "inverted chain": lambda k: (k + 1, k)}.get(shape, lambda k: (k, k + 1))
    triples += [(f"v{source}", ":ARG0", f"v{target}") for source, target in map(ends, range(n - 1))]
    return [*triples, (f"v{n - 1}", ":ARG1", "v0")] if shape == "ring" else triples


@pytest.mark.slow
@pytest.mark.parametrize("shape", by_day(["chain", "inverted chain", "star", "ring"], 2))
def test_big_graphs_are_written_and_read(shape):
    """10,000 nodes, nested 10,000 deep or all under one; penman gives up at about 490."""
    graph = Graph.from_triples(linked(shape), "v0")
    text = graph.encode()
    assert text.count("(") == 10_000
    again = parse([text])[0]
    assert again == graph
    assert parse([again.encode()])[0].triples == again.triples  # the order of a text's own triples is kept


def test_metadata_is_written():
    assert format_metadata({"id": "3", "preferred": ""}) == "# ::id 3\n# ::preferred" and format_metadata(None) == ""


@pytest.mark.parametrize(
    "comment",
    [
        *("# ::a b::c  d :: e", "#:::a b", "# ::::", "# x ::y z ", "#::a\tb c", "# ::a  b", "#", "# ::a ::a b", ""),
        *("# ::id 7 ::date today ::x\n# ::snt see std::vector now", "# no colons", "#::id 3 ::id 4"),
        "# ::id 3\r\n# ::id 4\t ",
    ],
)
def test_metadata_as_penman_reads_it(comment):
    assert parse_metadata(comment) == decode(f"{comment}\n(a)").metadata


def test_comment_lines_without_hash_are_not_written_as_graph():
    graph = Graph("a", ("a",), [("a", ":instance", "x")], [0], {}, "(b / c)\n  # fine")
    assert graph.encode() == "# (b / c)\n  # fine\n(a / x)"


def test_smatch_graphs_are_quoted_where_they_must_be():
    triples = [("a", ":instance", "name"), ("a", ":op1", "12:00_"), ("a", ":op2", "New_")]
    assert Graph("a", ("a",), triples, [0, 1, 1], {}, "", "smatch").encode(None) == '(a / name :op1 "12:00" :op2 New_)'


def test_to_penman_of_what_no_text_has():
    for triples, top in (
        ([("a", ":instance", "x"), ("b", ":instance", "y")], "a"),
        ([("a", ":ARG0", "b"), ("a", ":instance", "x"), ("b", ":instance", "y")], "a"),
        ([], "a"),
        ([], None),
    ):
        graph = Graph.from_triples(triples, top).to_penman()
        assert graph.triples == triples and graph.top == top and not any(graph.epidata.values())


@pytest.mark.parametrize(
    ("triples", "message"),
    [
        ([("a", ":instance")], r"expected \(source, role, target\), the first two as text, found \('a', ':instance'\)"),
        (["abc"], "expected .* found 'abc'"),
        ("abc", "triples, found 'abc'"),
        (3, "triples, found 3"),
        ({"a": "cat"}, "triples, found {'a': 'cat'}"),
        ([("a", None, "b")], "the first two as text"),
        ([(1, ":instance", "b")], "the first two as text"),
        ([("a", ":quant", float("nan"))], "expected text, a number or None as target, found nan in :quant"),
        ([("a", ":instance", b"cat")], "found b'cat' in :instance"),
        ([("a", ":x", ["b"])], r"found \['b'\] in :x"),
    ],
)
def test_what_is_no_triple(triples, message):
    """NaN and bytes became labels by their names in Python, and a text of three letters a triple."""
    for call in (lambda: Graph.from_triples(triples), lambda: Corpus.from_triples([("a", triples)])):
        fails(OptionError, message, call)


def test_tops_and_metadata_of_triples():
    triples = [("a", ":instance", "cat"), ("a", ":quant", np.float64(2.5)), ("a", ":li", np.int8(1))]
    assert Graph.from_triples(triples).triples[1:] == [("a", ":quant", "2.5"), ("a", ":li", "1")]
    fails(OptionError, "top=3: expected a variable", Graph.from_triples, triples, 3)
    for metadata in ([], [{"id": "x"}] * 2):
        with pytest.raises(OptionError, match=f"1 graphs, but metadata of {len(metadata)}"):
            Corpus.from_triples([("a", triples)], metadata=metadata)
