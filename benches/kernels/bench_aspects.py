"""What do fine-grained scores cost next to one Smatch score of the same graphs?

``extra_info`` holds the number of scores and a few of them. ``tool`` rewrites the text and reads it three times; the
others begin with corpora.
"""

from __future__ import annotations

from typing import Any

import pytest

import fastmatch as fm

PAIRS = 500


@pytest.fixture(scope="module")
def texts() -> tuple[list[str], list[str]]:
    import data

    predictions, golds = data.pairs("sentence", PAIRS)
    return list(predictions), list(golds)


def test_smatch(benchmark: Any, texts: Any) -> None:
    pred = fm.parse(texts[0])
    gold = fm.parse(texts[1], vocabulary=pred.vocabulary)
    result = benchmark(fm.score, pred, gold)
    benchmark.extra_info.update(pairs=PAIRS, scores=1, f1=result.f1)


@pytest.mark.parametrize("kind", ["damonte", "enhanced"])
def test_default(benchmark: Any, texts: Any, kind: str) -> None:
    pred = fm.parse(texts[0])
    gold = fm.parse(texts[1], vocabulary=pred.vocabulary)
    result = benchmark(fm.aspects, pred, gold, kind=kind)
    benchmark.extra_info.update(pairs=PAIRS, scores=len(result), f1=result["Smatch"].f1, srl=result["SRL"].f1)


@pytest.mark.parametrize("kind", ["damonte", "enhanced"])
def test_tool(benchmark: Any, texts: Any, kind: str) -> None:
    result = benchmark(fm.aspects, *texts, kind=kind, preset="tool")
    benchmark.extra_info.update(pairs=PAIRS, scores=len(result), f1=result["Smatch"].f1, srl=result["SRL"].f1)
