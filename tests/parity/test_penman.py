"""The reader against the libraries: penman 1.3.1 with its AMR model, and smatch 1.0.4's own reader.

The recorded cases were made with ``penman.loads`` and with ``AMR.parse_AMR_line(AMR.get_amr_line(file))``; the
generated texts go through the installed packages. penman is asked through its file reader (lines end at newlines only).

On purpose different from penman: what it drops in silence is an error here; comments behind the last graph are none.
"""

import io
import json
import logging
from typing import Any

import amr
import penman
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from penman import layout, surface
from penman._lexer import PENMAN_RE, lex
from penman._parse import _parse
from penman.models import amr as amr_model

from fastmatch.errors import ReadError
from fastmatch.graphs.reading import parse, read

from support.nightly import NIGHT
from support.readback import check
from support.refusal import fails

pytestmark = pytest.mark.slow

logging.getLogger("penman").setLevel(logging.CRITICAL)

MANY = settings(max_examples=3 * (settings.default or settings()).max_examples)


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(amr, "ERROR_LOG", io.StringIO())


# The peers ------------------------------------------------------------------------------------------------------------


def penman_graphs(text: str) -> tuple[list[penman.Graph], bool]:
    """The graphs that penman reads, and whether it read everything: no error, nothing left."""
    graphs: list[penman.Graph] = []
    tokens = lex(io.StringIO(text, newline=None), pattern=PENMAN_RE)
    try:
        while tokens and tokens.peek().type in ("COMMENT", "LPAREN"):
            graphs.append(layout.interpret(_parse(tokens), amr_model.model))
    except penman.DecodeError:
        return graphs, False
    return graphs, not tokens


def ends_in_comments(text: str) -> bool:
    """Whether penman would read the text if the comments at its end were not there."""
    lines = io.StringIO(text, newline=None).read().split("\n")
    while lines and (not lines[-1].strip(" \t\v\f") or lines[-1].lstrip(" \t\v\f").startswith("#")):
        lines.pop()
    text = "\n".join(lines)
    # a comment may also stand behind the last bracket
    ends = [at for at in range(len(text)) if text[at] == "#" and text[:at].rstrip(" \t\v\f").endswith(")")]
    heads = [text] + [text[:at] for at in ends]
    return any("\n" not in text[len(head) :] and penman_graphs(head)[1] for head in heads)


def assert_same_as_penman(corpus, graphs):
    assert len(corpus) == len(graphs)
    for mine, graph in zip(corpus, graphs, strict=True):
        assert mine.triples == graph.triples and mine.top == graph.top and mine.metadata == graph.metadata
        assert mine.relations == [tuple(e) for e in graph.edges()]
        assert mine.attributes == [tuple(a) for a in graph.attributes()]
        made = mine.to_penman()
        assert surface.alignments(made) == surface.alignments(graph)
        assert surface.role_alignments(made) == surface.role_alignments(graph)


#: Instances, attributes and relations.
Lists = tuple[list[Any], list[Any], list[Any]]


def lists(graph):
    return graph.instances, graph.attributes, graph.relations


def smatch_lists(line: str) -> Lists | None:
    """What smatch makes of a glued line; None when it refuses the line or dies of it."""
    try:
        graph = amr.AMR.parse_AMR_line(line)
    except IndexError:
        return None
    if graph is None:
        return None
    assert graph.attributes[0].pop() == ["TOP", "top"]
    instances, attributes, relations = graph.get_triples()
    return (
        [(v, ":instance", concept) for _, v, concept in instances],
        [(v, ":" + role, value) for role, v, value in attributes],
        [(v, ":" + role, target) for role, v, target in relations],
    )


def assert_same_as_smatch(text: str) -> None:
    file = io.StringIO(text, newline=None)
    expected = [smatch_lists(line) for line in iter(lambda: amr.AMR.get_amr_line(file), "")]
    corpus = parse(text, dialect="smatch", on_error="empty")
    check(corpus)
    assert [lists(graph) if root >= 0 else None for graph, root in zip(corpus, corpus.root, strict=True)] == expected
    assert [g for g, _ in corpus.problems] == [g for g, rows in enumerate(expected) if rows is None]
    assert all(graph.top == rows[0][0][0] for graph, rows in zip(corpus, expected, strict=True) if rows is not None)
    if None in expected:
        fails(ReadError, None, parse, text, dialect="smatch")
    skipped = parse(text, dialect="smatch", on_error="skip")
    assert [lists(graph) for graph in skipped] == [rows for rows in expected if rows is not None]


