"""``compare``: is one system really better than another, or was it the choice of sentences?

Systems that predicted graphs for the same gold graphs are scored, and every micro and macro score of two systems is
tested for a difference; :mod:`fastmatch.evaluation.significance` says how.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Literal

import numpy as np

from fastmatch.errors import OptionError, PairingError, PairingWarning, choice, warn_caller
from fastmatch.evaluation import bootstrap as resampling
from fastmatch.evaluation import scoring
from fastmatch.evaluation.checks import warn_odd_pairs
from fastmatch.evaluation.compared import Comparison, Difference
from fastmatch.evaluation.pairing import by_id, check_pairing, paired
from fastmatch.evaluation.significance import CORRECTIONS, EPSILON, Resampled, adjusted
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import Graphs, corpus_of, pair_ids
from fastmatch.metrics.base import Metric
from fastmatch.metrics.choosing import chosen_metric
from fastmatch.results.problems import problems_of
from fastmatch.results.scores import CorpusScore
from fastmatch.results.signature import Signature
from fastmatch.results.words import system_letter
from fastmatch.runtime.cpus import worker_count
from fastmatch.types import Correction, IntervalMethod, MetricName, OnErrorPaired, PairBy, Progress, Unpaired


def compare(
    *systems: Graphs | CorpusScore,
    gold: Graphs | None = None,
    names: Sequence[str] | None = None,
    metric: MetricName | str | Metric = "smatch",
    preset: str | None = None,
    workers: int = 1,
    progress: Progress = None,
    on_error: OnErrorPaired = "raise",
    pair_by: PairBy = "position",
    unpaired: Unpaired = "raise",
    resamples: int = 10_000,
    confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca",
    bootstrap_seed: int = 0,
    correction: Correction = "holm",
    against: Literal["first", "all"] = "first",
    **options: Any,
) -> Comparison:
    """Compare systems that predicted the same gold graphs.

    Parameters
    ----------
    *systems
        Two or more predictions, in any form that :func:`fastmatch.score` takes, and then the gold graphs, unless these
        are given as ``gold``: ``compare(a, b, gold)`` or ``compare(a, b, c, gold=gold)``. Or results of
        :func:`fastmatch.score`, which are compared as they are.
    gold
        The gold graphs.
    names : sequence of str, optional
        Of the systems; A, B, … by default.
    metric, preset, workers, progress, on_error, pair_by, **options
        As for :func:`fastmatch.score`.
    unpaired : {"raise", "empty", "skip"}
        As for :func:`fastmatch.score`, but all systems are compared on the same pairs: ``"empty"`` counts predictions
        that are missing as empty graphs, while one without gold graph is an error; ``"skip"`` leaves out what is
        missing in any system.
    resamples : int
        Of either test, and for the intervals.
    confidence, bootstrap_method, bootstrap_seed
        Of the intervals; as for :func:`fastmatch.score`. The seed is also that of the tests.
    correction : {"holm", "bonferroni", "bh", "none"}
        For comparing more than two systems.
    against : {"first", "all"}
        Compare every system with the first (the baseline), or every two.

    Returns
    -------
    Comparison

    Raises
    ------
    OptionError
        If there are fewer than two systems, or an option has no such value.
    PairingError
        If a system and the gold graphs differ in number, or cannot be paired by id.
    ReadError, TypeError
        As for :func:`fastmatch.score`.

    Warns
    -----
    PairingWarning
        As :func:`fastmatch.score`; and if the ``::id`` of pairs of several results differ.
    """
    given: list[Any] = list(systems)
    scored = [isinstance(system, CorpusScore) for system in given]
    if given and all(scored) and gold is None:
        results: list[CorpusScore] = given
        _warn_other_pairs(results, names)
    else:
        if any(scored):
            raise OptionError("compare: results and graphs do not mix; give results only, or graphs only")
        if gold is None and given:
            gold = given.pop()
        if gold is None or len(given) < 2:
            raise OptionError("compare: expected two systems or more, and the gold graphs behind them or as gold=")
        _checked(resamples, confidence, bootstrap_method, bootstrap_seed, correction, against)
        choice("on_error", on_error, ("raise", "empty", "repair"))
        check_pairing(pair_by, unpaired)
        chosen = chosen_metric(metric, preset, options)
        called = [system_letter(number) for number in range(len(given))] if names is None else list(names)
        results = scored_systems(given, gold, chosen, on_error, pair_by, unpaired, called, workers, progress)
    return compare_scores(
        results,
        [system_letter(number) for number in range(len(results))] if names is None else names,
        resamples=resamples,
        confidence=confidence,
        bootstrap_method=bootstrap_method,
        bootstrap_seed=bootstrap_seed,
        correction=correction,
        against=against,
        workers=workers,
    )


def scored_systems(
    systems: Sequence[Graphs],
    gold: Graphs,
    metric: Metric,
    on_error: OnErrorPaired,
    pair_by: PairBy,
    unpaired: Unpaired,
    names: Sequence[str],
    workers: int,
    progress: Progress,
) -> list[CorpusScore]:
    """The score of every system on the same pairs, as :func:`compare` takes them and with its errors."""
    results = []
    for pair in paired_systems("compare", systems, gold, metric, on_error, pair_by, unpaired, names, workers=workers):
        pairs, signature = scoring.score_corpora(metric, *pair, workers, progress, False)
        results.append(CorpusScore(pairs, signature, problems_of(*pair), ids=pair_ids(*pair)))
    return results


def paired_systems(
    verb: str,
    systems: Sequence[Graphs],
    gold: Graphs,
    metric: Metric,
    on_error: OnErrorPaired,
    pair_by: PairBy,
    unpaired: Unpaired,
    names: Sequence[str],
    extra: bool = False,
    workers: int = 1,
) -> list[tuple[Corpus, Corpus]]:
    """The graphs of every system with the gold graphs that belong to them; all share one vocabulary.

    All systems have the same pairs. ``verb`` is what errors call the caller; ``extra`` says what becomes of predictions
    without gold graph if ``unpaired`` is ``"empty"``: pairs with an empty gold graph, or an error. ``workers``
    threads read files.
    """
    gold_corpus = corpus_of("gold", gold, None, metric.dialect, on_error, workers=workers)
    # fewer names are an error of their own, which comes later
    called = [*names, *map(system_letter, range(len(names), len(systems)))]
    corpora = [
        corpus_of(system_letter(number), system, gold_corpus.vocabulary, metric.dialect, on_error, workers=workers)
        for number, system in enumerate(systems)
    ]
    if unpaired == "skip":  # the gold graphs that all systems have
        for corpus, name in zip(corpora, called, strict=False):
            gold_corpus = by_id(verb, corpus, gold_corpus, unpaired, (name, "gold")).take(corpus, gold_corpus)[1]
    found = []
    for corpus, name in zip(corpora, called, strict=False):
        if pair_by == "id":
            # Graphs of this system that another one lacks are left out, and were named already.
            own = corpus[_known(corpus, gold_corpus)] if unpaired == "skip" else corpus
            pair = by_id(verb, own, gold_corpus, unpaired, (name, "gold"), extra=extra).take(own, gold_corpus)
        else:
            pair = paired(verb, corpus, gold_corpus, names=(name, "gold"))
        warn_odd_pairs(*pair, (name, "gold"))
        found.append(pair)
    return found


def _known(corpus: Corpus, gold: Corpus) -> list[int]:
    """Places of the graphs whose ids are among those of the gold graphs."""
    known = set(gold.ids) - {None}
    return [k for k, id in enumerate(corpus.ids) if id in known]


def compare_scores(
    results: Sequence[CorpusScore],
    names: Sequence[str],
    *,
    resamples: int = 10_000,
    confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca",
    bootstrap_seed: int = 0,
    correction: Correction = "holm",
    against: Literal["first", "all"] = "first",
    workers: int = 1,
) -> Comparison:
    """Compare results on the same gold graphs; see :func:`compare` for the options.

    O(resamples · n) for each system and each comparison.

    Raises
    ------
    OptionError
        If there are fewer than two results, or not as many names, or they were made with different metrics or options.
    PairingError
        If they have different numbers of pairs.
    """
    how = _checked(resamples, confidence, bootstrap_method, bootstrap_seed, correction, against)
    results = _alike(results, names)
    names = distinct_names(names)
    resampled = Resampled([result.pairs for result in results], how, worker_count(workers))
    n_systems = len(results)
    couples = [(0, k) for k in range(1, n_systems)] if against == "first" else list(combinations(range(n_systems), 2))
    rows = [row for first, second in couples for row in _differences(resampled, results, names, first, second)]
    tests = {
        "tests": "randomisation+bootstrap",
        "exchanges": "exact" if resampled.exact else "random",
        **how.fields,
        "against": against if n_systems > 2 else None,
        "correction": correction if len(couples) > 1 else None,
        "family": len(couples) if len(couples) > 1 else None,
    }
    return Comparison(
        tuple(names),
        tuple(replace(result, intervals=how.intervals(resampled.intervals(k))) for k, result in enumerate(results)),
        tuple(_corrected(rows, resampled.names, correction)),
        Signature("compare", tests),
        confidence,
    )


def _differences(
    resampled: Resampled, results: Sequence[CorpusScore], names: Sequence[str], first: int, second: int
) -> list[Difference]:
    """The differences of two systems, one a score, with p-values that are not corrected yet."""
    gain = results[second].pairs.score - results[first].pairs.score
    better, worse = int((gain > EPSILON).sum()), int((gain < -EPSILON).sum())
    return [
        Difference(
            *(names[first], names[second], name),
            values=(resampled.values[first][name], resampled.values[second][name]),
            interval=tested.interval,
            effect=tested.effect,
            p_randomisation=tested.p_randomisation,
            p_bootstrap=tested.p_bootstrap,
            adjusted_randomisation=np.nan,
            adjusted_bootstrap=np.nan,
            better=better,
            equal=resampled.n_pairs - better - worse,
            worse=worse,
        )
        for name, tested in resampled.tested(first, second).items()
    ]


def _corrected(rows: list[Difference], names: Sequence[str], correction: Correction) -> list[Difference]:
    """The rows, each score's p-values corrected for their number."""
    rows = list(rows)
    family: dict[str, list[int]] = {name: [] for name in names}
    for number, row in enumerate(rows):
        family[row.score].append(number)
    for numbers in family.values():
        randomisation = adjusted([rows[number].p_randomisation for number in numbers], correction)
        bootstrap = adjusted([rows[number].p_bootstrap for number in numbers], correction)
        for number, *p in zip(numbers, randomisation, bootstrap, strict=True):
            rows[number] = replace(rows[number], adjusted_randomisation=p[0], adjusted_bootstrap=p[1])
    return rows


