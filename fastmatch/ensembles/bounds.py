"""The largest mean score that any graph can have, whatever it is: a bound from counts of labels.

A triple of a graph matches at most one triple of a candidate, and only one with the same label (concept; role and
value; role). So the j-th triple of a label matches only in candidates that have the label at least j times. In a graph
of s triples a match with candidate i adds 2 wᵢ / (s + |cᵢ|) to the mean score. The s largest sums of these over (label,
j) bound the score of all graphs of s triples, and the largest of them over s that of all graphs.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from fastmatch.types import FloatArray, Int64Array

__all__ = ["upper_bound"]


def upper_bound(labels: Sequence[Iterable[Hashable]], weights: FloatArray, sizes: FloatArray) -> float:
    """What the mean score of no graph exceeds.

    Parameters
    ----------
    labels : sequence of iterable
        Of each candidate, the labels of its triples.
    weights, sizes : float64[n]
        Weight (the sum is 1) and number of triples of each candidate.
    """
    voters: dict[tuple[Hashable, int], int] = {}
    for number, found in enumerate(labels):
        for label, times in Counter(found).items():
            for copy in range(times):
                voters[label, copy] = voters.get((label, copy), 0) | 1 << number
    nothing = float(weights[sizes == 0].sum())  # what the empty graph gets
    if not voters:
        return nothing
    groups = Counter(voters.values())
    counts = np.fromiter(groups.values(), np.int64, len(groups))
    has = np.array([[mask >> number & 1 for number in range(len(labels))] for mask in groups], np.float64)
    # no graph of s triples has more than this, whatever their labels; only sizes that could matter are looked at
    s = np.arange(1, len(voters) + 1)
    ceiling = (2 * weights[:, None] * np.minimum(s, sizes[:, None]) / (s + sizes[:, None])).sum(axis=0)
    best = _largest_sum(has, counts, s[[ceiling.argmax()]], weights, sizes)
    best = max(best, _largest_sum(has, counts, s[ceiling > best], weights, sizes))
    return min(1.0, max(best, nothing))


def _largest_sum(has: FloatArray, counts: Int64Array, s: Int64Array, weights: FloatArray, sizes: FloatArray) -> float:
    """The most that s triples bring: of each group of labels there are so many, and these candidates have them."""
    if not len(s):
        return 0.0
    gains = has @ (2 * weights[:, None] / (s + sizes[:, None]))  # of a triple of each group, for each s
    order = np.argsort(-gains, axis=0, kind="stable")
    many = counts[order]
    before = np.cumsum(many, axis=0) - many
    taken = np.clip(s - before, 0, many)
    return float((taken * np.take_along_axis(gains, order, axis=0)).sum(axis=0).max())
