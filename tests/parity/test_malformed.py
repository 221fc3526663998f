"""Broken and extreme input, as our own expectations.

The inputs are those of the list on which the peers were recorded (penman 1.3.1, smatch 1.0.4); what we do with them is
decided here. In short: never a crash, never silent loss, and a broken graph takes no other graph with it.
"""

import io
from typing import NamedTuple

import pytest

from fastmatch.errors import ReadError
from fastmatch.graphs.reading import parse, read

from support.readback import check
from support.refusal import fails

pytestmark = pytest.mark.slow


class Case(NamedTuple):
    """Bytes of a file; per dialect, what stands on top of each graph with on_error="empty" (None: an empty graph)."""

    name: str
    data: bytes
    penman: list[str | None]
    smatch: list[str | None]
    # line:column of the first error
    penman_error: str = ""
    smatch_error: str = ""


CASES = [
    Case("unbalanced-open", b"(a / x :ARG0 (b / y)\n", [None], ["a"], "1:21"),
    Case("unbalanced-open-then-next", b"(a / x :ARG0 (b / y)\n\n(c / z)\n", [None, "c"], ["a", "c"], "3:1"),
    Case("swallowed-block", b"(a / x :ARG0\n\n(c / z)\n\n(d / w)\n", [None, "c", "d"], ["a", "c", "d"], "3:1"),
    Case("unbalanced-open-then-comment", b"(a / x\n\n# ::id 2\n(c / z)\n", [None, "c"], [None, "c"], "3:1", "1:7"),
    Case("unbalanced-open-a-graph-a-line", b"(a / x :y (b / z)\n(c / z)\n(d / w)", [None, "c", "d"], ["a"], "2:1"),
    Case("unbalanced-close", b"(a / x))\n\n(c / z)\n", [None, "c"], [None, "c"], "1:8", "1:8"),
    Case("stray-close-in-its-own-block", b"(a / x)\n\n)\n\n(c / z)", ["a", None, "c"], ["a", None, "c"], "3:1", "3:1"),
    Case("unterminated-string", b'(a / x :op1 "abc)\n\n(c / z)\n', [None, "c"], ["a", "c"], "1:13"),
    Case("empty", b"", [], []),
    Case("whitespace-only", b"  \n\n \t\n", [], []),
    Case("only-comments", b"# ::id 1\n# ::snt foo\n", [], []),
    Case("comment-block-then-graph", b"# header\n\n# ::id 1\n(a / x)\n", ["a"], ["a"]),
    Case("comment-block-last", b"(a / x)\n\n# ::id 2\n", ["a"], ["a"]),
    Case("junk", b"hello world 123\n", [None], [None], "1:1", "1:1"),
    Case("junk-then-graph", b"hello\n\n(a / x)\n", [None, "a"], [None, "a"], "1:1", "1:1"),
    Case("junk-between", b"(a / x)\n\njunk\n\n(b / y)\n", ["a", None, "b"], ["a", None, "b"], "3:1", "3:1"),
    Case("junk-behind", b"(a / x) junk\n\n(b / y)\n", [None, "b"], ["a", "b"], "1:9"),
    Case("junk-on-the-next-line", b"(a / x)\njunk\n(b / y)\n", [None, "b"], ["a"], "2:1"),
    Case("junk-behind-the-second", b"(a / x) (b / y) junk\n", ["a", None], ["a"], "1:17"),
    Case("nul", b'(a / x\0y :op1 "p\0q")\n', ["a"], ["a"]),
    Case("invalid-utf8", b'(a / x :op1 "\xff\xfe\xc3")\n', [None], [None], "1:14", "1:14"),
    Case("invalid-utf8-then-next", b"(a / \xc3\n :b (c / d))\n\n(b / y)", [None, "b"], [None, "b"], "1:6", "1:6"),
    Case("invalid-utf8-in-comment", b"(a / x)\n\n# \xe9\n(b / y)\n\n(c / z)",
         ["a", None, "c"], ["a", None, "c"], "3:3", "3:3"),
    Case("overlong-utf8", b"(a / \xc0\xaf)", [None], [None], "1:6", "1:6"),
    Case("surrogate-utf8", b"(a / \xed\xa0\x80)", [None], [None], "1:6", "1:6"),
    Case("too-large-utf8", b"(a / \xf4\x90\x80\x80)", [None], [None], "1:6", "1:6"),
    Case("cyclic", b"(a / x :ARG0 (b / y :ARG0 (c / z :ARG0 a)))\n", ["a"], ["a"]),
    Case("self-loop", b"(a / x :ARG0 a)\n", ["a"], ["a"]),
    Case("dup-var", b"(a / x :ARG0 (b / y) :ARG1 (b / z))\n", ["a"], [None], "", "1:31"),
    Case("bom", b"\xef\xbb\xbf(a / x :ARG0 (b / y))\n", ["a"], ["a"]),
    Case("bom-comment", b"\xef\xbb\xbf# ::id 1\n(a / x)\n", ["a"], ["a"]),
    Case("bom-error", b"\xef\xbb\xbf(a / x))", [None], [None], "1:8", "1:8"),
    Case("crlf", b"# ::id 1\r\n(a / x\r\n   :ARG0 (b / y))\r\n\r\n# ::id 2\r\n(c / z)\r\n", ["a", "c"], ["a", "c"]),
    Case("cr-only", b"(a / x\r   :ARG0 (b / y))\r\r(c / z)\r", ["a", "c"], ["a", "c"]),
    Case("crlf-error", b"(a / x)\r\n\r\n(b / y))\r\n", ["a", None], ["a", None], "3:8", "3:8"),
    Case("no-final-newline", b"(a / x)", ["a"], ["a"]),
    Case("three-blank-lines", b"(a / x)\n\n\n\n(b / y)\n", ["a", "b"], ["a", "b"]),
    Case("blank-line-with-spaces", b"(a / x)\n  \n(b / y)\n", ["a", "b"], ["a", "b"]),
    Case("blank-line-inside-graph", b"(a / x\n\n  :ARG0 (b / y))\n", ["a"], [None, None], "", "1:7"),
    Case("role-newline-value", b"(a / x :quant\n  3 :ARG0 (b / y))\n", ["a"], [None], "", "2:5"),
    Case("concept-newline", b"(a /\n x)\n", ["a"], ["a"]),
    Case("leading-tab-comment", b"\t# ::id 1\n(a / x)\n", ["a"], ["a"]),
    Case("utf16", "\ufeff(a / x)\n".encode("utf-16-le"), [None], [None], "1:1", "1:1"),
    Case("comment-inside", b"(a / x # no\n :y b)\n\n(c / z)", [None, "c"], ["a", "c"], "1:8"),
    Case("metadata-inside", b"(a / x\n# ::id 2\n(c / z)", [None, "c"], [None], "2:1", "3:8"),
    Case("role-waits-for-bracket", b"(a / x :y\n(b / z)\n:y c d)\n(e / f)", [None, "e"], ["a"], "3:6"),
    Case("double-paren", b"((a / x))", [None], [None], "1:2", "1:9"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
@pytest.mark.parametrize("dialect", ["penman", "smatch"])
def test_case(case: Case, dialect: str) -> None:
    expected = getattr(case, dialect)
    where = getattr(case, f"{dialect}_error")
    corpus = read(io.BytesIO(case.data), dialect=dialect, on_error="empty")
    check(corpus)
    assert [graph.top for graph in corpus] == expected
    assert [g for g, _ in corpus.problems] == [g for g, name in enumerate(expected) if name is None]
    skipped = read(io.BytesIO(case.data), dialect=dialect, on_error="skip")
    assert [graph.top for graph in skipped] == [name for name in expected if name is not None] and not skipped.problems
    if where:
        error = fails(ReadError, None, read, io.BytesIO(case.data), dialect=dialect)
        assert f"{error.line}:{error.column}" == where and corpus.problems[0][1] == str(error)
        assert str(error).startswith(f"<stream>:{where}: ")
        if error.text:
            assert error.caret().split("\n")[1] == " " * error.place + "^"
    else:
        assert None not in expected
        read(io.BytesIO(case.data), dialect=dialect)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(a / x :ARG1 / b)", "role ':ARG1' has no target: expected a variable, a constant or '(', found '/'"),
        ("(a / x :op1 \"b)", "expected a variable, a constant or '(', found a string that does not end on its line"),
        ("(a / x b)", "expected a role or ')', found 'b'"),
        ("(a / x~q)", "expected a role or ')', found '~' without an alignment such as ~e.3,4"),
        ("(a / x ~3 ~4)", "expected a role or ')', found '~4'"),
        ("(a / x # b", "expected a role or ')', found a comment inside a graph"),
        ('("a" / x)', "expected a variable or ')' after '(', found '\"a\"'"),
        ("(", "expected a variable or ')' after '(', found the end of the text"),
        ("(a / x", "the text ends, but the graph of line 1 is not closed; expected ')'"),
        ("(a / x\n(b / y)", "a new graph begins, but the graph of line 1 is not closed; expected ')'"),
        ("(a / x))", "')' without a '(' before it"),
        ("(a / x) " + "y" * 99, "expected '(' or a comment outside a graph, found '" + "y" * 37 + "...'"),
    ],
)  # fmt: skip
def test_messages(text: str, message: str) -> None:
    assert fails(ReadError, None, parse, text).message.endswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(a / 1/2)", "smatch takes '/' only after the variable of a node"),
        ("(a / x :b (a / y))", "smatch refuses a second node with the same variable"),
        ("(a / x :b)", "role without a value; expected a variable or a constant before this"),
        ("(a / x :b (:c (d / e)))", "two roles wait for a node; expected a variable after '('"),
        (":a b :c", "role outside a node; expected '(' and a variable first"),
        (":a (b / c)", "role outside a node; expected '(' and a variable first"),
        ("(a / x :b (c / d", "a node has no complete concept; expected ')'"),
        ("hello", "expected a graph, found no '/' after a variable"),
        ("( / x :b-of c :d (c / e))", "smatch refuses an inverted edge from a node without a variable"),
    ],
)  # fmt: skip
def test_messages_of_the_smatch_dialect(text: str, message: str) -> None:
    assert fails(ReadError, None, parse, text, dialect="smatch").message == message


