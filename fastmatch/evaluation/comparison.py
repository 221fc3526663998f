"""Is one system better than another, or was it the choice of sentences?

Systems that predicted graphs for the same gold graphs are compared pair by pair. Two tests of "both are equally good":

approximate randomisation (Noreen 1989; Riezler and Maxwell 2005)
    If they are, each pair's two results might as well have come from the other system. So: exchange them for a random
    half of the pairs, score both corpora again, and see how often the difference gets at least as large as it was.
    With so few pairs that all 2ⁿ exchanges fit into the number of resamples, each is made once and p is exact.
paired bootstrap (Koehn 2004; Efron and Tibshirani 1993, ch. 16)
    Draw pairs with replacement, the same ones for both systems, and see how often the difference strays from its mean
    by at least as much as it was. The same draws give the interval of the difference.

Both are two-sided and exchange or draw *statistics* of pairs, so micro scores are tested as such, not as means.
p = (k + 1) / (R + 1) for k of R resamples, as in sacreBLEU: the corpus as it is counts as one resample, so p is never
0, and a test at 5 % errs in at most 5 % of cases. Three points where sacreBLEU 2 differs: it counts only differences
that are strictly larger, so that a system compared with itself gets p = 1 / (R + 1), here 1; its bootstrap takes the
absolute value of the differences before it subtracts their mean; and it makes no exact test.

The **effect size** says how large a difference is, whatever the number of pairs: the difference over the standard
deviation of the pairs' contributions to it (Cohen's d for paired samples, d_z). For a macro score these are the pairs'
differences; for a micro score the jackknife's pseudo-values n·Δ − (n − 1)·Δ₍₋ᵢ₎, of which that is the special case.

Of 20 comparisons at the 5 % level one comes out by chance. **Corrections** of p over all comparisons of systems, each
score and test by itself: ``holm`` (Holm 1979: the chance of any false alarm; never weaker than ``bonferroni``),
``bonferroni``, ``bh`` (Benjamini and Hochberg 1995: the share of false alarms among the alarms), ``none``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from fastmatch._ext.resampling import BOOTSTRAP, SUBSET, SWAP
from fastmatch.errors import OptionError, PairingError
from fastmatch.evaluation import bootstrap as resampling
from fastmatch.evaluation import scoring
from fastmatch.evaluation.inputs import chosen_metric, corpus_of
from fastmatch.metrics.options import choice
from fastmatch.results.intervals import Interval, Intervals
from fastmatch.results.scores import CorpusScore
from fastmatch.results.signature import Signature
from fastmatch.runtime.cpus import worker_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastmatch.evaluation.inputs import Graphs
    from fastmatch.metrics.base import Metric
    from fastmatch.types import FloatArray, Progress

__all__ = ["CORRECTIONS", "Comparison", "Difference", "adjusted", "compare", "compare_scores"]

CORRECTIONS = ("holm", "bonferroni", "bh", "none")

#: Differences that rounding may have parted are equal: scores are fractions, exact to some 1e-16.
_EPSILON = 1e-13


@dataclass(frozen=True)
class Difference:
    """One score of two systems, compared.

    Attributes
    ----------
    first, second : str
        Names of the systems.
    score : str
        Name of the score: ``f1``, …, ``macro_f1``, …
    values : (float, float)
        The score of the first and of the second system.
    interval : Interval
        Of ``difference``, with the comparison's confidence.
    effect : float
        The difference in standard deviations of the pairs' contributions; nan where these do not vary.
    p_randomisation, p_bootstrap : float
        The chance of a difference at least as large if the systems were equally good, by either test; nan without two
        pairs.
    adjusted_randomisation, adjusted_bootstrap : float
        The same, corrected for the number of comparisons.
    better, equal, worse : int
        Pairs whose headline score is higher, the same, lower in the second system.
    """

    first: str
    second: str
    score: str
    values: tuple[float, float]
    interval: Interval
    effect: float
    p_randomisation: float
    p_bootstrap: float
    adjusted_randomisation: float
    adjusted_bootstrap: float
    better: int
    equal: int
    worse: int

    @property
    def difference(self) -> float:
        """Score of the second system minus score of the first: above 0 the second is better."""
        return self.values[1] - self.values[0]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON: what does not exist is None."""
        return {
            "first": self.first,
            "second": self.second,
            "score": self.score,
            "first_value": self.values[0],
            "second_value": self.values[1],
            "difference": self.difference,
            "low": _number(self.interval.low),
            "high": _number(self.interval.high),
            "effect": _number(self.effect),
            "p_randomisation": _number(self.p_randomisation),
            "p_bootstrap": _number(self.p_bootstrap),
            "adjusted_randomisation": _number(self.adjusted_randomisation),
            "adjusted_bootstrap": _number(self.adjusted_bootstrap),
            "better": self.better,
            "equal": self.equal,
            "worse": self.worse,
        }


