"""No score depends on how a graph is written: on the order of its branches, on the names of its variables.

So it is for every metric and every preset but those that follow a program whose score does. These are listed here with
what they depend on; where a preset is taken off its list, the tests say whether that is right.
"""

import re
import warnings
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.metrics import get
from fastmatch.metrics.names import BUILT_IN

from support import strategies
from support.hostile import FAMILIES
from support.nightly import by_day, examples

#: The program's score depends on the text: on the order of branches, or on names of variables.
BY_THE_TEXT = {
    ("align-smatch", "tool"),  # climbs from a first map that goes by the names of variables
    ("ancast", "tool"),  # numbers nodes as they come, keeps the last of several values
    ("s2match", "tool"),  # of two roles between two variables, its reader keeps the last
    ("sembleu", "tool"),  # walks begin at nodes in the order of the text
    ("wlk", "tool"),  # a variable has a number by its place in the text
    ("wsmatch", "tool"),  # as s2match
}
#: The program leaves out the first attribute ``:TOP``, so the order of several that a text has counts.
FIRST_TOP = {("sema", "tool"), ("sema", "bamboo")}
#: Here a graph need not score 1 against itself: a triple that is there twice counts four times or not at all, or the
#: preset is for graphs of boxes, which these are not.
NOT_ONE = {
    ("docsmatch", "tool"),
    ("sema", "tool"),
    ("sema", "bamboo"),
    ("smatch", "smatch"),
    *(("smatch", preset) for preset in get("smatch").presets if preset.startswith(("pmb", "sbn", "ud-"))),
}
SETTINGS = {(metric, preset) for metric in BUILT_IN for preset in (None, *get(metric).presets)}
#: These add up fractions node by node, so that another order of nodes may change the last digit.
ADDING = ("ancast", "softoverlap", "wwlk")


def scores(preds, golds, metric, preset):
    with warnings.catch_warnings(action="ignore"):  # of softoverlap without its parameters
        return fm.score(preds, golds, metric=metric, preset=preset, on_error="empty").pairs.score


@pytest.mark.parametrize(("metric", "preset"), sorted(SETTINGS - BY_THE_TEXT, key=str))
@examples(4)
@given(specs=strategies.pairs(max_size=7) | strategies.tangles(max_size=8), data=st.data())
def test_another_way_to_write_the_graphs_changes_nothing(metric, preset, specs, data):
    if (metric, preset) in FIRST_TOP:
        assume(all([role for _, role, _ in spec.attributes].count(":TOP") < 2 for spec in specs))
    pred, gold = (spec.text() for spec in specs)
    again, gold_again = (data.draw(strategies.rewritten(spec)) for spec in specs)
    plain, other, same = scores([pred, again, pred], [gold, gold_again, again], metric, preset)
    assert plain == (pytest.approx(other, abs=1e-12) if metric in ADDING else other)
    if (metric, preset) not in NOT_ONE:
        # WWLK adds up the vectors of neighbours in the order of the text, so equal nodes may differ in the last bit
        assert same == (pytest.approx(1, abs=1e-12) if metric == "wwlk" else 1)


