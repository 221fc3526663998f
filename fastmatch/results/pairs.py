"""What scoring gives back of each pair.

:class:`PairScores`
    the sufficient statistics of each pair, and the scores made of them;
:class:`TripleScores`
    the same for metrics that match triples, with what is proven of them, and the alignments.

Scores are computed from the statistics when they are first asked for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fastmatch.errors import FastmatchError
from fastmatch.report.cells import count
from fastmatch.report.frames import Tabular
from fastmatch.results import ratios
from fastmatch.results.equality import ByValue
from fastmatch.runtime.cached import cached_property
from fastmatch.types import BoolArray, FloatArray, Int32Array, Int64Array


class Scores(dict[str, float]):
    """Scores by name, the headline first; also as attributes: ``scores.f1 == scores["f1"]``."""

    __slots__ = ()

    def __getattr__(self, name: str) -> float:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no score {name!r}; there are {', '.join(self)}") from None

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self})

    @property
    def headline(self) -> float:
        """The metric's main score, which tables, matrices and thresholds show."""
        return next(iter(self.values()))


class Combining(Protocol):
    """What scores of pairs need of the metric that made them."""

    @property
    def statistics(self) -> tuple[str, ...]:
        """Names of the sufficient statistics."""

    @property
    def summable(self) -> bool:
        """Whether sums of the statistics over pairs make a score of the corpus (micro)."""

    def combine(self, statistics: NDArray[Any]) -> dict[str, FloatArray]:
        """Scores from statistics, or sums of them, of shape (n_statistics, …): name → float64[…], headline first."""


class PairScores(ByValue, Tabular):
    """Scores of many pairs, in the order in which the pairs were given.

    What a metric measures of a pair are its *sufficient statistics* (counts, sums); scores are made of them, or of
    their sums over pairs, by ``metric.combine``. Statistics and scores are attributes by name: ``pairs.matched``,
    ``pairs.f1``. ``pairs.certified`` is True where the value is proven, and for metrics that do not search.

    Parameters
    ----------
    statistics : int64 or float64[n_statistics, n_pairs]
        Rows in the order of ``metric.statistics``.
    metric : Combining
        Names the rows and combines them; a :class:`~fastmatch.metrics.base.Metric` does.
    mapping_offsets, mapping : optional
        Alignments, if they were asked for and the metric makes them: see :class:`TripleScores`.

    Attributes
    ----------
    whole : bool[n_pairs] or None
        Where the value is what the metric's definition gives. False where a limit of work ended the computation before;
        None: nowhere. Only metrics with the option ``effort`` set it.
    """

    whole: BoolArray | None = None

    def __init__(
        self,
        statistics: NDArray[Any],
        metric: Combining,
        mapping_offsets: Int64Array | None = None,
        mapping: Int32Array | None = None,
    ) -> None:
        self._statistics = statistics
        self._metric = metric
        self.mapping_offsets = mapping_offsets
        self.mapping = mapping

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the statistics."""
        return self._metric.statistics

    @property
    def summable(self) -> bool:
        """Whether sums of the statistics over pairs make a score of the corpus (micro)."""
        return self._metric.summable

    @property
    def statistics(self) -> NDArray[Any]:
        """int64 or float64[n_statistics, n_pairs], in the order of :attr:`names`; not to be changed."""
        return self._statistics

    def combine(self, statistics: NDArray[Any]) -> dict[str, FloatArray]:
        """Scores from statistics, or sums of them, of shape (n_statistics, …): name → float64[…], headline first."""
        return self._metric.combine(statistics)

    @cached_property
    def scores(self) -> dict[str, FloatArray]:
        """Every pair's scores: name → float64[n_pairs], the headline first.

        Raises
        ------
        FastmatchError
            If the metric makes NaN of a pair's statistics.
        """
        found = self.combine(self.statistics)
        for name, column in found.items():
            if column.size and (lowest := column.min()) != lowest:  # a NaN makes the minimum one
                pair = int(np.isnan(column).argmax())
                metric = getattr(self._metric, "name", "") or type(self._metric).__name__
                raise FastmatchError(f"metric {metric!r}: {name} of pair {pair} is not a number (NaN)")
        return found

    @property
    def score(self) -> FloatArray:
        """The headline score, float64[n_pairs]."""
        return next(iter(self.scores.values()))

    def micro(self) -> Scores:
        """Scores of the sums over all pairs; NaN if there are no pairs, as nothing was measured."""
        sums = self.statistics.sum(axis=1)
        if not len(self):
            return Scores(dict.fromkeys(self.combine(sums), math.nan))
        return Scores((name, float(value)) for name, value in self.combine(sums).items())

    def macro(self) -> Scores:
        """Means over the pairs of each pair's scores; NaN if there are no pairs."""
        if not self.n_macro:
            return self.micro()
        present = self.present
        return Scores((name, float(column[present].mean())) for name, column in self.scores.items())

    @property
    def n_macro(self) -> int:
        """Number of pairs that :meth:`macro` is the mean of: all."""
        return len(self)

    @property
    def present(self) -> BoolArray:
        """Which pairs :meth:`macro` is the mean of, bool[n_pairs]: all."""
        return np.ones(len(self), np.bool_)

    def columns(self) -> dict[str, NDArray[Any]]:
        """What a table of pairs shows: the headline as ``score``, the other scores, the statistics."""
        (_, score), *others = self.scores.items()
        return {"score": score, **dict(others), **dict(zip(self.names, self.statistics, strict=True))}

    def to_dict(self) -> dict[str, list[Any]]:
        """Scores and columns as plain lists, ready for JSON."""
        table = {**self.columns(), **self.scores}
        return {name: column.tolist() for name, column in table.items()}

    def _table(self) -> dict[str, NDArray[Any]]:
        return {"index": np.arange(len(self)), **self.columns()}

    @property
    def gap(self) -> FloatArray:
        """(upper − matched) / upper, float64[n_pairs]: what a better alignment might still add; 0 if certified."""
        return ratios.divided(self.upper - self.matched, self.upper, 0.0)

    def mapping_of(self, pair: int) -> Int32Array:
        """The alignment of one pair, int32[n_variables of its prediction]; −1 for a variable that has no partner.

        Raises
        ------
        ValueError
            If alignments were not asked for.
        IndexError
            If there is no such pair.
        """
        if self.mapping is None or self.mapping_offsets is None:
            raise ValueError("alignments were not asked for: score with mapping=True, or use fastmatch.align")
        if not -len(self) <= pair < len(self):
            raise IndexError(f"pair {pair} of {len(self)}")
        pair %= len(self)
        return self.mapping[self.mapping_offsets[pair] : self.mapping_offsets[pair + 1]]

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            if name in self.names:
                return self.statistics[self.names.index(name)]
            if name in self.scores:
                return self.scores[name]
            if name == "certified":  # a metric that does not search gives its value as defined, unless it is cut short
                return np.ones(len(self), np.bool_) if self.whole is None else self.whole
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.names, *self.scores, "certified"})

    def __len__(self) -> int:
        return int(self.statistics.shape[1])

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {count(len(self), 'pair')}, {', '.join(self.columns())}>"


