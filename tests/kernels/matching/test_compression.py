"""Lossless compression, for every solver."""

import numpy as np
import pytest
from hypothesis import given

import fastmatch as fm
from fastmatch.metrics.base import PairRange, make

from support import strategies
from support.nightly import examples

OPTIONS = {"preset": "smatch++", "compress": True}


@given(pair=strategies.pairs(max_size=6))
@examples(15)
def test_solvers_agree(pair):
    texts = [spec.text() for spec in pair]
    exact = fm.score(texts[0], texts[1], **OPTIONS, mapping=True).pairs
    ilp = fm.score(texts[0], texts[1], **OPTIONS, solver="ilp").pairs
    climb = fm.score(texts[0], texts[1], **OPTIONS, solver="climb").pairs
    assert ilp.matched[0] == exact.matched[0] and climb.matched[0] <= exact.matched[0] <= climb.upper[0]
    partners = exact.mapping_of(0)
    partners = partners[partners >= 0]
    assert len(set(partners.tolist())) == len(partners)
    assert fm.score(texts[0], texts[0], **OPTIONS).f1 == 1


PRED = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "(c / cat :mod (b / big))",
    "(a / and :op1 (x / x) :op2 (y / x))",
]
GOLD = [PRED[0], "(c / cat :mod (s / small))", "(a / and :op1 (x / x))"]


def test_what_is_left():
    result = fm.score(PRED, GOLD, **OPTIONS, mapping=True).pairs
    assert result.n_pred.tolist() == [4, 2, 5] and result.n_gold.tolist() == [4, 2, 3]
    assert result.matched.tolist() == [4, 1, 3] and result.mapping_of(0).tolist() == [0, 1, 2]
    assert result.mapping_of(1).tolist() == [0, -1]


@pytest.mark.parametrize("solver", ["exact", "climb", "ilp"])
def test_any_stretch_of_pairs(solver):
    metric = make("smatch", **OPTIONS, solver=solver)
    prepared = metric.prepare(fm.parse(PRED + GOLD))
    i, j = (np.array(x, np.int32) for x in ([0, 1, 2, 0, 5], [3, 4, 5, 1, 2]))
    whole, parts = (metric.empty(prepared, prepared, i, j, True) for _ in range(2))
    pairs = PairRange.all(i, j)
    metric.score(prepared, prepared, pairs, whole)
    for start, stop in ((3, 5), (0, 2), (2, 3)):
        metric.score(prepared, prepared, pairs._replace(start=start, stop=stop), parts)
    assert whole.to_dict() == parts.to_dict() and whole.mapping.tolist() == parts.mapping.tolist()


def test_signature_and_options():
    assert "|compress:yes|" in str(fm.score(PRED, GOLD, **OPTIONS).signature)
    assert "compress" not in str(fm.score(PRED, GOLD, preset="smatch++").signature)
    with pytest.raises(fm.OptionError, match="compressed triples are counted, not multiplied"):
        fm.score(PRED, GOLD, preset="smatch", compress=True)


def test_what_compression_leaves_alone():
    """A graph of nothing but one concept, and a variable with two concepts, stay as they are."""
    options = {"compress": True, "top": "none"}
    single = fm.score("(a / x)", "(b / y)", **options)
    assert (single.matched, single.n_pred, single.n_gold) == (0, 1, 1)
    double = fm.Corpus.from_triples([("a", [("a", ":instance", "x"), ("a", ":instance", "y")])])
    found = fm.score(double, double, **options)
    assert (found.matched, found.n_pred, found.n_gold) == (2, 2, 2)


def test_constants_that_are_spelled_like_concepts():
    """They are the concept then: a loop is a triple of two constants, and copies count as a bag, k against m."""
    options = {"compress": True, "top": "none"}
    loop = fm.score("(a / cat :r a)", "(b / cat :r cat)", **options)
    assert (loop.matched, loop.n_pred, loop.n_gold) == (1, 1, 1)
    text = "(x / p :s (z / p) :r cat :r (y / cat))"
    twice = fm.score(text, text, **options)
    assert twice.matched == twice.n_pred == twice.n_gold == 5


def test_a_triple_that_compression_makes_three_times() -> None:
    """``:ARG0-of "c"`` of v: as an attribute, as a relation to x, and as a relation from x. A third copy matched twice.

    Without x's concept there are 6 triples: two concepts, :op1, and these three.
    """
    text = "(v / a :ARG0-of (x / c :ARG0 v) :ARG0-of c :op1 (w / a))"
    corpus = fm.parse(text, dialect="smatchpp")
    found = fm.score(corpus, corpus, preset="none", top="none", compress=True).pairs
    assert found.matched.tolist() == found.n_pred.tolist() == found.n_gold.tolist() == [6]
    fewer = fm.parse(text.replace(" :ARG0-of c ", " "), dialect="smatchpp", vocabulary=corpus.vocabulary)
    found = fm.score(corpus, fewer, preset="none", top="none", compress=True).pairs
    assert (found.matched.tolist(), found.n_gold.tolist()) == ([5], [5])
