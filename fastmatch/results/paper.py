"""The table of a paper: systems in rows and metrics in columns, or aspects and systems.

Scores stand in points (score × 100). Behind each headline score stands its confidence interval, the best system is
bold, and a dagger marks a system that differs from the reference: the best one, or a baseline. Notes below the table
say how all this was made, and give the signature of every metric: only numbers of equal signatures may be compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fastmatch.report.cells import Points, count
from fastmatch.report.model import Report, Table
from fastmatch.results.scores import CorpusScore
from fastmatch.results.words import label


class Line(NamedTuple):
    """One score of all systems: what stands in a line of the table, a column of metrics or a row of aspects.

    Attributes
    ----------
    name : str
        Of the metric or aspect.
    score : str
        Name of the score, such as ``f1``.
    results : sequence of CorpusScore
        One a system.
    comparison : a Comparison, or None
        The systems, each compared with the reference at least, in any order; None if there is only one.
    """

    name: str
    score: str
    results: Sequence[CorpusScore]
    comparison: Any

    @property
    def is_headline(self) -> bool:
        """Whether this is the main score of the metric, which is shown with intervals."""
        return self.score == next(iter(self.results[0].scores))


def paper_table(systems: Sequence[str], lines: Sequence[Line], baseline: str | None = None) -> Report:
    """The table of some systems and metrics, a column each line.

    Parameters
    ----------
    systems : sequence of str
        Different names, in the order of the rows.
    lines : sequence of Line
    baseline : str, optional
        The system that the others are marked against; by default the best of each column.
    """
    metrics = {line.name: line.results for line in lines}
    names = [label(line.score) if len(metrics) == 1 else f"{line.name} {label(line.score)}" for line in lines]
    notes = [*_means(metrics), *_ways(lines, baseline, "column")]
    notes += _all_well(result for results in metrics.values() for result in results)
    for metric, results in metrics.items():
        for system, result in zip(systems, results, strict=True):
            if not result.certified:
                n_open = len(result) - result.n_certified
                notes.append(f"{metric} of {system}: {count(n_open, 'pair')} not proven optimal.")
            notes += _unread(f"{metric} of {system}", result)
    cells = zip(*(_cells(systems, line, baseline) for line in lines), strict=True)
    signatures = [(metric, str(results[0].signature)) for metric, results in metrics.items()]
    return _report("system", systems, names, cells, notes, signatures)


def aspects_table(
    systems: Sequence[str],
    scores: Sequence[Mapping[str, CorpusScore]],
    lines: Sequence[Line],
    signature: tuple[str, str],
    baseline: str | None = None,
) -> Report:
    """The table of the aspects of some systems, a row an aspect and a column a system.

    Of a single system there is a column for each score. Aspects that no graph has are left out.

    Parameters
    ----------
    systems : sequence of str
        Different names.
    scores : sequence of mappings of str → CorpusScore
        One a system.
    lines : sequence of Line
        The headline scores of all aspects that some graph has; of a single system all their scores.
    signature : (str, str)
        The kind of aspects, and what they all depend on.
    baseline : str, optional
        The system that the others are marked against; by default the best of each row.
    """
    names = list(dict.fromkeys(line.name for line in lines))
    of_one = [line for line in lines if line.name == names[0]]
    if len(systems) == 1:
        columns = [label(line.score) for line in of_one]
        cells = [[_cells(systems, line, None)[0] for line in lines if line.name == name] for name in names]
    else:
        columns = list(systems)
        cells = [_cells(systems, line, baseline) for line in lines]
    what = f"{label(of_one[0].score)} in points" if len(systems) > 1 else "Points"
    notes = [*_means({line.name: line.results for line in lines}, what), *_ways(lines, baseline, "row")]
    empty = [name for name in scores[0] if name not in names]
    if empty:
        notes.append(f"Nothing of this in any graph: {', '.join(empty)}.")
    notes += _all_well(score for result in scores for score in result.values())
    for system, result in zip(systems, scores, strict=True):
        open_pairs = [name for name, score in result.items() if not score.certified]
        if open_pairs:
            notes.append(f"{system}: not proven optimal: {', '.join(open_pairs)}.")
        notes += _unread(system, next(iter(result.values())))
    return _report("aspect", names, columns, cells, notes, [signature])


def _report(
    head: str,
    names: Sequence[str],
    columns: Sequence[str],
    cells: Iterable[Sequence[Points]],
    notes: list[str],
    signatures: list[tuple[str, str]],
) -> Report:
    """The table in every form; for programs a row a cell."""
    rows = list(zip(names, cells, strict=True))
    header = (head, "column", "value", "low", "high", "best", "different")
    data = [
        (name, column, cell.value, *(cell.interval or (None, None)), cell.best, cell.different)
        for name, row in rows
        for column, cell in zip(columns, row, strict=True)
    ]
    record: dict[str, Any] = {
        "cells": [dict(zip(header, (None if value != value else value for value in row), strict=True)) for row in data],
        "signatures": dict(signatures),
        "notes": notes,
    }
    table = Table([head, *columns], [(name, *row) for name, row in rows])
    return Report("fastmatch score", [table], header, data, record, signatures, notes)


def shown_scores(result: CorpusScore) -> list[str]:
    """The scores of a metric that is alone in a table: precision and recall before the F1 that is made of them."""
    return sorted(result.scores, key=lambda name: name == "f1")


def _cells(systems: Sequence[str], line: Line, baseline: str | None) -> list[Points]:
    values = [result.scores[line.score] for result in line.results]
    highest = max(values)
    different: set[str] = set()
    if line.comparison is not None:
        reference = systems[values.index(highest)] if baseline is None else baseline
        limit = 1 - line.comparison.confidence
        different = {
            row.second if row.first == reference else row.first
            for row in line.comparison.of(line.score)
            if reference in (row.first, row.second) and row.adjusted_randomisation < limit
        }
    cells = []
    for system, result, value in zip(systems, line.results, values, strict=True):
        interval = result.intervals[line.score] if line.is_headline and result.intervals is not None else None
        best = len(systems) > 1 and value == highest
        cells.append(Points(value, interval, best=best, different=system in different))
    return cells


# ---- notes -----------------------------------------------------------------------------------------------------------


def _means(metrics: dict[str, Sequence[CorpusScore]], what: str = "Points") -> Iterator[str]:
    first = next(iter(metrics.values()))[0]
    macro = [metric for metric, results in metrics.items() if not results[0].pairs.summable]
    means = "sums over all pairs (micro)" if len(macro) < len(metrics) else "means over the pairs (macro)"
    if macro and len(macro) < len(metrics):
        means += f", of {' and '.join(macro)} means over the pairs (macro)"
    yield f"{what} (score × 100) on {count(len(first), 'pair')}: {means}."


def _ways(lines: Iterable[Line], baseline: str | None, place: str) -> Iterator[str]:
    """How intervals and marks were made; ``place``: whose best system is the reference."""
    line = next(iter(lines))
    intervals = line.results[0].intervals
    if intervals is not None:
        ways = intervals.signature.fields
        yield (
            f"In brackets: {100 * intervals.confidence:g} % bootstrap intervals ({ways['ci']}, {int(ways['n']):,} "
            f"resamples, seed {ways['seed']})."
        )
    if line.comparison is not None:
        ways = line.comparison.signature.fields
        against = f"the best system of the {place}" if baseline is None else baseline
        family = f", {_CORRECTIONS[ways['correction']]}" if "correction" in ways else ""
        test = f"p < {1 - line.comparison.confidence:.3g} (paired randomisation test{family})"
        yield f"Bold: the best of the {place}. †: differs from {against}, {test}."


def _all_well(results: Iterable[CorpusScore]) -> Iterator[str]:
    """Says that there is nothing to say of open pairs and broken graphs, if that is so."""
    if all(result.certified and not result.problems for result in results):
        yield "Certified: all pairs. Invalid graphs: none. Repaired graphs: none."


def _unread(name: str, result: CorpusScore) -> Iterator[str]:
    if result.n_repaired:
        yield f"{name}: {count(result.n_repaired, 'graph')} repaired."
    if result.n_invalid:
        yield f"{name}: {count(result.n_invalid, 'graph')} missing or unreadable, counted as empty."


_CORRECTIONS = {
    "holm": "corrected after Holm",
    "bonferroni": "corrected after Bonferroni",
    "bh": "corrected after Benjamini and Hochberg",
    "none": "not corrected",
}
