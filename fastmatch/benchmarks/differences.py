"""Do two metrics differ in how well they agree with people? Tests, and clusters of metrics that are not told apart.

Both metrics scored the same items, so their figures are not independent:

Williams' test (Williams 1959; Graham and Baldwin 2014)
    of two Pearson correlations that share the human values, from the three correlations of scores, scores and values.
PERM-BOTH (Deutsch, Dror and Roth 2021)
    If two metrics are equally good, either score of an item might have come from the other one. Scores are
    standardised, exchanged for a random half of the items, and the figures of both mixtures compared. p is the share of
    permutations whose difference is at least as large as the observed one, the data as they are being one of them. A
    figure may be any function of the scores of all items: a correlation, a mean over groups of items, or an accuracy
    whose threshold is chosen anew for each mixture, as it was for the metrics.

Both are two-sided. :func:`clusters` gives letters to runs of metrics in the order of their figures.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fastmatch.benchmarks.concordance import rows_at_a_time
from fastmatch.evaluation.significance import EPSILON, adjusted
from fastmatch.types import FloatArray


def williams(r_first: float, r_second: float, r_both: float, n_items: int) -> float:
    """The two-sided p-value of Williams' test.

    Parameters
    ----------
    r_first, r_second : float
        Pearson's r of either metric's scores with the human values.
    r_both : float
        Of the scores of both metrics.
    n_items : int
        NaN below 4.

    Examples
    --------
    >>> round(williams(0.7, 0.6, 0.8, 100), 4)
    0.0317
    """
    from scipy.stats import t

    if n_items < 4 or not np.isfinite([r_first, r_second, r_both]).all():
        return float("nan")
    if r_first == r_second:
        return 1.0
    determinant = 1 - r_first**2 - r_second**2 - r_both**2 + 2 * r_first * r_second * r_both
    mean = (r_first + r_second) / 2
    spread = 2 * (n_items - 1) / (n_items - 3) * max(determinant, 0.0) + mean**2 * (1 - r_both) ** 3
    if spread <= 0:
        return float("nan")
    statistic = (r_first - r_second) * np.sqrt((n_items - 1) * (1 + r_both) / spread)
    return float(2 * t.sf(abs(statistic), n_items - 3))


def perm_both(
    scores: FloatArray,
    figures: Callable[[FloatArray], FloatArray],
    permutations: int,
    seed: int,
    step: Callable[[], object] = lambda: None,
    *,
    centred: bool = True,
) -> FloatArray:
    """p-values of all pairs of metrics, float64[n_metrics, n_metrics]; NaN on the diagonal, and where undefined.

    Parameters
    ----------
    scores : float64[n_metrics, n_items]
    figures : callable
        float64[n_rows, n_items] → float64[n_rows]: how well each row of scores agrees with people.
    permutations, seed : int
        All pairs of metrics get the same permutations.
    step : callable
        Called when a pair of metrics is done.
    centred : bool
        Whether standardised scores have the mean 0. Differences of two scores have a zero that means something, and
        keep it.
    """
    n_metrics, n_items = scores.shape
    at_a_time = rows_at_a_time(n_items)
    p = np.full((n_metrics, n_metrics), np.nan)
    spread = scores.std(axis=1)
    middle = scores.mean(axis=1)[:, None] if centred else 0.0
    with np.errstate(all="ignore"):
        standard = (scores - middle) / spread[:, None]
    observed = figures(scores)
    for first in range(n_metrics):
        for second in range(first + 1, n_metrics):
            difference = observed[first] - observed[second]
            if difference == difference and spread[first] > 0 and spread[second] > 0:
                random = np.random.default_rng(seed)
                extreme = 0
                for start in range(0, permutations, at_a_time):
                    size = min(at_a_time, permutations - start)
                    exchanged = random.random((size, n_items)) < 0.5
                    mixed = [
                        figures(np.where(exchanged, standard[a], standard[b]))
                        for a, b in ((second, first), (first, second))
                    ]
                    apart = np.abs(np.nan_to_num(mixed[0]) - np.nan_to_num(mixed[1]))
                    extreme += int(np.count_nonzero(apart >= abs(difference) - EPSILON))
                p[first, second] = p[second, first] = (extreme + 1) / (permutations + 1)
            step()
    return p


def corrected(p: FloatArray) -> FloatArray:
    """Holm's correction over all pairs of metrics of a symmetric table whose diagonal is NaN."""
    result = p.copy()
    first, second = np.triu_indices(len(p), 1)
    known = ~np.isnan(p[first, second])
    first, second = first[known], second[known]
    result[first, second] = result[second, first] = adjusted(p[first, second].tolist(), "holm")
    return result


def clusters(values: FloatArray, p: FloatArray, level: float) -> tuple[str, ...]:
    """Letters of each metric: metrics that share one are not told apart.

    Metrics are ordered by their values; a letter stands for a run of them in which no two differ at this level, and
    that is no part of a longer one. The letter ``a`` has the best metric. A metric without a value has no letter.
    """
    order = [int(k) for k in np.argsort(-values, kind="stable") if values[k] == values[k]]
    letters = [""] * len(values)
    reached = 0
    n_runs = 0
    for start in range(len(order)):
        stop = start + 1
        while stop < len(order) and all(not p[order[stop], order[k]] < level for k in range(start, stop)):
            stop += 1
        if stop > reached:
            for k in order[start:stop]:
                letters[k] += _letter(n_runs)
            reached, n_runs = stop, n_runs + 1
    return tuple(letters)


def _letter(number: int) -> str:
    """a, b, … z, (27), (28), …"""
    return chr(ord("a") + number) if number < 26 else f"({number + 1})"
