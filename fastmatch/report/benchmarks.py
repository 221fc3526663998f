"""Tables of the benchmarks that judge metrics: for people in points (fractions × 100), in LaTeX, and as TSV."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING, TextIO

from fastmatch.report.tables import latex, print_latex, print_table
from fastmatch.runtime.streams import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastmatch.benchmarks.bamboo import BambooResult
    from fastmatch.benchmarks.principles import Principles
    from fastmatch.benchmarks.rare import RareResult

__all__ = [
    "print_bamboo",
    "print_bamboo_latex",
    "print_bamboo_tsv",
    "print_principles",
    "print_principles_latex",
    "print_principles_tsv",
    "print_rare",
    "print_rare_latex",
    "print_rare_tsv",
    "short_name",
]

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


def _bamboo_table(result: BambooResult) -> tuple[list[str], list[list[str]], list[str]]:
    """Header, rows and their styles: a row a metric, under it the published row nearest to it."""
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
    return ["metric", *(f"{name.upper()}{_SHORT[variant]}" for variant, name in tasks), *_MEANS, "s"], rows, styles


def print_bamboo(result: BambooResult, file: TextIO | None = None) -> None:
    """A table of the published shape: a row a metric, under it the published row nearest to it, and means."""
    from fastmatch.benchmarks.bamboo import TASKS

    file = file or sys.stdout
    tasks = result.tasks
    print(f"BAMBOO {result.split}, protocol {result.protocol} ({_PROTOCOL[result.protocol]}), points\n", file=file)
    header, rows, styles = _bamboo_table(result)
    print_table(header, rows, file, right=True, styles=styles)
    if len(tasks) < len(TASKS):
        missing = ", ".join(
            f"{name.upper()}{_SHORT[variant]}" for variant, name in TASKS if (variant, name) not in tasks
        )
        print(f"\nnot in the data, and not in the means: {missing}", file=file)
    print(file=file)
    for row in result.rows:
        print(f"signature: {row.signature}", file=file)


def print_bamboo_latex(result: BambooResult, file: TextIO | None = None) -> None:
    """The same table in LaTeX, without times."""
    header, rows, _ = _bamboo_table(result)
    notes = [f"fastmatch bench bamboo, {result.split}, protocol {result.protocol}, points"]
    notes += [f"{row.metric}: {row.signature}" for row in result.rows]
    _print_as_latex(header, rows, notes, file)


def print_bamboo_tsv(result: BambooResult, file: TextIO | None = None) -> None:
    """A header and a line a metric, every digit; what is missing or undefined is empty."""
    from fastmatch.benchmarks.bamboo import TASKS

    file = file or sys.stdout
    tasks = [f"{variant}/{name}" for variant, name in TASKS]
    print("\t".join(("metric", "protocol", "split", *tasks, *_MEANS, "seconds", "signature")), file=file)
    for row in result.rows:
        values = [*row.values, *(getattr(row, mean) for mean in _MEANS)]
        cells = ["" if value is None or value != value else repr(value) for value in values]
        line = (row.metric, result.protocol, result.split, *cells, repr(row.seconds), row.signature)
        print("\t".join(line), file=file)


# ---- RARE ------------------------------------------------------------------------------------------------------------


def _rare_table(result: RareResult) -> tuple[list[str], list[list[str]], list[str]]:
    """Header, rows and their styles: a row a metric, under it the published figure."""
    splits = [split.split for split in result.pairs.splits]
    rows, styles = [], []
    for row in result.rows:
        rows.append([short_name(row.metric), *map(_number, row.values), f"{row.seconds:.2f}"])
        styles.append("")
        if row.published is not None and "test" in splits:
            rows.append(
                ["  paper, AMR 3.0", *(_number(row.published) if split == "test" else "" for split in splits), ""]
            )
            styles.append("dim")
    return ["metric", *splits, "s"], rows, styles


def print_rare(result: RareResult, file: TextIO | None = None) -> None:
    """The numbers of pairs, and a row a metric, under it the published figure."""
    file = file or sys.stdout
    pairs = result.pairs
    made = "pairs as they were" if pairs.seed is None else f"preset {pairs.preset}, seed {pairs.seed}"
    say(f"RARE of {pairs.source}, {made}\n", file)
    sizes = [
        (split.split, f"{split.n_graphs:,}", f"{len(split.originals):,}", f"{len(split):,}") for split in pairs.splits
    ]
    print_table(("split", "graphs", "rewired", "pairs"), sizes, file, right=True)
    if not result.rows:
        return
    print("\nSpearman's rho between score and share of edges kept, points\n", file=file)
    header, rows, styles = _rare_table(result)
    print_table(header, rows, file, right=True, styles=styles)
    print(file=file)
    for row in result.rows:
        for count, what in (
            (sum(row.n_unreadable), "graphs its reader could not read; they scored as empty ones"),
            (sum(row.n_unscored), "pairs without a score were left out"),
        ):
            if count:
                print(f"{row.metric}: {count:,} {what}", file=file)
    for row in result.rows:
        print(f"signature: {row.signature}", file=file)


def print_rare_latex(result: RareResult, file: TextIO | None = None) -> None:
    """The figures in LaTeX, without times."""
    header, rows, _ = _rare_table(result)
    sizes = ", ".join(f"{split.split} {len(split):,}" for split in result.pairs.splits)
    notes = [f"fastmatch bench rare, {result.pairs.source}, preset {result.pairs.preset}, pairs: {sizes}"]
    _print_as_latex(header, rows, notes + [f"{row.metric}: {row.signature}" for row in result.rows], file)


def print_rare_tsv(result: RareResult, file: TextIO | None = None) -> None:
    """A header and a line a metric and split, every digit; what is undefined or unpublished is empty."""
    file = file or sys.stdout
    names = ("metric", "split", "pairs", "spearman", "published", "unscored", "unreadable", "signature")
    print("\t".join(names), file=file)
    for row in result.rows:
        for k, split in enumerate(result.pairs.splits):
            value = row.values[k]
            published = row.published if split.split == "test" else None
            cells = (
                row.metric,
                split.split,
                len(split),
                "" if value != value else repr(value),
                "" if published is None else repr(published),
                row.n_unscored[k],
                row.n_unreadable[k],
                row.signature,
            )
            print("\t".join(map(str, cells)), file=file)


# ---- principles ------------------------------------------------------------------------------------------------------


def print_principles(results: list[Principles], file: TextIO | None = None) -> None:
    """One column a metric; several tables below each other where the columns need more than the width of the page."""
    file = file or sys.stdout
    n_pairs = {result.n_pairs for result in results}
    print(f"principles, on {' or '.join(f'{n:,}' for n in sorted(n_pairs, reverse=True))} pairs of graphs\n", file=file)
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
    columns = shutil.get_terminal_size().columns if file.isatty() else _COLUMNS
    width = max(len(name) for name, _ in lines)
    start = 0
    while start < len(results):
        stop, used = start, width + 2
        while stop < len(results) and (stop == start or used + max(len(names[stop]), 16) + 2 <= columns):
            used += max(len(names[stop]), 16) + 2
            stop += 1
        rows = [(name, *(value(result) for result in results[start:stop])) for name, value in lines]
        print_table(("", *names[start:stop]), rows, file, right=True)
        print(file=file)
        start = stop
    for result in results:
        print(f"signature: {result.signature}", file=file)


def _of(count: int, n: int) -> str:
    return f"{count:,} of {n:,}"


def _unseen(name: str) -> Callable[[Principles], str]:
    return lambda result: _of(result.probes[name].n_unseen, result.probes[name].n)


def _span(interval: tuple[float, float], digits: int) -> str:
    low, high = (100 * end for end in interval)
    return "–" if low != low else f"{low:.{digits}f} to {high:.{digits}f}"


def print_principles_tsv(results: list[Principles], file: TextIO | None = None) -> None:
    """A header and a line a metric: fractions, every digit; what is undefined is empty."""
    file = file or sys.stdout
    for number, result in enumerate(results):
        row = result.summary()
        if not number:
            print("\t".join(row), file=file)
        cells = ("" if value != value else value if isinstance(value, str) else repr(value) for value in row.values())
        print("\t".join(cells), file=file)


def print_principles_latex(results: list[Principles], file: TextIO | None = None) -> None:
    """A LaTeX table (package: booktabs) with a row a metric and the numbers that a paper would print."""
    file = file or sys.stdout
    n = " or ".join(sorted({f"{result.n_pairs:,}" for result in results}))
    notes = [f"fastmatch bench principles, {n} pairs of graphs, {results[0].runs} runs"]
    header = (
        "metric",
        "outside $[0,1]$",
        r"self $\neq 1$",
        r"renamed $\neq 1$",
        r"svr (\%)",
        "msv (points)",
        r"$\epsilon$ corpus",
        r"$\epsilon$ pair",
    )
    rows = [
        (
            latex(short_name(result.metric)),
            f"{result.n_out_of_bounds}",
            f"{result.n_self_different}",
            f"{result.n_disguised_different}",
            f"{100 * result.svr:.1f} {_latex_span(result.svr_interval, 1)}",
            f"{100 * result.msv:.2f} {_latex_span(result.msv_interval, 2)}",
            _latex_power(result.corpus_error),
            _latex_power(result.pair_error),
        )
        for result in results
    ]
    print_latex(header, rows, file, notes=notes + [f"{result.metric}: {result.signature}" for result in results])


def _latex_span(interval: tuple[float, float], digits: int) -> str:
    low, high = (100 * end for end in interval)
    return "" if low != low else f"{{\\footnotesize [{low:.{digits}f}, {high:.{digits}f}]}}"


def _latex_power(value: float) -> str:
    if value == 0 or value != value:
        return "0" if value == 0 else "--"
    digits, _, power = f"{value:.1e}".partition("e")
    return f"${digits}\\cdot 10^{{{int(power)}}}$"


# ---- cells -----------------------------------------------------------------------------------------------------------


def short_name(metric: str) -> str:
    """The name of a metric without the folders of the files it names."""
    head, *settings = metric.split(",")
    parts = [setting.partition("=") for setting in settings]
    return ",".join([head, *(f"{name}{equals}{os.path.basename(value)}" for name, equals, value in parts)])


def _number(value: float | None) -> str:
    return "–" if value is None or value != value else f"{value:.2f}"


def _print_as_latex(header: list[str], rows: list[list[str]], notes: list[str], file: TextIO | None) -> None:
    """A table for people in LaTeX, without its last column of seconds."""
    cells = [[latex(cell) for cell in row[:-1]] for row in (header, *rows)]
    for row in cells[1:]:
        if row[0].startswith("  "):
            row[0] = rf"\quad {row[0].strip()}"
    print_latex(cells[0], cells[1:], file or sys.stdout, notes=notes)
