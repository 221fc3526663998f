"""Metrics judged by people: do scores agree with judgements that a user has?

Three kinds of judgements (:mod:`fastmatch.benchmarks.labels`), each with its statistics
(:mod:`fastmatch.benchmarks.concordance`), of which the first one is the headline:

``graded``
    a number for each pair of graphs: Pearson's r, Spearman's rho, Kendall's tau-b, pairwise accuracy with tie
    calibration, and AUC where it is said from which value on a label is a *yes*;
``yes-no``
    AUC, and the three correlations;
``preferences``
    which of two predictions for one gold graph is better: accuracy where people prefer one, and pairwise accuracy with
    tie calibration where ties count.

Intervals are percentiles of resampled figures. Where there are groups (topics, systems, documents), or two predictions
for one gold graph, whole groups are drawn. Whether two metrics differ, in the headline, another statistic or its mean
over groups, is tested by PERM-BOTH and, for Pearson's r, by Williams' test (:mod:`fastmatch.benchmarks.concordance`),
corrected by Holm's method.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from fastmatch.benchmarks import concordance
from fastmatch.benchmarks import labels as answers
from fastmatch.benchmarks.judged import Judged, Judgements
from fastmatch.benchmarks.labels import KINDS, Column, Kind
from fastmatch.benchmarks.shared import named_metrics
from fastmatch.errors import OptionError, PairingError, choice
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import Graphs, corpora_of, corpus_of
from fastmatch.graphs.sources import kept
from fastmatch.metrics.base import Metric
from fastmatch.metrics.options import fraction, whole
from fastmatch.metrics.run import run
from fastmatch.runtime.progress import Steps
from fastmatch.types import Dialect, FloatArray, Int64Array, OnErrorPaired, Progress

Given = Sequence[Any] | FloatArray
Reader = Callable[[Dialect], tuple[Corpus, Corpus, Corpus | None]]

#: Seconds below which the scoring of all pairs is timed again.
_SHORT = 0.2

_STATISTICS: dict[Kind, tuple[str, ...]] = {
    "graded": ("pearson", "spearman", "kendall", "acc_eq"),
    "yes-no": ("auc", "pearson", "spearman", "kendall"),
    "preferences": ("accuracy", "acc_eq"),
}
#: What differences between metrics may be tested in.
_TESTED = (*concordance.STATISTICS, "acc_eq")


class Asked(NamedTuple):
    """What :func:`judgements` is asked for, by the names of its arguments."""

    kind: Kind | None
    classes: Sequence[str] | None
    yes_from: float | str | None
    groups: list[Any] | None
    resamples: int
    permutations: int
    confidence: float
    test: str | None
    test_groups: bool
    seed: int


def judgements(
    pred: Graphs,
    gold: Graphs,
    labels: Given | Mapping[str, Given] | str | os.PathLike[str],
    metrics: str | Metric | Iterable[str | Metric] = ("smatch",),
    *,
    other: Graphs | None = None,
    kind: Kind | None = None,
    classes: Sequence[str] | None = None,
    yes_from: float | str | None = None,
    groups: Sequence[Any] | None = None,
    resamples: int = 1000,
    permutations: int = 1000,
    confidence: float = 0.95,
    test: str | None = None,
    test_groups: bool = False,
    seed: int = 0,
    workers: int = 1,
    on_error: OnErrorPaired = "raise",
    progress: Progress = None,
) -> Judgements:
    """Say how well metrics agree with judgements of people.

    Parameters
    ----------
    pred, gold : Graphs
        As :func:`fastmatch.score` takes them: pairs of graphs that were judged.
    labels : sequence, mapping of names to sequences, or path
        A label for each pair, or several of each under names; a data frame is such a mapping, a column each. A path: a
        label a line, or the file of judgements of *AMRParseEval*. With preferences there is a label for each two
        predictions.
    metrics : str, Metric, or iterable of them
        Metrics with their options, or text such as ``"sembleu/tool,k=2"``.
    other : Graphs, optional
        The second predictions; ``pred`` are the first ones, and labels are preferences. Without it, preferences are
        between two graphs of ``pred`` that follow each other, and ``gold`` has as many graphs, or one for each two.
    kind : {"graded", "yes-no", "preferences"}, optional
        By default preferences if there are ``other`` predictions or half as many labels as graphs in ``pred``; yes-no
        if all labels are 0 and 1 or words for them; else graded.
    classes : sequence of str, optional
        Names of classes that the labels are, the least alike, or the worst, first.
    yes_from : float or str, optional
        With graded labels, the lowest label (or the first of the ``classes``) that is a *yes*: gives AUC.
    groups : sequence, optional
        What each label belongs to: a topic, a document, a system.
    resamples, permutations : int
        Of intervals and tests; 0: none.
    confidence : float
        Of the intervals; metrics differ if p is below one less this.
    test : {"pearson", "spearman", "kendall", "auc", "accuracy", "acc_eq"}, optional
        In which statistic metrics are tested, of questions that have it; others, and by default all, are tested in
        their headline. For ``acc_eq`` each permutation has a threshold of its own, chosen on 50,000 pairs of
        judgements at most.
    test_groups : bool
        Test the mean over groups, of those in which the statistic is defined, in place of the figure of all.
    seed : int
    workers : int
        Threads, −1 for all CPUs this process may use.
    on_error : {"raise", "empty", "repair"}
        What a graph becomes that cannot be read.
    progress : None, bool or callable
        True draws a bar on a terminal; a callable gets (steps done, steps in all).

    Returns
    -------
    Judgements

    Raises
    ------
    OptionError
        If there is no such metric or option, or a label is not of its kind.
    PairingError
        If graphs, labels and groups differ in number.
    ReadError
        If a graph or a line of labels cannot be read.

    Examples
    --------
    >>> pred = ["(a / cat)", "(a / cat :mod (b / big))", "(a / dog)"]
    >>> gold = ["(a / cat)", "(a / cat)", "(a / cat)"]
    >>> found = judgements(pred, gold, [5, 4, 1], ["smatch"])
    >>> found.questions[0].statistics
    ('pearson', 'spearman', 'kendall', 'acc_eq')
    >>> found.questions[0].values.round(3).tolist()
    [[0.891, 1.0, 1.0, 1.0]]
    """
    if kind is not None:
        choice("kind", kind, KINDS)
    for name, value in (("resamples", resamples), ("permutations", permutations), ("seed", seed)):
        whole(name, value, 0)
    fraction("confidence", confidence)
    if other is not None and kind not in (None, "preferences"):
        raise OptionError(f"kind={kind!r}: two predictions for each gold graph have preferences")
    if test is not None:
        choice("test", test, _TESTED)
    made = named_metrics(metrics)
    if not made:
        raise OptionError("metrics: expected at least one")
    columns = _columns(labels)
    given = [kept(each) if hasattr(each, "read") else each for each in (pred, gold, other)]

    def read(dialect: Dialect) -> tuple[Corpus, Corpus, Corpus | None]:
        first, golden = corpora_of(given[0], given[1], dialect, on_error, workers=workers)
        if other is None:
            return first, golden, None
        second = corpus_of("other", given[2], golden.vocabulary, dialect, on_error, workers=workers)
        return first, golden, second

    members = None if groups is None else list(groups)
    asked = Asked(kind, classes, yes_from, members, resamples, permutations, confidence, test, test_groups, seed)
    return judged(read, columns, made, asked, workers, progress)


def judged(
    read: Reader, columns: list[Column], made: list[tuple[str, Metric]], asked: Asked, workers: int, progress: Progress
) -> Judgements:
    """The same for graphs that a function reads, in any dialect, and labels in columns."""
    if asked.test_groups and asked.groups is None:
        raise OptionError("test_groups: there are no groups")
    corpora = {made[0][1].dialect: read(made[0][1].dialect)}
    first, gold, second = next(iter(corpora.values()))
    pairs = _Pairs(len(first), len(gold), None if second is None else len(second))
    columns = [answers.without_blanks(column, (pairs.n_pairs, pairs.n_pairs // 2)) for column in columns]
    coupled = pairs.halves or any(map(pairs.halved, columns))
    questions = [_Question(column, pairs, asked, coupled) for column in columns]
    n_steps = len(made) * (1 + len(questions)) + len(questions) * len(made) * (len(made) - 1) // 2
    scores = np.empty((len(made), pairs.n_pairs))
    seconds, unreadable = [], []
    with Steps(progress, n_steps, "steps") as report:
        for number, (_, metric) in enumerate(made):
            if metric.dialect not in corpora:
                corpora[metric.dialect] = read(metric.dialect)
            first, gold, second = corpora[metric.dialect]
            metric.prepare(gold[:1])  # word vectors are read once, so they are no part of what a pair costs
            took: list[float] = []
            # once more where it takes no time: short runs are disturbed
            while not took or (len(took) < 4 and sum(took) < _SHORT):
                began = perf_counter()
                scores[number] = _scores(metric, first, gold, second, pairs, workers)
                took.append(perf_counter() - began)
            seconds.append(min(took))
            unreadable.append(sum(len(corpus.problems) for corpus in (first, gold, second) if corpus is not None))
            report.step()
        found = [question.judged(scores, report.step) for question in questions]
    return Judgements(
        tuple(label for label, _ in made),
        tuple(str(metric.signature(metric.dialect)) for _, metric in made),
        tuple(found),
        pairs.n_pairs,
        tuple(seconds),
        tuple(unreadable),
        tuple(np.isnan(scores).sum(axis=1).tolist()),
        asked.resamples,
        asked.permutations,
        asked.confidence,
        asked.seed,
    )


def _columns(labels: Given | Mapping[str, Given] | str | os.PathLike[str]) -> list[Column]:
    if isinstance(labels, str | os.PathLike):
        return answers.read_labels(labels)
    if isinstance(labels, Mapping) or (hasattr(labels, "items") and getattr(labels, "ndim", 1) == 2):
        found = [answers.column_of(str(name), column) for name, column in labels.items()]
        if not found:
            raise OptionError("labels: expected at least one column")
        return found
    if isinstance(labels, set | frozenset | bytes) or not hasattr(labels, "__iter__"):
        raise OptionError(f"labels: expected a sequence, a mapping or a path, found {type(labels).__name__}")
    return [answers.column_of("label", labels)]


class _Pairs:
    """Which graphs are compared: pairs of numbers, the second predictions behind the first ones."""

    def __init__(self, n_pred: int, n_gold: int, n_other: int | None) -> None:
        self.n_pred, self.n_gold, self.n_other = n_pred, n_gold, n_other
        if n_other is not None and not n_pred == n_other == n_gold:
            raise PairingError(
                f"expected as many first as second predictions and gold graphs: {n_pred}, {n_other}, {n_gold}"
            )
        self.halves = n_other is None and n_pred == 2 * n_gold and n_gold > 0
        if n_other is None and not self.halves and n_pred != n_gold:
            raise PairingError(f"pred has {n_pred:,} graphs, but gold {n_gold:,}")
        self.n_pairs = n_pred if n_other is None else 2 * n_pred
        number = np.arange(self.n_pairs, dtype=np.int32)
        self.gold = number // 2 if self.halves else number % max(n_gold, 1)

    def halved(self, column: Column) -> bool:
        """Whether there is a label for each two predictions."""
        return len(column.values) > 0 and 2 * len(column.values) == self.n_pairs

    def couples(self, column: Column) -> tuple[Int64Array, Int64Array]:
        """Pairs of the first and of the second prediction, a preference each."""
        if self.n_other is None:
            if self.n_pred % 2:
                raise PairingError(
                    f"{column.name}: preferences are between two predictions, but there are {self.n_pred:,}"
                )
            return np.arange(0, self.n_pred, 2), np.arange(1, self.n_pred, 2)
        return np.arange(self.n_pred), np.arange(self.n_pred, 2 * self.n_pred)


def _scores(
    metric: Metric, first: Corpus, gold: Corpus, second: Corpus | None, pairs: _Pairs, workers: int
) -> FloatArray:
    """Headline scores of all pairs; NaN where the metric has none."""
    golden = metric.prepare(gold)
    found = []
    for corpus, part in ((first, slice(0, pairs.n_pred)), (second, slice(pairs.n_pred, None))):
        if corpus is None:
            continue
        index_pred = np.arange(len(corpus), dtype=np.int32)
        prepared = metric.prepare(corpus)
        scored = run(metric, prepared, golden, index_pred, pairs.gold[part], workers=workers, allow_nan=True)
        found.append(next(iter(scored.combine(scored.statistics).values())))
    return np.concatenate(found).astype(np.float64)


class _Question:
    """Labels of one column: of which items, as numbers, in which groups."""

    def __init__(self, column: Column, pairs: _Pairs, asked: Asked, coupled: bool) -> None:
        self.asked, kind, groups, yes_from = asked, asked.kind, asked.groups, asked.yes_from
        if kind is None and (pairs.n_other is not None or pairs.halved(column)):
            kind = "preferences"
        self.name = column.name
        self.items: Int64Array = np.arange(pairs.n_pairs)
        self.seconds: Int64Array | None = None
        if kind == "preferences":
            self.items, self.seconds = pairs.couples(column)
        answers.check_count(column, len(self.items), f"pairs of {'graphs' if self.seconds is None else 'predictions'}")
        self.kind, human = answers.coded(column, kind, asked.classes)
        if groups is not None and len(groups) != len(human):
            raise PairingError(f"groups: {len(groups):,}, but {len(human):,} labels of {column.name}")
        known = ~np.isnan(human)
        self.n_missing = int((~known).sum())
        self.human, self.items = human[known], self.items[known]
        if self.seconds is not None:
            self.seconds = self.seconds[known]
        self.groups: tuple[str, ...] = ()
        self.group: Int64Array | None = None
        self.members: list[Int64Array] = []
        # what is drawn together: groups, or the two predictions for one gold graph
        self.units: Int64Array | None = None
        if self.seconds is None and coupled:
            self.units = np.unique(self.items // 2, return_inverse=True)[1]
        if groups is not None:
            names = [_group_name(group) for group, there in zip(groups, known, strict=True) if there]
            number = {name: k for k, name in enumerate(dict.fromkeys(names))}
            self.groups = tuple(number)
            self.group = np.array([number[name] for name in names], np.int64)
            ends = np.cumsum(np.bincount(self.group))[:-1]
            self.members = np.split(np.argsort(self.group, kind="stable"), ends)
            if len(self.groups) > 1:
                self.units = self.group
        self.yes: FloatArray | None = None
        if yes_from is not None:
            if self.kind != "graded":
                raise OptionError(
                    f"yes_from={yes_from!r}: goes with graded labels; those of {column.name} are {self.kind}"
                )
            lowest = Column("yes_from", [yes_from], lambda _: f"yes_from={yes_from!r}", f"yes_from={yes_from!r}")
            self.yes = (self.human >= answers.coded(lowest, "graded", asked.classes)[1][0]).astype(np.float64)
        self.statistics = (*_STATISTICS[self.kind], *(["auc"] if self.yes is not None else []))

    def judged(self, scores: FloatArray, step: Callable[[], object]) -> Judged:
        """The figures of all metrics, from the scores of all pairs, float64[n_metrics, n_pairs]."""
        asked = self.asked
        own = scores[:, self.items]
        if self.seconds is not None:
            own = own - scores[:, self.seconds]
        n_metrics, n_items = own.shape
        shape = n_metrics, len(self.statistics)
        values, low, high = (np.full(shape, np.nan) for _ in range(3))
        group_values = np.full((*shape, len(self.groups)), np.nan)
        thresholds = np.full(n_metrics, np.nan)
        exact = True
        one = np.ones((1, n_items))
        for i, row in enumerate(own):
            if np.isnan(row).any():
                step()
                continue
            threshold = 0.0
            if "acc_eq" in self.statistics:
                calibration = self._calibrated(row, None)
                threshold, exact = calibration.threshold, calibration.exact
                thresholds[i] = threshold
            of = [self._statistic(name, row, threshold) for name in self.statistics]
            for j, name in enumerate(self.statistics):
                values[i, j] = calibration.accuracy if name == "acc_eq" else of[j](one)[0]
                if self.group is not None:
                    within = self._calibrated(row, self.group).threshold if name == "acc_eq" else 0.0
                    group_values[i, j] = [
                        self._statistic(name, row, within, items)(one[:, : len(items)])[0] for items in self.members
                    ]
            if asked.resamples:
                low[i], high[i] = self._intervals(of)
            step()
        place = self.statistics.index(asked.test) if asked.test in self.statistics else 0
        tested = self.statistics[place]
        p = np.full((n_metrics, n_metrics), np.nan)
        p_williams = p.copy()
        if asked.permutations:
            figures = self._figures(tested)
            centred = self.seconds is None
            p = concordance.perm_both(own, figures, asked.permutations, asked.seed, step, centred=centred)
            p = concordance.corrected(p)
        if tested == "pearson" and not asked.test_groups:
            for i, j in combinations(range(n_metrics), 2):
                r = values[i, place], values[j, place], concordance.pearson(own[i], own[j], one)[0]
                p_williams[i, j] = p_williams[j, i] = concordance.williams(*r, n_items)
            p_williams = concordance.corrected(p_williams)
        mean = _mean_of_known(group_values) if self.groups else np.full(shape, np.nan)
        wanted = self.human != 0
        return Judged(
            name=self.name,
            kind=self.kind,
            n=n_items,
            n_missing=self.n_missing,
            counts=self._counts(),
            groups=self.groups,
            group_sizes=() if self.group is None else tuple(np.bincount(self.group).tolist()),
            statistics=self.statistics,
            values=values,
            low=low,
            high=high,
            group_mean=mean,
            group_values=group_values,
            thresholds=thresholds,
            exact=exact,
            ties=((own == 0) & wanted).sum(axis=1) if self.seconds is not None else np.zeros(n_metrics, np.int64),
            tested=tested,
            test_groups=asked.test_groups,
            p=p,
            p_williams=p_williams,
            clusters=concordance.clusters((mean if asked.test_groups else values)[:, place], p, 1 - asked.confidence)
            if asked.permutations
            else ("",) * n_metrics,
        )

    def _figures(self, name: str) -> Callable[[FloatArray], FloatArray]:
        """A statistic of many rows of scores, of all items or as the mean over groups."""
        human = self.yes if name == "auc" and self.yes is not None else self.human
        by_group = self.asked.test_groups
        if name == "acc_eq" and self.seconds is None:
            group = self.group if by_group else None
            return lambda rows: concordance.calibrated_rows(rows, human, group, seed=self.asked.seed)
        if name == "acc_eq":  # every preference is a pair of its own
            return lambda rows: np.array([concordance.preferences_equal(row, human).accuracy for row in rows])
        statistic = concordance.STATISTICS[name]
        if not by_group:
            return lambda rows: statistic(rows, human, np.ones(rows.shape))

        def figures(rows: FloatArray) -> FloatArray:
            parts = [(rows[:, items], human[items]) for items in self.members]
            return _mean_of_known(np.stack([statistic(x, y, np.ones(x.shape)) for x, y in parts], axis=-1))

        return figures

    def _calibrated(self, row: FloatArray, group: Int64Array | None) -> Any:
        if self.seconds is not None:  # a preference is one pair of its own, so the groups are all of them
            return concordance.preferences_equal(row, self.human)
        return concordance.calibrated(row, self.human, group, seed=self.asked.seed)

    def _statistic(
        self, name: str, row: FloatArray, threshold: float, items: Int64Array | slice = slice(None)
    ) -> Callable[[FloatArray], FloatArray]:
        """A statistic of some of the items, for weights of these; ``threshold`` is that of ``acc_eq``."""
        scores, human = row[items], self.human[items]
        if name != "acc_eq":
            other = self.yes[items] if name == "auc" and self.yes is not None else human
            return lambda weights: concordance.STATISTICS[name](scores, other, weights)
        if self.seconds is None:
            return lambda weights: concordance.equal_answers(scores, human, threshold, weights)
        right = np.where(np.abs(scores) <= threshold, 0.0, np.sign(scores)) == human

        def share(weights: FloatArray) -> FloatArray:
            with np.errstate(all="ignore"):
                found: FloatArray = (weights @ right) / weights.sum(axis=1)
            return found

        return share

    def _intervals(self, of: list[Callable[[FloatArray], FloatArray]]) -> tuple[FloatArray, FloatArray]:
        resamples, confidence, seed = self.asked.resamples, self.asked.confidence, self.asked.seed
        drawn = np.empty((len(of), resamples))
        for rows, weights in concordance.rows_of(len(self.human), resamples, seed, self.units):
            for j, statistic in enumerate(of):
                drawn[j, rows] = statistic(weights)
        ends = np.full((2, len(of)), np.nan)
        for j, row in enumerate(drawn):
            known = row[~np.isnan(row)]
            if len(known):
                ends[:, j] = np.percentile(known, (50 - 50 * confidence, 50 + 50 * confidence))
        return ends[0], ends[1]

    def _counts(self) -> dict[str, int]:
        if self.kind == "preferences":
            return {
                name: int((self.human == value).sum()) for name, value in (("first", 1), ("second", -1), ("tie", 0))
            }
        yes = self.human if self.kind == "yes-no" else self.yes
        return {} if yes is None else {"yes": int(yes.sum()), "no": int((1 - yes).sum())}


def _mean_of_known(values: FloatArray) -> FloatArray:
    """Means over the last axis, of what is not NaN."""
    known = ~np.isnan(values)
    with np.errstate(all="ignore"):
        found: FloatArray = np.where(known, values, 0).sum(axis=-1) / known.sum(axis=-1)
    return found


def _group_name(given: object) -> str:
    group = answers.cell(given)
    text = "" if group is None or (isinstance(group, float) and group != group) else str(group).strip()
    return text or "(none)"
