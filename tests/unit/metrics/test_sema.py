"""Sema: against the definition of the default, and what the program does otherwise, by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch._ext.features.concept_triples import match_concept_triples
from fastmatch.metrics import make

from support.refusal import fails
from support.strategies import edited, specs
from twins.readers import read_penman
from twins.sema import as_defined

SAY = "(x / say-01 :ARG0 (y / boy))"


def counts(pred: str, gold: str, **options) -> tuple[int, int, int]:
    pairs = fm.score(pred, gold, metric="sema", **options).pairs
    return pairs.matched.item(), pairs.n_pred.item(), pairs.n_gold.item()


def test_scores_above_one():
    """The program counts the root twice; the default does not."""
    assert counts(SAY, SAY, preset="tool") == (4, 3, 3) and counts(SAY, SAY) == (3, 3, 3)
    assert fm.score(SAY, SAY, metric="sema", preset="tool").f1 == 4 / 3
    assert not make("sema", "tool").bounded


def test_until_october_2024_it_looked_at_the_gold_graph():
    """The root is one of the variables then, and what serves many is a relation of the prediction."""
    assert counts(SAY, SAY, preset="bamboo") == (3, 3, 3)
    many, one = "(a / and :op (b / boy) :op (c / boy) :op (d / boy))", "(a / and :op (b / boy))"
    assert counts(many, one, preset="bamboo") == (3, 7, 3) and counts(one, many, preset="bamboo") == (7, 3, 7)
    assert counts("(a / and :x (b / boy))", "(a / and :y (b / boy))", preset="bamboo") == (1, 3, 3)
    assert not make("sema", "bamboo").bounded and make("sema", "bamboo").dialect == "sema"


@pytest.mark.slow
@given(st.data(), specs(missing_concepts=True))
def test_as_defined(data, gold):
    pred = data.draw(edited(gold, max_size=7, max_edits=4))
    expected = as_defined(read_penman(pred.text()), read_penman(gold.text()))
    assert counts(pred.text(), gold.text()) == counts(pred.text(), gold.text(), keys="exact") == expected
    matched, n_pred, n_gold = expected
    assert matched <= min(n_pred, n_gold) and counts(gold.text(), pred.text()) == (matched, n_gold, n_pred)


def test_large_graphs_take_linear_time():
    """5,000 equal relations a side: 25 million comparisons, times a list, for the program."""
    text = "(a / a " + " ".join(f":x (b{k} / b)" for k in range(5000)) + ")"
    assert counts(text, text, preset="tool") == (10002, 10001, 10001) and counts(text, text) == (10001, 10001, 10001)


def test_two_concepts_of_one_variable():
    text = "(a / a :x (b / b) :y (b / c))"
    matched, n_pred, n_gold = counts(text, text)
    assert matched == n_pred == n_gold and counts(text, "(a / a :x (b / b) :y b)")[0] == matched - 1


def test_variables_without_relations():
    """Only triples make such graphs; they equal themselves all the same."""
    graphs = [("a", [("a", ":instance", "a"), ("b", ":instance", "b"), ("c", ":instance", "b")])]
    corpus = fm.Corpus.from_triples(graphs)
    assert fm.score(corpus, corpus, metric="sema").pairs.matched.tolist() == [3]


def test_the_kernel_checks_its_pairs():
    prepared = make("sema").prepare(fm.parse([SAY, SAY]))
    index, cancel, out = np.array([0, 1], np.int32), np.zeros(1, np.uint8), np.full(2, -1, np.int64)
    for arguments, message in (
        (((index + 1, index, 0, 2, cancel), out), "pair 1 is of graphs 2 and 1, of 2 and 2"),
        (((index, index, 0, 2, cancel), out[:1]), "one entry a pair"),
    ):
        fails((IndexError, ValueError), message, match_concept_triples, prepared, prepared, *arguments)
    match_concept_triples(prepared, prepared, (index, index, 0, 2, np.ones(1, np.uint8)), out)
    assert out.tolist() == [-1, -1]
