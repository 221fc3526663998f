"""Graphs in the fields of data files: every format gives the same rows; errors name file and place."""

import csv
import gzip
import io
import json
from collections import UserList

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.graphs.fields import table
from fastmatch.graphs.sources import Lacking

from support.refusal import fails

ROWS = [
    {"id": "1", "completion": "<think>(x / y)</think>\nIt is (a / b\n  :x (c / d", "amr": "(a / b :x (c / d))"},
    {"id": "2", "completion": 'Say "(e / f)", done.', "amr": "# ::id 2\n(e / f)"},
    {"id": "3", "completion": "I cannot.", "amr": '(n / name :op1 "New, York")'},
]


def written(rows: list[dict], kind: str) -> str | bytes:
    if kind == "jsonl":
        return "".join(json.dumps(row) + "\n" for row in rows)
    if kind == "json":
        return json.dumps(rows, indent=1)
    if kind == "parquet":
        pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        file = io.BytesIO()
        parquet.write_table(pyarrow.Table.from_pylist(rows), file)
        return file.getvalue()
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter="\t" if kind == "tsv" else ",")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


@pytest.mark.parametrize("suffix", ["", ".gz", None])
@pytest.mark.parametrize("kind", ["jsonl", "json", "csv", "tsv", "parquet"])
def test_every_format_gives_the_same_graphs(tmp_path, kind, suffix):
    data = written(ROWS, kind)
    path = tmp_path / ("data" if suffix is None else f"out.{kind}{suffix}")
    data = data if isinstance(data, bytes) else data.encode()
    path.write_bytes(gzip.compress(data) if suffix == ".gz" else data)
    gold = fm.read(path, field="amr")
    assert gold == fm.parse([row["amr"] for row in ROWS]) and gold.source == str(path)
    pred = fm.read(path, field="completion", extract=True, on_error="repair")
    assert pred == fm.parse(["(a / b :x (c / d))", "(e / f)", ""], on_error="empty")
    line = {"jsonl": " (line 1)", "csv": " (line 2)", "tsv": " (line 2)"}.get(kind, "")
    assert pred.repairs == ((0, "unclosed", f"{path}: row 0{line}, field 'completion':3:12"),)
    # a quoted cell with line breaks counts its lines
    line = {"jsonl": " (line 3)", "csv": " (line 7)", "tsv": " (line 7)"}.get(kind, "")
    assert pred.problems == ((2, f"{path}: row 2{line}, field 'completion': no graph was found"),)
    fails(fm.OptionError, r"no field 'gold'; the fields are: id, completion, amr$", fm.read, path, field="gold")


def test_a_graph_that_cannot_be_read_is_named_by_file_and_row():
    file = io.StringIO('{"a": "(c / d)"}\n\n{"a": "(c /\\n  d :x"}\n')
    file.name = "x.jsonl"
    caught = fails(fm.ReadError, None, fm.read, file, field="a")
    assert str(caught).startswith("x.jsonl: row 1 (line 3), field 'a':2:7: ") and (caught.line, caught.column) == (2, 7)


def test_places_in_what_was_extracted_are_those_in_the_field():
    text = "Hm.\r\nIt is: ```\n(a / b ::x c)\n``` so"
    (found,) = table("x", json.dumps({"a": text})).texts("a").extracted().texts
    assert found == "\n\n(a / b ::x c)"
    (found,) = table("x", json.dumps({"a": "It is (a / b)."})).texts("a").extracted().texts
    assert found == " " * 6 + "(a / b)"


ASKED, SAID = {"role": "user", "content": "(x / y)"}, {"role": "assistant", "content": "(a / b)"}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("(a / b)", "(a / b)"),
        ([ASKED, SAID], "(a / b)"),
        ([SAID, {"role": "tool", "content": "(x / y)"}, ASKED], "(a / b)"),
        ([{"content": "(a / b)"}], "(a / b)"),
        (SAID | {"content": [{"type": "text", "text": "(a "}, {"type": "image"}, {"text": "/ b)"}]}, "(a / b)"),
        ([ASKED], "the assistant says nothing in this chat"),
        (None, "expected a text, found None"),
        (3.5, "expected a text, found 3.5"),
        (["(a / b)"], "expected a text, found an object of type list"),
        ({"text": "(a / b)"}, "expected a text, found an object of type dict"),
    ],
)
def test_values(value, text):
    (found,) = table("x.jsonl", json.dumps({"a": value})).texts("a").texts
    assert (found.message if isinstance(found, Lacking) else found) == text
    if isinstance(found, Lacking):
        with pytest.raises(fm.ReadError, match=r"^<stream>: row 0 \(line 1\), field 'a': "):
            fm.read(io.StringIO(json.dumps({"a": value})), field="a")


