"""The report of GrAPES, and the files that the verb and its program write."""

from __future__ import annotations

import csv
import io
import os
from typing import TYPE_CHECKING

from fastmatch.report.model import Report, Table
from fastmatch.report.records import in_table, write_lines
from fastmatch.report.tables import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastmatch.benchmarks.grapes.results import GrapesResult, GrapesRow, GrapesSystem, LeftOut

__all__ = ["grapes_report", "write_grapes_csv", "write_grapes_items"]

#: p below which a difference has a mark.
_LIMIT = 0.05

#: Sizes that the program's table has columns for.
_SIZES = range(1, 11)


# ---- for people ------------------------------------------------------------------------------------------------------


def grapes_report(result: GrapesResult) -> Report:
    """A row a number, a column a system; sets with their averages, and notes on what was left out.

    For programs a row a system, category and metric; what was left out is a row with its reason.
    """
    header, rows, levels = _lines(result)
    for level, row in zip(levels, rows, strict=True):
        row[0] = "  " * level + row[0]
    title = f"GrAPES of {result.folder}, points; in brackets 95 % intervals (Wilson)"
    styles = [("bold", "", "dim")[level] for level in levels]
    data: list[tuple[object, ...]] = []
    for system in result.systems:
        for one in system.rows:
            counted = None if one.value is not None else one.successes
            note = None if one.certified else "not proven optimal"
            head = (system.name, one.set, one.category, one.metric, one.score)
            data.append((*head, *one.interval, counted, one.total, note))
        for left in system.left_out:
            what = f"{'incomplete' if left.partly else 'left out'}: {left.reason}"
            data.append((system.name, left.set, left.category, *[None] * 6, what))
    return Report(
        f"fastmatch bench grapes, preset {result.preset}",
        [Table(header, rows, title, list(_notes(result)), styles)],
        ("system", "set", "category", "metric", "score", "low", "high", "successes", "total", "note"),
        data,
        result.to_dict(),
    )


def _lines(result: GrapesResult) -> tuple[list[str], list[list[str]], list[int]]:
    """Header, rows, and the level of each row: a set, a category, what stands beside its main number."""
    from fastmatch.benchmarks.grapes.categories import CATEGORIES, SANITY, SETS

    systems = result.systems
    averages = [result.averages(system) for system in systems]
    marked = _marked(result)
    header = ["category", "n", *(system.name for system in systems)]
    rows: list[list[str]] = []
    levels: list[int] = []
    for number, title in enumerate(SETS, 1):
        rows.append([f"{number} {title}", "", *(_points(values[number - 1]) for values in averages)])
        levels.append(0)
        for key in (key for one in CATEGORIES if one.set == number for key in (one.key, one.key + SANITY)):
            names = dict.fromkeys(row.metric for system in systems for row in system.rows if row.category == key)
            for place, metric in enumerate(names):
                found = [system.row(key, metric) for system in systems]
                first = next(row for row in found if row is not None)
                totals = dict.fromkeys(f"{row.total:,}" for row in found if row is not None)
                text = first.title
                if place or not first.main:
                    text = metric if place and not first.main else f"{first.title}: {metric}"
                elif len([row for row in systems[0].rows if row.category == key and row.main]) > 1:
                    text = f"{first.title}: {metric}"
                marks = ["†" * ((k, key, metric) in marked) for k in range(len(found))]
                cells = ["–" if row is None else _cell(row) + mark for row, mark in zip(found, marks, strict=True)]
                rows.append([text, "/".join(totals), *cells])
                levels.append(1 if first.main else 2)
    return header, rows, levels


def _cell(row: GrapesRow) -> str:
    low, high = row.interval
    span = "" if low != low else f" [{100 * low:.1f}, {100 * high:.1f}]"
    return f"{_points(row.score)}{span}"


def _points(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def _marked(result: GrapesResult) -> set[tuple[int, str, str]]:
    """Systems, categories and metrics that differ from the first system."""
    return {
        (k, one.category, one.metric)
        for k in range(1, len(result.systems))
        for one in result.compare(0, k)
        if one.adjusted < _LIMIT
    }


def _notes(result: GrapesResult) -> Iterator[str]:
    several = len(result.systems) > 1
    if several:
        yield (
            f"†: differs from {result.systems[0].name}, p < {_LIMIT} (McNemar's exact test on the items, corrected "
            "after Holm)"
        )
    for system in result.systems:
        of = f" by {system.name}" if several else ""
        if system.n_unreadable:
            yield f"{count(system.n_unreadable, 'graph')}{of} unreadable, counted as empty: nothing is found in them"
        n_open = [row.title for row in system.rows if not row.certified]
        if n_open:
            yield f"Smatch{of} not proven optimal: {', '.join(n_open)}"
    for reason, partly, left in _left_out(result):
        titles = ", ".join(dict.fromkeys(one.title for _, one in left))
        names = list(dict.fromkeys(name for name, _ in left))
        of = "" if len(names) == len(result.systems) else f" ({', '.join(names)})"
        yield f"{'incomplete' if partly else 'left out'}{of}: {titles}: {reason}"


def _left_out(result: GrapesResult) -> list[tuple[str, bool, list[tuple[str, LeftOut]]]]:
    """What was left out, by reason: (system, category)."""
    found: dict[tuple[str, bool], list[tuple[str, LeftOut]]] = {}
    for system in result.systems:
        for one in system.left_out:
            found.setdefault((one.reason, one.partly), []).append((system.name, one))
    return [(reason, partly, left) for (reason, partly), left in found.items()]


# ---- for programs ----------------------------------------------------------------------------------------------------


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
    from fastmatch.benchmarks.grapes.categories import CATEGORIES, SANITY, SETS
    from fastmatch.benchmarks.grapes.suite import EXTRAS

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
    from fastmatch.benchmarks.grapes.categories import SETS

    for number, (title, value) in enumerate(zip(SETS, result.averages(system), strict=True), 1):
        yield [f"{number}. {title}", "-" if value is None else str(int(100 * value))]


def _size_rows(system: GrapesSystem) -> Iterator[list[str]]:
    yield ["Dataset", *map(str, _SIZES)]
    for row in system.rows:
        if row.sizes:
            shares = {size: successes / total for size, (successes, total) in row.sizes.items()}
            yield [row.title, *(str(int(100 * shares[size])) if size in shares else "" for size in _SIZES)]
