"""``score --latex`` and ``--markdown``, the same of ``compare``, and what they refuse."""

import io
import json
import shutil

import pytest

import fastmatch as fm
from fastmatch.cli import main

from support.command_line import printed


@pytest.fixture
def systems(here):
    """Also ``worse.amr`` (pairs in disorder) and ``same.amr``, a copy of the predictions."""
    texts = (here / "pred.amr").read_text(encoding="utf-8").strip().split("\n\n")
    (here / "worse.amr").write_text("\n\n".join(texts[1:] + texts[:1]), encoding="utf-8")
    shutil.copy("pred.amr", "same.amr")
    return here


def cells(text: str) -> dict[str, list[str]]:
    """Rows of a Markdown table by their names."""
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return {name.replace("\\", ""): values for name, *values in rows}


QUICK = ["--bootstrap", "200", "--quiet"]


def test_systems_and_metrics(systems, capsys):
    files = ["worse.amr", "pred.amr", "same.amr", "gold.amr"]
    text = printed(capsys, "score", *files, "--markdown", "--metric", "smatch", "--metric", "wlk", *QUICK)[0]
    found = cells(text)
    assert list(found) == ["system", "---", "worse.amr", "pred.amr", "same.amr"]
    assert found["system"] == ["smatch F1", "wlk cosine"] and found["pred.amr"] == found["same.amr"]
    assert all(cell.startswith("**") and "†" not in cell for cell in found["pred.amr"])
    assert all("†" in cell for cell in found["worse.amr"])
    assert "differs from the best system of the column" in text
    # the numbers are those of one system at a time
    alone = json.loads(printed(capsys, "score", "pred.amr", "gold.amr", "--json", *QUICK)[0])
    low, high = alone["intervals"]["f1"]
    assert found["pred.amr"][0] == f"**{100 * alone['micro']['f1']:.2f}** [{100 * low:.2f}, {100 * high:.2f}]"


def test_a_baseline(systems, capsys):
    files = ["worse.amr", "pred.amr", "same.amr", "gold.amr"]
    text = printed(capsys, "score", *files, "--markdown", "--baseline", "worse.amr", *QUICK)[0]
    assert ["†" in cells(text)[name][-1] for name in files[:3]] == [False, True, True]
    assert "differs from worse.amr" in text
    # the same from compare, but for the name of the option
    assert printed(capsys, "compare", *files, "--markdown", "--resamples", "200", "--quiet")[0] == text


def test_every_two_compared(systems, capsys):
    files = ["worse.amr", "pred.amr", "same.amr", "gold.amr", "--against", "all", "--resamples", "200"]
    text = printed(capsys, "compare", *files, "--latex", "--quiet")[0]
    assert "worse.amr & " in text and text.count("\\rlap") == 3 and "differs from the best system of the column" in text


def test_aspects(systems, capsys):
    files = ["worse.amr", "pred.amr", "gold.amr"]
    found = cells(printed(capsys, "score", *files, "--aspects", "--markdown", *QUICK)[0])
    assert found["aspect"] == ["worse.amr", "pred.amr"]
    assert "†" in found["Smatch"][0] and found["Smatch"][1].startswith("**")
    alone = json.loads(printed(capsys, "score", "pred.amr", "gold.amr", "--aspects", "--json", *QUICK)[0])["aspects"]
    (low, high), f1 = alone["Concepts"]["intervals"]["f1"], alone["Concepts"]["micro"]["f1"]
    assert found["Concepts"][1] == f"**{100 * f1:.2f}** [{100 * low:.2f}, {100 * high:.2f}]"
    assert main(["score", "pred.amr", "gold.amr", "--aspects", "smatch++", "--aspect", "NER", "--latex", *QUICK]) == 0
    text = capsys.readouterr().out
    assert "aspect & precision & recall & \\multicolumn{2}{c}{F1}" in text and "\nNER & " in text
    assert main(["score", *files, "--aspects", "--markdown", "--fail-under", "99", *QUICK]) == 1


