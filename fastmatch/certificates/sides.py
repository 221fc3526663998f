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
    from collections.abc import Iterator

    from fastmatch.graphs.corpus import Corpus
    from fastmatch.types import Int64Array

__all__ = ["Sides"]

#: Value of a loop in the key of a feature; see _ext/matching/triples.pyx.
_LOOP = 0xFFFFFFFF
#: Graphs whose texts are made at a time.
_AT_A_TIME = 1_000


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
        self.soft = metric.prepare(corpus) if isinstance(metric, SoftMetric) else None
        self.hard = metric.features(corpus) if self.soft is None else self.soft.features.hard
        self.labels = _Labels(corpus)
        # what a class adds to a triple's row: its weight, or its level
        self._classes: list[str] = []
        if isinstance(metric, WSmatch):
            self._classes = [f",{int(weight)}]" for weight in self.soft.classes]
        elif isinstance(metric, Softmatch) and metric.weight is not None:
            self._classes = [f",{level}]" for _, level in self.soft.classes]

    @property
    def sizes(self) -> Int64Array:
        """Variables and triples of each graph, int64[2, n_graphs]."""
        return np.stack([self.hard.n_variables.astype(np.int64), self.hard.n_triples])

    def texts(self) -> Iterator[str]:
        """For each graph its variables and triples, as they stand in a line; without the brace at the end."""
        for start in range(0, len(self.corpus), _AT_A_TIME):
            yield from self._texts(start, min(start + _AT_A_TIME, len(self.corpus)))

    def _texts(self, start: int, stop: int) -> Iterator[str]:
        of_variables, of_unary, of_relations = (
            offsets[start : stop + 1].tolist()
            for offsets in (self.corpus.variable_offsets, self.hard.arrays[2], self.hard.arrays[5])
        )
        here, there = slice(of_unary[0], of_unary[-1]), slice(of_relations[0], of_relations[-1])
        keys, (variables, copies) = self.hard.arrays[3][here], self.hard.arrays[4][:, here]
        *relations, more_copies = self.hard.arrays[6][:, there]
        ends = [["]"] * len(keys), ["]"] * len(more_copies)]
        if self._classes:
            classes = self.soft.features.arrays[0][here], self.soft.features.arrays[1][there]
            ends = [[self._classes[number] for number in numbers.tolist()] for numbers in classes]
        labels = self.labels
        distinct, number = np.unique(keys, return_inverse=True)
        roles, values = ((distinct >> 32) - 1).tolist(), ((distinct & _LOOP) - 1).tolist()
        roles = ['":instance"' if role < 0 else labels[role] for role in roles]
        middles = [
            role if value == _LOOP - 1 else f"{role},{labels[value]}" for role, value in zip(roles, values, strict=True)
        ]
        rows = [
            f"[{variable},{middles[k]}{end}"
            for variable, k, end in zip(variables.tolist(), number.reshape(-1).tolist(), ends[0], strict=True)
        ]
        for k in np.flatnonzero((keys & _LOOP) == _LOOP).tolist():
            rows[k] = rows[k].removesuffix(ends[0][k]) + f",{variables[k]}{ends[0][k]}"
        more = [
            f"[{source},{labels[role]},{target}{end}"
            for role, source, target, end in zip(*(row.tolist() for row in relations), ends[1], strict=True)
        ]
        for some, counts in ((rows, copies), (more, more_copies)):
            for k in np.flatnonzero(counts > 1).tolist():
                some[k] = ",".join([some[k]] * int(counts[k]))
        names = [labels[k] for k in self.corpus.variable_names[of_variables[0] : of_variables[-1]].tolist()]
        v, a, r = of_variables[0], of_unary[0], of_relations[0]
        for k in range(stop - start):
            own = ",".join(names[of_variables[k] - v : of_variables[k + 1] - v])
            triples = rows[of_unary[k] - a : of_unary[k + 1] - a] + more[of_relations[k] - r : of_relations[k + 1] - r]
            yield f'{{"variables":[{own}],"triples":[{",".join(triples)}]'


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
    def _matching(self) -> Any:
        """Links of concepts, and the weights of classes."""
        numbers = np.arange(len(self.pred.corpus), dtype=np.int32)
        links = self.metric.links(self.pred.soft, self.gold.soft, numbers, numbers)
        return links, np.ascontiguousarray(grid(self.metric.weights(self.pred.soft, self.gold.soft)))

    def problem(self, k: int) -> tuple[Any, ...]:
        """The problem of a pair as the kernels of proofs take it; gains in matches."""
        if self.pred.soft is None:
            return build_problem(self.pred.hard, self.gold.hard, k, k, False)
        features = self.pred.soft.features, self.gold.soft.features
        found = build_soft_problem(*features, *self._matching, k, k, self._checked)
        self._checked = True
        return found

    @cached_property
    def _similar(self) -> tuple[list[dict[int, str]], list[list[int]], list[set[int]]]:
        """For each concept of the predictions those like it, with a row of a line; the concepts of each graph."""
        pairs, (links, _) = (self.pred, self.gold), self._matching
        one, two = ([side.labels[label] for label in side.soft.labels.tolist()] for side in pairs)
        similar: list[dict[int, str]] = [{} for _ in one]
        for a, b, value in zip(*(values.tolist() for values in links.arrays), strict=True):
            similar[a][b] = f"[{one[a]},{two[b]},{round(value * self.unit)}]"
        concepts = []
        for side in pairs:
            _, _, offsets, soft = side.soft.features.arrays
            numbers = soft[1].tolist()
            concepts.append([{*numbers[start:stop]} for start, stop in pairwise(offsets.tolist())])
        return similar, *concepts

    def similar(self, k: int) -> str:
        """The concepts of a pair that are alike, as they stand in a line."""
        similar, pred, gold = self._similar
        theirs = gold[k]
        rows = [row for a in pred[k] for b, row in similar[a].items() if b in theirs]
        return f'"similar":[{",".join(sorted(rows))}]'
