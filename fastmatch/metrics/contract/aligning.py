"""What a metric adds to show why two graphs are alike: a map of variables, a flow between nodes, named features."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from fastmatch.errors import OptionError
from fastmatch.graphs.arrays import starts_of
from fastmatch.metrics.contract.required import Prepared, Required

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fastmatch.graphs.corpus import Corpus
    from fastmatch.results.alignment import Explanation
    from fastmatch.results.features import NamedFeature
    from fastmatch.results.flow import FlowAlignment
    from fastmatch.types import Int32Array, Int64Array


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
