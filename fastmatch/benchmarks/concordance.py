"""How well scores agree with what people say: correlations, AUC, accuracies, for any weights of the items.

Every statistic takes the scores, the human values and a table of weights, of which each row says how often each item
counts. A row of ones is the data as it is, a row of drawn counts is a resample, so values and intervals come from one
formula. A statistic that is not defined, because scores or human values do not vary, is NaN.

``pearson``, ``spearman``, ``kendall``
    as ``scipy.stats`` has them (Kendall's tau-b).
``auc``
    the chance that an item with a *yes* scores higher than one with a *no*; a tie counts half.
``accuracy``
    of preferences, those of the ties of people left out: the share in which the preferred one scores higher; a tie of
    the scores counts half.
``acc_eq``
    pairwise accuracy with tie calibration (Deutsch, Foster and Freitag 2023): all pairs of items are ordered or tied by
    people and by scores, where scores that differ by no more than a threshold are tied, and the share of equal answers
    counts. The threshold is the one with the highest share.

Tests tell whether two metrics differ in how well they agree with people. Both metrics scored the same items, so their
figures are not independent:

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

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np

from fastmatch.evaluation.significance import EPSILON, adjusted
from fastmatch.types import BoolArray, FloatArray, Int64Array

#: (scores float64[n_items], human float64[n_items], weights float64[n_rows, n_items]) → float64[n_rows].
Statistic: TypeAlias = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]

#: Pairs of items that a threshold is chosen on, at most: of more, so many are drawn.
MOST_PAIRS = 4_000_000
#: The same where one is chosen for each permutation of a test.
MOST_TESTED = 50_000


# ---- correlations ----------------------------------------------------------------------------------------------------


def pearson(scores: FloatArray, human: FloatArray, weights: FloatArray) -> FloatArray:
    """Pearson's r, a row of weights each; ``scores`` and ``human`` may have a row for each of them, too."""
    total = weights.sum(axis=1)
    with np.errstate(all="ignore"):
        x = scores - (weights * scores).sum(axis=1)[:, None] / total[:, None]
        y = human - (weights * human).sum(axis=1)[:, None] / total[:, None]
        r = (weights * x * y).sum(axis=1) / np.sqrt((weights * x * x).sum(axis=1) * (weights * y * y).sum(axis=1))
    flat = _constant(scores, weights) | _constant(human, weights)
    return np.where(flat, np.nan, np.clip(r, -1.0, 1.0))


def spearman(scores: FloatArray, human: FloatArray, weights: FloatArray) -> FloatArray:
    """Spearman's rho: Pearson's r of mean ranks."""
    return pearson(ranks(scores, weights), ranks(human, weights), weights)


def kendall(scores: FloatArray, human: FloatArray, weights: FloatArray) -> FloatArray:
    """Kendall's tau-b. With scores for each row of weights the latter are ones, as in a permutation test."""
    if len(human) < 2:  # SciPy would warn
        return np.full(len(weights), np.nan)
    if scores.ndim == 2 or (weights == 1).all():
        from scipy.stats import kendalltau

        return np.array([kendalltau(row, human).statistic for row in np.atleast_2d(scores)], np.float64)
    difference = _rising(scores, human, 0.0)(weights) - _rising(-scores, human, 0.0)(weights)
    n = weights.sum(axis=1)
    pairs = n * (n - 1) / 2
    untied = [pairs - _tied(values, weights) for values in (scores, human)]
    with np.errstate(all="ignore"):
        tau = difference / np.sqrt(untied[0] * untied[1])
    return np.where((untied[0] > 0) & (untied[1] > 0), tau, np.nan)


def auc(scores: FloatArray, human: FloatArray, weights: FloatArray) -> FloatArray:
    """Area under the curve of true against false *yes*: human values are 1 and 0."""
    yes, no = weights * human, weights * (1 - human)
    n_yes, n_no = yes.sum(axis=1), no.sum(axis=1)
    with np.errstate(all="ignore"):
        area = ((yes * ranks(scores, weights)).sum(axis=1) - n_yes * (n_yes + 1) / 2) / (n_yes * n_no)
    return np.where((n_yes > 0) & (n_no > 0), area, np.nan)


