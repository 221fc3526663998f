"""Which graphs of a corpus are the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastmatch.graphs.arrays import TABLES
from fastmatch.graphs.corpus import Corpus
from fastmatch.types import Int64Array

#: What two graphs must share to be the same: all but their comments.
_TABLES = {offsets: table for offsets, table in TABLES.items() if table != "comments"}

#: So few graphs are compared without hashes, which is faster.
_FEW = 32


def first_of_equals(corpus: Corpus) -> Int64Array:
    """For each graph the first one that is the same: int64[n].

    The same are graphs with equal variables, triples and alignments in an equal order, whatever their comments. So any
    metric that does not look at the ids of graphs gives them equal scores. Graphs whose hashes are equal are
    compared, so the answer does not depend on the hash. O(size of the corpus), and O(n log n) for the hashes.
    """
    found = np.arange(len(corpus))
    doubtful = found
    if len(corpus) > _FEW:
        _, number, counts = np.unique(_hashes(corpus), return_inverse=True, return_counts=True)
        doubtful = np.flatnonzero(counts[number] > 1)
    tables = [(getattr(corpus, offsets).tolist(), getattr(corpus, table)) for offsets, table in _TABLES.items()]
    known: dict[Any, int] = {}
    for g in doubtful.tolist():
        rows = [table[..., bounds[g] : bounds[g + 1]].tobytes() for bounds, table in tables]
        found[g] = known.setdefault((int(corpus.root[g]), *rows), g)
    return found


def _hashes(corpus: Corpus) -> NDArray[np.uint64]:
    """A hash of each graph: the sum of those of its rows, each with its place in the graph."""
    total = corpus.root.astype(np.uint64)
    for number, (offsets, table) in enumerate(_TABLES.items(), 1):
        bounds = getattr(corpus, offsets)
        rows = np.atleast_2d(getattr(corpus, table))
        mixed = (np.arange(rows.shape[1]) - np.repeat(bounds[:-1], np.diff(bounds))).astype(np.uint64)
        mixed += np.uint64(number << 40)
        for row in rows:
            mixed ^= row.view(np.uint32)
            mixed *= np.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> np.uint64(29)
        sums = np.zeros(len(mixed) + 1, np.uint64)
        np.cumsum(mixed, out=sums[1:])
        total += sums[bounds[1:]] - sums[bounds[:-1]]
    return total
