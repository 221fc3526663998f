"""SemBleu: against a plain Python twin, and the program's quirks one by one."""

from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.metrics import make

from support.refusal import fails
from support.strategies import specs
from twins.ngrams import bleu, grams
from twins.readers import read_penman


def run(pred: str, gold: str, **options) -> fm.PairScores:
    return fm.score(pred, gold, metric="sembleu", **options).pairs


OPTIONS = st.fixed_dictionaries(
    {
        "k": st.integers(1, 5),
        "weights": st.sampled_from(["uniform", "tool"]),
        "smoothing": st.sampled_from(["nist", "none"]),
        "brevity": st.booleans(),
        "direction": st.sampled_from(["pred-gold", "gold-pred", "mean"]),
        "keys": st.sampled_from(["hashed", "exact"]),
    }
)


@pytest.mark.slow
@given(specs(max_size=5, missing_concepts=True), specs(max_size=5, missing_concepts=True), OPTIONS)
def test_as_the_twin(pred, gold, options):
    pairs = run(pred.text(), gold.text(), **options)
    left, right, k = read_penman(pred.text()), read_penman(gold.text()), options["k"]
    (mine, size), (theirs, other) = grams(left, k), grams(right, k)
    expected = [(a & b).total() for a, b in zip(mine, theirs, strict=True)]
    expected += [bag.total() for bag in mine + theirs] + [size, other]
    assert pairs.statistics[:, 0].tolist() == expected
    weights = (0.34, 0.33, 0.34) if options["weights"] == "tool" and k == 3 else (1 / k,) * k
    rules = weights, options["smoothing"] == "nist", options["brevity"]
    there, back = bleu(left, right, *rules), bleu(right, left, *rules)
    expected_score = {"pred-gold": there, "gold-pred": back, "mean": (there + back) / 2}[options["direction"]]
    assert pairs.score.item() == pytest.approx(expected_score, abs=1e-12)


def test_graphs_that_are_too_dense():
    """Forty ways to go out and come back: walks of twelve nodes are more than can be counted."""
    loops = " ".join(f":r{k} (m{k} / c :q n)" for k in range(40))
    text = f"(n / c {loops})"
    for effort, most in (("low", 2 * 10**5), ("default", 10**6)):
        result = fm.score([text, "(a / b)"], [text, "(a / b)"], metric="sembleu", k=12, effort=effort)
        assert result.pairs.certified.tolist() == [False, True]
        assert sum(result.pairs.statistics[12:24, 0]) == most + 41  # each node is a gram of one, whatever the limit
        assert result.pairs.score.tolist() == [1, 1]
    assert fm.score(text, text, metric="sembleu").certified


def test_options_that_make_no_sense():
    for k in (0, 65, True, "3"):
        fails(fm.OptionError, r"expected a whole number( from 1 to 64|$)", make, "sembleu", k=k)
    fails(fm.OptionError, "expected True or False", make, "sembleu", brevity=1)


# ---------------------------------------------------------------- the program


def rows(text: str) -> tuple[list, list, list]:
    """Instances, attributes and relations as the program reads them."""
    graph = fm.parse([text], dialect="sembleu")
    names = [graph.vocabulary.text(name) for name in graph.variable_names.tolist()]
    label = graph.vocabulary.text
    return (
        [(names[v], label(concept)) for v, concept, _ in graph.instances.T.tolist()],
        [(names[v], label(role), label(value)) for v, role, value, _ in graph.attributes.T.tolist()],
        [(names[v], label(role), names[w]) for v, role, w, _, _ in graph.relations.T.tolist()],
    )


def test_reading():
    text = '# no graph\n(a / and~e.1 :op1 (b / b c\n :x-of b :name "New  York" :p "a:b/(c)")\n :op2 b :li 3)'
    assert rows(text) == (
        [("a", "and~e.1"), ("b", "bc")],
        [("a", ":li", "3"), ("b", ":name", "New York"), ("b", ":p", "abc")],
        [("a", ":op1", "b"), ("a", ":op2", "b"), ("b", ":x-of", "b")],
    )


