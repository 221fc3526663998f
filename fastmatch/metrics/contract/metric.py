"""The base class of all metrics: what each must have, and what it may have besides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from fastmatch.errors import OptionError
from fastmatch.graphs.arrays import starts_of
from fastmatch.graphs.corpus import Corpus
from fastmatch.metrics.contract.required import PairRange, Prepared, Required
from fastmatch.types import FloatArray, Int32Array, Int64Array

if TYPE_CHECKING:
    from fastmatch._ext.index.formulas import OverlapScorer
    from fastmatch.metrics.feature_lists import FeatureLists
    from fastmatch.metrics.row_bounds import RowBounds
    from fastmatch.results.alignment import Explanation
    from fastmatch.results.features import NamedFeature
    from fastmatch.results.flow import FlowAlignment


class Indexed(Required[Prepared]):
    """The part of a metric that :mod:`fastmatch.allpairs` asks; by default there are no lists: every pair is scored.

    A metric whose scores are made of overlaps of features writes :meth:`overlaps`, and :meth:`overlap_scorer` unless
    its score is F1 of one list. A metric for which such overlaps are only a bound gives one
    (:meth:`fastmatch.metrics.contract.metric.Bounding.bounds`).
    """

    def overlaps(self, prepared: Prepared) -> tuple[FeatureLists, ...]:
        """Lists of features whose overlaps make the scores; empty (the default) if scores are made of something else.

        With them, and an :meth:`overlap_scorer`, :func:`fastmatch.cdist` compares whole corpora through an inverted
        index; :func:`fastmatch.features` has features to give.
        """
        return ()

    def overlap_scorer(self, pred: Prepared, gold: Prepared) -> OverlapScorer | None:
        """What makes the headline score of two graphs of the overlaps of their lists; None if nothing does.

        Asked for where there are :meth:`overlaps`. Scores are what ``score`` and ``combine`` give, to the last bit. By
        default F1 of one list a graph, whose overlap is what matched, if ``combine`` is the default.
        """
        if type(self).combine is not Required.combine:
            return None
        from fastmatch._ext.index.formulas import RatioScorer

        sizes_pred, sizes_gold = (self.sizes(side).astype(np.float64) for side in (pred, gold))
        return RatioScorer("dice", np.ones(1), sizes_pred, sizes_gold)


class Bounding(Indexed[Prepared]):
    """The part of a metric that saves work where a cutoff is given, or the best k are wanted; by default it saves none.

    Both methods say what no score exceeds. :meth:`bounds` is for all pairs of a row at once and must cost next to
    nothing a pair; it chooses the pairs that are scored, those with the highest bounds first. :meth:`reaching` is for
    one pair after another, and may cost a part of what its score costs; it is asked for the chosen pairs. Either may be
    missing.
    """

    #: What a score must reach to matter, in what :meth:`limited` gives; None: every score does.
    _cutoff: ClassVar[float | FloatArray | None] = None

    def bounds(self, pred: Prepared, gold: Prepared) -> RowBounds | None:
        """Upper bounds of the headline scores of whole rows; None if there are none.

        Asked for once for two corpora; ``pred`` is ``gold`` if a corpus is compared with itself. By default from the
        lists of :meth:`overlaps`, if there is one for each graph and its measure says something.
        """
        lists = self.overlaps(pred)
        if len(lists) != 1 or lists[0].measure == "row":
            return None
        from fastmatch.metrics.row_bounds import OverlapBounds

        return OverlapBounds(lists[0], lists[0] if pred is gold else self.overlaps(gold)[0])

    def reaching(self, cutoff: float | FloatArray) -> Self:
        """The same metric for a caller who needs no scores below a cutoff, which is above 0 and may be infinite.

        It is one number, or one for each pair of the list that is scored next, float64[n_pairs].
        Where the score is below the cutoff, the headline that it gives may be anything from the score up to the cutoff,
        exclusive. So it need not go on with a pair whose upper bound is below the cutoff, and with an infinite cutoff
        it gives nothing but bounds. What ``prepare`` of either made serves both. By default the metric itself.
        """
        return self

    def limited(self, cutoff: float | FloatArray) -> Self:
        """A copy of the metric that knows the cutoff as ``_cutoff``, for :meth:`reaching`; options are not checked."""
        return self.knowing(_cutoff=cutoff)

    def cutoffs(self, pairs: PairRange) -> float | FloatArray:
        """The cutoff, which there is, of all pairs of a range, or of each of them, float64[stop − start]."""
        cutoff = self._cutoff
        assert cutoff is not None
        return cutoff[pairs.places] if isinstance(cutoff, np.ndarray) else cutoff

    def knowing(self, **values: Any) -> Self:
        """A copy of the metric with attributes that are no options, and in no signature; options are not checked."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__, **values)
        return copy


