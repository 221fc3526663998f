"""The principles: what is counted, and that the exact Smatch keeps them all."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings

import fastmatch as fm
from fastmatch.benchmarks.principles import disguise, principles
from fastmatch.cli import main
from fastmatch.metrics.base import Metric

from strategies import specs

PRED = ["(a / cat)", "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))", "(x / y :op1 1)"]
GOLD = ["(b / cat)", "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02))", "(x / z)"]


def corpora(pred=PRED, gold=GOLD) -> tuple[fm.Corpus, fm.Corpus]:
    corpus = fm.parse(pred)
    return corpus, fm.parse(gold, vocabulary=corpus.vocabulary)


@dataclass(frozen=True)
class Crooked(Metric):
    """Scores by the number of the pair, by its direction, and by a seed."""

    seed: int = 0
    name = "crooked"
    statistics = ("value",)
    counts = False
    summable = False

    def combine(self, statistics):
        return {"value": statistics[0]}

    def prepare(self, corpus):
        return [len(graph.triples) for graph in corpus]

    def score(self, pred, gold, index_pred, index_gold, start, stop, out, cancel):
        for k in range(start, stop):
            difference = pred[index_pred[k]] - gold[index_gold[k]]
            out.statistics[0, k] = 1 + difference + (1e-9 if pred is gold else self.seed % 2)


def test_a_crooked_metric_is_found_out():
    """Pairs of 1 and 1, 6 and 5, 2 and 1 triples; the seed adds 1 in every other run."""
    found = principles(*corpora(), Crooked(), runs=4)
    sizes = [[len(graph.triples) for graph in side] for side in corpora()]
    difference = np.subtract(*sizes)
    assert found.n_pairs == 3
    assert found.svr == pytest.approx((difference != 0).mean())
    assert found.msv == pytest.approx(np.abs(2 * difference).mean())
    assert (found.lowest, found.highest) == (1 - difference.max(), 1 + difference.max())
    assert found.n_out_of_bounds == (np.abs(difference) > 0).sum()  # 2 in one direction, 0 in the other
    assert (found.n_equal, found.n_false_equal) == (1, 0)
    assert found.corpus_error == pytest.approx(np.std([0, 1, 0, 1], ddof=1))
    assert found.pair_error == pytest.approx(found.corpus_error)
    assert found.runs == 4


def test_equal_scores_of_different_graphs():
    swapped = corpora(["(a / b :ARG0 (c / d) :ARG1 (e / f))"], ["(a / b :ARG1 (c / d) :ARG0 (e / f))"])
    found = principles(*swapped, "smatch,triples=instance", runs=2)
    assert (found.n_false_equal, found.n_equal) == (1, 0)
    assert principles(*swapped, "smatch", runs=2).n_false_equal == 0


@settings(max_examples=30)
@given(specs(), specs())
def test_exact_smatch_keeps_all_principles(one, other):
    found = principles(*corpora([one.text(), other.text()], [other.text()] * 2), runs=2)
    assert found.svr == found.msv == found.corpus_error == found.pair_error == 0
    assert found.n_out_of_bounds == found.n_self_different == found.n_disguised_different == found.n_false_equal == 0
    assert found.self_lowest == found.self_highest == 1
    assert found.n_equal >= 1


def test_a_disguise_changes_names_and_order_and_nothing_else():
    corpus = fm.parse(PRED)
    hidden = disguise(corpus, 3)
    assert fm.score(hidden, corpus).pairs.f1.tolist() == [1, 1, 1]
    assert [graph.variables for graph in hidden] != [graph.variables for graph in corpus]
    assert hidden[1].encode() != disguise(corpus, 5)[1].encode()
    assert hidden == disguise(corpus, 3)


def test_exact_smatch_on_parses(data_dir):
    """The figure that the issue of symmetry and determinacy is about: both violations are 0 on 400 parses."""
    folder = data_dir / "data" / "lpp"
    pred = fm.read(folder / "parsers.amr")
    found = principles(pred, fm.read(folder / "parsers-gold.amr", vocabulary=pred.vocabulary), runs=2)
    assert found.svr == found.msv == found.corpus_error == found.pair_error == 0
    assert found.n_self_different == found.n_disguised_different == found.n_false_equal == 0


def test_bad_input():
    with pytest.raises(fm.OptionError, match="runs=1: expected at least 2"):
        principles(*corpora(), runs=1)
    with pytest.raises(fm.PairingError, match="3 predictions and 1 gold"):
        principles(*corpora(gold=GOLD[:1]))


def test_command(tmp_path, capsys):
    for name, texts in (("pred", PRED), ("gold", GOLD)):
        (tmp_path / f"{name}.amr").write_text("\n\n".join(texts), encoding="utf-8")
    files = [str(tmp_path / "pred.amr"), str(tmp_path / "gold.amr")]
    assert main(["principles", *files, "--metric", "smatch", "--metric", "smatch/smatch,solver=climb"]) == 0
    out = capsys.readouterr().out
    assert "principles, on 3 pairs of graphs" in out
    assert "smatch/smatch,solver=climb" in out
    assert main(["principles", *files, "--runs", "2", "--seed", "1", "--workers", "2", "--quiet", "--json"]) == 0
    [record] = json.loads(capsys.readouterr().out)["metrics"]
    assert record["svr"] == 0
    assert record["runs"] == 2
    assert main(["principles", *files, "--metric", "smatch,restarts=many"]) == 2
    assert "restarts is a number, found 'many'" in capsys.readouterr().err
    assert main(["principles", *files, "--metric", "smatch,solver"]) == 2
    assert "expected OPTION=VALUE, found 'solver'" in capsys.readouterr().err
