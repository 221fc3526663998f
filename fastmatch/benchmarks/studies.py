"""Measurements of the papers that are about metrics, not about parsers, on graphs of the user's choice.

``optima``
    Opitz (2023), figure 6: how many different scores a hill-climber ends at when it starts again and again, against the
    number of variables; and how often it reaches the proven optimum.
``search_space``
    Kachwala et al. (2024), equations 2 and 3: how many maps of variables a pair has, or how many pairs of features.
``impact``
    Opitz, Parcalabescu and Frank (2020), table 4: in how many k-grams (SemBleu) or triples (Smatch) a node takes part,
    at the root, at other nodes with relations of their own, and at leaves.
``ranking``
    The same, tables 8 and 9: how often two metrics disagree about which of two systems is better on a sentence, and
    the order of the systems by each metric.
``rating_errors``
    The same, table 7: root mean square error between scores and human ratings, pair by pair and by quantiles.

The first four are commands (``fastmatch bench optima``, ``space``, ``impact``, ``ranking``), the last one is
``fastmatch bench bamboo --protocol rmse``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from fastmatch._ext.matching.problem import build_problem
from fastmatch._ext.matching.score import score_climb
from fastmatch._ext.matching.triples import TripleFeatures
from fastmatch.benchmarks.shared import named_metrics
from fastmatch.errors import OptionError, PairingError
from fastmatch.evaluation.scoring import score
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import Graphs, corpora_of, corpus_of
from fastmatch.graphs.sources import kept
from fastmatch.metrics.base import Metric, PairRange
from fastmatch.metrics.options import whole
from fastmatch.metrics.registry import make
from fastmatch.report.cells import Number, Points, count, points
from fastmatch.report.frames import Tabular
from fastmatch.report.model import Report, Table, by_name
from fastmatch.report.writing import attributes, plain
from fastmatch.results.equality import ByValue
from fastmatch.results.words import system_letter
from fastmatch.types import BoolArray, FloatArray, Int64Array

#: Quantiles whose root mean square error is table 7's second column.
QUANTILES = tuple(k / 10 for k in range(1, 10))


# ---- local optima ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Optima(ByValue, Tabular):
    """What a hill-climber reaches from random starts.

    Attributes
    ----------
    runs : int
        Starts a pair.
    variables : int64[n_pairs]
        Variables of both graphs together.
    distinct : int64[n_pairs]
        Different numbers of matched triples at which the climbs end.
    reached : int64[n_pairs]
        Climbs that end at the optimum.
    certified : bool[n_pairs]
        Whether that optimum is proven.
    """

    runs: int
    variables: Int64Array
    distinct: Int64Array
    reached: Int64Array
    certified: BoolArray

    def _table(self) -> dict[str, Any]:
        return {
            "index": np.arange(len(self.variables)),
            **attributes(self, "variables", "distinct", "reached", "certified"),
        }

    @property
    def slope(self) -> float:
        """Of the line through (variables, distinct) with the least squares; nan if all pairs are of one size."""
        x, y = self.variables.astype(np.float64), self.distinct.astype(np.float64)
        if len(x) < 2 or np.ptp(x) == 0:
            return float("nan")
        return float(((x - x.mean()) * (y - y.mean())).mean() / x.var())

    def report(self) -> Report:
        """The means for people, a row a pair of graphs for programs."""
        proven = self.certified
        rows: list[tuple[str, object]] = [
            ("different scores at the end, mean", Number(self.distinct.mean() if len(proven) else math.nan)),
            ("more of them for one more variable", Number(self.slope, 3)),
            ("pairs with one score only", int((self.distinct == 1).sum())),
            ("pairs with a proven optimum", int(proven.sum())),
            ("of these, every climb reaches it", int((self.reached[proven] == self.runs).sum())),
            ("of these, no climb reaches it", int((self.reached[proven] == 0).sum())),
        ]
        columns = (self.variables, self.distinct, self.reached, proven.astype(int))
        tables = [Table(("", ""), rows, f"{count(len(proven), 'pair')}, {count(self.runs, 'climb')} each")]
        data = [(k, *row) for k, row in enumerate(zip(*(column.tolist() for column in columns), strict=True))]
        record = {**plain(vars(self)), "slope": plain(self.slope)}
        return Report("fastmatch bench optima", tables, tuple(self._table()), data, record)


def optima(
    pred: Graphs, gold: Graphs, *, runs: int = 20, seed: int = 0, preset: str | None = None, workers: int = 1
) -> Optima:
    """Climb from ``runs`` random starts for each pair.

    Parameters
    ----------
    pred, gold : Corpus, or graphs in another form
        As for :func:`fastmatch.score`.
    runs : int
        ≥ 1. The start from equal concepts, with which Smatch's climber begins, is none of them.
    seed : int
    preset : str, optional
        Of Smatch: ``"smatch++/reify"`` makes the reified half of the figure.
    workers : int
        Threads for the proof of the optimum.

    Raises
    ------
    OptionError
        If ``runs`` is not positive, or there is no such preset.
    """

    whole("runs", runs, 1)
    metric = make("smatch", preset)
    first, second = _paired(pred, gold, metric)
    best = score(first, second, metric=metric, workers=workers)
    a, b = metric.prepare(first), metric.prepare(second)
    assert isinstance(a, TripleFeatures)
    assert isinstance(b, TripleFeatures)
    pairs = PairRange.all(*2 * (np.arange(len(first), dtype=np.int32),))
    found = np.empty((runs, len(first)), np.int64)
    for run in range(runs):
        score_climb(a, b, pairs, restarts=run + 1, first=run + 1, seed=seed, matched=found[run])
    variables = sum(np.diff(metric.standardized(corpus).variable_offsets) for corpus in (first, second))
    distinct = np.array([len(set(column)) for column in found.T.tolist()], np.int64)
    reached = np.asarray((found == best.pairs.matched).sum(axis=0), np.int64)
    return Optima(runs, np.asarray(variables, np.int64), distinct, reached, best.pairs.certified)


# ---- search spaces ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class SearchSpace(ByValue, Tabular):
    """How much a metric could compare.

    Attributes
    ----------
    metric : str
    triples : int64[n_pairs]
        Triples of both graphs, half of them: the size N of a pair in the paper's figure 3.
    log10 : float64[n_pairs]
        Decimal logarithm of the size of the search space; −inf if there is nothing to compare.
    """

    metric: str
    triples: FloatArray
    log10: FloatArray

    def _table(self) -> dict[str, Any]:
        names = [self.metric] * len(self.triples)
        index = np.arange(len(self.triples))
        return {"metric": names, "index": index, "triples": self.triples, "log10": self.log10}


def search_space(pred: Graphs, gold: Graphs, metrics: str | Metric | Iterable[str | Metric]) -> list[SearchSpace]:
    """Sizes of search spaces, pair by pair.

    For metrics that align variables (``smatch`` and ``smatch++``) it is the product, over the predicted graph's
    variables, of the numbers of variables of the gold graph that they could be mapped to (equation 2): those that share
    a concept, an attribute or a relation of one role with them. A variable without any counts as one. For metrics made
    of features it is the product of the numbers of features of the two graphs (equation 3), each counted once.

    Raises
    ------
    OptionError
        If a metric has neither candidates nor features that could be counted.
    """
    found = []
    pred, gold = kept(pred), kept(gold)
    for name, metric in named_metrics(metrics):
        first, second = _paired(pred, gold, metric)
        a, b = metric.prepare(first), metric.prepare(second)
        if isinstance(a, TripleFeatures) and isinstance(b, TripleFeatures):
            logs = np.array([_maps(a, b, k) for k in range(len(first))], np.float64)
        else:
            counts = [_features(metric, prepared, name) for prepared in (a, b)]
            with np.errstate(divide="ignore"):
                logs = np.log10(counts[0]) + np.log10(counts[1])
        sizes = (_triples(first) + _triples(second)) / 2
        found.append(SearchSpace(name, sizes, logs))
    return found


def _maps(a: object, b: object, pair: int) -> float:
    """Decimal logarithm of the product of the numbers of candidates."""
    n, _, rows, *_ = build_problem(a, b, pair, pair)
    return float(np.log10(np.maximum(np.bincount(rows, minlength=n), 1)).sum())


def _features(metric: Metric, prepared: object, name: str) -> FloatArray:
    """Number of features of each graph."""
    lists = metric.overlaps(prepared) if hasattr(metric, "overlaps") else None
    if not lists:
        raise OptionError(f"metric {name!r}: it has no features that could be counted, and no candidates for a map")
    return np.sum([np.diff(entry.offsets) for entry in lists], axis=0, dtype=np.float64)


def _triples(corpus: Corpus) -> FloatArray:
    """Instances, attributes and relations of each graph."""
    offsets = (corpus.instance_offsets, corpus.attribute_offsets, corpus.relation_offsets)
    return np.sum([np.diff(entry) for entry in offsets], axis=0, dtype=np.float64)


def space_report(found: Sequence[SearchSpace]) -> Report:
    """Means a metric for people, a row a metric and pair of graphs for programs."""
    rows = [(s.metric, *map(Number, (s.log10.mean(), np.median(s.log10), s.log10.max()))) for s in found]
    title = f"size of the search space of {count(len(found[0].log10), 'pair')}, decimal logarithm"
    tables = [Table(("metric", "mean", "median", "largest"), rows, title)]
    data = [
        (entry.metric, k, size, value)
        for entry in found
        for k, (size, value) in enumerate(zip(entry.triples.tolist(), entry.log10.tolist(), strict=True))
    ]
    record = {"metrics": [plain(vars(entry)) for entry in found]}
    return Report("fastmatch bench space", tables, ("metric", "index", "triples", "log10"), data, record)


# ---- what an error at a node touches ---------------------------------------------------------------------------------


class Impact(NamedTuple):
    """In how much a node of one place takes part, as means over the nodes of all graphs.

    Attributes
    ----------
    nodes : int
        Nodes of this place.
    kgrams : float
        k-grams in which such a node stands, all orders together; nan without nodes.
    triples : float
        Triples of variables and constants in which it stands.
    """

    nodes: int
    kgrams: float
    triples: float


class Impacts(dict[str, Impact], Tabular):
    """What an error at a node touches, by the node's place: ``root``, ``inner``, ``leaf``. A table with a row each."""

    def _rows(self) -> list[dict[str, Any]]:
        return [{"place": place, **entry._asdict()} for place, entry in self.items()]

    def report(self) -> Report:
        """A row a place of nodes."""
        rows = [(place, i.nodes, Number(i.kgrams), Number(i.triples)) for place, i in self.items()]
        title = "what a node takes part in, mean over the nodes"
        tables = [Table(("place", "nodes", "k-grams", "triples"), rows, title)]
        record = {place: plain(entry._asdict()) for place, entry in self.items()}
        return Report("fastmatch bench impact", tables, *by_name(self._rows()), record)


