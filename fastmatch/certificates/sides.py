"""The graphs of certificates, from the features that the search has of them: their triples as text, their problems."""

from __future__ import annotations

import json
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from fastmatch._ext.matching.partial import build_soft_problem
from fastmatch._ext.matching.problem import build_problem
from fastmatch.metrics.shared.partial_matching import SoftMetric, grid
from fastmatch.metrics.softmatch import Softmatch
from fastmatch.metrics.wsmatch import WSmatch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from numpy.typing import NDArray

    from fastmatch._ext.matching.partial import Links
    from fastmatch._ext.matching.triples import TripleFeatures
    from fastmatch.graphs.corpus import Corpus
    from fastmatch.types import FloatArray, Int32Array, Int64Array

    #: Of Python's strings.
    StringArray: TypeAlias = NDArray[np.object_]

__all__ = ["Sides"]

#: Value of a loop in the key of a feature; see _ext/matching/triples.pyx.
_LOOP = 0xFFFFFFFF
#: Graphs whose texts are made at a time.
_AT_A_TIME = 1_000
_CONCEPT = '":instance"'


class _Labels(dict[int, str]):
    """The labels of a corpus as JSON has them, by their numbers."""

    def __init__(self, corpus: Corpus) -> None:
        super().__init__({-1: "null"})
        self._text = corpus.vocabulary.text

    def __missing__(self, number: int) -> str:
        found = self[number] = json.dumps(self._text(number))
        return found


class Side:
    """The predictions, or the gold graphs.

    Parameters
    ----------
    metric : Smatch or SoftMetric
    corpus : Corpus
        Standardised for the metric.
    """

    def __init__(self, metric: Any, corpus: Corpus) -> None:
        self.corpus = corpus
        #: What a metric whose triples match in part prepares.
        self.soft: Any = metric.prepare(corpus) if isinstance(metric, SoftMetric) else None
        self.hard: TripleFeatures = self.soft.features.hard if self.soft else metric.features(corpus)
        self.labels = _Labels(corpus)
        # A row of a triple is put together from arrays of strings: a loop over triples would take three times as long.
        variables = range(self.hard.n_variables.max(initial=0))
        self._opened, self._closed = _objects(f"[{k}," for k in variables), _objects(f",{k}" for k in variables)
        self._ends: StringArray | None = None  # of each class: with its weight, or its level
        classes = self.soft.classes if self.soft else ()
        if isinstance(metric, WSmatch):
            self._ends = _objects(f",{int(weight)}]" for weight in classes)
        elif isinstance(metric, Softmatch) and metric.weight is not None:
            self._ends = _objects(f",{level}]" for _, level in classes)

    @property
    def sizes(self) -> Int64Array:
        """Variables and triples of each graph, int64[2, n_graphs]."""
        return np.stack([self.hard.n_variables.astype(np.int64), self.hard.n_triples])

    def texts(self) -> Iterator[str]:
        """For each graph its variables and triples, as they stand in a line; without the brace at the end."""
        for start in range(0, len(self.corpus), _AT_A_TIME):
            yield from self._texts(start, min(start + _AT_A_TIME, len(self.corpus)))

    def _texts(self, start: int, stop: int) -> Iterator[str]:
        _, _, of_unary, keys, unary, of_relations, relations = self.hard.arrays
        offsets = [some[start : stop + 1] for some in (self.corpus.variable_offsets, of_unary, of_relations)]
        names, here, there = (slice(some[0], some[-1]) for some in offsets)
        classes = None if self._ends is None else self.soft.features.arrays
        alone = self._alone(keys[here], unary[:, here], None if classes is None else classes[0][here])
        joint = self._joint(relations[:, there], None if classes is None else classes[1][there])
        variables = [self.labels[name] for name in self.corpus.variable_names[names].tolist()]
        v, a, j = ((some - some[0]).tolist() for some in offsets)
        for k in range(stop - start):
            own = ",".join(variables[v[k] : v[k + 1]])
            rows = ",".join(alone[a[k] : a[k + 1]] + joint[j[k] : j[k + 1]])
            yield f'{{"variables":[{own}],"triples":[{rows}]'

    def _alone(self, keys: Int64Array, unary: Int32Array, classes: Int32Array | None) -> list[str]:
        """Rows of triples with one variable."""
        labels, (variables, copies) = self.labels, unary
        distinct, number = np.unique(keys, return_inverse=True)
        middles = [
            labels[role] if value == _LOOP else f"{labels[role] if role >= 0 else _CONCEPT},{labels[value - 1]}"
            for role, value in zip(((distinct >> 32) - 1).tolist(), (distinct & _LOOP).tolist(), strict=True)
        ]
        rows = self._opened[variables] + _objects(middles)[number.reshape(-1)]
        loops = np.flatnonzero((keys & _LOOP) == _LOOP)
        rows[loops] += self._closed[variables[loops]]
        return self._ended(rows, copies, classes)

    def _joint(self, relations: Int32Array, classes: Int32Array | None) -> list[str]:
        """Rows of triples with two variables."""
        roles, sources, targets, copies = relations
        distinct, number = np.unique(roles, return_inverse=True)
        middles = _objects(self.labels[role] for role in distinct.tolist())
        rows = self._opened[sources] + middles[number.reshape(-1)] + self._closed[targets]
        return self._ended(rows, copies, classes)

    def _ended(self, rows: StringArray, copies: Int32Array, classes: Int32Array | None) -> list[str]:
        ended: list[str] = (rows + ("]" if self._ends is None else self._ends[classes])).tolist()
        for k in np.flatnonzero(copies > 1).tolist():
            ended[k] = ",".join([ended[k]] * int(copies[k]))
        return ended


