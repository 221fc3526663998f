"""The dialects ``smatchpp``, ``wlk`` and ``tsv`` against smatchpp's own readers (1.8).

On purpose different: blocks that hold nothing but white space and comments are no graphs (smatchpp makes empty ones of
them, and graphs of the words in ``# remarks``, which shifts all pairs behind them); a byte-order mark is dropped; text
that is not UTF-8 is an error. ``wlk`` is that of smatchpp 1.5, which does not yet protect brackets inside quotes. It
stands behind WLK's way of cutting files, which drops every line with ``#`` in its first column.
"""

import logging

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from parity.test_penman import MANY, soups, texts
from smatchpp.data_helpers import PenmanReader, TSVReader, TSVWriter

from fastmatch import Corpus, ReadError, parse

from support.refusal import fails
from support.strategies import specs

pytestmark = pytest.mark.slow

ROOT = "ROOT_OF_GRAPH"
READER = PenmanReader()
#: without the one step that smatchpp 1.5 lacks
OLD_READER = PenmanReader()
OLD_READER._PenmanReader__protect_brackets_inside_quotes = lambda text: text

logging.getLogger("__main__").setLevel(logging.CRITICAL)


def blocks(text: str, comment: str):
    """The blocks of a text as smatchpp cuts them, but for those with nothing in them."""
    for block in text.replace("\r\n", "\n").replace("\r", "\n").split("\n\n"):
        lines = [line for line in block.split("\n") if not line.startswith(comment)]
        if any(line.strip() and not line.startswith("#") for line in lines):
            yield "\n".join(lines)


def raw(corpus: Corpus, g: int) -> list[tuple[str | None, str, str | None]]:
    """The triples as smatchpp lists them: with the root triple, which a regular graph has as its top only."""
    graph = corpus[g]
    listed = list(graph.triples)
    if graph.top is not None and graph.top != ROOT:
        assert graph.top == graph.variables[0]
        listed.insert(1, (ROOT, ":root", graph.top))
    return listed


def assert_same(text: str, dialect: str = "smatchpp") -> None:
    reader, comment = (OLD_READER, "#") if dialect == "wlk" else (READER, "# ::")
    expected = [reader.string2graph(block) for block in blocks(text, comment)]
    corpus = parse(text, dialect=dialect).validate()
    assert [raw(corpus, g) for g in range(len(corpus))] == expected
    for g in range(len(corpus)):
        graph = corpus[g]
        with_concepts = dict.fromkeys(source for source, _, _ in graph.instances)
        assert graph.variables[: len(with_concepts)] == tuple(with_concepts)
        assert {source for source, _, _ in graph.triples} | {graph.top} == set(graph.variables) or not graph.triples
        assert all(target in with_concepts for _, _, target in graph.relations)
        assert not any(target in with_concepts for _, _, target in graph.attributes)


TOKENS = [
    "(", "(", ")", " ) ", " / ", "/ x", " ", "\n", '"', "'", '"New York"', "'New York'", '" ', '" )', ":ARG0 ", ":ARG0",
    "a", "b", "a / x", "(a / x", '(b / "x y")', ":root ", '"a" / x', ":instance ", "\n\n", "(5)", "a(", "#", "\n# x\n",
    "\n# ::id 3\n", "\u3000", "\t", ' "(', ' :x"(b" ', ':"(', "b's", ROOT, '(a / c :ARG0-of (b / d) :op1 "x") ',
    "\u00e9", '"x', 'y"', 'x"',
]  # fmt: skip
PIECES = st.lists(st.sampled_from(TOKENS), max_size=25)


