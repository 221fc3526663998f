"""Agreement of annotators: a matrix, a table of each two, and their means."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from fastmatch.report.model import Report, Table
from fastmatch.report.tables import count, points, span
from fastmatch.results.pairs import TripleScores
from fastmatch.results.words import label
from fastmatch.runtime.streams import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fastmatch.evaluation.agreement import AgreedPair, Agreement
    from fastmatch.graphs.corpus import Corpus

__all__ = ["agreement_report", "warn_broken"]

#: Ids that the report names of those that an annotator lacks; JSON has all.
_NAMED = 10


def agreement_report(result: Agreement) -> Report:
    """The matrix of headline scores, each two annotators with micro and macro scores, the mean, and what is missing.

    A paper gets the matrix with whole names. For programs a row for each two annotators, in both directions if these
    differ.
    """
    from fastmatch.evaluation.comparison import system_letter

    letters = [system_letter(k) for k in range(len(result.names))]
    sizes = {len(pair.score) for pair in result.pairs}
    graphs = count(min(sizes), "graph") if len(sizes) == 1 else f"{min(sizes):,} to {max(sizes):,} graphs in common"
    lines = [f"{result.signature.metric}: {count(len(letters), 'annotator')}, {graphs}", ""]
    lines += [f"  {letter}  {name}" for letter, name in zip(letters, result.names, strict=True) if letter != name]
    micro = "micro " if len(result.headlines) > 1 else ""
    head = f"{micro}{label(result.headlines[0])}"
    summaries = result.summaries()
    tables: list[Table] = []
    if max(sizes):
        lines += ["", f"{head}{'' if result.symmetric else ', rows as predictions of columns'}:"]
        tables = [_matrix(result, letters, "\n".join(lines), "-"), _pairs(result, letters)]
        notes = list(_notes(result))
    else:
        notes = [*lines, "no score, as there is nothing to compare"]
    direction = "" if result.symmetric else "; rows are predictions, columns gold graphs"
    return Report(
        "fastmatch agreement",
        tables,
        tuple(summaries[0]),
        [tuple(row.values()) for row in summaries],
        result.to_dict(),
        [(result.signature.metric, str(result.signature))],
        notes,
        [_matrix(result, result.names, f"{head} in points{direction}", "–")],
    )


def _matrix(result: Agreement, names: Sequence[str], title: str, nothing: str) -> Table:
    """Headline scores, a row and a column an annotator, and the means."""
    rows = [
        [name, *(nothing if value != value else points(value) for value in row), points(result.mean_of(k))]
        for k, (name, row) in enumerate(zip(names, result.matrix.tolist(), strict=True))
    ]
    return Table(["", *names, "mean"], rows, title)


def _pairs(result: Agreement, letters: Sequence[str]) -> Table:
    """A row for each two annotators: counts, micro scores, the macro score, intervals if there are any."""
    first = result.pairs[0].score
    names = sorted(first.scores, key=lambda name: name == "f1")  # precision and recall before the F1 made of them
    if len(names) > 3:  # metrics with many scores: the headline alone
        names = names[:1]
    several = len({len(pair.score) for pair in result.pairs}) > 1
    interval = "" if first.intervals is None else f"{100 * first.intervals.confidence:g} % interval"
    header = ["pair", *(["graphs"] * several), *map(label, names)]
    header += [interval] * bool(interval)
    if first.pairs.summable:
        header += [f"macro {label(next(iter(first.macro)))}", *([interval] * bool(interval))]
    letter_of = dict(zip(result.names, letters, strict=True))
    return Table(header, [_pair_row(pair, letter_of, names, several, result) for pair in result.pairs])


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


def _notes(result: Agreement) -> Iterator[str]:
    yield _means(result)
    if not result.symmetric:
        yield f"the metric is not symmetric: the two directions differ by up to {points(result.asymmetry)} points"
    for name, ids in result.missing.items():
        more = ", …" if len(ids) > _NAMED else ""
        yield f"missing in {name}: {count(len(ids), 'id')} ({', '.join(ids[:_NAMED])}{more})"
    n_open = sum(len(pair.score) - pair.score.n_certified for pair in result.pairs)
    n_graphs = sum(len(pair.score) for pair in result.pairs)
    if isinstance(result.pairs[0].score.pairs, TripleScores):
        yield f"proven optimal: {n_graphs - n_open:,} of {count(n_graphs, 'pair')} of graphs"
    elif n_open:
        yield f"cut short by a limit of work: {n_open:,} of {count(n_graphs, 'pair')} of graphs"
    n_invalid, n_repaired = (sum(found.values()) for found in (result.n_invalid, result.n_repaired))
    yield f"invalid, counted as empty: {count(n_invalid, 'graph')}; repaired: {n_repaired:,}"


def warn_broken(name: str, corpus: Corpus, limit: int = 5) -> None:
    """Say on standard error which graphs of an annotator cannot be read and count as empty: the first ones, and why."""
    for _, message in corpus.problems[:limit]:
        say(f"fastmatch: {name}: counted as empty: {message}", sys.stderr)
    if len(corpus.problems) > limit:
        more = count(len(corpus.problems) - limit, "empty graph")
        say(f"fastmatch: … and {more} more in {name}", sys.stderr)
