"""What does Smatch's hill-climber (one smart start, four random ones) cost, and how far below the optimum does it end?

Same pairs as ``bench_exact.py``; ``extra_info`` holds matched counts to compare.
"""

from __future__ import annotations

from typing import Any

import pytest

COUNTS = {"sentence": 500, "long": 100, "document": 3, "degenerate": 5}


@pytest.mark.parametrize("kind", COUNTS)
def test_climb(benchmark: Any, prepare: Any, kind: str) -> None:
    prepared = prepare(kind, COUNTS[kind], solver="climb")
    out = benchmark(prepared.score)
    benchmark.extra_info.update(pairs=COUNTS[kind], matched=int(out.matched.sum()))


@pytest.mark.parametrize("restarts", [0, 4, 9])
def test_restarts(benchmark: Any, prepare: Any, restarts: int) -> None:
    prepared = prepare("long", 50, solver="climb", restarts=restarts)
    out = benchmark(prepared.score)
    benchmark.extra_info.update(pairs=50, matched=int(out.matched.sum()))
