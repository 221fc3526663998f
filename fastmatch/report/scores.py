"""Reports of scores: of one metric, of several, of aspects, and of systems compared.

Scores stand in points (score × 100) with two decimals, as papers do. F1 is also there as a fraction with six decimals,
because two hide the difference that a better alignment makes.
"""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

from fastmatch.report.model import Report, Table
from fastmatch.report.tables import amount, count, points, span
from fastmatch.results.pairs import TripleScores
from fastmatch.results.words import label

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fastmatch.evaluation.comparison import Comparison
    from fastmatch.fine_grained.scores import AspectScores
    from fastmatch.report.paper import Cell, PaperTable
    from fastmatch.results.intervals import Interval
    from fastmatch.results.scores import CorpusScore

__all__ = ["aspects_report", "comparison_report", "paper_report", "score_report", "scores_report"]


# ---- one metric ------------------------------------------------------------------------------------------------------


def score_report(result: CorpusScore) -> Report:
    """Micro and macro scores, the counts behind them, how many pairs are proven optimal, and the signature."""
    pairs = len(result.pairs)
    title = f"{result.signature.metric}: {count(pairs, 'pair')}"
    # precision and recall before the F1 that is made of them
    names = sorted(result.scores, key=lambda name: name == "f1")
    columns, data = _summaries([result])
    signature = [(result.signature.metric, str(result.signature))]
    if not pairs:
        notes = [title, "", "no score, as there is nothing to compare"]
        return Report("fastmatch score", [], columns, data, result.to_dict(), signature, notes)
    tables = [_means(result, names, title)]
    if result.intervals is not None:
        tables.append(_intervals(result, names))
    return Report("fastmatch score", tables, columns, data, result.to_dict(), signature, list(_score_notes(result)))


def _means(result: CorpusScore, names: Sequence[str], title: str) -> Table:
    lines = [("micro", result.micro)] if result.pairs.summable else []
    lines.append(("macro", result.macro))
    kinds = [name.removesuffix("_f") for name in names if name.endswith("_f")]
    if kinds and len(names) == 3 * len(kinds):  # several F scores with precision and recall: too wide for one line
        header = ["", *(f"{line} {part}" for line, _ in lines for part in ("P", "R", "F1"))]
        parts = ("_p", "_r", "_f")
        rows = [
            [label(kind), *(points(values[kind + part]) for _, values in lines for part in parts)] for kind in kinds
        ]
        return Table(header, rows, title)
    rows = [[line, *(points(values[name]) for name in names)] for line, values in lines]
    return Table(["", *map(label, names)], rows, title)


def _intervals(result: CorpusScore, names: Sequence[str]) -> Table:
    intervals = result.intervals
    assert intervals is not None
    kinds = [("micro", ""), ("macro", "macro_")] if result.pairs.summable else [("macro", "")]
    rows = [(label(name), *(span(intervals[prefix + name]) for _, prefix in kinds)) for name in names]
    title = f"{100 * intervals.confidence:g} % confidence intervals ({intervals.signature}):"
    return Table(("", *(kind for kind, _ in kinds)), rows, title)


def _score_notes(result: CorpusScore) -> Iterator[str]:
    pairs = len(result.pairs)
    if isinstance(result.pairs, TripleScores):
        yield (
            f"{count(result.matched, 'matched triple')} of {amount(result.n_pred)} predicted and "
            f"{amount(result.n_gold)} gold, F1 {result.f1:.6f}"
        )
        proven = f"proven optimal: {result.n_certified:,} of {count(pairs, 'pair')}"
        if not result.certified:
            proven += (
                f"; {pairs - result.n_certified:,} open: no alignment matches more than "
                f"{count(result.upper, 'triple')}, F1 {result.upper_score:.6f} at most"
            )
        yield proven
    else:
        yield f"{label(next(iter(result.scores)))} {result.score:.6f}"
        if not result.certified:
            yield f"cut short by a limit of work: {pairs - result.n_certified:,} of {count(pairs, 'pair')}"
    yield _broken(result)


def _broken(result: CorpusScore | AspectScores) -> str:
    """How many graphs were not what they should be, also where all were."""
    return f"invalid, counted as empty: {count(result.n_invalid, 'graph')}; repaired: {result.n_repaired:,}"


