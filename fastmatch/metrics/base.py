"""What a metric is, and how one is found by its name.

A metric is a frozen dataclass: its fields are its options, checked when it is made. It says how to turn a corpus into
the numbers it needs, once per graph (:meth:`Metric.prepare`), and how to fill one range of a list of pairs from them
(:meth:`Metric.score`). Chunks, threads, progress and Ctrl-C (:mod:`fastmatch.runtime.threads`), reading and pairing
(:mod:`fastmatch.evaluation.scoring`), sums and means (:mod:`fastmatch.results.ratios`) are written once for all metrics and know none
by name. A new metric is one module in this package; other packages offer theirs through the entry-point group
``fastmatch.metrics`` (name of the metric = module:class).
"""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fastmatch.errors import OptionError
from fastmatch.metrics.options import choice, described, option
from fastmatch.metrics.registry import available, from_signature, from_text, get, make, register
from fastmatch.results import ratios as _statistics
from fastmatch.results.alignment import Explanation
from fastmatch.results.scores import PairScores, TripleScores
from fastmatch.results.signature import Signature

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from fastmatch._ext.index.formulas import OverlapScorer
    from fastmatch.graphs.corpus import Corpus
    from fastmatch.metrics.feature_lists import FeatureLists
    from fastmatch.results.flow import FlowAlignment
    from fastmatch.types import ByteArray, Dialect, FloatArray, Int32Array, Int64Array

__all__ = [
    "Metric",
    "PairScores",
    "TripleScores",
    "available",
    "described",
    "from_signature",
    "from_text",
    "get",
    "make",
    "option",
    "register",
]


