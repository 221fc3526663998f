"""What votes: the candidates of each sentence, of systems or one list a sentence, with their weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import inf, isfinite
from numbers import Real
from os import PathLike
from typing import Any, NamedTuple

from fastmatch.errors import OptionError, PairingError
from fastmatch.evaluation.checks import warn_odd_pairs
from fastmatch.evaluation.pairing import Rules, by_id, pairing, read_together
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import corpus_of
from fastmatch.graphs.identical import first_of_equals
from fastmatch.metrics.base import Metric
from fastmatch.results.words import system_letter
from fastmatch.types import OnErrorPaired


class Unreadable(NamedTuple):
    """A candidate that does not vote.

    Attributes
    ----------
    sentence, candidate : int
        Its sentence, and its place among the candidates of the sentence: the number of its system.
    message : str
        What is wrong with it.
    """

    sentence: int
    candidate: int
    message: str


class Candidates(NamedTuple):
    """Graphs that vote.

    Attributes
    ----------
    corpus : Corpus
        All candidates.
    places : list of list of int
        For each sentence, its candidates that vote: their place among those of the sentence.
    graphs : list of list of int
        Where they stand in the corpus.
    weights : list of list of float
        Their weights, of which the sum is 1 in each sentence.
    firsts : list of list of int
        Where the first of those that are equal stands in the corpus.
    counts : list of int
        All candidates of each sentence, those that cannot be read included.
    spare : list of int
        For each sentence a graph of the corpus that cannot be read, which stands there as an empty one; −1: none.
    unreadable : tuple of Unreadable
    """

    corpus: Corpus
    places: list[list[int]]
    graphs: list[list[int]]
    weights: list[list[float]]
    firsts: list[list[int]]
    counts: list[int]
    spare: list[int]
    unreadable: tuple[Unreadable, ...]

    def distinct(self) -> tuple[list[list[int]], list[list[float]]]:
        """The distinct candidates of each sentence, and the sums of their weights."""
        groups, weights = [], []
        for firsts, own in zip(self.firsts, self.weights, strict=True):
            sums: dict[int, float] = {}
            for first, weight in zip(firsts, own, strict=True):
                sums[first] = sums.get(first, 0.0) + weight
            groups.append(list(sums))
            weights.append(list(sums.values()))
        return groups, weights


def of_systems(
    systems: Sequence[Any], weights: Sequence[float] | None, names: Sequence[str] | None, metric: Metric, rules: Rules
) -> Candidates:
    """Each system has a graph for each sentence.

    Raises
    ------
    OptionError
        If there is no system, or the weights are wrong.
    PairingError
        If systems differ in number of graphs, or cannot be paired by id.
    """
    if isinstance(systems, (str, Corpus, PathLike, Mapping)) or not hasattr(systems, "__iter__"):
        raise OptionError(
            "ensemble: expected a list of systems, each with one graph a sentence; "
            "a list of answers for each sentence goes with by='sentence'"
        )
    given = list(systems)
    if not given:
        raise OptionError("ensemble: no candidates")
    called = [system_letter(number) for number in range(len(given))] if names is None else list(names)
    if len(called) != len(given):
        raise OptionError(f"names: {len(called)} names for {len(given)} systems")
    shares = _weights(weights, len(given), "systems")
    corpora = read_together(called, given, metric.dialect, rules)
    rows = _rows(corpora, called, rules)
    whole = Corpus.concatenate(corpora)
    starts = [0, *accumulate(map(len, corpora))]
    lost = {starts[k] + number: message for k, corpus in enumerate(corpora) for number, message in corpus.problems}
    places = [
        [(k, starts[k] + number if number >= 0 else -1, shares[k]) for k, number in enumerate(row)] for row in rows
    ]
    return _voting(whole, places, lost)


def _rows(corpora: Sequence[Corpus], names: Sequence[str], rules: Rules) -> list[list[int]]:
    """For each sentence the number of its graph in each system; −1: the system has none."""
    first = corpora[0]
    if rules.pair_by == "position":
        for name, corpus in zip(names[1:], corpora[1:], strict=True):
            pairing(corpus, first, rules, (name, names[0]))
            warn_odd_pairs(corpus, first, (name, names[0]), scored=False)
        return [[number] * len(corpora) for number in range(len(first))]
    rows: dict[str | None, list[int]] = {}
    skips = rules.unpaired == "skip"
    for k, corpus in enumerate(corpora):
        own = (names[k], names[0]) if k else (names[0], names[0])
        found = by_id(corpus, first, rules._replace(unpaired="empty") if skips else rules, own)
        for id, number in zip(found.ids, found.pred.tolist(), strict=True):
            rows.setdefault(id, [-1] * len(corpora))[k] = number
    if skips:
        rows = {id: row for id, row in rows.items() if -1 not in row}
        if not rows:
            raise PairingError("ensemble: no id is in all systems")
    return list(rows.values())


def of_sentences(
    sentences: Sequence[Any], weights: Sequence[Sequence[float]] | None, metric: Metric, on_error: OnErrorPaired
) -> Candidates:
    """Each sentence has a list of candidates, of any length.

    Raises
    ------
    OptionError
        If a sentence is no list, or the weights are wrong.
    """
    if isinstance(sentences, (str, Corpus, PathLike, Mapping)) or not hasattr(sentences, "__iter__"):
        raise OptionError("ensemble: with by='sentence', expected a list of candidates for each sentence")
    given = list(sentences)
    if weights is not None and (isinstance(weights, (str, Mapping)) or not hasattr(weights, "__len__")):
        raise OptionError(f"weights: expected a list for each sentence, found {weights!r:.60}")
    if weights is not None and len(weights) != len(given):
        raise OptionError(f"weights: {len(weights)} lists for {len(given)} sentences")
    lists: list[Any] = []
    rows = []
    start = 0
    for number, row in enumerate(given):
        if isinstance(row, (str, PathLike, Mapping)) or not hasattr(row, "__iter__"):
            raise OptionError(f"candidates[{number}]: expected a list of graphs, not {type(row).__name__}")
        graphs = row if isinstance(row, Corpus) else list(row)
        shares = _weights(None if weights is None else weights[number], len(graphs), f"candidates of sentence {number}")
        rows.append([(k, start + k, share) for k, share in enumerate(shares)])
        start += len(graphs)
        lists.append(graphs)
    if lists and all(isinstance(row, Corpus) for row in lists):
        whole: Any = Corpus.concatenate(lists)
    else:
        whole = [graph for row in lists for graph in row]
    corpus = corpus_of("candidates", whole, None, metric.dialect, on_error)
    return _voting(corpus, rows, dict(corpus.problems))


def _weights(given: Any, number: int, of: str) -> list[float]:
    if given is None:
        return [1.0] * number
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        raise OptionError(f"weights: expected a list of weights of the {of}, found {given!r:.60}")
    weights = list(given)
    if len(weights) != number:
        raise OptionError(f"weights: {len(weights)} weights for {number} {of}")
    shares = []
    for weight in weights:
        try:
            share = 0.0 if isinstance(weight, bool) or not isinstance(weight, Real) else float(weight)
        except OverflowError:  # a whole number or a fraction that no float reaches
            share = inf
        if not 0 < share < inf:
            raise OptionError(f"weights: expected numbers above 0, found {weight!r:.60}")
        shares.append(share)
    if not isfinite(sum(shares)):
        raise OptionError("weights: their sum is too large for a float")
    return shares


def _voting(corpus: Corpus, rows: Sequence[Sequence[tuple[int, int, float]]], lost: Mapping[int, str]) -> Candidates:
    """Candidates from (place, number in the corpus or −1, weight) of each sentence, without those that are lost."""
    firsts = first_of_equals(corpus).tolist()
    made: Candidates = Candidates(corpus, [], [], [], [], [len(row) for row in rows], [], ())
    unreadable = []
    for k, row in enumerate(rows):
        voting = [(place, number, weight) for place, number, weight in row if number >= 0 and number not in lost]
        total = sum(weight for _, _, weight in voting)
        made.places.append([place for place, _, _ in voting])
        made.graphs.append([number for _, number, _ in voting])
        made.weights.append([weight / total for _, _, weight in voting])
        own: dict[int, int] = {}  # the first of equals of this sentence, which is the same for all metrics
        made.firsts.append([own.setdefault(firsts[number], number) for _, number, _ in voting])
        made.spare.append(next((number for _, number, _ in row if number in lost), -1))
        unreadable += [
            Unreadable(k, place, lost[number] if number >= 0 else "the system has no graph of this id")
            for place, number, _ in row
            if number < 0 or number in lost
        ]
    return made._replace(unreadable=tuple(unreadable))