@given(
    st.one_of(
        texts(),
        soups(),
        PIECES.map("".join),
        PIECES.map(lambda tokens: f"(a / x {' '.join(tokens)})"),
        specs().map(lambda spec: spec.text()),
    )
)
@MANY
@example("x (")
@example("x ((")
@example("(a / x :r ((5)) :s (((6))))")
@example("(a / b")
@example("a / b")
@example("(a / x)) :y b :z (c / d)")
@example("(a / x :op1 \"b (c\" :op2 'd) e')")
@example("(a / x :op1 \"b 'c\" :op2 d')")
@example("(5 :ARG0 b)")
@example('(a / " :op1 5)')
@example('(a / x :op1 ")')
@example("(a / x :root b :root c)")
@example("(a / x) (b / y)")
@example('(a / x :r"(" b)')
@example("# remark\n(a / x)")
@example("'( ( ( (' :x a / b ) ) \" ( ( x\" a / b :y c ) ) d / e")
@example('"\u00e9\n :x"(b" " (a / c :ARG0-of (b / d) :op1 "x") :instance a / xb\'s\n')
def test_generated(text: str) -> None:
    text = text.lstrip("\ufeff")
    assert_same(text)
    assert_same(text, "wlk")


@pytest.mark.parametrize(
    "name", ["lpp/lpp-v3.0.amr", "lpp/parsers.amr", "lpp/parsers-gold.amr", "bamboo/sts/reify/src.dev.amr"]
)
def test_corpora(data_dir, name):
    text = (data_dir / "data" / name).read_text(encoding="utf-8")
    assert_same(text)
    assert_same(text, "wlk")


def test_only_empty_lines_part_graphs() -> None:
    assert [graph.top for graph in parse("(a / x)\n\n\n\n(b / y)\n\n", dialect="smatchpp")] == ["a", "b"]
    assert len(parse("(a / x)\n \n(b / y)", dialect="smatchpp")) == 1
    assert [graph.top for graph in parse("# remark\n\n# ::id 1\n\n(a / x)", dialect="smatchpp")] == ["a"]
    assert parse("# remark\n\n# ::id 1\n\n(a / x)", dialect="smatchpp")[0].metadata == {"id": "1"}
    fails(ReadError, "found another one", parse, ["(a / x)\n\n(b / y)"], dialect="smatchpp")
    fails(ReadError, "expected a graph, found none", parse, ["# only"], dialect="smatchpp")


def test_the_top_of_a_graph_without_a_root_is_no_variable_with_a_concept() -> None:
    corpus = parse("(a / x) (b / y)\n\n(5)\n\na / b\n\n)", dialect="smatchpp")
    assert [graph.top for graph in corpus] == ["a", ROOT, ROOT, None] and corpus[0].variables == ("a", "b", ROOT)
    assert corpus[0].relations == [(ROOT, ":root_but_not_the_graph_root", "b")]
    assert corpus[1].attributes == [(ROOT, ":root", "5")]


def test_a_graph_prints_with_the_roles_it_has() -> None:
    text = '(a / x :ARG0-of (b / y :op1 "New York") :mod b)'
    assert parse(text, dialect="smatchpp")[0].encode(indent=None) == text


# Tables ---------------------------------------------------------------------------------------------------------------


@given(specs())
def test_tables(spec: object) -> None:
    listed = [tuple(part.replace(" ", "_") for part in triple) for triple in READER.string2graph(spec.text())]  # type: ignore[attr-defined]
    table = TSVWriter().graph2string(listed)
    assert TSVReader().string2graph(table) == listed
    corpus = parse(table + "\n\n# ::id 2\n" + table.replace("\t", "  "), dialect="tsv").validate()
    assert len(corpus) == 2 and raw(corpus, 0) == raw(corpus, 1) == listed and corpus[1].metadata == {"id": "2"}


def test_strings_between_tabs() -> None:
    graph = parse('n\tname\t:instance\nn\t"New  York"\t:op1\nn\ta b \t :op2', dialect="tsv")[0]
    assert graph.attributes == [("n", ":op1", '"New  York"'), ("n", ":op2", "a b")]
    assert graph.top == ROOT and graph.variables == ("n", ROOT)


@pytest.mark.parametrize("line", ["a b", "a b c d", "a\tb", "a\tb\tc\td", "x"])
def test_a_line_that_is_no_triple(line: str) -> None:
    error = fails(ReadError, None, parse, f"a x :instance\n{line}\n\nb y :instance", dialect="tsv")
    assert str(error) == "<string>:2:1: expected a triple in three columns: source, target, role"
    rest = parse(f"a x :instance\n{line}\n\nb y :instance", dialect="tsv", on_error="empty")
    assert [graph.variables for graph in rest] == [(), ("b", ROOT)] and [g for g, _ in rest.problems] == [0]
