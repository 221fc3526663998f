"""Which graphs of a corpus are the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastmatch.graphs.arrays import TABLES, starts_of
from fastmatch.graphs.corpus import Corpus
from fastmatch.types import Int64Array

#: What two graphs must share to be the same: all but their comments.
_TABLES = {offsets: table for offsets, table in TABLES.items() if table != "comments"}

#: So few graphs are compared one by one, which is faster.
_FEW = 32


def first_of_equals(corpus: Corpus) -> Int64Array:
    """For each graph the first one that is the same: int64[n].

    The same are graphs with equal variables, triples and alignments in an equal order, whatever their comments. So any
    metric that does not look at the ids of graphs gives them equal scores. Graphs are sorted by a hash and then
    compared, so the answer does not depend on the hash. O(size of the corpus), and O(n log n) for the sorting.
    """
    if len(corpus) <= _FEW:
        known: dict[Any, int] = {}
        return np.array([known.setdefault(key, g) for g, key in enumerate(_contents(corpus))], np.int64)
    found = np.arange(len(corpus))
    hashes = _hashes(corpus)
    order = np.argsort(hashes, kind="stable")  # the first of equal hashes is the first in the corpus
    begins = np.ones(len(corpus), bool)
    begins[1:] = hashes[order[1:]] != hashes[order[:-1]]
    firsts = order[np.maximum.accumulate(np.where(begins, np.arange(len(corpus)), 0))]
    later, first = order[~begins], firsts[~begins]
    if not len(later):
        return found
    same = corpus.root[later] == corpus.root[first]
    for offsets, table in _TABLES.items():
        bounds = getattr(corpus, offsets)
        sizes = np.diff(bounds)
        same &= sizes[later] == sizes[first]
        later, first, same = later[same], first[same], same[same]
        ends = starts_of(sizes[later])
        places = np.arange(ends[-1]) - np.repeat(ends[:-1], sizes[later])
        rows = np.atleast_2d(getattr(corpus, table))
        differ = np.zeros(len(places), bool)
        for row in rows:
            differ |= (
                row[places + np.repeat(bounds[later], sizes[later])]
                != row[places + np.repeat(bounds[first], sizes[later])]
            )
        same &= np.diff(starts_of(differ)[ends]) == 0
    found[later[same]] = first[same]
    return found


def _contents(corpus: Corpus) -> Iterator[tuple[Any, ...]]:
    """Of each graph its root and the bytes of its rows: equal for graphs that are the same."""
    tables = [(getattr(corpus, offsets).tolist(), getattr(corpus, table)) for offsets, table in _TABLES.items()]
    for g, root in enumerate(corpus.root.tolist()):
        yield root, *(table[..., bounds[g] : bounds[g + 1]].tobytes() for bounds, table in tables)


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
