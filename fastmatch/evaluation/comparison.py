"""``compare``: is one system really better than another, or was it the choice of sentences?

Systems that predicted graphs for the same gold graphs are scored, and every micro and macro score of two systems is
tested for a difference; :mod:`fastmatch.evaluation.significance` says how.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np

from fastmatch.errors import OptionError, PairingError, PairingWarning, choice, warn_caller
from fastmatch.evaluation import bootstrap as resampling
from fastmatch.evaluation import scoring
from fastmatch.evaluation.checks import warn_odd_pairs
from fastmatch.evaluation.pairing import Rules, by_id, paired, read_together
from fastmatch.evaluation.significance import CORRECTIONS, EPSILON, Resampled, adjusted
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import Graphs, pair_ids
from fastmatch.metrics.base import Metric
from fastmatch.metrics.choosing import chosen_metric
from fastmatch.report.cells import Number, Points, Span, count
from fastmatch.report.frames import Tabular
from fastmatch.report.model import Report, Reported, Table, by_name
from fastmatch.report.writing import plain
from fastmatch.results.equality import ByValue
from fastmatch.results.problems import problems_of
from fastmatch.results.scores import CorpusScore, Interval, number_of_pairs
from fastmatch.results.signature import Signature
from fastmatch.results.words import label, system_letter
from fastmatch.runtime.cpus import worker_count
from fastmatch.types import Correction, IntervalMethod, MetricName, OnErrorPaired, PairBy, Progress, Unpaired


class Loss(NamedTuple):
    """A pair: its number, its ``::id`` (None if it has none), and the headline scores of the two systems."""

    index: int  # type: ignore[assignment] # hides the method of tuples
    id: str | None
    first: float
    second: float


@dataclass(frozen=True, eq=False)
class Difference(ByValue):
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
        first, second, score, values, interval, *others = vars(self).items()
        ends = {"first_value": values[1][0], "second_value": values[1][1], "difference": self.difference}
        return plain(dict([first, second, score, *ends.items(), *interval[1]._asdict().items(), *others]))


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(ByValue, Reported, Tabular):
    """Several systems against the same gold graphs.

    Attributes
    ----------
    names : tuple of str
    results : tuple of CorpusScore
        One a system, with intervals.
    differences : tuple of Difference
        For each two systems compared, every micro and macro score.
    signature : Signature
        How they were compared. What the scores depend on is in ``results[0].signature``.
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
        choice("score", score, dict.fromkeys(difference.score for difference in self.differences))
        return tuple(difference for difference in self.differences if difference.score == score)

    @property
    def headlines(self) -> tuple[str, ...]:
        """Names of the metric's headline score: micro, if the pairs add up, and macro."""
        return self.results[0].headlines

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON."""
        return {
            **self.results[0].signature.to_dict(),
            "headline": next(iter(self.results[0].scores)),
            "comparison": str(self.signature),
            "confidence": self.confidence,
            "systems": [
                {"name": name, **result.facts()} for name, result in zip(self.names, self.results, strict=True)
            ],
            # the values that differ are scores of the systems
            "differences": [
                {name: value for name, value in difference.to_dict().items() if not name.endswith("_value")}
                for difference in self.differences
            ],
        }

    def _rows(self) -> list[dict[str, Any]]:
        """One row a difference: two systems and one score."""
        return [difference.to_dict() for difference in self.differences]

    def signed_rows(self) -> list[dict[str, Any]]:
        """The same, each with what it depends on."""
        signatures = {"signature": str(self.results[0].signature), "comparison": str(self.signature)}
        return [row | signatures for row in self._rows()]

    def __len__(self) -> int:
        """Number of pairs."""
        return len(self.results[0])

    def worst(self, n: int = 10) -> dict[tuple[str, str], list[Loss]]:
        """For each two systems that were compared the ``n`` pairs in which the second loses most against the first.

        Pairs that lose the same stand in their order in the corpus; a pair in which it does not lose is none of them.

        Raises
        ------
        OptionError
            If ``n`` is not a whole number, 0 or more.
        """
        number = number_of_pairs(n)
        scores = {name: result.pairs.score for name, result in zip(self.names, self.results, strict=True)}
        ids = self.results[0].ids
        found = {}
        for row in self.of(self.headlines[0]):
            one, two = scores[row.first], scores[row.second]
            order = np.argsort(two - one, kind="stable")[:number]
            found[row.first, row.second] = [
                Loss(k, ids[k] if len(ids) == len(one) else None, float(one[k]), float(two[k]))
                for k in order.tolist()
                if two[k] < one[k]
            ]
        return found

    def report(self, worst: int | None = None) -> Report:
        """The systems' headline scores with intervals, then each difference with effect size and p by both tests.

        The last column, better/equal/worse, says in how many pairs the second system scores higher, the same, lower.
        For programs a row a difference and score; for a paper a table of the systems. With ``worst`` also the pairs in
        which a system loses most (:meth:`worst`).
        """
        first = self.results[0]
        names = self.headlines
        heads = [f"{kind} {label(names[0])}" for kind in (("micro", "macro") if len(names) > 1 else ("macro",))]
        # differences name the systems by letters, for the names are mostly those of files
        letters = {name: system_letter(number) for number, name in enumerate(self.names)}
        losses = {} if worst is None else self.worst(worst)
        lost = [_losses(letters[one], letters[two], found) for (one, two), found in losses.items() if found]
        title = f"{first.signature.metric}: {count(len(first), 'pair')}"
        tables = [self._systems(letters, heads, title), self._differences(letters, heads), *lost]
        record = self.to_dict() if worst is None else {**self.to_dict(), "worst": _loss_records(losses)}
        notes = [f"signature: {first.signature}", f"comparison: {self.signature}"]
        paper = self._paper()
        paper = paper._replace(tables=[*paper.tables, *lost])
        return Report("fastmatch compare", tables, *by_name(self.signed_rows()), record, notes=notes, paper=paper)

    @classmethod
    def _together(cls, results: Mapping[str, Comparison], worst: int | None) -> Report:
        return comparisons_report(results, None, worst)

    def _paper(self) -> Report:
        """Marked against the first system, or the best if every two were compared."""
        from fastmatch.results.paper import Line, paper_table, shown_scores

        every_two = self.signature.fields.get("against") == "all"
        first = self.results[0]
        lines = [Line(first.signature.metric, score, self.results, self) for score in shown_scores(first)]
        return paper_table(self.names, lines, None if every_two else self.names[0])

    def _systems(self, letters: dict[str, str], heads: list[str], title: str) -> Table:
        """A row a system: its headline scores with their intervals."""
        rows = []
        for system, result in zip(self.names, self.results, strict=True):
            values = (result.scores.headline, result.macro.headline)
            assert result.intervals is not None
            cells = [Points(value, result.intervals[name]) for name, value in zip(self.headlines, values, strict=False)]
            rows.append((system if system == letters[system] else f"{letters[system]}  {system}", *cells))
        interval = f"{100 * self.confidence:g} % interval"
        return Table(("system", *(f"{head}, {interval}" for head in heads)), rows, title)

    def _differences(self, letters: dict[str, str], heads: list[str]) -> Table:
        """A row a difference of two systems: effect size, p by both tests, and how many pairs are better."""
        several = len(self.of(self.headlines[0])) > 1
        rows = []
        for name, head in zip(self.headlines, heads, strict=True):
            for row in self.of(name):
                p = (row.p_randomisation, row.adjusted_randomisation, row.p_bootstrap, row.adjusted_bootstrap)
                rows.append(
                    (f"{letters[row.second]} - {letters[row.first]}", head, *_tested(row, p if several else p[::2]))
                )
        tests = ("p randomisation", "corrected", "p bootstrap", "corrected")
        interval = f"{100 * self.confidence:g} % interval"
        shown = tests if several else tests[::2]
        return Table(("difference", "score", "points", interval, "effect", *shown, "better/equal/worse"), rows)

    def __repr__(self) -> str:
        rows = ", ".join(
            f"{row.second} − {row.first}: {row.difference:+.4f} (p {row.adjusted_randomisation:.4f})"
            for row in self.of(self.headlines[0])
        )
        return f"<Comparison: {rows}, {self.results[0].signature}>"


def _tested(row: Difference, p: Sequence[float]) -> tuple[object, ...]:
    """What a row of a table says of a difference."""
    return (
        Points(row.difference, signed=True),
        Span(*row.interval, signed=True),
        Number(row.effect, 3, signed=True),
        *(Number(value, 4) for value in p),
        f"{row.better:,}/{row.equal:,}/{row.worse:,}",
    )


def _losses(one: str, two: str, found: Sequence[Loss]) -> Table:
    rows = [
        (str(index), id, Points(first), Points(second), Points(second - first, signed=True))
        for index, id, first, second in found
    ]
    title = f"{count(len(rows), 'pair')} in which {two} loses most against {one}"
    return Table(("pair", "id", one, two, "points"), rows, title)


def _loss_records(losses: Mapping[tuple[str, str], Sequence[Loss]]) -> list[dict[str, Any]]:
    return [
        {"first": first, "second": second, "pairs": [pair._asdict() for pair in found]}
        for (first, second), found in losses.items()
    ]


def comparisons_report(
    comparisons: Mapping[str, Comparison], aspects: tuple[str, str] | None = None, worst: int | None = None
) -> Report:
    """The same systems compared by several metrics, or in several aspects: a row each, and difference.

    Parameters
    ----------
    comparisons : mapping of str → Comparison
        By the names of the rows; all of the same systems and pairs.
    aspects : (str, str), optional
        If the names are those of aspects: their kind, and what they all depend on. Names of metrics by default.
    worst : int, optional
        Also the pairs in which a system loses most.
    """
    from fastmatch.results.paper import Line, aspects_table, paper_table

    what = "metric" if aspects is None else "aspect"
    first = next(iter(comparisons.values()))
    letters = {name: system_letter(number) for number, name in enumerate(first.names)}
    several = len(first.of(first.headlines[0])) > 1
    nothing: dict[str, Interval] = {}
    rows, lost, record = [], [], {}
    for name, made in comparisons.items():
        headline = made.headlines[0]
        of = dict(zip(made.names, made.results, strict=True))
        for row in made.of(headline):
            values = [
                Points(value, (of[system].intervals or nothing).get(headline))
                for system, value in zip((row.first, row.second), row.values, strict=True)
            ]
            couple = [f"{letters[row.second]} - {letters[row.first]}"] * several
            p = (row.adjusted_randomisation, row.adjusted_bootstrap)
            rows.append((name, *couple, *values, *_tested(row, p)))
        losses = {} if worst is None else made.worst(worst)
        record[name] = made.to_dict() if worst is None else {**made.to_dict(), "worst": _loss_records(losses)}
        for (one, two), found in losses.items():
            if found:
                table = _losses(letters[one], letters[two], found)
                lost.append(table._replace(title=f"{name}: {table.title}"))
    interval = f"{100 * first.confidence:g} % interval"
    ends = ("first", "second") if several else (*map(letters.__getitem__, first.names[:2]),)
    header = (what, *(["difference"] * several), *(f"{end}, {interval}" for end in ends))
    header += ("points", interval, "effect", "p randomisation", "p bootstrap", "better/equal/worse")
    title = [f"{count(len(comparisons), what)}, {count(len(first.results[0]), 'pair')}", ""]
    title += [f"  {letter}  {name}" for name, letter in letters.items() if letter != name]
    data = [{what: name, **row} for name, made in comparisons.items() for row in made.signed_rows()]
    lines = [Line(name, made.headlines[0], made.results, made) for name, made in comparisons.items()]
    baseline = None if first.signature.fields.get("against") == "all" else first.names[0]
    if aspects is None:
        paper = paper_table(first.names, lines, baseline)
    else:
        of_systems = [{name: made.results[k] for name, made in comparisons.items()} for k in range(len(first.names))]
        paper = aspects_table(first.names, of_systems, lines, aspects, baseline)
    paper = paper._replace(tables=[*paper.tables, *lost])
    tables = [Table(header, rows, "\n".join(title)), *lost]
    notes = [f"comparison: {first.signature}", *([f"p is corrected over the systems, not over the {what}s"] * several)]
    return Report(
        "fastmatch compare", tables, *by_name(data), {f"{what}s": record}, paper.signatures, notes, paper=paper
    )


# ---- how they are compared -------------------------------------------------------------------------------------------


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
        rules = Rules("compare", pair_by, unpaired, on_error, workers).checked()
        chosen = chosen_metric(metric, preset, options)
        called = [system_letter(number) for number in range(len(given))] if names is None else list(names)
        results = scored_systems(given, gold, chosen, rules, called, progress)
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
    systems: Sequence[Graphs], gold: Graphs, metric: Metric, rules: Rules, names: Sequence[str], progress: Progress
) -> list[CorpusScore]:
    """The score of every system on the same pairs, as :func:`compare` takes them and with its errors."""
    results = []
    for pair in paired_systems(systems, gold, metric, rules, names):
        pairs, signature = scoring.score_corpora(metric, *pair, rules.workers, progress, False)
        results.append(CorpusScore(pairs, signature, problems_of(*pair), ids=pair_ids(*pair)))
    return results


def paired_systems(
    systems: Sequence[Graphs], gold: Graphs, metric: Metric, rules: Rules, names: Sequence[str], extra: bool = False
) -> list[tuple[Corpus, Corpus]]:
    """The graphs of every system with the gold graphs that belong to them; all share one vocabulary.

    All systems have the same pairs. ``extra`` says what becomes of predictions without gold graph if ``unpaired`` is
    ``"empty"``: pairs with an empty gold graph, or an error.
    """
    letters = [*map(system_letter, range(len(systems)))]
    gold_corpus, *corpora = read_together(["gold", *letters], [gold, *systems], metric.dialect, rules)
    # fewer names are an error of their own, which comes later
    called = [*names, *letters[len(names) :]]
    if rules.unpaired == "skip":  # the gold graphs that all systems have
        for corpus, name in zip(corpora, called, strict=False):
            gold_corpus = by_id(corpus, gold_corpus, rules, (name, "gold")).take(corpus, gold_corpus)[1]
    found = []
    for corpus, name in zip(corpora, called, strict=False):
        if rules.pair_by == "id":
            # Graphs of this system that another one lacks are left out, and were named already.
            own = corpus[_known(corpus, gold_corpus)] if rules.unpaired == "skip" else corpus
            pair = by_id(own, gold_corpus, rules, (name, "gold"), extra=extra).take(own, gold_corpus)
        else:
            pair = paired(corpus, gold_corpus, rules, (name, "gold"))
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
    tests = {
        "tests": "randomisation+bootstrap",
        "exchanges": "exact" if resampled.exact else "random",
        **how.fields,
        "against": against if n_systems > 2 else None,
        "correction": correction if len(couples) > 1 else None,
        "family": len(couples) if len(couples) > 1 else None,
    }
    differences = tuple(_differences(resampled, results, names, couples, correction))
    made = tuple(replace(result, intervals=how.intervals(resampled.intervals(k))) for k, result in enumerate(results))
    return Comparison(tuple(names), made, differences, Signature("compare", tests), confidence)


def _differences(
    resampled: Resampled,
    results: Sequence[CorpusScore],
    names: Sequence[str],
    couples: Sequence[tuple[int, int]],
    correction: Correction,
) -> Iterator[Difference]:
    """The differences of couples of systems, one a score, each score's p-values corrected for their number."""
    tested = [resampled.tested(first, second) for first, second in couples]
    randomisation, bootstrap = {}, {}
    for name in resampled.names:
        randomisation[name] = adjusted([found[name].p_randomisation for found in tested], correction)
        bootstrap[name] = adjusted([found[name].p_bootstrap for found in tested], correction)
    for k, (first, second) in enumerate(couples):
        gain = results[second].pairs.score - results[first].pairs.score
        better, worse = int((gain > EPSILON).sum()), int((gain < -EPSILON).sum())
        for name, found in tested[k].items():
            yield Difference(
                first=names[first],
                second=names[second],
                score=name,
                values=(resampled.values[first][name], resampled.values[second][name]),
                interval=found.interval,
                effect=found.effect,
                p_randomisation=found.p_randomisation,
                p_bootstrap=found.p_bootstrap,
                adjusted_randomisation=randomisation[name][k],
                adjusted_bootstrap=bootstrap[name][k],
                better=better,
                equal=resampled.n_pairs - better - worse,
                worse=worse,
            )


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
