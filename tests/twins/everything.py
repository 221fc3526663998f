"""Slow twins of comparing everything with everything: every pair one by one, sorted by hand."""

from math import sqrt

import numpy as np


def overlap(kind: str, x: dict[int, float], y: dict[int, float]) -> float:
    """Overlap of two lists {feature: value}, added up in the order of the features."""
    total = 0.0
    for feature in sorted(x.keys() & y.keys()):
        a, b = x[feature], y[feature]
        total += {"set": 1.0, "bag": min(a, b), "dot": a * b}[kind]
    return total


def similarity(measure: str, shared: float, a: float, b: float) -> float:
    """The score that an overlap and two sizes give; two empty lists are equal."""
    if a == b == 0:
        return 1.0
    if a == 0 or b == 0:
        return 0.0
    return {"jaccard": shared / (a + b - shared), "dice": 2 * shared / (a + b), "cosine": shared / sqrt(a * b)}[measure]


def best(scores: np.ndarray, k: int, cutoff: float | None = None, skip_self: bool = False) -> list[list[int]]:
    """For each row the places of its best k scores, best first, ties by place; none below the cutoff."""
    result = []
    for row, line in enumerate(scores.tolist()):
        places = [place for place in range(len(line)) if not (skip_self and place == row)]
        if cutoff is not None:
            places = [place for place in places if line[place] >= cutoff]
        result.append(sorted(places, key=lambda place: (-line[place], place))[:k])
    return result
