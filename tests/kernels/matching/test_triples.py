"""Properties of the features from which pairs are matched: triple and variable counts equal the twin's."""

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
