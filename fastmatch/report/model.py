"""What a result has to show, and every form in which it is shown.

A kind of result says once what there is: its method ``report`` gives a :class:`Report`. Each form is written once:
:func:`emit` and :meth:`Report.to` know all of :data:`FORMS`.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Any, NamedTuple, TextIO

from fastmatch.errors import OptionError, choice
from fastmatch.report import markup
from fastmatch.report.cells import Points, Small, brackets, shown, spelled
from fastmatch.report.tables import for_programs, latex, latex_needs, markdown, markdown_code, print_row, print_table
from fastmatch.report.writing import in_table, print_json
from fastmatch.runtime.streams import say

#: Rows of each table that a notebook shows.
_SHOWN = 200


class Table(NamedTuple):
    """A table for people.

    Attributes
    ----------
    header : sequence of str
    rows : sequence of sequences of cells
        Values, of which :mod:`fastmatch.report.cells` makes text. Two blanks before the first cell indent a row.
    title : str
        What it shows; empty if the table before says so.
    notes : sequence of str
        What stands below it, a line each.
    styles : sequence of str
        Of each row, as rich calls them, for terminals; LaTeX and Markdown know ``"bold"``. Empty: none.
    right : bool
        Columns after the first are numbers.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[object]]
    title: str = ""
    notes: Sequence[str] = ()
    styles: Sequence[str] = ()
    right: bool = True


class Report(NamedTuple):
    """What a result has to show.

    Attributes
    ----------
    name : str
        What made it, such as ``"fastmatch bench rare"``.
    tables : sequence of Table
    columns, data : sequences
        The table for programs: names of columns, and rows with every digit; what is undefined is None or NaN.
    record : mapping or list
        The JSON object: ``docs/results.schema.json`` says what each holds.
    signatures : sequence of (str, str)
        A metric, and its signature.
    notes : sequence of str
        What stands below all tables.
    lines : sequence of mappings
        In place of ``data`` as JSON lines; empty: the same.
    paper : Report or None
        What LaTeX and Markdown show in place of all this; None: the same.
    """

    name: str
    tables: Sequence[Table]
    columns: Sequence[str]
    data: Sequence[Sequence[Any]]
    record: Any
    signatures: Sequence[tuple[str, str]] = ()
    notes: Sequence[str] = ()
    lines: Sequence[dict[str, Any]] = ()
    paper: Report | None = None

    @staticmethod
    def of(results: Mapping[str, Any], *, worst: int | None = None) -> Report:
        """The report of several results, a row each: ``Report.of({"smatch": one, "wlk": other}).to("latex")``.

        Parameters
        ----------
        results : mapping of str → CorpusScore, or of str → Comparison
            By what the rows are called: the same pairs scored by several metrics, or the same systems compared by them.
        worst : int, optional
            Also so many pairs of each that score lowest, or in which a system loses most.

        Raises
        ------
        OptionError
            If there are no results, or they are of different kinds or numbers of pairs.
        """
        kinds = {type(result) for result in results.values()}
        if len(kinds) != 1:
            found = ", ".join(sorted(kind.__name__ for kind in kinds)) or "none"
            raise OptionError(f"Report.of: expected results of one kind by their names, found {found}")
        (kind,) = kinds
        together = getattr(kind, "_together", None)
        if together is None:
            raise OptionError(f"Report.of: expected scores or comparisons, found {kind.__name__}")
        sizes = dict.fromkeys(map(len, results.values()) if hasattr(kind, "__len__") else ())
        if len(sizes) > 1:
            raise OptionError(f"Report.of: expected results of the same pairs, found {' and '.join(map(str, sizes))}")
        return together(results, worst)

    def to(self, form: str) -> str:
        """The report as ``text``, ``json``, ``jsonl``, ``tsv``, ``csv``, ``latex``, ``markdown`` or ``html``.

        Raises
        ------
        OptionError
            If there is no such form.
        """

        choice("form", form, FORMS)
        file = StringIO()
        FORMS[form](self, file)
        return file.getvalue()

    def __str__(self) -> str:
        return self.to("text")

    def _repr_html_(self) -> str:
        return "".join(_html_parts(self, _SHOWN))


