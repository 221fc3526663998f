"""How far a score may be trusted: bootstrap intervals, from the pairs' sufficient statistics.

A corpus is a sample of the sentences that might have been scored. The bootstrap (Efron 1979) draws n pairs with
replacement from the n there are, scores the draw as a corpus of its own, and repeats this many times. The draws are
called *replicates*; their scores scatter as the score would scatter from corpus to corpus. No graph is aligned again: a
replicate's micro score follows from sums of the pairs' statistics (``combine`` of the metric), its macro score from
sums of the pairs' scores. All sums come from one compiled kernel, :mod:`fastmatch._ext.resampling`, so what is here
serves every metric.

Two kinds of interval, for a score θ, with replicates θ*₁ … θ*_R and confidence 1 − α:

``percentile``  the α/2 and 1 − α/2 quantiles of the replicates;
``bca``         bias-corrected and accelerated (Efron 1987, "Better bootstrap confidence intervals", eqs. 2.3 and 6.6):
                other quantiles, moved by the bias z₀ (how many replicates lie below θ) and by the acceleration a (how
                the score's spread changes with its value, from the jackknife). The better choice near 0 and 1.

Quantiles are interpolated as ``numpy.quantile`` does by default, and replicates equal to θ count half for z₀. So on the
same draws the intervals are those of ``scipy.stats.bootstrap`` (tests/unit/evaluation/test_bootstrap.py), except where
scipy has none:

=============================================  =======================================================================
no pair, or one                                (nan, nan): one pair cannot tell how pairs differ
all replicates equal (all pairs score alike)   (θ*, θ*); scipy: nan
θ below or above all replicates                z₀ as if half a replicate lay on the other side; scipy: nan or an
                                               end of the sample
all jackknife values equal                     a = 0; scipy: nan
1 − a(z₀ + z) ≤ 0: the formula has a pole      the upper end of the sample if z₀ + z > 0, else the lower end
a replicate without anything to match          scored by ``combine``, whose zero denominators have fixed values
                                               (:mod:`fastmatch.results.ratios`): no replicate is ever nan
=============================================  =======================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.resampling import BOOTSTRAP, resampled_sums
from fastmatch.errors import OptionError, choice
from fastmatch.metrics.options import fraction
from fastmatch.results.pairs import PairScores
from fastmatch.results.scores import Interval, Intervals
from fastmatch.results.signature import Signature
from fastmatch.runtime import threads
from fastmatch.runtime.cpus import worker_count
from fastmatch.types import FloatArray, IntervalMethod, Progress

#: Name of a score → its values.
Named: TypeAlias = dict[str, FloatArray]

METHODS: tuple[IntervalMethod, ...] = ("bca", "percentile")

#: Seconds that one pair of one replicate takes, about: decides the size of chunks, never a result.
_SECONDS_A_CELL = 4e-9


class Resampling(NamedTuple):
    """How intervals are made.

    Attributes
    ----------
    resamples : int
        Replicates, at least 1. About 1,000 settle two digits of an interval's ends, 10,000 three.
    confidence : float
        How often such an interval should hold the true score, between 0 and 1.
    method : {"bca", "percentile"}
        See the top of this module.
    seed : int
        From 0 to 2⁶³ − 1. The same seed gives the same draws for any metric, so two systems scored on the same pairs
        are resampled alike.
    """

    resamples: int
    confidence: float
    method: IntervalMethod
    seed: int

    @property
    def fields(self) -> dict[str, str | int | float | None]:
        """What signatures say of it."""
        return {"ci": self.method, "conf": self.confidence, "n": self.resamples, "seed": self.seed}

    def intervals(self, found: dict[str, Interval]) -> Intervals:
        """These intervals, with how they were made."""
        return Intervals(found, confidence=self.confidence, signature=Signature("bootstrap", self.fields))


class Sums(NamedTuple):
    """Weighted sums of a table's rows: int64 and float64[rows, replicates]."""

    counts: NDArray[np.int64]
    reals: FloatArray