class Metric:
    """Base class of all metrics. Subclasses are frozen dataclasses whose fields are the metric's options.

    Attributes
    ----------
    name : str
        Set by :func:`register`.
    symmetric : bool
        With these options, exchanging prediction and gold leaves ``matched`` as it is.
    bounded : bool
        Scores never exceed 1 with these options.
    presets : mapping
        Name of a preset → option values it stands for.
    statistics : tuple of str
        Names of the sufficient statistics of a pair, the rows of :attr:`PairScores.statistics`. With the three of the
        default :meth:`empty` makes :class:`TripleScores`.
    counts : bool
        The statistics are whole numbers (int64), else float64.
    summable : bool
        Sums of the statistics over pairs make the score of a corpus (micro); else it is the mean of the pairs' scores.
    distinct : bool
        With its default options the metric differs from all others. False for one that says nothing of its own before
        a user gives it functions or tables: Softmatch, which is Smatch then.
    """

    name: ClassVar[str] = ""
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    statistics: ClassVar[tuple[str, ...]] = ("matched", "n_pred", "n_gold")
    counts: ClassVar[bool] = True
    summable: ClassVar[bool] = True
    distinct: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Checks the options that :func:`option` gave choices."""
        for entry in fields(self):  # type: ignore[arg-type]
            allowed = entry.metadata.get("choices")
            if allowed is not None:
                choice(entry.name, getattr(self, entry.name), allowed)

    def combine(self, statistics: NDArray[Any]) -> dict[str, FloatArray]:
        """Scores from statistics, or from sums of them.

        Parameters
        ----------
        statistics : int64 or float64[n_statistics, …]
            Of pairs, of a whole corpus (no further axis), of the replicates of a bootstrap.

        Returns
        -------
        dict of str → float64[…]
            The first is the headline: what ``score`` means in tables, matrices and thresholds. By default F1, precision
            and recall from (matched, n_pred, n_gold) as :mod:`fastmatch.results.ratios` defines them.
        """
        return _statistics.combine(statistics)

    @property
    def symmetric(self) -> bool:
        """Exchanging prediction and gold changes no ``matched``."""
        return False

    @property
    def bounded(self) -> bool:
        """No score exceeds 1."""
        return True

    @property
    def dialect(self) -> Dialect:
        """Dialect with which text given to this metric is read."""
        return "penman"

    def check(self, dialect: str) -> None:
        """Raise :class:`~fastmatch.OptionError` if corpora read with this dialect do not fit the metric."""

    def standardized(self, corpus: Corpus) -> Corpus:
        """Graphs whose variables and triples an alignment is of: if the metric rewrites them, not those of the text."""
        return corpus

    def prepare(self, corpus: Corpus) -> Any:
        """The numbers :meth:`score` needs, once per graph; must be picklable and is never changed afterwards.

        Corpora that are compared share one vocabulary, so equal labels have equal ids in both.
        """
        raise NotImplementedError

    def sizes(self, prepared: Any) -> Int64Array:
        """What precision and recall divide by, int64[n_graphs]: asked of metrics with these statistics only."""
        raise NotImplementedError

    def costs(self, pred: Any, gold: Any, index_pred: Int32Array, index_gold: Int32Array) -> FloatArray:
        """Rough seconds per pair, float64[n_pairs]: for balancing chunks, never for results. Positive."""
        if self.statistics != Metric.statistics:
            return np.full(len(index_pred), 1e-6)
        seconds: FloatArray = self.sizes(pred)[index_pred] * (1e-7 * self.sizes(gold)[index_gold])
        return seconds + 1e-6

    def empty(self, pred: Any, gold: Any, index_pred: Int32Array, index_gold: Int32Array, mapping: bool) -> PairScores:
        """The arrays that :meth:`score` fills; sizes of the graphs are in already.

        ``mapping`` asks for room for alignments; a metric that aligns nothing leaves it out.
        """
        n_pairs = len(index_pred)
        kind = np.int64 if self.counts else np.float64
        if self.statistics != Metric.statistics:
            return PairScores(np.zeros((len(self.statistics), n_pairs), kind), self)
        matched = np.zeros(n_pairs, kind)
        return TripleScores(
            matched=matched,
            n_pred=self.sizes(pred)[index_pred],
            n_gold=self.sizes(gold)[index_gold],
            upper=matched,
            certified=np.ones(n_pairs, np.bool_),
        )

    def score(
        self,
        pred: Any,
        gold: Any,
        index_pred: Int32Array,
        index_gold: Int32Array,
        start: int,
        stop: int,
        out: Any,
        cancel: ByteArray,
    ) -> None:
        """Fill ``out``, made by :meth:`empty`, for the pairs ``start`` … ``stop − 1``.

        Pair k is graph ``index_pred[k]`` against graph ``index_gold[k]``. Called from several threads at once with
        ranges that do not overlap; the work should be in a kernel that drops the GIL. Results depend on nothing but the
        pair (and its number, where a seed is involved). ``cancel``, uint8[1], becomes 1 when the caller gives up: then
        return soon, whatever is filled.
        """
        raise NotImplementedError

    def reaching(self, cutoff: float) -> Metric:
        """The same metric for those who need no scores below a cutoff above 0, which may be infinite.

        Where the score is below the cutoff, its headline may be anything from the score up to the cutoff, exclusive. So
        a metric that has a cheap upper bound need not go on where that is below, and with an infinite cutoff it gives
        nothing but bounds. What :meth:`prepare` made serves both. By default the metric itself.
        """
        return self

    def overlaps(self, prepared: Any) -> tuple[FeatureLists, ...]:
        """Lists of features whose overlaps make the scores; empty (the default) if scores are made of something else.

        With them, and an :meth:`overlap_scorer`, :func:`fastmatch.cdist` compares whole corpora through an inverted
        index; :func:`fastmatch.features` has features to give.
        """
        return ()

    def overlap_scorer(self, pred: Any, gold: Any) -> OverlapScorer | None:
        """What makes the headline score of two prepared graphs of the overlaps of their lists; None if nothing does.

        Asked for where there are :meth:`overlaps`. Scores are what :meth:`score` and :meth:`combine` give, to the last
        bit. By default F1, of one list a graph whose overlap is what matched, if :meth:`combine` is as it is here.
        """
        if type(self).combine is not Metric.combine:
            return None
        from fastmatch._ext.index.formulas import RatioScorer

        sizes_pred, sizes_gold = (self.sizes(side).astype(np.float64) for side in (pred, gold))
        return RatioScorer("dice", np.ones(1), sizes_pred, sizes_gold)

    def filter(self, prepared: Any) -> FeatureLists | None:
        """Lists of features whose overlap bounds the headline score; None if there is no such bound.

        With them a cutoff and the search for the best k skip pairs. By default the lists of :meth:`overlaps`, if there
        is one for each graph. If there are no :meth:`overlaps`, a pair that shares no feature must score 0, unless the
        prediction's list is empty.
        """
        lists = self.overlaps(prepared)
        return lists[0] if len(lists) == 1 else None

    def needs(self, prepared: Any, lists: FeatureLists, cutoff: float) -> FloatArray:
        """The least overlap with which each prediction can reach a cutoff above 0, float64[n_graphs].

        0 for a prediction of which the lists say nothing. ``lists`` is what :meth:`filter` made of ``prepared``.
        """
        return lists.needs(cutoff)

    @property
    def aligns(self) -> str | None:
        """What :func:`fastmatch.align` gives: ``"flow"``, ``"map"`` (of variables to variables), or None: nothing."""
        for name, kind in (("flow", "flow"), ("explain", "map")):
            if getattr(type(self), name) is not getattr(Metric, name):
                return kind
        return None

    def flow(self, pred: Corpus, gold: Corpus) -> FlowAlignment | None:
        """The alignment of two corpora of one graph each, by metrics that align by flow, not by a map of variables."""
        return None

    def explain(self, pred: Corpus, gold: Corpus, i: int, j: int, mapping: Int32Array) -> Explanation:
        """Which triples of graph ``i`` and graph ``j`` match under an alignment found by :meth:`score`.

        ``pred`` and ``gold`` are what :meth:`standardized` gives.
        """
        raise OptionError(f"align: metric {self.name!r} makes no alignment")

    def fields(self, dialect: str) -> dict[str, str | int | float | bool | None]:
        """Fields of the signature, in printing order, for corpora read with this dialect. Defaults included."""
        return {"read": dialect}

    @classmethod
    def options(cls, fields: Mapping[str, str]) -> dict[str, Any]:
        """The inverse of :meth:`fields`: the options that give these fields.

        May raise KeyError or ValueError; :func:`from_signature` says what they mean.
        """
        return {}

    @lru_cache(maxsize=64)  # noqa: B019 - metrics are few, small and immutable
    def signature(self, dialect: str) -> Signature:
        """Signature of scores of corpora read with this dialect."""
        return Signature(self.name, self.fields(dialect))
