"""How many graphs a second does the reader turn into a corpus, from a string in memory, per size class?

``extra_info`` holds graphs and bytes, so rates follow from the times; ``test_list`` reads the same graphs from a list
of strings, and ``test_penman`` the same text with penman, for the ratios.
"""

from __future__ import annotations

from typing import Any

import data
import pytest

import fastmatch

COUNTS = {"sentence": 500, "long": 120, "document": 15, "large": 4}


def _text(kind: str) -> str:
    return "\n\n".join(data.pairs(kind, COUNTS[kind])[1])


@pytest.mark.parametrize("dialect", ["penman", "smatch", "amrsuite", "smatchpp"])
@pytest.mark.parametrize("kind", COUNTS)
def test_parse(benchmark: Any, kind: str, dialect: str) -> None:
    text = _text(kind)
    benchmark.extra_info.update(graphs=COUNTS[kind], bytes=len(text.encode()))
    assert len(benchmark(fastmatch.parse, text, dialect=dialect)) == COUNTS[kind]


@pytest.mark.parametrize("kind", COUNTS)
def test_list(benchmark: Any, kind: str) -> None:
    texts = data.pairs(kind, COUNTS[kind])[1]
    benchmark.extra_info.update(graphs=COUNTS[kind], bytes=len("".join(texts).encode()))
    assert len(benchmark(fastmatch.parse, texts)) == COUNTS[kind]


@pytest.mark.parametrize("kind", ["sentence", "long"])
def test_penman(benchmark: Any, kind: str) -> None:
    import penman
    from penman.models.amr import model

    text = _text(kind)
    benchmark.extra_info.update(graphs=COUNTS[kind], bytes=len(text.encode()))
    assert len(benchmark(penman.loads, text, model=model)) == COUNTS[kind]
