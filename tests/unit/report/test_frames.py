"""Results as data frames and Arrow tables: the numbers of the result, under names that stay."""

import math
import sys

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.benchmarks import studies
from fastmatch.benchmarks.bamboo import BambooResult, BambooRow
from fastmatch.benchmarks.principles import principles
from fastmatch.benchmarks.rare import evaluate, generate
from fastmatch.metrics.training.curve import Look
from fastmatch.metrics.training.wwlk import Training
from fastmatch.report import frames

PRED = "# ::id one\n(a / cat)\n\n(b / dog :mod (c / big))\n\n# ::id three\n(d / dog)\n"
GOLD = "# ::id one\n(a / cat :mod (s / small))\n\n# ::id two\n(b / dog)\n\n# ::id three\n(d / cat)\n"


@pytest.fixture(params=["pandas", "pyarrow"])
def table(request):
    """What makes a dict of lists of a result, through one of the libraries."""
    pytest.importorskip(request.param, reason=f"{request.param} is not installed: pip install 'fastmatch[arrow]'")

    def columns(result):
        made = result.to_pandas().to_dict("list") if request.param == "pandas" else result.to_arrow().to_pydict()
        return {name: [None if value != value else value for value in column] for name, column in made.items()}

    return columns


def test_pairs(table):
    result = fm.score(PRED, GOLD)
    found = table(result.pairs)
    assert list(found) == ["index", *result.pairs.columns()] and found["index"] == [0, 1, 2]
    assert found["score"] == result.pairs.score.tolist() and found["certified"] == [True, True, True]

    assert table(result) == {**found, "id": ["one", "two", "three"]}  # one row a pair


def test_pairs_without_ids(table):
    assert table(fm.score("(a / b)", "(a / b)"))["id"] == [None]
    assert table(fm.CorpusScore(fm.score(PRED, GOLD).pairs, fm.Signature("x", {})))["id"] == [None] * 3


def test_worst(table):
    worst = fm.score(PRED, GOLD).worst(2)
    assert table(worst) == {"index": worst.indices.tolist(), "id": list(worst.ids), "score": worst.scores.tolist()}


def test_aspects(table):
    result = fm.aspects(PRED, GOLD, bootstrap=20)
    found = table(result)
    assert found["aspect"] == list(result) and found["f1"] == [score.f1 for score in result.values()]
    assert {"n_macro", "macro_f1", "f1_low", "f1_high", "signature"} <= set(found)


def test_comparison(table):
    result = fm.compare(PRED, GOLD, GOLD, names=("first", "second"), resamples=9)
    found = table(result)
    assert set(found["first"]) == {"first"} and found["score"] == [row.score for row in result.differences]
    assert found["adjusted_bootstrap"] == [row.adjusted_bootstrap for row in result.differences]


def test_alignment(table):
    found = table(fm.align("(a / cat :mod (b / big))", "(c / cat :mod (d / small))"))
    rows = list(zip(*found.values(), strict=True))
    assert list(found) == ["status"] + [f"{side}_{part}" for side in ("pred", "gold") for part in PARTS]
    assert ("matched", "a", ":mod", "b", "c", ":mod", "d") in rows
    assert ("only predicted", "b", ":instance", "big", None, None, None) in rows
    assert ("only gold", None, None, None, "d", ":instance", "small") in rows


PARTS = ("source", "role", "target")


def test_flow(table):
    flow = fm.align("(a / cat :mod (b / big))", "(c / cat :mod (d / small))", metric="wwlk")
    found = table(flow)
    assert [found["mass"][k] for k in range(len(flow.flows))] == [each.mass for each in flow.flows]
    assert found["pred_variable"][0] == "a" and found["gold_label"][0] == "cat"


def test_neighbours(table):
    found = table(fm.top_k(fm.parse(PRED), fm.parse(GOLD), 2))
    assert found["query"] == [0, 0, 1, 1, 2, 2] and found["query_id"] == ["one", "one", None, None, "three", "three"]


def test_benchmarks(table):
    one = principles(PRED, GOLD, runs=2)
    found = table(one)
    assert {name: column[0] for name, column in found.items() if column[0] is not None} == {
        name: value for name, value in one.summary().items() if value == value
    }
    row = BambooRow("smatch", "s", (50.0, None, math.nan) + (None,) * 9, (5,) * 12, None, 1.5)
    found = table(BambooResult((row,), "0.2", "test"))
    assert found["metric"] == ["smatch"] and found["seconds"] == [1.5]
    assert [column[0] for column in list(found.values())[1:4]] == [50.0, None, None]
    graphs = fm.parse("\n\n".join(f"(a{k} / and :op1 (b / b{k} :mod (c / c :mod (d / d))))" for k in range(30)))
    found = table(evaluate(generate(graphs, ("test",)), ["smatch", "rematch"]))
    assert found["metric"] == ["smatch", "rematch"] and found["split"] == ["test", "test"]


def test_studies(table):
    impact = studies.impact(["(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"])
    columns = {name: [getattr(each, name) for each in impact.values()] for name in ("nodes", "kgrams", "triples")}
    assert table(impact) == {"place": list(impact), **columns}
    found = table(studies.optima(PRED, GOLD, runs=3))
    assert found["index"] == [0, 1, 2] and max(found["reached"]) <= 3
    (space,) = studies.search_space(PRED, GOLD, "smatch")
    assert table(space)["triples"] == space.triples.tolist()
    found = table(studies.ranking([PRED, GOLD], GOLD, ["smatch", "rematch"]))
    assert (found["metric"], found["other_metric"]) == (["smatch"], ["rematch"])
    assert (found["system"], found["other_system"]) == ([0], [1])


def test_training(table):
    found = table(Training((Look(0, 0.25, math.nan), Look(10, 0.5, 0.75)), 1, 10, False, fm.Signature("wwlk", {}), {}))
    assert found == {"update": [0, 10], "dev": [0.25, 0.5], "train": [None, 0.75]}


def test_umr(table):
    found = table(fm.umr.score(UMR, UMR))
    assert len(found["pred"]) == 1 and found["comp"] == [1.0]
    found = table(fm.umr.score([UMR, UMR], [UMR, UMR], metric="jumatch"))
    assert found["f1"] == [1.0, 1.0] and found["matched"] == [1, 1]


UMR = "# sentence level graph:\n(s1a / act-01)\n\n# alignment:\ns1a: 1-1\n\n# document level annotation:\n(s1s0 / s)\n"


def test_columns_of_rows():
    columns = frames.columns_of([{"a": 1, "b": "x"}, {"a": 2, "b": None, "c": None}])
    assert columns["a"].dtype.kind == "i" and columns["b"] == ["x", None]
    assert np.isnan(columns["c"]).all() and columns["c"].dtype == np.float64
    assert frames.columns_of([]) == {}


@pytest.mark.parametrize(("method", "library"), [("to_pandas", "pandas"), ("to_arrow", "pyarrow")])
def test_without_the_library_one_line_says_what_to_install(monkeypatch, method, library):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(fm.OptionError, match=rf"need {library}: pip install 'fastmatch\[arrow\]'"):
        getattr(fm.score("(a / b)", "(a / b)"), method)()
