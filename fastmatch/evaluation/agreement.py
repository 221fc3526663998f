"""Agreement: every annotator, or system, against every other one on the same sentences.

Nobody is the gold standard. With a symmetric metric (Smatch, for instance) the score of A against B is that of B
against A, and each two annotators are compared once. Other metrics (SemBleu, hill-climbing) give two scores, which are
both computed and both shown; the agreement of two annotators is then their mean.

The graphs of an annotator are prepared once, and then scored against those of all others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np

from fastmatch._ext.resampling import BOOTSTRAP
from fastmatch.errors import OptionError, PairingError, choice
from fastmatch.evaluation import bootstrap as resampling
from fastmatch.evaluation.agreed import AgreedPair, Agreement
from fastmatch.evaluation.checks import warn_odd_pairs
from fastmatch.evaluation.comparison import distinct_names
from fastmatch.evaluation.pairing import Pairing, check_pairing, listed_ids, pairing, with_an_empty_graph
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import Graphs, corpus_of, pair_ids
from fastmatch.metrics.base import Metric
from fastmatch.metrics.choosing import agreed_signature, chosen_metric
from fastmatch.metrics.run import run
from fastmatch.results.problems import Problem, problems_of
from fastmatch.results.scores import CorpusScore, Interval, Intervals
from fastmatch.results.words import system_letter
from fastmatch.runtime.cpus import worker_count
from fastmatch.runtime.progress import Steps
from fastmatch.types import Int32Array, IntervalMethod, MetricName, OnErrorPaired, PairBy, Progress, Unpaired

_WANTED = "expected a sequence of two annotators or more"


def agreement(
    annotators: Sequence[Graphs] | Mapping[str, Graphs],
    *,
    names: Sequence[str] | None = None,
    metric: MetricName | str | Metric = "smatch",
    preset: str | None = None,
    workers: int = 1,
    progress: Progress = None,
    on_error: OnErrorPaired = "raise",
    pair_by: PairBy = "position",
    unpaired: Unpaired = "raise",
    bootstrap: int | None = None,
    confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca",
    bootstrap_seed: int = 0,
    **options: Any,
) -> Agreement:
    """Score annotators of the same sentences, or systems, against each other.

    Parameters
    ----------
    annotators : sequence, or mapping of names
        Two or more, each in any form that :func:`fastmatch.score` takes.
    names : sequence of str, optional
        Of the annotators; by default those of the mapping, or A, B, …
    metric, preset, workers, progress, on_error, **options
        As for :func:`fastmatch.score`.
    pair_by : {"position", "id"}
        Which graphs belong together: those at the same place, or those of the same ``# ::id``.
    unpaired : {"raise", "empty", "skip"}
        With ``pair_by="id"``, what becomes of an id that an annotator lacks: an error that lists them all; a pair with
        an empty graph, if the other one of two annotators has it; or nothing, with a warning. With ``"skip"`` every two
        annotators are compared on what both have, so the numbers of graphs may differ from pair to pair.
    bootstrap, confidence, bootstrap_method, bootstrap_seed
        As for :func:`fastmatch.score`: intervals of each two annotators, and of the mean if all are compared on the
        same sentences. A sentence is drawn for all annotators at once.

    Returns
    -------
    Agreement

    Raises
    ------
    OptionError
        If there are fewer than two annotators, not as many names, or an option has no such value.
    PairingError
        If annotators differ in the number of graphs, or the graphs cannot be paired by id.
    ReadError, TypeError
        As for :func:`fastmatch.score`.

    Warns
    -----
    PairingWarning
        As :func:`fastmatch.score`, for each two annotators.
    """
    if isinstance(annotators, Mapping):
        if names is None:
            names = list(annotators)
        annotators = list(annotators.values())
    if isinstance(annotators, (str, set, frozenset)) or not hasattr(annotators, "__iter__"):
        raise OptionError(f"agreement: {_WANTED}, found {type(annotators).__name__}")
    annotators = list(annotators)
    if len(annotators) < 2:
        raise OptionError(f"agreement: {_WANTED}, found {len(annotators)}")
    called = [system_letter(k) for k in range(len(annotators))] if names is None else list(names)
    if len(called) != len(annotators):
        raise OptionError(f"agreement: {len(annotators)} annotators but {len(called)} names")
    called = distinct_names(called)
    if on_error != "raise":
        choice("on_error", on_error, ("raise", "empty", "repair"))
    check_pairing(pair_by, unpaired)
    chosen = chosen_metric(metric, preset, options)
    if bootstrap is not None:
        how = resampling.checked(bootstrap, confidence, bootstrap_method, bootstrap_seed)
    corpora: list[Corpus] = []
    for name, graphs in zip(called, annotators, strict=True):
        vocabulary = corpora[0].vocabulary if corpora else None
        corpora.append(corpus_of(name, graphs, vocabulary, chosen.dialect, on_error, workers=workers))
    order: dict[str, int] | None = None
    missing: dict[str, tuple[str, ...]] = {}
    if pair_by == "id":
        order = {id: k for k, id in enumerate(dict.fromkeys(id for corpus in corpora for id in corpus.ids if id))}
        missing = _missing_ids(corpora, called, order, unpaired)
    couples = list((combinations if chosen.symmetric else permutations)(range(len(corpora)), 2))
    matched = [_matched(corpora, couple, called, order, unpaired) for couple in couples]
    results = _scored(chosen, corpora, couples, matched, workers, progress)
    intervals = None
    if bootstrap is not None:
        results = [
            replace(result, intervals=resampling.bootstrap(result.pairs, **how._asdict(), workers=workers))
            for result in results
        ]
        if order is None or all(list(places.ids) == list(matched[0].ids) for places in matched):
            intervals = _of_mean(results, how, workers)
    pairs = (AgreedPair(called[i], called[j], result) for (i, j), result in zip(couples, results, strict=True))
    return Agreement(tuple(called), tuple(pairs), chosen.symmetric, missing, intervals)


class _Matched(NamedTuple):
    """Which graphs of two annotators belong together.

    Attributes
    ----------
    first, second : int32[n_pairs]
        Their places; the number of the annotator's graphs stands for an empty graph.
    problems, ids
        As in :class:`~fastmatch.results.scores.CorpusScore`.
    """

    first: Int32Array
    second: Int32Array
    problems: tuple[Problem, ...]
    ids: Sequence[str | None]


def _matched(
    corpora: Sequence[Corpus],
    couple: tuple[int, int],
    names: Sequence[str],
    order: dict[str, int] | None,
    unpaired: Unpaired,
) -> _Matched:
    """How to pair the graphs of two annotators; warns if these pairs look odd.

    ``order`` has the place of each ``::id`` among all annotators' ids; None: the graphs are paired by position.
    """
    first, second = (corpora[k] for k in couple)
    called = names[couple[0]], names[couple[1]]
    found = pairing("agreement", first, second, "position" if order is None else "id", unpaired, called)
    if found is not None and order is not None:  # one order for all, so that a sentence can be drawn for all at once
        ids = found.ids
        places = sorted(range(len(ids)), key=lambda k: order[ids[k]])
        found = Pairing(found.pred[places], found.gold[places], [ids[k] for k in places])
    pair = (first, second) if found is None else found.take(first, second)
    if couple[0] < couple[1]:  # the other direction has the same pairs
        warn_odd_pairs(*pair, called)
    if found is None:
        rows = [np.arange(len(first), dtype=np.int32)] * 2
    else:
        sides = ((first, found.pred), (second, found.gold))
        rows = [np.where(index < 0, len(corpus), index).astype(np.int32) for corpus, index in sides]
    return _Matched(rows[0], rows[1], problems_of(*pair), pair_ids(*pair) if found is None else found.ids)


def _missing_ids(
    corpora: Sequence[Corpus], names: Sequence[str], order: dict[str, int], unpaired: str
) -> dict[str, tuple[str, ...]]:
    """The ids that each annotator lacks, of those in ``order``.

    Raises
    ------
    PairingError
        If there are any and ``unpaired`` is ``"raise"``. What is wrong with the ids of one annotator by themselves
        (none, or twice the same) is found where two annotators are paired.
    """
    own = [[id for id in corpus.ids if id] for corpus in corpora]
    found: dict[str, tuple[str, ...]] = {}
    for name, ids in zip(names, own, strict=True):
        known = set(ids)
        lacking = tuple(id for id in order if id not in known)
        if lacking:
            found[name] = lacking
    whole = all(len(set(ids)) == len(ids) == len(corpus) for ids, corpus in zip(own, corpora, strict=True))
    if found and unpaired == "raise" and whole:
        lists = "; ".join(f"{listed_ids(ids)} not in {name}" for name, ids in found.items())
        raise PairingError(
            f"agreement: paired by ::id: {lists}; unpaired='empty' counts what is missing as empty graphs, 'skip' "
            "leaves it out"
        )
    return found


def _scored(
    metric: Metric,
    corpora: Sequence[Corpus],
    couples: Sequence[tuple[int, int]],
    matched: Sequence[_Matched],
    workers: int,
    progress: Progress,
) -> list[CorpusScore]:
    """The scores of all couples of annotators; each annotator is prepared once."""
    lacking = any(
        (places.first == len(corpora[i])).any() or (places.second == len(corpora[j])).any()
        for (i, j), places in zip(couples, matched, strict=True)
    )
    prepared = [metric.prepare(with_an_empty_graph(corpus) if lacking else corpus) for corpus in corpora]
    results = []
    done = 0
    with Steps(progress, sum(len(places.first) for places in matched)) as report:
        for (i, j), places in zip(couples, matched, strict=True):
            signature = agreed_signature(metric, corpora[i], corpora[j])
            pairs = run(
                metric,
                prepared[i],
                prepared[j],
                places.first,
                places.second,
                workers=workers,
                progress=report.part(done),
            )
            done += len(places.first)
            results.append(CorpusScore(pairs, signature, places.problems, ids=places.ids))
    return results


def _of_mean(results: Sequence[CorpusScore], how: resampling.Resampling, workers: int) -> Intervals:
    """Intervals of the mean over all pairs of annotators, which all have the same sentences."""
    table = resampling.Table([result.pairs for result in results])
    names = results[0].headlines
    found = dict.fromkeys(names, Interval(np.nan, np.nan))
    if table.n_pairs >= 2:
        values = table.scores(table.totals(), table.n_pairs)
        drawn = table.scores(table.draw(BOOTSTRAP, how.resamples, how.seed, worker_count(workers)), table.n_pairs)
        left_out = table.scores(table.left_out(), table.n_pairs - 1) if how.method == "bca" else None
        for name in names:
            value = float(np.mean([scores[name] for scores in values]))
            replicates = np.mean([scores[name] for scores in drawn], axis=0)
            jackknife = None if left_out is None else np.mean([scores[name] for scores in left_out], axis=0)
            found[name] = resampling.interval(value, replicates, jackknife, how.confidence, how.method)
    return how.intervals(found)
