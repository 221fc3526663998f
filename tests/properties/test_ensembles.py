"""Properties of ensembles: what no graph exceeds, what every graph that is made is, and what nothing depends on."""

import random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm

from support.nightly import examples
from support.strategies import Spec, edited, specs

METHODS = ("merge", "graphene-smatch", "graphene", "vote")
METRICS = ("smatch", "smatch++", "s2match")


@st.composite
def groups(draw: st.DrawFn, *, max_size: int = 5) -> tuple[Spec, list[str]]:
    """A graph, and the texts of some that were made of it by edits."""
    base = draw(specs(max_size=max_size))
    return base, [draw(edited(base, max_size=max_size + 2)).text() for _ in range(draw(st.integers(1, 4)))]


def mean_score(graph: str | fm.Graph, texts: list[str], weights: list[float] | None, metric: str) -> float:
    shares = [1.0] * len(texts) if weights is None else weights
    return float(np.average([fm.score(graph, text, metric=metric).pairs.score[0] for text in texts], weights=shares))


def check_well_formed(graph: fm.Graph) -> None:
    """One concept a node at most, connected, with a root, and writable."""
    assert graph.top in graph.variables
    concepts = [source for source, _, _ in graph.instances]
    assert len(set(concepts)) == len(concepts)
    near = nx.Graph([(source, target) for source, _, target in graph.relations])
    near.add_nodes_from(graph.variables)
    assert nx.is_connected(near)
    assert fm.parse(graph.encode())[0] == graph


@pytest.mark.parametrize("metric", METRICS)
@given(data=st.data())
def test_no_graph_exceeds_the_bound(metric: str, data: st.DataObject) -> None:
    base, texts = data.draw(groups())
    weights = data.draw(st.none() | st.lists(st.floats(0.1, 9), min_size=len(texts), max_size=len(texts)))
    upper = fm.ensemble(texts, metric=metric, weights=weights).uppers[0]
    others = [spec.text() for spec in (base, data.draw(edited(base, max_size=8)), data.draw(specs()))]
    for other in (*others, *texts):
        assert mean_score(other, texts, weights, metric) <= upper + 1e-12


@pytest.mark.parametrize("metric", METRICS)
@given(data=st.data())
def test_merge_is_well_formed_and_never_below_the_best_candidate(metric: str, data: st.DataObject) -> None:
    _, texts = data.draw(groups())
    weights = data.draw(st.none() | st.lists(st.floats(0.1, 9), min_size=len(texts), max_size=len(texts)))
    made = fm.ensemble(texts, metric=metric, weights=weights)
    chosen = fm.ensemble(texts, metric=metric, weights=weights, method="select")
    assert chosen.scores[0] - 1e-9 <= made.scores[0] <= made.uppers[0]
    check_well_formed(made.graphs[0])
    assert mean_score(made.graphs[0], texts, weights, metric) == pytest.approx(made.scores[0], abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
@given(data=st.data())
def test_scores_are_those_of_the_graphs(method: str, data: st.DataObject) -> None:
    _, texts = data.draw(groups())
    made = fm.ensemble(texts, method=method)
    scores = [fm.score(made.graphs, text).pairs.score[0] for text in texts]
    assert made.candidate_scores[0].tolist() == scores and made.scores[0] == pytest.approx(np.mean(scores), abs=1e-12)
    check_well_formed(made.graphs[0])
    if made.sources[0] >= 0:
        assert made.graphs[0] == fm.parse(texts[made.sources[0]])[0]


@given(data=st.data())
@examples(15)
def test_votes_and_what_is_left_out_are_all_triples(data: st.DataObject) -> None:
    _, texts = data.draw(groups())
    made = fm.ensemble(texts)
    votes, rest = made.votes(0), made.left_out(0)
    for number, text in enumerate(texts):
        matched = sum(number in vote.candidates for vote in votes)
        lacking = sum(number in vote.candidates for vote in rest)
        scored = fm.score(made.graphs, text).pairs
        assert matched == scored.matched[0] and len(votes) == scored.n_pred[0] and matched + lacking == scored.n_gold[0]


@pytest.mark.parametrize("metric", METRICS)
def test_any_number_of_workers(metric: str) -> None:
    rng = random.Random(5)
    texts = [
        f"(w / want-01 :ARG0 (b / {rng.choice(['boy', 'girl'])} :quant {rng.randint(1, 2)}) :ARG1 (g / "
        f"{rng.choice(['go-02', 'leave-11'])} :{rng.choice(['ARG0', 'ARG1'])} b :time (d / day :mod (t / this))))"
        for _ in range(600)
    ]
    rows = [texts[k : k + 4] for k in range(0, 600, 4)]
    alone = fm.ensemble(rows, by="sentence", metric=metric)
    for workers in (2, 5):
        assert fm.ensemble(rows, by="sentence", metric=metric, workers=workers) == alone
