"""Agreement of annotators: a matrix and a table for people, JSON and TSV for programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TextIO

from fastmatch.report.records import in_table
from fastmatch.report.tables import (
    count,
    latex,
    markdown,
    markdown_code,
    points,
    print_latex,
    print_row,
    print_table,
    span,
)
from fastmatch.results.pairs import TripleScores
from fastmatch.results.words import label
from fastmatch.runtime.streams import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastmatch.evaluation.agreement import AgreedPair, Agreement
    from fastmatch.graphs.corpus import Corpus

__all__ = [
    "agreement_record",
    "print_agreement",
    "print_agreement_latex",
    "print_agreement_markdown",
    "print_agreement_tsv",
    "warn_broken",
]

#: Ids that the report names of those that an annotator lacks; JSON has all.
_NAMED = 10


def agreement_record(result: Agreement) -> dict[str, Any]:
    """The matrices, the means, and the score of each two annotators as one JSON object."""
    from fastmatch.version import __version__

    return {**result.to_dict(), "version": __version__}


def print_agreement_tsv(result: Agreement, file: TextIO | None = None) -> None:
    """A header line and one line for each two annotators, in both directions if these differ."""
    file = file or sys.stdout
    for number, row in enumerate(result.summaries()):
        if not number:
            print_row(row, file)
        named = {**row, "first": in_table(str(row["first"])), "second": in_table(str(row["second"]))}
        print_row(named.values(), file)


def print_agreement_latex(result: Agreement, file: TextIO | None = None) -> None:
    """The matrix of headline scores as a ``tabular``, with the means below it as comments."""
    header, rows, notes = _matrix(result)
    escaped = [[latex(cell) for cell in row] for row in rows]
    print_latex([latex(name) for name in header], escaped, file or sys.stdout, notes=notes)


def print_agreement_markdown(result: Agreement, file: TextIO | None = None) -> None:
    """The matrix of headline scores as a table in Markdown, with the means as a list below it."""
    file = file or sys.stdout
    header, rows, notes = _matrix(result)
    for number, row in enumerate((header, *rows)):
        print(f"| {' | '.join(map(markdown, row))} |", file=file)
        if not number:
            print(f"| --- |{' ---: |' * (len(header) - 1)}", file=file)
    print(file=file)
    for note in notes[:-1]:
        print(f"- {markdown(note)}", file=file)
    print(f"- {markdown_code(notes[-1])}", file=file)


def _matrix(result: Agreement) -> tuple[list[str], list[list[str]], list[str]]:
    """Header, rows and notes of the table of a paper; the last note is the signature."""
    rows = [
        [name, *("–" if value != value else points(value) for value in row), points(result.mean_of(k))]
        for k, (name, row) in enumerate(zip(result.names, result.matrix.tolist(), strict=True))
    ]
    kind = "micro " if len(result.headlines) > 1 else ""
    direction = "" if result.symmetric else "; rows are predictions, columns gold graphs"
    notes = [f"{kind}{label(result.headlines[0])} in points{direction}", _means(result), str(result.signature)]
    return ["", *result.names, "mean"], rows, notes


def print_agreement(result: Agreement, file: TextIO | None = None) -> None:
    """The matrix of headline scores, each two annotators with micro and macro scores, the mean, and what is missing."""
    from fastmatch.evaluation.comparison import system_letter

    file = file or sys.stdout
    letters = [system_letter(k) for k in range(len(result.names))]
    sizes = {len(pair.score) for pair in result.pairs}
    graphs = count(min(sizes), "graph") if len(sizes) == 1 else f"{min(sizes):,} to {max(sizes):,} graphs in common"
    print(f"{result.signature.metric}: {count(len(letters), 'annotator')}, {graphs}\n", file=file)
    for letter, name in zip(letters, result.names, strict=True):
        if letter != name:
            say(f"  {letter}  {name}", file)
    if not max(sizes):
        print(f"no score, as there is nothing to compare\nsignature: {result.signature}", file=file)
        return
    micro = ["micro ", ""][len(result.headlines) == 1]
    head = label(result.headlines[0])
    print(f"\n{micro}{head}{'' if result.symmetric else ', rows as predictions of columns'}:\n", file=file)
    rows = [
        [letter, *("-" if value != value else points(value) for value in row), points(result.mean_of(k))]
        for k, (letter, row) in enumerate(zip(letters, result.matrix.tolist(), strict=True))
    ]
    print_table(["", *letters, "mean"], rows, file, right=True)
    print(file=file)
    _print_pairs(result, dict(zip(result.names, letters, strict=True)), file)
    print(file=file)
    _print_end(result, file)


def _print_pairs(result: Agreement, letters: dict[str, str], file: TextIO) -> None:
    """A row for each two annotators: counts, micro scores, the macro score, intervals if there are any."""
    first = result.pairs[0].score
    names = sorted(first.scores, key=lambda name: name == "f1")  # precision and recall before the F1 made of them
    if len(names) > 3:  # metrics with many scores: the headline alone
        names = names[:1]
    several = len({len(pair.score) for pair in result.pairs}) > 1
    macro = first.pairs.summable
    interval = "" if first.intervals is None else f"{100 * first.intervals.confidence:g} % interval"
    header = ["pair", *(["graphs"] * several), *map(label, names)]
    header += [interval] * bool(interval)
    if macro:
        header += [f"macro {label(next(iter(first.macro)))}", *([interval] * bool(interval))]
    rows = [_pair_row(pair, letters, names, several, result) for pair in result.pairs]
    print_table(header, rows, file, right=True)


def _pair_row(
    pair: AgreedPair, letters: dict[str, str], names: Sequence[str], several: bool, result: Agreement
) -> list[str]:
    score = pair.score
    between = " - " if result.symmetric else " > "
    row = [letters[pair.first] + between + letters[pair.second], *([f"{len(score):,}"] * several)]
    row += [points(score.scores[name]) for name in names]
    for place, headline in enumerate(result.headlines):
        if place:
            row.append(points(score.macro.headline))
        if score.intervals is not None:
            row.append(span(score.intervals[headline]))
    return row


def _means(result: Agreement) -> str:
    """The mean over all pairs, with intervals if there are any."""
    means = []
    for name, value in result.mean.items():
        kind = "macro " if name.startswith("macro_") else ""
        within = "" if result.intervals is None else f" ({span(result.intervals[name])})"
        means.append(f"{kind}{label(name.removeprefix('macro_'))} {points(value)}{within}")
    return f"mean of {count(len(result.pairs), 'pair')}: {', '.join(means)}"


def _print_end(result: Agreement, file: TextIO) -> None:
    print(_means(result), file=file)
    if not result.symmetric:
        print(
            f"the metric is not symmetric: the two directions differ by up to {points(result.asymmetry)} points",
            file=file,
        )
    for name, ids in result.missing.items():
        more = ", …" if len(ids) > _NAMED else ""
        say(f"missing in {name}: {count(len(ids), 'id')} ({', '.join(ids[:_NAMED])}{more})", file)
    n_open = sum(len(pair.score) - pair.score.n_certified for pair in result.pairs)
    n_graphs = sum(len(pair.score) for pair in result.pairs)
    if isinstance(result.pairs[0].score.pairs, TripleScores):
        print(f"proven optimal: {n_graphs - n_open:,} of {count(n_graphs, 'pair')} of graphs", file=file)
    elif n_open:
        print(f"cut short by a limit of work: {n_open:,} of {count(n_graphs, 'pair')} of graphs", file=file)
    n_invalid, n_repaired = (sum(found.values()) for found in (result.n_invalid, result.n_repaired))
    print(f"invalid, counted as empty: {count(n_invalid, 'graph')}; repaired: {n_repaired:,}", file=file)
    print(f"signature: {result.signature}", file=file)


def warn_broken(name: str, corpus: Corpus, limit: int = 5) -> None:
    """Say on standard error which graphs of an annotator cannot be read and count as empty: the first ones, and why."""
    for _, message in corpus.problems[:limit]:
        say(f"fastmatch: {name}: counted as empty: {message}", sys.stderr)
    if len(corpus.problems) > limit:
        more = count(len(corpus.problems) - limit, "empty graph")
        say(f"fastmatch: … and {more} more in {name}", sys.stderr)