def test_aspects_of_fields(systems, capsys):
    lines = [
        '{"answer": "(a / b :polarity -)", "amr": "(c / b :polarity -)"}',
        '{"answer": "(a / b)", "amr": "(c / d)"}',
    ]
    for name in ("one", "two", "gold"):
        (systems / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    fields = ["--pred-field", "answer", "--gold-field", "amr", "--aspects", "--markdown"]
    found = cells(printed(capsys, "score", "one.jsonl", "two.jsonl", "gold.jsonl", *fields, *QUICK)[0])
    assert found["aspect"] == ["one.jsonl", "two.jsonl"] and found["Negations"][0].startswith("**100.00**")
    assert found["Concepts"][1].startswith("**50.00**")
    assert cells(printed(capsys, "score", "one.jsonl", *fields, *QUICK)[0])["Concepts"][2].startswith("50.00")


def test_fields_of_a_file(systems, capsys):
    lines = ['{"answer": "(a / b)", "amr": "(c / d)"}', '{"answer": "(a / b", "amr": "(c / b)"}']
    (systems / "out.jsonl").write_text("\n".join(lines), encoding="utf-8")
    fields = ["--pred-field", "answer", "--gold-field", "amr", "--on-error", "repair"]
    text = printed(capsys, "score", "out.jsonl", "--markdown", *fields, *QUICK)[0]
    assert "| out.jsonl | 75.00 | 75.00 | 75.00" in text and "- smatch of out.jsonl: 1 graph repaired." in text
    # of several systems, and several metrics
    (systems / "whole.jsonl").write_text(lines[0] + "\n" + lines[1].replace("(a / b", "(a / b)"), encoding="utf-8")
    several = ["out.jsonl", "whole.jsonl", "out.jsonl", "--markdown", *fields, *QUICK]
    text = printed(capsys, "score", *several, "--metric", "smatch", "--metric", "sema")[0]
    assert "- smatch of out.jsonl: 1 graph repaired." in text and "|on_error:repair|" in text


def test_standard_input(systems, capsys, monkeypatch):
    """It is read once, also by metrics that read it differently."""
    text = (systems / "pred.amr").read_bytes()
    metrics = ["--markdown", "--metric", "smatch", "--metric", "sembleu/tool", *QUICK]
    tables = []
    for name, files in (("pred.amr", ["pred.amr"]), ("-", ["-"]), ("-", ["worse.amr", "-"])):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
        assert main(["score", *files, "gold.amr", *metrics]) == 0
        tables.append([cell.replace("*", "") for cell in cells(capsys.readouterr().out)[name]])
    assert tables[0] == tables[1] and tables[0] == tables[2]


def test_a_score_that_is_too_low(systems, capsys):
    assert main(["score", "pred.amr", "worse.amr", "gold.amr", "--markdown", "--fail-under", "50", *QUICK]) == 1
    assert main(["score", "pred.amr", "same.amr", "gold.amr", "--markdown", "--fail-under", "50", *QUICK]) == 0


def test_scores_of_each_pair(systems, capsys):
    files = ["pred.amr", "worse.amr", "gold.amr"]
    assert main(["score", *files, "--metric", "smatch", "--metric", "wlk", "--per-pair", "x.tsv", *QUICK]) == 0
    header, *lines = (systems / "x.tsv").read_text(encoding="utf-8").splitlines()
    names = [f"{metric} of {file}" for metric in ("smatch", "wlk") for file in files[:2]]
    assert header.split("\t") == ["index", "id", *names, "n_invalid", "n_repaired"]
    scores = fm.score(systems / "worse.amr", systems / "gold.amr").pairs.f1.tolist()
    assert [float(line.split("\t")[3]) for line in lines] == scores
    assert main(["compare", *files, "--per-pair", "y.tsv", "--resamples", "50"]) == 0
    header, *lines = (systems / "y.tsv").read_text(encoding="utf-8").splitlines()
    assert header.split("\t") == ["index", "id", *files[:2], "n_invalid", "n_repaired"]
    assert [float(line.split("\t")[3]) for line in lines] == scores