def _checked(
    resamples: int, confidence: float, method: IntervalMethod, seed: int, correction: str, against: str
) -> resampling.Resampling:
    how = resampling.checked(resamples, confidence, method, seed)
    choice("correction", correction, CORRECTIONS)
    choice("against", against, ("first", "all"))
    return how


def _alike(results: Sequence[CorpusScore], names: Sequence[str]) -> list[CorpusScore]:
    """The results, if they can be compared, all with the same signature.

    If graphs of one system were repaired, all were read so, though others may have had nothing to repair.

    Raises
    ------
    OptionError, PairingError
        As for :func:`compare_scores`.
    """
    if len(results) < 2:
        raise OptionError(f"compare: expected two systems or more, found {len(results)}")
    if len(names) != len(results):
        raise OptionError(f"compare: {len(results)} systems but {len(names)} names")
    distinct = distinct_names(names)
    plain = [result.signature.with_fields(on_error=None) for result in results]
    for name, result, signature in zip(distinct, results, plain, strict=True):
        if signature != plain[0]:
            made = f"{distinct[0]} was scored as {plain[0]}, {name} as {signature}"
            raise OptionError(f"compare: {made}; score both alike")
        if len(result) != len(results[0]):
            raise PairingError(f"compare: {distinct[0]} has {len(results[0])} pairs, {name} {len(result)}")
    joint = next((result.signature for result in results if "on_error" in result.signature.fields), plain[0])
    return [result if result.signature == joint else replace(result, signature=joint) for result in results]


def _warn_other_pairs(results: Sequence[CorpusScore], names: Sequence[str] | None) -> None:
    """Warn if the ``::id`` of pairs differ, as after scoring files in different orders: tests pair by position."""
    called = names or [system_letter(number) for number in range(len(results))]
    first = list(results[0].ids)
    for result, name in zip(results[1:], called[1:], strict=False):
        for number, (mine, its) in enumerate(zip(first, result.ids, strict=False)):
            if mine is not None and its is not None and mine != its:
                text = (
                    f"compare: pair {number} is {mine!r} in {called[0]} and {its!r} in {name}; results are compared "
                    "pair by pair, so score all systems against the same gold graphs in the same order"
                )
                warn_caller(text, PairingWarning)
                return


def distinct_names(names: Sequence[str]) -> list[str]:
    """The names, with a number behind those that stand there already: a file may be compared with itself."""
    result: list[str] = []
    for name in names:
        number, taken = 1, name
        while taken in result:
            number += 1
            taken = f"{name} ({number})"
        result.append(taken)
    return result
