"""Smatch in which triples match in part: the general triple match of Opitz (2023, SMATCH++), section 3.

Two triples that match add 1 to Smatch. Here they add a weight, and two concepts need not be equal to match: if they are
similar, the triples that hold them match *in part* and add their similarity, a number between 0 and 1. The metrics of
this family (S2match, Softmatch, WSmatch) are subclasses of :class:`SoftMetric` and say three things:

* the *class* of each triple, from its role and its *level*, the number of steps from the root: ``classes``;
* what a triple adds that matches an equal triple, by the classes of the two; and what it counts in the sum that
  precision and recall divide by: ``weights``, ``own_weights``;
* the similarity of concepts that differ: ``links``. A *link* is a pair of concepts with a similarity above 0.

The features are those of Smatch, with the class of each triple, and besides a list of *soft features*: the concepts
that may match in part. The search is in ``_ext/matching/partial.pyx`` and ``score.pyx``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.matching.partial import Links, SoftFeatures, build_soft_problem
from fastmatch._ext.matching.similarity import concepts_that_meet
from fastmatch._ext.matching.triples import TripleFeatures
from fastmatch._ext.overlap.labels import node_places
from fastmatch.graphs.arrays import owners_of, starts_of
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.vocabulary import distinct
from fastmatch.metrics.contract.metric import room_for_maps
from fastmatch.metrics.contract.required import PairRange
from fastmatch.metrics.feature_lists import FeatureLists
from fastmatch.metrics.options import common
from fastmatch.metrics.row_bounds import Bounds, NearestSums, Nodes, RowBounds, SharedSums, as_single, raised
from fastmatch.metrics.shared.search import Searched, score_ilp
from fastmatch.metrics.shared.sentence_groups import grouped
from fastmatch.metrics.shared.triples import KeyedTriple, Labels, explanation, keyed_triples, without_bare_nodes
from fastmatch.results.alignment import Explanation
from fastmatch.results.pairs import TripleScores
from fastmatch.types import FloatArray, Int32Array, Int64Array

#: What a soft feature is: the concept of a variable, or the concept of the root in the triple of the root.
_CONCEPT, _TOP = 0, 1
#: Steps to the root from a variable that no path leads to.
_APART = 999_999
#: Pairs of concepts that are compared at a time, for bounds.
_MEETING = 1 << 21


@dataclass(frozen=True, eq=False)
class SoftGraphs:
    """A corpus prepared for matching in part.

    Attributes
    ----------
    features : SoftFeatures
        The triples of each graph with their classes, and its soft features.
    totals : float64[n_graphs]
        Sums of what the triples count: what precision and recall divide by.
    concepts : tuple of str
        The distinct concepts that may match in part, in lower case. The soft features name them by their places here.
    labels : int32[n_concepts]
        Their folded ids.
    classes : tuple
        What :meth:`SoftMetric.classes` says of each class.
    more : Any
        What :meth:`SoftMetric.describe` says of the concepts.
    """

    features: SoftFeatures
    totals: FloatArray
    concepts: tuple[str, ...]
    labels: Int32Array
    classes: tuple[Any, ...]
    more: Any = None


@dataclass(frozen=True, eq=False, repr=False)
class SoftScores(TripleScores):
    """Scores of pairs, with what :meth:`SoftMetric.score` needs for every range of them.

    Attributes
    ----------
    shared : (Links, float64[n_classes, n_classes]) or None
        The links of the pairs' concepts, and the weights. Not pickled; None: each range computes its own.
    """

    shared: tuple[Links, FloatArray] | None = field(default=None, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "shared": None}


def grid(values: Any) -> FloatArray:
    """Values rounded to multiples of 2⁻³⁰, so that their sums are exact; see ``_ext/matching/partial.pyx``."""
    return np.rint(np.asarray(values, np.float64) * 2.0**30) / 2.0**30


@dataclass(frozen=True)
class SoftMetric(Searched[SoftGraphs]):
    """Base class of metrics whose triples match in part; subclasses are frozen dataclasses with further options.

    Attributes
    ----------
    whole : bool
        All weights are whole numbers and there are no links, so that the optimum is proven exactly.
    linked : bool
        There may be links, so there are soft features.
    """

    counts: ClassVar[bool] = False

    whole: ClassVar[bool] = False
    linked: ClassVar[bool] = True

    top: str = common("top")

    # ---- what subclasses say -----------------------------------------------------------------------------------------

    def labels(self, corpus: Corpus) -> Labels:
        """How labels are compared; by default in lower case and without surrounding quotes, as in Smatch."""
        return Labels.of(corpus)

    def levelled(self) -> bool:
        """Whether classes depend on the level."""
        return False

    def classes(
        self, corpus: Corpus, labels: Labels, role: Int64Array, level: Int32Array
    ) -> tuple[Int32Array, tuple[Any, ...]]:
        """The class of each triple.

        Parameters
        ----------
        corpus : Corpus
        labels : Labels
            Of the corpus.
        role : int64[n]
            Folded id of each triple's role, −1 for a concept.
        level : int32[n]
            Steps from the root to the farther end of the triple; 0 unless :meth:`levelled`.

        Returns
        -------
        number : int32[n]
            The class of each triple.
        classes : tuple, n_classes
            What :meth:`weights` and :meth:`own_weights` need to know of each class.
        """
        return np.zeros(len(role), np.int32), (None,)

    def own_weights(self, classes: tuple[Any, ...]) -> FloatArray:
        """What a triple of each class counts in the sum that precision or recall divides by, float64[n_classes]."""
        return np.ones(len(classes))

    def weights(self, pred: SoftGraphs, gold: SoftGraphs) -> FloatArray:
        """What a match of equal triples adds, by their classes: float64[n_classes of pred, n_classes of gold]."""
        return np.ones((len(pred.classes), len(gold.classes)))

    @property
    def compares(self) -> bool:
        """Whether there may be links with these options."""
        return self.linked

    def similarities(self, pred: SoftGraphs, gold: SoftGraphs, concepts: Int32Array) -> FloatArray:
        """How similar concepts of two corpora are, float64[n], multiples of 2⁻³⁰ in [0, 1].

        Parameters
        ----------
        concepts : int32[2, n]
            Numbers of concepts of ``pred`` and of ``gold``, which differ.
        """
        return np.zeros(concepts.shape[1])

    def links(self, pred: SoftGraphs, gold: SoftGraphs, index_pred: Int32Array, index_gold: Int32Array) -> Links:
        """The similar concepts of two corpora: all of them that occur in the two graphs of one of these pairs.

        Pairs of graphs that are too large to be searched are left out: of their concepts only equal ones match.
        """

        n_pred, n_gold = len(pred.concepts), len(gold.concepts)
        if not self.compares:
            return Links(n_pred, n_gold, [], [], [])
        concepts, values = [np.empty((2, 0), np.int32)], [np.empty(0)]

        def compare(meeting: Int32Array) -> None:
            differ = np.ascontiguousarray(meeting[:, pred.labels[meeting[0]] != gold.labels[meeting[1]]])
            similar = self.similarities(pred, gold, differ)
            concepts.append(differ[:, similar > 0])
            values.append(similar[similar > 0])

        concepts_that_meet(pred.features, gold.features, index_pred, index_gold, n_pred, n_gold, compare)
        of_pred, of_gold = np.concatenate(concepts, axis=1)
        return Links(n_pred, n_gold, of_pred, of_gold, np.concatenate(values))

    def describe(self, corpus: Corpus, concepts: tuple[str, ...], labels: Int32Array) -> Any:
        """What :meth:`links` needs of the concepts of a corpus; it becomes ``SoftGraphs.more``."""
        return None

    # ---- what makes it a metric --------------------------------------------------------------------------------------

    def standardized(self, corpus: Corpus) -> Corpus:
        """The graphs that are matched: those that say nothing are empty."""
        return without_bare_nodes(corpus)

    def prepare(self, corpus: Corpus) -> SoftGraphs:
        """Features of every graph; O(T log T) for a graph of T triples."""
        corpus = self.standardized(corpus)
        labels = self.labels(corpus)
        hard = grouped(labels.features(corpus, self.top), corpus, self.within)
        distance = None
        if self.levelled():
            distance, _ = node_places(
                corpus.variable_offsets, corpus.relation_offsets, corpus.relations[:3], corpus.root, _APART
            )
        role, level, graph = _roles_and_levels(corpus, hard, labels, distance)
        concept, soft, soft_offsets, names = _soft_features(corpus, labels, self.linked, self.top == "concept")
        soft_role = np.where(soft[0] == _CONCEPT, -1, labels.top_role)
        soft_level = np.zeros(soft.shape[1], np.int32)
        if distance is not None:
            of_graph = owners_of(soft_offsets)
            soft_level = distance[corpus.variable_offsets[of_graph] + soft[2]]
        number, classes = self.classes(
            corpus, labels, np.concatenate([role, soft_role]), np.concatenate([level, soft_level])
        )
        own = grid(self.own_weights(classes))[number[: len(graph)]]
        totals = np.bincount(graph, own, len(corpus)).astype(np.float64)  # of no triples they would be whole numbers
        n_unary = hard.arrays[3].shape[0]
        soft[3] = number[len(graph) :]
        features = SoftFeatures(hard, number[:n_unary], number[n_unary : len(graph)], soft_offsets, soft)
        return SoftGraphs(features, totals, names, concept, classes, self.describe(corpus, names, concept))

    def sizes(self, prepared: SoftGraphs) -> FloatArray:
        return prepared.totals

    def costs(self, pred: SoftGraphs, gold: SoftGraphs, index_pred: Int32Array, index_gold: Int32Array) -> FloatArray:
        # three times Smatch's, as sentences take; documents whose search ends without a proof take much longer
        n_pred, n_gold = pred.features.hard.n_triples[index_pred], gold.features.hard.n_triples[index_gold]
        seconds: FloatArray = np.power(n_pred * n_gold, 1.35) * 6e-9 + 1e-6
        return {"exact": seconds, "climb": 4 * seconds, "ilp": 5e-3 + 60 * seconds}[self.solver]

    def empty(
        self, pred: SoftGraphs, gold: SoftGraphs, index_pred: Int32Array, index_gold: Int32Array, mapping: bool
    ) -> SoftScores:
        n_pairs = len(index_pred)
        n_pred, n_gold = pred.totals[index_pred], gold.totals[index_gold]
        offsets, maps = room_for_maps(pred.features.hard.n_variables, index_pred) if mapping else (None, None)
        shared = self.shared(pred, gold, index_pred, index_gold)
        matched, upper, certified = np.zeros(n_pairs), np.zeros(n_pairs), np.zeros(n_pairs, np.bool_)
        return SoftScores(matched, n_pred, n_gold, upper, certified, offsets, maps, shared=shared)

    def shared(
        self, pred: SoftGraphs, gold: SoftGraphs, index_pred: Int32Array, index_gold: Int32Array
    ) -> tuple[Links, FloatArray]:
        """Links of concepts, and the weights of classes: what all pairs of a list share."""
        weights = np.ascontiguousarray(grid(self.weights(pred, gold)))
        return self.links(pred, gold, index_pred, index_gold), weights

    def score(self, pred: SoftGraphs, gold: SoftGraphs, pairs: PairRange, out: TripleScores) -> None:
        shared = out.shared if isinstance(out, SoftScores) else None
        if shared is None:
            shared = self.shared(pred, gold, *pairs.graphs)
        links, weights = shared
        if self.solver == "ilp":
            # all features are checked with the first pair: for each they would take as long as a solution in the end
            build = partial(build_soft_problem, pred.features, gold.features, links, weights)
            score_ilp(self, build, pairs, out, capped=False)
        else:
            self.search(pred.features, gold.features, pairs, out, links, weights)

    def reaching(self, cutoff: float | FloatArray) -> Self:
        """The search of a pair ends as soon as it is proven that less matches than the cutoff needs."""
        return self.limited(cutoff) if self.solver == "exact" else self

    def bounds(self, pred: SoftGraphs, gold: SoftGraphs) -> RowBounds:
        """Triples of equal labels, by what they may add; and concepts, by the most similar one of the other graph."""
        return _SoftBounds(self, pred, gold)

    def explain(self, pred: Corpus, gold: Corpus, i: int, j: int, mapping: Int32Array) -> Explanation:
        """Pair every predicted triple with the gold triple that it matches under the map, equal ones first."""
        labels = self.labels(pred)
        mine, theirs = (self.keyed_triples(corpus, graph) for corpus, graph in ((pred, i), (gold, j)))
        one, two, only = self.prepare(pred[i : i + 1]), self.prepare(gold[j : j + 1]), np.zeros(1, np.int32)
        of_pred, of_gold, _ = self.links(one, two, only, only).arrays
        similar = set(zip(one.labels[of_pred].tolist(), two.labels[of_gold].tolist(), strict=True))
        return explanation(mine, theirs, mapping, similar=similar, similar_roles={-1, labels.top_role})

    def keyed_triples(self, corpus: Corpus, graph: int) -> list[KeyedTriple]:
        """The triples of a graph that count; see :func:`fastmatch.metrics.shared.triples.keyed_triples`."""
        return keyed_triples(corpus, graph, self.labels(corpus), top=self.top)


class _SoftBounds(RowBounds):
    """2 · matched / (total + total), from two sums that what matches does not exceed.

    A hard triple adds no more than the largest weight of its class with a class of the other side. So for each label
    the smaller of two sums of these bounds what triples of that label add. Of whole weights, of which a match adds the
    smaller one, the bound is exact: a triple of weight 3 counts as three features.

    A concept that may match in part adds no more than its weight times the similarity of the most similar concept on
    the other side; and this holds from either side.
    """

    def __init__(self, metric: SoftMetric, pred: SoftGraphs, gold: SoftGraphs) -> None:
        super().__init__(len(pred.totals), len(gold.totals))
        self.metric, self.pred, self.gold = metric, pred, gold
        self.gold_totals = gold.totals.astype(np.float32)
        weights = grid(metric.weights(pred, gold))
        most = weights.max(axis=1), weights.max(axis=0)
        steps = None
        if metric.whole:
            steps = np.unique(np.concatenate([[0.0], pred.classes, gold.classes])).astype(np.float64)
        one = _hard_triples(pred, soft=metric.compares)
        two = one if pred is gold else _hard_triples(gold, soft=metric.compares)
        if metric.compares:
            # a concept of a variable that has several matches equal concepts only, whatever variables have those
            alone = np.union1d(one[3], two[3])
            one, two = (_hard_triples(side, soft=True, alone=alone) for side in (pred, gold))
        labels = np.unique(np.concatenate([one[1], two[1]]))
        mine = _lists(pred, *one[:3], labels, most[0], steps)
        if pred is gold and np.array_equal(*most):
            theirs = mine
        else:
            theirs = _lists(gold, *two[:3], labels, most[1], steps)
        self.hard = SharedSums(mine, theirs)
        self.nearest = None
        if metric.compares:
            nodes = [_soft_nodes(side, worth) for side, worth in zip((pred, gold), most, strict=True)]
            self.nearest = NearestSums(nodes[0], nodes[1], self.alike)
        self.terms = self.hard.terms + (0 if self.nearest is None else self.nearest.terms)

    def rows(self, start: int, stop: int, out: Bounds) -> None:
        self.hard.rows(start, stop, out)
        if self.nearest is not None:
            mine, theirs = self.nearest.rows(start, stop)
            out += np.minimum(mine, theirs, out=mine)
        out *= 2
        totals = self.pred.totals[start:stop].astype(np.float32)
        with np.errstate(divide="ignore", invalid="ignore"):
            for row, total in zip(out, totals, strict=True):  # each in the cache
                row /= total + self.gold_totals
        out *= raised(self.terms)
        out[totals == 0] = np.inf

    def alike(self, labels: Int64Array) -> Bounds:
        """Similarities of concepts of the predictions to all of the gold graphs; those of roots behind the others."""
        pred, gold = self.pred, self.gold
        n_pred, n_gold = len(pred.concepts), len(gold.concepts)
        found = np.zeros((len(labels), 2 * n_gold), np.float32)
        own, rows = np.unique(labels % max(1, n_pred), return_inverse=True)
        if not (len(own) and n_gold):
            return found
        similar = np.empty((len(own), n_gold), np.float32)
        step = max(1, _MEETING // n_gold)
        for low in range(0, len(own), step):
            part = own[low : low + step].astype(np.int32)
            concepts = np.stack([np.repeat(part, n_gold), np.tile(np.arange(n_gold, dtype=np.int32), len(part))])
            same = pred.labels[concepts[0]] == gold.labels[concepts[1]]
            values = np.ones(len(same))
            values[~same] = self.metric.similarities(pred, gold, np.ascontiguousarray(concepts[:, ~same]))
            similar[low : low + step] = as_single(values, up=True).reshape(len(part), n_gold)
        roots = labels >= n_pred
        rows = rows.reshape(-1)
        found[~roots, :n_gold] = similar[rows[~roots]]
        # of equal roots the triples themselves match
        equal = pred.labels[own[rows[roots]], None] == gold.labels
        found[roots, n_gold:] = np.where(equal, 0, similar[rows[roots]])
        return found


def _lists(
    side: SoftGraphs,
    owners: Int64Array,
    keys: Int64Array,
    classes: Int32Array,
    labels: Int64Array,
    worth: FloatArray,
    steps: FloatArray | None,
) -> FeatureLists:
    """Labels of the hard triples of each graph, counted by what they are worth; with ``steps``, a feature a step."""
    keys = np.searchsorted(labels, keys)
    weights = worth[classes]
    if steps is not None:
        own = np.array(side.classes, np.float64)[classes]
        reached = [own >= level for level in steps[1:].tolist()]
        owners = np.concatenate([owners[:0], *(owners[step] for step in reached)])
        keys = np.concatenate([keys[:0], *(keys[step] * len(steps) + k for k, step in enumerate(reached))])
        weights = np.repeat(np.diff(steps), [np.count_nonzero(step) for step in reached])
    kept = weights > 0
    return FeatureLists.of(owners[kept], keys[kept], len(side.totals), measure="row", weights=weights[kept])


def _hard_triples(
    side: SoftGraphs, *, soft: bool, alone: Int64Array | None = None
) -> tuple[Int64Array, Int64Array, Int32Array, Int64Array]:
    """Graph, label and class of each triple that matches only an equal one: relations below 0, unary triples above.

    With ``soft``, without the concepts that are soft features as well, unless they are among ``alone``. The last array
    has the concepts that are not.
    """
    hard = side.features.hard
    unary_class, relation_class, soft_offsets, (kinds, _, variables, _) = side.features.arrays
    _, _, unary_offsets, keys, unary, relation_offsets, relations = hard.arrays[:7]
    owners = [owners_of(offsets) for offsets in (unary_offsets, relation_offsets)]
    kept = np.ones(len(keys), np.bool_)
    concepts = keys < 1 << 32  # see _ext/matching/triples.pyx
    if soft:
        first = starts_of(hard.n_variables)
        graph = owners_of(soft_offsets)
        plain = kinds == _CONCEPT
        single = np.zeros(first[-1] + 1, np.bool_)
        single[first[graph[plain]] + variables[plain]] = True
        kept = ~(concepts & single[first[owners[0]] + unary[0]])
    several = np.unique(keys[kept & concepts])
    if alone is not None:
        kept |= np.isin(keys, alone)
    owner = np.concatenate([owners[0][kept], owners[1]])
    key = np.concatenate([keys[kept], -1 - relations[0].astype(np.int64)])
    return owner, key, np.concatenate([unary_class[kept], relation_class]), several


def _soft_nodes(side: SoftGraphs, worth: FloatArray) -> Nodes:
    """The concepts that may match in part: those of roots in their own triples are labels of their own."""
    _, _, offsets, (kinds, numbers, _, classes) = side.features.arrays
    labels = numbers + np.where(kinds == _CONCEPT, 0, len(side.concepts))
    return Nodes(offsets, labels.astype(np.int32), as_single(worth[classes], up=True))


def _roles_and_levels(
    corpus: Corpus, hard: TripleFeatures, labels: Labels, distance: Int32Array | None
) -> tuple[Int64Array, Int32Array, Int64Array]:
    """Role (folded id; −1: concept), level and graph of each concept and attribute, then of each relation.

    The level of a triple is that of the end that is farther from the root. The constant of an attribute is one step
    farther than its variable; the triple of the root has the level of the root.
    """
    _, _, unary_offsets, keys, unary, relation_offsets, relations = hard.arrays
    graph = np.concatenate([owners_of(unary_offsets), owners_of(relation_offsets)])
    role = np.concatenate([(keys >> 32) - 1, relations[0]])
    if distance is None:
        return role, np.zeros(len(role), np.int32), graph
    first = corpus.variable_offsets[graph]
    level = distance[first[: len(keys)] + unary[0]]
    loop = (keys & 0xFFFFFFFF) == 0xFFFFFFFF
    level += (role[: len(keys)] >= 0) & (role[: len(keys)] != labels.top_role) & ~loop
    ends = [distance[first[len(keys) :] + relations[row]] for row in (1, 2)]
    return role, np.concatenate([level, np.maximum(*ends)]).astype(np.int32), graph


def _soft_features(
    corpus: Corpus, labels: Labels, linked: bool, top: bool
) -> tuple[Int32Array, NDArray[np.int32], Int64Array, tuple[str, ...]]:
    """The soft features of each graph.

    A variable with several concepts has no soft feature: one of them could match twice. One that it has twice is one.

    Returns
    -------
    concepts : int32[n_concepts]
        Folded ids of the distinct concepts.
    soft : int32[4, n]
        Kind, number of the concept, variable, and class of each soft feature; the classes are 0 yet.
    offsets : int64[n_graphs + 1]
        Where each graph's soft features begin.
    names : tuple of str
        The concepts.
    """
    n_graphs = len(corpus)
    if not linked:
        return np.empty(0, np.int32), np.empty((4, 0), np.int32), np.zeros(n_graphs + 1, np.int64), ()
    offsets, (variable, label) = corpus.instance_offsets, corpus.instances[:2]
    graph = owners_of(offsets)
    place = corpus.variable_offsets[graph] + variable
    label = np.where(label >= 0, labels.fold[label], -1)
    several = np.flatnonzero(np.bincount(place)[place] > 1)
    _, first = np.unique(np.stack([place[several], label[several]]), axis=1, return_index=True)
    kept = np.delete(np.arange(len(place)), np.delete(several, first))
    kept = kept[(np.bincount(place[kept])[place[kept]] == 1) & (label[kept] >= 0)]
    graph, variable, label = graph[kept], variable[kept], label[kept]
    kind = np.zeros(len(graph), np.int64)
    if top:
        is_root = np.flatnonzero(variable == corpus.root[graph])
        graph, variable, label = (np.concatenate([part, part[is_root]]) for part in (graph, variable, label))
        kind = np.concatenate([kind, np.ones(len(is_root), np.int64)])
    concepts, number = distinct(label)
    order = np.lexsort((variable, number, kind, graph))
    soft = np.zeros((4, len(order)), np.int32)
    soft[0], soft[1], soft[2] = kind[order], number[order], variable[order]
    soft_offsets = starts_of(np.bincount(graph, minlength=n_graphs))
    text = corpus.vocabulary.text
    return concepts.astype(np.int32), soft, soft_offsets, tuple(text(label) for label in concepts.tolist())
