"""WLK: by hand, every option against a plain Python twin, the program's quirks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch._ext.features.neighbourhoods import label_bags as compiled
from fastmatch.errors import OptionError
from fastmatch.metrics import make
from fastmatch.metrics.shared.labels import program_graphs

from support.refusal import fails
from support.strategies import edited, specs
from twins.readers import read_penman
from twins.wlk import kernel, label_bags
from twins.wwlk import tool_graph_of

BOY = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
GIRL = "(w / want-01 :ARG0 (b / girl) :ARG1 (g / go-02 :ARG0 b))"


def score(pred: str, gold: str, **options) -> float:
    return fm.score(pred, gold, metric="wlk", **options).pairs.score.item()


def test_by_hand():
    """Two of three labels are shared at first; each of the three nodes sees the boy, so none is later."""
    assert score(BOY, GIRL, k=0) == pytest.approx(2 / 3) and score(BOY, GIRL) == pytest.approx(2 / 9)
    # what a node sees above it: want-01 sees nothing and stays what it is, go-02 sees want-01
    assert score(BOY, GIRL, direction="top-down") == pytest.approx(6 / 9)
    assert score(BOY, GIRL, direction="bottom-up") == pytest.approx(2 / 9)
    assert score(BOY, GIRL, k=1, kernel="minmax") == pytest.approx(2 / 10) and score(BOY, GIRL, k=1, kernel="dot") == 2


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
    expected = label_bags(read_penman(spec.text()), k, by_label=True)
    for level, bag in enumerate(expected):
        counts = bags.counts[bags.offsets[level] : bags.offsets[level + 1]]
        assert sorted(counts.tolist()) == sorted(bag.values())


def test_the_corpus_score_is_the_mean():
    result = fm.score([BOY, BOY], [GIRL, BOY], metric="wlk", k=0)
    assert result.score == result.macro.cosine == pytest.approx((2 / 3 + 1) / 2)
    with pytest.raises(AttributeError, match="wlk has no micro score"):
        result.micro  # noqa: B018


def test_the_tools_quirks():
    """Triples, sets, weights; -of anywhere turns a role; quotes do not count; constants that are concepts."""
    # labels 2 and 2, of which 1 is shared; triples 1 and 1; no label later
    assert score("(a / b :x (c / d))", "(a / b :x (c / e))", preset="tool") == pytest.approx(1 / (3 + 2 / 4 + 2 / 9))
    assert score("(a / b :consist-of (c / d))", "(c / d :consist (a / b))", preset="tool") == 1
    assert score('(a / b :x "C" :y d)', "(a / B :X c :y d)", preset="tool") == 1
    text = '(c / city :name (n / name :op1 "{}"))'
    nodes = [
        make("wlk", "tool", k=0).prepare(fm.parse([text.format(x)], dialect="wlk")).bags.totals.item()
        for x in ("city", "x")
    ]
    assert nodes == [4, 5]
    # of two boys the last gives both their new label, so the order of nodes matters
    pred = "(a / and :x (b / boy :y (c / cat)) :x (d / boy :z (e / dog)))"
    gold = "(a / and :x (d / boy :z (e / dog)) :x (b / boy :y (c / cat)))"
    assert score(pred, gold, preset="tool") < 1
    assert score(pred, gold, preset="tool", update="node") == score(pred, gold) == 1


#: text that the program lower-cases and unquotes before it looks for variables; v0 and v1 are names of variables
AWKWARD = st.sampled_from(("V0", '"v1"', "'v0'", "cat", '"Cat"', "dog", "c", "C1", "cx", "want-01", "5", "é", ""))


@given(specs(missing_concepts=True), st.lists(st.tuples(AWKWARD, AWKWARD, st.sampled_from((":op1", ":x-of-y")))))
def test_graphs_of_the_program(spec, more):
    """The kernel against the twin: nodes in their order, and edges."""
    branches = "".join(
        f" {role} (V{k} / {concept or 'c'} :op2 {value or 'd'})" for k, (concept, value, role) in enumerate(more)
    )
    corpus = fm.parse([spec.text()[:-1] + branches + ")"], dialect="wlk")
    triples = [(s, r, "" if t is None else t) for s, r, t in corpus[0].triples]
    expected = tool_graph_of(triples)
    offsets, labels, _, edges, variables = program_graphs(corpus)
    text = corpus.vocabulary.text
    assert [text(label) for label in labels] == expected.labels
    assert sorted((s, text(r), t) for s, r, t in edges.T.tolist()) == sorted(expected.edges)
    assert offsets.tolist() == [0, len(labels)]
    nodes = [v for v in variables.tolist() if v >= 0]
    assert variables.tolist() == nodes + [-1] * (len(labels) - len(nodes))


@given(specs(), st.randoms(use_true_random=False))
def test_the_order_of_attributes_is_nothing_to_the_tool(spec, random):
    """Variables keep their places in the text, so the program renames them alike."""
    n = len(spec.attributes)
    order = [*random.sample(range(n), n), *range(n, spec.n_branches)]
    assert score(spec.text(), spec.text(order=order), preset="tool") == 1


def test_options_that_make_no_sense():
    for k in (-1, 101, True, "3"):
        fails(OptionError, r"expected a whole number( from 0 to 100|$)", make, "wlk", k=k)
    fails(OptionError, "expected True or False", make, "wlk", edges=1)


def test_no_division_by_nothing():
    """A graph without nodes against one with; the product of nothing is 0."""
    for options, empty in (({}, 1.0), ({"kernel": "minmax"}, 1.0), ({"kernel": "dot"}, 0.0)):
        result = fm.score(["(", "("], ["(", BOY], metric="wlk", on_error="empty", **options)
        assert result.pairs.score.tolist() == [empty, 0.0]


def test_the_kernel_checks_its_tables():
    """Offsets and indices: tests/kernels/features/test_neighbourhoods.py."""
    offsets, keys = np.zeros(1, np.int64), np.zeros(1, np.uint64)
    tables = offsets, np.zeros(0, np.int32), offsets, np.zeros((3, 0), np.int32), keys
    fails(ValueError, "do not fit", compiled, *tables, keys[:0], rounds=1, down=True, up=True)
    fails(ValueError, "rounds 101", compiled, *tables, keys, rounds=101, down=True, up=True)