def by_name(rows: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Columns and data of a report, from rows as mappings; what a row lacks is None."""
    columns = tuple(dict.fromkeys(name for row in rows for name in row))
    return columns, [tuple(map(row.get, columns)) for row in rows]


def joined(parts: Sequence[tuple[Mapping[str, Any], Report]]) -> Report:
    """Reports of one kind and metric as one.

    What tells each from the others goes with it: columns of the table for programs, and entries of its object.
    """
    keys, first = parts[0]
    tables: list[Table] = []
    for _, report in parts:
        *others, last = report.tables
        tables += [*others, last._replace(notes=[*last.notes, *report.notes])]
    data = [(*keys.values(), *row) for keys, report in parts for row in report.data]
    record = [{**keys, **report.record} for keys, report in parts]
    return first._replace(tables=tables, notes=(), columns=(*keys, *first.columns), data=data, record=record)


def under(heading: str, report: Report) -> Report:
    """The same report with some lines above its first table."""
    first, *others = report.tables
    title = "\n".join(filter(None, (heading, first.title)))
    return report._replace(tables=[first._replace(title=title), *others])


def emit(report: Report, form: str = "text", file: TextIO | None = None) -> None:
    """Write a report in one of :data:`FORMS`, by default to standard output."""
    FORMS[form](report, file or sys.stdout)


def _signatures(report: Report) -> Iterator[tuple[str, str]]:
    """What a signature is called, and the signature; by the name of its metric where there are several."""
    for name, signature in report.signatures:
        yield f"signature of {name}" if len(report.signatures) > 1 else "signature", signature


def _starred(report: Report) -> list[str]:
    """The notes, where what is best has a star and no bold print."""
    return [note.replace("Bold: ", "*: ") for note in report.notes]


# ---- for people ------------------------------------------------------------------------------------------------------


def _text(report: Report, file: TextIO) -> None:
    for number, table in enumerate(report.tables):
        if table.title:
            say(f"{table.title}\n", file)
        rows = [[*map(shown, row)] for row in table.rows]
        print_table(table.header, rows, file, right=table.right, styles=table.styles)
        last = number + 1 == len(report.tables) and not (report.notes or report.signatures)
        if table.notes or not last:
            print(file=file)
        for note in table.notes:
            say(note, file)
        if table.notes and not last:
            print(file=file)
    for note in _starred(report):
        say(note, file)
    for name, signature in _signatures(report):
        say(f"{name}: {signature}", file)


def _latex(report: Report, file: TextIO) -> None:
    """A ``tabular`` for the package booktabs each; notes and signatures in small print below the last one."""
    report = report.paper or report
    for number, table in enumerate(report.tables):
        if number:
            print(file=file)
        columns = zip(*table.rows, strict=True)
        wide = [any(isinstance(cell, Points) and cell.interval is not None for cell in cells) for cells in columns]
        rows = [_latex_row(row, style, wide) for row, style in _styled(table)]
        head = [
            f"\\multicolumn{{2}}{{c}}{{{latex(name)}}}" if two else latex(name)
            for name, two in zip(table.header, wide or [False] * len(table.header), strict=True)
        ]
        for need in latex_needs("".join(cell for row in (head, *rows) for cell in row)):
            print(f"% {need}", file=file)
        if table.title:
            print(f"% {report.name}: {' '.join(latex(table.title).split())}", file=file)
        letter = "r" if table.right else "l"
        form = "".join("r@{\\enspace}l" if two else letter for two in wide[1:]) or letter * (len(head) - 1)
        print(f"\\begin{{tabular}}{{l{form}}}\n\\toprule", file=file)
        for place, row in enumerate((head, *rows)):
            print(" & ".join(row).rstrip(), "\\\\" if place else "\\\\\n\\midrule", file=file)
        print("\\bottomrule\n\\end{tabular}", file=file)
        _latex_notes(table.notes, file)
    below = (f"{name}: {signature}" for name, signature in report.signatures)
    _latex_notes([*report.notes, *below], file)


def _latex_notes(notes: Sequence[str], file: TextIO) -> None:
    if not notes:
        return
    print("\n\\smallskip\n\\noindent\\begin{minipage}{\\linewidth}\n\\footnotesize\\raggedright", file=file)
    for note in notes:
        text = latex(note).replace("†", "$^{\\dagger}$")
        # a signature may be broken into lines between its fields
        print(text.replace("\\textbar{}", "\\textbar\\allowbreak{}") + "\\par", file=file)
    print("\\end{minipage}", file=file)


def _latex_row(row: Sequence[object], style: str, wide: Sequence[bool]) -> list[str]:
    first, depth = _indented(spelled(row[0]))
    text = rf"\textbf{{{latex(first)}}}" if style == "bold" else latex(first)
    cells = ["\\quad " * depth + text]
    for cell, two in zip(row[1:], wide[1:], strict=True):
        cells.append(_latex_cell(cell))
        if two:
            interval = brackets(cell) if isinstance(cell, Points) else ""
            cells.append(f"{{\\footnotesize {interval}}}" if interval else "")
    return cells


def _latex_cell(cell: object) -> str:
    text = latex(spelled(cell))
    if isinstance(cell, Small) and "e" in text:
        factor, _, power = text.partition("e")
        return f"${factor}\\cdot 10^{{{int(power)}}}$"
    if isinstance(cell, Points):
        text = f"\\textbf{{{text}}}" if cell.best else text
        # the mark takes no room, so that numbers stay below each other
        text += "\\rlap{$^{\\dagger}$}" * cell.different
    return text


def _markdown(report: Report, file: TextIO) -> None:
    """Tables as GitHub and most other readers of Markdown show them, with notes and signatures as a list below."""
    report = report.paper or report
    for number, table in enumerate(report.tables):
        if number:
            print(file=file)
        if table.title:
            print(f"**{markdown(table.title)}**\n", file=file)
        print(f"| {' | '.join(map(markdown, table.header))} |", file=file)
        print(f"| --- |{(' ---: |' if table.right else ' --- |') * (len(table.header) - 1)}", file=file)
        for row, style in _styled(table):
            first, depth = _indented(spelled(row[0]))
            first = f"**{markdown(first)}**" if style == "bold" else "– " * depth + markdown(first)
            print(f"| {' | '.join([first, *map(_markdown_cell, row[1:])])} |", file=file)
        _markdown_list([*map(markdown, table.notes)], file)
    signatures = (f"{markdown(name)}: {markdown_code(signature)}" for name, signature in report.signatures)
    _markdown_list([*map(markdown, report.notes), *signatures], file)


def _markdown_list(items: Sequence[str], file: TextIO) -> None:
    if items:
        print("", *(f"- {item}" for item in items), sep="\n", file=file)


def _markdown_cell(cell: object) -> str:
    if not isinstance(cell, Points):
        return markdown(spelled(cell))
    text = f"**{spelled(cell)}**" if cell.best else spelled(cell)
    return f"{text}{'†' * cell.different} {brackets(cell)}".rstrip()


def _html(report: Report, file: TextIO) -> None:
    """A page of its own, without scripts: it fits light and dark."""
    style = (
        ":root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;margin:2rem auto;max-width:80rem;"
        "padding:0 1rem;overflow-x:auto}th,td{padding:.2rem .6rem;white-space:pre}code{overflow-wrap:anywhere}"
    )
    head = f'<meta charset="utf-8"><title>{markup.escape(report.name)}</title><style>{style}</style>'
    body = "\n".join((f"<h1>{markup.escape(report.name)}</h1>", *_html_parts(report)))
    print(f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n{body}\n</body></html>', file=file)


def _html_parts(report: Report, most: int | None = None) -> list[str]:
    """Tables, of each ``most`` rows, notes and signatures, without the frame of a page."""
    parts = []
    for table in report.tables:
        letters = "h" + ("r" if table.right else "l") * (len(table.header) - 1)
        title = "<br>".join(map(markup.escape, filter(None, table.title.split("\n"))))
        parts.append(f"<p><strong>{title}</strong></p>" if title else "")
        rows = table.rows[:most]
        parts.append(markup.table(table.header, [[*map(shown, row)] for row in rows], letters))
        cut = markup.more(len(rows), len(table.rows), "row")
        parts.append(markup.paragraph(cut, *map(markup.escape, table.notes)))
    codes = [f"{markup.escape(name)}: {markup.code(signature)}" for name, signature in _signatures(report)]
    parts.append(markup.paragraph(*map(markup.escape, _starred(report)), *codes))
    return [part for part in parts if part]


def _styled(table: Table) -> Iterator[tuple[Sequence[object], str]]:
    return zip(table.rows, table.styles or [""] * len(table.rows), strict=True)


def _indented(cell: str) -> tuple[str, int]:
    """A first cell, and how far it is indented."""
    text = cell.lstrip(" ")
    return text, (len(cell) - len(text)) // 2


# ---- for programs ----------------------------------------------------------------------------------------------------


def _tsv(report: Report, file: TextIO) -> None:
    print_row(report.columns, file)
    for row in report.data:
        print_row((in_table(_digits(value)) for value in row), file)


def _csv(report: Report, file: TextIO) -> None:
    import csv

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(report.columns)
    writer.writerows(map(_digits, row) for row in report.data)
    file.write(for_programs(text.getvalue(), file))


def _digits(value: Any) -> str:
    """Every digit; nothing for what is undefined."""
    if value is None or value != value:
        return ""
    return repr(value) if isinstance(value, float) else str(value)


def _jsonl(report: Report, file: TextIO) -> None:
    rows = (dict(zip(report.columns, (None if x != x else x for x in row), strict=True)) for row in report.data)
    for line in report.lines or rows:
        print_json(line, file)


#: Form → what writes it. ``text`` is for people, on a terminal or not.
FORMS: dict[str, Callable[[Report, TextIO], None]] = {
    "text": _text,
    "json": lambda report, file: print_json(report.record, file),
    "jsonl": _jsonl,
    "tsv": _tsv,
    "csv": _csv,
    "latex": _latex,
    "markdown": _markdown,
    "html": _html,
}


class Reported:
    """A result that shows itself: :meth:`report`, and the same in a notebook."""

    __slots__ = ()

    def report(self) -> Report:
        """What there is to see, for every form: ``result.report().to("latex")``."""
        raise NotImplementedError

    def _reported(self: Any, name: str, tables: Any, columns: Any, data: Any, notes: Sequence[str] = ()) -> Report:
        """A report of these, with ``to_dict`` for JSON and the result's one signature."""
        metric = self.signature.metric
        return Report(name, tables, columns, data, self.to_dict(), [(metric, str(self.signature))], notes)

    def _repr_html_(self) -> str:
        return self.report()._repr_html_()
