"""From the judges' triples to the kernels, without fastmatch's readers."""

from collections.abc import Sequence
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
    rows = [
        (
            graph.top,
            [*((v, ":instance", concept) for v, concept in graph.instances), *graph.attributes, *graph.relations],
        )
        for graph in graphs
    ]
    corpus = fm.Corpus.from_triples(rows, vocabulary=vocabulary)
    smatch = flavour is SMATCH
    metric = make("smatch", "smatch" if smatch else None)
    return metric.prepare(corpus.with_columns(dialect="smatch" if smatch else "penman"))


class Solved(NamedTuple):
    """What the exact solver says about one pair."""

    matched: int
    upper: int
    certified: bool
    mapping: list[int]
    n_pred: int
    n_gold: int


def solve(
    pairs: Sequence[tuple[Triples, Triples]],
    flavour: Flavour,
    *,
    start: int = 0,
    stop: int | None = None,
    cancel: int = 0,
    **options: object,
) -> list[Solved]:
    """Run ``score_exact`` on ``pairs[start:stop]``, without limits unless ``options`` give some.

    The answers to the other pairs keep what the arrays were filled with: -1, and -2 in the map. Without options
    the pairs are solved once more without maps, as small graphs have a search of their own then; its answers must be
    the same.
    """
    vocabulary, n = fm.Vocabulary(), len(pairs)
    a, b = (features([pair[side] for pair in pairs], flavour, vocabulary) for side in (0, 1))
    index = np.arange(n, dtype=np.int32)
    matched, upper = np.full(n, -1, np.int64), np.full(n, -1, np.int64)
    certified = np.zeros(n, np.uint8)
    offsets = np.concatenate([[0], np.cumsum(a.n_variables)]).astype(np.int64)
    mapping = np.full(int(offsets[-1]), -2, np.int32)
    stretch = PairRange(index, index, start, n if stop is None else stop, np.full(1, cancel, np.uint8))
    arguments = {
        "max_work": 2**62,
        "time_limit": inf,
        "matched": matched,
        "upper": upper,
        "certified": certified,
        "mapping_offsets": offsets,
        "mapping": mapping,
        **options,
    }
    score_exact(a, b, stretch, **arguments)
    if not options:
        again = np.full(n, -1, np.int64), np.full(n, -1, np.int64), np.zeros(n, np.uint8)
        arguments.update(
            dict(zip(("matched", "upper", "certified"), again, strict=True)), mapping_offsets=None, mapping=None
        )
        score_exact(a, b, stretch, **arguments)
        assert [values.tolist() for values in again] == [matched.tolist(), upper.tolist(), certified.tolist()]
    return [
        Solved(
            int(matched[k]),
            int(upper[k]),
            bool(certified[k]),
            mapping[offsets[k] : offsets[k + 1]].tolist(),
            int(a.n_triples[k]),
            int(b.n_triples[k]),
        )
        for k in range(n)
    ]


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
