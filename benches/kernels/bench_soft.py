"""What does matching in part cost next to Smatch, on the same pairs of sentences?

Related random graphs of 10 and of 20 variables; 40 concepts, of which each is similar to a quarter of the others.
``extra_info`` has the sums of what matched, so that a change of speed with a change of score shows.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.metrics import make
from fastmatch.metrics.run import run
from fastmatch.metrics.softmatch import Softmatch

CONCEPTS, N_PAIRS = 40, 100


def corpora(n: int) -> tuple[fm.Corpus, fm.Corpus]:
    generator = random.Random(n)
    sides: tuple[list[str], list[str]] = ([], [])
    for _ in range(N_PAIRS):
        concepts = [generator.randrange(CONCEPTS) for _ in range(n)]
        parents = [generator.randrange(k) for k in range(1, n)]
        for side in sides:
            changed = [c if generator.random() < 0.8 else generator.randrange(CONCEPTS) for c in concepts]
            triples = [f"v{v} / c{c}" for v, c in enumerate(changed)]
            for child in range(n - 1, 0, -1):
                triples[parents[child - 1]] += f" :r{generator.randrange(8)} ({triples[child]})"
            side.append(f"({triples[0]})")
    pred = fm.parse(sides[0])
    return pred, fm.parse(sides[1], vocabulary=pred.vocabulary)


def similarities() -> dict[tuple[str, str], float]:
    generator = random.Random(0)
    drawn = {(f"c{i}", f"c{j}"): generator.uniform(0.2, 0.9) for i in range(CONCEPTS) for j in range(i)}
    return {pair: value for pair, value in drawn.items() if generator.random() < 0.25}


@pytest.mark.parametrize("n", [10, 20])
@pytest.mark.parametrize("name", ["smatch", "wsmatch", "soft", "soft-climb"])
def test_pairs(benchmark: Any, name: str, n: int) -> None:
    solver = "climb" if name == "soft-climb" else "exact"
    metric = make(name) if "soft" not in name else Softmatch(similarity=similarities(), solver=solver)
    pred, gold = (metric.prepare(corpus) for corpus in corpora(n))
    index = np.arange(N_PAIRS, dtype=np.int32)
    found = benchmark(run, metric, pred, gold, index, index)
    benchmark.extra_info.update(pairs=N_PAIRS, matched=float(found.matched.sum()), open=int((~found.certified).sum()))
