"""A report in every form: what programs read is what was put in, what people read breaks nothing."""

from __future__ import annotations

import csv
import io
import json
from html.parser import HTMLParser

import pytest

from fastmatch.errors import OptionError
from fastmatch.report.model import FORMS, Report, Table, emit

HOSTILE = 'a\tb\n<script>|*"$&_\x1b[31m'
REPORT = Report(
    "fastmatch bench test",
    [
        Table(
            ("name", "F1", "p"),
            [("all", "81.25 [80.1, 82.3]", "3.2e-04"), ("  " + HOSTILE, "–", "0.5†")],
            title="scores, points",
            notes=["one note"],
            styles=("bold", ""),
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
    assert REPORT.to("latex") == written("latex")
    with pytest.raises(OptionError, match="form='xml'"):
        REPORT.to("xml")


def test_text() -> None:
    lines = written("text").splitlines()
    assert lines[0] == "scores, points"
    assert lines[-3:] == ["", "a note on all", "signature: smatch|v:1"]
    assert "one note" in lines


def test_what_programs_read_is_what_was_put_in() -> None:
    header, *rows = csv.reader(io.StringIO(written("csv"), newline=""))
    assert header == list(REPORT.columns)
    assert rows == [["all", "0.8125", "3"], [HOSTILE, "", ""]]
    header, *rows = [line.split("\t") for line in written("tsv").splitlines()]
    assert header == list(REPORT.columns)
    assert rows[0] == ["all", "0.8125", "3"]
    assert rows[1][1:] == ["", ""]
    lines = [json.loads(line) for line in written("jsonl").splitlines()]
    assert lines == [{"name": "all", "f1": 0.8125, "n": 3}, {"name": HOSTILE, "f1": None, "n": None}]
    assert json.loads(written("json")) == REPORT.record


def test_latex() -> None:
    text = written("latex")
    assert r"\textbf{all} & 81.25 {\footnotesize [80.1, 82.3]} & $3.2\cdot 10^{-4}$ \\" in text
    assert r"0.5\rlap{$^{\dagger}$}" in text
    assert r"\quad a" in text
    assert r"\$\&\_" in text
    assert text.count(r"\begin{tabular}") == 2
    assert text.count("smatch|v:1") == 1


def test_markdown() -> None:
    text = written("markdown")
    assert "**all**" in text
    assert r"\<script\>\|\*" in text
    assert "| --- | ---: | ---: |" in text
    assert "| --- | --- |" in text
    assert text.endswith("- `smatch|v:1`\n")


def test_a_paper_may_have_tables_of_its_own() -> None:
    report = REPORT._replace(paper=[Table(("only",), [("this",)])])
    assert "only" in written("latex", report) and "only" in written("markdown", report)
    assert "only" not in written("text", report) and "only" not in written("html", report)


def test_html_is_a_page_without_scripts() -> None:
    seen: list[str] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            seen.append(tag)

    Tags().feed(written("html"))
    assert seen.count("table") == 2
    assert "script" not in seen
    assert written("html").startswith("<!doctype html>")