# Recorded -------------------------------------------------------------------------------------------------------------

# Two cases are read in another way on purpose: "extra-text-after" (penman drops what stands behind a graph; here it is
# an error) and "unicode-line-sep" (penman.loads ends lines at U+2028; penman.load and fastmatch do not).


def recorded(data_dir) -> list[dict[str, Any]]:
    with open(data_dir / "reference" / "penman" / "cases.json", encoding="utf-8") as file:
        return list(json.load(file)["cases"])


def test_recorded_cases_of_penman(data_dir):
    cases = recorded(data_dir)
    assert len(cases) == 86
    for case in cases:
        expected = case["penman_amr_model"]
        try:
            corpus = parse(case["input"])
        except ReadError:
            assert "error" in expected or case["name"] == "extra-text-after", case["name"]
            continue
        if case["name"] == "unicode-line-sep":
            assert corpus[0].triples == [("a", ":instance", "x"), ("a", ":value", '"p\u2028q"')]
            continue
        assert "error" not in expected, case["name"]
        assert len(corpus) == expected["n_graphs"], case["name"]
        for g, graph in enumerate(corpus):
            assert graph.triples == [tuple(triple) for triple in expected["triples"][g]], case["name"]
            assert graph.top == expected["top"][g], case["name"]
            assert graph.metadata == expected["metadata"][g], case["name"]


def test_recorded_cases_of_smatch(data_dir):
    for case in recorded(data_dir):
        assert_same_as_smatch(case["input"])


@pytest.mark.parametrize(
    "name", ["lpp/lpp-v3.0.amr", "lpp/parsers.amr", "lpp/parsers-gold.amr", "bamboo/sts", "bamboo/sick"]
)
def test_corpora(data_dir, name):
    place = data_dir / "data" / name
    files = sorted(p for p in place.rglob("*") if p.suffix in (".amr", ".txt")) if place.is_dir() else [place]
    assert files
    for file in files[: 2 if NIGHT else 1]:
        text = file.read_text(encoding="utf-8")
        graphs, complete = penman_graphs(text)
        if not complete:
            assert ends_in_comments(text), file
        assert_same_as_penman(read(file), graphs)
        assert_same_as_smatch(text)


# Generated: texts that try every corner of the grammar ----------------------------------------------------------------