@dataclass(frozen=True, repr=False)
class Comparison:
    """Several systems against the same gold graphs.

    Attributes
    ----------
    names : tuple of str
    results : tuple of CorpusScore
        One a system, with intervals.
    differences : tuple of Difference
        For each two systems compared, every micro and macro score.
    signature : Signature
        How they were compared; what the scores depend on says ``results[0].signature``.
    confidence : float
        Of all intervals.
    """

    names: tuple[str, ...]
    results: tuple[CorpusScore, ...]
    differences: tuple[Difference, ...]
    signature: Signature
    confidence: float

    def of(self, score: str) -> tuple[Difference, ...]:
        """The differences in one score, such as ``f1`` or ``macro_f1``.

        Raises
        ------
        OptionError
            If the metric has no such score.
        """
        found = tuple(difference for difference in self.differences if difference.score == score)
        if not found:
            known = dict.fromkeys(difference.score for difference in self.differences)
            raise OptionError(f"score={score!r}: expected one of {', '.join(map(repr, known))}")
        return found

    @property
    def headlines(self) -> tuple[str, ...]:
        """Names of the metric's headline score: micro, if the pairs add up, and macro."""
        result = self.results[0]
        name = next(iter(result.scores))
        return (name, f"macro_{name}") if result.pairs.summable else (name,)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON."""
        return {
            "metric": self.results[0].signature.metric,
            "signature": str(self.results[0].signature),
            "comparison": str(self.signature),
            "confidence": self.confidence,
            "n_pairs": len(self.results[0]),
            "systems": [
                {"name": name, **result.to_dict()} for name, result in zip(self.names, self.results, strict=True)
            ],
            "differences": [difference.to_dict() for difference in self.differences],
        }

    def __repr__(self) -> str:
        rows = ", ".join(
            f"{row.second} − {row.first}: {row.difference:+.4f} (p {row.adjusted_randomisation:.4f})"
            for row in self.of(self.headlines[0])
        )
        return f"<Comparison: {rows}, {self.results[0].signature}>"


def compare(
    *systems: Graphs | CorpusScore,
    gold: Graphs | None = None,
    names: Sequence[str] | None = None,
    metric: str | Metric = "smatch",
    preset: str | None = None,
    workers: int = 1,
    progress: Progress = None,
    on_error: str = "raise",
    resamples: int = 10_000,
    confidence: float = 0.95,
    bootstrap_method: str = "bca",
    bootstrap_seed: int = 0,
    correction: str = "holm",
    against: str = "first",
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
    metric, preset, workers, progress, on_error, **options
        As for :func:`fastmatch.score`.
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
        If the sides differ in length.
    ReadError, TypeError
        As for :func:`fastmatch.score`.
    """
    given: list[Any] = list(systems)
    scored = [isinstance(system, CorpusScore) for system in given]
    if given and all(scored) and gold is None:
        results = given
    else:
        if any(scored):
            raise OptionError("compare: results and graphs do not mix; give results only, or graphs only")
        if gold is None and given:
            gold = given.pop()
        if gold is None or len(given) < 2:
            raise OptionError("compare: expected two systems or more, and the gold graphs behind them or as gold=")
        _check(resamples, confidence, bootstrap_method, bootstrap_seed, correction, against)
        chosen = chosen_metric(metric, preset, options)
        gold_corpus = corpus_of("gold", gold, None, chosen, on_error)
        results = []
        for number, system in enumerate(given):
            corpus = corpus_of(_letter(number), system, gold_corpus.vocabulary, chosen, on_error)
            if len(corpus) != len(gold_corpus):
                raise PairingError(
                    f"compare: system {_letter(number)} has {len(corpus)} graphs, gold {len(gold_corpus)}"
                )
            results.append(scoring.score(corpus, gold_corpus, metric=chosen, workers=workers, progress=progress))
    if names is None:
        names = [_letter(number) for number in range(len(results))]
    return compare_scores(
        results,
        names,
        resamples=resamples,
        confidence=confidence,
        method=bootstrap_method,
        seed=bootstrap_seed,
        correction=correction,
        against=against,
        workers=workers,
    )


