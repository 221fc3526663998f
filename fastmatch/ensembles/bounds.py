"""The largest mean score that any graph can have, whatever it is: a bound from counts of labels.

A triple of a graph matches at most one triple of a candidate, and only one with the same label (concept; role and
value; role). So the j-th triple of a label matches only in candidates that have the label at least j times. In a graph
of s triples a match with candidate i adds 2 wᵢ / (s + |cᵢ|) to the mean score. The s largest sums of these over (label,
j) bound the score of all graphs of s triples, and the largest of them over s that of all graphs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import NamedTuple

import numpy as np

from fastmatch.types import Int64Array


class Bounding(NamedTuple):
    """Of each candidate of a sentence, the labels of its triples, its weight (the sum is 1), and its size."""

    labels: list[Int64Array]
    weights: list[float]
    sizes: list[float]


def upper_bound(of: Bounding, least: float = 0.0) -> float:
    """What the mean score of no graph exceeds.

    ``least`` is the mean score of some graph, which the bound is not below.
    """
    labels, weights, sizes = of
    least = max(least, sum(weight for weight, size in zip(weights, sizes, strict=True) if not size))  # the empty graph
    once: dict[int, int] = defaultdict(int)  # of each label the candidates that have it
    again: dict[tuple[int, int], int] = defaultdict(int)  # the same for further copies
    for number, found in enumerate(labels):
        bit = 1 << number
        for label, times in Counter(found.tolist()).items():
            once[label] |= bit
            if times > 1:
                for copy in range(1, times):
                    again[label, copy] |= bit
    groups = Counter([*once.values(), *again.values()])
    if not groups:
        return least
    shares, lengths = 2 * np.array([weights]).T, np.array([sizes], np.float64).T
    s = np.arange(1, sum(groups.values()) + 1)
    each = shares / (s + lengths)  # what a match with each candidate brings, for each s
    # no graph of s triples has more than this, whatever their labels; only sizes that could matter are looked at
    within = (each * np.minimum(s, lengths)).sum(axis=0) > least
    s, each = s[within], each[:, within]
    if not len(s):
        return least
    bits = (mask >> number & 1 for mask in groups for number in range(len(labels)))
    has = np.fromiter(bits, np.float64, len(groups) * len(labels)).reshape(-1, len(labels))
    counts = np.fromiter(groups.values(), np.int64, len(groups))
    gains = has @ each  # of a triple of each group of labels
    order = np.argsort(-gains, axis=0, kind="stable")
    many = counts[order]
    taken = np.minimum(np.maximum(s - (np.cumsum(many, axis=0) - many), 0), many)
    best = (taken * -np.sort(-gains, axis=0)).sum(axis=0).max()
    return max(least, min(1.0, float(best)))