def accuracy(scores: FloatArray, human: FloatArray, weights: FloatArray) -> FloatArray:
    """Of preferences: scores are differences (first less second), human values 1 (first), −1 (second), 0 (a tie)."""
    wanted = weights * (human != 0)
    right = (np.sign(scores) * human + 1) / 2
    with np.errstate(all="ignore"):
        share: FloatArray = (wanted * right).sum(axis=1) / wanted.sum(axis=1)
    return share


#: The statistics that are tested, too, by name.
STATISTICS: dict[str, Statistic] = {each.__name__: each for each in (pearson, spearman, kendall, auc, accuracy)}


def ranks(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Ranks from 1, float64[n_rows, n_items]: equal values share a mean rank, an item of weight w stands w times."""
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    new = np.ones(ordered.shape, np.bool_)
    new[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    last = np.ones(ordered.shape, np.bool_)
    last[..., :-1] = new[..., 1:]
    shape = (len(weights), values.shape[-1])
    order = np.broadcast_to(order, shape)
    counts = np.take_along_axis(weights, order, axis=1)
    above = np.cumsum(counts, axis=1)
    start = np.maximum.accumulate(np.where(new, above - counts, 0), axis=1)
    end = np.minimum.accumulate(np.where(last, above, np.inf)[:, ::-1], axis=1)[:, ::-1]
    found = np.empty(shape)
    np.put_along_axis(found, order, (start + end + 1) / 2, axis=1)
    return found


def _constant(values: FloatArray, weights: FloatArray) -> BoolArray:
    """Whether all items that count have one value, a row each."""
    there = weights > 0
    low = np.where(there, values, np.inf).min(axis=1, initial=np.inf)
    high = np.where(there, values, -np.inf).max(axis=1, initial=-np.inf)
    return ~(low < high)


def _tied(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Pairs of equal values, copies of one item among them."""
    order = np.argsort(values, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(values[order]) != 0))
    counts = np.add.reduceat(weights[:, order], starts, axis=1)
    return (counts * (counts - 1)).sum(axis=1) / 2


def _rising(scores: FloatArray, human: FloatArray, least: float) -> Callable[[FloatArray], FloatArray]:
    """How many pairs of items rise in both, by more than ``least`` in scores: a function of weights, a row each.

    Classes of equal human values are halved again and again: any two of them are once in two halves of one part. Within
    a part the items of the lower half are in the order of their scores, so each item of the upper half has a first so
    many of them below it. That depends on no weights, and sums of the first so many are differences of running sums: a
    resample of n items takes O(n log n).
    """
    classes = np.unique(human, return_inverse=True)[1]
    levels = []
    for bit in range(int(classes.max(initial=0)).bit_length()):
        part, upper = classes >> (bit + 1), classes >> bit & 1
        lower_items, upper_items = np.flatnonzero(upper == 0), np.flatnonzero(upper == 1)
        lower_items = lower_items[np.lexsort((scores[lower_items], part[lower_items]))]
        start = np.searchsorted(part[lower_items], part[upper_items], "left")
        stop = np.searchsorted(part[lower_items], part[upper_items], "right")
        below = _first_near(scores[lower_items], scores[upper_items], start, stop, least)
        levels.append((lower_items, upper_items, start, below))

    def count(weights: FloatArray) -> FloatArray:
        found = np.zeros(len(weights))
        for lower_items, upper_items, start, below in levels:
            sums = _running(weights, lower_items)
            found += (weights[:, upper_items] * (sums[:, below] - sums[:, start])).sum(axis=1)
        return found

    return count


def _near(scores: FloatArray, human: FloatArray, most: float) -> Callable[[FloatArray], FloatArray]:
    """How many pairs of different items are equal to people, and differ by no more than ``most`` in scores."""
    order = np.lexsort((scores, human))
    start = np.searchsorted(human[order], human[order], "left")
    first = _first_near(scores[order], scores[order], start, np.arange(len(order)), most)

    def count(weights: FloatArray) -> FloatArray:
        sums = _running(weights, order)
        return (weights[:, order] * (sums[:, :-1] - sums[:, first])).sum(axis=1)

    return count