def impact(graphs: Graphs, *, k: int = 3) -> Impacts:
    """What an error at a node touches, by the node's place: ``root``, ``inner`` and ``leaf``.

    Graphs are taken without variables, as SemBleu takes them: a node for each variable, labelled with its concept, and
    one for each constant. A k-gram is a walk along k − 1 relations. It counts as often as it visits the node, which is
    once in a graph without circles.

    Parameters
    ----------
    graphs : Corpus, or graphs in another form
    k : int
        The longest k-grams, 1 to 8.

    Notes
    -----
    In a tree whose nodes have d children each (deeper than k), the formulas of the paper's footnote 9 come out: a leaf
    k, the root 1 + d + d², another node d² + 2d + 3 for k = 3; and 1, d and d + 1 triples.
    """
    if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= 8:
        raise OptionError(f"k={k!r}: expected a whole number from 1 to 8")
    corpus = corpus_of("graphs", graphs, None, "penman", "raise")
    sums = {place: np.zeros(3) for place in ("root", "inner", "leaf")}
    for graph in corpus:
        number = {variable: place for place, variable in enumerate(graph.variables)}
        edges = [(number[s], number[t]) for s, _, t in graph.relations]
        edges += [(number[s], len(number) + place) for place, (s, _, _) in enumerate(graph.attributes)]
        n = len(number) + len(graph.attributes)
        if not n:
            continue
        sources, targets = np.array(edges, np.intp).reshape(-1, 2).T
        # walks of 1 … k nodes that end at a node, and that begin there
        ending: list[FloatArray] = [np.ones(n)]
        beginning: list[FloatArray] = [np.ones(n)]
        for _ in range(k - 1):
            ending.append(np.bincount(targets, ending[-1][sources], n).astype(np.float64))
            beginning.append(np.bincount(sources, beginning[-1][targets], n).astype(np.float64))
        kgrams = np.sum([ending[i] * beginning[j] for i in range(k) for j in range(k - i)], axis=0)
        out = np.bincount(sources, minlength=n)
        triples = out + np.bincount(targets, minlength=n)
        for node in range(n):
            place = "root" if node == number.get(graph.top, -1) else "inner" if out[node] else "leaf"
            sums[place] += (1, kgrams[node], triples[node])
    found = Impacts()
    for place, column in sums.items():
        count, *totals = column.tolist()
        found[place] = Impact(int(count), *(float(total / count) if count else float("nan") for total in totals))
    return found


