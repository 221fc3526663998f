"""The searches of Smatch as the kernels have them, with limits that no option sets."""

from typing import Any, NamedTuple

import numpy as np

import fastmatch as fm
from fastmatch._ext.matching.score import score_climb, score_exact
from fastmatch._ext.matching.triples import TripleFeatures
from fastmatch.metrics import make
from fastmatch.metrics.base import PairRange


class Found(NamedTuple):
    """Arrays with an entry a pair; ``mapping`` is that of the only pair, if it was asked for."""

    matched: np.ndarray
    upper: np.ndarray
    certified: np.ndarray
    work: np.ndarray
    mapping: np.ndarray | None


def prepared(pred: fm.Corpus, gold: fm.Corpus) -> list[TripleFeatures]:
    """Both corpora, of one vocabulary, as the kernel takes them."""
    return [make("smatch").prepare(corpus) for corpus in (pred, gold)]


def sides_of(pred: str, gold: str) -> list[TripleFeatures]:
    """Two texts as the kernel takes them."""
    return prepared(*fm.Corpus.together([fm.parse(pred), fm.parse(gold)]))


def exact_search(
    a: TripleFeatures, b: TripleFeatures, n: int = 1, variables: int | None = None, **limits: Any
) -> Found:
    """The first ``n`` graphs of ``a`` against those of ``b``; ``variables`` of the only prediction to get its map."""
    index = np.arange(n, dtype=np.int32)
    matched, upper, work = np.zeros((3, n), np.int64)
    certified, mapping = np.zeros(n, np.uint8), None
    if variables is not None:
        mapping = np.empty(variables, np.int32)
        limits |= {"mapping_offsets": np.array([0, variables]), "mapping": mapping}
    sizes = {name: limits.pop(name) for name in ("narrow", "wide", "whole", "alike", "programs") if name in limits}
    limits = {"max_work": 2**62, "time_limit": np.inf, "limits": {k: n for k, n in sizes.items() if n}, **limits}
    score_exact(
        a, b, PairRange.all(index, index), matched=matched, upper=upper, certified=certified, work=work, **limits
    )
    return Found(matched, upper, certified, work, mapping)


def climbed(a: TripleFeatures, b: TripleFeatures, **options: int) -> tuple[int, np.ndarray]:
    """What the hill-climber makes of the first graph of each: triples that match, and the map."""
    n, index, matched = int(a.n_variables[0]), np.zeros(1, np.int32), np.zeros(1, np.int64)
    mapping = np.full(n, -1, np.int32)
    room = {"mapping_offsets": np.array([0, n]), "mapping": mapping}
    score_climb(a, b, PairRange.all(index, index), matched=matched, **room, **options)
    return int(matched[0]), mapping


def worth(problem: Any, mapping: np.ndarray) -> float:
    """What a map is worth in a problem of the kernel; it must be one to one."""
    _, _, rows, columns, unary, first, second, weight = problem
    assert len(set(mapping[mapping >= 0].tolist())) == (mapping >= 0).sum()
    chosen = mapping[rows] == columns
    return float(unary[chosen].sum() + weight[chosen[first] & chosen[second]].sum())
