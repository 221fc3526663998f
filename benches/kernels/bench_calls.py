"""What does a call take that scores one pair, of two texts or against a gold graph that is kept?

A kept graph is a corpus of its own, or one graph of a corpus that has many more strings. Scoring leaves both as they
were. Divide the times by ``calls``.
"""

from __future__ import annotations

from typing import Any

import data
import pytest

import fastmatch as fm

CALLS = 200


@pytest.mark.parametrize("gold", ["text", "corpus of its own", "part of a corpus"])
def test_one_pair(benchmark: Any, gold: str) -> None:
    preds, golds = data.pairs("sentence", CALLS)
    kept: list[Any] = list(golds)
    if gold == "corpus of its own":
        kept = [fm.parse(text) for text in golds]
    elif gold == "part of a corpus":
        whole = fm.parse(golds)
        kept = [whole[k : k + 1] for k in range(CALLS)]
    strings = [len(one.vocabulary) for one in kept if not isinstance(one, str)]
    found = benchmark(lambda: [fm.score(pred, one).matched for pred, one in zip(preds, kept, strict=True)])
    benchmark.extra_info.update(calls=CALLS, matched=sum(found))
    assert strings == [len(one.vocabulary) for one in kept if not isinstance(one, str)]