def compare_scores(
    results: Sequence[CorpusScore],
    names: Sequence[str],
    *,
    resamples: int = 10_000,
    confidence: float = 0.95,
    method: str = "bca",
    seed: int = 0,
    correction: str = "holm",
    against: str = "first",
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
    _check(resamples, confidence, method, seed, correction, against)
    if len(results) < 2:
        raise OptionError(f"compare: expected two systems or more, found {len(results)}")
    if len(names) != len(results):
        raise OptionError(f"compare: {len(results)} systems but {len(names)} names")
    names = _distinct(names)
    for name, result in zip(names, results, strict=True):
        if result.signature != results[0].signature:
            made = f"{names[0]} was scored as {results[0].signature}, {name} as {result.signature}"
            raise OptionError(f"compare: {made}; score both alike")
        if len(result) != len(results[0]):
            raise PairingError(f"compare: {names[0]} has {len(results[0])} pairs, {name} {len(result)}")
    workers = worker_count(workers)
    table = resampling.Table([result.pairs for result in results])
    n_pairs, n_systems = table.n_pairs, len(results)
    values = [
        {name: float(value) for name, value in scores.items()} for scores in table.scores(table.totals(), n_pairs)
    ]
    exact = n_pairs < 62 and 2**n_pairs <= resamples
    replicates: list[dict[str, FloatArray]] = []
    left_out: list[dict[str, FloatArray]] = []
    intervals = [dict.fromkeys(table.names, Interval(np.nan, np.nan))] * n_systems
    if n_pairs > 1:
        replicates = table.scores(table.draw(BOOTSTRAP, resamples, seed, workers), n_pairs)
        left_out = table.scores(table.left_out(), n_pairs - 1)
        intervals = [
            {
                name: resampling.interval(value, replicates[k][name], left_out[k][name], confidence, method)
                for name, value in values[k].items()
            }
            for k in range(n_systems)
        ]
    couples = [(0, k) for k in range(1, n_systems)] if against == "first" else list(combinations(range(n_systems), 2))
    rows: list[Difference] = []
    for a, b in couples:
        swapped = table.exchanged(a, b, SUBSET if exact else SWAP, 2**n_pairs if exact else resamples, seed, workers)
        gain = results[b].pairs.score - results[a].pairs.score
        better, worse = int((gain > _EPSILON).sum()), int((gain < -_EPSILON).sum())
        for name in table.names:
            difference = values[b][name] - values[a][name]
            span, effect, p_randomisation, p_bootstrap = Interval(np.nan, np.nan), np.nan, np.nan, np.nan
            if n_pairs > 1:
                draws = replicates[b][name] - replicates[a][name]
                without = left_out[b][name] - left_out[a][name]
                span = resampling.interval(difference, draws, without, confidence, method)
                effect = _effect(difference, without)
                p_bootstrap = _p_value(draws - draws.mean(), difference, False)
                p_randomisation = _p_value(swapped[1][name] - swapped[0][name], difference, exact)
            rows.append(
                Difference(
                    *(names[a], names[b], name),
                    values=(values[a][name], values[b][name]),
                    interval=span,
                    effect=effect,
                    p_randomisation=p_randomisation,
                    p_bootstrap=p_bootstrap,
                    adjusted_randomisation=np.nan,
                    adjusted_bootstrap=np.nan,
                    better=better,
                    equal=n_pairs - better - worse,
                    worse=worse,
                )
            )
    ways: dict[str, str | int | float | None] = {"ci": method, "conf": confidence, "n": resamples, "seed": seed}
    drawn = Signature("bootstrap", ways)
    tests = {
        "tests": "randomisation+bootstrap",
        "exchanges": "exact" if exact else "random",
        **ways,
        "against": against if n_systems > 2 else None,
        "correction": correction if len(couples) > 1 else None,
        "family": len(couples) if len(couples) > 1 else None,
    }
    return Comparison(
        tuple(names),
        tuple(
            replace(result, intervals=Intervals(found, confidence=confidence, signature=drawn))
            for result, found in zip(results, intervals, strict=True)
        ),
        tuple(_corrected(rows, table.names, correction)),
        Signature("compare", tests),
        confidence,
    )


def _p_value(draws: FloatArray, difference: float, exact: bool) -> float:
    """Share of the draws at least as far from 0 as the difference."""
    extreme = int(np.count_nonzero(np.abs(draws) >= abs(difference) - _EPSILON))
    return extreme / len(draws) if exact else (extreme + 1) / (len(draws) + 1)


def _effect(difference: float, without: FloatArray) -> float:
    """The difference over the standard deviation of the jackknife's pseudo-values."""
    n_pairs = len(without)
    deviation = float(np.std(without, ddof=1)) * (n_pairs - 1)
    if deviation > _EPSILON:
        return difference / deviation
    return 0.0 if abs(difference) <= _EPSILON else float("nan")


def adjusted(p_values: Sequence[float], correction: str) -> list[float]:
    """p-values corrected for their number, in the same order; all nan if one is.

    Examples
    --------
    >>> adjusted([0.01, 0.04, 0.03], "holm")
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, np.float64)
    count = len(p)
    if correction == "none" or not count:
        return list(p_values)
    if np.isnan(p).any():
        return [float("nan")] * count
    order = np.argsort(p, kind="stable")
    rank = np.arange(count)
    if correction == "bonferroni":
        steps = p[order] * count
    elif correction == "holm":
        steps = np.maximum.accumulate(p[order] * (count - rank))
    else:
        steps = np.minimum.accumulate((p[order] * (count / (rank + 1)))[::-1])[::-1]
    result = np.empty(count)
    result[order] = np.minimum(steps, 1)
    return [float(value) for value in result]


def _corrected(rows: list[Difference], names: Sequence[str], correction: str) -> list[Difference]:
    family: dict[str, list[int]] = {name: [] for name in names}
    for number, row in enumerate(rows):
        family[row.score].append(number)
    for numbers in family.values():
        randomisation = adjusted([rows[number].p_randomisation for number in numbers], correction)
        bootstrap = adjusted([rows[number].p_bootstrap for number in numbers], correction)
        for number, *p in zip(numbers, randomisation, bootstrap, strict=True):
            rows[number] = replace(rows[number], adjusted_randomisation=p[0], adjusted_bootstrap=p[1])
    return rows


def _check(resamples: int, confidence: float, method: str, seed: int, correction: str, against: str) -> None:
    resampling.check(resamples, confidence, method, seed)
    choice("correction", correction, CORRECTIONS)
    choice("against", against, ("first", "all"))


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, with a number behind those that stand there already: a file may be compared with itself."""
    result: list[str] = []
    for name in names:
        number, taken = 1, name
        while taken in result:
            number += 1
            taken = f"{name} ({number})"
        result.append(taken)
    return result


def _letter(number: int) -> str:
    return chr(ord("A") + number) if number < 26 else f"S{number + 1}"


def _number(value: float) -> float | None:
    return None if value != value else value
