"""Properties of the features from which pairs are matched: triple and variable counts equal the twin's."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastmatch._ext.reading.interner import Interner

from support import strategies
from support.columnar import features
from support.nightly import examples
from twins import readers
from twins.smatch_problem import DEFAULT, SMATCH, Flavour, standardise


@pytest.mark.parametrize("flavour", [SMATCH, DEFAULT], ids=["smatch", "default"])
@given(st.lists(strategies.specs(missing_concepts=True), max_size=5))
@examples(25)
def test_counts_equal_the_twin(flavour: Flavour, specs: list[strategies.Spec]) -> None:
    graphs = [readers.read_penman(spec.text()) for spec in specs]
    found = features(graphs, flavour, Interner())
    expected = [standardise(graph, flavour) for graph in graphs]
    assert found.n_graphs == len(graphs)
    assert found.n_triples.tolist() == [graph.n_triples for graph in expected]
    assert found.n_variables.tolist() == [graph.n_variables for graph in expected]


@given(strategies.specs(min_size=2))
def test_pickle_keeps_everything(spec: strategies.Spec) -> None:
    made = features([readers.read_penman(spec.text())], DEFAULT, Interner())
    back = pickle.loads(pickle.dumps(made))
    for one, other in zip(made.arrays, back.arrays, strict=True):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)


@given(strategies.specs(), st.data())
def test_a_repeated_triple_is_one_triple_by_default(spec: strategies.Spec, data: st.DataObject) -> None:
    """Writing an edge or attribute twice changes nothing by default, and adds one triple under smatch's rules."""
    if not spec.n_branches:
        return
    doubled = spec.doubled(data.draw(st.integers(0, spec.n_branches - 1)))
    graphs = [readers.read_penman(one.text()) for one in (spec, doubled)]
    once = features(graphs, DEFAULT, Interner())
    assert once.n_triples[0] == once.n_triples[1]
    counted = features(graphs, SMATCH, Interner())
    assert counted.n_triples[0] + 1 == counted.n_triples[1]