# ---- do metrics agree about systems? ---------------------------------------------------------------------------------


class Disagreement(NamedTuple):
    """Two metrics and two systems.

    Attributes
    ----------
    metrics, systems : (int, int)
        Their numbers.
    ratio : float
        Share of gold graphs for which one metric prefers one system and the other metric the other one.
    p : float
        Of a paired t-test: do the metrics differ in what they take the difference of the systems for? nan with fewer
        than two pairs, or if all differences are the same.
    """

    metrics: tuple[int, int]
    systems: tuple[int, int]
    ratio: float
    p: float


class Order(NamedTuple):
    """The systems as one metric orders them: its name, their scores, and their numbers, the best first."""

    metric: str
    scores: tuple[float, ...]
    systems: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Ranking(ByValue, Tabular):
    """All pairs of metrics and systems, and the order of the systems by each metric."""

    disagreements: tuple[Disagreement, ...]
    orders: tuple[Order, ...]

    def _rows(self) -> list[dict[str, Any]]:
        names = [order.metric for order in self.orders]
        return [
            {"metric": names[i], "other_metric": names[j], "system": a, "other_system": b, "ratio": ratio, "p": p}
            for (i, j), (a, b), ratio, p in self.disagreements
        ]

    def report(self, files: Sequence[str] = ()) -> Report:
        """The order of the systems by each metric, and how often two metrics disagree about two systems.

        ``files`` are the names of the systems; A, B, … by default.
        """
        n = len(self.orders[0].systems)
        files = files or [system_letter(k) for k in range(n)]
        names = [order.metric for order in self.orders]
        rows: list[Sequence[object]] = [
            (order.metric, *(f"{files[k]} ({points(order.scores[k])})" for k in order.systems)) for order in self.orders
        ]
        tables = [Table(("metric", *(f"{k + 1}." for k in range(n))), rows, right=False)]
        if self.disagreements:
            rows = []
            for (i, j), (a, b), ratio, p in self.disagreements:
                rows.append((f"{names[i]} and {names[j]}", f"{files[a]} or {files[b]}", Points(ratio), Number(p, 4)))
            header = ("metrics", "which is better", "disagree on % of pairs", "p (paired t)")
            tables.append(Table(header, rows, right=False))
        columns = ("metric_1", "metric_2", "system_1", "system_2", "ratio", "p")
        data = [
            (*(names[k] for k in d.metrics), *(files[k] for k in d.systems), d.ratio, d.p) for d in self.disagreements
        ]
        record = {name: [plain(entry._asdict()) for entry in getattr(self, name)] for name in vars(self)}
        return Report("fastmatch bench ranking", tables, columns, data, record)