def test_columns_count_characters_and_long_lines_are_cut() -> None:
    error = fails(ReadError, None, parse, "(\u6771 / \U0001f600 \u00e9)")
    assert (error.line, error.column) == (1, 8)
    error = fails(ReadError, None, parse, "\n(a / " + "\u6771" * 5000 + " b " + "x" * 5000 + ")")
    assert (error.line, error.column) == (2, 5007) and len(error.text) < 160 and error.text[error.place] == "b"


def test_an_empty_graph_keeps_its_comments() -> None:
    corpus = parse("# ::id 1\n(a / x)\n\n# ::id 2\n# ::snt t\n(b / y\n\n# ::id 3\n(c / z))", on_error="empty")
    assert [corpus[g].metadata for g in range(3)] == [{"id": "1"}, {"id": "2", "snt": "t"}, {"id": "3"}]
    assert [graph.top for graph in corpus] == ["a", None, None] and corpus.lines.tolist() == [2, 6, 9]
    skipped = parse("# ::id 1\n(a / x)\n\n# ::id 2\n(b / y\n\n# ::id 3\n(c / z)", on_error="skip")
    assert [skipped[g].metadata for g in range(2)] == [{"id": "1"}, {"id": "3"}]


def test_one_name_many_times_unfinished() -> None:
    """smatch lists the edges of a node once for each time its name stands in the text; that may not explode."""
    fails(ReadError, "too large", parse, "(a / " * 3_000 + "x" + " :b a" * 3_000, dialect="smatch")
    assert len(parse("(a / " * 100 + "x" + " :b a" * 100 + ")", dialect="smatch")) == 1


@pytest.mark.parametrize("dialect", ["penman", "smatch"])
def test_a_million_levels(dialect: str) -> None:
    depth = 1_000_000
    corpus = parse("".join(f"(a{i} / x :y " for i in range(depth)) + "(b / z)" + ")" * depth, dialect=dialect)
    assert (corpus.relations.shape[1], corpus.instances.shape[1]) == (depth, depth + 1)
    for text in ("(a / x :y " * depth, "(" * depth):
        assert len(parse(text, dialect=dialect, on_error="empty")) == 1
