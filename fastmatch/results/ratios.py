"""From counts to precision, recall and F1.

A metric yields *sufficient statistics* of each pair. For those that match triples they are the number of triples that
match, and the numbers of triples of the prediction and of the gold graph. Micro scores come from the sums of the three
over pairs, macro scores are means of the pairs' own scores, and a bootstrap asks for the scores of other sums:
:func:`precision_recall_f1` is elementwise over arrays of any shape. Sums are int64 for counts (float32, as some tools
use, loses single triples beyond 2**24), and integers stay integers until the last division.

If a graph has no triples, scores are defined as follows:

=========  =======  ==========  =======  ====  =========================================================
n_pred     n_gold   precision   recall   F1
=========  =======  ==========  =======  ====  =========================================================
0          0        1           1        1     two empty graphs are equal
0          > 0      0           0        0     nothing was predicted; 1 would reward predicting nothing
> 0        0        0           0        0     everything predicted is wrong
> 0        > 0      m / n_pred  m / n_g  2m / (n_pred + n_gold), which is 2PR / (P + R) without the 0/0 at m = 0
=========  =======  ==========  =======  ====  =========================================================

Smatch 1.0.4 gives 0 for two empty graphs as well; it cannot read an empty graph, so no published number depends on it.
With triples that multiply (preset ``smatch``) a score can exceed 1; it is reported as it is, not cut off.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


class PRF(NamedTuple):
    """Precision, recall and F1 as fractions."""

    precision: float
    recall: float
    f1: float


def prf(matched: float, n_pred: float, n_gold: float) -> PRF:
    """Precision, recall and F1 of one set of counts; the table above says what empty graphs give.

    Parameters
    ----------
    matched, n_pred, n_gold : int or float
        Triples that match, triples of the prediction, triples of the gold graph; ≥ 0.

    Raises
    ------
    ValueError
        If a count is negative.
    """
    if matched < 0 or n_pred < 0 or n_gold < 0:
        raise ValueError(f"counts may not be negative: matched {matched}, n_pred {n_pred}, n_gold {n_gold}")
    if n_pred and n_gold:
        return PRF(matched / n_pred, matched / n_gold, 2 * matched / (n_pred + n_gold))
    value = 0.0 if n_pred or n_gold else 1.0
    return PRF(value, value, value)


def precision_recall_f1(matched: ArrayLike, n_pred: ArrayLike, n_gold: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Precision, recall and F1, elementwise; they are those of :func:`prf` to the last bit.

    Parameters
    ----------
    matched, n_pred, n_gold : int64 or float64[…]
        As for :func:`prf`; their shapes are broadcast against each other.

    Returns
    -------
    tuple of three float64[…]

    Raises
    ------
    ValueError
        If a count is negative.
    """
    matched, n_pred, n_gold = np.asarray(matched), np.asarray(n_pred), np.asarray(n_gold)
    if matched.size and (matched.min() < 0 or n_pred.min(initial=0) < 0 or n_gold.min(initial=0) < 0):
        raise ValueError("counts may not be negative")
    both = (n_pred > 0) & (n_gold > 0)
    if both.all():
        return matched / n_pred, matched / n_gold, 2 * matched / (n_pred + n_gold)
    nothing = np.where((n_pred == 0) & (n_gold == 0), 1.0, 0.0)
    precision, recall, f1 = (
        np.where(both, numerator / np.where(both, denominator, 1), nothing)
        for numerator, denominator in ((matched, n_pred), (matched, n_gold), (2 * matched, n_pred + n_gold))
    )
    return precision, recall, f1


def divided(top: Any, bottom: Any, otherwise: Any) -> Floats:
    """top / bottom where there is something to divide by, else ``otherwise``; elementwise."""
    return np.where(bottom > 0, top / np.where(bottom > 0, bottom, 1.0), otherwise)


def harmonic(p: Floats, r: Floats) -> Floats:
    """The F1 of precision and recall; 0 where both are."""
    return divided(2 * p * r, p + r, 0.0)


def f1(matched: NDArray[Any], n_pred: NDArray[Any], n_gold: NDArray[Any]) -> Floats:
    """F1 of arrays of one shape, in a third of the time that all three scores take; see :func:`precision_recall_f1`."""
    if np.count_nonzero(n_pred) == n_pred.size and np.count_nonzero(n_gold) == n_gold.size:
        return 2 * matched / (n_pred + n_gold)
    return precision_recall_f1(matched, n_pred, n_gold)[2]


def combine(statistics: NDArray[Any] | tuple[NDArray[Any], NDArray[Any], NDArray[Any]]) -> dict[str, Floats]:
    """The three scores by name, F1 first.

    Parameters
    ----------
    statistics : int64 or float64[3, …], or three arrays
        ``matched``, ``n_pred`` and ``n_gold``.

    Returns
    -------
    dict of str → float64[…]
    """
    precision, recall, f1 = precision_recall_f1(*statistics)
    return {"f1": f1, "precision": precision, "recall": recall}
