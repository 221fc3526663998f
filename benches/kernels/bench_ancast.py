"""What does AnCast cost, per size class, on one thread: preparing a graph, scoring a pair?

``extra_info`` holds the labelled relation F1 of all pairs, so that a faster run that computes something else shows.
``test_package`` runs the package ancast on the same pairs, for the ratio.
"""

from __future__ import annotations

import contextlib
import io
from typing import Any

import data
import numpy as np
import pytest

import fastmatch
from fastmatch.metrics.base import PairRange, make

COUNTS = {"sentence": 500, "long": 100, "document": 3, "degenerate": 5}


def _corpora(kind: str, preset: str | None) -> tuple[Any, Any, Any]:
    metric = make("ancast", preset)
    texts = [["# ::snt \n" + text for text in side] for side in data.pairs(kind, COUNTS[kind])]
    pred = fastmatch.parse(texts[0], dialect=metric.dialect)
    return metric, pred, fastmatch.parse(texts[1], dialect=metric.dialect, vocabulary=pred.vocabulary)


@pytest.mark.parametrize("kind", COUNTS)
def test_prepare(benchmark: Any, kind: str) -> None:
    metric, pred, _ = _corpora(kind, None)
    benchmark.extra_info["graphs"] = len(pred)
    benchmark(metric.prepare, pred)


@pytest.mark.parametrize("preset", [None, "tool"])
@pytest.mark.parametrize("kind", COUNTS)
def test_score(benchmark: Any, kind: str, preset: str | None) -> None:
    metric, pred, gold = _corpora(kind, preset)
    prepared = metric.prepare(pred), metric.prepare(gold)
    index = np.arange(len(pred), dtype=np.int32)

    def run() -> Any:
        out = metric.empty(*prepared, index, index, False)
        metric.score(*prepared, PairRange.all(index, index), out)
        return out

    benchmark.extra_info.update(pairs=len(pred), lr_f=run().micro().lr_f)
    benchmark(run)


def test_identical_siblings(benchmark: Any) -> None:
    """The package takes 30 s for a pair of these, nearly all of it to match what is left, one node a pass."""
    text = "(r / root" + "".join(f" :ARG0 (v{k} / leaf)" for k in range(400)) + ")"
    corpus = fastmatch.parse([text])
    assert benchmark(fastmatch.score, corpus, corpus, metric="ancast").score == 1


@pytest.mark.parametrize("kind", ["sentence", "long"])
def test_package(benchmark: Any, kind: str) -> None:
    matches = pytest.importorskip("ancast.matches")
    from ancast.sentence import Sentence

    def read(text: str) -> Any:
        return Sentence(sent="", semantic_text=text, alignment={}, sent_num=0, format="amr")

    with contextlib.redirect_stdout(io.StringIO()):
        pairs = [(read(one), read(two)) for one, two in zip(*data.pairs(kind, COUNTS[kind] // 10), strict=True)]
        benchmark.extra_info["pairs"] = len(pairs)
        benchmark.pedantic(lambda: [matches.MatchResolution(*pair) for pair in pairs], rounds=3)
