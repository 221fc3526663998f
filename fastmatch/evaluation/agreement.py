"""Agreement: every annotator, or system, against every other one on the same sentences.

Nobody is the gold standard. With a symmetric metric (Smatch, for instance) the score of A against B is that of B
against A, and each two annotators are compared once. Other metrics (SemBleu, hill-climbing) give two scores, which are
both computed and both shown; the agreement of two annotators is then their mean.

The graphs of an annotator are prepared once, and then scored against those of all others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np

from fastmatch.errors import OptionError, PairingError, first_few
from fastmatch.evaluation import bootstrap as resampling
from fastmatch.evaluation.checks import warn_odd_pairs
from fastmatch.evaluation.comparison import distinct_names
from fastmatch.evaluation.pairing import Pairing, Rules, listed_ids, pairing, read_together, with_an_empty_graph
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import Graphs, pair_ids
from fastmatch.metrics.base import Metric
from fastmatch.metrics.choosing import agreed_signature, chosen_metric
from fastmatch.metrics.run import run
from fastmatch.report.cells import Points, count, points, shown
from fastmatch.report.frames import Tabular
from fastmatch.report.model import Report, Reported, Table, by_name
from fastmatch.report.writing import attributes, plain
from fastmatch.results.equality import ByValue
from fastmatch.results.pairs import Scores, TripleScores
from fastmatch.results.problems import Problem, n_invalid, n_repaired, problems_of
from fastmatch.results.scores import CorpusScore, Interval, Intervals
from fastmatch.results.signature import Signature
from fastmatch.results.words import label, system_letter
from fastmatch.runtime.cached import cached_property
from fastmatch.runtime.progress import Steps
from fastmatch.types import (
    FloatArray,
    Int32Array,
    IntervalMethod,
    MetricName,
    OnErrorPaired,
    PairBy,
    Progress,
    Unpaired,
)

#: Ids that the report names of those that an annotator lacks; JSON has all.
_NAMED = 10


class AgreedPair(NamedTuple):
    """The score of one annotator against another.

    Attributes
    ----------
    first, second : str
        Their names. The graphs of ``first`` stand for predictions, those of ``second`` for gold graphs: this says which
        way round precision and recall are meant.
    score : CorpusScore
    """

    first: str
    second: str
    score: CorpusScore


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(ByValue, Reported, Tabular):
    """How far annotators agree.

    Attributes
    ----------
    names : tuple of str
        The annotators.
    pairs : tuple of AgreedPair
        Every two annotators: once if the metric is symmetric, else in both directions.
    symmetric : bool
        Whether the metric gives A against B what it gives B against A.
    missing : dict of str to tuple of str
        With ``pair_by="id"``: the ids that other annotators have and this one has not. Only annotators who lack some.
    intervals : Intervals or None
        Of :attr:`mean`, if intervals were asked for and all annotators are compared on the same sentences. Those of two
        annotators are in ``pairs[k].score.intervals``.
    """

    names: tuple[str, ...]
    pairs: tuple[AgreedPair, ...]
    symmetric: bool
    missing: dict[str, tuple[str, ...]]
    intervals: Intervals | None = None

    @property
    def signature(self) -> Signature:
        """What the scores depend on.

        Says ``on_error:repair`` if graphs of any annotator were repaired; that of two annotators is in
        ``pairs[k].score.signature``.
        """
        signatures = [pair.score.signature for pair in self.pairs]
        return next((each for each in signatures if "on_error" in each.fields), signatures[0])

    @property
    def headlines(self) -> tuple[str, ...]:
        """Names of the metric's headline score: micro, if the pairs of graphs add up, and macro."""
        return self.pairs[0].score.headlines

    def of(self, first: int | str, second: int | str) -> CorpusScore:
        """The score of one annotator against another.

        If the metric is symmetric, it was computed once, with the one who comes first in :attr:`names` in the place of
        the prediction.

        Raises
        ------
        OptionError
            If there is no annotator of this name or number, or both are the same one.
        """
        places = [self._place(first), self._place(second)]
        if places[0] == places[1]:
            raise OptionError(f"agreement of {self.names[places[0]]!r} with itself: expected two annotators")
        chosen = sorted(places) if self.symmetric else places
        one, two = (self.names[place] for place in chosen)
        return next(pair.score for pair in self.pairs if pair[:2] == (one, two))

    def _place(self, annotator: int | str) -> int:
        if isinstance(annotator, str) and annotator in self.names:
            return self.names.index(annotator)
        if isinstance(annotator, int) and not isinstance(annotator, bool) and 0 <= annotator < len(self.names):
            return annotator
        raise OptionError(
            f"no annotator {annotator!r}: expected one of {', '.join(map(repr, self.names))}, or a number"
        )

    @cached_property
    def matrix(self) -> FloatArray:
        """Headline scores, float64[n, n], micro if there is such a score: row i against column j, NaN on the diagonal.

        The graphs of the row stand for predictions. Symmetric if the metric is.
        """
        return self._matrix(macro=False)

    @cached_property
    def macro_matrix(self) -> FloatArray:
        """The same of the means over pairs of graphs."""
        return self._matrix(macro=True)

    def _matrix(self, *, macro: bool) -> FloatArray:
        place = {name: k for k, name in enumerate(self.names)}
        found: FloatArray = np.full((len(place), len(place)), np.nan)
        for first, second, score in self.pairs:
            value = (score.macro if macro else score.scores).headline
            found[place[first], place[second]] = value
            if self.symmetric:
                found[place[second], place[first]] = value
        return found

    @cached_property
    def mean(self) -> Scores:
        """The mean over all pairs of annotators (both directions, if they differ) of each of :attr:`headlines`."""
        matrices = (self.matrix, self.macro_matrix)[: len(self.headlines)]
        off = ~np.eye(len(self.names), dtype=np.bool_)
        return Scores((name, float(matrix[off].mean())) for name, matrix in zip(self.headlines, matrices, strict=True))

    def mean_of(self, annotator: int | str) -> float:
        """The mean agreement of one annotator with the others, in the first of :attr:`headlines`.

        Raises
        ------
        OptionError
            If there is no such annotator.
        """
        k = self._place(annotator)
        others = np.arange(len(self.names)) != k
        return float((self.matrix[k, others].mean() + self.matrix[others, k].mean()) / 2)

    @property
    def asymmetry(self) -> float:
        """The largest difference between the two directions of a pair; 0 if the metric is symmetric."""
        difference = np.abs(self.matrix - self.matrix.T)
        return float(difference[~np.isnan(difference)].max(initial=0.0))

    @cached_property
    def n_invalid(self) -> dict[str, int]:
        """How many graphs of each annotator count as empty, in the pair with most: unreadable or missing ones."""
        return self._most(n_invalid)

    @cached_property
    def n_repaired(self) -> dict[str, int]:
        """How many graphs of each annotator were repaired (``on_error="repair"``), of those that are in a pair."""
        return self._most(n_repaired)

    def _most(self, number: Callable[[Iterable[Problem]], int]) -> dict[str, int]:
        most = dict.fromkeys(self.names, 0)
        for first, second, score in self.pairs:
            for name, side in ((first, "pred"), (second, "gold")):
                own = [problem for problem in score.problems if problem.side == side]
                most[name] = max(most[name], number(own))
        return most

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON; what is NaN becomes None."""
        result: dict[str, Any] = {
            **self.signature.to_dict(),
            "headline": self.headlines[0],
            "symmetric": self.symmetric,
            "names": list(self.names),
            "mean": plain(self.mean),
            "mean_of": {name: plain(self.mean_of(name)) for name in self.names},
            **attributes(self, "asymmetry", "n_invalid", "n_repaired"),
            "missing": {name: list(ids) for name, ids in self.missing.items()},
            "pairs": [{"first": first, "second": second, **score.facts()} for first, second, score in self.pairs],
        }
        if self.intervals is not None:
            result["intervals"] = self.intervals.to_dict()
        return result

    def summaries(self) -> list[dict[str, str | float]]:
        """One row for each pair of annotators: their names, counts, scores, intervals if there are any, signature."""
        return [{"first": first, "second": second, **score.summary()} for first, second, score in self.pairs]

    _rows = summaries

    def report(self) -> Report:
        """The matrix of headline scores, each two annotators with micro and macro scores, the mean, what is missing.

        A paper gets the matrix with whole names. For programs a row for each two annotators, in both directions if
        these differ.
        """
        letters = [system_letter(k) for k in range(len(self.names))]
        sizes = {len(pair.score) for pair in self.pairs}
        graphs = count(min(sizes), "graph") if len(sizes) == 1 else f"{min(sizes):,} to {max(sizes):,} graphs in common"
        lines = [f"{self.signature.metric}: {count(len(letters), 'annotator')}, {graphs}", ""]
        lines += [f"  {letter}  {name}" for letter, name in zip(letters, self.names, strict=True) if letter != name]
        head = f"{'micro ' if len(self.headlines) > 1 else ''}{label(self.headlines[0])}"
        tables: list[Table] = []
        if max(sizes):
            lines += ["", f"{head}{'' if self.symmetric else ', rows as predictions of columns'}:"]
            tables = [self._matrix_table(letters, "\n".join(lines)), self._pairs_table(letters)]
            notes = list(self._notes())
        else:
            notes = [*lines, "no score, as there is nothing to compare"]
        direction = "" if self.symmetric else "; rows are predictions, columns gold graphs"
        report = self._reported("fastmatch agreement", tables, *by_name(self.summaries()), notes)
        paper = [self._matrix_table(self.names, f"{head} in points{direction}")]
        return report._replace(paper=report._replace(tables=paper))

    def _matrix_table(self, names: Sequence[str], title: str) -> Table:
        """Headline scores, a row and a column an annotator, and the means."""
        rows = [
            [name, *map(Points, row), Points(self.mean_of(k))]
            for k, (name, row) in enumerate(zip(names, self.matrix.tolist(), strict=True))
        ]
        return Table(["", *names, "mean"], rows, title)

    def _pairs_table(self, letters: Sequence[str]) -> Table:
        """A row for each two annotators: counts, micro scores, the macro score, intervals if there are any."""
        first = self.pairs[0].score
        names = sorted(first.scores, key=lambda name: name == "f1")  # precision and recall before the F1 made of them
        if len(names) > 3:  # metrics with many scores: the headline alone
            names = names[:1]
        several = len({len(pair.score) for pair in self.pairs}) > 1
        interval = "" if first.intervals is None else f", {100 * first.intervals.confidence:g} % interval"
        header = ["pair", *(["graphs"] * several)]
        header += [label(name) + interval * (name == self.headlines[0]) for name in names]
        header += [f"macro {label(name.removeprefix('macro_'))}{interval}" for name in self.headlines[1:]]
        letter_of = dict(zip(self.names, letters, strict=True))
        between = " - " if self.symmetric else " > "
        rows = []
        for one, two, score in self.pairs:
            spans: Mapping[str, Interval] = score.intervals or {}
            cells = [Points(score.scores[name], spans.get(name) if name in self.headlines else None) for name in names]
            cells += [Points(score.macro.headline, spans.get(name)) for name in self.headlines[1:]]
            rows.append([letter_of[one] + between + letter_of[two], *([len(score)] * several), *cells])
        return Table(header, rows)

    def _notes(self) -> Iterator[str]:
        spans: Mapping[str, Interval] = self.intervals or {}
        means = []
        for name, value in self.mean.items():
            kind = "macro " if name.startswith("macro_") else ""
            means.append(f"{kind}{label(name.removeprefix('macro_'))} {shown(Points(value, spans.get(name)))}")
        yield f"mean of {count(len(self.pairs), 'pair')}: {', '.join(means)}"
        if not self.symmetric:
            yield f"the metric is not symmetric: the two directions differ by up to {points(self.asymmetry)} points"
        for name, ids in self.missing.items():
            yield f"missing in {name}: {count(len(ids), 'id')} ({first_few(ids, most=_NAMED)})"
        n_open = sum(len(pair.score) - pair.score.n_certified for pair in self.pairs)
        n_graphs = sum(len(pair.score) for pair in self.pairs)
        if isinstance(self.pairs[0].score.pairs, TripleScores):
            yield f"proven optimal: {n_graphs - n_open:,} of {count(n_graphs, 'pair')} of graphs"
        elif n_open:
            yield f"cut short by a limit of work: {n_open:,} of {count(n_graphs, 'pair')} of graphs"
        n_invalid, n_repaired = (sum(found.values()) for found in (self.n_invalid, self.n_repaired))
        yield f"invalid, counted as empty: {count(n_invalid, 'graph')}; repaired: {n_repaired:,}"

    def __repr__(self) -> str:
        means = " ".join(f"{label(name)} {value:.6f}" for name, value in self.mean.items())
        return f"<Agreement: {len(self.names)} annotators, mean {means}, {self.signature}>"


_WANTED = "expected a sequence of two annotators or more"


# ---- how they are compared -------------------------------------------------------------------------------------------


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
    rules = Rules("agreement", pair_by, unpaired, on_error, workers).checked()
    chosen = chosen_metric(metric, preset, options)
    if bootstrap is not None:
        how = resampling.checked(bootstrap, confidence, bootstrap_method, bootstrap_seed)
    corpora = read_together(called, annotators, chosen.dialect, rules)
    order: dict[str, int] | None = None
    missing: dict[str, tuple[str, ...]] = {}
    if pair_by == "id":
        order = {id: k for k, id in enumerate(dict.fromkeys(id for corpus in corpora for id in corpus.ids if id))}
        missing = _missing_ids(corpora, called, order, unpaired)
    couples = list((combinations if chosen.symmetric else permutations)(range(len(corpora)), 2))
    matched = [_matched(corpora, couple, called, order, rules) for couple in couples]
    results = _scored(chosen, corpora, couples, matched, workers, progress)
    intervals = None
    if bootstrap is not None:
        results = [replace(result, intervals=resampling.bootstrap(result.pairs, how, workers)) for result in results]
        if order is None or all(list(places.ids) == list(matched[0].ids) for places in matched):
            of_mean = resampling.of_mean([result.pairs for result in results], how, workers)
            intervals = how.intervals({name: of_mean[name] for name in results[0].headlines})
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
    corpora: Sequence[Corpus], couple: tuple[int, int], names: Sequence[str], order: dict[str, int] | None, rules: Rules
) -> _Matched:
    """How to pair the graphs of two annotators; warns if these pairs look odd.

    ``order`` has the place of each ``::id`` among all annotators' ids; None: the graphs are paired by position.
    """
    first, second = (corpora[k] for k in couple)
    called = names[couple[0]], names[couple[1]]
    found = pairing(first, second, rules, called)
    if found is None:
        found = Pairing(np.arange(len(first)), np.arange(len(first)), pair_ids(first, second))
    elif order is not None:  # one order for all, so that a sentence can be drawn for all at once
        places = np.argsort([order[id or ""] for id in found.ids], kind="stable")
        found = Pairing(found.pred[places], found.gold[places], [found.ids[k] for k in places.tolist()])
    pair = found.take(first, second)
    if couple[0] < couple[1]:  # the other direction has the same pairs
        warn_odd_pairs(*pair, called)
    sides = ((first, found.pred), (second, found.gold))
    rows = [np.where(index < 0, len(corpus), index).astype(np.int32) for corpus, index in sides]
    return _Matched(rows[0], rows[1], problems_of(*pair), found.ids)


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
            told = report.part(done)
            pairs = run(metric, prepared[i], prepared[j], places.first, places.second, workers=workers, progress=told)
            done += len(places.first)
            results.append(CorpusScore(pairs, signature, places.problems, ids=places.ids))
    return results
