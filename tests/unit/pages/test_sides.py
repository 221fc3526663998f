"""Two graphs beside each other on a terminal."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.metrics import make
from fastmatch.pages.terminal import print_alignment_sides

from support.strategies import pairs as spec_pairs

BOY = "(w / want-01 :ARG0 (b / boy :quant 2) :ARG1 (g / go-02 :ARG0 b))"
GIRL = "(w / want-01 :ARG0 (b / girl :quant 3) :ARG2 (g / go-02 :ARG0 b) :polarity -)"


def sides(pred: str, gold: str, width: int = 80, metric: str = "smatch") -> list[str]:
    """The lines of both graphs, without the sum and the signature."""
    dialect = make(metric).dialect
    return sides_of(fm.parse([pred], dialect=dialect), fm.parse([gold], dialect=dialect), width, metric)


def sides_of(pred: fm.Corpus, gold: fm.Corpus, width: int, metric: str = "smatch") -> list[str]:
    file = io.StringIO()
    print_alignment_sides(fm.align(pred, gold, metric=metric), make(metric), pred, gold, width, file)
    return file.getvalue().split("\n\n= equal")[0].splitlines()


def test_by_hand():
    assert sides(BOY, GIRL, 74) == [
        "prediction                             gold",
        "(w / want-01                        =  (w / want-01",
        "  :ARG0 (b / boy                    ~    :ARG0 (b / girl",
        "    :quant 2)                       -",
        "                                    +      :quant 3)",
        "  :ARG1 (g / go-02                  ~    :ARG2 (g / go-02",
        "    :ARG0 b))                       =      :ARG0 b)",
        "                                    +    :polarity -)",
    ]


def test_narrow_terminals_get_one_column():
    assert sides(BOY, GIRL, 40) == [
        "= (w / want-01", "-   :ARG0 (b / boy", "+   :ARG0 (b / girl", "-     :quant 2)", "+     :quant 3)",
        "-   :ARG1 (g / go-02", "+   :ARG2 (g / go-02", "=     :ARG0 b))", "+   :polarity -)",
    ]  # fmt: skip


def test_lines_that_match_elsewhere():
    lines = sides("(a / and :op1 (b / bee) :op2 (c / cee))", "(a / and :op2 (c / cee) :op1 (b / bee))")
    shown = [" ".join(line.split()) for line in lines[2:]]
    assert shown == [": :op2 (c / cee)", ":op1 (b / bee) = :op1 (b / bee))", ":op2 (c / cee)) :"]


def test_rewritten_graphs_have_a_text():
    """Reified graphs list their new nodes in no order of a text."""
    text = "(a / city :location (c / country) :polarity -)"
    assert all("=" in line for line in sides(text, text, 100, "smatch++")[1:])


def test_triples_in_any_order_have_a_text():
    """Relations that do not open the node that is named next; and a node that the top does not reach."""
    triples = [
        *(("d", ":ARG1", "c"), ("c", ":ARG0", "b"), ("a", ":ARG0", "b"), ("c", ":polarity", "-")),
        *((name, ":instance", f"{name}{name}") for name in "cbade"),
    ]
    corpus = fm.Corpus.from_triples([("a", triples)])
    lines = sides_of(corpus, corpus, 100)[1:]
    assert [line.split("=")[0].rstrip() for line in lines] == [
        "(a / aa", "  :ARG0 (b / bb", "    :ARG0-of (c / cc", "      :ARG1-of (d / dd)", "      :polarity -)))",
        "(e / ee)",
    ]  # fmt: skip


@given(spec_pairs(), st.integers(10, 130))
def test_every_triple_is_shown_once_and_no_line_is_too_long(pair, width):
    pred, gold = (spec.text() for spec in pair)
    lines = sides(pred, gold, width)
    if width >= 64:
        assert max(map(len, lines)) <= width
    text = "".join("".join(lines).split())
    for spec in pair:
        for _, role, _ in (*spec.attributes, *spec.edges):
            assert role.removesuffix("-of").lower() in text.lower()


@pytest.mark.parametrize("text", ['"\x1b[31m"', '"a\x07b"', '"\u202ex"'])
def test_control_characters_stay_out_of_terminals(text):
    lines = "\n".join(sides(f"(a / cat :name {text})", "(a / cat)"))
    assert not any(ord(c) < 32 and c != "\n" for c in lines) and "\u202e" not in lines


def test_deep_graphs_need_no_stack():
    deep = "".join(f"(v{k} / x :ARG0 " for k in range(1200)) + "(z / y" + ")" * 1201
    assert len(sides(deep, deep, 100)) > 1201
