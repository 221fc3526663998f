"""Metrics judged by people: tables for people (points), for papers, and for programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple, TextIO

from fastmatch.report.benchmarks import short_name
from fastmatch.report.tables import count, latex, markdown, markdown_code, points, print_latex, print_row, print_table

if TYPE_CHECKING:
    from fastmatch.benchmarks.judgements import Judged, Judgements
    from fastmatch.benchmarks.overview import Overview

__all__ = [
    "print_judgements",
    "print_judgements_latex",
    "print_judgements_markdown",
    "print_judgements_tsv",
]

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


class _Table(NamedTuple):
    title: str
    header: list[str]
    rows: list[list[str]]
    notes: list[str]


def print_judgements(result: Judgements, overview: Overview | None = None, file: TextIO | None = None) -> None:
    """A table a question, the best metric first; the groups below it; and all together."""
    file = file or sys.stdout
    for table in _tables(result, overview):
        print(f"{table.title}\n", file=file)
        print_table(table.header, table.rows, file, right=True)
        print(file=file)
        for note in table.notes:
            print(note, file=file)
        if table.notes:
            print(file=file)
    for name, signature, n in zip(result.metrics, result.signatures, result.n_unreadable, strict=True):
        if n:
            print(f"{short_name(name)}: {count(n, 'graph')} not readable, scored as empty", file=file)
        print(f"signature: {signature}", file=file)


def print_judgements_latex(result: Judgements, overview: Overview | None = None, file: TextIO | None = None) -> None:
    """The same tables in LaTeX."""
    for number, table in enumerate(_tables(result, overview)):
        if number:
            print(file=file or sys.stdout)
        cells = [[latex(cell) for cell in row] for row in (table.header, *table.rows)]
        print_latex(cells[0], cells[1:], file or sys.stdout, notes=[table.title, *table.notes, *_signatures(result)])


def print_judgements_markdown(result: Judgements, overview: Overview | None = None, file: TextIO | None = None) -> None:
    """The same tables in Markdown, what is to be known of each below it."""
    file = file or sys.stdout
    for table in _tables(result, overview):
        print(f"**{markdown(table.title)}**\n", file=file)
        print(f"| {' | '.join(map(markdown, table.header))} |", file=file)
        print(f"| --- |{' ---: |' * (len(table.header) - 1)}", file=file)
        for row in table.rows:
            print(f"| {' | '.join(map(markdown, row))} |", file=file)
        print(file=file)
        for note in table.notes:
            print(f"- {markdown(note)}", file=file)
        if table.notes:
            print(file=file)
    for signature in result.signatures:
        print(f"- {markdown_code(signature)}", file=file)


def print_judgements_tsv(result: Judgements, overview: Overview | None = None, file: TextIO | None = None) -> None:
    """A header and a line a question, metric, statistic and group: fractions, every digit."""
    file = file or sys.stdout
    rows = result.rows()
    if overview is not None:
        signatures = dict(zip(result.metrics, result.signatures, strict=True))
        for measure in overview.measures[len(result.questions) :]:
            rows += [
                {
                    "question": measure.name,
                    "kind": "benchmark",
                    "metric": metric,
                    "statistic": measure.statistic,
                    "value": float(measure.values[i]),
                    "low": float(measure.low[i]),
                    "high": float(measure.high[i]),
                    "signature": signatures[metric],
                }
                for i, metric in enumerate(overview.metrics)
            ]
    header = ("question", "kind", "metric", "statistic", "group", "n", "value", "low", "high", "cluster", "signature")
    print_row(header, file)
    for row in rows:
        cells = (row.get(name) for name in header)
        print_row(("" if cell is None or cell != cell else _cell(cell) for cell in cells), file)


def _cell(value: object) -> str:
    return value.translate(_SPACES) if isinstance(value, str) else repr(value)


#: Names of groups are the user's: what would end a cell or a line becomes a blank.
_SPACES = str.maketrans(dict.fromkeys("\t\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029", " "))


def _signatures(result: Judgements) -> list[str]:
    return [f"{name}: {signature}" for name, signature in zip(result.metrics, result.signatures, strict=True)]


# ---- tables ----------------------------------------------------------------------------------------------------------


def _tables(result: Judgements, overview: Overview | None) -> list[_Table]:
    tables: list[_Table] = []
    for question in result.questions:
        tables.append(_question(result, question))
        if question.groups:
            tables.append(_groups(result, question))
    if overview is not None:
        tables.append(_overview(overview))
    return tables


def _question(result: Judgements, question: Judged) -> _Table:
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
    return _Table(title, header, rows, notes)


def _groups(result: Judgements, question: Judged) -> _Table:
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
    return _Table(title, ["group", "n", *map(short_name, result.metrics)], rows, notes)


def _overview(overview: Overview) -> _Table:
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
    return _Table("all together, points", header, rows, [])


def _sortable(value: float) -> float:
    return value if value == value else float("-inf")


def _span(value: float, low: float, high: float) -> str:
    if value != value:
        return "–"
    return points(value) if low != low else f"{points(value)} [{100 * low:.1f}, {100 * high:.1f}]"