class Table:
    """What resampling adds up: the statistics and the scores of one or several systems on the same pairs.

    Parameters
    ----------
    systems : sequence of PairScores
        Each with the same number of pairs, in the same order.

    Attributes
    ----------
    n_pairs : int
    names : tuple of str
        Names of the scores of the corpus: the micro scores by their own names, the macro scores with ``macro_`` before
        them. Where pairs do not add up (WLK) there are only means, and they keep their own names.

    Notes
    -----
    Where the means of a system leave out pairs, as those of aspects do, another row of each system says which pairs
    they are of. Then a mean is one of as many pairs as a replicate has of these.
    """

    def __init__(self, systems: Sequence[PairScores]) -> None:
        self._systems = list(systems)
        self.n_pairs = len(self._systems[0])
        self._partly = any(pairs.summable and pairs.n_macro < self.n_pairs for pairs in self._systems)
        self._rows = [self._rows_of(pairs) for pairs in self._systems]
        self.names = tuple(self.scores(self.totals(), self.n_pairs)[0])

    def _rows_of(self, pairs: PairScores) -> Sums:
        """What is added up of a system: its statistics, if they add up, and its scores, which are always real."""
        counts: list[NDArray[Any]] = []
        reals: list[NDArray[Any]] = []
        if pairs.summable:
            (counts if pairs.statistics.dtype.kind in "iu" else reals).extend(pairs.statistics)
        if self._partly:
            reals.extend(column * pairs.present for column in pairs.scores.values())
            reals.append(pairs.present)
        else:
            reals.extend(pairs.scores.values())
        whole, real = np.array(counts, np.int64), np.array(reals, np.float64)
        return Sums(whole.reshape(len(counts), self.n_pairs), real.reshape(len(reals), self.n_pairs))

    def totals(self) -> list[Sums]:
        """Every system's sums over the pairs as they are."""
        return [Sums(counts.sum(axis=1), reals.sum(axis=1)) for counts, reals in self._rows]

    def left_out(self) -> list[Sums]:
        """Every system's sums over all pairs but one, for each pair; O(rows · n)."""
        return [
            Sums(total.counts[:, None] - counts, _not_below_zero(total.reals[:, None] - reals, reals))
            for total, (counts, reals) in zip(self.totals(), self._rows, strict=True)
        ]

    def draw(self, mode: int, resamples: int, seed: int, workers: int = 1, progress: Progress = None) -> list[Sums]:
        """Every system's sums over ``resamples`` replicates, the same for any number of workers.

        ``mode``: a constant of the kernel.
        """
        counts, reals = [rows.counts for rows in self._rows], [rows.reals for rows in self._rows]
        drawn = _draw(np.concatenate(counts), np.concatenate(reals), mode, resamples, seed, workers, progress)
        ends = [np.cumsum([*map(len, tables)])[:-1] for tables in (counts, reals)]
        return [*map(Sums, np.split(drawn.counts, ends[0]), np.split(drawn.reals, ends[1]))]

    def exchanged(self, a: int, b: int, mode: int, resamples: int, seed: int, workers: int = 1) -> tuple[Named, Named]:
        """Scores of systems ``a`` and ``b`` after they exchanged some of their pairs, for each replicate.

        Only the pairs that are exchanged need adding up: what ``a`` gains in statistics, ``b`` loses.
        """
        here, there = self._rows[a], self._rows[b]
        moved = _draw(there.counts - here.counts, there.reals - here.reals, mode, resamples, seed, workers, None)
        result = []
        for system, rows, sign in ((a, here, 1), (b, there, -1)):
            sums = Sums(
                rows.counts.sum(axis=1)[:, None] + sign * moved.counts,
                _not_below_zero(rows.reals.sum(axis=1)[:, None] + sign * moved.reals, here.reals, there.reals),
            )
            result.append(self._score(self._systems[system], sums, self.n_pairs))
        return result[0], result[1]

    def scores(self, sums: Sequence[Sums], n_pairs: int) -> list[Named]:
        """Every system's scores, from its sums over ``n_pairs`` pairs: name → float64[replicates]."""
        return [self._score(pairs, own, n_pairs) for pairs, own in zip(self._systems, sums, strict=True)]

    def _score(self, pairs: PairScores, sums: Sums, n_pairs: int) -> Named:
        n_means = len(pairs.scores) + self._partly
        statistics, means = np.split(sums.reals, [len(sums.reals) - n_means])
        if not self._partly:
            found = dict(zip(pairs.scores, means / max(n_pairs, 1), strict=True))
        if not pairs.summable:
            return found
        micro = pairs.combine(sums.counts if len(sums.counts) else statistics)
        if self._partly:
            *columns, there = means
            # the convention of a corpus in which no pair counts
            found = {
                name: np.where(there > 0, column / np.maximum(there, 1), micro[name])
                for name, column in zip(pairs.scores, columns, strict=True)
            }
        return {**micro, **{f"macro_{name}": mean for name, mean in found.items()}}


def _not_below_zero(sums: FloatArray, *tables: FloatArray) -> FloatArray:
    """Sums made by subtraction: what rounding took below 0 is 0 again in rows that hold no negative number."""
    for row in range(len(sums)):
        if all(table[row].min(initial=0) >= 0 for table in tables):
            np.maximum(sums[row], 0, out=sums[row])
    return sums


def _draw(
    counts: NDArray[np.int64], reals: FloatArray, mode: int, resamples: int, seed: int, workers: int, progress: Progress
) -> Sums:
    """Sums over resampled pairs of two tables, int64 and float64[rows, n_pairs]."""
    counts, reals = np.ascontiguousarray(counts), np.ascontiguousarray(reals)
    sums = Sums(np.zeros((len(counts), resamples), np.int64), np.zeros((len(reals), resamples)))
    cancel = np.zeros(1, np.uint8)

    def work(start: int, stop: int) -> None:
        resampled_sums(counts, reals, seed, mode, start, stop, sums.counts, sums.reals, cancel)

    seconds = _SECONDS_A_CELL * (counts.shape[1] + 100)
    threads.spread(work, threads.plan(np.full(resamples, seconds), workers), resamples, workers, cancel, progress)
    return sums


