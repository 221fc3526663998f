"""How metrics agree with judgements: the result of :func:`fastmatch.benchmarks.judgements.judgements`."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any

import numpy as np

from fastmatch.benchmarks.labels import Kind
from fastmatch.report.cells import Number, Points, count
from fastmatch.report.frames import Tabular
from fastmatch.report.model import Report, Reported, Table, by_name
from fastmatch.report.writing import attributes, plain
from fastmatch.results.equality import ByValue
from fastmatch.results.words import short_name
from fastmatch.types import FloatArray, Int64Array

#: How statistics are called in the heads of columns.
HEADS = {
    "pearson": "Pearson's r",
    "spearman": "Spearman's rho",
    "kendall": "Kendall's tau-b",
    "acc_eq": "acc*eq",
    "auc": "AUC",
    "accuracy": "accuracy",
    "amean": "amean",
    "hmean": "hmean",
}
#: Groups that a report for people lists.
_LISTED = 20


@dataclass(frozen=True, eq=False)
class Judged(ByValue):
    """What one question was answered by people, and by metrics.

    Attributes
    ----------
    name : str
        Of the question: that of its column of labels.
    kind : {"graded", "yes-no", "preferences"}
    n : int
        Judgements.
    n_missing : int
        Labels that are missing, and left out.
    counts : dict of str → int
        Of ``yes-no``: yes, no. Of ``preferences``: first, second, tie.
    groups : tuple of str
        Empty without groups.
    group_sizes : tuple of int
    statistics : tuple of str
        The first one is the headline.
    values, low, high : float64[n_metrics, n_statistics]
        Fractions, and the ends of their intervals; NaN where one is not defined.
    group_mean : float64[n_metrics, n_statistics]
        Mean of the groups in which the statistic is defined; NaN without groups.
    group_values : float64[n_metrics, n_statistics, n_groups]
        With the threshold of the mean over groups, for ``acc_eq``.
    thresholds : float64[n_metrics]
        Differences of scores up to this are ties, for ``acc_eq``; NaN without it.
    exact : bool
        ``acc_eq`` is of all pairs of items, not of a sample.
    ties : int64[n_metrics]
        Of ``preferences``: those of people between which the metric sees no difference.
    tested : str
        The statistic that is tested.
    test_groups : bool
        Its mean over groups is tested, not the figure of all judgements.
    p : float64[n_metrics, n_metrics]
        PERM-BOTH between two metrics, Holm-corrected over all pairs of metrics; NaN on the diagonal.
    p_williams : float64[n_metrics, n_metrics]
        The same by Williams' test; NaN if something else than Pearson's r of all judgements is tested.
    clusters : tuple of str
        Metrics that share a letter are not told apart by ``p``; empty without permutations.
    """

    name: str
    kind: Kind
    n: int
    n_missing: int
    counts: dict[str, int]
    groups: tuple[str, ...]
    group_sizes: tuple[int, ...]
    statistics: tuple[str, ...]
    values: FloatArray
    low: FloatArray
    high: FloatArray
    group_mean: FloatArray
    group_values: FloatArray
    thresholds: FloatArray
    exact: bool
    ties: Int64Array
    tested: str
    test_groups: bool
    p: FloatArray
    p_williams: FloatArray
    clusters: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Judgements(ByValue, Reported, Tabular):
    """How well metrics agree with people.

    Attributes
    ----------
    metrics : tuple of str
        What was asked for.
    signatures : tuple of str
    questions : tuple of Judged
    n_pairs : int
        Pairs of graphs that were scored.
    seconds : tuple of float
        Wall time of preparing and scoring them, a metric each, the best of up to four runs; does not count where
        results are compared.
    n_unreadable : tuple of int
        Graphs that a metric's reader could not read; they scored as empty graphs.
    n_unscored : tuple of int
        Pairs for which a metric has no score (nan). Of a metric that has such pairs there are no figures.
    resamples, permutations : int
    confidence : float
    seed : int
    """

    metrics: tuple[str, ...]
    signatures: tuple[str, ...]
    questions: tuple[Judged, ...]
    n_pairs: int
    seconds: tuple[float, ...] = field(compare=False)
    n_unreadable: tuple[int, ...]
    n_unscored: tuple[int, ...]
    resamples: int
    permutations: int
    confidence: float
    seed: int

    def rows(self) -> list[dict[str, str | float | None]]:
        """One row a question, metric, statistic and group; the group is None for all judgements, ``mean`` of groups."""
        found: list[dict[str, str | float | None]] = []
        for question in self.questions:
            asked = {"question": question.name, "kind": question.kind}
            columns = (question.values, question.low, question.high)
            for (i, metric), (j, statistic) in product(enumerate(self.metrics), enumerate(question.statistics)):
                row: dict[str, Any] = {**asked, "metric": metric, "statistic": statistic}
                value, low, high = (float(column[i, j]) for column in columns)
                last = {"cluster": question.clusters[i] if not j else None, "signature": self.signatures[i]}
                found.append({**row, "group": None, "n": question.n, "value": value, "low": low, "high": high, **last})
                if question.groups:
                    found.append({**row, "group": "mean", "n": question.n, "value": question.group_mean[i, j]})
                for k, group in enumerate(question.groups):
                    value = float(question.group_values[i, j, k])
                    found.append({**row, "group": group, "n": question.group_sizes[k], "value": value})
        return found

    _rows = rows

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON; undefined numbers are None."""
        names = ("metric", "signature", "seconds", "unreadable", "unscored")
        columns = (self.metrics, self.signatures, self.seconds, self.n_unreadable, self.n_unscored)
        return {
            "metrics": [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)],
            "pairs": self.n_pairs,
            **attributes(self, "resamples", "permutations", "confidence", "seed"),
            "questions": [self._question(question) for question in self.questions],
        }

    def _question(self, question: Judged) -> dict[str, Any]:
        rows = []
        columns = {"value": question.values, "low": question.low, "high": question.high}
        if question.groups:
            columns["group_mean"] = question.group_mean
        for i, metric in enumerate(self.metrics):
            values: dict[str, dict[str, Any]] = {}
            for j, statistic in enumerate(question.statistics):
                values[statistic] = {name: plain(column[i, j]) for name, column in columns.items()}
                if question.groups:
                    of_groups = plain(question.group_values[i, j])
                    values[statistic]["groups"] = dict(zip(question.groups, of_groups, strict=True))
            row: dict[str, Any] = {"metric": metric, "statistics": values, "cluster": question.clusters[i]}
            if "acc_eq" in question.statistics:
                row["threshold"] = plain(question.thresholds[i])
            if question.kind == "preferences":
                row["ties"] = int(question.ties[i])
            rows.append(row)
        p, p_williams = plain(question.p), plain(question.p_williams)
        tests = [
            {"metrics": [self.metrics[i], self.metrics[j]], "p": p[i][j], "p_williams": p_williams[i][j]}
            for i, j in combinations(range(len(self.metrics)), 2)
        ]
        return {
            **attributes(question, "name", "kind", "n"),
            "missing": question.n_missing,
            "counts": question.counts,
            "groups": dict(zip(question.groups, question.group_sizes, strict=True)),
            "headline": question.statistics[0],
            **attributes(question, "tested", "test_groups", "exact"),
            "rows": rows,
            "tests": tests,
        }

    def report(self) -> Report:
        """A table a question, the best metric in what is tested first, and the groups below it.

        For programs a row a question, metric, statistic and group.
        """
        tables: list[Table] = []
        for question in self.questions:
            tables.append(self._table_of(question))
            if question.groups:
                tables.append(self._groups_of(question))
        names = [*map(short_name, self.metrics)]
        unreadable = zip(names, self.n_unreadable, strict=True)
        notes = [f"{name}: {count(n, 'graph')} not readable, scored as empty" for name, n in unreadable if n]
        unscored = zip(names, self.n_unscored, strict=True)
        notes += [f"{name}: no figures: no score of {count(n, 'pair')}" for name, n in unscored if n]
        signatures = list(zip(self.metrics, self.signatures, strict=True))
        return Report("fastmatch bench judgements", tables, *by_name(self.rows()), self.to_dict(), signatures, notes)

    def _table_of(self, question: Judged) -> Table:
        clustered = len(self.metrics) > 1 and self.permutations > 0
        preferences = question.kind == "preferences"
        header = ["metric", *(HEADS[name] for name in question.statistics)]
        header += ["ties"] * preferences + ["cluster"] * clustered + ["µs a pair"]
        rows: list[list[object]] = []
        figures = question.group_mean if question.test_groups else question.values
        figures = np.nan_to_num(figures[:, question.statistics.index(question.tested)], nan=-np.inf)
        for i in np.argsort(-figures, kind="stable").tolist():
            ends = (each[i].tolist() for each in (question.values, question.low, question.high))
            row: list[object] = [short_name(self.metrics[i])]
            row += [Points(value, (low, high)) for value, low, high in zip(*ends, strict=True)]
            row += [int(question.ties[i])] * preferences + [question.clusters[i]] * clustered
            rows.append([*row, Number(1e6 * self.seconds[i] / max(self.n_pairs, 1), 1)])
        counts = ", ".join(f"{n:,} {name}" for name, n in question.counts.items())
        title = f"{question.name}: {count(question.n, 'judgement')}, {question.kind}{f' ({counts})' if counts else ''}"
        title += ", points"
        if self.resamples:
            title += f", {100 * self.confidence:g} % intervals"
        notes = []
        if question.n_missing:
            notes.append(f"left out, as they have no label: {question.n_missing:,}")
        if preferences:
            notes.append(
                "accuracy: where people prefer one, a tie of the metric counts half; acc*eq: ties count as answers"
            )
        if np.isnan(question.values[np.array(self.n_unscored) == 0]).any():
            notes.append("–: not defined, as all labels or all scores are the same")
        if not question.exact:
            notes.append("acc*eq: from 4,000,000 pairs of judgements, drawn")
        if clustered:
            best = HEADS[question.tested] + (", mean of groups" if question.test_groups else "")
            level = 1 - self.confidence
            notes.append(f"metrics that share a letter are not told apart (PERM-BOTH of {best}, Holm, {level:.3g})")
        return Table(header, rows, title, notes)

    def _groups_of(self, question: Judged) -> Table:
        """The headline by group: a row a group."""
        values = question.group_values[:, 0, :]
        rows: list[list[object]] = [["mean of groups", None, *map(Points, question.group_mean[:, 0].tolist())]]
        rows += [
            [group, size, *map(Points, values[:, k].tolist())]
            for k, (group, size) in enumerate(zip(question.groups[:_LISTED], question.group_sizes, strict=False))
        ]
        more = len(question.groups) - _LISTED
        notes = [f"and {count(more, 'group')} more: --tsv and --json have all"] if more > 0 else []
        if np.isnan(values).any():
            notes.append("–: not defined, as all labels or all scores of the group are the same; no part of the mean")
        title = f"{question.name}, {HEADS[question.statistics[0]]} by group"
        return Table(["group", "n", *map(short_name, self.metrics)], rows, title, notes)
