"""The table of a paper: systems in rows and metrics in columns, or aspects and systems.

Scores stand in points (score × 100). Behind each headline score stands its confidence interval, the best system is
bold, and a dagger marks a system that differs from the reference: the best one, or a baseline. Notes below the table
say how all this was made, and give the signature of every metric: only numbers of equal signatures may be compared.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TextIO

from fastmatch.report.tables import count, latex, latex_needs, markdown, markdown_code, points
from fastmatch.results.words import label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from fastmatch.evaluation.comparison import Comparison
    from fastmatch.fine_grained.scores import AspectScores
    from fastmatch.results.intervals import Interval
    from fastmatch.results.scores import CorpusScore

__all__ = [
    "Line",
    "PaperTable",
    "aspects_table",
    "compared_table",
    "paper_table",
    "print_paper_latex",
    "print_paper_markdown",
]


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
    comparison : Comparison or None
        The systems, each compared with the reference at least, in any order; None if there is only one.
    """

    name: str
    score: str
    results: Sequence[CorpusScore]
    comparison: Comparison | None

    @property
    def is_headline(self) -> bool:
        """Whether this is the main score of the metric, which is shown with intervals."""
        return self.score == next(iter(self.results[0].scores))


class Cell(NamedTuple):
    """One score: a fraction, its interval if it is a headline, and what marks it."""

    value: float
    interval: Interval | None
    best: bool
    different: bool


@dataclass(frozen=True)
class PaperTable:
    """What the table says, before it is LaTeX or Markdown.

    Attributes
    ----------
    head : str
        What the rows are.
    rows, columns : tuple of str
        Their names.
    spanning : tuple of bool
        Which columns have intervals.
    cells : tuple of tuple of Cell
        By row.
    notes : tuple of str
        How the table was made.
    signatures : tuple of (str, str)
        Name of each metric and its signature.
    """

    head: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    spanning: tuple[bool, ...]
    cells: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...]
    signatures: tuple[tuple[str, str], ...]


def paper_table(systems: Sequence[str], lines: Sequence[Line], baseline: str | None = None) -> PaperTable:
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
    return PaperTable(
        "system",
        tuple(systems),
        tuple(names),
        tuple(line.is_headline for line in lines),
        tuple(zip(*(_cells(systems, line, baseline) for line in lines), strict=True)),
        tuple(notes),
        tuple((metric, str(results[0].signature)) for metric, results in metrics.items()),
    )


def aspects_table(
    systems: Sequence[str], scores: Sequence[AspectScores], lines: Sequence[Line], baseline: str | None = None
) -> PaperTable:
    """The table of the aspects of some systems, a row an aspect and a column a system.

    Of a single system there is a column for each score. Aspects that no graph has are left out.

    Parameters
    ----------
    systems : sequence of str
        Different names.
    scores : sequence of AspectScores
        One a system.
    lines : sequence of Line
        The headline scores of all aspects that some graph has; of a single system all their scores.
    baseline : str, optional
        The system that the others are marked against; by default the best of each row.
    """
    names = list(dict.fromkeys(line.name for line in lines))
    of_one = [line for line in lines if line.name == names[0]]
    if len(systems) == 1:
        columns = [label(line.score) for line in of_one]
        cells = [[_cells(systems, line, None)[0] for line in lines if line.name == name] for name in names]
        spanning = [line.is_headline for line in of_one]
    else:
        columns = list(systems)
        cells = [_cells(systems, line, baseline) for line in lines]
        spanning = [True] * len(systems)
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
    return PaperTable(
        "aspect",
        tuple(names),
        tuple(columns),
        tuple(spanning),
        tuple(map(tuple, cells)),
        tuple(notes),
        ((scores[0].kind, str(scores[0].signature)),),
    )


def compared_table(comparison: Comparison) -> PaperTable:
    """The table of a comparison: marked against its first system, or the best if every two were compared."""
    every_two = comparison.signature.fields.get("against") == "all"
    first = comparison.results[0]
    lines = [Line(first.signature.metric, score, comparison.results, comparison) for score in shown_scores(first)]
    return paper_table(comparison.names, lines, None if every_two else comparison.names[0])


