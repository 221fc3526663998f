"""SemBleu: BLEU over the n-grams of graphs (Song and Gildea, 2019, "SemBleu: A Robust Metric for AMR Parsing
Evaluation"; its properties in Opitz et al., 2020).

A gram is the labels along a walk that follows the direction of edges (:mod:`fastmatch._ext.features.ngrams`); its order
is the number of its nodes. For each order the matches are the overlap of two bags of grams. The score is the geometric
mean of the precisions of the orders, smoothed where one is 0, times a brevity penalty from the sizes of the graphs.
There is no recall: exchanging prediction and gold graph gives another score, and ``direction="mean"`` is the mean of
both.

A pair's statistics are its matches, the numbers of grams of both graphs, and their sizes. Their sums make the score of
a corpus, as in the published program.

By default graphs are read as penman does (references to nodes that come later are references, ``:consist-of`` and
similar roles keep their direction, relations of constants cannot be turned), labels are compared in lower case and
without quotes, ``(a :domain b)`` is ``(b :mod a)``, a repeated triple counts once, cycles are walked like other paths,
and all orders have the same weight. ``preset="tool"`` is the program (``freesunshine0316/sembleu``), its quirks
included. ``preset="bamboo"`` is its commit 530bc05, the latest one from June 2020 to February 2021, with equal weights:
a change that was meant for names that end in ``-of`` kept it from turning any relation around. BAMBOO's published rows
were made with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.features.ngrams import ngram_bags
from fastmatch._ext.features.sets import FeatureSets, count_shared
from fastmatch._ext.index.bleu import BleuScorer, bleu_scores
from fastmatch._ext.index.formulas import OverlapScorer
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.vocabulary import CASE
from fastmatch.metrics.contract.metric import Metric
from fastmatch.metrics.contract.required import PairRange
from fastmatch.metrics.feature_lists import FeatureLists
from fastmatch.metrics.options import common, keys_of, option
from fastmatch.metrics.registry import register
from fastmatch.metrics.shared import labels as _features
from fastmatch.metrics.shared.naming import Edge, NamedGraph, compared, labelled_graph, named_graph, parts_of
from fastmatch.results.features import NamedFeature
from fastmatch.results.pairs import PairScores
from fastmatch.types import BoolArray, Dialect, FloatArray, Int32Array, Int64Array

#: The program's default weights of its three orders; they add up to 1.01.
_TOOL_WEIGHTS = (0.34, 0.33, 0.34)
#: The program removes ``-of`` this many times from a role.
_TURNS = 10
#: Grams of order 2 and higher of one graph by the option ``effort``: about 30 ns and 60 bytes each. Sentences have some
#: tens, with ``k=3`` texts of 2,000 characters have 250,000 at most.
_MOST = {"minimal": 10**5, "low": 2 * 10**5, "default": 10**6, "high": 10**7, "proof": 5 * 10**7}


class Grams(NamedTuple):
    """N-grams of graphs.

    Attributes
    ----------
    bags : FeatureSets
        With a level for each order.
    lengths : int64[n_graphs]
        Sizes of the graphs: numbers of nodes and edges.
    """

    bags: FeatureSets
    lengths: Int64Array


@register("sembleu")
@dataclass(frozen=True)
class Sembleu(_features.ToolReads, Metric[Grams]):
    """SemBleu with its options.

    Attributes
    ----------
    k : int
        Longest gram, in nodes, 1 to 64. There are as many grams as walks.
    direction : {"pred-gold", "gold-pred", "mean"}
        Whose grams are looked for in the other graph: those of the prediction, those of the gold graph, or the mean of
        both scores.
    weights : {"uniform", "tool"}
        Of the orders: equal, or 0.34, 0.33, 0.34 (for k = 3).
    smoothing : {"nist", "none"}
        ``nist``: the i-th order without a match counts 1 / (2^i · grams). ``none``: the score is 0 then.
    brevity : bool
        Whether a graph that is smaller than the other one is punished.
    keys : {"hashed", "exact"}
        What stands for a gram: a 64-bit hash, or a number from a table.
    effort : {"minimal", "low", "default", "high", "proof"}
        A graph may have 2·10⁵, 10⁶, 10⁷ or 5·10⁷ grams of more than one node. Of further ones none counts, and pairs of
        the graph are not ``certified``.
    standard : {"default", "tool", "tool-530bc05"}
        Reading and grams as said above, as in today's program, or as in its commit 530bc05.
    """

    presets: ClassVar = {"tool": {"standard": "tool", "weights": "tool"}, "bamboo": {"standard": "tool-530bc05"}}

    k: int = option(3, "longest n-gram, in nodes", limits=(1, 64))
    direction: str = option(
        "pred-gold", "whose n-grams are looked for on the other side", choices=("pred-gold", "gold-pred", "mean")
    )
    weights: str = option("uniform", "weights of the orders", choices=("uniform", "tool"))
    smoothing: str = option("nist", "what orders without a match get", choices=("nist", "none"))
    brevity: bool = option(True, "punish graphs smaller than the other side's")
    keys: str = option("hashed", _features.KEYS_HELP, choices=_features.KEYS)
    effort: str = common("effort")
    standard: str = option("default", "reading, labels and walks", choices=("default", "tool", "tool-530bc05"))

    @property
    def statistics(self) -> tuple[str, ...]:  # type: ignore[override]
        """Matches of each order, grams of the prediction, grams of the gold graph, and the sizes of the two graphs."""
        names = ("match", "pred", "gold")
        counted = tuple(f"{name}_{order}" for name in names for order in range(1, self.k + 1))
        return (*counted, "length_pred", "length_gold")

    @property
    def symmetric(self) -> bool:
        return self.direction == "mean"

    # ---- scores from statistics --------------------------------------------------------------------------------------

    def combine(self, statistics: NDArray[Any]) -> dict[str, FloatArray]:
        """BLEU from matches, grams and sizes; with ``direction="mean"`` also the two scores that it is the mean of."""
        statistics = np.ascontiguousarray(statistics, np.float64)
        k = self.k
        matches, pred, gold = statistics[:k], statistics[k : 2 * k], statistics[2 * k : 3 * k]
        size_pred, size_gold = statistics[3 * k], statistics[3 * k + 1]
        if self.direction == "pred-gold":
            return {"bleu": self._bleu(matches, pred, size_pred, size_gold)}
        if self.direction == "gold-pred":
            return {"bleu": self._bleu(matches, gold, size_gold, size_pred)}
        there = self._bleu(matches, pred, size_pred, size_gold)
        back = self._bleu(matches, gold, size_gold, size_pred)
        return {"bleu": (there + back) / 2, "pred_gold": there, "gold_pred": back}

    def _bleu(self, matches: FloatArray, totals: FloatArray, size: FloatArray, other: FloatArray) -> FloatArray:
        """Scores from matches and grams, float64[k, …], sizes of the graphs and of the other graphs, float64[…]."""
        counts = matches.reshape(self.k, -1), totals.reshape(self.k, -1), size.reshape(-1), other.reshape(-1)
        scores = bleu_scores(*counts, weights=self._of_orders, smoothing=self.smoothing, brevity=self.brevity)
        return scores.reshape(size.shape)

    @property
    def _of_orders(self) -> FloatArray:
        """The weight of each order."""
        return np.array(_TOOL_WEIGHTS if self.weights == "tool" and self.k == 3 else (1 / self.k,) * self.k)

    # ---- preparing and scoring ---------------------------------------------------------------------------------------

    def prepare(self, corpus: Corpus) -> Grams:
        """Bags of grams of every graph; O(G log G) for a graph of G grams."""
        vocabulary, exact, tool = corpus.vocabulary, self.keys == "exact", self.standard != "default"
        corpus = corpus if tool else _features.without_domain(corpus)
        fold = vocabulary.fold(CASE if tool else _features.FOLD)
        turned = np.zeros(len(fold), np.uint8)
        labels = roles = _features.keys(corpus, fold, exact)
        if tool:
            directed = np.arange(len(vocabulary), dtype=np.int32)
            for role in np.unique(np.concatenate([corpus.attributes[1], corpus.relations[1]])).tolist():
                name = vocabulary.text(role)
                if name.endswith("-of") and self.standard == "tool":
                    turned[role] = 1
                    directed[role] = vocabulary.id(name.replace("-of", "", _TURNS))
            roles = _features.keys(corpus, directed[: len(fold)], exact)
        most, table = _MOST[self.effort], _features.join_table(corpus, self.keys)
        words = corpus.columns, labels, roles, turned
        return Grams(*ngram_bags(*words, order=self.k, published=tool, most=most, table=table))

    def costs(self, pred: Grams, gold: Grams, index_pred: Int32Array, index_gold: Int32Array) -> FloatArray:
        sizes = pred.bags.totals.sum(axis=0)[index_pred] + gold.bags.totals.sum(axis=0)[index_gold]
        return 2e-9 * sizes + 5e-8

    def cut(self, prepared: Grams) -> BoolArray | None:
        return prepared.bags.cut

    def score(self, pred: Grams, gold: Grams, pairs: PairRange, out: PairScores) -> None:
        count_shared(pred.bags, gold.bags, pairs, out.statistics, nested=True)
        k, rows = self.k, out.statistics[:, pairs.places]
        i, j = pairs.graphs
        for order in range(k):
            np.take(pred.bags.totals[order], i, out=rows[k + order])
            np.take(gold.bags.totals[order], j, out=rows[2 * k + order])
        np.take(pred.lengths, i, out=rows[3 * k])
        np.take(gold.lengths, j, out=rows[3 * k + 1])

    def named_features(self, pred: Corpus, gold: Corpus, i: int, j: int) -> list[NamedFeature] | None:
        """The grams of both graphs."""
        if self.standard == "default":
            return compared(*(_named_grams(named_graph(*side), self.k) for side in ((pred, i), (gold, j))))
        sides = (_program_graph(*side, turn=self.standard == "tool") for side in ((pred, i), (gold, j)))
        return compared(*(_named_grams(graph, self.k, starts, avoided) for graph, starts, avoided in sides))

    def overlaps(self, prepared: Grams) -> tuple[FeatureLists, ...]:
        """The grams of each order."""
        return _features.level_lists(prepared.bags, "bag")

    def overlap_scorer(self, pred: Grams, gold: Grams) -> OverlapScorer:
        counts = pred.bags.totals, gold.bags.totals, pred.lengths, gold.lengths
        return BleuScorer(
            *(each.astype(np.float64) for each in counts),
            direction=self.direction,
            weights=self._of_orders,
            smoothing=self.smoothing,
            brevity=self.brevity,
        )

    tool_dialect: ClassVar[Dialect] = "sembleu"
    signature_names: ClassVar = keys_of("k direction weights smooth=smoothing brevity keys effort std=standard")


def _program_graph(corpus: Corpus, g: int, *, turn: bool) -> tuple[NamedGraph, set[int], dict[int, int]]:
    """Graph ``g`` as the published program walks it: the graph, the nodes that walks start from, the edge that walks
    from a constant avoid (see :mod:`fastmatch._ext.features.ngrams`); ``turn``: roles in ``-of`` are turned around.
    """
    vocabulary, parts = corpus.vocabulary, parts_of(corpus, g)
    fold = vocabulary.fold(CASE)
    plain = labelled_graph(corpus, g, fold, fold, fold)
    labels, triples = plain.labels[: parts.n_variables], plain.triples[: parts.n_variables]
    edges: list[Edge] = []
    numbers: list[int] = []
    number = parts.n_variables
    rows = [(row, True) for row in parts.attributes] + [(row, False) for row in parts.relations]
    for (source, role, end, triple), constant in sorted(rows, key=lambda row: row[0][3]):
        target = end
        if constant:
            target = len(labels)
            labels.append(vocabulary.text(int(fold[end])))
            triples.append(triple)
            number += 1
        name = vocabulary.text(role)
        if turn and name.endswith("-of"):
            source, target, name = target, source, name.replace("-of", "", _TURNS)
        edges.append(Edge(source, name, target, triple, constant))
        numbers.append(number)
        number += 1
    waiting = sorted(set(range(len(labels))).difference(edge.target for edge in edges)) or [0][: len(labels)]
    starts = set(waiting)
    for node in waiting:  # which grows meanwhile
        for edge in edges:
            if edge.source == node and edge.target not in starts:
                starts.add(edge.target)
                waiting.append(edge.target)
    avoided = {number: place for place, number in enumerate(numbers) if parts.n_variables <= number < len(labels)}
    return NamedGraph(labels, triples, edges, parts.n_variables, plain.root, []), starts, avoided


def _named_grams(
    graph: NamedGraph, k: int, starts: Set[int] | None = None, avoided: Mapping[int, int] | None = None
) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Every walk of up to ``k`` nodes that uses no edge twice: its order, its labels, its triples.

    ``starts``: only walks from these nodes; ``avoided``: node → an edge that walks from it do not use.
    """
    first: dict[int, tuple[int, ...]] = {
        node: () for node in range(len(graph.labels)) if starts is None or node in starts
    }
    first |= {node: (edge,) for node, edge in (avoided or {}).items() if node in first}
    leaving: list[list[int]] = [[] for _ in graph.labels]
    for number, edge in enumerate(graph.edges):
        leaving[edge.source].append(number)
    walks: list[tuple[int, str, tuple[int, ...], tuple[int, ...]]] = [
        (node, graph.labels[node], (graph.triples[node],), used) for node, used in first.items()
    ]
    for order in range(1, k + 1):
        group = f"{order}-grams"
        yield from ((group, text, triples) for _, text, triples, _ in walks)
        if order == k:
            return
        longer = []
        for node, text, triples, used in walks:
            for number in leaving[node]:
                if number not in used:
                    _, role, target, triple, _ = graph.edges[number]
                    more = (*triples, triple, graph.triples[target])
                    longer.append((target, f"{text} {role} {graph.labels[target]}", more, (*used, number)))
        walks = longer
