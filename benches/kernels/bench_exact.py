"""What does the proven optimum of a pair cost, per size class, on one thread, problem building included?

``extra_info`` holds how many pairs were proven and the gap of the rest: a fast answer that is not proven is another
answer. Documents run under a time limit a pair, so that the suite ends.
"""

from __future__ import annotations

from typing import Any

import pytest

COUNTS = {"sentence": 500, "long": 100, "document": 3, "degenerate": 5}


@pytest.mark.parametrize("kind", COUNTS)
def test_exact(benchmark: Any, prepare: Any, kind: str) -> None:
    prepared = prepare(kind, COUNTS[kind], solver="exact", time_limit=5.0)
    out = benchmark(prepared.score)
    benchmark.extra_info.update(
        pairs=COUNTS[kind],
        certified=int(out.certified.sum()),
        matched=int(out.matched.sum()),
        gap=int((out.upper - out.matched).sum()),
    )