class Aligning(Required[Prepared]):
    """The part of a metric that :func:`fastmatch.align` asks; by default the metric aligns nothing.

    A metric that maps each variable of the prediction to one of the gold graph, or to none, writes :meth:`explain`, and
    :meth:`standardized` if it rewrites graphs. With ``mapping=True`` its ``empty`` makes room for the maps
    (:func:`room_for_maps` needs the number of variables of each prepared graph) and its ``score`` fills it. Its scores
    must have the columns ``matched``, ``n_pred``, ``n_gold``, ``upper`` and ``certified``, as :class:`TripleScores` has
    them: a :class:`fastmatch.Alignment` shows them.

    A metric that sends parts of a node to several nodes writes :meth:`flow` and nothing else of these. One that aligns
    nothing and compares features may write :meth:`named_features`.
    """

    @property
    def aligns(self) -> Literal["flow", "map"] | None:
        """What :func:`fastmatch.align` gives: a flow, a map of variables, or None: nothing."""
        if type(self).flow is not Aligning.flow:
            return "flow"
        return "map" if type(self).explain is not Aligning.explain else None

    @property
    def names_features(self) -> bool:
        """Whether :meth:`named_features` says what is compared."""
        return type(self).named_features is not Aligning.named_features

    def standardized(self, corpus: Corpus) -> Corpus:
        """The graphs whose variables and triples an alignment names; other ones if the metric rewrites graphs."""
        return corpus

    def explain(self, pred: Corpus, gold: Corpus, i: int, j: int, mapping: Int32Array) -> Explanation:
        """Which triples of two graphs match under a map of variables.

        Parameters
        ----------
        pred, gold : Corpus
            What :meth:`standardized` gives.
        i, j : int
            Numbers of the two graphs.
        mapping : int32[n_variables of graph i]
            The map that ``score`` found: a variable of graph j, or −1, for each variable of graph i.
        """
        raise OptionError(f"align: metric {self.name!r} makes no alignment")

    def flow(self, pred: Corpus, gold: Corpus) -> FlowAlignment | None:
        """The alignment of two corpora of one graph each, by a metric that aligns by flow; None from any other."""
        return None

    def first_anchors(self, pred: Corpus, gold: Corpus, i: int, j: int) -> list[tuple[int, int]]:
        """Variables of graph ``i`` and graph ``j`` that the alignment starts from; none for most metrics."""
        return []

    def named_features(self, pred: Corpus, gold: Corpus, i: int, j: int) -> list[NamedFeature] | None:
        """The features of graph ``i`` and graph ``j`` as people read them; None if they cannot be named."""
        return None


def room_for_maps(n_variables: NDArray[np.integer], index_pred: Int32Array) -> tuple[Int64Array, Int32Array]:
    """Arrays for the maps of a list of pairs.

    Parameters
    ----------
    n_variables : int32 or int64[n_graphs]
        Variables of each graph of the predictions.
    index_pred : int32[n_pairs]
        The predictions of the pairs.

    Returns
    -------
    offsets : int64[n_pairs + 1]
        The map of pair k stands in ``[offsets[k], offsets[k + 1])``.
    mapping : int32[offsets[-1]]
        −1 everywhere: no variable has a partner yet.
    """
    if len(index_pred) == 1:  # one pair of a loop: a sum over it would take longer than a search of small graphs
        offsets = np.array([0, n_variables[index_pred[0]]], np.int64)
    else:
        offsets = starts_of(n_variables[index_pred])
    mapping = np.empty(offsets[-1], np.int32)
    mapping.fill(-1)
    return offsets, mapping


class Metric(Aligning[Prepared], Bounding[Prepared]):
    """Base class of all metrics: frozen dataclasses whose fields are the metric's options.

    What a metric must write is in :class:`~fastmatch.metrics.contract.required.Required`. The rest is for metrics that
    can do more, and each has a default that says no: :class:`~fastmatch.metrics.contract.metric.Aligning` (alignments
    and which triples match), :class:`~fastmatch.metrics.contract.metric.Indexed` (features, and comparing through an
    index), :class:`~fastmatch.metrics.contract.metric.Bounding` (leaving out pairs that cannot be among the best).

    ``Metric[P]`` is a metric whose ``prepare`` gives a P; ``Metric`` alone leaves that open.
    """
