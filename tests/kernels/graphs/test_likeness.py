"""Likeness of graphs by their concepts, against bags counted in Python."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch._ext.graphs.likeness import closest, likeness

from support.nightly import examples
from support.refusal import fails

CORPORA = st.lists(st.lists(st.sampled_from([None, *"abcde"]), max_size=8), min_size=1, max_size=7)


def columns(graphs, vocabulary):
    """A corpus of graphs whose concepts are given, all of one variable."""
    rows = [("v", [("v", ":instance", concept) for concept in graph]) for graph in graphs]
    return fm.Corpus.from_triples(rows, vocabulary=vocabulary).columns


def alike(one, two):
    first, second = (Counter(concept for concept in graph if concept) for graph in (one, two))
    if not first or not second:
        return float("nan")
    return 2 * (first & second).total() / (first.total() + second.total())


@examples(60)
@given(CORPORA, CORPORA, st.data())
def test_as_bags_counted_in_python(mine, its, data):
    graphs = data.draw(st.lists(st.integers(0, len(mine) - 1), max_size=6))
    others = data.draw(st.lists(st.integers(0, len(its) - 1), min_size=len(graphs), max_size=len(graphs)))
    index, other = np.array(graphs, np.int64), np.array(others, np.int64)
    vocabulary = fm.Vocabulary()
    given = columns(mine, vocabulary), columns(its, vocabulary)
    found = likeness(*given, index, other)
    np.testing.assert_equal(found, [alike(mine[i], its[j]) for i, j in zip(graphs, others, strict=True)])
    best, at = closest(*given, index)
    for k, g in enumerate(graphs):
        likes = [(alike(mine[g], graph), -abs(j - g), -j) for j, graph in enumerate(its)]
        like, _, j = max((one for one in likes if one[0] > 0), default=(0, 0, 1))
        assert (best[k], at[k]) == (like, -j)


def test_graphs_that_do_not_exist():
    given = [columns(["ab", "c"], fm.Vocabulary())] * 2
    one = np.array([1], np.int64)
    assert closest(*given, one)[0].tolist() == [1]
    for wrong in (-1, 2):
        graphs = np.array([wrong], np.int64)
        fails(ValueError, f"graph {wrong} of 2", closest, *given, graphs)
        fails(ValueError, f"graph {wrong} of 2", likeness, *given, graphs, one)
        fails(ValueError, f"graph {wrong} of 2", likeness, *given, one, graphs)
    fails(ValueError, "1 graphs but 2 others", likeness, *given, one, np.array([1, 0], np.int64))
