"""Reports of the benchmarks that judge metrics: for people in points (fractions × 100), for programs every digit."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

from fastmatch.report.model import Report, Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastmatch.benchmarks.bamboo import BambooResult
    from fastmatch.benchmarks.principles import Principles
    from fastmatch.benchmarks.rare import RareResult

__all__ = ["bamboo_report", "principles_report", "rare_report", "short_name"]

#: BAMBOO's variants in the heads of columns.
_SHORT = {"main": "", "reify": " re", "syno": " sy", "role_confusion": " role"}
_MEANS = ("amean", "gmean", "hmean", "weighted")
_PROTOCOL = {
    "0.2": "Pearson's r; role confusion: accuracy",
    "0.1": "Pearson's r; role confusion against 0 and 1",
    "spearman": "Spearman's rho; role confusion against 0 and 1",
    "rmse": "root mean square error against the ratings; lower is better",
    "rmse-quantiles": "root mean square error of quantiles against those of the ratings; lower is better",
}

#: Changes of meaning in the rows of the principles.
_PROBES = {
    "coreference": "a mention made a node",
    "namesake": "a mention led to a namesake",
    "roles": "two roles exchanged",
    "attribute": "an attribute gone",
}

#: Width of a page that is no terminal.
_COLUMNS = 120


# ---- BAMBOO ----------------------------------------------------------------------------------------------------------


def bamboo_report(result: BambooResult) -> Report:
    """A table of the published shape: a row a metric, under it the published row nearest to it, and means."""
    from fastmatch.benchmarks.bamboo import TASKS

    tasks = result.tasks
    rows, styles = [], []
    for row in result.rows:
        values = dict(zip(TASKS, row.values, strict=True))
        means = [_number(getattr(row, mean)) for mean in _MEANS]
        rows.append([short_name(row.metric), *(_number(values[task]) for task in tasks), *means, f"{row.seconds:.2f}"])
        styles.append("")
        if row.published is not None:
            values = dict(zip(TASKS, row.published.values, strict=True))
            empty = [""] * (len(_MEANS) + 1)
            name = f"  {row.published.source}: {row.published.label}"
            rows.append([name, *(_number(values[task]) for task in tasks), *empty])
            styles.append("dim")
    missing = ", ".join(f"{name.upper()}{_SHORT[variant]}" for variant, name in TASKS if (variant, name) not in tasks)
    header = ["metric", *(f"{name.upper()}{_SHORT[variant]}" for variant, name in tasks), *_MEANS, "s"]
    title = f"BAMBOO {result.split}, protocol {result.protocol} ({_PROTOCOL[result.protocol]}), points"
    notes = [f"not in the data, and not in the means: {missing}"] if missing else []
    columns = ("metric", "protocol", "split", *(f"{variant}/{name}" for variant, name in TASKS), *_MEANS)
    data = [
        (
            *(row.metric, result.protocol, result.split, *row.values),
            *(getattr(row, mean) for mean in _MEANS),
            *(row.seconds, row.signature),
        )
        for row in result.rows
    ]
    return Report(
        "fastmatch bench bamboo",
        [Table(header, rows, title, notes, styles)],
        (*columns, "seconds", "signature"),
        data,
        result.to_dict(),
        [(row.metric, row.signature) for row in result.rows],
        paper=[Table(header[:-1], [row[:-1] for row in rows], title, notes, styles)],  # without times
    )


# ---- RARE ------------------------------------------------------------------------------------------------------------


def rare_report(result: RareResult) -> Report:
    """The numbers of pairs, and a row a metric, under it the published figure."""
    pairs = result.pairs
    made = "pairs as they were" if pairs.seed is None else f"preset {pairs.preset}, seed {pairs.seed}"
    sizes = [
        (split.split, f"{split.n_graphs:,}", f"{len(split.originals):,}", f"{len(split):,}") for split in pairs.splits
    ]
    title = f"RARE of {pairs.source}, {made}"
    tables = [Table(("split", "graphs", "rewired", "pairs"), sizes, title)]
    splits = [split.split for split in pairs.splits]
    rows, styles, notes = [], [], []
    for row in result.rows:
        rows.append([short_name(row.metric), *map(_number, row.values), f"{row.seconds:.2f}"])
        styles.append("")
        if row.published is not None and "test" in splits:
            published = (_number(row.published) if split == "test" else "" for split in splits)
            rows.append(["  paper, AMR 3.0", *published, ""])
            styles.append("dim")
        for count, what in (
            (sum(row.n_unreadable), "graphs its reader could not read; they scored as empty ones"),
            (sum(row.n_unscored), "pairs without a score were left out"),
        ):
            if count:
                notes.append(f"{row.metric}: {count:,} {what}")
    what = "Spearman's rho between score and share of edges kept, points"
    header = ["metric", *splits, "s"]
    if rows:
        tables.append(Table(header, rows, what, styles=styles))
    of = ", ".join(f"{split.split} {len(split):,}" for split in pairs.splits)
    return Report(
        "fastmatch bench rare",
        tables,
        ("metric", "split", "pairs", "spearman", "published", "unscored", "unreadable", "signature"),
        [
            (
                row.metric,
                split.split,
                len(split),
                row.values[k],
                row.published if split.split == "test" else None,
                row.n_unscored[k],
                row.n_unreadable[k],
                row.signature,
            )
            for row in result.rows
            for k, split in enumerate(pairs.splits)
        ],
        result.to_dict(),
        [(row.metric, row.signature) for row in result.rows],
        notes,
        [Table(header[:-1], [row[:-1] for row in rows], f"{title}, pairs: {of}; {what}", styles=styles)],
    )


# ---- principles ------------------------------------------------------------------------------------------------------


def principles_report(results: list[Principles]) -> Report:
    """One column a metric; several tables below each other where the columns need more than the width of the page."""
    lines: list[tuple[str, Callable[[Principles], str]]] = []
    if any(result.n_unreadable for result in results):
        lines.append(("    pairs left out: not readable", lambda r: f"{r.n_unreadable:,}"))
    lines += [
        ("I   scores from", lambda r: f"{r.lowest:.4f}"),
        ("    to", lambda r: f"{r.highest:.4f}"),
        ("    pairs outside [0, 1], either direction", lambda r: f"{r.n_out_of_bounds:,}"),
        ("II  graphs that are not 1 with themselves", lambda r: _of(r.n_self_different, r.n_pairs)),
        ("    renamed and reordered, not 1", lambda r: _of(r.n_disguised_different, r.n_disguised)),
        ("    equal pairs that are not 1", lambda r: _of(r.n_false_different, r.n_equal)),
        ("    different pairs that are 1", lambda r: _of(r.n_false_equal, r.n_pairs - r.n_equal)),
        *((f"    {text}, unseen", _unseen(name)) for name, text in _PROBES.items()),
        ("III symmetry violation ratio svr, %", lambda r: f"{100 * r.svr:.2f}"),
        ("    95 % interval", lambda r: _span(r.svr_interval, 2)),
        ("    mean symmetry violation msv, points", lambda r: f"{100 * r.msv:.4f}"),
        ("    95 % interval", lambda r: _span(r.msv_interval, 4)),
        (f"IV  determinacy error, corpus, {results[0].runs} runs", lambda r: f"{r.corpus_error:.2e}"),
        ("    of a pair, mean", lambda r: f"{r.pair_error:.2e}"),
        ("    renamed and reordered, pairs that change, %", lambda r: _number(100 * r.disguise_ratio)),
        ("    mean change, points", lambda r: f"{100 * r.disguise_mean:.4f}"),
        ("V   cost of a wrong root concept, points", lambda r: _number(100 * r.places["root concept"].loss)),
        ("    of another with relations", lambda r: _number(100 * r.places["inner concept"].loss)),
        ("    of a leaf", lambda r: _number(100 * r.places["leaf concept"].loss)),
        ("VI  rank correlation with Jaccard's index", lambda r: _number(100 * r.jaccard_order)),
    ]
    names = [short_name(result.metric) for result in results]
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else _COLUMNS
    width = max(len(name) for name, _ in lines)
    pairs = " or ".join(f"{n:,}" for n in sorted({result.n_pairs for result in results}, reverse=True))
    title = f"principles, on {pairs} pairs of graphs"
    tables: list[Table] = []
    start = 0
    while start < len(results):
        stop, used = start, width + 2
        while stop < len(results) and (stop == start or used + max(len(names[stop]), 16) + 2 <= columns):
            used += max(len(names[stop]), 16) + 2
            stop += 1
        rows = [(name, *(value(result) for result in results[start:stop])) for name, value in lines]
        tables.append(Table(("", *names[start:stop]), rows, title if not start else ""))
        start = stop
    summaries = [result.summary() for result in results]
    return Report(
        "fastmatch bench principles",
        tables,
        tuple(summaries[0]),
        [tuple(summary.values()) for summary in summaries],
        {"metrics": [result.to_dict() for result in results]},
        [(result.metric, str(result.signature)) for result in results],
        paper=[_principles_table(results, f"{title}, {results[0].runs} runs")],
    )


def _principles_table(results: list[Principles], title: str) -> Table:
    """A row a metric, with the numbers that a paper would print."""
    header = (
        "metric",
        "outside [0, 1]",
        "self ≠ 1",
        "renamed ≠ 1",
        "svr, %",
        "msv, points",
        "ε corpus",
        "ε pair",
    )
    rows = [
        (
            short_name(result.metric),
            f"{result.n_out_of_bounds}",
            f"{result.n_self_different}",
            f"{result.n_disguised_different}",
            f"{100 * result.svr:.1f}{_interval(result.svr_interval, 1)}",
            f"{100 * result.msv:.2f}{_interval(result.msv_interval, 2)}",
            _power(result.corpus_error),
            _power(result.pair_error),
        )
        for result in results
    ]
    return Table(header, rows, title)


def _of(count: int, n: int) -> str:
    return f"{count:,} of {n:,}"


def _unseen(name: str) -> Callable[[Principles], str]:
    return lambda result: _of(result.probes[name].n_unseen, result.probes[name].n)


def _span(interval: tuple[float, float], digits: int) -> str:
    low, high = (100 * end for end in interval)
    return "–" if low != low else f"{low:.{digits}f} to {high:.{digits}f}"


def _interval(interval: tuple[float, float], digits: int) -> str:
    low, high = (100 * end for end in interval)
    return "" if low != low else f" [{low:.{digits}f}, {high:.{digits}f}]"


def _power(value: float) -> str:
    return "–" if value != value else f"{value:.1e}" if value else "0"


# ---- cells -----------------------------------------------------------------------------------------------------------


def short_name(metric: str) -> str:
    """The name of a metric without the folders of the files it names."""
    head, *settings = metric.split(",")
    parts = [setting.partition("=") for setting in settings]
    return ",".join([head, *(f"{name}{equals}{os.path.basename(value)}" for name, equals, value in parts)])


def _number(value: float | None) -> str:
    return "–" if value is None or value != value else f"{value:.2f}"
