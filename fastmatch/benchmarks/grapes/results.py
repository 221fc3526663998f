"""Results of GrAPES: shares of the items found, of a category and of a set, with intervals and comparisons.

Most numbers of the suite are the share of items found, with a Wilson interval (Wilson 1927). Systems that were judged
in one run are compared item by item (McNemar's test, exact).
"""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from fastmatch.benchmarks.grapes.categories import CATEGORIES, SANITY, SETS
from fastmatch.benchmarks.grapes.suite import EXTRAS
from fastmatch.benchmarks.shared import wilson
from fastmatch.evaluation.significance import adjusted
from fastmatch.report.cells import Points, count, points
from fastmatch.report.frames import Tabular
from fastmatch.report.model import Report, Reported, Table, by_name
from fastmatch.report.writing import attributes, in_table, plain, write_lines
from fastmatch.results.scores import Interval

Preset: TypeAlias = Literal["default", "tool"]

#: p below which a difference has a mark.
_LIMIT = 0.05
_NONE = Points(math.nan)

#: Name of the metric of whole graphs, which is no share of items.
SMATCH = "Smatch"


@dataclass(frozen=True)
class GrapesRow:
    """One number of one system.

    Attributes
    ----------
    category : str
        Key of the category; with ``_sanity_check`` behind it, of its sanity check.
    title, metric : str
        As the program's tables name them.
    set : int
        Number of the set, from 1.
    main : bool
        The row counts in the average of its set.
    successes : int
    total : int
        Items; conjuncts in the first two rows of lists, roles in the third. Precision can exceed 1, as several gold
        conjuncts may be equal to one that was predicted.
    passed : tuple of bool
        For each item whether it was found. Empty in the rows of lists and of Smatch.
    items : tuple of (str, str)
        For each item the id of its graph and what is looked for.
    sizes : mapping
        Size → (successes, total), for the categories whose gold graphs have sizes.
    value : float or None
        The number itself, where it is no share: Smatch's F1. ``total`` is then a number of graphs.
    certified : bool
        Smatch only: every pair is proven optimal.
    """

    category: str
    title: str
    metric: str
    set: int
    main: bool
    successes: int
    total: int
    passed: tuple[bool, ...] = ()
    items: tuple[tuple[str, str], ...] = ()
    sizes: Mapping[int, tuple[int, int]] | None = None
    value: float | None = None
    certified: bool = True

    def __repr__(self) -> str:
        found = f"{self.successes:,} of {self.total:,}" if self.value is None else count(self.total, "graph")
        return f"<GrapesRow: {self.category}, {self.metric} {points(self.score)}, {found}>"

    @property
    def score(self) -> float:
        """A fraction; 0 where there is nothing to be found (a system that predicts no conjunct has precision 0)."""
        if self.value is not None:
            return self.value
        return self.successes / self.total if self.total else 0.0

    @property
    def interval(self) -> Interval:
        """Wilson's, with 95 % confidence; nan where the number is no share."""
        return Interval(math.nan, math.nan) if self.value is not None else wilson(self.successes, self.total)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON; the outcomes of the items as a text of the digits 0 and 1."""
        low, high = self.interval
        made: dict[str, Any] = {
            **attributes(self, "category", "title", "set", "metric", "score"),
            "interval": None if low != low else [low, high],
        }
        if self.value is not None:
            return {**made, "graphs": self.total, "certified": self.certified}
        made |= {"successes": self.successes, "total": self.total}
        if self.passed:
            made["items"] = "".join("01"[passed] for passed in self.passed)
        if self.sizes:
            made["sizes"] = {str(size): list(counts) for size, counts in sorted(self.sizes.items())}
        return made


@dataclass(frozen=True)
class LeftOut:
    """A category that was not evaluated, or not on all of its items, and why."""

    category: str
    title: str
    set: int
    reason: str
    partly: bool = False


@dataclass(frozen=True)
class GrapesSystem:
    """All numbers of one system.

    Attributes
    ----------
    name : str
    rows : tuple of GrapesRow
        In the order of the suite; behind each category its sanity check.
    left_out : tuple of LeftOut
    unreadable : mapping
        File → graphs of it that could not be read, as (number, what was wrong).
    """

    name: str
    rows: tuple[GrapesRow, ...]
    left_out: tuple[LeftOut, ...]
    unreadable: Mapping[str, tuple[tuple[int, str], ...]]

    def __repr__(self) -> str:
        return f"<GrapesSystem {self.name!r}: {count(len(self.rows), 'row')}, {len(self.left_out):,} left out>"

    @property
    def n_unreadable(self) -> int:
        """Predictions that count as empty graphs."""
        return sum(map(len, self.unreadable.values()))

    def row(self, category: str, metric: str) -> GrapesRow | None:
        """One number, or None."""
        return next((row for row in self.rows if (row.category, row.metric) == (category, metric)), None)


@dataclass(frozen=True)
class Compared:
    """Two systems on the items of one row.

    Attributes
    ----------
    category, title, metric : str
    first, second : str
        The systems.
    only_first, only_second : int
        Items that one of them found and the other did not.
    p : float
        Of McNemar's test (McNemar 1947), exact and two-sided: how likely such a difference is if an item on which they
        differ falls to either with the same chance.
    adjusted : float
        The same, corrected after Holm over all rows compared.
    """

    category: str
    title: str
    metric: str
    first: str
    second: str
    only_first: int
    only_second: int
    p: float
    adjusted: float


@dataclass(frozen=True)
class GrapesResult(Reported, Tabular):
    """All systems, in the order in which they were given.

    Attributes
    ----------
    systems : tuple of GrapesSystem
    preset : {"default", "tool"}
        How sets are averaged.
    folder : str
        The clone.
    """

    systems: tuple[GrapesSystem, ...]
    preset: Preset
    folder: str

    def __repr__(self) -> str:
        systems = ", ".join(f"{system.name!r} ({count(len(system.rows), 'row')})" for system in self.systems)
        return f"<GrapesResult: {systems}, preset={self.preset!r}>"

    def averages(self, system: GrapesSystem) -> tuple[float | None, ...]:
        """For each set the mean over the main rows of its categories; None without any.

        Long lists have three main rows. With the preset ``tool``, as the program does it: if one of the two categories
        that need a licence could not be evaluated, its set has no average, and the sets behind it are given that of an
        earlier set.
        """
        right: list[float | None] = []
        for number in range(1, len(SETS) + 1):
            scores = [row.score for row in system.rows if row.set == number and row.main]
            right.append(sum(scores) / len(scores) if scores else None)
        if self.preset == "default":
            return tuple(right)
        refused: set[int] = set()
        free = {category.key for category in CATEGORIES if not category.testset} - EXTRAS.keys()
        if any(row.category in free for row in system.rows):  # without predictions for the suite no set is refused
            refused = {left.set for left in system.left_out if left.category in EXTRAS and not left.partly}
        values = iter(right)
        return tuple(None if number in refused else next(values) for number in range(1, len(SETS) + 1))

    def compare(self, first: int = 0, second: int = 1) -> tuple[Compared, ...]:
        """Two of the systems, on all main rows whose items both have.

        Parameters
        ----------
        first, second : int
            Their places in ``systems``.
        """
        one, other = self.systems[first], self.systems[second]
        found = []
        for row in one.rows:
            its = other.row(row.category, row.metric)
            if not row.main or its is None or not row.passed or row.items != its.items:
                continue
            pairs = list(zip(row.passed, its.passed, strict=True))
            found.append((row, pairs.count((True, False)), pairs.count((False, True))))
        ps = [_mcnemar(b, c) for _, b, c in found]
        return tuple(
            Compared(row.category, row.title, row.metric, one.name, other.name, b, c, p, better)
            for (row, b, c), p, better in zip(found, ps, adjusted(ps, "holm") if ps else (), strict=True)
        )

    def _rows(self) -> list[dict[str, Any]]:
        """One row a system, category and metric."""
        return [_cells(system, row) for system in self.systems for row in system.rows]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON."""
        compared = [vars(one) for k in range(1, len(self.systems)) for one in self.compare(0, k)]
        return {
            "benchmark": "grapes",
            "preset": self.preset,
            "folder": self.folder,
            "systems": [
                {
                    "name": system.name,
                    "averages": {str(number): average for number, average in enumerate(self.averages(system), 1)},
                    "rows": [row.to_dict() for row in system.rows],
                    "left_out": [vars(left) for left in system.left_out],
                    "unreadable": plain(system.unreadable),
                }
                for system in self.systems
            ],
            **({"comparisons": compared} if compared else {}),
        }

    def report(self) -> Report:
        """A row a number, a column a system; sets with their averages, and notes on what was left out.

        For programs a row a system, category and metric; what was left out is a row with its reason.
        """
        header, rows, levels = _lines(self)
        title = f"GrAPES of {self.folder}, points; in brackets 95 % intervals (Wilson)"
        styles = [("bold", "", "dim")[level] for level in levels]
        data: list[dict[str, Any]] = []
        for system in self.systems:
            for one in system.rows:
                data.append({**_cells(system, one), "note": None if one.certified else "not proven optimal"})
            for left in system.left_out:
                what = f"{'incomplete' if left.partly else 'left out'}: {left.reason}"
                own = {"system": system.name, "set": left.set, "category": left.category, "note": what}
                data.append({**dict.fromkeys(_CELLS), **own})
        table = Table(header, rows, title, list(_notes(self)), styles)
        return Report(f"fastmatch bench grapes, preset {self.preset}", [table], *by_name(data), self.to_dict())