def _running(weights: FloatArray, order: Int64Array) -> FloatArray:
    """Sums of the first 0, 1, … weights in an order: whole numbers, so they are exact."""
    sums = np.zeros((len(weights), len(order) + 1))
    np.cumsum(weights[:, order], axis=1, out=sums[:, 1:])
    return sums


def _first_near(
    ordered: FloatArray, scores: FloatArray, start: Int64Array, stop: Int64Array, most: float
) -> Int64Array:
    """For each score the first place of ordered[start:stop] that it is above by no more than ``most``; else ``stop``.

    The differences themselves are compared. A threshold is one of them, and a sum with it may be rounded the other way.
    """
    low, high = start.copy(), stop.copy()
    for _ in range(int((stop - start).max(initial=0)).bit_length()):
        middle = (low + high) // 2
        open_ones = low < high
        above = open_ones & (scores - ordered[np.minimum(middle, len(ordered) - 1)] > most)
        low = np.where(above, middle + 1, low)
        high = np.where(open_ones & ~above, middle, high)
    return low


# ---- pairs with calibrated ties --------------------------------------------------------------------------------------


class Calibration(NamedTuple):
    """Pairwise accuracy with tie calibration.

    Attributes
    ----------
    accuracy : float
        NaN without two items.
    threshold : float
        Scores that differ by no more are tied.
    exact : bool
        All pairs were looked at, not a sample.
    """

    accuracy: float
    threshold: float
    exact: bool


class _PairsOfItems(NamedTuple):
    """Pairs of different items, by number; ``share``: what each counts; ``exact``: there are no others."""

    first: Int64Array
    second: Int64Array
    share: FloatArray
    exact: bool


def calibrated(
    scores: FloatArray, human: FloatArray, groups: Int64Array | None = None, *, seed: int = 0
) -> Calibration:
    """The threshold with the highest accuracy, over all pairs, or as a mean over groups of the pairs within each.

    Parameters
    ----------
    scores, human : float64[n_items]
    groups : int64[n_items], optional
    seed : int
        Of the sample, where there are more than 4,000,000 pairs.
    """
    pairs = _pairs_of_items(len(scores), groups, MOST_PAIRS, seed)
    if not len(pairs.first):
        return Calibration(float("nan"), float("nan"), pairs.exact)
    return Calibration(*_best(scores, human, pairs), pairs.exact)


def calibrated_rows(
    rows: FloatArray, human: FloatArray, groups: Int64Array | None = None, *, seed: int = 0
) -> FloatArray:
    """The accuracy of each row of scores, which has a threshold of its own: float64[n_rows].

    Of more than 50,000 pairs, so many are drawn, the same ones for all rows.
    """
    pairs = _pairs_of_items(rows.shape[1], groups, MOST_TESTED, seed)
    if not len(pairs.first):
        return np.full(len(rows), np.nan)
    return np.array([_best(row, human, pairs)[0] for row in rows], np.float64)


