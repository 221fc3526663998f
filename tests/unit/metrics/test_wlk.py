"""WLK: every option against a plain Python twin, the program's quirks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.metrics import make

from support.refusal import fails
from support.strategies import edited, specs
from twins.readers import read_penman
from twins.wlk import kernel, label_bags

BOY = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"


def score(pred: str, gold: str, **options) -> float:
    return fm.score(pred, gold, metric="wlk", **options).pairs.score.item()


OPTIONS = st.fixed_dictionaries(
    {
        "k": st.integers(0, 4),
        "direction": st.sampled_from(["undirected", "top-down", "bottom-up", "2-way"]),
        "kernel": st.sampled_from(["cosine", "minmax", "dot"]),
        "weighting": st.sampled_from(["uniform", "linear"]),
        "counting": st.sampled_from(["bag", "set"]),
        "edges": st.booleans(),
        "keys": st.sampled_from(["hashed", "exact"]),
    }
)


@given(st.data(), specs(missing_concepts=True), OPTIONS)
def test_as_the_twin(data, gold, options):
    pred = data.draw(edited(gold, max_size=7, max_edits=3))
    shape = {"direction": options["direction"], "with_triples": options["edges"]}
    bags = [label_bags(read_penman(spec.text()), options["k"], **shape) for spec in (pred, gold)]
    weights = [1 / (1 + i) if options["weighting"] == "linear" else 1.0 for i in range(options["k"] + 1)]
    expected = kernel(*bags, options["kernel"], weights, options["counting"] == "set")
    assert score(pred.text(), gold.text(), **options) == pytest.approx(expected, abs=1e-12)


@given(specs(max_size=5), st.integers(0, 3))
def test_relabelling_by_label(spec, k):
    """Numbers of different labels a round, as the twin makes them; without constants, for their order is free."""
    spec = type(spec)(spec.concepts, spec.tree, spec.edges)
    bags = make("wlk", k=k, update="label").prepare(fm.parse([spec.text()])).bags
    for level, bag in enumerate(label_bags(read_penman(spec.text()), k, by_label=True)):
        assert sorted(bags.counts[bags.offsets[level] : bags.offsets[level + 1]].tolist()) == sorted(bag.values())


def test_the_tools_quirks():
    """Triples, sets, weights; -of anywhere turns a role; quotes do not count; constants that are concepts."""
    # labels 2 and 2, of which 1 is shared; triples 1 and 1; no label later
    assert score("(a / b :x (c / d))", "(a / b :x (c / e))", preset="tool") == pytest.approx(1 / (3 + 2 / 4 + 2 / 9))
    assert score("(a / b :consist-of (c / d))", "(c / d :consist (a / b))", preset="tool") == 1
    assert score('(a / b :x "C" :y d)', "(a / B :X c :y d)", preset="tool") == 1
    assert score("(a / 𝐛 :x (c / 𝐛))", "(b / 𝐛 :x (a / 𝐛))", preset="tool") == 1
    texts = [f'(c / city :name (n / name :op1 "{name}"))' for name in ("city", "x")]
    assert make("wlk", "tool", k=0).prepare(fm.parse(texts, dialect="wlk")).bags.totals.tolist() == [[4, 5]]
    # of two boys the last gives both their new label, so the order of nodes matters
    pred = "(a / and :x (b / boy :y (c / cat)) :x (d / boy :z (e / dog)))"
    gold = "(a / and :x (d / boy :z (e / dog)) :x (b / boy :y (c / cat)))"
    assert score(pred, gold, preset="tool") < 1
    assert score(pred, gold, preset="tool", update="node") == score(pred, gold) == 1


@given(specs(), st.randoms(use_true_random=False))
def test_the_order_of_attributes_is_nothing_to_the_tool(spec, random):
    """Variables keep their places in the text, so the program renames them alike."""
    n = len(spec.attributes)
    order = [*random.sample(range(n), n), *range(n, spec.n_branches)]
    assert score(spec.text(), spec.text(order=order), preset="tool") == 1


def test_options_that_make_no_sense():
    for k in (-1, 101, True, "3"):
        fails(fm.OptionError, r"expected a whole number( from 0 to 100|$)", make, "wlk", k=k)
    fails(fm.OptionError, "expected True or False", make, "wlk", edges=1)


def test_no_division_by_nothing():
    """A graph without nodes against one with; the product of nothing is 0."""
    for options, empty in (({}, 1.0), ({"kernel": "minmax"}, 1.0), ({"kernel": "dot"}, 0.0)):
        result = fm.score(["(", "("], ["(", BOY], metric="wlk", on_error="empty", **options)
        assert result.pairs.score.tolist() == [empty, 0.0]