# ---- what the report shows -------------------------------------------------------------------------------------------


_CELLS = ("system", "set", "category", "metric", "score", "low", "high", "successes", "total", "note")


def _cells(system: GrapesSystem, row: GrapesRow) -> dict[str, Any]:
    """A row of the table for programs."""
    own = attributes(row, "set", "category", "metric", "score")
    counts = {"successes": None if row.value is not None else row.successes, "total": row.total}
    return {"system": system.name, **own, **row.interval._asdict(), **counts}


def _lines(result: GrapesResult) -> tuple[list[str], list[list[object]], list[int]]:
    """Header, rows, and the level of each row: a set, a category, what stands beside its main number."""
    systems = result.systems
    averages = [result.averages(system) for system in systems]
    marked = _marked(result)
    header = ["category", "n", *(system.name for system in systems)]
    rows: list[list[object]] = []
    levels: list[int] = []
    for number, title in enumerate(SETS, 1):
        rows.append([f"{number} {title}", "", *(_average(values[number - 1]) for values in averages)])
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
                cells = [
                    _NONE
                    if row is None
                    else Points(row.score, row.interval, different=(k, key, metric) in marked, digits=1)
                    for k, row in enumerate(found)
                ]
                levels.append(1 if first.main else 2)
                rows.append(["  " * levels[-1] + text, "/".join(totals), *cells])
    return header, rows, levels


def _average(value: float | None) -> Points:
    return _NONE if value is None else Points(value, digits=1)


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
    why: dict[tuple[str, bool], list[tuple[str, LeftOut]]] = {}
    for system in result.systems:
        for one in system.left_out:
            why.setdefault((one.reason, one.partly), []).append((system.name, one))
    for (reason, partly), left in why.items():
        titles = ", ".join(dict.fromkeys(one.title for _, one in left))
        names = list(dict.fromkeys(name for name, _ in left))
        of = "" if len(names) == len(result.systems) else f" ({', '.join(names)})"
        yield f"{'incomplete' if partly else 'left out'}{of}: {titles}: {reason}"


def _mcnemar(b: int, c: int) -> float:
    """The exact two-sided p of b items against c."""
    n = b + c
    tail = sum(math.comb(n, k) for k in range(min(b, c) + 1))
    return min(1.0, 2 * tail / (1 << n))


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
