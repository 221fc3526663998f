"""What a user writes, and what the types say of options and results; ``ci/types.sh`` checks it. Never run.

``mypy --strict`` reports an ignore comment that nothing needs, so each of them here says: this is refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Unpack, assert_type

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

import fastmatch as fm
import fastmatch.compat
import fastmatch.distributed
from fastmatch.benchmarks.bamboo import bamboo
from fastmatch.benchmarks.rare import evaluate, generate
from fastmatch.compat import amr, smatch
from fastmatch.metrics.base import Metric
from fastmatch.metrics.smatch import Smatch
from fastmatch.metrics.wwlk import Wwlk
from fastmatch.types import Dialect, MetricName, OnError, OnErrorPaired


def scored(pred: Path, gold: Path) -> float:
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


def of_the_default_metric(pred: fm.Corpus, gold: fm.Corpus) -> None:
    assert_type(fm.score(pred, gold, solver="climb", restarts=4, seed=1, preset="smatch"), fm.CorpusScore)
    fm.score(pred, gold, sovler="exact")  # type: ignore[call-overload]
    fm.score(pred, gold, restarts="many")  # type: ignore[call-overload]
    fm.score(pred, gold, k=2)  # type: ignore[call-overload]
    fm.compare(pred, pred, gold=gold, solver="best")  # type: ignore[call-overload]
    fm.agreement([pred, gold], top="roof")  # type: ignore[call-overload]


def of_other_metrics(pred: fm.Corpus, gold: fm.Corpus) -> None:
    fm.score(pred, gold, metric="sembleu", k=2, direction="mean", preset="tool")
    fm.score(pred, gold, metric="wlk", kernel="minmax", bootstrap=100)
    fm.compare(pred, pred, gold=gold, metric="s2match", embeddings="glove.txt", cutoff=0.5)
    fm.agreement({"one": pred, "two": gold}, metric="rematch", labels=True)
    assert_type(fm.align(pred, gold, metric="smatch++", preset="reify", compress=True), fm.Alignment)
    assert_type(fm.align(pred, gold, metric="wwlk", k=1, edge_weights="ones"), fm.FlowAlignment)
    assert_type(fm.cdist(pred, metric="wlk", direction="2-way"), NDArray[np.float32])
    assert_type(fm.cdist(pred, metric="wlk", direction="2-way", dtype=np.float64), NDArray[np.float64])
    assert_type(fm.cpdist(pred, gold, metric="ancast", alpha=0.5), NDArray[np.float64])
    assert_type(fm.pairs(pred, gold, metric="wsmatch", threshold=3), fm.PairScores)
    assert_type(fm.top_k(pred, gold, 3, metric="rematch", relations=False), fm.TopK)


def whatever_is_known(pred: fm.Corpus, gold: fm.Corpus, name: str, metric: Metric, options: dict[str, Any]) -> None:
    """A name that is known when the program runs only, a metric that was made, options from a file."""
    assert_type(fm.score(pred, gold, metric=name, any_option=3), fm.CorpusScore)
    fm.score(pred, gold, metric="sembleu/tool,k=2")
    fm.score(pred, gold, metric=metric, workers=2)
    fm.score(pred, gold, **options)
    fm.score(pred, gold, metric="sembleu", **options)
    fm.score(pred, gold, metric=name, **options)
    fm.top_k(pred, gold, 3, metric="wlk", direction="2-way")


def passed_on(pred: fm.Corpus, gold: fm.Corpus, **options: Unpack[fm.SmatchOptions]) -> fm.CorpusScore:
    return fm.score(pred, gold, **options)


def misused(pred: fm.Corpus, gold: fm.Corpus) -> None:
    passed_on(pred, gold, time_limit=3)
    passed_on(pred, gold, kernel="minmax")  # type: ignore[call-arg]


def alignments(one: fm.Graph, two: fm.Corpus, name: str, metric: Metric) -> None:
    assert_type(fm.align(one, two), fm.Alignment)
    assert_type(fm.align(one, two, metric="ancast", preset="tool"), fm.Alignment)
    assert_type(fm.align(one, two, metric="wwlk", k=1), fm.FlowAlignment)
    assert_type(fm.align(one, two, metric=Wwlk()), fm.FlowAlignment)
    assert_type(fm.align(one, two, metric=name), fm.Alignment | fm.FlowAlignment)
    assert_type(fm.align(one, two, metric=Smatch()), fm.Alignment | fm.FlowAlignment)
    assert_type(fm.align(one, two, metric=metric), fm.Alignment | fm.FlowAlignment)


def metrics(pred: fm.Corpus, gold: fm.Corpus, own: MetricName, other: str, metric: Metric) -> None:
    assert_type(fm.score(pred, gold, metric=own), fm.CorpusScore)
    assert_type(fm.score(pred, gold, metric=other), fm.CorpusScore)
    assert_type(fm.compare(pred, pred, gold, metric=metric), fm.Comparison)
    fm.score(pred, gold, metric=3)  # type: ignore[call-overload]


def on_error(pred: Path, gold: Path, paired: OnErrorPaired, alone: OnError) -> None:
    fm.score(pred, gold, on_error=paired)
    fm.score(pred, gold, on_error="repair")
    assert_type(fm.read(pred, field="amr", extract=True, on_error="repair"), fm.Corpus)
    fm.read(pred, field="amr", extract="nowhere")  # type: ignore[arg-type]
    for problem in fm.score(pred, gold, on_error=paired).problems:
        assert_type(problem.rule, str | None)
    fm.score(pred, gold, on_error="skip")  # type: ignore[call-overload]
    fm.compare(pred, pred, gold, on_error="skip")  # type: ignore[call-overload]
    fm.aspects(pred, gold, on_error=alone)  # type: ignore[arg-type]
    fm.read(pred, on_error=alone)
    fm.read(pred, on_error="shrug")  # type: ignore[arg-type]


def dialects(path: Path, dialect: Dialect) -> None:
    assert_type(fm.read(path, dialect=dialect), fm.Corpus)
    fm.parse("(a / b)", dialect="amr")  # type: ignore[arg-type]


def other_choices(pred: Path, gold: Path, corpus: fm.Corpus, folder: Path) -> None:
    fm.score(pred, gold, bootstrap=100, bootstrap_method="basic")  # type: ignore[call-overload]
    fm.compare(pred, pred, gold, correction="sidak")  # type: ignore[call-overload]
    fm.compare(pred, pred, gold, against="last")  # type: ignore[call-overload]
    fm.aspects(pred, gold, kind="smatch")  # type: ignore[arg-type]
    fm.umr.score(pred, gold, preset="paper")  # type: ignore[call-overload]
    fm.umr.score(pred, gold, metric="smatch")  # type: ignore[call-overload]
    bamboo(folder, protocol="0.3")  # type: ignore[arg-type]
    evaluate(generate(corpus, preset="paper"))  # type: ignore[arg-type]


def results(pred: list[str], gold: list[str]) -> dict[str, Any]:
    score = fm.score(pred, gold, mapping=True, progress=print)
    assert_type(score.pairs, fm.PairScores)
    assert_type(score.macro, fm.Scores)
    assert_type(fm.umr.score("", "").score, float)
    assert_type(fm.umr.score("", "", metric="jumatch"), fm.umr.JumatchScore)
    assert_type(fm.umr.score("", "", metric="ancast"), fm.umr.DocumentScore)
    assert_type(fm.train_wwlk(pred, gold, [0.0, 1.0], progress=True).weights, dict[str, float])
    fm.train_wwlk(pred, gold, progress=lambda done, total, look: print(done, total, look.dev))
    assert_type(fm.compare(score, score).differences[0].interval.low, float)
    return bamboo("data", ["smatch", Smatch()], progress=True).to_dict()


def matrices(corpus: fm.Corpus, other: list[str], path: Path) -> None:
    assert_type(fm.cdist(corpus), NDArray[np.float32])
    assert_type(
        fm.cdist(corpus, other, metric="rematch", score_cutoff=0.5, labels=True, workers=-1), NDArray[np.float32]
    )
    assert_type(fm.cdist(corpus, dtype=np.float64), NDArray[np.float64])
    assert_type(fm.cdist(corpus, dtype=np.dtype(np.float16)), NDArray[np.float16])
    assert_type(fm.cdist(corpus, dtype="float64"), NDArray[Any])
    assert_type(fm.cdist(corpus, dtype=float), NDArray[Any])
    assert_type(fm.cdist(corpus, out=path, resume=True), NDArray[np.float32])
    assert_type(fm.cdist(corpus, out="a.npy", dtype=np.float64), NDArray[np.float64])
    assert_type(fm.cdist(corpus, out=np.empty((2, 2))), NDArray[np.float64])


def sparse_matrices(corpus: fm.Corpus, path: Path) -> None:
    assert_type(fm.cdist(corpus, sparse=True), scipy.sparse.csr_array)
    assert_type(fm.cdist(corpus, sparse=True, dtype=np.float64), scipy.sparse.csr_array)
    assert_type(fm.cdist(corpus, sparse=True, out=path), Path)
    assert_type(fm.cdist(corpus, sparse=True, out="a.parquet"), str)


def chosen_pairs(corpus: fm.Corpus) -> None:
    assert_type(fm.cpdist(corpus, corpus), NDArray[np.float64])
    assert_type(fm.cpdist(corpus, corpus, [[0, 1]], metric="sembleu", k=2), NDArray[np.float64])
    assert_type(fm.cpdist(corpus, corpus, dtype=np.float32), NDArray[np.float32])
    assert_type(fm.cpdist(corpus, corpus, dtype="float32"), NDArray[Any])
    assert_type(fm.pairs(corpus, index_pairs=np.array([[0, 1]])), fm.PairScores)


def neighbours(corpus: fm.Corpus, path: Path) -> None:
    assert_type(fm.top_k(corpus, k=3, metric="wlk", wlk_k=1), fm.TopK)
    assert_type(fm.top_k(corpus).indices, NDArray[np.int32])
    assert_type(fm.top_k(corpus, corpus, 3, out=path).to_csr("distance"), scipy.sparse.csr_array)


def features(corpus: fm.Corpus) -> None:
    assert_type(fm.features(corpus), scipy.sparse.csr_array)
    one, two = fm.features(corpus, corpus, metric="wlk", k=1)
    assert_type(one, scipy.sparse.csr_array)
    assert_type(two, scipy.sparse.csr_array)


def on_dask(corpus: fm.Corpus, path: Path) -> None:
    assert_type(fastmatch.distributed.cdist(corpus, sparse=True), scipy.sparse.csr_array)
    assert_type(fastmatch.distributed.cdist(corpus, sparse=True, out=path), Path)
    assert_type(fastmatch.distributed.top_k(corpus), fm.TopK)


def errors(corpus: fm.Corpus) -> None:
    """What the types forbid; mypy says so where an ignored line has no error."""
    fm.cdist(corpus, on_error="skip")  # type: ignore[call-overload]
    fm.cdist(corpus, sparse=True, out=np.empty((2, 2)))  # type: ignore[call-overload]
    fm.top_k(corpus, on_error="skip")  # type: ignore[call-overload]
