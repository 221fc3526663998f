"""Options that are one of a few strings, and results that follow from them; ``ci/types.sh`` checks it. Never run.

``mypy --strict`` reports an ignore comment that nothing needs, so each of them here says: this is refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, assert_type

import fastmatch as fm
from fastmatch.benchmarks.bamboo import bamboo
from fastmatch.benchmarks.rare import evaluate, generate
from fastmatch.metrics.base import Metric
from fastmatch.metrics.smatch import Smatch
from fastmatch.metrics.wwlk import Wwlk
from fastmatch.types import Dialect, MetricName, OnError, OnErrorPaired


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
    training = fm.train_wwlk(pred, gold, [0.0, 1.0], progress=True)
    assert_type(training.weights, dict[str, float])
    fm.train_wwlk(pred, gold, progress=lambda done, total, look: print(done, total, look.dev))
    assert_type(fm.compare(score, score).differences[0].interval.low, float)
    return bamboo("data", ["smatch", Smatch()], progress=True).to_dict()
