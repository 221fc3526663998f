"""Graphs in the fields of data files: JSON Lines, a JSON list, CSV, TSV, Parquet.

A row holds one graph in each of its fields, so the rows are the pairs. A field is named as in the file; ``a.b`` is the
field ``b`` of the object in ``a``, and ``choices.0.text`` goes into a list. What is a chat, a list of messages with
``role`` and ``content``, stands for what the assistant said last.

The name of the file says what it is: ``.jsonl``, ``.ndjson``, ``.json``, ``.csv``, ``.tsv``, ``.parquet``, also with
``.gz`` behind it; under another name, and on standard input, its beginning does. CSV and TSV have a header. A cell that
begins with a quote ends with one, and may hold separators, line breaks and doubled quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, NamedTuple

from fastmatch.errors import OptionError, ReadError, choice, error_in_row, first_few, shortened
from fastmatch.graphs.sources import Lacking, decoded, no_text
from fastmatch.report.frames import arrow_errors
from fastmatch.runtime.optional import needed
from fastmatch.types import Where

_ENDINGS = {"json": ("jsonl", "ndjson", "json"), "csv": ("csv",), "tsv": ("tsv", "tab"), "parquet": ("parquet", "pq")}
_FORMATS = {ending: kind for kind, endings in _ENDINGS.items() for ending in endings}
_SEPARATORS = {"csv": (",", "comma"), "tsv": ("\t", "tab")}
_QUOTED = re.compile(r'"([^"]*+(?:""[^"]*+)*+)"')
_PLAIN = {"csv": re.compile(r"[^,\r\n]*"), "tsv": re.compile(r"[^\t\r\n]*")}
_BREAK = re.compile(r"\r\n|\r|\n")

#: How many fields a message lists.
_NAMED = 30
#: Rows that are looked at for the names of fields.
_LOOKED_AT = 100
#: How much of a line a message shows on each side of the fault.
_SHOWN = 70


class Texts(NamedTuple):
    """One field of all rows.

    Attributes
    ----------
    source : str
        Name of the file.
    field : str
    texts : list of str or Lacking
    lines : list of int
        Line of each row, from 1; empty where rows have none.
    parts : tuple of Texts
        The files, where there are several.
    rows : list of int
        Row of each text, where rows hold several; else empty.
    """

    source: str
    field: str
    texts: list[str | Lacking]
    lines: list[int]
    parts: tuple[Texts, ...] = ()
    rows: list[int] = []  # noqa: RUF012 - the default of a named tuple; nothing is added to it

    def place(self, row: int) -> str:
        """What messages call a text: ``out.jsonl: row 7 (line 8), field 'amr'``, rows counted from 0 as pairs are."""
        for part in self.parts:
            if row < len(part.texts):
                return part.place(row)
            row -= len(part.texts)
        line = f" (line {self.lines[row]})" if self.lines else ""
        row = self.rows[row] if self.rows else row
        return f"{self.source}: row {row}{line}, field {self.field!r}"

    def extracted(self, where: Where = "auto") -> Texts:
        """The graphs within the texts, as :func:`fastmatch.extract` finds them.

        Empty lines and blanks stand for what came before a graph, so that places in it stay what they are.
        """
        from fastmatch._ext.reading.extract import locate
        from fastmatch.graphs.extracting import WHERE

        choice("extract", where, WHERE)
        found: list[str | Lacking] = []
        for text in self.texts:
            if isinstance(text, str):
                start, stop, how = locate(text, where, False)
                found.append(f"{_blank(text[:start])}{text[start:stop]}" if how else Lacking("no graph was found"))
            else:
                found.append(text)
        return self._replace(texts=found)


def texts_of(tables: Sequence[Table], field: str, extract: bool = False) -> Texts:
    """The texts of a field in one file or several, one file after the other, or the graphs in these texts.

    Raises
    ------
    OptionError
        If no row of a file has the field; the message lists the fields there are.
    """
    parts = [each.texts(field) for each in tables]
    texts = parts[0]
    if len(parts) > 1:
        all_texts = [text for part in parts for text in part.texts]
        texts = Texts(", ".join(part.source for part in parts), field, all_texts, [], tuple(parts))
    return texts.extracted() if extract else texts


class Table:
    """The rows of a data file.

    Parameters
    ----------
    source : str
        Name of the file.
    rows : sequence of mappings
        Field → value.
    lines : list of int
        Line of each row, from 1; empty where rows have none.
    headed : bool
        All rows have the fields that a header names.
    """

    def __init__(self, source: str, rows: list[Mapping[str, Any]], lines: list[int], headed: bool = False) -> None:
        self.source, self.rows, self.lines, self.headed = source, rows, lines, headed

    def texts(self, field: str) -> Texts:
        """The texts of a field.

        Raises
        ------
        OptionError
            If no row has it; the message lists the fields there are.
        """
        return Texts(self.source, field, [_text(value) for value in self.values(field)], self.lines)

    def lists(self, field: str) -> tuple[Texts, list[int]] | None:
        """The texts of a field that holds a list of them in each row, and how many each row holds.

        None if no row holds a list; a list of messages is a chat, which is one text.

        Raises
        ------
        OptionError
            If no row has the field.
        """
        values = self.values(field)
        if not any(_is_list(value) for value in values):
            return None
        lists = [value if _is_list(value) else [value] for value in values]
        rows = [row for row, found in enumerate(lists) for _ in found]
        lines = [self.lines[row] for row in rows] if self.lines else []
        texts = [_text(value) for found in lists for value in found]
        return Texts(self.source, field, texts, lines, rows=rows), [len(found) for found in lists]

    def values(self, field: str) -> list[Any]:
        """What each row has in a field.

        Raises
        ------
        OptionError
            If no row has it; the message lists the fields there are.
        """
        path = field.split(".")
        values = [_value(row, field, path) for row in self.rows]
        if values and all(value is _ABSENT for value in values):
            names = dict.fromkeys(name for row in self.rows[:_LOOKED_AT] for name in _names(row))
            raise OptionError(f"{self.source}: no field {field!r}; the fields are: {_listed(names)}")
        return values


def table(source: str, data: str | bytes | bytearray | memoryview) -> Table:
    """The rows of a file.

    Parameters
    ----------
    source : str
        Its name.
    data : str or bytes
        Its content, unpacked.

    Raises
    ------
    ReadError
        With line and column, if it is not what it should be.
    OptionError
        If it is no file with fields, or pyarrow is wanted and not there.
    """
    kind = _FORMATS.get(source.removesuffix(".gz").rpartition(".")[2].lower()) or _kind(data)
    if kind == "parquet":
        if isinstance(data, str):
            raise ReadError("expected bytes of a Parquet file, found text", source=source)
        return _parquet(source, data)
    text = data if isinstance(data, str) else decoded(source, bytes(data), "\n" if kind == "json" else _BREAK.pattern)
    text = text.removeprefix("\ufeff")
    if kind == "json":
        return _json(source, text)
    if kind is None and not text.strip():
        return Table(source, [], [])
    if kind is None:
        raise OptionError(
            f"{source}: fields are those of JSON Lines, JSON, CSV, TSV and Parquet, and this seems to be none of them; "
            "its name should end in .jsonl, .json, .csv, .tsv or .parquet"
        )
    return _separated(source, text, kind)


def begins_as(source: str, data: str | bytes | bytearray | memoryview) -> list[list[str]]:
    """The fields of the first row, or the header, if the file seems to have some: no list, or one.

    Quick for any other file, and never an error: what is wrong is found when the file is read.
    """
    kind = _FORMATS.get(source.removesuffix(".gz").rpartition(".")[2].lower()) or _kind(data)
    if kind not in ("json", "csv", "tsv"):
        return []
    most = len(data) if kind == "json" else 65536  # a row of JSON may be long, a header is not
    head = data[:most] if isinstance(data, str) else bytes(data[:most]).decode("utf-8", "replace")
    head = head.removeprefix("\ufeff")
    try:
        if kind == "json":
            rows = _json(source, _first_row(head)).rows
            return [list(rows[0])] if rows else []
        return [cells for _, _, cells in islice(_cells(source, _BREAK.split(head.lstrip(), maxsplit=1)[0], kind), 1)]
    except ReadError:
        return []


def _first_row(head: str) -> str:
    """The first object of JSON Lines, or of a list."""
    import json

    start = head.lstrip()
    if start[:1] == "[":
        start = start[1:].lstrip()
    try:
        _, stop = json.JSONDecoder().raw_decode(start)
    except (ValueError, RecursionError):
        return ""
    return start[:stop].replace("\n", " ")


def _kind(data: str | bytes | bytearray | memoryview) -> str | None:
    """What a file seems to be, by its beginning."""
    head = data[:65536] if isinstance(data, str) else bytes(data[:65536]).decode("utf-8", "replace")
    if head.startswith("PAR1"):
        return "parquet"
    head = head.removeprefix("\ufeff").lstrip()
    if head[:1] in ("{", "["):
        return "json"
    line = _BREAK.split(head, maxsplit=1)[0]
    if head[:1] in ("(", "#"):
        return None
    return "tsv" if "\t" in line else "csv" if "," in line else None


# ---- values ----------------------------------------------------------------------------------------------------------

_ABSENT = Lacking("the row has no such field")


def _value(row: Any, field: str, path: list[str]) -> Any:
    """What stands in a field of a row, or ``_ABSENT``."""
    if field in row:
        return row[field]
    for name in path:
        if isinstance(row, dict) and name in row:
            row = row[name]
        elif isinstance(row, list) and re.fullmatch(r"-?[0-9]{1,9}", name) and -len(row) <= int(name) < len(row):
            row = row[int(name)]
        else:
            return _ABSENT
    return row


def _names(row: Any, before: str = "") -> Iterator[str]:
    """The fields of a row, those of objects within it as well."""
    for name, value in row.items():
        if isinstance(value, dict) and value:
            yield from _names(value, f"{before}{name}.")
        else:
            yield f"{before}{name}"


def _listed(names: Iterable[str]) -> str:
    """The names for a message, on one line whatever they hold."""
    shown = [" ".join(name.split()) for name in names]
    return first_few([shortened(name) for name in shown], most=_NAMED) or "none"


def _text(value: Any) -> str | Lacking:
    """The text of a value, or what is wrong with it."""
    if isinstance(value, (str, Lacking)):
        return value
    if isinstance(value, list) and value and all(isinstance(message, dict) for message in value):
        said = [message for message in value if message.get("role", "assistant") == "assistant"]
        if not said:
            return Lacking("the assistant says nothing in this chat")
        value = said[-1]
    if isinstance(value, dict) and "content" in value:
        value = value["content"]
        if isinstance(value, list):  # parts, of which some may be no text
            parts = [part.get("text") for part in value if isinstance(part, dict)]
            value = "".join(part for part in parts if isinstance(part, str))
        if isinstance(value, str):
            return value
    return Lacking(f"expected a text, found {value}" if isinstance(value, (bool, int, float)) else no_text(value))


def _is_list(value: Any) -> bool:
    """Whether a value is a list of texts, and not a chat: a list of messages."""
    return isinstance(value, list) and not (value and all(isinstance(message, dict) for message in value))


def _n_breaks(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def _blank(text: str) -> str:
    """As many lines as the text has, and as long a last one, without anything in them."""
    return "\n" * _n_breaks(text) + " " * (len(text) - 1 - max(text.rfind("\n"), text.rfind("\r")))


# ---- formats ---------------------------------------------------------------------------------------------------------


def _json(source: str, text: str) -> Table:
    if text[:65536].lstrip()[:1] == "[":
        rows = _loaded(source, text, 1)
        return Table(source, [_object(source, row, 0, number) for number, row in enumerate(rows)], [])
    rows, lines = [], []
    # JSON's own line ends: a string may hold U+2028
    for number, line in enumerate(text.split("\n"), 1):
        if line and not line.isspace():
            rows.append(_object(source, _loaded(source, line, number), number, len(rows)))
            lines.append(number)
    return Table(source, rows, lines)


def _loaded(source: str, text: str, line: int) -> Any:
    import json

    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        start = text.rfind("\n", 0, error.pos) + 1
        row = text[start : error.pos + _SHOWN].split("\n")[0].replace("\r", " ")
        raise error_in_row(f"not JSON: {error.msg}", source, line + error.lineno - 1, error.colno, row) from None
    except (RecursionError, ValueError) as error:  # the latter for a number of thousands of digits
        # Python's own words for the former name the depth, or since 3.14 the kilobytes of stack, of the process
        why = "nested too deeply" if isinstance(error, RecursionError) else error
        raise ReadError(f"not JSON that can be read: {why}", source=source, line=line, column=1) from error


def _object(source: str, row: Any, line: int, number: int) -> dict[str, Any]:
    if not isinstance(row, dict):
        message = f"expected an object with fields in row {number}, found a {type(row).__name__}"
        raise ReadError(message, source=source, line=line, column=min(line, 1))
    return row


def _separated(source: str, text: str, kind: str) -> Table:
    _, name = _SEPARATORS[kind]
    header: list[str] | None = None
    rows: list[Mapping[str, Any]] = []
    lines: list[int] = []
    for line, start, cells in _cells(source, text, kind):
        if header is None:
            header = cells
            twice = next((cell for k, cell in enumerate(cells) if cell in cells[:k]), None)
            if twice is not None:
                raise ReadError(f"the field {twice!r} stands twice in the header", source=source, line=line, column=1)
            continue
        if len(cells) != len(header):
            message = f"expected {len(header)} cells, each behind a {name}, as the header has, found {len(cells)}"
            raise _fault(source, text, start, line, message)
        rows.append(dict(zip(header, cells, strict=True)))
        lines.append(line)
    if header is None and text.strip():
        raise ReadError(
            f"expected a header: names of fields with a {name} between them", source=source, line=1, column=1
        )
    return Table(source, rows, lines, headed=True)


def _cells(source: str, text: str, kind: str) -> Iterator[tuple[int, int, list[str]]]:
    """Line, place and cells of each row; lines without anything are left out."""
    separator, name = _SEPARATORS[kind]
    plain = _PLAIN[kind]
    position, line, size = 0, 1, len(text)
    while position < size:
        first, start, cells = line, position, []
        while True:
            if text.startswith('"', position):
                found = _QUOTED.match(text, position)
                if found is None:
                    raise _fault(source, text, position, line, "a quote that is not closed")
                cells.append(found[1].replace('""', '"'))
                line += _n_breaks(found[1])
                position = found.end()
                if position < size and text[position] not in (separator, "\r", "\n"):
                    message = f"expected a {name} or the end of the line behind the closing quote"
                    raise _fault(source, text, position, line, message)
            else:
                found = plain.match(text, position)
                assert found is not None
                cells.append(found[0])
                position = found.end()
            if not text.startswith(separator, position):
                break
            position += 1
        position += 2 if text.startswith("\r\n", position) else 1
        line += 1
        if cells != [""]:
            yield first, start, cells


def _fault(source: str, text: str, place: int, line: int, message: str) -> ReadError:
    start = max(text.rfind("\n", 0, place), text.rfind("\r", 0, place)) + 1
    row = _BREAK.split(text[start : place + _SHOWN])[0]
    return error_in_row(message, source, line, place - start + 1, row)


class _ParquetTable(Table):
    """A Parquet file, of which only the columns are read that are asked for."""

    def __init__(self, source: str, file: Any) -> None:
        super().__init__(source, [], [])
        self._file = file

    def values(self, field: str) -> list[Any]:
        names = self._file.schema_arrow.names
        column = next((name for name in (field, field.split(".")[0]) if name in names), None)
        if column is None:
            raise OptionError(f"{self.source}: no field {field!r}; the fields are: {_listed(names)}")
        with _damaged(self.source):
            values = self._file.read(columns=[column], use_threads=False).column(column).to_pylist()
        return Table(self.source, [{column: value} for value in values], []).values(field)


@contextmanager
def _damaged(source: str) -> Iterator[None]:
    """Makes errors of pyarrow those of this package."""
    try:
        yield
    except arrow_errors() as error:
        raise ReadError(f"damaged Parquet file: {' '.join(str(error).split())}", source=source) from error


def _parquet(source: str, data: bytes | bytearray | memoryview) -> Table:
    needed("pyarrow.parquet", f"{source}: Parquet files need", "arrow")
    import pyarrow.parquet

    with _damaged(source):
        return _ParquetTable(source, pyarrow.parquet.ParquetFile(pyarrow.BufferReader(data), pre_buffer=False))
