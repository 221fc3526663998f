"""What a user writes; ``ci/types.sh`` checks it with ``mypy --strict`` against the installed package. Never run."""

from __future__ import annotations

from pathlib import Path
from typing import assert_type

import numpy as np
from numpy.typing import NDArray

import fastmatch as fm
import fastmatch.compat
from fastmatch.compat import amr, smatch


def evaluate(pred: Path, gold: Path) -> float:
    predictions: fm.Corpus = fm.read(pred)
    golds = fm.read(gold, vocabulary=predictions.vocabulary)
    result = fm.score(predictions, golds, metric="smatch", solver="exact", workers=-1)
    assert_type(result.f1, float)
    assert_type(result.certified, bool)
    matched: NDArray[np.int64] = result.pairs.matched
    scores: NDArray[np.float64] = result.pairs.f1
    print(result.macro.f1, matched.sum(), scores.mean(), str(result.signature))
    return result.precision + result.recall


def trust(one: Path, two: Path, gold: Path) -> list[str]:
    result = fm.score(one, gold, bootstrap=1000, confidence=0.9, bootstrap_method="percentile", bootstrap_seed=1)
    assert result.intervals is not None
    low, high = result.intervals["f1"]
    assert_type(low, float)
    comparison = fm.compare(one, two, gold, correction="holm", resamples=100)
    assert_type(comparison, fm.Comparison)
    for row in comparison.of("macro_f1"):
        print(row.difference + row.effect, row.interval.low, row.p_randomisation, high)
    agreed = fm.agreement([one, two, gold], metric="rematch", names=["A", "B", "C"])
    assert_type(agreed, fm.Agreement)
    agreed_means: NDArray[np.float64] = agreed.matrix.mean(axis=0)
    print(agreed.mean.headline, agreed.of("A", 2).score, fm.agreement({"one": one, "two": two}).missing, agreed_means)
    aspects = fm.aspects(one, gold, kind="enhanced", preset="tool")
    assert_type(aspects["Negations"].f1, float)
    return [name for name, score in aspects.items() if score.f1 < low]


def look(corpus: fm.Corpus) -> list[str]:
    assert_type(corpus[0], fm.Graph)
    assert_type(corpus[1:], fm.Corpus)
    assert_type(corpus[np.array([0, 2])], fm.Corpus)
    both = corpus + corpus[:1]
    return [graph.encode() for graph in both if graph.top is not None]


def worst(result: fm.CorpusScore, comparison: fm.Comparison) -> list[str | None]:
    found = result.worst(3)
    assert_type(found[0].score, float)
    print(result.to_pandas(), comparison.to_arrow(), fm.plot.histogram(result), found[:2].indices)
    return [id for _, id, _ in found]


def strings() -> int:
    corpus = fm.parse("(a / cat) (b / dog)", on_error="skip")
    alignment = fm.align("(a / cat)", "(b / cat :mod (c / big))")
    for variable, partner in alignment.mapping.items():
        print(variable, partner)
    try:
        fm.score(["(a / cat)"], ["(b / cat)", "(c / dog)"], preset="smatch")
    except fm.PairingError as error:
        print(error)
    except fm.ReadError as error:
        assert_type(error.line, int)
        print(error.caret())
    return len(corpus) + alignment.matched


def everything(corpus: fm.Corpus) -> float:
    scores = fm.cdist(corpus, metric="rematch", score_cutoff=0.5, workers=-1)
    return float(scores.mean())


def go_on(pred: Path, gold: Path) -> float:
    fastmatch.compat.install(solver="climb", quiet=True)
    smatch.match_triple_dict = {}
    with pred.open() as first, gold.open() as second:
        precision, recall, f1 = next(iter(smatch.score_amr_pairs(first, second)))
    graph = amr.AMR.parse_AMR_line("(a / b)")
    assert graph is not None
    graph.rename_node("a")
    mapping, matched = smatch.get_best_match(*graph.get_triples(), *graph.get_triples(), "a", "a")
    assert_type(mapping, list[int])
    assert_type(smatch.get_amr_match("(a / b)", "(a / b)"), tuple[int, int, int])
    return precision + recall + f1 + matched
