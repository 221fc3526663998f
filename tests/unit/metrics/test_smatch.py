"""Smatch's own options, presets and explanations; the optimum itself is judged in parity/ and properties/."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.metrics import from_signature, make
from fastmatch.metrics.shared import integer_program as _ilp
from fastmatch.metrics.smatch import Smatch

from support import strategies
from support.entangled import tangle

# ---------------------------------------------------------------- what is equal


TEXT = '(w / want-01 :ARG0 (b / boy :name (n / name :op1 "Li")) :ARG1 (g / go-02 :ARG0 b :polarity -) :quant 3)'


@pytest.mark.parametrize(("triples", "expected"), [("all", 12), ("instance", 4), ("attribute", 4), ("relation", 4)])
def test_one_class_of_triples(triples, expected):
    result = fm.score(TEXT, TEXT, triples=triples)
    assert (result.matched, result.n_pred, result.n_gold) == (expected,) * 3
    assert len(fm.align(TEXT, TEXT, triples=triples).matched_triples) == expected
    assert result.signature.fields.get("triples", "all") == triples


def test_top_belongs_to_the_attributes():
    assert fm.score("(a / x)", "(a / x)", triples="attribute").n_pred == 1
    assert fm.score("(a / x)", "(a / x)", triples="attribute", top="none").n_pred == 0
    assert fm.score("(a / x)", "(a / x)", triples="relation").f1 == 1  # nothing against nothing


# ---------------------------------------------------------------- explanations


def check(alignment: fm.Alignment, pred: fm.Graph, gold: fm.Graph) -> None:
    """What is matched is what was counted; every triple is named once; partners agree under the map."""
    matched = alignment.matched_triples
    if alignment.signature.fields["dup"] == "multiply":
        assert len(matched) <= alignment.matched
    else:
        assert len(matched) == alignment.matched
    assert len(matched) + len(alignment.unmatched_pred) == alignment.n_pred
    assert len(matched) + len(alignment.unmatched_gold) == alignment.n_gold
    mapping = alignment.mapping
    assert set(mapping) <= set(pred.variables) and set(mapping.values()) <= set(gold.variables)
    assert len(set(mapping.values())) == len(mapping)
    for left, right in matched:
        ends = [mapping.get(end, end) for end in (left[0], left[2])]
        assert right[0] in ends  # (b :domain a) is (a :mod b), so they may have changed places


@pytest.mark.slow
@given(strategies.pairs(), st.sampled_from(["once", "multiply"]), st.sampled_from(["none", "constant", "concept"]))
def test_explanations_of_any_pair(pair, duplicates, top):
    """Repeated triples, loops, parallel edges, both names of a role, TOP in the text."""
    pred, gold = (fm.parse(spec.text())[0] for spec in pair)
    check(fm.align(pred, gold, duplicates=duplicates, top=top), pred, gold)


def test_multiplied_triples_are_listed_once():
    alignment = fm.align("(a / x :op1 5 :op1 5 :op1 5)", "(b / x :op1 5 :op1 5)", preset="smatch")
    assert alignment.matched == 2 + 3 * 2 and len(alignment.matched_triples) == 4
    assert alignment.unmatched_pred == [("a", ":op1", "5")] and alignment.unmatched_gold == []


def test_triples_are_shown_as_they_were_written():
    alignment = fm.align('(a / X :domain (b / Y) :op1 "N")', "(c / y :mod (d / x) :op1 N)", top="concept")
    assert (("a", ":domain", "b"), ("c", ":mod", "d")) in alignment.matched_triples
    assert (("a", ":instance", "X"), ("d", ":instance", "x")) in alignment.matched_triples
    assert ("a", ":TOP", "X") in alignment.unmatched_pred and ("c", ":TOP", "y") in alignment.unmatched_gold


# ---------------------------------------------------------------- signatures


USUAL = "solver:exact|top:constant|dup:once|std:default|read:penman"


@pytest.mark.parametrize(
    ("metric", "fields"),
    [
        (Smatch(), USUAL),
        (make("smatch", "smatch"), "solver:exact|top:constant|dup:multiply|std:smatch|read:smatch"),
        (Smatch(effort="proof", time_limit=9.0), f"{USUAL}|effort:proof|limit:9.0"),
        (Smatch(solver="ilp", top="none"), "solver:ilp|top:none|dup:once|std:default|read:penman"),
        (Smatch(solver="climb", seed=7), f"{USUAL.replace('exact', 'climb')}|restarts:4|seed:7"),
        (Smatch(triples="relation"), USUAL.replace("|std", "|triples:relation|std")),
    ],
)
def test_signatures(metric, fields):
    signature = metric.signature(metric.dialect)
    assert signature == f"smatch|{fields}|v:{fm.__version__}" and from_signature(str(signature)) == metric


# ---------------------------------------------------------------- the integer program


def test_no_candidates():
    places, gains = np.zeros(0, np.int32), np.zeros(0, np.int64)
    solution = _ilp.solve((2, 3, places, places, gains, places, places, gains))
    assert solution[:3] == (0, 0, True) and solution.mapping.tolist() == [-1, -1]


@pytest.mark.parametrize("solver", ["exact", "ilp"])
def test_a_time_limit_leaves_a_bound(solver):
    result = fm.score(tangle(40, 1), tangle(40, 2), solver=solver, time_limit=0.2)
    assert not result.certified and result.n_certified == 0
    assert 0 <= result.matched < result.upper <= result.n_pred  # HiGHS may find no map at all in that time
    if solver == "exact":
        alignment = fm.align(tangle(40, 1), tangle(40, 2), time_limit=0.2)
        assert f"(at most {alignment.upper})" in repr(alignment)
        check(alignment, tangle(40, 1), tangle(40, 2))


# ---------------------------------------------------------------- the climber


def test_a_bound_for_repeated_triples():
    """Three copies against two: k·m = 6 of 4 and 3 triples; the climber's bound must not be below."""
    result = fm.score("(a / x :op1 5 :op1 5 :op1 5)", "(b / x :op1 5 :op1 5)", preset="smatch", solver="climb")
    assert (result.matched, result.n_pred, result.n_gold) == (8, 5, 4) and result.upper >= 8


@pytest.mark.parametrize("effort", ["low", "default"])
def test_triples_that_repeat_so_often_that_their_product_needs_more_than_32_bits(effort: str):
    """smatch counts each of m equal triples with each of n: here 50,000², one for the concept and one for the top."""
    text = "(a / b" + " :c d" * 50_000 + ")"
    result = fm.score([text], [text], metric="smatch", preset="smatch", solver="exact", effort=effort)
    assert result.matched == 2_500_000_002 and result.certified