def _pairs_of_items(n_items: int, groups: Int64Array | None, most: int, seed: int) -> _PairsOfItems:
    """All pairs, or all within groups, where each group counts the same; of more than ``most``, about so many."""
    lists = [np.arange(n_items)]
    if groups is not None:
        lists = np.split(np.argsort(groups, kind="stable"), np.cumsum(np.unique(groups, return_counts=True)[1])[:-1])
    lists = [members for members in lists if len(members) > 1]
    total = sum(len(members) * (len(members) - 1) // 2 for members in lists)
    random = np.random.default_rng(seed)
    firsts, seconds, shares = [np.empty(0, np.int64)], [np.empty(0, np.int64)], [np.empty(0)]
    for members in lists:
        n_pairs = len(members) * (len(members) - 1) // 2
        if total > most:
            first, second = random.integers(0, len(members), (2, max(1, most * n_pairs // total)))
            first, second = first[first != second], second[first != second]
        else:
            first, second = np.triu_indices(len(members), 1)
        firsts.append(members[first])
        seconds.append(members[second])
        shares.append(np.full(len(first), 1 / max(len(first), 1) / len(lists)))
    return _PairsOfItems(np.concatenate(firsts), np.concatenate(seconds), np.concatenate(shares), total <= most)


def _best(scores: FloatArray, human: FloatArray, pairs: _PairsOfItems) -> tuple[float, float]:
    """The highest accuracy over these pairs, and its threshold."""
    apart = scores[pairs.first] - scores[pairs.second]
    wanted = np.sign(human[pairs.first] - human[pairs.second])
    return _threshold(np.abs(apart), wanted == 0, np.sign(apart) == wanted, pairs.share)


def preferences_equal(differences: FloatArray, human: FloatArray) -> Calibration:
    """The same for preferences, each of which is a pair: differences of scores, human values 1, −1, 0."""
    if not len(human):
        return Calibration(float("nan"), float("nan"), True)
    share = np.full(len(human), 1 / len(human))
    agree = np.sign(differences) == human
    return Calibration(*_threshold(np.abs(differences), human == 0, agree, share), True)


def _threshold(apart: FloatArray, tie: BoolArray, agree: BoolArray, share: FloatArray) -> tuple[float, float]:
    """The highest accuracy and the lowest threshold that has it; 0 is one, whether scores are equal or not."""
    order = np.argsort(apart, kind="stable")
    gained = np.cumsum(share[order] * (tie[order].astype(np.float64) - agree[order]))
    apart = apart[order]
    ends = np.append(np.flatnonzero(apart[1:] != apart[:-1]), len(apart) - 1)
    # a threshold that ties nothing changes nothing: sums of shares are not exact, so it is no candidate of its own
    candidates = np.append(0.0, gained[ends])
    thresholds = np.append(0.0, apart[ends])
    best = int(np.argmax(candidates > candidates.max() - 1e-12))
    threshold = float(thresholds[best])
    right = np.where(apart <= threshold, tie[order], agree[order])
    return float((share[order] * right).sum() / share.sum()), threshold


def equal_answers(scores: FloatArray, human: FloatArray, threshold: float, weights: FloatArray) -> FloatArray:
    """Pairwise accuracy for a given threshold, a row of weights each.

    Only pairs of different items count: copies of one item are tied by everybody. NaN without a threshold.
    """
    if threshold != threshold:
        return np.full(len(weights), np.nan)
    pairs = (weights.sum(axis=1) ** 2 - (weights * weights).sum(axis=1)) / 2
    right = _rising(scores, human, threshold)(weights) + _near(scores, human, threshold)(weights)
    with np.errstate(all="ignore"):
        return np.where(pairs > 0, right / pairs, np.nan)


# ---- resamples -------------------------------------------------------------------------------------------------------


def rows_at_a_time(n_items: int) -> int:
    """How many rows of weights, or of scores, are worked on at a time: some ten megabytes."""
    return max(16, min(1024, 2_000_000 // max(n_items, 1)))


def rows_of(
    n_items: int, resamples: int, seed: int, units: Int64Array | None = None
) -> Iterator[tuple[slice, FloatArray]]:
    """Resamples, a block at a time: which rows they are, and how often each item counts in them.

    Items are drawn with replacement, or, with ``units``, whole units: items of one topic, or of one sentence, stay
    together.
    """
    random = np.random.default_rng(seed)
    n_units = n_items if units is None else int(units.max(initial=-1)) + 1
    step = rows_at_a_time(n_items)
    for start in range(0, resamples, step):
        rows = slice(start, min(start + step, resamples))
        counts = random.multinomial(n_units, np.full(n_units, 1 / n_units), rows.stop - rows.start).astype(np.float64)
        yield rows, counts if units is None else counts[:, units]


# ---- tests -----------------------------------------------------------------------------------------------------------


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
