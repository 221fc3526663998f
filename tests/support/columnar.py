"""From the judges' triples to the kernels, without fastmatch's readers."""

from collections.abc import Sequence
from itertools import pairwise
from math import inf
from typing import NamedTuple

import numpy as np

import fastmatch as fm
from fastmatch._ext.matching.problem import build_problem
from fastmatch._ext.matching.score import score_exact
from fastmatch._ext.matching.triples import TripleFeatures
from fastmatch._ext.resampling import resampled_sums
from fastmatch.metrics import make
from fastmatch.metrics.base import PairRange

from twins.smatch_problem import SMATCH, Flavour, Triples


def features(graphs: Sequence[Triples], flavour: Flavour, vocabulary: fm.Vocabulary) -> TripleFeatures:
    """Matching features of ``graphs``; both sides of a comparison must share one ``vocabulary``."""
    rows = []
    for graph in graphs:
        concepts = [(v, ":instance", concept) for v, concept in graph.instances]
        rows.append((graph.top, [*concepts, *graph.attributes, *graph.relations]))
    corpus = fm.Corpus.from_triples(rows, vocabulary=vocabulary)
    smatch = flavour is SMATCH
    metric = make("smatch", "smatch" if smatch else None)
    return metric.prepare(corpus.with_columns(dialect="smatch" if smatch else "penman"))


def any_triples(
    random: np.random.Generator, n: int, n_relations: int, roles: int, concepts: int, *, hub: bool = False
) -> Triples:
    """Any graph of n variables; with ``hub`` all relations leave its first variable."""
    names = [f"v{k}" for k in range(n)]
    ends = random.integers(0, max(n, 1), (2, n_relations))
    if hub:
        ends[0] = 0
    return Triples(
        variables=tuple(names),
        top=names[0] if names else None,
        instances=tuple((name, f"c{random.integers(concepts)}") for name in names),
        attributes=tuple((name, ":a", f"x{random.integers(3)}") for name in names if random.random() < 0.2),
        relations=tuple((names[i], f":r{random.integers(roles)}", names[j]) for i, j in ends.T.tolist()),
    )


class Solved(NamedTuple):
    """What the exact solver says about one pair."""

    matched: int
    upper: int
    certified: bool
    mapping: list[int]
    n_pred: int
    n_gold: int


def solve(pairs: Sequence[tuple[Triples, Triples]], flavour: Flavour, **limits: float) -> list[Solved]:
    """Run ``score_exact`` on all pairs, without limits unless some are given.

    Without limits the pairs are solved once more without maps, as small graphs have a search of their own then; its
    answers must be the same.
    """
    vocabulary, n = fm.Vocabulary(), len(pairs)
    a, b = (features([pair[side] for pair in pairs], flavour, vocabulary) for side in (0, 1))
    index = np.arange(n, dtype=np.int32)
    offsets = np.concatenate([[0], np.cumsum(a.n_variables)]).astype(np.int64)
    mapping = np.empty(int(offsets[-1]), np.int32)
    found = []
    for maps in ({"mapping_offsets": offsets, "mapping": mapping}, {}):
        matched, upper, certified = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.uint8)
        outputs = {"matched": matched, "upper": upper, "certified": certified, **maps}
        score_exact(a, b, PairRange.all(index, index), **{"max_work": 2**62, "time_limit": inf, **limits}, **outputs)
        found.append([matched.tolist(), upper.tolist(), certified.astype(bool).tolist()])
    assert limits or found[0] == found[1]
    maps = [mapping[start:stop].tolist() for start, stop in pairwise(offsets)]
    return list(map(Solved, *found[0], maps, a.n_triples.tolist(), b.n_triples.tolist()))


def problem(a: Triples, b: Triples, flavour: Flavour) -> tuple[np.ndarray | int, ...]:
    """What ``build_problem`` says about one pair."""
    vocabulary = fm.Vocabulary()
    return build_problem(features([a], flavour, vocabulary), features([b], flavour, vocabulary), 0, 0)


def weights(seed: int, mode: int, replicate: int, n: int) -> np.ndarray:
    """The weights of n pairs in a replicate of :mod:`fastmatch._ext.resampling`."""
    rows, no_rows = np.eye(n, dtype=np.int64), np.zeros((0, n))
    found = np.zeros((n, replicate + 1), np.int64), np.zeros((0, replicate + 1))
    resampled_sums(rows, no_rows, seed, mode, replicate, replicate + 1, *found, np.zeros(1, np.uint8))
    return found[0][:, replicate]
