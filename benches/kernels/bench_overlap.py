"""What does a pair of soft overlap cost without Smatch++, what do its bound and its slopes, and what does preparing?

Pairs of each size class; every concept has a word vector of 100 dimensions, so all likenesses are computed. ``single``
has matches one-to-one besides, ``nodes`` is the bound that ``score_cutoff`` and ``top_k`` look at first, ``slopes`` a
step of training. ``extra_info`` has the sum of what matched, so that a change of speed with a change of score shows.
"""

from __future__ import annotations

from typing import Any

import data
import numpy as np
import pytest

import fastmatch as fm
from fastmatch._ext.overlap.gradient import add_slopes
from fastmatch._ext.overlap.score import score_pairs
from fastmatch._ext.overlap.space import SoftSpace
from fastmatch.metrics.embeddings import Embeddings
from fastmatch.metrics.shared.overlap_parameters import Parameters
from fastmatch.metrics.softoverlap import SoftOverlap

COUNTS = {"sentence": 500, "long": 120, "document": 10, "large": 2, "degenerate": 50}
DIMENSION = 100
NEVER = np.zeros(1, np.uint8)
#: Of all concepts that benches/data.py makes, without their senses.
VECTORS = Embeddings.from_arrays(
    [f"c{number}" for number in range(3001)], np.random.default_rng(0).normal(size=(3001, DIMENSION)).astype(np.float32)
)
METRIC = SoftOverlap(embeddings=VECTORS)
#: With one-to-one matches, as trained parameters have them.
SINGLE = SoftOverlap(embeddings=VECTORS, parameters=Parameters(single=0.25, between=0.15))


def corpus_of(kind: str) -> fm.Corpus:
    """Predictions, and after them their gold graphs."""
    predictions, golds = data.pairs(kind, COUNTS[kind])
    return fm.parse([*predictions, *golds])


def paired(kind: str, metric: SoftOverlap = METRIC) -> tuple[SoftSpace, np.ndarray, np.ndarray]:
    index = np.arange(COUNTS[kind], dtype=np.int32)
    return metric.space(corpus_of(kind)), index, index + np.int32(COUNTS[kind])


@pytest.mark.parametrize("kind", COUNTS)
@pytest.mark.parametrize("part", ["pairs", "single", "nodes"])
def test_score(benchmark: Any, part: str, kind: str) -> None:
    space, pred, gold = paired(kind, SINGLE if part == "single" else METRIC)
    out = np.empty((4, len(pred)))
    benchmark(score_pairs, space, space, (pred, gold, 0, len(pred), NEVER), out=out, with_edges=part != "nodes")
    benchmark.extra_info.update(pairs=len(pred), matched=float(out[0].sum()))


@pytest.mark.parametrize("kind", COUNTS)
def test_slopes(benchmark: Any, kind: str) -> None:
    space, pred, gold = paired(kind)
    nodes, edges, vectors, scales, settings = (space.arrays[place] for place in (2, 5, 6, 14, 15))
    slopes = {
        "node_masses": np.zeros(nodes.shape),
        "edge_masses": np.zeros(edges.shape),
        "vectors": np.zeros(vectors.shape),
        "scales": np.zeros(scales.shape),
        "settings": np.zeros(settings.shape),
    }
    weights = np.ones((4, len(pred)))
    benchmark(add_slopes, space, pred, gold, weights, cancel=NEVER, **slopes)
    benchmark.extra_info.update(pairs=len(pred))


@pytest.mark.parametrize("kind", COUNTS)
def test_space(benchmark: Any, kind: str) -> None:
    corpus = corpus_of(kind)
    benchmark.extra_info["graphs"] = len(corpus)
    benchmark(METRIC.space, corpus)