SYMBOLS = ["a", "b", "c", "x", "-", "5", "1,000", "want-01", "x#1", "-of", "a\xa0b", "東", "\x00", "a.b", "*OR*", "'"]
STRINGS = ['"New"', '"New York"', '""', '"a\\"b"', '"a\\\\"', '"(b / c)"', '"~e.1"', '"x:y/z#"', '"\u6771\u2028"']
ROLES = [
    ":ARG0", ":ARG1", ":ARG0-of", ":ARG0-of-of", ":mod", ":mod-of", ":domain-of", ":consist-of", ":prep-out-of", ":",
    ":prep-on-behalf-of", ":-of", ":of", ":instance", ":instance-of", ":op1", ":TOP", ":subset-of", ":Consist-of",
]  # fmt: skip
ALIGNMENTS = ["~e.1,4", "~e1", "~3", "~e.01", "~z.0,00"]
NOISE = ['"', "(", ")", ":", "/", "~", "#", "\\", " ", "\n\n", "a", ""]
SMATCH_TOKENS = [
    "(", ")", "(a / x", "(b / y)", "(b/y", " :ARG0 ", ":ARG0-of ", ":mod ", " :op1", ":domain-of ", ' "New York" ', '"',
    "/", " ", "\n", "\n\n", "\t", "\r", "\r\n", "a", "b", " b ", "x", ":", "-of", "#", "\n# ::id 1\n", "\u00a0",
    "\u2028", "\x1c", "\x85", "\u3000", "_", "~e.1", ",", "\ufeff", "\x00", "( / x)", ":consist-of ",
    ":prep-out-of b ", "mod",
]  # fmt: skip
SPACES = [" ", "", "\n", "\t", "  ", "\r\n", "\r", "\v", "\f", "\n\n", "\n   "]


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Text by the grammar of penman, with every optional part left out or put in, and any white space between."""
    space = st.sampled_from(SPACES) if draw(st.booleans()) else st.sampled_from([" ", "\n  "])
    symbol = st.sampled_from(SYMBOLS[: draw(st.sampled_from([3, 5, len(SYMBOLS)]))])
    out: list[str] = []

    def put(token: str) -> None:
        gap = draw(space)
        glued = out and token[0] not in '()/:~"' and (out[-1][-1:] not in '()/"')
        out.extend((gap or " " if glued else gap, token))

    def aligned() -> None:
        if draw(st.integers(0, 5)) == 0:
            put(draw(st.sampled_from(ALIGNMENTS)))

    def atom() -> None:
        put(draw(st.sampled_from(STRINGS)) if draw(st.integers(0, 3)) == 0 else draw(symbol))
        aligned()

    def node(depth: int) -> None:
        put("(")
        if draw(st.integers(0, 15)):
            put(draw(symbol))
            if draw(st.integers(0, 5)):
                put("/")
                if draw(st.integers(0, 7)):
                    atom()
            for _ in range(draw(st.integers(0, 3))):
                put(draw(st.sampled_from(ROLES)))
                aligned()
                kind = draw(st.integers(0, 7))
                if kind > 4 and depth < 4:
                    node(depth + 1)
                elif kind > 0:
                    atom()
        put(")")

    for _ in range(draw(st.integers(1, 3))):
        for _ in range(draw(st.integers(0, 2))):
            out.append(draw(st.sampled_from(["\n", "\n\n", " "])))
            out.append("#" + draw(st.sampled_from([" ::id 7 ::x y", "::id 3", "", " a::b  ", "::", "\u6771 (a / b)"])))
            out.append(draw(st.sampled_from(["\n", "\r\n", "\r", "\n\n"])))
        node(0)
    return "".join(out)


@given(texts())
@MANY
@example("(a / x :ARG0~e.1 (a :instance~e.2) :ARG0 (a))")
@example("(a :instance (b :instance-of a) :instance b)")
@example("()")
@example("(a / x :ARG0 () :ARG1 :ARG0-of :ARG0-of ())")
@example("(a :ARG0 (b / c :instance ()) :instance \n\n (d :instance))")
@example("(a :ARG0 :ARG0 ~e.1,4)")
@example("(a :ARG0~e.1 a :ARG0~e.2 a~e.3)")
def test_texts_like_penman(text: str) -> None:
    expected, complete = penman_graphs(text)
    assert complete, "the strategy makes only what penman reads"
    corpus = parse(text)
    check(corpus)
    assert_same_as_penman(corpus, expected)


@given(texts(), st.data())
@MANY
def test_broken_texts_like_penman(text: str, data: st.DataObject) -> None:
    """The same with a few characters taken out or put in: an error exactly where penman has one, or loses something."""
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        rest = text[at + data.draw(st.integers(0, 2)) :]
        text = text[:at] + data.draw(st.sampled_from(NOISE)) + rest
    expected, complete = penman_graphs(text)
    if complete or ends_in_comments(text):
        assert_same_as_penman(parse(text), expected)
    else:
        fails(ReadError, None, parse, text)
    for mode in ("skip", "empty"):
        check(parse(text, on_error=mode))


@given(texts())
def test_texts_like_smatch(text: str) -> None:
    assert_same_as_smatch(text)


@st.composite
def soups(draw: st.DrawFn) -> str:
    """Tokens that mean something to smatch, in any order."""
    pieces = st.sampled_from(SMATCH_TOKENS)
    if draw(st.booleans()):
        return "(a / x" + "".join(draw(st.lists(pieces, max_size=8))) + ")"
    return "".join(draw(st.lists(pieces, max_size=25)))


@given(soups())
@MANY
@example("(a / (a / x :ARG0 b) :ARG1 (b / y) :op1 a)")
@example("( / x :ARG0-of b :mod b)")
@example("( / x :ARG0-of b :mod b :z (b / y))")
@example("(a / x :ARG0 b c (b / y))")
@example(":ARG0 (a / x)")
@example("(a / x :r (:r2 (b / y)))")
@example("(a / x :value (b / y), :mod (c / z)) (d / w)")
@example('(a / x :op1"New" b :op2 c"d e"f)')
def test_soups_like_smatch(text: str) -> None:
    if text.startswith("\ufeff"):
        text = "x" + text  # a byte-order mark at the very beginning is dropped here, and kept in a name by smatch
    assert_same_as_smatch(text)
