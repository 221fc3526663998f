"""A report in every form: what programs read is what was put in, what people read breaks nothing."""

import csv
import io
import json

import pytest

from fastmatch.errors import OptionError
from fastmatch.report.cells import Number, Points, Small, Span, shown
from fastmatch.report.model import FORMS, Report, Table, emit

from support.refusal import fails

HOSTILE = 'a\tb\n<script>|*"$&_\x1b[31m'
REPORT = Report(
    "fastmatch bench test",
    [
        Table(
            ("name", "F1", "p"),
            [
                ("all", Points(0.8125, (0.801, 0.823), best=True), Small(0.00032)),
                ("  " + HOSTILE, Points(float("nan")), Number(0.5, 1)),
                ("n", Points(0.5, different=True, signed=True), Span(0.1, 0.2)),
                ("m", 1234, None),
            ],
            title="scores, points",
            notes=["one note"],
            styles=("bold", "", "", ""),
        ),
        Table(("a", "b"), [("x", "y")], right=False),
    ],
    ("name", "f1", "n"),
    [("all", 0.8125, 3), (HOSTILE, float("nan"), None)],
    {"f1": 0.8125},
    [("smatch", "smatch|v:1")],
    ["a note on all"],
)


def written(form: str, report: Report = REPORT) -> str:
    file = io.StringIO()
    emit(report, form, file)
    return file.getvalue()


@pytest.mark.parametrize("form", FORMS)
def test_every_form_says_something_and_moves_no_cursor(form: str) -> None:
    text = written(form)
    assert text.endswith("\n")
    assert "81" in text  # 0.8125 or 81.25
    if form not in ("csv", "tsv"):  # programs get it as it is, a terminal does not
        assert "\x1b" not in text


def test_as_text() -> None:
    assert REPORT.to("latex") == written("latex") and str(REPORT) == written("text")
    fails(OptionError, "form='xml': expected one of", REPORT.to, "xml")


def test_text() -> None:
    lines = written("text").splitlines()
    assert lines[0] == "scores, points" and lines[-3:] == ["", "a note on all", "signature: smatch|v:1"]
    assert "one note" in lines


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("a", "a"),
        (None, ""),
        (12345, "12,345"),
        (1.5, "1.500"),
        (Points(0.12345), "12.35"),
        (Points(0.12345, digits=1), "12.3"),
        (Points(0.5, (0.4, 0.6), best=True, different=True), "50.00*† [40.00, 60.00]"),
        (Points(0.5, (float("nan"), float("nan"))), "50.00"),
        (Points(-0.01, signed=True), "-1.00"),
        (Span(0.1, 0.25), "10.00 to 25.00"),
        (Span(0.1, 0.25, signed=True), "+10.00 to +25.00"),
        (Number(0.04999, 4), "0.0500"),
        (Small(0.0), "0"),
        (Small(1.24e-16), "1.2e-16"),
        *((kind(*[float("nan")] * n), "–") for kind, n in ((Points, 1), (Span, 2), (Number, 1), (Small, 1))),
    ],
)
def test_a_cell_is_a_value(cell: object, text: str) -> None:
    assert shown(cell) == text


def test_what_is_no_cell() -> None:
    fails(TypeError, "is no cell", shown, [1])


def test_what_programs_read_is_what_was_put_in() -> None:
    rows = list(csv.reader(io.StringIO(written("csv"), newline="")))
    assert rows == [[*REPORT.columns], ["all", "0.8125", "3"], [HOSTILE, "", ""]]
    *rows, last = [line.split("\t") for line in written("tsv").splitlines()]
    assert rows == [[*REPORT.columns], ["all", "0.8125", "3"]] and last[1:] == ["", ""]
    lines = [json.loads(line) for line in written("jsonl").splitlines()]
    assert lines == [{"name": "all", "f1": 0.8125, "n": 3}, {"name": HOSTILE, "f1": None, "n": None}]
    assert json.loads(written("json")) == REPORT.record


def test_latex() -> None:
    text = written("latex")
    assert r"\textbf{all} & \textbf{81.25} & {\footnotesize [80.10, 82.30]} & $3.2\cdot 10^{-4}$ \\" in text
    assert r"n & +50.00\rlap{$^{\dagger}$} &  & 10.00 to 20.00 \\" in text and r"\quad a" in text
    assert r"\$\&\_" in text and text.count(r"\begin{tabular}") == 2
    assert text.count("smatch\\textbar\\allowbreak{}v:1") == 1


def test_markdown() -> None:
    text = written("markdown")
    assert "**all**" in text and r"\<script\>\|\*" in text and "| --- | ---: | ---: |" in text
    assert "| --- | --- |" in text and text.endswith("- smatch: `smatch|v:1`\n")


def test_a_paper_may_have_tables_of_its_own() -> None:
    report = REPORT._replace(paper=REPORT._replace(tables=[Table(("only",), [("this",)])]))
    assert "only" in written("latex", report) and "only" in written("markdown", report)
    assert "only" not in written("text", report) and "only" not in written("html", report)


def test_html_is_a_page_without_scripts() -> None:
    page = written("html")
    assert page.startswith("<!doctype html>") and page.count("<table") == 2 and "<script" not in page
