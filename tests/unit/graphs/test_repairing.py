"""Broken graphs are mended rule by rule; whole ones stay as they are; whatever has a bracket can be read afterwards."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fastmatch import parse, repair
from fastmatch.graphs import repairing
from fastmatch.graphs.repairing import RULES

CASES = [
    ("text-before", "The graph: (a / b)", "(a / b)"),
    ("unopened", "a / b :x (c / d))", "(a / b :x (c / d))"),
    ("text-after", "(a / b)) :y c)", "(a / b)"),
    ("text-after", "(a / b) That is it.", "(a / b)"),
    ("unclosed", "(a / b :x (c / d :y e  \n", "(a / b :x (c / d :y e))  \n"),
    ("unclosed", "# ::id 1\n(a / b", "# ::id 1\n(a / b)"),
    ("extra-bracket", "((a / b :x ((c / d)) :y e))", "(a / b :x (c / d) :y e)"),
    ("missing-variable", "(/ b :x (/ d))", "(x2 / b :x (x3 / d))"),
    ("missing-variable", '("b c" :x x2)', '(x3 / "b c" :x x2)'),
    ("repeated-variable", "(b / boy :x (b / cat) :y b2 :z (b :v c))", "(b / boy :x (b3 / cat) :y b2 :z (b :v c))"),
    ("missing-slash", "(a b :x (c d))", "(a / b :x (c / d))"),
    ("missing-concept", "(a / :x (c /))", "(a / amr-empty :x (c / amr-empty))"),
    ("missing-concept", "(a :x (a))", "(a / amr-empty :x (a))"),
    ("missing-concept", "# ::id 1\n(a", "# ::id 1\n()"),
    ("missing-concept", "((a /)", "()"),
    ("missing-colon", "(a / b ARG0 (c / d) op1 a mod (e / f))", "(a / b :ARG0 (c / d) :op1 a :mod (e / f))"),
    ("missing-role", "(a / b (c / d) : e)", "(a / b :amr-empty (c / d) :amr-empty e)"),
    ("missing-target", "(a / b :x :y c :z)", "(a / b :x amr-empty :y c :z amr-empty)"),
    ("unquoted", "(n / name :op1 New York)", '(n / name :op1 "New York")'),
    ("unquoted", '(n / name :op1 "New" "York"~e.1)', '(n / name :op1 "New York"~e.1)'),
    ("unquoted", "(p / person :wiki George_Bush_(actor))", '(p / person :wiki "George_Bush_(actor)")'),
    ("unquoted", "(d / date :time 10:30)", '(d / date :time "10:30")'),
    ("unquoted", "(u / url :value http://x.y/z~w)", '(u / url :value "http://x.y/z~w")'),
    ("unquoted", "(a / and/or)", '(a / "and/or")'),
    ("unclosed-string", '(n / name :op1 "New York :op2 (c / d))', '(n / name :op1 "New York" :op2 (c / d))'),
    ("unclosed-string", '(n / name :op1 "New York\n  :op2 c)', '(n / name :op1 "New York"\n  :op2 c)'),
    ("unclosed-string", '(n / name :op1 "New\\)', '(n / name :op1 "New\\\\")'),
    ("comment", "(a / b # a comment\n :x c)", "(a / b \n :x c)"),
    ("stray-text", "(a / b~1~2 :x: c :y (d / e) f :z ::w a)", "(a / b~1 :x c :y (d / e)  :z amr-empty :w a)"),
    ("stray-text", "(a~1 / b :x / c)", "(a / b :x  c)"),
]


@pytest.mark.parametrize(("rule", "broken", "mended"), CASES)
def test_rules(rule: str, broken: str, mended: str) -> None:
    found = repair(broken)
    assert found.text == mended and rule in [name for name, _ in found.repairs]
    assert found.repairs == sorted(found.repairs, key=lambda one: one[1])
    assert len(parse([mended])) == 1 and repair(mended) == (mended, [])


def test_every_rule_has_a_case_and_a_line_where_rules_are_listed() -> None:
    assert {rule for rule, _, _ in CASES} == set(RULES)
    assert tuple(re.findall(r"^``([a-z-]+)``  ", repairing.__doc__ or "", re.MULTILINE)) == RULES
    page = Path(__file__).parents[3] / "docs" / "language-models.md"
    if not page.is_file():
        pytest.skip("the pages are not beside the tests")
    table = page.read_text(encoding="utf-8").split("## Mending it")[1].split("\n## ")[0]
    assert tuple(re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)) == RULES


@pytest.mark.parametrize(
    "text",
    [
        "(a / b)",
        "()",
        "(a / b :x ())",
        "# ::id 1\n# ::snt (x\n\n(a / b~e.1,2 :x~e.3 c~4)\n# behind\n",
        '(a / "b (c" :x "d \\" :y" :z -)',
        "(a/b:x(c/d)\n:y-of c)",
        "\ufeff(a / b)",
        "(a / b :x (a))",
        "(a / 狗 :x é :y 🐕)",
    ],
)
def test_what_needs_no_repair_is_the_same_text(text: str) -> None:
    found = repair(text)
    assert found.text is text and found.repairs == [] and len(parse([text])) == 1


@pytest.mark.parametrize("text", ["", " ", "No graph.", "# (a / b)", "a b / c"])
def test_where_no_graph_begins(text: str) -> None:
    assert repair(text) == (text, [])


def test_no_string() -> None:
    with pytest.raises(TypeError, match="not NoneType"):
        repair(None)  # type: ignore[arg-type]


PIECES = [
    *'()/:"~#\\ ab1,-\n\r\v\x00\u2028é狗🐕',
    *(" / ", "c / d", ":ARG0 ", ":op1 ", "ARG1 ", "~e.1", "10:30", "(a / b ", "\n\n("),
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
@example("(a / b #(")
@example('(a / b :,:/c: / a\n"\x0b')
@example("(a / b (-b\\10:30(~e.1")
@example(" / \\::1)")
def test_whatever_has_a_bracket_can_be_read(text: str) -> None:
    text = "(" + text
    mended, repairs = repair(text)
    assert len(parse([mended])) == 1 and repair(mended) == (mended, [])
    assert {rule for rule, _ in repairs} <= set(RULES) and all(0 <= place <= len(text) for _, place in repairs)
    assert (mended is text) == (not repairs)


@pytest.mark.parametrize("piece", [*PIECES, "a(", "\n(", ':x "a ', "((a / b) ", "# \n", "(b / c :x "])
def test_long_texts(piece: str) -> None:
    """A repair that went through a part again and again would take hours here."""
    mended, _ = repair("(a / b " + piece * (300_000 // len(piece)))
    assert len(parse([mended])) == 1


def test_subclasses_of_str_are_texts() -> None:
    """Those of numpy, of which arrays and data frames are made, were refused."""
    assert repair(np.str_("(a / b")) == repair("(a / b")
    assert parse(np.array(["(a / b", "(c / d)"]), on_error="repair") == parse(["(a / b", "(c / d)"], on_error="repair")
