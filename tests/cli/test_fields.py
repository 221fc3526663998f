"""``fastmatch score`` on files with fields: one file with both sides, two files, answers of language models."""

import gzip
import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.cli import main

from support.command_line import printed

ROWS = [
    {"completion": "<think>(x / y)</think> (a / b :x (c / d", "amr": "(a / b :x (c / d))"},
    {
        "completion": [{"role": "user", "content": "(x / y)"}, {"role": "assistant", "content": "So: (e / f)!"}],
        "amr": "(e / f)",
    },
    {"completion": None, "amr": "(g / h :x (i / j))"},
]
FIELDS = ("--pred-field", "completion", "--gold-field", "amr", "--extract", "--on-error", "repair")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("out.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    Path("gold.amr").write_text("\n\n".join(row["amr"] for row in ROWS), encoding="utf-8")
    return tmp_path


def record(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    found = printed(capsys, "score", *arguments, "--json", "--quiet")
    assert found.err == ""
    return json.loads(found.out)


def test_one_file_holds_both_sides(place, capsys, monkeypatch):
    expected = fm.score(["(a / b :x (c / d))", "(e / f)", None], [row["amr"] for row in ROWS], on_error="empty")
    one = record(capsys, "out.jsonl", *FIELDS)
    assert (one["micro"]["f1"], one["n_invalid"], one["n_repaired"], one["n_certified"]) == (expected.f1, 1, 1, 3)
    assert "|on_error:repair|" in one["signature"]
    # the same in two files, gzipped, on standard input, and with a plain file on one side
    Path("out.jsonl.gz").write_bytes(gzip.compress(Path("out.jsonl").read_bytes()))
    for files in (("out.jsonl", "out.jsonl"), ("out.jsonl.gz",), ("out.jsonl.gz", "out.jsonl")):
        again = record(capsys, *files, *FIELDS)
        assert {**again, "problems": None} == {**one, "problems": None}
    assert record(capsys, "out.jsonl", "gold.amr", *FIELDS[:2], *FIELDS[4:])["micro"] == one["micro"]
    # in several files, one after the other
    Path("parts").mkdir()
    for number, row in enumerate(ROWS):
        Path(f"parts/{number}.jsonl").write_text(json.dumps(row), encoding="utf-8")
    for names in (("parts",), ("parts/*.jsonl", "gold.amr")):
        fields = FIELDS if len(names) == 1 else (*FIELDS[:2], *FIELDS[4:])
        again = record(capsys, *names, *fields)
        assert again["micro"] == one["micro"]
        assert "2.jsonl: row 0 (line 1), field 'completion'" in again["problems"][1]["message"]
    for names in (("-",), ("-", "gold.amr")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path("out.jsonl").read_bytes()), "utf-8"))
        fields = FIELDS if len(names) == 1 else (*FIELDS[:2], *FIELDS[4:])
        assert record(capsys, *names, *fields)["micro"] == one["micro"]


SIMILAR = [
    {"answer": "It is (a / cat :mod (b / big)).", "amr": "(a / cat :mod (b / big))"},
    {"answer": "(a / cat)", "amr": "(a / dog :mod (b / big))"},
]


@pytest.fixture
def similar(place: Path) -> list[list[str]]:
    Path("two.jsonl").write_text("".join(json.dumps(row) + "\n" for row in SIMILAR), encoding="utf-8")
    Path("amr.amr").write_text("\n\n".join(row["amr"] for row in SIMILAR), encoding="utf-8")
    return [["(a / cat :mod (b / big))", "(a / cat)"], [row["amr"] for row in SIMILAR]]


ANSWERS = ("--pred-field", "answer", "--extract")


@pytest.mark.parametrize(
    ("arguments", "two"),
    [
        (["two.jsonl", "--gold-field", "amr"], True),
        (["two.jsonl", "two.jsonl", "--gold-field", "amr"], True),
        (["two.jsonl", "amr.amr"], True),
        (["two.jsonl"], False),
    ],
)
def test_matrix_of_fields(similar, arguments, two):
    assert main(["matrix", *arguments, *ANSWERS, "--quiet", "-o", "m.npy"]) == 0
    assert np.load("m.npy").tolist() == fm.cdist(*similar[: 1 + two]).tolist()


def test_search_in_fields(similar, capsys):
    pred, gold = similar
    found = json.loads(printed(capsys, "search", "two.jsonl", "amr.amr", *ANSWERS, "-k", "2", "--json", "--quiet")[0])
    expected = fm.top_k(pred, gold, 2)
    assert [[match["index"] for match in query["matches"]] for query in found["queries"]] == expected.indices.tolist()
    found = json.loads(printed(capsys, "search", "two.jsonl", "--pred-field", "amr", "-k", "1", "--json", "--quiet")[0])
    assert [query["matches"][0]["index"] for query in found["queries"]] == [1, 0]


