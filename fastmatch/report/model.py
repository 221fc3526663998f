"""What a result has to show, and every form in which it is shown.

A kind of result says once what there is: a :class:`Report`. :func:`emit` writes it in one of :data:`FORMS`, so every
verb that makes reports has every form.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from fastmatch.report.records import in_table, print_json
from fastmatch.report.tables import for_programs, latex, markdown, markdown_code, print_latex, print_row, print_table
from fastmatch.runtime.streams import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from fastmatch.report.paper import PaperTable

__all__ = ["FORMS", "Report", "Table", "emit"]


class Table(NamedTuple):
    """A table for people.

    Attributes
    ----------
    header, rows : sequences of str
        As they are read: numbers are rounded, in points. Two blanks before the first cell of a row indent it.
    title : str
        What it shows; empty if the table before says so.
    notes : sequence of str
        What stands below it, a line each.
    styles : sequence of {"", "bold", "dim"}
        Of each row; empty: none.
    right : bool
        Columns after the first are numbers.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
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
        The JSON object.
    signatures : sequence of (str, str)
        A metric, and its signature.
    notes : sequence of str
        What stands below all tables.
    lines : sequence of mappings
        In place of ``data`` as JSON lines; empty: the same.
    paper : sequence of Table, or PaperTable
        In place of ``tables`` in LaTeX and Markdown; empty: the same.
    """

    name: str
    tables: Sequence[Table]
    columns: Sequence[str]
    data: Sequence[Sequence[Any]]
    record: Any
    signatures: Sequence[tuple[str, str]] = ()
    notes: Sequence[str] = ()
    paper: list[Table] | tuple[Table, ...] | PaperTable = ()
    lines: Sequence[dict[str, Any]] = ()

    def to(self, form: str) -> str:
        """The report in one of :data:`FORMS`.

        Raises
        ------
        OptionError
            If there is no such form.
        """
        from io import StringIO

        from fastmatch.metrics.options import choice

        choice("form", form, tuple(FORMS))
        file = StringIO()
        FORMS[form](self, file)
        return file.getvalue()


def emit(report: Report, form: str = "text", file: TextIO | None = None) -> None:
    """Write a report in one of :data:`FORMS`, by default to standard output."""
    FORMS[form](report, file or sys.stdout)


# ---- for people ------------------------------------------------------------------------------------------------------


def _text(report: Report, file: TextIO) -> None:
    for number, table in enumerate(report.tables):
        if table.title:
            say(f"{table.title}\n", file)
        print_table(table.header, table.rows, file, right=table.right, styles=table.styles)
        last = number + 1 == len(report.tables) and not (report.notes or report.signatures)
        if table.notes or not last:
            print(file=file)
        for note in table.notes:
            say(note, file)
        if table.notes and not last:
            print(file=file)
    for note in report.notes:
        say(note, file)
    for _, signature in report.signatures:
        say(f"signature: {signature}", file)


def _latex(report: Report, file: TextIO) -> None:
    if not isinstance(report.paper, list | tuple):
        from fastmatch.report.paper import print_paper_latex

        print_paper_latex(report.paper, file)
        return
    below = [*report.notes, *(f"{name}: {signature}" for name, signature in report.signatures)]
    for number, table in enumerate(report.paper or report.tables):
        if number:
            print(file=file)
        rows = [_latex_row(row, style) for row, style in _styled(table)]
        above = f"{report.name}: {table.title}" if table.title else report.name
        notes = [above, *table.notes, *(() if number else below)]
        print_latex([*map(latex, table.header)], rows, file, notes=notes)


def _latex_row(row: Sequence[str], style: str) -> list[str]:
    first, depth = _indented(row[0])
    text = rf"\textbf{{{latex(first)}}}" if style == "bold" else latex(first)
    return ["\\quad " * depth + text, *map(_latex_cell, row[1:])]


def _latex_cell(cell: str) -> str:
    """A cell: an interval in small print, a power of ten as one, a mark that takes no room."""
    cell, mark = cell.replace("†", ""), "\\rlap{$^{\\dagger}$}" * ("†" in cell)
    interval = re.fullmatch(r"(.+) (\[.+\])", cell)
    if interval:
        return f"{latex(interval[1])} {{\\footnotesize {interval[2]}}}{mark}"
    power = re.fullmatch(r"(\d\.\d+)e([+-]\d+)", cell)
    if power:
        return f"${power[1]}\\cdot 10^{{{int(power[2])}}}${mark}"
    return latex(cell) + mark


def _markdown(report: Report, file: TextIO) -> None:
    if not isinstance(report.paper, list | tuple):
        from fastmatch.report.paper import print_paper_markdown

        print_paper_markdown(report.paper, file)
        return
    for number, table in enumerate(report.paper or report.tables):
        if number:
            print(file=file)
        if table.title:
            print(f"**{markdown(table.title)}**\n", file=file)
        print(f"| {' | '.join(map(markdown, table.header))} |", file=file)
        print(f"| --- |{(' ---: |' if table.right else ' --- |') * (len(table.header) - 1)}", file=file)
        for row, style in _styled(table):
            first, depth = _indented(row[0])
            first = f"**{markdown(first)}**" if style == "bold" else "– " * depth + markdown(first)
            print(f"| {' | '.join([first, *map(markdown, row[1:])])} |", file=file)
        if table.notes:
            print(file=file)
        for note in table.notes:
            print(f"- {markdown(note)}", file=file)
    if report.notes or report.signatures:
        print(file=file)
    for note in report.notes:
        print(f"- {markdown(note)}", file=file)
    for _, signature in report.signatures:
        print(f"- {markdown_code(signature)}", file=file)


def _html(report: Report, file: TextIO) -> None:
    """A page of its own, without scripts: it fits light and dark."""
    from fastmatch.notebooks import html

    parts = []
    for table in report.tables:
        letters = "h" + ("r" if table.right else "l") * (len(table.header) - 1)
        parts.append(f"<h2>{html.escape(table.title)}</h2>" if table.title else "")
        parts.append(html.table(table.header, table.rows, letters))
        parts.append(html.paragraph(*map(html.escape, table.notes)))
    parts.append(html.paragraph(*map(html.escape, report.notes), *(html.code(text) for _, text in report.signatures)))
    style = (
        ":root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;margin:2rem auto;max-width:80rem;"
        "padding:0 1rem;overflow-x:auto}th,td{padding:.2rem .6rem;white-space:pre}code{overflow-wrap:anywhere}"
        "h2{font-size:1.1rem}"
    )
    head = f'<meta charset="utf-8"><title>{html.escape(report.name)}</title><style>{style}</style>'
    body = "\n".join(filter(None, (f"<h1>{html.escape(report.name)}</h1>", *parts)))
    print(f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n{body}\n</body></html>', file=file)


def _styled(table: Table) -> Iterable[tuple[Sequence[str], str]]:
    return zip(table.rows, table.styles or [""] * len(table.rows), strict=True)


def _indented(cell: str) -> tuple[str, int]:
    """A first cell, and how far it is indented."""
    text = cell.lstrip(" ")
    return text, (len(cell) - len(text)) // 2


# ---- for programs ----------------------------------------------------------------------------------------------------


def _tsv(report: Report, file: TextIO) -> None:
    print_row(report.columns, file)
    for row in report.data:
        print_row((in_table(_cell(value)) for value in row), file)


def _csv(report: Report, file: TextIO) -> None:
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(report.columns)
    writer.writerows(map(_cell, row) for row in report.data)
    file.write(for_programs(text.getvalue(), file))


def _cell(value: Any) -> str:
    """Every digit; nothing for what is undefined."""
    if value is None or value != value:
        return ""
    return repr(value) if isinstance(value, float) else str(value)


def _json(report: Report, file: TextIO) -> None:
    print_json(report.record, file)


def _jsonl(report: Report, file: TextIO) -> None:
    rows = (dict(zip(report.columns, (None if x != x else x for x in row), strict=True)) for row in report.data)
    for line in report.lines or rows:
        print_json(line, file)


#: Form → what writes it. ``text`` is for people, on a terminal or not.
FORMS: dict[str, Callable[[Report, TextIO], None]] = {
    "text": _text,
    "json": _json,
    "jsonl": _jsonl,
    "tsv": _tsv,
    "csv": _csv,
    "latex": _latex,
    "markdown": _markdown,
    "html": _html,
}