@pytest.mark.parametrize(
    ("metric", "options"),
    [
        ("rematch", {}),
        ("sema", {}),
        *(("sembleu", {"k": k}) for k in (1, 3, 4)),
        *(("wlk", {"k": k}) for k in (0, 2, 4)),
    ],
)
@examples(10)
@given(spec=strategies.specs(), data=st.data())
def test_a_repeated_triple_counts_once_in_any_order(metric, options, spec, data):
    """Metrics of features, with other lengths of their features too."""
    twice = spec.doubled(data.draw(st.integers(0, spec.n_branches - 1))) if spec.n_branches else spec
    for other in (data.draw(strategies.rewritten(spec)), twice.text()):
        texts = [spec.text(), other]
        assert fm.score(texts, texts[::-1], metric=metric, **options).pairs.score.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("metric", "texts"),
    [
        (
            "align-smatch",
            [
                "(a / c :ARG1 (b / c) :ARG1 (d / c :ARG0 (e / c)))",
                "(a / c :ARG0 (b / c :ARG1 (d / c :ARG1 (e / c))))",
                "(e / c :ARG1 (b / c :ARG0 (a / c)) :ARG1 (d / c))",
                "(b / c :ARG0 (d / c :ARG1 (e / c :ARG1 (a / c))))",
            ],
        ),
        (
            "ancast",
            [
                "(v0 / c1 :ARG1 (v1 / c1 :ARG0 (v2 / c0) :ARG0 v0) :ARG0 (v3 / c0))",
                "(v0 / c1 :ARG1 (v1 / c1 :ARG0 (v2 / c0) :ARG0 v0) :ARG0 (v3 / c0))",
                "(n0 / c1 :ARG0 (n1 / c0) :ARG1 (n2 / c1 :ARG0 (n3 / c0) :ARG0 n0))",
                "(v0 / c1 :ARG1 (v1 / c1 :ARG0 (v2 / c0) :ARG0 v0) :ARG0 (v3 / c0))",
            ],
        ),
        ("s2match", ["(a / c :ARG1 a :ARG0 a)"] * 2 + ["(a / c :ARG0 a :ARG1 a)", "(a / c :ARG1 a :ARG0 a)"]),
        ("wsmatch", ["(a / c :ARG1 a :ARG0 a)"] * 2 + ["(a / c :ARG0 a :ARG1 a)", "(a / c :ARG1 a :ARG0 a)"]),
        ("sembleu", ['(v0 / c0 :ARG0-of "" :ARG0 v0)'] * 3 + ['(n0 / c0 :ARG0 n0 :ARG0-of "")']),
        (
            "wlk",
            ["(a / c :ARG1 (b / d) :ARG0 (e / d))"] * 2
            + ["(a / c :ARG0 (b / d) :ARG1 (e / d))", "(a / c :ARG1 (b / d) :ARG0 (e / d))"],
        ),
    ],
)
def test_where_a_program_goes_by_the_text(metric, texts):
    """The presets left out above are left out rightly: a pair of graphs, and the same pair written differently."""
    pred, gold, again, gold_again = texts
    plain, other = scores([pred, again], [gold, gold_again], metric, "tool")
    assert plain != other
    assert (metric, "tool") in BY_THE_TEXT


@pytest.mark.parametrize("preset", ["tool", "bamboo"])
def test_sema_leaves_out_the_first_of_several_tops(preset):
    texts = [f"(a / dog {tops} :ARG0 (b / cat))" for tops in (":TOP 5 :TOP -", ":TOP - :TOP 5")]
    one, two = (fm.score(["(a / cat :ARG0 (b / dog :TOP -))"], [text], metric="sema", preset=preset) for text in texts)
    assert one.score != two.score
    assert fm.score(texts[:1], texts[1:], metric="sema").score == 1


def with_labels_first(text: str) -> str:
    """A graph that holds the labels of another one in reverse, so that they get other ids where it is read first."""
    words = sorted(set(re.findall(r"[^\s()/]+", text)), reverse=True)
    roles = [word for word in words if word.startswith(":")]
    values = " :zz ".join(["", *sorted(set(words) - set(roles))])
    return "(zz / zz " + " ".join(f"{role} 1" for role in roles) + f"{values})"


@pytest.mark.parametrize(
    ("metric", "family"), by_day([*product(("smatch", "smatch++", "softmatch", "s2match"), FAMILIES)], 5)
)
def test_a_pair_alone_and_in_company(metric: str, family: str) -> None:
    """The value of a pair does not depend on the graphs beside it, whether it is proven or not."""
    pred, gold = FAMILIES[family](1)
    company = [with_labels_first(pred), with_labels_first(gold)]
    alone = fm.score([pred], [gold], metric=metric, effort="low").pairs
    beside = fm.score([*company, pred], [*company, gold], metric=metric, effort="low").pairs
    assert (alone.matched[0], alone.upper[0]) == (beside.matched[2], beside.upper[2])
