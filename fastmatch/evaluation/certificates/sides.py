"""The lines of certificates, from the features that the search has of graphs: what a kernel needs to write them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from json.encoder import encode_basestring_ascii
from typing import Any

import numpy as np

from fastmatch._ext.matching.proofs import lines
from fastmatch.evaluation.certificates.check_certificates import MATCHES
from fastmatch.graphs.corpus import Corpus
from fastmatch.metrics.shared.partial_matching import SoftMetric, grid
from fastmatch.metrics.softmatch import Softmatch
from fastmatch.metrics.wsmatch import WSmatch
from fastmatch.results.pairs import PairScores
from fastmatch.types import BoolArray, FloatArray, Int64Array

#: Lines that are made at a time, at most.
_AT_A_TIME = 512
#: Value of a loop in the key of a feature; see _ext/matching/triples.pyx.
_LOOP = 0xFFFFFFFF


class Side:
    """The predictions, or the gold graphs.

    Parameters
    ----------
    metric : Smatch or SoftMetric
    corpus : Corpus
        Standardised for the metric.
    number : {0, 1}
        0 for the predictions, 1 for the gold graphs.
    """

    def __init__(self, metric: Any, corpus: Corpus, number: int) -> None:
        self.corpus = corpus
        #: What a metric whose triples match in part prepares.
        self.soft: Any = metric.prepare(corpus) if isinstance(metric, SoftMetric) else None
        #: What the metric prepares.
        self.prepared: Any
        if self.soft:
            self.prepared, self.hard = self.soft, self.soft.features.hard
        elif getattr(metric, "sentence_map", None) is not None:
            self.prepared = metric.on_both_sides(corpus)
            self.hard = self.prepared[number]
        else:
            self.prepared = self.hard = metric.grouped(corpus)
        #: The weights of triples, by their classes, in matches.
        weighted = isinstance(metric, WSmatch) or (isinstance(metric, Softmatch) and metric.weight is not None)
        self.own: FloatArray | None = grid(metric.own_weights(self.prepared.classes)) if weighted else None

    def arrays(self, digests: Sequence[bytes], fourth: Int64Array | None) -> tuple[Any, ...]:
        """As the kernel takes them, with the hashes of texts if there are any, and what stands fourth by classes."""
        return (
            self.hard,
            self.soft and self.soft.features,
            np.ascontiguousarray(self.corpus.variable_offsets, np.int64),
            np.ascontiguousarray(self.corpus.variable_names, np.int32),
            fourth,
            self.soft and np.ascontiguousarray(self.soft.labels, np.int32),
            b"".join(digests).hex().encode("ascii") if digests else None,
        )

    def mark(self, used: BoolArray) -> None:
        """Mark the labels that lines have; the last entry stands for none."""
        _, _, _, keys, _, _, relations = self.hard.arrays
        values = keys & _LOOP
        concepts = self.soft.labels if self.soft else relations[0]
        roles, values = (keys >> 32) - 1, values[values != _LOOP] - 1
        for labels in (self.corpus.variable_names, roles, values, relations[0], concepts):
            used[labels] = True

    @property
    def sizes(self) -> Int64Array:
        """Variables and triples of each graph, int64[2, n_graphs]."""
        return np.stack([self.hard.n_variables.astype(np.int64), self.hard.n_triples])


def _joined(texts: Sequence[str]) -> tuple[bytes, Int64Array]:
    """ASCII texts one after another, and where each starts, and the last one ends."""
    return "".join(texts).encode("ascii"), np.array([0, *accumulate(map(len, texts))], np.int64)


class Pairs:
    """Pairs: graph k of one side with graph k of the other.

    Parameters
    ----------
    metric : Smatch or SoftMetric
    pred, gold : Side
        With one vocabulary.
    digests : {"pred": list of bytes, "gold": list of bytes}
        The hash of each graph's text; an empty list if there are none.
    unit : int
        A whole match counts so much.
    step : int
        No map is to be better by so many units.
    scores : PairScores
        With maps.

    Attributes
    ----------
    weights : bool or dict of str → list of list of int
        Whether rows of triples have a weight; or what two equal triples of each role match, in units, by the places
        that stand in the rows instead.
    """

    def __init__(
        self,
        metric: Any,
        pred: Side,
        gold: Side,
        digests: Mapping[str, Sequence[bytes]],
        unit: int,
        step: int,
        scores: PairScores,
    ) -> None:
        self.unit, self.step, self.scores = unit, step, scores
        self.pred, self.gold = pred, gold
        #: Links of concepts, and the weights of classes.
        self._matching: tuple[Any, FloatArray] | None = None
        if pred.soft is not None:
            numbers = np.arange(len(pred.corpus), dtype=np.int32)
            shared = getattr(scores, "shared", None)
            self._matching = shared or metric.shared(pred.soft, gold.soft, numbers, numbers)
        self.weights: bool | dict[str, list[list[int]]] = pred.own is not None
        fourth = [None if side.own is None else np.rint(side.own * unit).astype(np.int64) for side in (pred, gold)]
        if callable(getattr(metric, "weight", None)):
            self.weights, fourth = self._table()
        self._sides = pred.arrays(digests["pred"], fourth[0]), gold.arrays(digests["gold"], fourth[1])
        vocabulary = pred.corpus.vocabulary
        used = np.zeros(len(vocabulary) + 1, np.bool_)
        pred.mark(used)
        gold.mark(used)
        encoded = [""] * len(vocabulary)
        for number in np.flatnonzero(used[:-1]).tolist():
            encoded[number] = encode_basestring_ascii(vocabulary.text(number))
        self._labels = _joined([*encoded, "null", '":instance"'])

    def _table(self) -> tuple[dict[str, list[list[int]]], list[Int64Array | None]]:
        """What two equal triples match, by their role and the places of their levels; and the place of each class."""
        assert self._matching is not None
        classes = [side.soft.classes for side in (self.pred, self.gold)]
        levels: dict[str, set[int]] = {}
        for role, level in (*classes[0], *classes[1]):
            levels.setdefault(role, set()).add(level)
        place = {(role, level): k for role, some in levels.items() for k, level in enumerate(sorted(some))}
        tables = {role: [[0] * len(some) for _ in some] for role, some in levels.items()}
        for side, mine in zip((self.pred, self.gold), classes, strict=True):
            for (role, level), own in zip(mine, self._whole(side.own), strict=True):
                k = place[role, level]
                tables[role][k][k] = own
        for (role, level), row in zip(classes[0], self._whole(self._matching[1]), strict=True):
            for (other, its_level), weight in zip(classes[1], row, strict=True):
                if role == other:
                    tables[role][place[role, level]][place[role, its_level]] = weight
        places = [np.array([place[one] for one in mine], np.int64) for mine in classes]
        # the role of roots is written as all others are
        return {":top" if role == ":TOP" else role: table for role, table in tables.items()}, [*places]

    def _whole(self, values: Any) -> list[Any]:
        """In units."""
        return np.rint(values * self.unit).astype(np.int64).tolist()

    def lines(
        self, ids: Sequence[str | None], wanted: BoolArray, work: int
    ) -> Iterator[tuple[int, bytes, list[int], list[bool]]]:
        """Some lines at a time: the first pair, the text, where each line ends, and whether it has a proof.

        The line of a pair without one ends before its map, and without a newline.

        Parameters
        ----------
        ids
            One for each pair, or None.
        wanted : bool[n_pairs]
            Whether to look for a proof.
        work : int
            Visits of candidates and their edges for a proof, at most.
        """
        scores = self.scores
        totals = np.rint(np.concatenate([scores.n_pred, scores.n_gold]) * float(self.unit)).astype(np.int64)
        start, named = 0, ids.count(None) < len(ids)
        while start < len(ids):
            some = ids[start : start + _AT_A_TIME]
            heads = ["" if name is None else f',"id":{json.dumps(name)}' for name in some] if named else []
            text, ends, proven = lines(
                *self._sides,
                self._labels,
                _joined(heads) if named else (b"", np.zeros(len(some) + 1, np.int64)),
                start,
                totals,
                scores.mapping_offsets,  # they were asked for
                scores.mapping,
                wanted.tobytes(),
                self._matching,
                self.unit,
                self.step,
                work,
                MATCHES,
            )
            yield start, text, ends, proven
            start += len(ends)
