"""How long do the metrics without alignment take to prepare a graph, and to score a pair of prepared ones?

Pairs are drawn at random, so most share little: the case of all-pairs comparison. ``peers`` are plain Python sets of
cached motifs, the least that a script of one's own would do. Divide by ``graphs`` and ``pairs`` of ``extra_info``.
``FASTMATCH_BENCH_AMR`` names a file of graphs to take instead of made-up sentences.
"""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from data import pairs as made_pairs

import fastmatch as fm
from fastmatch.metrics.base import PairRange, make

METRICS = ["rematch", "sembleu", "sema", "wlk"]
PAIRS = 100_000


@pytest.fixture(scope="module")
def corpus() -> fm.Corpus:
    path = os.environ.get("FASTMATCH_BENCH_AMR")
    return fm.read(Path(path)) if path else fm.parse(made_pairs("sentence", 1500)[1])


def indices(n_graphs: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return tuple(rng.integers(n_graphs, size=(2, PAIRS), dtype=np.int32))


@pytest.mark.parametrize("keys", ["hashed", "exact"])
@pytest.mark.parametrize("name", METRICS)
def test_prepare(benchmark, corpus, name, keys):
    metric = make(name, keys=keys)
    benchmark.extra_info.update(graphs=len(corpus))
    benchmark(metric.prepare, corpus)


@pytest.mark.parametrize("name", METRICS)
def test_score(benchmark, corpus, name):
    metric = make(name)
    prepared, (i, j) = metric.prepare(corpus), indices(len(corpus))
    out = metric.empty(prepared, prepared, i, j, False)
    benchmark(metric.score, prepared, prepared, PairRange.all(i, j), out)
    benchmark.extra_info.update(pairs=PAIRS, mean=float(out.score.mean()))


def test_python_sets(benchmark, corpus):
    prepared, (i, j) = make("rematch").prepare(corpus), indices(len(corpus))
    bounds = prepared.offsets
    sets = [frozenset(prepared.keys[start:stop].tolist()) for start, stop in pairwise(bounds)]
    chosen = list(zip(i.tolist(), j.tolist(), strict=True))

    def jaccards() -> list[float]:
        result = []
        for left, right in chosen:
            shared = len(sets[left] & sets[right])
            result.append(shared / (len(sets[left]) + len(sets[right]) - shared))
        return result

    found = benchmark(jaccards)
    benchmark.extra_info.update(pairs=PAIRS, mean=sum(found) / PAIRS)
