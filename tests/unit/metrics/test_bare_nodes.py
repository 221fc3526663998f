"""Graphs that say nothing among others: they become empty ones, and the others stay as they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.metrics.shared.triples import without_bare_nodes

BARE = ("()", "(a)", "(b)")
FULL = ("(a / cat)", "(a :ARG0 (b / dog))", "(a :polarity -)", "(a :ARG0 a)", "(a :ARG0 (b))")


@given(st.lists(st.sampled_from(BARE + FULL), max_size=6))
def test_which_graphs_become_empty(texts):
    corpus = fm.parse([f"# ::id g{k}\n{text}" for k, text in enumerate(texts)])
    made = without_bare_nodes(corpus)
    assert made.ids == corpus.ids
    for text, before, after in zip(texts, corpus, made, strict=True):
        assert after.triples == ([] if text in BARE else before.triples)
        assert after.top == (None if text in BARE else before.top) and after.variables == before.variables
    # a node with a concept alone is told apart while the columns are checked, and costs nothing more
    assert corpus.columns.n_bare == sum(text in BARE for text in texts)
    if not set(texts) & set(BARE):
        assert made is corpus


@pytest.mark.parametrize("dialect", ["smatchpp", "wlk"])
def test_tools_see_what_they_read(dialect):
    corpus = fm.parse(["(a)", "(a / cat)"], dialect=dialect)
    assert without_bare_nodes(corpus) is corpus


@pytest.mark.parametrize("metric", ["smatch", "smatch++", "s2match", "wsmatch", "softmatch"])
def test_counts_and_alignments(metric):
    result = fm.score(["()", "(a / cat)", "(a)"], ["(a / cat)", "(b / cat)", "(c / cat)"], metric=metric)
    whole = result.pairs.n_gold[0]
    assert result.pairs.n_pred.tolist() == result.pairs.matched.tolist() == [0, whole, 0] and result.certified
    found = fm.align("(a)", "(b / cat :mod (c / big))", metric=metric)
    assert (found.mapping, found.f1, found.matched_triples, found.unmatched_pred) == ({}, 0, [], [])


def test_a_wrong_concept_is_no_empty_graph():
    """The root of a graph that says something counts, as it always did."""
    assert fm.score("(a / dog)", "(b / cat)").f1 == 0.5
    assert fm.score("(a :ARG0 (b / cat))", "(b / cat)").pairs.matched.tolist() == [1]


@pytest.mark.parametrize("kind", ["damonte", "enhanced", "s2match", "smatch++"])
def test_aspects(kind):
    scores = fm.aspects([*BARE, *FULL], [*FULL, *BARE], kind=kind)
    whole = scores["CONCEPT" if kind == "smatch++" else next(iter(scores))].pairs
    assert whole.matched[:3].tolist() == whole.matched[-3:].tolist() == [0, 0, 0]
