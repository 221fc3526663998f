"""What an ensemble is: a graph for each sentence, how near the candidates are to it, and who has which triple."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from fastmatch.ensembles.candidates import Candidates, Unreadable
from fastmatch.errors import OptionError
from fastmatch.evaluation.comparison import Comparison
from fastmatch.graphs.corpus import Corpus
from fastmatch.metrics.base import Metric
from fastmatch.metrics.run import run
from fastmatch.report.cells import Points, count, points
from fastmatch.report.frames import Tabular
from fastmatch.report.model import Report, Reported, Table
from fastmatch.report.writing import plain
from fastmatch.results.equality import ByValue
from fastmatch.results.signature import Signature
from fastmatch.results.words import system_letter
from fastmatch.runtime.cached import cached_property
from fastmatch.types import BoolArray, FloatArray, Int64Array, Triple


class Bounding(NamedTuple):
    """Of each candidate of a sentence, the labels of its triples, its weight (the sum is 1), and its size."""

    labels: list[Int64Array]
    weights: list[float]
    sizes: list[float]


def upper_bound(of: Bounding, least: float = 0.0) -> float:
    """What the mean score of no graph exceeds, whatever it is: a bound from counts of labels.

    A triple of a graph matches at most one triple of a candidate, and only one with the same label (concept; role and
    value; role). So the j-th triple of a label matches only in candidates that have the label at least j times. In a
    graph of s triples a match with candidate i adds 2 wᵢ / (s + |cᵢ|) to the mean score. The s largest sums of these
    over (label, j) bound the score of all graphs of s triples, and the largest of them over s that of all graphs.

    ``least`` is the mean score of some graph, which the bound is not below.
    """
    labels, weights, sizes = of
    least = max(least, sum(weight for weight, size in zip(weights, sizes, strict=True) if not size))  # the empty graph
    once: dict[int, int] = defaultdict(int)  # of each label the candidates that have it
    again: dict[tuple[int, int], int] = defaultdict(int)  # the same for further copies
    for number, found in enumerate(labels):
        bit = 1 << number
        for label, times in Counter(found.tolist()).items():
            once[label] |= bit
            if times > 1:
                for copy in range(1, times):
                    again[label, copy] |= bit
    groups = Counter([*once.values(), *again.values()])
    if not groups:
        return least
    shares, lengths = 2 * np.array([weights]).T, np.array([sizes], np.float64).T
    s = np.arange(1, sum(groups.values()) + 1)
    each = shares / (s + lengths)  # what a match with each candidate brings, for each s
    # no graph of s triples has more than this, whatever their labels; only sizes that could matter are looked at
    within = (each * np.minimum(s, lengths)).sum(axis=0) > least
    s, each = s[within], each[:, within]
    if not len(s):
        return least
    bits = (mask >> number & 1 for mask in groups for number in range(len(labels)))
    has = np.fromiter(bits, np.float64, len(groups) * len(labels)).reshape(-1, len(labels))
    counts = np.fromiter(groups.values(), np.int64, len(groups))
    gains = has @ each  # of a triple of each group of labels
    order = np.argsort(-gains, axis=0, kind="stable")
    many = counts[order]
    taken = np.minimum(np.maximum(s - (np.cumsum(many, axis=0) - many), 0), many)
    best = (taken * -np.sort(-gains, axis=0)).sum(axis=0).max()
    return max(least, min(1.0, float(best)))


class Vote(NamedTuple):
    """A triple, and who has it.

    Attributes
    ----------
    triple : (source, role, target)
    share : float
        Sum of the weights of the candidates that have it, from 0 to 1.
    candidates : tuple of int
        Their places among the candidates of the sentence: the numbers of the systems.
    """

    triple: Triple
    share: float
    candidates: tuple[int, ...]


class Ensemble(ByValue, Reported, Tabular):
    """One graph for each sentence, made of many.

    Attributes
    ----------
    graphs : Corpus
        The graphs.
    scores : float64[n]
        The mean score of each: the sum over the candidates of weight times score against the candidate.
    certified : bool[n]
        All alignments that the score rests on are proven to be optimal.
    sources : int64[n]
        The candidate that the graph is (its place among those of the sentence); −1 for a graph that was made, or for
        an empty graph because no candidate can be read.
    candidate_scores : tuple of float64[·]
        For each sentence the score of the graph against each candidate; NaN for a candidate that cannot be read.
    unreadable : tuple of Unreadable
        Candidates that did not vote: (sentence, candidate, message).
    method : str
    signature : Signature
        What the scores depend on.
    """

    def __init__(
        self,
        graphs: Corpus,
        scores: FloatArray,
        bounds: Sequence[Bounding | None],
        certified: BoolArray,
        sources: Int64Array,
        candidate_scores: Sequence[FloatArray],
        method: str,
        signature: Signature,
        metric: Metric,
        candidates: Candidates,
    ) -> None:
        self.graphs, self.scores, self.certified = graphs, scores, certified
        self.sources, self.candidate_scores = sources, tuple(candidate_scores)
        self.unreadable: tuple[Unreadable, ...] = candidates.unreadable
        self.method, self.signature = method, signature
        self._bounds, self._metric, self._candidates = bounds, metric, candidates

    def _values(self) -> dict[str, Any]:
        shown = {name: value for name, value in vars(self).items() if not name.startswith("_")}
        return {**shown, "uppers": self.uppers}

    @cached_property
    def uppers(self) -> FloatArray:
        """What the mean score of no graph exceeds, whatever graph it is, float64[n].

        NaN if the metric has no such bound. Made when it is first asked for.
        """
        pairs = zip(self._bounds, self.scores.tolist(), strict=True)
        return np.array([np.nan if of is None else upper_bound(of, score) for of, score in pairs], np.float64)

    @property
    def score(self) -> float:
        """The mean of the mean scores, over the sentences with a candidate that can be read; NaN if there is none."""
        return _mean(self.scores)

    @property
    def upper(self) -> float:
        """The mean of the bounds: what no list of graphs exceeds."""
        return _mean(self.uppers)

    def nearest(self, k: int) -> list[int]:
        """The candidates of sentence k that vote, the one that is most like the graph first."""
        scores = self.candidate_scores[k]
        return [number for number in np.argsort(-scores, kind="stable").tolist() if scores[number] == scores[number]]

    def votes(self, k: int) -> list[Vote]:
        """Who has each triple of the graph of sentence k, in the order of the graph.

        Raises
        ------
        OptionError
            If the metric aligns no triples.
        """
        return self._compared(k)[0]

    def left_out(self, k: int) -> list[Vote]:
        """The triples of the candidates of sentence k that the graph lacks, those of most candidates first.

        A variable that is mapped to one of the graph has its name, another one the candidate's with a mark:
        ``c2`` of candidate 1 is ``1.c2``.
        """
        return self._compared(k)[1]

    def _compared(self, k: int) -> tuple[list[Vote], list[Vote]]:
        metric, own = self._metric, self._candidates
        if metric.aligns != "map":
            raise OptionError(f"votes: metric {metric.name!r} aligns no triples")
        numbers = own.graphs[k]
        mine, theirs = self.graphs[[k]].remap(own.corpus.vocabulary), own.corpus[numbers]
        index = np.arange(len(numbers), dtype=np.int32)
        found = run(metric, metric.prepare(mine), metric.prepare(theirs), np.zeros_like(index), index, mapping=True)
        mine, theirs = metric.standardized(mine), metric.standardized(theirs)
        names = [mine.vocabulary.text(name) if name >= 0 else None for name in mine.variable_names.tolist()]
        having: dict[Triple, list[int]] = {}
        lacking: dict[Triple, list[int]] = {}
        for j, place in enumerate(own.places[k]):
            mapping = found.mapping_of(j)
            explanation = metric.explain(mine, theirs, 0, j, mapping)
            for triple, _ in explanation.matched:
                having.setdefault(triple, []).append(j)
            for triple in explanation.unmatched_pred:
                having.setdefault(triple, [])
            start, stop = theirs.variable_offsets[j : j + 2].tolist()
            other = [mine.vocabulary.text(v) if v >= 0 else None for v in theirs.variable_names[start:stop].tolist()]
            known = {name: f"{place}.{name}" for name in other}
            known |= {other[b]: names[a] for a, b in enumerate(mapping.tolist()) if b >= 0}
            for source, role, target in explanation.unmatched_gold:
                moved = (known.get(source, source), role, target if role == ":instance" else known.get(target, target))
                lacking.setdefault(moved, []).append(j)
        order = {triple: number for number, triple in enumerate(mine[0].triples)} if len(mine) else {}

        def vote(triple: Triple, has: list[int]) -> Vote:
            return Vote(triple, sum(own.weights[k][j] for j in has), tuple(own.places[k][j] for j in has))

        votes = [vote(*item) for item in having.items()]
        votes.sort(key=lambda one: order.get(one.triple, len(order)))
        rest = [vote(*item) for item in lacking.items()]
        rest.sort(key=lambda one: -one.share)
        return votes, rest

    def to_dict(self) -> dict[str, Any]:
        """Everything but the graphs as plain Python values, ready for JSON; None stands for NaN."""
        columns = plain(self._table())
        return {
            **self.signature.to_dict(),
            "method": self.method,
            "score": plain(self.score),
            "upper": plain(self.upper),
            "unreadable": [one._asdict() for one in self.unreadable],
            "sentences": [
                {**dict(zip(columns, row, strict=True)), "candidates": plain(scores)}
                for *row, scores in zip(*columns.values(), self.candidate_scores, strict=True)
            ],
        }

    def report(self, names: Sequence[str] = (), comparison: Comparison | None = None) -> Report:
        """The mean score with its bound, then for each system how near it is, and how often it is the graph itself.

        Parameters
        ----------
        names : sequence of str
            Of the systems; A, B, … by default.
        comparison : Comparison, optional
            The graphs and the systems against gold graphs: its tables stand behind.
        """
        names = names or [system_letter(k) for k in range(max(map(len, self.candidate_scores), default=0))]
        title = f"{self.signature.metric}, {self.method}: {count(len(self), 'sentence')}, "
        lines = [title + count(len(names), "candidate")]
        if self.score != self.score:
            lines += ["", "no candidate can be read"]
        else:
            bound = "" if self.upper != self.upper else f"; no graphs reach more than {points(self.upper)}"
            lines += ["", f"mean score against the candidates: {points(self.score)}{bound}"]
            n_proven = int(self.certified.sum())
            if n_proven < len(self):
                lines.append(f"alignments proven in {n_proven:,} of {len(self):,} sentences")
        lost = [0] * len(names)
        for one in self.unreadable:
            lost[one.candidate] += 1
        rows = []
        for k, name in enumerate(names):
            values = [row[k] for row in self.candidate_scores if k < len(row) and row[k] == row[k]]
            mean = sum(values) / len(values) if values else float("nan")
            rows.append((name, mean, int((self.sources == k).sum()), lost[k]))
        shown = [(name, Points(mean), *counts) for name, mean, *counts in rows]
        header = ["candidate", "score of the ensemble", "is the ensemble", "unreadable"]
        table = Table(header, shown, "\n".join(lines))
        columns = ("candidate", "score", "is_ensemble", "unreadable", "signature")
        made = self._reported("fastmatch ensemble", [table], columns, [(*row, str(self.signature)) for row in rows])
        made = made._replace(record={"candidates": list(names), **made.record})
        if comparison is None:
            return made
        gold = comparison.report()
        record = {**made.record, "gold": gold.record}
        return made._replace(tables=[*made.tables, *gold.tables], notes=gold.notes, record=record)

    def _table(self) -> dict[str, Any]:
        """One row a sentence."""
        return {
            "index": np.arange(len(self)),
            "id": self.graphs.ids,
            "score": self.scores,
            "upper": self.uppers,
            "certified": self.certified,
            "source": self.sources,
        }

    def __len__(self) -> int:
        return len(self.scores)

    def __repr__(self) -> str:
        lost = f", {count(len(self.unreadable), 'unreadable candidate')}" if self.unreadable else ""
        return (
            f"<Ensemble: {count(len(self), 'graph')} by {self.method}, mean score {self.score:.4f} "
            f"of at most {self.upper:.4f}{lost}, {self.signature}>"
        )


def _mean(values: FloatArray) -> float:
    known = values[values == values]
    return float(known.mean()) if len(known) else float("nan")