def ranking(systems: Sequence[Graphs], gold: Graphs, metrics: Iterable[str | Metric], *, workers: int = 1) -> Ranking:
    """Whether metrics rank systems alike, sentence by sentence and as a whole.

    Parameters
    ----------
    systems : sequence
        Two or more systems' graphs, each in any form that :func:`fastmatch.score` takes.
    gold : Corpus, or graphs in another form
    metrics : iterable of str and Metric
    workers : int

    Raises
    ------
    OptionError
        If there are fewer than two systems or no metric.
    PairingError
        If a system has not as many graphs as gold.
    """
    made = named_metrics(list(metrics))
    if len(systems) < 2 or not made:
        raise OptionError("a ranking needs two systems and a metric, or more")
    scores, orders = [], []
    systems, gold = [kept(system) for system in systems], kept(gold)
    for name, metric in made:
        results = [score(*_paired(system, gold, metric), metric=metric, workers=workers) for system in systems]
        scores.append(np.array([result.pairs.score for result in results], np.float64))
        whole = tuple(result.score for result in results)
        orders.append(Order(name, whole, tuple(sorted(range(len(systems)), key=lambda k: (-whole[k], k)))))
    found = []
    for one, two in combinations(range(len(made)), 2):
        for a, b in combinations(range(len(systems)), 2):
            first, second = (scores[number][a] - scores[number][b] for number in (one, two))
            ratio = float((first * second < 0).mean()) if len(first) else float("nan")
            found.append(Disagreement((one, two), (a, b), ratio, _paired_t(first - second)))
    return Ranking(tuple(found), tuple(orders))


def _paired_t(differences: FloatArray) -> float:
    """Two-sided p-value of Student's t-test of a mean of 0."""
    n = len(differences)
    if n < 2 or np.ptp(differences) == 0:
        return float("nan")
    from scipy.stats import t

    statistic = differences.mean() / (differences.std(ddof=1) / np.sqrt(n))
    return float(2 * t.sf(abs(statistic), n - 1))


# ---- human ratings ---------------------------------------------------------------------------------------------------


def rating_errors(scores: FloatArray, ratings: FloatArray) -> tuple[float, float]:
    """Root mean square error of scores against ratings, both fractions: of the pairs, and of their quantiles.

    The second compares the distributions only: the quantiles 0.1, 0.2 … 0.9 of the scores with those of the ratings
    (linear interpolation). nan without pairs.
    """
    if not len(scores):
        return float("nan"), float("nan")
    of_pairs = np.sqrt(np.mean((scores - ratings) ** 2))
    of_quantiles = np.sqrt(np.mean((np.quantile(scores, QUANTILES) - np.quantile(ratings, QUANTILES)) ** 2))
    return float(of_pairs), float(of_quantiles)


def _paired(pred: Graphs, gold: Graphs, metric: Metric) -> tuple[Corpus, Corpus]:
    first, second = corpora_of(pred, gold, metric.dialect, "empty")
    if len(first) != len(second):
        raise PairingError(f"{len(first)} predictions but {len(second)} gold graphs")
    return first, second
