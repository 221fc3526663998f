"""The report of the principles that metrics keep or violate."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable

from fastmatch.benchmarks.principles import Principles
from fastmatch.benchmarks.shared import limits_note
from fastmatch.report.cells import Number, Points, Small, Span
from fastmatch.report.model import Report, Table, by_name
from fastmatch.results.words import short_name

#: Changes of meaning in the rows of the principles.
_PROBES = {
    "coreference": "a mention made a node",
    "namesake": "a mention led to a namesake",
    "roles": "two roles exchanged",
    "attribute": "an attribute gone",
}

#: Width of a page that is no terminal.
_COLUMNS = 120


def principles_report(results: list[Principles]) -> Report:
    """One column a metric; several tables below each other where the columns need more than the width of the page."""
    lines: list[tuple[str, Callable[[Principles], object]]] = []
    if any(result.n_unreadable for result in results):
        lines.append(("    pairs left out: not readable", lambda r: r.n_unreadable))
    lines += [
        ("I   scores from", lambda r: Number(r.lowest, 4)),
        ("    to", lambda r: Number(r.highest, 4)),
        ("    pairs outside [0, 1], either direction", lambda r: r.n_out_of_bounds),
        ("II  graphs that are not 1 with themselves", lambda r: _of(r.n_self_different, r.n_pairs)),
        ("    renamed and reordered, not 1", lambda r: _of(r.n_disguised_different, r.n_disguised)),
        ("    equal pairs that are not 1", lambda r: _of(r.n_false_different, r.n_equal)),
        ("    different pairs that are 1", lambda r: _of(r.n_false_equal, r.n_pairs - r.n_equal)),
        *((f"    {text}, unseen", _unseen(name)) for name, text in _PROBES.items()),
        ("III symmetry violation ratio svr, %", lambda r: Points(r.svr)),
        ("    95 % interval", lambda r: Span(*r.svr_interval)),
        ("    mean symmetry violation msv, points", lambda r: Points(r.msv, digits=4)),
        ("    95 % interval", lambda r: Span(*r.msv_interval, digits=4)),
        (f"IV  determinacy error, corpus, {results[0].runs} runs", lambda r: Small(r.corpus_error)),
        ("    of a pair, mean", lambda r: Small(r.pair_error)),
        ("    renamed and reordered, pairs that change, %", lambda r: Points(r.disguise_ratio)),
        ("    mean change, points", lambda r: Points(r.disguise_mean, digits=4)),
        ("V   cost of a wrong root concept, points", lambda r: Points(r.places["root concept"].loss)),
        ("    of another with relations", lambda r: Points(r.places["inner concept"].loss)),
        ("    of a leaf", lambda r: Points(r.places["leaf concept"].loss)),
        ("VI  rank correlation with Jaccard's index", lambda r: Points(r.jaccard_order)),
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
    data = [result.summary() for result in results]
    record = {"metrics": [result.to_dict() for result in results]}
    signatures = [(result.metric, str(result.signature)) for result in results]
    notes = [note for result in results for note in limits_note(result.metric, result.n_limited)]
    report = Report("fastmatch bench principles", tables, *by_name(data), record, signatures, notes)
    paper = _principles_table(results, f"{title}, {results[0].runs} runs")
    return report._replace(paper=report._replace(tables=[paper]))


def _principles_table(results: list[Principles], title: str) -> Table:
    """A row a metric, with the numbers that a paper would print."""
    header = ("metric", "outside [0, 1]", "self ≠ 1", "renamed ≠ 1", "svr, %", "msv, points", "ε corpus", "ε pair")
    rows: list[tuple[object, ...]] = []
    for result in results:
        counts = (result.n_out_of_bounds, result.n_self_different, result.n_disguised_different)
        svr, msv = Points(result.svr, result.svr_interval, digits=1), Points(result.msv, result.msv_interval)
        errors = Small(result.corpus_error), Small(result.pair_error)
        rows.append((short_name(result.metric), *counts, svr, msv, *errors))
    return Table(header, rows, title)


def _of(count: int, n: int) -> str:
    return f"{count:,} of {n:,}"


def _unseen(name: str) -> Callable[[Principles], object]:
    return lambda result: _of(result.probes[name].n_unseen, result.probes[name].n)
