"""Features with names are the features that the kernels count."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.metrics.base import from_text, make
from fastmatch.metrics.shared.naming import MOST

from support.nightly import examples
from support.strategies import pairs as spec_pairs

CHOICES = [
    *("sembleu", "sembleu,k=2", "sembleu,k=5", "rematch", "rematch,labels=yes", "rematch,attributes=no,instances=no"),
    *("sema", "wlk", "wlk,direction=top-down", "wlk,direction=2-way,edges=yes", "wlk,kernel=minmax,k=3"),
    *("wlk,counting=set", "wlk,update=label"),
    # the published programs
    *("sembleu/tool", "sembleu/tool,k=5", "sembleu/bamboo", "rematch/tool", "sema/tool", "sema/bamboo", "wlk/tool"),
    "wlk/tool,direction=2-way,k=3",
]


def counted(metric, rows) -> list[float]:
    """The statistics of a pair, as far as its features tell them."""
    if metric.name == "sembleu":
        shared, own = Counter(), Counter()
        for row in rows:
            shared[row.group] += row.shared
            own[row.group] += len(row.pred)
        orders = [f"{order}-grams" for order in range(1, metric.k + 1)]
        return [shared[order] for order in orders] + [own[order] for order in orders]
    if metric.name == "rematch":
        return [sum(row.shared for row in rows), len(rows)]
    if metric.name == "sema":
        return [sum(row.shared for row in rows)]
    if metric.counting == "set" and metric.weighting == "linear":
        levels = [(row, (1 + int(row.group.split()[1])) ** -2) for row in rows]
        return [sum(weight * bool(getattr(row, name)) for row, weight in levels) for name in ("shared", "pred", "gold")]
    pred, gold = np.array([(len(row.pred), len(row.gold)) for row in rows]).reshape(-1, 2).T
    if metric.kernel != "minmax" and metric.counting != "set":
        return [pred @ gold, pred @ pred, gold @ gold]
    if metric.kernel != "minmax":
        pred, gold = pred > 0, gold > 0
    return [sum(row.shared for row in rows), pred.sum(), gold.sum()]


@pytest.mark.parametrize("name", CHOICES)
@examples(10)
@given(pair=spec_pairs())
def test_named_features_are_those_that_are_counted(name, pair):
    metric = from_text(name)
    pred, gold = fm.Corpus.together([fm.parse([spec.text()], dialect=metric.dialect) for spec in pair])
    rows = metric.named_features(pred, gold, 0, 0)
    want = fm.score(pred, gold, metric=metric).pairs.statistics[:, 0].tolist()
    got = counted(metric, rows)
    assert got == pytest.approx(want[: len(got)])
    names = [(row.group, row.text) for row in rows]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    "attributes", [":TOP -", ":TOP - :TOP -", ":TOP - :TOP + :TOP -", ":TOP cat :TOP cat", ":x - :x -"]
)
def test_semas_program_replaces_one_top_of_the_text(attributes):
    """The other one stays, if it is the same attribute too."""
    metric = make("sema", preset="tool")
    corpus = fm.parse([f"(a / cat :ARG0 (b / cat) {attributes})"], dialect="sema")
    counts = fm.score(corpus, corpus, metric=metric).pairs.statistics[:, 0].tolist()
    assert counted(metric, metric.named_features(corpus, corpus, 0, 0)) == counts[:1]


NAMES = [f"{name}{preset}" for name in ("sembleu", "rematch", "wlk", "sema") for preset in ("", "/tool")]


@given(st.sampled_from(NAMES), spec_pairs())
def test_places_are_triples_of_the_graph(name, pair):
    metric = from_text(name)
    pred, gold = fm.Corpus.together([fm.parse([spec.text()], dialect=metric.dialect) for spec in pair])
    for row in metric.named_features(pred, gold, 0, 0):
        for places, corpus in ((row.pred, pred), (row.gold, gold)):
            assert all(0 <= k < len(corpus[0].triples) for place in places for k in place)


def test_long_labels_keep_different_names():
    """Of two labels that agree in their first 400 characters, each has its own name."""
    wide = " ".join(f":op{k} (c{k} / concept-number-{k})" for k in range(1, 40))
    pred, gold = fm.Corpus.together([fm.parse([f"(a / and {wide} :op99 (z / {end}))"]) for end in ("one", "two")])
    long = [row for row in make("wlk", k=1).named_features(pred, gold, 0, 0) if row.text.startswith("and (")]
    assert len(long) == 2 and not any(row.shared for row in long)


def test_too_many_features_are_not_named():
    """A chain of and-nodes over many leaves has more 3-grams than anybody reads."""
    leaves = " ".join(f":op{k} (l{k} / leaf)" for k in range(1, MOST + 2))
    corpus = fm.parse([f"(a / and {leaves})"])
    assert make("sembleu").named_features(corpus, corpus, 0, 0) is None
