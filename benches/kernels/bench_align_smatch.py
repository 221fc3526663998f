"""What does a pair of Chinese AMR cost in Align-smatch: reading its table, preparing, proving the optimum?

Graphs are of the size of the shared task's sentences, some 17 nodes and 52 triples. ``extra_info`` has microseconds a
pair, and how many times the published program's time that is: it took 11.3 ms of processor time a pair on 1,713 pairs
of that size, 0.3 ms of which to read them (CPython 3.11, one core of a shared x86-64 machine).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.metrics import make
from fastmatch.metrics.run import run
from fastmatch.metrics.shared.option_tables import SentenceLengths

PAIRS = 500
#: Microseconds a pair of the published program.
PROGRAM = 11_300
_CONCEPTS = 3000
_ROLES = [":arg0"] * 8 + [":arg1"] * 10 + [":arg2", ":mod", ":time", ":quant", ":degree", ":aspect", ":cause", ":op1"]


class _Graph(NamedTuple):
    concepts: list[str]
    edges: list[tuple[int, str, str, int]]


def _concept(rng: random.Random) -> str:
    number = int(_CONCEPTS ** rng.random())  # log-uniform, as words are
    text = chr(0x4E00 + number) + chr(0x4E00 + 7 * number)
    return f"{text}-0{1 + number % 3}" if number % 2 else text


def _graph(rng: random.Random) -> _Graph:
    size = rng.randint(8, 26)
    edges = [(rng.randrange(max(0, k - 5), k), rng.choice(_ROLES), _word(rng, size), k) for k in range(1, size)]
    edges += [(rng.randrange(size), ":arg0", "-\t-", rng.randrange(size)) for _ in range(size // 10)]
    return _Graph([_concept(rng) for _ in range(size)], edges)


def _word(rng: random.Random, size: int) -> str:
    return f"x{size + rng.randint(1, 9)}\t{_concept(rng)}" if rng.random() < 0.15 else "-\t-"


def _wrong(rng: random.Random, graph: _Graph) -> _Graph:
    """The graph with a fifth of its parts wrong, as a parser has it."""
    concepts = [_concept(rng) if rng.random() < 0.15 else concept for concept in graph.concepts]
    edges = []
    for source, role, word, target in graph.edges:
        what = rng.random()
        role = rng.choice(_ROLES) if what < 0.15 else role
        source = rng.randrange(len(concepts)) if 0.15 < what < 0.25 else source
        edges.append((source, role, "-\t-" if what > 0.9 else word, target))
    return _Graph(concepts, edges)


def _rows(number: int, graph: _Graph) -> str:
    def node(k: int) -> str:
        return f"x{k + 1}\t{graph.concepts[k]}\t-"

    rows = [f"{number}\tx0\troot\t-\t:top\t-\t-\t{node(0)}"]
    rows += [f"{number}\t{node(source)}\t{role}\t{word}\t{node(target)}" for source, role, word, target in graph.edges]
    return "\n".join(rows) + "\n\n"


@pytest.fixture(scope="module")
def texts() -> tuple[str, str]:
    rng = random.Random(1)
    gold = [_graph(rng) for _ in range(PAIRS)]
    pred = [_wrong(rng, graph) for graph in gold]
    made = ["".join(_rows(k, graph) for k, graph in enumerate(side)) for side in (pred, gold)]
    return made[0], made[1]


LENGTHS = SentenceLengths({str(k): 20 for k in range(PAIRS)})


def _report(benchmark: Any, work: Callable[[], Any]) -> Any:
    found = benchmark(work)
    if benchmark.disabled:
        return found
    micro = 1e6 * benchmark.stats.stats.min / PAIRS
    benchmark.extra_info.update(pairs=PAIRS, microseconds_a_pair=micro, times_the_program=PROGRAM / micro)
    return found


def _read(texts: tuple[str, str]) -> tuple[fm.Corpus, fm.Corpus]:
    pred = fm.parse(texts[0], dialect="camr-tuples")
    return pred, fm.parse(texts[1], dialect="camr-tuples", vocabulary=pred.vocabulary)


def test_read(benchmark: Any, texts: tuple[str, str]) -> None:
    pred, gold = _report(benchmark, lambda: _read(texts))
    assert len(pred) == len(gold) == PAIRS


def test_read_and_score(benchmark: Any, texts: tuple[str, str]) -> None:
    """All that the program does for two files."""
    metric = make("align-smatch", lengths=LENGTHS)
    result = _report(benchmark, lambda: fm.score(*_read(texts), metric=metric))
    assert result.certified
    benchmark.extra_info.update(triples=int(result.pairs.n_gold.sum()) / PAIRS, f1=result.f1)


def test_solve(benchmark: Any, texts: tuple[str, str]) -> None:
    """Only the search and its proof."""
    metric = make("align-smatch", lengths=LENGTHS)
    pred, gold = (metric.prepare(side) for side in fm.Corpus.together(_read(texts)))
    index = np.arange(PAIRS, dtype=np.int32)
    pairs = _report(benchmark, lambda: run(metric, pred, gold, index, index))
    assert pairs.certified.all()
