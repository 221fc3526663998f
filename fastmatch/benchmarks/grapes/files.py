"""The files that GrAPES' program writes, and one of all items."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator

from fastmatch.benchmarks.grapes.categories import CATEGORIES, SANITY, SETS
from fastmatch.benchmarks.grapes.results import GrapesResult, GrapesSystem
from fastmatch.benchmarks.grapes.suite import EXTRAS
from fastmatch.report.writing import in_table, write_lines

#: Sizes that the program's table has columns for.
_SIZES = range(1, 11)


def write_grapes_items(result: GrapesResult, path: str) -> None:
    """A line a system, metric and item: the id of its graph, what is looked for, and 1 if it was found."""
    write_lines(_item_lines(result), path)


def _item_lines(result: GrapesResult) -> Iterator[str]:
    yield "system\tcategory\tmetric\titem\tid\ttarget\tfound\n"
    for system in result.systems:
        for row in system.rows:
            for number, (passed, (name, target)) in enumerate(zip(row.passed, row.items, strict=True)):
                cells = (in_table(system.name), row.category, row.metric, number, in_table(name), in_table(target))
                yield "\t".join(map(str, (*cells, int(passed)))) + "\n"


def write_grapes_csv(result: GrapesResult, folder: str) -> None:
    """The program's files for each system, in its form: ``NAME.csv``, ``NAME_averages.csv``, ``NAME_by_size.csv``.

    Numbers are whole points: rounded in the first file, cut off in the others. What was left out of the two categories
    that need a licence of their own is a row of N/A, as there.
    """
    os.makedirs(folder, exist_ok=True)
    for system in result.systems:
        name = os.path.join(folder, _file_name(system.name))
        write_lines(_csv(_score_rows(system)), f"{name}.csv")
        write_lines(_csv(_average_rows(result, system)), f"{name}_averages.csv")
        write_lines(_csv(_size_rows(system)), f"{name}_by_size.csv")


def _file_name(name: str) -> str:
    return "".join("_" if character in '/\\:*?"<>|\0' else character for character in name) or "system"


def _csv(rows: Iterator[list[str]]) -> Iterator[str]:
    for row in rows:
        text = io.StringIO()
        csv.writer(text).writerow(row)
        yield text.getvalue()


def _score_rows(system: GrapesSystem) -> Iterator[list[str]]:
    yield ["Set", "Category", "Metric", "Score", "Lower bound", "Upper bound", "Sample size"]
    lacking = {left.category for left in system.left_out if not left.partly}
    on_suite = any(row.category not in EXTRAS for row in system.rows)
    for category in CATEGORIES:
        head = [str(category.set), SETS[category.set - 1]]
        if category.key in EXTRAS and category.key in lacking and on_suite:
            yield [*head, category.title, *["N/A"] * 5]
        for row in system.rows:
            if row.category in (category.key, category.key + SANITY):
                low, high = row.interval
                ends = ("-", "-") if row.value is not None else (f"{100 * low:.0f}", f"{100 * high:.0f}")
                yield [*head, row.title, row.metric, f"{100 * row.score:.0f}", *ends, str(row.total)]


def _average_rows(result: GrapesResult, system: GrapesSystem) -> Iterator[list[str]]:
    for number, (title, value) in enumerate(zip(SETS, result.averages(system), strict=True), 1):
        yield [f"{number}. {title}", "-" if value is None else str(int(100 * value))]


def _size_rows(system: GrapesSystem) -> Iterator[list[str]]:
    yield ["Dataset", *map(str, _SIZES)]
    for row in system.rows:
        if row.sizes:
            shares = {size: successes / total for size, (successes, total) in row.sizes.items()}
            yield [row.title, *(str(int(100 * shares[size])) if size in shares else "" for size in _SIZES)]