@dataclass(frozen=True, eq=False, repr=False)
class TripleScores(PairScores):
    """Scores of pairs by matched triples, with what is known about the optimum.

    Counts are int64, or float64 where triples match in part (similar concepts, weighted triples).

    Attributes
    ----------
    matched : int64 or float64[n_pairs]
        Triples that match under the alignment that was found: a lower bound of the optimum. With triples that multiply
        (preset ``smatch``: k copies against m copies count k·m) it may exceed ``n_pred`` or ``n_gold``.
    n_pred, n_gold : int64 or float64[n_pairs]
        Triples of the prediction and of the gold graph.
    upper : int64 or float64[n_pairs]
        Proven upper bound on ``matched`` over all alignments.
    certified : bool[n_pairs]
        ``matched`` is proven to be the optimum.
    mapping_offsets : int64[n_pairs + 1] or None
    mapping : int32[·] or None
        For pair k, ``mapping[mapping_offsets[k]:mapping_offsets[k + 1]]`` holds for each variable of the prediction the
        variable of the gold graph it stands for, or −1. None when alignments were not asked for.
    """

    matched: NDArray[Any]
    n_pred: NDArray[Any]
    n_gold: NDArray[Any]
    upper: NDArray[Any]
    certified: BoolArray
    mapping_offsets: Int64Array | None = None
    mapping: Int32Array | None = None

    names = ("matched", "n_pred", "n_gold")
    summable = True

    @cached_property
    def statistics(self) -> NDArray[Any]:
        return np.stack([self.matched, self.n_pred, self.n_gold])

    def combine(self, statistics: NDArray[Any]) -> dict[str, FloatArray]:
        return ratios.combine(statistics)

    @cached_property
    def scores(self) -> dict[str, FloatArray]:
        if type(self).combine is not TripleScores.combine:  # a subclass with conventions of its own
            return super().scores
        if len(self) == 1:  # one pair of a loop: a dozen operations on arrays would take 20 µs
            found = ratios.prf(self.matched.item(), self.n_pred.item(), self.n_gold.item())
            if all(value == value for value in found):
                return {name: np.array([getattr(found, name)]) for name in ("f1", "precision", "recall")}
        if self.matched.dtype.kind == "f":  # may be NaN
            return super().scores
        return ratios.combine((self.matched, self.n_pred, self.n_gold))

    @property
    def score(self) -> FloatArray:
        if "scores" in self.__dict__ or type(self).combine is not TripleScores.combine:
            return self.scores["f1"]
        return ratios.f1(self.matched, self.n_pred, self.n_gold)

    @cached_property
    def totals(self) -> tuple[float, float, float, float]:
        """Sums of ``matched``, ``n_pred``, ``n_gold`` and ``upper``: int, or float where triples match in part."""
        columns = (self.matched, self.n_pred, self.n_gold, self.upper)
        if len(self) == 1:  # four sums over one element take 10 µs, which counts where a pair takes 50
            return tuple(column.item() for column in columns)
        return tuple(column.sum().item() for column in columns)

    def micro(self) -> Scores:
        if not len(self):
            return super().micro()
        precision, recall, f1 = ratios.prf(*self.totals[:3])
        return Scores(f1=f1, precision=precision, recall=recall)

    def columns(self) -> dict[str, NDArray[Any]]:
        return {**super().columns(), "upper": self.upper, "certified": self.certified}

    def __len__(self) -> int:
        return len(self.matched)

    def __repr__(self) -> str:
        return f"<TripleScores: {count(len(self), 'pair')}, {int(self.certified.sum()):,} certified>"


class ZeroForNothing(TripleScores):
    """Scores that are 0 where neither graph has anything, as some published programs count them; else they are 1."""

    def combine(self, statistics: NDArray[Any]) -> dict[str, FloatArray]:
        nothing = (statistics[1] == 0) & (statistics[2] == 0)
        return {name: np.where(nothing, 0.0, values) for name, values in super().combine(statistics).items()}

    def micro(self) -> Scores:
        if not len(self):
            return super().micro()
        return Scores((name, float(value)) for name, value in self.combine(np.array(self.totals[:3])).items())