def test_forward_references():
    """A letter with digits may come before its node; a longer name is a constant, with the label of that node."""
    assert rows("(a / a :x b2 :y (b2 / c))")[2] == [("a", ":x", "b2"), ("a", ":y", "b2")]
    assert rows("(a / a :x vb2 :y (vb2 / c))")[1:] == ([("a", ":x", "c")], [("a", ":y", "vb2")])
    assert rows('(a / a :x "i" :y (i / c))')[1:] == ([("a", ":x", "c")], [("a", ":y", "i")])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(a / b :x c)", "takes a letter with digits for a variable, and one is not defined"),
        ("(a / b :x (a / c))", "refuses a second node with the same variable"),
        ("(a / b :x)", "role without a value"),
        ("(a / b / c)", "takes '/' only after the variable of a node"),
        ("(a / b))", "'\\)'"),
        ("(a / b", "a node has no complete concept"),
        ("# x\na b", "found no '/' after a variable"),
        ("(a / b :x (:y (c / d)))", "two roles wait for a node"),
        (":x y (a / b)", "role without a value|role outside a node"),
    ],
)
def test_what_the_program_refuses(text, message):
    fails(fm.ReadError, message, fm.parse, [text], dialect="sembleu")
    assert fm.parse([text, "(a / b)"], dialect="sembleu", on_error="empty").problems[0][0] == 0


def test_roles_that_are_turned_around():
    """Every role in -of, exceptions or not, and those of constants too; all -of in it go."""
    assert run("(a / a :consist-of (b / b))", "(b / b :consist (a / a))", preset="tool").score.item() == 1
    assert run("(a / a :consist-of (b / b))", "(b / b :consist (a / a))").match_2.item() == 0
    pairs = run("(a / a :x-of-of 3 :y (c / c))", "(a / a :x 3 :y (c / c))", preset="tool")
    # 3 → a → c is a walk of three nodes on one side only
    assert pairs.statistics[:, 0].tolist() == [3, 1, 0, 3, 2, 1, 3, 2, 0, 5, 5]


def test_the_commit_that_turned_nothing_around():
    """Until February 2021 relations kept their direction and names, in the letters they are written with."""
    assert make("sembleu", "bamboo").dialect == "sembleu"
    there, back = "(a / a :x-of (b / b))", "(b / b :x (a / a))"
    assert run(there, back, preset="tool").match_2.item() == 1 and run(there, back, preset="bamboo").match_2.item() == 0
    assert run(there, "(q / A :x-of (b / B))", preset="bamboo").match_2.item() == 1
    assert run(there, "(q / A :X-of (b / B))", preset="bamboo").match_2.item() == 0
    # from a, written first, everything is reached
    lasso = "(a / a :x-of (b / b :x-of (c / c :x-of b)))"
    pairs = run(lasso, lasso, preset="bamboo", k=4)
    assert [pairs.pred_1.item(), pairs.pred_2.item(), pairs.pred_3.item(), pairs.pred_4.item()] == [3, 3, 3, 1]


def test_what_no_root_reaches():
    """A cycle apart from the roots counts nothing for the program; without any root walks start at the top."""
    lasso = "(a / a :x-of (b / b :x-of (c / c :x-of b)))"
    assert run(lasso, lasso, preset="tool").pred_1.item() == 1
    apart = "(a / a :x (b / b :y-of (c / c :y (d / d :z c))))"
    assert run(apart, apart, preset="tool").pred_1.item() == 2 and run(apart, apart).pred_1.item() == 4
    ring = "(a / a :x (b / b :x a))"
    assert run(ring, ring, preset="tool").pred_1.item() == 2


@pytest.mark.parametrize("scale", [1, 50, 100])
def test_equal_precisions_score_equally(scale):
    """To the last bit, or ranks would hinge on it: within the kernel's table of logarithms, across its end, beyond."""
    from fastmatch._ext.index.bleu import bleu_scores

    matches = scale * np.array([[1.0, 2.0, 3.0, 6.0], [1.0, 2.0, 3.0, 6.0]])
    totals = matches * np.array([[3.0], [7.0]])
    sizes = np.full(4, 9.0)
    weights = np.array([0.3, 0.7])
    for brevity in (True, False):
        given = {"weights": weights, "smoothing": "nist", "brevity": brevity}
        scores = bleu_scores(matches, totals, sizes, sizes + 1, **given)
        assert len(set(scores.tolist())) == 1
        assert scores[0] == pytest.approx(3**-0.3 * 7**-0.7 * (exp(1 - 10 / 9) if brevity else 1), abs=1e-15)