def test_align_of_fields(similar, capsys):
    pred, gold = similar
    fields = (*ANSWERS, "--gold-field", "amr")
    assert main(["align", "two.jsonl", *fields, "--index", "1", "--json"]) == 0
    expected = json.loads(json.dumps(fm.align(pred[1], gold[1]).to_dict()))
    assert expected.items() <= json.loads(capsys.readouterr().out).items()
    assert printed(capsys, "align", "two.jsonl", *fields, "--worst", "1")[0].startswith("pair 1")
    assert main(["align", "two.jsonl", *fields, "--page", "why.html"]) == 0
    assert "two.jsonl: answer against two.jsonl: amr" in capsys.readouterr().out
    assert main(["align", "two.jsonl", "amr.amr", "--more", "two.jsonl", *ANSWERS, "--page", "why.html"]) == 0


def test_pairs_of_several_metrics_say_what_was_repaired(place, capsys):
    assert main(["score", "out.jsonl", *FIELDS, "--metric", "smatch", "--metric", "wlk", "--per-pair", "p.tsv"]) == 0
    header, *rows = (line.split("\t") for line in Path("p.tsv").read_text(encoding="utf-8").splitlines())
    assert header == ["index", "id", "smatch", "wlk", "n_invalid", "n_repaired"]
    assert [row[-2:] for row in rows] == [["0", "1"], ["0", "0"], ["1", "0"]]


def test_metrics_that_read_differently_see_the_same_fields(place, capsys):
    found = record(capsys, "out.jsonl", *FIELDS, "--metric", "smatch", "--metric", "sema", "--metric", "wlk")
    assert [one["n_pairs"] for one in found] == [3, 3, 3]
    aspects = record(capsys, "out.jsonl", *FIELDS, "--aspects", "smatch++")
    assert (aspects["n_invalid"], aspects["n_repaired"], aspects["n_pairs"]) == (1, 1, 3)


def test_systems_are_compared(place, capsys):
    whole = [{"completion": row["amr"], "amr": row["amr"]} for row in ROWS]
    Path("whole.jsonl").write_text("".join(json.dumps(row) + "\n" for row in whole), encoding="utf-8")
    command = ["compare", "out.jsonl", "whole.jsonl", "out.jsonl", *FIELDS, "--resamples", "50", "--json", "--quiet"]
    first, second = json.loads(printed(capsys, *command)[0])["systems"]
    assert (first["n_repaired"], first["n_invalid"], second["n_repaired"]) == (1, 1, 0) and second["micro"]["f1"] == 1


def test_annotators_stand_in_fields(similar, capsys, monkeypatch):
    pred, gold = similar
    expected = fm.agreement([pred, gold]).matrix.tolist()[0][1]

    def matrix(*arguments: str) -> tuple[list[str], float]:
        found = json.loads(printed(capsys, "agreement", *arguments, "--extract", "--json", "--quiet")[0])
        return found["names"], found["pairs"][0]["micro"]["f1"]

    both = ("--pred-field", "answer", "--pred-field", "amr")
    assert matrix("two.jsonl", *both) == (["answer", "amr"], expected)
    assert matrix("two.jsonl", "two.jsonl", *both) == (["answer", "amr"], expected)
    Path("again.jsonl").write_bytes(Path("two.jsonl").read_bytes())
    assert matrix("two.jsonl", "again.jsonl", *both) == (["two.jsonl", "again.jsonl"], expected)
    assert matrix("two.jsonl", "again.jsonl", "--pred-field", "answer")[1] == 1
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path("two.jsonl").read_bytes()), "utf-8"))
    assert matrix("-", *both) == (["answer", "amr"], expected)


def test_what_was_wrong_is_named_by_row(place, capsys):
    found = printed(capsys, "score", "out.jsonl", *FIELDS, "--per-pair", "pairs.tsv")
    assert "invalid, counted as empty: 1 graph; repaired: 1\n" in found.out
    assert found.err.splitlines() == [
        "fastmatch: pair 2, pred: counted as empty: out.jsonl: row 2 (line 3), field 'completion': expected a text, "
        "found None",
        "fastmatch: pair 0, pred: repaired: unclosed (out.jsonl: row 0 (line 1), field 'completion':1:40)",
    ]
    rows = [line.split("\t")[-2:] for line in Path("pairs.tsv").read_text(encoding="utf-8").splitlines()]
    assert rows == [["n_invalid", "n_repaired"], ["0", "1"], ["0", "0"], ["1", "0"]]
