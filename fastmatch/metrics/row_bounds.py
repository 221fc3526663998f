"""Upper bounds of whole rows: what no score of one graph with the graphs of a corpus exceeds.

A metric that costs microseconds a pair need not score 30,000 pairs to find the ten best, or those above a cutoff, if it
knows cheaply which of them cannot be among these. It says so once, by ``Metric.bounds``, which gives a
:class:`RowBounds`; :mod:`fastmatch.allpairs` asks it for blocks of a matrix, lists of pairs and nearest neighbours.

:class:`OverlapBounds` is for scores that an overlap of lists of features bounds. Where labels match in part,
:class:`NearestSums` adds up what the nearest label of the other graph is worth.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fastmatch.metrics.feature_lists import KINDS, FeatureLists
from fastmatch.runtime.cached import cached_property
from fastmatch.types import ByteArray, FloatArray, Int32Array, Int64Array

if TYPE_CHECKING:
    from fastmatch._ext.index.lists import FeatureIndex
    from fastmatch._ext.index.slots import RowScorer
    from fastmatch._ext.index.sums import Postings


#: Bounds, of single precision: they are many.
Bounds: TypeAlias = NDArray[np.float32]

#: Labels are looked up by postings where fewer than one in so many are alike.
SPARSE = 16
#: Nodes of a graph, times labels of the gold graphs, up to which it is found out how like they are: all at once.
MOST_CELLS = 1 << 25
#: What sums are of which nothing is known.
UNKNOWN = np.float32(1e18)


class RowBounds:
    """Upper bounds of the headline scores of a row of pairs; a subclass writes :meth:`rows`.

    Attributes
    ----------
    n_pred, n_gold : int
        Numbers of graphs.
    floor : float
        No score is below it. So a pair whose bound is not above it has this score.
    """

    floor: float = 0.0

    def __init__(self, n_pred: int, n_gold: int) -> None:
        self.n_pred, self.n_gold = n_pred, n_gold

    def rows(self, start: int, stop: int, out: Bounds) -> None:
        """Fill in bounds of the predictions ``start`` … ``stop − 1`` with all gold graphs.

        No score, as the metric gives it in floating point, is above its bound. May be called from several threads.

        Parameters
        ----------
        out : float32[stop − start, n_gold]
            May hold anything before.
        """
        raise NotImplementedError

    def reached(
        self, start: int, stop: int, cutoff: float, *, triangle: bool, cancel: ByteArray
    ) -> tuple[Int32Array, Int32Array, Bounds]:
        """The pairs of these rows whose bound reaches a cutoff above 0: rows, columns, bounds, by row and column.

        With ``triangle`` only those with column ≥ row. ``cancel`` becomes 1 when the caller gives up.
        """
        bounds = np.empty((stop - start, self.n_gold), np.float32)
        self.rows(start, stop, bounds)
        i, j = np.nonzero(bounds >= as_single(cutoff))
        if triangle:
            above = j >= i + start
            i, j = i[above], j[above]
        return (i + start).astype(np.int32), j.astype(np.int32), bounds[i, j]


class SharedSums:
    """What lists of features of the predictions share with those of all gold graphs.

    Attributes
    ----------
    index : FeatureIndex
        Of the gold graphs' lists.
    ids : int32[n]
        The numbers in it of the predictions' features.
    terms : int
        Features of a prediction, at most.
    """

    def __init__(self, mine: FeatureLists, theirs: FeatureLists) -> None:
        from fastmatch._ext.index.lists import feature_index

        self.mine, self.theirs = mine, theirs
        self.index: FeatureIndex = feature_index(theirs.offsets, theirs.keys, theirs.values, KINDS[theirs.kind])
        self.ids: Int32Array = self.index.own if mine is theirs else self.index.translate(mine.keys)
        self.terms = int(np.diff(mine.offsets).max(initial=0))

    def rows(self, start: int, stop: int, out: Bounds) -> None:
        """Fill in the overlaps of some predictions with all gold graphs, float32[stop − start, n_gold]."""
        from fastmatch._ext.index.rows import score_rows

        score_rows(self._sums, start, stop, out, cancel=np.zeros(1, np.uint8))

    def scorer(self, formula: str, *, by_size: bool) -> RowScorer:
        """What makes a row of these lists, a formula of :class:`~fastmatch._ext.index.formulas.RatioScorer`."""
        from fastmatch._ext.index.formulas import RatioScorer
        from fastmatch._ext.index.slots import RowScorer

        lists = (self.mine.offsets, self.ids, self.mine.values)
        ratio = RatioScorer(formula, np.ones(1), self.mine.sizes, self.theirs.sizes)
        return RowScorer((self.index,), (lists,), ratio, by_size)

    @cached_property
    def _sums(self) -> RowScorer:
        return self.scorer("dot", by_size=False)


class Nodes(NamedTuple):
    """The nodes of the graphs of a corpus.

    Attributes
    ----------
    offsets : int64[n_graphs + 1]
        Graph g has the nodes ``offsets[g]`` … ``offsets[g + 1] − 1``.
    labels : int32[n_nodes]
        Numbers of their labels.
    masses : float32[n_nodes]
        What a match of each is worth at most.
    """

    offsets: Int64Array
    labels: Int32Array
    masses: Bounds


class Edges(NamedTuple):
    """The edges of the graphs of a corpus, by the labels of their ends.

    Attributes
    ----------
    offsets : int64[n_graphs + 1]
        Graph g has the edges ``offsets[g]`` … ``offsets[g + 1] − 1``.
    sources, targets : int32[n_edges]
        Numbers of the labels of their ends.
    masses : float32[n_edges]
        What a match of each is worth at most.
    """

    offsets: Int64Array
    sources: Int32Array
    targets: Int32Array
    masses: Bounds


class NearestSums:
    """What nodes are worth if each is matched with the node of the other graph that is most like it.

    Parameters
    ----------
    mine, theirs : Nodes
        Of the predictions and of the gold graphs.
    alike : callable
        Gets numbers of labels of the predictions, int64[n]; gives how like they are to all labels of the gold graphs,
        at least 0: float32[n, n_labels].
    edges : (Edges, Edges), optional
        Those of the predictions and of the gold graphs are added, with their mass times the likeness of both ends to
        what is most like them.
    together : int
        Rows for which ``alike`` is asked at once, at most: they have labels in common.
    """

    def __init__(
        self,
        mine: Nodes,
        theirs: Nodes,
        alike: Callable[[Int64Array], Bounds],
        edges: tuple[Edges, Edges] | None = None,
        together: int = 128,
    ) -> None:
        self.mine, self.theirs, self.alike, self.edges = mine, theirs, alike, edges
        self.n_gold = len(theirs.offsets) - 1
        # so much memory for the rows, and a few times as much for their labels
        self.together = max(1, min(together, (1 << 22) // max(1, self.n_gold)))
        sides = (mine, theirs) if edges is None else (mine, theirs, *edges)
        self.terms = sum(int(np.diff(side.offsets).max(initial=0)) for side in sides)
        self.n_labels = 0
        self.labels = int(theirs.labels.max(initial=-1)) + 1

    def rows(self, start: int, stop: int) -> tuple[Bounds, Bounds]:
        """Two sums for each pair of these rows, float32[stop − start, n_gold].

        Over the nodes of the prediction, and over those of the gold graph: mass times likeness to the nearest; or
        ``UNKNOWN`` in the rows of graphs so large that this would take too much memory.
        """
        sums = np.zeros((2, stop - start, self.n_gold), np.float32)
        large = np.diff(self.mine.offsets[start : stop + 1]) * self.labels > MOST_CELLS
        sums[:, large] = UNKNOWN
        borders = np.flatnonzero(np.diff(np.concatenate(([True], large, [True])))) + start
        for first, last in borders.reshape(-1, 2).tolist():  # the rows between large ones
            for low in range(first, last, self.together):
                high = min(low + self.together, last)
                self._fill(low, high, sums[:, low - start : high - start])
        return sums[0], sums[1]

    def _fill(self, start: int, stop: int, sums: Bounds) -> None:
        from fastmatch._ext.index.sums import LANES

        offsets = self.mine.offsets
        begin, end = offsets[start], offsets[stop]
        labels, places = np.unique(self.mine.labels[begin:end], return_inverse=True)
        places = places.reshape(-1)
        alike = self.alike(labels.astype(np.int64))
        if not self.n_gold:
            return
        self.n_labels = alike.shape[1]
        for low in range(start, stop, LANES):
            high = min(low + LANES, stop)
            some, own = np.unique(places[offsets[low] - begin : offsets[high] - begin], return_inverse=True)
            self._fill_some(low, high, labels[some], own.reshape(-1), alike[some], sums[:, low - start : high - start])

    def _fill_some(
        self, start: int, stop: int, labels: NDArray[Any], places: Int64Array, alike: Bounds, sums: Bounds
    ) -> None:
        """As many rows as there are lanes. ``places``: of the label of each node of these rows among ``labels``."""
        from fastmatch._ext.index.sums import LANES, lane_maxima, lane_sums

        mine, theirs = self.mine, self.theirs
        begin = mine.offsets[start]
        sparse = np.count_nonzero(alike) * SPARSE < alike.size
        # what of each gold graph is most like each label
        most = np.empty((-(-len(labels) // LANES) * LANES, self.n_gold), np.float32)
        nearest = np.zeros((LANES, alike.shape[1]), np.float32)
        for low in range(0, len(labels), 1 if sparse else LANES):
            if sparse:
                self._postings.look_up(alike[low], most[low], add=False)
            else:
                part = alike[low : low + LANES]
                table = np.zeros((alike.shape[1], LANES), np.float32)
                table[:, : len(part)] = part.T
                lane_maxima(theirs.offsets, theirs.labels, table, most[low : low + LANES])
        for row in range(start, stop):
            a, b = mine.offsets[row] - begin, mine.offsets[row + 1] - begin
            own = places[a:b]
            if not len(own):
                continue
            total = sums[0, row - start]
            for place, mass in zip(own.tolist(), mine.masses[begin + a : begin + b], strict=True):
                total += mass * most[place]
            nearest[row - start] = alike[own].max(axis=0)
            if sparse:
                self._postings.look_up(nearest[row - start], sums[1, row - start], add=True)
            if self.edges is not None:
                edges = self.edges[0]
                for k in range(edges.offsets[row], edges.offsets[row + 1]):
                    one, two = np.searchsorted(labels, (edges.sources[k], edges.targets[k]))
                    total += edges.masses[k] * most[one] * most[two]
        if sparse and self.edges is None:
            return
        table = np.ascontiguousarray(nearest.T)
        out = np.empty((LANES, self.n_gold), np.float32)
        if not sparse:
            lane_sums(theirs.offsets, theirs.labels, theirs.masses, table, out)
            sums[1] += out[: stop - start]
        if self.edges is not None:
            edges = self.edges[1]
            lane_sums(edges.offsets, edges.sources, edges.masses, table, out, others=edges.targets)
            sums[1] += out[: stop - start]

    @cached_property
    def _postings(self) -> Postings:
        from fastmatch._ext.index.sums import Postings

        theirs = self.theirs
        return Postings(theirs.offsets, theirs.labels, theirs.masses, self.n_labels)


class OverlapBounds(RowBounds):
    """Bounds from the overlap of lists of features: Jaccard's or Dice's ratio of the overlap and the lists' sizes.

    Parameters
    ----------
    mine, theirs : FeatureLists
        Of the predictions and of the gold graphs, with the measure ``"jaccard"`` or ``"dice"``; the same object if a
        corpus is compared with itself. Nothing is known of a prediction without features.
    factors : (float64[n_pred], float64[n_gold]), optional
        By which the overlap of a pair is multiplied first: those of its two graphs, each at least 1.
    """

    def __init__(
        self, mine: FeatureLists, theirs: FeatureLists, factors: tuple[FloatArray, FloatArray] | None = None
    ) -> None:
        super().__init__(len(mine), len(theirs))
        self.mine, self.theirs = mine, theirs
        plain = factors is None or all((side == 1).all() for side in factors)
        self.factors = None if plain else factors
        self.gold_sizes = theirs.sizes.astype(np.float32)
        self.unknown = (np.diff(mine.offsets) == 0) | (mine.sizes == 0)

    def rows(self, start: int, stop: int, out: Bounds) -> None:
        lists = self.mine
        self._lists.rows(start, stop, out)
        if self.factors is not None:
            out *= as_single(self.factors[0][start:stop, None], up=True)
            out *= as_single(self.factors[1], up=True)
        both, factor = np.empty(self.n_gold, np.float32), raised(self._lists.terms)
        with np.errstate(divide="ignore", invalid="ignore"):
            for row, size in zip(out, lists.sizes[start:stop].astype(np.float32), strict=True):  # each in the cache
                np.add(size, self.gold_sizes, out=both)
                if lists.measure == "dice":
                    row *= 2
                else:
                    both -= row
                row /= both
                row *= factor
        out[self.unknown[start:stop]] = np.inf

    def reached(
        self, start: int, stop: int, cutoff: float, *, triangle: bool, cancel: ByteArray
    ) -> tuple[Int32Array, Int32Array, Bounds]:
        """Through an index, which makes bounds of what may reach the cutoff alone."""
        from fastmatch._ext.index.rows import find_rows

        if self.factors is not None or self.unknown[start:stop].any():
            return super().reached(start, stop, cutoff, triangle=triangle, cancel=cancel)
        rows, columns, bounds = find_rows(
            self._by_size, start, stop, triangle=triangle, cutoff=cutoff * (1 - 1e-9), cancel=cancel
        )
        return rows, columns, as_single(bounds, up=True) * raised(1)

    @cached_property
    def _by_size(self) -> RowScorer:
        return self._lists.scorer(self.mine.measure, by_size=True)

    @cached_property
    def _lists(self) -> SharedSums:
        return SharedSums(self.mine, self.theirs)


def raised(terms: int) -> np.float32:
    """By what a bound is multiplied that single precision made of a sum of so many terms, and a few operations.

    Each rounding is off by 2⁻²⁴ of its result at most.
    """
    return np.float32(1 + (2 * terms + 16) * 2.0**-23)


def as_single(values: float | FloatArray | Int64Array, *, up: bool = False) -> Bounds:
    """Numbers in single precision that are not above these; with ``up``, not below them."""
    exact = np.asarray(values, np.float64)
    single = exact.astype(np.float32)
    off = single < exact if up else single > exact
    return np.where(off, np.nextafter(single, np.float32(np.inf if up else -np.inf)), single)