def test_fields_within_objects_and_lists():
    rows = [{"a.b": "1", "a": {"b": "2", "c": {"d": "3"}}, "e": [{"f": "4"}, {"f": "5"}]}, {"a": {}}]
    rows = table("x.json", json.dumps(rows))
    for field, value in {"a.b": "1", "a.c.d": "3", "e.0.f": "4", "e.-1.f": "5"}.items():
        assert rows.texts(field).texts[0] == value
        assert rows.texts(field).texts[1] == Lacking("the row has no such field")
    for field in ("a.c.x", "e.2.f", "e.x", "a..c", "", "e.--1.f", "a.b.c"):
        fails(fm.OptionError, r"the fields are: (a\.b, )?a\.b, a\.c\.d, e", rows.texts, field)


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("x.jsonl", b'{"a": "b"}\n{"a": "b"\n', "x.jsonl:2:10: not JSON: Expecting ',' delimiter"),
        ("x.jsonl", b'{"a": "b"}\n["a"]\n', "x.jsonl:2:1: expected an object with fields in row 1, found a list"),
        ("x.jsonl", b'{"a": "b"}\n\xff', "x.jsonl:2:1: byte 0xff is not UTF-8; expected a text file in UTF-8"),
        ("x.jsonl", b'{"a": ' + b"1" * 5000 + b"}", "x.jsonl:1:1: not JSON that can be read: Exceeds the limit"),
        ("x.jsonl", b'{"a": ' + b"[" * 200_000, "x.jsonl:1:1: not JSON that can be read: nested too deeply"),
        ("x.json", b'[{"a": "b"},\n {"a" "b"}]', "x.json:2:7: not JSON: Expecting ':' delimiter"),
        ("x.json", b'[{"a": "b"}, 3]', "x.json: expected an object with fields in row 1, found a int"),
        ("x.csv", b'a,b\n1,2\n"x\n', "x.csv:3:1: a quote that is not closed"),
        ("x.csv", b'a,b\n1,"2\n3" 4\n', "x.csv:3:3: expected a comma or the end of the line behind the closing quote"),
        ("x.tsv", b"a\tb\n1\n", "x.tsv:2:1: expected 2 cells, each behind a tab, as the header has, found 1"),
        ("x.csv", b"a,b,a\n", "x.csv:1:1: the field 'a' stands twice in the header"),
        ("x.parquet", b"PAR1 and so on", "x.parquet: damaged Parquet file: "),
        ("x.parquet", b"", "x.parquet: damaged Parquet file: "),
        ("x.amr", b"(a / b)", "x.amr: fields are those of JSON Lines, JSON, CSV, TSV and Parquet"),
        ("x", b"# ::id 1, 2\n(a / b)", "x: fields are those of"),
    ],
)
def test_what_is_wrong_is_one_line_with_its_place(name, data, says):
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    caught = fails((fm.ReadError, fm.OptionError), None, lambda: table(name, data).texts("a"))
    assert str(caught).startswith(says) and "\n" not in str(caught)
    if isinstance(caught, fm.ReadError) and caught.text:
        assert caught.caret().count("\n") == 1


def test_extract_needs_a_field(tmp_path):
    fails(fm.OptionError, "goes with field", fm.read, io.StringIO("(a / b)"), extract=True)
    options = {"field": "a", "extract": "nowhere"}
    fails(fm.OptionError, "extract='nowhere': expected one of", fm.read, io.StringIO('{"a": "b"}'), **options)


def test_empty_files_have_no_rows():
    for name, data in (("x.jsonl", b""), ("x.jsonl", b"\n \n"), ("x.json", b"[]"), ("x.csv", b"a,b\n"), ("x", b"")):
        assert table(name, data).texts("a").texts == []


def test_line_ends_within_json_strings():
    assert len(table("x.jsonl", '{"a": "x\u2028y\x85"}\r\n{"a": "z"}'.encode()).texts("a").texts) == 2


CELLS = st.text(st.sampled_from('ab(/)",\t\n\r é狗 '), max_size=6)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), max_size=5), st.sampled_from(["csv", "tsv"]))
def test_what_csv_writes_is_read_back(rows, kind):
    text = io.StringIO()
    csv.writer(text, delimiter="\t" if kind == "tsv" else ",").writerows([["a", "b"], *rows])
    found = table(f"x.{kind}", text.getvalue())
    assert [found.texts("a").texts, found.texts("b").texts] == [[row[k] for row in rows] for k in (0, 1)]


def test_a_parquet_column_of_days_that_no_calendar_has():
    """Python has no such days: an ``OverflowError``."""
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    file = io.BytesIO()
    parquet.write_table(pyarrow.table({"amr": pyarrow.array([2**62], pyarrow.int64()).view("timestamp[us]")}), file)
    found = table("x.parquet", file.getvalue())
    fails(fm.ReadError, r"^x\.parquet: damaged Parquet file: date value out of range$", found.texts, "amr")


def test_columns_of_data_sets():
    """Those of Hugging Face are sequences, but no lists."""
    gold = UserList(["(a / b)", "(c / d)"])
    assert fm.parse(gold) == fm.parse(list(gold))
    result = fm.score(UserList(["(a / b", None]), gold, on_error="repair")
    assert (result.n_repaired, result.n_invalid) == (1, 1)
    rows = pytest.importorskip("datasets").Dataset.from_dict({"completion": ["(a / b", None], "amr": list(gold)})
    assert fm.score(rows["completion"], rows["amr"], on_error="repair").f1 == result.f1