def shown_scores(result: CorpusScore) -> list[str]:
    """The scores of a metric that is alone in a table: precision and recall before the F1 that is made of them."""
    return sorted(result.scores, key=lambda name: name == "f1")


def _cells(systems: Sequence[str], line: Line, baseline: str | None) -> list[Cell]:
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
    return [
        Cell(
            value,
            result.intervals[line.score] if line.is_headline and result.intervals is not None else None,
            len(systems) > 1 and value == highest,
            system in different,
        )
        for system, result, value in zip(systems, line.results, values, strict=True)
    ]


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


def _span(interval: Interval | None) -> str:
    if interval is None or interval.low != interval.low:
        return ""
    return f"[{points(interval.low)}, {points(interval.high)}]"


# ---- LaTeX -----------------------------------------------------------------------------------------------------------


def print_paper_latex(table: PaperTable, file: TextIO | None = None) -> None:
    """A ``tabular`` (package: booktabs), and the notes below it in small print."""
    file = file or sys.stdout
    form = "".join("r@{\\enspace}l" if spanning else "r" for spanning in table.spanning)
    for need in latex_needs(latex("".join((*table.rows, *table.columns, *table.notes)))):
        print(f"% {need}", file=file)
    print(f"\\begin{{tabular}}{{l{form}}}\n\\toprule", file=file)
    heads = [
        f"\\multicolumn{{2}}{{c}}{{{latex(name)}}}" if spanning else latex(name)
        for name, spanning in zip(table.columns, table.spanning, strict=True)
    ]
    print(" & ".join([table.head, *heads]), "\\\\\n\\midrule", file=file)
    for name, cells in zip(table.rows, table.cells, strict=True):
        row = [latex(name)]
        for cell, spanning in zip(cells, table.spanning, strict=True):
            row.append(_latex_cell(cell))
            if spanning:
                row.append(f"{{\\footnotesize {_span(cell.interval)}}}" if _span(cell.interval) else "")
        print(" & ".join(row).rstrip(), "\\\\", file=file)
    print("\\bottomrule\n\\end{tabular}\n", file=file)
    notes = [latex(note).replace("†", "$^{\\dagger}$") for note in table.notes]
    notes += [f"{latex(name)}: {_breakable(latex(signature))}" for name, signature in table.signatures]
    print("\\smallskip\n\\noindent\\begin{minipage}{\\linewidth}\n\\footnotesize\\raggedright", file=file)
    for note in notes:
        print(f"{note}\\par", file=file)
    print("\\end{minipage}", file=file)


def _latex_cell(cell: Cell) -> str:
    text = "--" if cell.value != cell.value else points(cell.value)
    if cell.best:
        text = f"\\textbf{{{text}}}"
    # the mark takes no room, so that numbers stay below each other
    return text + "\\rlap{$^{\\dagger}$}" * cell.different


def _breakable(signature: str) -> str:
    """A signature in LaTeX that may be broken into lines between its fields."""
    return signature.replace("\\textbar{}", "\\textbar\\allowbreak{}")


# ---- Markdown --------------------------------------------------------------------------------------------------------


def print_paper_markdown(table: PaperTable, file: TextIO | None = None) -> None:
    """A table as GitHub and most other readers of Markdown show it, with the notes as a list below."""
    file = file or sys.stdout
    print(f"| {' | '.join([table.head, *map(markdown, table.columns)])} |", file=file)
    print(f"| --- |{' ---: |' * len(table.columns)}", file=file)
    for name, cells in zip(table.rows, table.cells, strict=True):
        print(f"| {' | '.join([markdown(name), *map(_markdown_cell, cells)])} |", file=file)
    print(file=file)
    for note in table.notes:
        print(f"- {markdown(note)}", file=file)
    for name, signature in table.signatures:
        print(f"- {markdown(name)}: {markdown_code(signature)}", file=file)


def _markdown_cell(cell: Cell) -> str:
    text = "–" if cell.value != cell.value else points(cell.value)
    text = f"**{text}**" if cell.best else text
    return f"{text}{'†' * cell.different} {_span(cell.interval)}".rstrip()
