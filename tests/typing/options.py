"""Options of metrics by name, with their types; ``ci/types.sh`` checks it. Never run.

``mypy --strict`` reports an ignore comment that nothing needs, so each of them here says: this is refused.
"""

from __future__ import annotations

from typing import Any, Unpack, assert_type

import numpy as np
from numpy.typing import NDArray

import fastmatch as fm
from fastmatch.metrics.base import Metric


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
