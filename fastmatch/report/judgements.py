"""Reports of metrics judged by people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastmatch.report.benchmarks import short_name
from fastmatch.report.model import Report, Table
from fastmatch.report.tables import count, points

if TYPE_CHECKING:
    from fastmatch.benchmarks.judgements import Judged, Judgements
    from fastmatch.benchmarks.overview import Overview

__all__ = ["judgements_report"]

#: How statistics are called in the heads of columns.
_HEADS = {
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


def judgements_report(result: Judgements, overview: Overview | None = None) -> Report:
    """A table a question, the best metric first; the groups below it; and all together.

    For programs a row a question, metric, statistic and group.
    """
    tables: list[Table] = []
    for question in result.questions:
        tables.append(_question(result, question))
        if question.groups:
            tables.append(_groups(result, question))
    columns = ("question", "kind", "metric", "statistic", "group", "n", "value", "low", "high", "cluster", "signature")
    data = [tuple(row.get(name) for name in columns) for row in result.rows()]
    record = result.to_dict()
    signatures = dict(zip(result.metrics, result.signatures, strict=True))
    if overview is not None:
        tables.append(_overview(overview))
        record["overview"] = overview.to_dict()
        data += [
            (
                *(measure.name, "benchmark", metric, measure.statistic, None, None),
                *(float(column[i]) for column in (measure.values, measure.low, measure.high)),
                *(None, signatures[metric]),
            )
            for measure in overview.measures[len(result.questions) :]
            for i, metric in enumerate(overview.metrics)
        ]
    unreadable = zip(result.metrics, result.n_unreadable, strict=True)
    notes = [f"{short_name(name)}: {count(n, 'graph')} not readable, scored as empty" for name, n in unreadable if n]
    unscored = zip(result.metrics, result.n_unscored, strict=True)
    notes += [f"{short_name(name)}: no figures: no score of {count(n, 'pair')}" for name, n in unscored if n]
    return Report("fastmatch bench judgements", tables, columns, data, record, [*signatures.items()], notes)


def _question(result: Judgements, question: Judged) -> Table:
    clustered = len(result.metrics) > 1 and result.permutations > 0
    preferences = question.kind == "preferences"
    header = ["metric", *(_HEADS[name] for name in question.statistics)]
    header += ["ties"] * preferences + ["cluster"] * clustered + ["µs a pair"]
    rows = []
    for i in sorted(range(len(result.metrics)), key=lambda i: -_sortable(question.values[i, 0])):
        row = [short_name(result.metrics[i])]
        row += [
            _span(*ends)
            for ends in zip(*(each[i].tolist() for each in (question.values, question.low, question.high)), strict=True)
        ]
        row += [f"{question.ties[i]}"] * preferences + [question.clusters[i]] * clustered
        rows.append([*row, f"{1e6 * result.seconds[i] / max(result.n_pairs, 1):.1f}"])
    counts = ", ".join(f"{n:,} {name}" for name, n in question.counts.items())
    title = f"{question.name}: {count(question.n, 'judgement')}, {question.kind}{f' ({counts})' if counts else ''}"
    title += ", points"
    if result.resamples:
        title += f", {100 * result.confidence:g} % intervals"
    notes = []
    if question.n_missing:
        notes.append(f"left out, as they have no label: {question.n_missing:,}")
    if preferences:
        notes.append(
            "accuracy: where people prefer one, a tie of the metric counts half; acc*eq: ties count as answers"
        )
    if not question.exact:
        notes.append("acc*eq: from 4,000,000 pairs of judgements, drawn")
    if clustered:
        headline = _HEADS[question.statistics[0]]
        level = 1 - result.confidence
        notes.append(f"metrics that share a letter are not told apart (PERM-BOTH of {headline}, Holm, {level:.3g})")
    return Table(header, rows, title, notes)


def _groups(result: Judgements, question: Judged) -> Table:
    """The headline by group: a row a group."""
    values = question.group_values[:, 0, :]
    rows = [["mean of groups", "", *map(points, question.group_mean[:, 0].tolist())]]
    rows += [
        [group, f"{size:,}", *map(points, values[:, k].tolist())]
        for k, (group, size) in enumerate(zip(question.groups[:_LISTED], question.group_sizes, strict=False))
    ]
    more = len(question.groups) - _LISTED
    notes = [f"and {count(more, 'group')} more: --tsv and --json have all"] if more > 0 else []
    title = f"{question.name}, {_HEADS[question.statistics[0]]} by group"
    return Table(["group", "n", *map(short_name, result.metrics)], rows, title, notes)


def _overview(overview: Overview) -> Table:
    measures = overview.measures
    header = ["metric", *(f"{each.name} {_HEADS[each.statistic]}" for each in measures), "µs a pair", "vectors"]
    rows = [
        [
            short_name(metric),
            *(_span(*(float(column[i]) for column in (each.values, each.low, each.high))) for each in measures),
            f"{overview.microseconds[i]:.1f}",
            "yes" if overview.vectors[i] else "no",
        ]
        for i, metric in enumerate(overview.metrics)
    ]
    return Table(header, rows, "all together, points")


def _sortable(value: float) -> float:
    return value if value == value else float("-inf")


def _span(value: float, low: float, high: float) -> str:
    if value != value:
        return "–"
    return points(value) if low != low else f"{points(value)} [{100 * low:.1f}, {100 * high:.1f}]"
