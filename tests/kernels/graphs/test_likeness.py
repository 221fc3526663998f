"""Likeness of graphs by their concepts, against bags counted in Python."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fastmatch._ext.graphs.columns import Columns
from fastmatch._ext.graphs.likeness import closest, likeness

from support.nightly import examples
from support.refusal import fails

N_LABELS = 5
CORPORA = st.lists(st.lists(st.integers(-1, N_LABELS - 1), max_size=8), min_size=1, max_size=7)


def columns(graphs):
    """A corpus of graphs whose concepts are given, all of one variable; −1: none."""
    n = len(graphs)
    offsets = np.zeros(n + 1, np.int64)
    np.cumsum([len(graph) for graph in graphs], out=offsets[1:])
    instances = np.zeros((3, offsets[-1]), np.int32)
    instances[1] = [concept for graph in graphs for concept in graph]
    empty, names = np.zeros(n + 1, np.int64), np.zeros(n, np.int32)
    none = [np.zeros((rows, 0), np.int32) for rows in (4, 5, 3)]
    tables = [table for rows in none for table in (empty, rows)]
    return Columns(names, np.arange(n + 1), names, offsets, instances, *tables, empty, np.zeros(0, np.uint8))


def alike(one, two):
    first, second = (Counter(concept for concept in graph if concept >= 0) for graph in (one, two))
    if not first or not second:
        return float("nan")
    return 2 * (first & second).total() / (first.total() + second.total())


@examples(60)
@given(CORPORA, CORPORA, st.data())
def test_as_bags_counted_in_python(mine, its, data):
    places = st.lists(st.integers(0, len(mine) - 1), max_size=6)
    graphs = data.draw(places)
    others = data.draw(st.lists(st.integers(0, len(its) - 1), min_size=len(graphs), max_size=len(graphs)))
    index, other = np.array(graphs, np.int64), np.array(others, np.int64)
    given = columns(mine), columns(its)
    found = likeness(*given, index, other)
    np.testing.assert_equal(found, [alike(mine[i], its[j]) for i, j in zip(graphs, others, strict=True)])
    best, at = closest(*given, index)
    for k, g in enumerate(graphs):
        likes = [(alike(mine[g], graph), -abs(j - g), -j) for j, graph in enumerate(its)]
        like, _, j = max((one for one in likes if one[0] > 0), default=(0, 0, 1))
        assert (best[k], at[k]) == (like, -j)


def test_graphs_that_do_not_exist():
    given = columns([[0, 1], [2]]), columns([[0, 1], [2]])
    one = np.array([1], np.int64)
    assert closest(*given, one)[0].tolist() == [1]
    for wrong in (-1, 2):
        graphs = np.array([wrong], np.int64)
        fails(ValueError, f"graph {wrong} of 2", closest, *given, graphs)
        fails(ValueError, f"graph {wrong} of 2", likeness, *given, graphs, one)
        fails(ValueError, f"graph {wrong} of 2", likeness, *given, one, graphs)
    fails(ValueError, "1 graphs but 2 others", likeness, *given, one, np.array([1, 0], np.int64))