def _concepts(side: Side) -> list[set[int]]:
    """Numbers of the concepts of each graph that may match in part."""
    _, _, offsets, soft = side.soft.features.arrays
    numbers = soft[1].tolist()
    return [{*numbers[start:stop]} for start, stop in pairwise(offsets.tolist())]


def _objects(strings: Iterable[str]) -> StringArray:
    found = list(strings)
    array = np.empty(len(found), object)
    array[:] = found
    return array


class Sides:
    """Pairs: graph k of one side with graph k of the other.

    Parameters
    ----------
    metric : Smatch or SoftMetric
    pred, gold : Corpus
        Standardised for the metric.
    unit : int
        A whole match counts so much.
    """

    def __init__(self, metric: Any, pred: Corpus, gold: Corpus, unit: int) -> None:
        self.metric, self.unit = metric, unit
        self.pred, self.gold = Side(metric, pred), Side(metric, gold)
        self._checked = False

    @cached_property
    def _matching(self) -> tuple[Links, FloatArray]:
        """Links of concepts, and the weights of classes."""
        numbers = np.arange(len(self.pred.corpus), dtype=np.int32)
        links = self.metric.links(self.pred.soft, self.gold.soft, numbers, numbers)
        return links, np.ascontiguousarray(grid(self.metric.weights(self.pred.soft, self.gold.soft)))

    def problem(self, k: int) -> tuple[Any, ...]:
        """The problem of a pair as the kernels of proofs take it; gains in matches."""
        if self.pred.soft is None:
            return build_problem(self.pred.hard, self.gold.hard, k, k, False)
        links, weights = self._matching
        found = build_soft_problem(
            self.pred.soft.features, self.gold.soft.features, links, weights, k, k, self._checked
        )
        self._checked = True
        return found

    @cached_property
    def _similar(self) -> tuple[list[dict[int, str]], list[set[int]], list[set[int]]]:
        """For each concept of the predictions those like it, with a row of a line; the concepts of each graph."""
        links, _ = self._matching
        one, two = ([side.labels[label] for label in side.soft.labels.tolist()] for side in (self.pred, self.gold))
        similar: list[dict[int, str]] = [{} for _ in one]
        for a, b, value in zip(*(values.tolist() for values in links.arrays), strict=True):
            similar[a][b] = f"[{one[a]},{two[b]},{round(value * self.unit)}]"
        return similar, _concepts(self.pred), _concepts(self.gold)

    def similar(self, k: int) -> str:
        """The concepts of a pair that are alike, as they stand in a line."""
        similar, pred, gold = self._similar
        theirs = gold[k]
        rows = [row for a in pred[k] for b, row in similar[a].items() if b in theirs]
        return f',"similar":[{",".join(sorted(rows))}]'