def bootstrap(pairs: PairScores, how: Resampling, workers: int = 1, progress: Progress = None) -> Intervals:
    """Confidence intervals of a corpus's scores, over resamples of its pairs.

    Parameters
    ----------
    pairs : PairScores
        Scores of pairs by any metric.
    how : Resampling
    workers : int
        Threads, −1 for all CPUs. The result does not depend on it.
    progress : None, bool or callable
        As for :func:`fastmatch.score`, in replicates.

    Returns
    -------
    Intervals
        Name of a score → (low, high). Micro scores under their own names, macro scores as ``macro_f1`` and so on;
        metrics without micro scores have their means under their own names.

    Notes
    -----
    O(resamples · n) time, O(resamples + n) memory. 10,000 resamples of 2,000 pairs take 0.1 s.
    """
    return of_mean([pairs], how, workers, progress)


def of_mean(systems: Sequence[PairScores], how: Resampling, workers: int = 1, progress: Progress = None) -> Intervals:
    """The same of the mean scores of several systems on the same pairs."""
    table = Table(systems)
    found = dict.fromkeys(table.names, Interval(np.nan, np.nan))
    if table.n_pairs >= 2:
        values = table.scores(table.totals(), table.n_pairs)
        drawn = table.draw(BOOTSTRAP, how.resamples, how.seed, worker_count(workers), progress)
        replicates = table.scores(drawn, table.n_pairs)
        left_out = table.scores(table.left_out(), table.n_pairs - 1) if how.method == "bca" else []
        for name in table.names:
            value = float(_mean(name, values))
            jackknife = _mean(name, left_out) if left_out else None
            found[name] = interval(value, _mean(name, replicates), jackknife, how.confidence, how.method)
    return how.intervals(found)


def _mean(name: str, of_systems: Sequence[Named]) -> FloatArray:
    mean: FloatArray = np.mean([scores[name] for scores in of_systems], axis=0)
    return mean


def interval(
    value: float, replicates: FloatArray, left_out: FloatArray | None, confidence: float, method: IntervalMethod
) -> Interval:
    """The interval of one score.

    Parameters
    ----------
    value : float
        The score of all pairs.
    replicates : float64[n_resamples]
        The score of each replicate.
    left_out : float64[n_pairs] or None
        The score without each pair in turn; for ``bca`` only.
    confidence, method
        As for :func:`bootstrap`.
    """
    tail = (1 - confidence) / 2
    low, high = tail, 1 - tail
    if method == "bca" and left_out is not None and np.ptp(replicates) > 0:
        low, high = _bca_levels(value, replicates, left_out, tail)
    ordered = np.sort(replicates)
    return Interval(_quantile(ordered, low), _quantile(ordered, high))


def _quantile(ordered: FloatArray, level: float) -> float:
    """``numpy.quantile`` of sorted values, to rounding; that function imports ``numpy.ma``, a tenth of a short run."""
    place = level * (len(ordered) - 1)
    below = min(int(place), len(ordered) - 2) if len(ordered) > 1 else 0
    above = min(below + 1, len(ordered) - 1)
    return float(ordered[below] + (ordered[above] - ordered[below]) * (place - below))


def _bca_levels(value: float, replicates: FloatArray, left_out: FloatArray, tail: float) -> tuple[float, float]:
    """The quantiles that ``bca`` takes instead of ``tail`` and 1 − ``tail``."""
    from statistics import NormalDist  # a few ms to import: only for those who ask for intervals

    normal = NormalDist()
    # a replicate of the same pairs in another order has the same score, but for rounding
    distance = replicates - value
    rounding = 1e-13 * max(abs(value), 1.0)
    below = np.count_nonzero(distance < -rounding) + np.count_nonzero(np.abs(distance) <= rounding) / 2
    half = 0.5 / len(replicates)
    bias = normal.inv_cdf(min(max(below / len(replicates), half), 1 - half))
    influence = left_out.mean() - left_out
    # what rounding leaves of equal values is no skewness
    spread = np.square(influence).sum() if np.ptp(left_out) > 1e-12 * np.abs(left_out).max() else 0.0
    acceleration = np.power(influence, 3).sum() / (6 * spread**1.5) if spread > 0 else 0.0

    def level(p: float) -> float:
        z = bias + normal.inv_cdf(p)
        scale = 1 - acceleration * z
        if scale <= 0:
            return 1.0 if z > 0 else 0.0
        return normal.cdf(bias + z / scale)

    return level(tail), level(1 - tail)


def checked(resamples: int, confidence: float, method: IntervalMethod, seed: int) -> Resampling:
    """These options; raises :class:`~fastmatch.OptionError` if one of them has no right value."""
    if isinstance(resamples, bool) or not isinstance(resamples, int | np.integer) or not 1 <= resamples < 2**31:
        raise OptionError(f"bootstrap={resamples!r}: expected a number of resamples, from 1 to {2**31 - 1:,}")
    fraction("confidence", confidence)
    choice("bootstrap_method", method, METHODS)
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**63:
        raise OptionError(f"bootstrap_seed={seed!r}: expected a whole number from 0 to 2**63 - 1")
    return Resampling(resamples, confidence, method, seed)
