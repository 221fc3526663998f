"""A metric of another package, as a type checker sees it: one that says what it prepares, and one that does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import fastmatch as fm
from fastmatch.metrics.base import Metric, PairRange, TripleScores, from_text, get, make, option, register

Sizes = NDArray[np.int64]


@register("typed")
@dataclass(frozen=True)
class Typed(Metric[Sizes]):
    """How many variables two graphs could share."""

    least: int = option(0, "smallest number of variables that counts")

    def prepare(self, corpus: fm.Corpus) -> Sizes:
        return np.maximum(np.diff(corpus.variable_offsets), self.least)

    def sizes(self, prepared: Sizes) -> Sizes:
        return prepared

    def score(self, pred: Sizes, gold: Sizes, pairs: PairRange, out: TripleScores) -> None:
        i, j = pairs.graphs
        out.matched[pairs.places] = np.minimum(pred[i], gold[j])

    def fields(self, dialect: str) -> dict[str, str | int | float | bool | None]:
        return {"least": self.least, "read": dialect}


class Untyped(Metric):
    """Without saying what it prepares."""

    def prepare(self, corpus: fm.Corpus) -> list[int]:
        return [0] * len(corpus)


def of_any_metric(metric: Metric, corpus: fm.Corpus) -> None:
    assert_type(metric.prepare(corpus), Any)
    assert_type(Typed().prepare(corpus), Sizes)
    assert_type(make("typed"), Metric)
    assert_type(get("typed"), type[Metric])
    assert_type(from_text("typed,least=1"), Metric)
    assert_type(metric.reaching(0.5), Metric)
    assert_type(Typed().reaching(0.5), Typed)
