"""Tables of the benchmarks that judge metrics; points (fractions × 100) as their papers print them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

from fastmatch.report.terminal import _console, _print_table, _Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastmatch.benchmarks.bamboo import BambooResult
    from fastmatch.benchmarks.principles import Principles
    from fastmatch.benchmarks.rare import RareResult

__all__ = ["print_bamboo", "print_bamboo_tsv", "print_principles", "print_rare", "print_rare_tsv"]

_SHORT = {"main": "", "reify": " re", "syno": " sy", "role_confusion": " role"}
_MEANS = ("amean", "gmean", "hmean", "weighted")
_PROTOCOL = {
    "0.2": "Pearson's r; role confusion: accuracy",
    "0.1": "Pearson's r; role confusion against 0 and 1",
    "spearman": "Spearman's rho; role confusion against 0 and 1",
}


def _number(value: float | None) -> str:
    return "–" if value is None or value != value else f"{value:.2f}"


def print_bamboo(result: BambooResult, file: TextIO | None = None) -> None:
    """The published table's shape: a row a metric, under it the published row it is nearest to, and means."""
    from fastmatch.benchmarks.bamboo import TASKS

    file = file or sys.stdout
    tasks = result.tasks
    print(f"BAMBOO {result.split}, protocol {result.protocol} ({_PROTOCOL[result.protocol]}), points\n", file=file)
    rows, styles = [], []
    for row in result.rows:
        values = dict(zip(TASKS, row.values, strict=True))
        means = [_number(getattr(row, mean)) for mean in _MEANS]
        rows.append((row.metric, *(_number(values[task]) for task in tasks), *means, f"{row.seconds:.2f}"))
        styles.append("")
        if row.published is not None:
            values = dict(zip(TASKS, row.published.values, strict=True))
            empty = [""] * (len(_MEANS) + 1)
            rows.append(
                (f"  {row.published.source}: {row.published.label}", *(_number(values[t]) for t in tasks), *empty)
            )
            styles.append("dim")
    header = ("metric", *(f"{name.upper()}{_SHORT[variant]}" for variant, name in tasks), *_MEANS, "s")
    _print_table(_Table(header, rows, right=True, styles=styles), _console(file), file)
    if len(tasks) < len(TASKS):
        missing = ", ".join(
            f"{name.upper()}{_SHORT[variant]}" for variant, name in TASKS if (variant, name) not in tasks
        )
        print(f"\nnot in the data, and not in the means: {missing}", file=file)
    print(file=file)
    for row in result.rows:
        print(f"signature: {row.signature}", file=file)


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


def print_rare(result: RareResult, file: TextIO | None = None) -> None:
    """How many pairs there are, and a row a metric, under it the published figure."""
    file = file or sys.stdout
    console = _console(file)
    pairs = result.pairs
    splits = [split.split for split in pairs.splits]
    print(f"RARE of {pairs.source}, preset {pairs.preset}, seed {pairs.seed}\n", file=file)
    sizes = [
        (split.split, f"{split.n_graphs:,}", f"{len(split.originals):,}", f"{len(split):,}") for split in pairs.splits
    ]
    _print_table(_Table(("split", "graphs", "rewired", "pairs"), sizes, right=True), console, file)
    if not result.rows:
        return
    print("\nSpearman's rho between score and share of edges kept, points\n", file=file)
    rows, styles = [], []
    for row in result.rows:
        rows.append((row.metric, *map(_number, row.values), f"{row.seconds:.2f}"))
        styles.append("")
        if row.published is not None and "test" in splits:
            published = (_number(row.published) if split == "test" else "" for split in splits)
            rows.append(("  paper, AMR 3.0", *published, ""))
            styles.append("dim")
    _print_table(_Table(("metric", *splits, "s"), rows, right=True, styles=styles), console, file)
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


def print_principles(results: list[Principles], file: TextIO | None = None) -> None:
    """One column a metric."""
    file = file or sys.stdout
    console = _console(file)
    print(f"principles, on {results[0].n_pairs:,} pairs of graphs\n", file=file)
    lines: list[tuple[str, Callable[[Principles], str]]] = [
        ("I   scores from", lambda r: f"{r.lowest:.4f}"),
        ("    to", lambda r: f"{r.highest:.4f}"),
        ("    pairs outside [0, 1], both directions", lambda r: f"{r.n_out_of_bounds:,}"),
        ("II  graphs that are not 1 with themselves", lambda r: f"{r.n_self_different:,}"),
        ("    nor when renamed and reordered", lambda r: f"{r.n_disguised_different:,}"),
        ("    pairs that score 1 but differ", lambda r: f"{r.n_false_equal:,}"),
        ("    pairs that are equal", lambda r: f"{r.n_equal:,}"),
        ("III symmetry violation ratio svr, %", lambda r: f"{100 * r.svr:.2f}"),
        ("    mean symmetry violation msv, points", lambda r: f"{100 * r.msv:.4f}"),
        (f"IV  determinacy error of the corpus, {results[0].runs} runs", lambda r: f"{r.corpus_error:.2e}"),
        ("    of a pair, mean", lambda r: f"{r.pair_error:.2e}"),
    ]
    rows = [(name, *(value(result) for result in results)) for name, value in lines]
    _print_table(_Table(("", *(result.metric for result in results)), rows, right=True), console, file)
    print(file=file)
    for result in results:
        print(f"signature: {result.signature}", file=file)