def _summaries(results: Sequence[CorpusScore]) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Columns and rows for programs: a row a metric; a column that a metric has not stays empty."""
    rows = [result.summary() for result in results]
    names = (*dict.fromkeys(name for row in rows for name in row if name != "signature"), "signature")
    return names, [tuple(row.get(name) for name in names) for row in rows]


# ---- several metrics -------------------------------------------------------------------------------------------------


def scores_report(results: Mapping[str, CorpusScore]) -> Report:
    """A line a metric: the headline score, its interval if there is one, the macro score, what was proven or broken.

    Parameters
    ----------
    results : mapping of str → CorpusScore
        By what the user called the metric; all of the same pairs.
    """
    first = next(iter(results.values()))
    pairs = len(first.pairs)
    title = f"{count(len(results), 'metric')}, {count(pairs, 'pair')}"
    notes = [f"signature of {name}: {result.signature}" for name, result in results.items()]
    if first.intervals is not None:
        notes.append(f"intervals: {first.intervals.signature}")
    columns, data = _summaries([*results.values()])
    record = [result.to_dict() for result in results.values()]
    if not pairs:
        notes = [title, "", "no score, as there is nothing to compare", "", *notes]
        return Report("fastmatch score", [], columns, data, record, notes=notes)
    header = ["", "is", "score", "precision", "recall", "macro", "proven", "invalid", "repaired"]
    if first.intervals is not None:
        header.insert(3, _interval_name(first.intervals.confidence))
    rows = []
    for name, result in results.items():
        headline = next(iter(result.scores))
        parts = [result.scores.get(part) for part in ("precision", "recall")]
        row = [name, label(headline), points(result.score)]
        if result.intervals is not None:
            row.append(span(result.intervals[headline]))
        row += ["" if part is None else points(part) for part in parts]
        numbers = (result.n_certified, result.n_invalid, result.n_repaired)
        rows.append([*row, points(result.macro.headline), *(f"{number:,}" for number in numbers)])
    return Report("fastmatch score", [Table(header, rows, title)], columns, data, record, notes=notes)


# ---- aspects ---------------------------------------------------------------------------------------------------------


def aspects_report(result: AspectScores) -> Report:
    """A line an aspect: micro scores, the interval of the headline if there is one, the macro score, and the counts.

    Behind the macro score stands how many pairs it is the mean of.
    """
    first = next(iter(result.values()))
    names = sorted(first.scores, key=lambda name: name == "f1")
    headline = next(iter(first.scores))
    header = ["", *map(label, names)]
    if first.intervals is not None:
        header.append(_interval_name(first.intervals.confidence))
    header += [f"macro {label(headline)}", "of pairs", *first.pairs.names]
    rows = []
    data: list[dict[str, Any]] = []
    for name, score in result.items():
        cells = [name, *(points(score.scores[part]) for part in names)]
        if score.intervals is not None:
            cells.append(span(score.intervals[headline]))
        counts = [amount(score.sums[part]) for part in score.pairs.names] if score.pairs.summable else []
        rows.append([*cells, points(score.macro.headline), f"{score.n_macro:,}", *counts])
        row: dict[str, Any] = {"aspect": name, **score.summary()}
        data.append({key: row[key] for key in ("aspect", "metric", "n_pairs")} | {"n_macro": score.n_macro} | row)
    notes = []
    empty = [name for name, score in result.items() if set(score.sums.values()) == {0}]
    if empty:
        notes.append(f"nothing of this in any graph: {', '.join(empty)}")
    open_pairs = [name for name, score in result.items() if not score.certified]
    notes.append(f"not proven optimal: {', '.join(open_pairs)}" if open_pairs else "all proven optimal")
    notes.append(_broken(result))
    if first.intervals is not None:
        notes.append(f"intervals: {first.intervals.signature}")
    return Report(
        "fastmatch score --aspects",
        [Table(header, rows, f"{result.kind}: {count(result.n_pairs, 'pair')}")],
        tuple(data[0]),
        [tuple(row.values()) for row in data],
        result.to_dict(),
        [(result.kind, str(result.signature))],
        notes,
    )


# ---- systems ---------------------------------------------------------------------------------------------------------


def comparison_report(comparison: Comparison) -> Report:
    """The systems' headline scores with intervals, then each difference with effect size and p by both tests.

    The last column, better/equal/worse, says in how many pairs the second system scores higher, the same, lower. For
    programs a row a difference and score; for a paper a table of the systems.
    """
    from fastmatch.evaluation.comparison import system_letter
    from fastmatch.report.paper import compared_table

    first = comparison.results[0]
    names = comparison.headlines
    heads = [f"{kind} {label(names[0])}" for kind in (("micro", "macro") if len(names) > 1 else ("macro",))]
    # differences name the systems by letters, for the names are mostly those of files
    letters = {name: system_letter(number) for number, name in enumerate(comparison.names)}
    differences = [difference.to_dict() for difference in comparison.differences]
    signatures = (str(first.signature), str(comparison.signature))
    return Report(
        "fastmatch compare",
        [
            _systems(comparison, letters, heads, f"{first.signature.metric}: {count(len(first), 'pair')}"),
            _differences(comparison, letters, heads),
        ],
        (*(differences[0] if differences else ()), "signature", "comparison"),
        [(*row.values(), *signatures) for row in differences],
        comparison.to_dict(),
        notes=[f"signature: {first.signature}", f"comparison: {comparison.signature}"],
        paper=compared_table(comparison),
    )


def _systems(comparison: Comparison, letters: dict[str, str], heads: list[str], title: str) -> Table:
    """A row a system: its headline scores with their intervals."""
    names = comparison.headlines
    rows = []
    for system, result in zip(comparison.names, comparison.results, strict=True):
        values = [result.scores.headline, result.macro.headline][: len(names)]
        assert result.intervals is not None
        spans = [span(result.intervals[name]) for name in names]
        name = letters[system] if system == letters[system] else f"{letters[system]}  {system}"
        rows.append((name, *(cell for pair in zip(map(points, values), spans, strict=True) for cell in pair)))
    header = ("system", *(cell for head in heads for cell in (head, _interval_name(comparison.confidence))))
    return Table(header, rows, title)


def _differences(comparison: Comparison, letters: dict[str, str], heads: list[str]) -> Table:
    """A row a difference of two systems: effect size, p by both tests, and how many pairs are better."""
    names = comparison.headlines
    several = len(comparison.of(names[0])) > 1
    rows = []
    for name, head in zip(names, heads, strict=True):
        for row in comparison.of(name):
            low, high = row.interval.low, row.interval.high
            p = (row.p_randomisation, row.adjusted_randomisation, row.p_bootstrap, row.adjusted_bootstrap)
            rows.append(
                (
                    f"{letters[row.second]} - {letters[row.first]}",
                    head,
                    f"{100 * row.difference:+.2f}",
                    "none" if isnan(low) else f"{100 * low:+.2f} to {100 * high:+.2f}",
                    "none" if isnan(row.effect) else f"{row.effect:+.3f}",  # as of a single pair
                    *("none" if isnan(value) else f"{value:.4f}" for value in (p if several else p[::2])),
                    f"{row.better:,}/{row.equal:,}/{row.worse:,}",
                )
            )
    tests = (
        ("p randomisation", "corrected", "p bootstrap", "corrected") if several else ("p randomisation", "p bootstrap")
    )
    interval = _interval_name(comparison.confidence)
    header = ("difference", "score", "points", interval, "effect", *tests, "better/equal/worse")
    return Table(header, rows)


def _interval_name(confidence: float) -> str:
    return f"{100 * confidence:g} % interval"


# ---- the table of a paper --------------------------------------------------------------------------------------------


def paper_report(table: PaperTable) -> Report:
    """The table in every form; for programs a row a cell."""
    marked = any(cell.best for cells in table.cells for cell in cells)
    rows = [[name, *map(_text_cell, cells)] for name, cells in zip(table.rows, table.cells, strict=True)]
    notes = [note.replace("Bold: ", "*: ") if marked else note for note in table.notes]
    data = [
        (name, column, cell.value, *(cell.interval or (None, None)), cell.best, cell.different)
        for name, cells in zip(table.rows, table.cells, strict=True)
        for column, cell in zip(table.columns, cells, strict=True)
    ]
    columns = (table.head, "column", "value", "low", "high", "best", "different")
    record = {
        "cells": [
            dict(zip(columns, (None if value != value else value for value in row), strict=True)) for row in data
        ],
        "signatures": dict(table.signatures),
        "notes": list(table.notes),
    }
    return Report(
        "fastmatch score",
        [Table([table.head, *table.columns], rows)],
        columns,
        data,
        record,
        table.signatures,
        notes,
        table,
    )


def _brackets(interval: Interval | None) -> str:
    return "" if interval is None or isnan(interval.low) else f"[{points(interval.low)}, {points(interval.high)}]"


def _text_cell(cell: Cell) -> str:
    text = "–" if cell.value != cell.value else points(cell.value)
    return f"{text}{'*' * cell.best}{'†' * cell.different} {_brackets(cell.interval)}".rstrip()
