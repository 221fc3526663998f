"""Two tests of "both systems are equally good", from the pairs' sufficient statistics.

Systems that predicted graphs for the same gold graphs are compared pair by pair:

approximate randomisation (Noreen 1989; Riezler and Maxwell 2005)
    If both are equally good, each pair's two results might as well have come from the other system. So: exchange them
    for a random half of the pairs, score both corpora again, and count how often the difference is at least as large
    as the one that was observed. With so few pairs that all 2ⁿ exchanges fit into the number of resamples, each is made
    once and p is exact.
paired bootstrap (Koehn 2004; Efron and Tibshirani 1993, ch. 16)
    Draw pairs with replacement, the same ones for both systems, and count how often the difference strays from its mean
    by at least as much as the observed difference is away from 0. The same draws give the interval of the difference.

Both are two-sided and exchange or draw *statistics* of pairs, so micro scores are tested as such, not as means.
p = (k + 1) / (R + 1) for k of R resamples, as in sacreBLEU: the corpus as it is counts as one resample, so p is never
0, and a test at 5 % errs in at most 5 % of cases. sacreBLEU 2 differs in three points:

* it counts only differences that are strictly larger, so that a system compared with itself gets p = 1 / (R + 1); here
  p is 1;
* its bootstrap takes the absolute value of the differences before it subtracts their mean;
* it makes no exact test.

The **effect size** says how large a difference is, whatever the number of pairs: the difference over the standard
deviation of the pairs' contributions to it (Cohen's d for paired samples, d_z). For a macro score the contributions are
the pairs' differences. For a micro score they are the jackknife's pseudo-values n·Δ − (n − 1)·Δ₍₋ᵢ₎; for a mean these
are the pairs' differences again.

Of 20 comparisons at the 5 % level one comes out by chance. **Corrections** of p over all comparisons of systems, each
score and test by itself: ``holm`` (Holm 1979: the chance of any false alarm; never weaker than ``bonferroni``),
``bonferroni``, ``bh`` (Benjamini and Hochberg 1995: the share of false alarms among the alarms), ``none``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fastmatch._ext.resampling import BOOTSTRAP, SUBSET, SWAP
from fastmatch.evaluation.bootstrap import Named, Resampling, Table, interval
from fastmatch.results.pairs import PairScores
from fastmatch.results.scores import Interval
from fastmatch.types import Correction, FloatArray

CORRECTIONS: tuple[Correction, ...] = ("holm", "bonferroni", "bh", "none")

#: Differences up to this are none: scores are fractions, exact to some 1e-16, and rounding may part equal ones.
EPSILON = 1e-13


class Tested(NamedTuple):
    """What the tests say of one score of two systems; nan without two pairs.

    Attributes
    ----------
    interval : Interval
        Of the difference.
    effect : float
        The difference in standard deviations of the pairs' contributions; nan where these do not vary.
    p_randomisation, p_bootstrap : float
        The chance of a difference at least as large if both systems were equally good, by either test.
    """

    interval: Interval
    effect: float
    p_randomisation: float
    p_bootstrap: float


class Resampled:
    """Systems on the same pairs: their scores, and their scores in every resample.

    Parameters
    ----------
    systems : sequence of PairScores
        Each with the same number of pairs, in the same order.
    how : Resampling
    workers : int
        Threads, ≥ 1.

    Attributes
    ----------
    n_pairs : int
    names : tuple of str
        The scores: see :class:`~fastmatch.evaluation.bootstrap.Table`.
    values : list of dict of str → float
        Every system's scores; NaN without pairs.
    exact : bool
        All exchanges are made, each once.
    """

    def __init__(self, systems: Sequence[PairScores], how: Resampling, workers: int) -> None:
        self.how, self.workers = how, workers
        self._table = table = Table(systems)
        self.n_pairs, self.names = table.n_pairs, table.names
        n_pairs = self.n_pairs
        self.values = [  # a metric may give 1 for sums that are 0, but nothing was scored
            {name: float(value) if n_pairs else float("nan") for name, value in scores.items()}
            for scores in table.scores(table.totals(), n_pairs)
        ]
        self.exact = n_pairs < 62 and 2**n_pairs <= how.resamples
        self._replicates: list[Named] = []
        self._left_out: list[Named] = []
        if n_pairs > 1:
            self._replicates = table.scores(table.draw(BOOTSTRAP, how.resamples, how.seed, workers), n_pairs)
            self._left_out = table.scores(table.left_out(), n_pairs - 1)

    def intervals(self, system: int) -> dict[str, Interval]:
        """The intervals of one system's scores."""
        if self.n_pairs < 2:
            return dict.fromkeys(self.names, Interval(np.nan, np.nan))
        replicates, left_out = self._replicates[system], self._left_out[system]
        return {
            name: interval(value, replicates[name], left_out[name], self.how.confidence, self.how.method)
            for name, value in self.values[system].items()
        }

    def tested(self, first: int, second: int) -> dict[str, Tested]:
        """Both tests of the difference of two systems (second − first), for every score; O(resamples · n)."""
        if self.n_pairs < 2:
            return dict.fromkeys(self.names, Tested(Interval(np.nan, np.nan), np.nan, np.nan, np.nan))
        mode, draws = (SUBSET, 2**self.n_pairs) if self.exact else (SWAP, self.how.resamples)
        swapped = self._table.exchanged(first, second, mode, draws, self.how.seed, self.workers)
        found = {}
        for name in self.names:
            difference = self.values[second][name] - self.values[first][name]
            drawn = self._replicates[second][name] - self._replicates[first][name]
            without = self._left_out[second][name] - self._left_out[first][name]
            found[name] = Tested(
                interval(difference, drawn, without, self.how.confidence, self.how.method),
                effect=_effect(difference, without),
                p_randomisation=_p_value(swapped[1][name] - swapped[0][name], difference, self.exact),
                p_bootstrap=_p_value(drawn - drawn.mean(), difference, False),
            )
        return found


def _p_value(draws: FloatArray, difference: float, exact: bool) -> float:
    """Share of the draws at least as far from 0 as the difference."""
    extreme = int(np.count_nonzero(np.abs(draws) >= abs(difference) - EPSILON))
    return extreme / len(draws) if exact else (extreme + 1) / (len(draws) + 1)


def _effect(difference: float, without: FloatArray) -> float:
    """The difference over the standard deviation of the jackknife's pseudo-values."""
    n_pairs = len(without)
    deviation = float(np.std(without, ddof=1)) * (n_pairs - 1)
    if deviation > EPSILON:
        return difference / deviation
    return 0.0 if abs(difference) <= EPSILON else float("nan")


def adjusted(p_values: Sequence[float], correction: Correction) -> list[float]:
    """p-values corrected for their number, in the same order; all nan if one is.

    Examples
    --------
    >>> adjusted([0.01, 0.04, 0.03], "holm")
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, np.float64)
    count = len(p)
    if correction == "none" or not count:
        return list(p_values)
    if np.isnan(p).any():
        return [float("nan")] * count
    order = np.argsort(p, kind="stable")
    rank = np.arange(count)
    if correction == "bonferroni":
        steps = p[order] * count
    elif correction == "holm":
        steps = np.maximum.accumulate(p[order] * (count - rank))
    else:
        steps = np.minimum.accumulate((p[order] * (count / (rank + 1)))[::-1])[::-1]
    result = np.empty(count)
    result[order] = np.minimum(steps, 1)
    return [float(value) for value in result]
