"""What do the two steps before an alignment cost: the features of a corpus (once a graph), the problem of a pair?"""

from __future__ import annotations

from typing import Any

import data
import pytest

import fastmatch
from fastmatch._ext.matching.problem import build_problem
from fastmatch.metrics.base import make

COUNTS = {"sentence": 500, "long": 120, "document": 15, "large": 4, "degenerate": 50}


@pytest.mark.parametrize("kind", COUNTS)
def test_features(benchmark: Any, kind: str) -> None:
    corpus = fastmatch.parse(data.pairs(kind, COUNTS[kind])[1])
    metric = make("smatch")
    benchmark.extra_info["graphs"] = COUNTS[kind]
    benchmark(metric.prepare, corpus)


@pytest.mark.parametrize("kind", COUNTS)
def test_problem(benchmark: Any, prepare: Any, kind: str) -> None:
    prepared = prepare(kind, 1)
    problem = benchmark(build_problem, prepared.pred, prepared.gold, 0, 0)
    benchmark.extra_info.update(candidates=len(problem[2]), edge_pairs=len(problem[5]))
