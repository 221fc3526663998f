"""The verb ``grapes``."""

import json
import shutil
from pathlib import Path

import pytest

from support.command_line import printed

MINI = Path(__file__).parents[1] / "data" / "grapes" / "mini"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(MINI, tmp_path / "GrAPES")
    for name in ("a", "b"):
        for kind in ("grapes", "testset"):
            shutil.copy(MINI / "pred" / name / f"{kind}.txt", tmp_path / f"{name}-{kind}.txt")
    monkeypatch.chdir(tmp_path)
    return tmp_path


BOTH = (
    *("bench", "grapes", "GrAPES", "--pred", "one=a-grapes.txt", "--pred", "b-grapes.txt", "--quiet"),
    *("--gold-testset", "GrAPES/testset.txt", "--pred-testset", "a-testset.txt", "--pred-testset", "b-testset.txt"),
)


def test_table(place: Path, capsys: pytest.CaptureFixture[str]):
    out, err = printed(capsys, *BOTH)
    lines = out.splitlines()
    assert lines[0].startswith("GrAPES of GrAPES, points")
    assert lines[2].split() == ["category", "n", "one", "b-grapes.txt"]
    (line,) = (line for line in lines if line.startswith("    Pragmatic coreference (testset)"))
    assert "100.0 [34.2, 100.0]" in line
    assert "left out: Word ambiguities (handcrafted): its 47 graphs" in out and "†: differs from one" in out
    assert not err


def test_forms(place: Path, capsys: pytest.CaptureFixture[str]):
    record = json.loads(printed(capsys, *BOTH, "--json")[0])
    assert [system["name"] for system in record["systems"]] == ["one", "b-grapes.txt"]
    rows = {each["name"]: {(row["category"], row["metric"]): row for row in each["rows"]} for each in record["systems"]}
    row = rows["one"]["cp_recursion", "Exact Match"]
    assert row["items"].count("1") == row["successes"] and row["sizes"]["1"] == [1, 2]
    assert {left["category"] for left in record["systems"][0]["left_out"]} == {
        "word_ambiguities_handcrafted",
        "unbounded_dependencies",
    }
    assert len(record["comparisons"]) == 35
    latex = printed(capsys, *BOTH, "--latex")[0]
    assert "\\quad Prerequisites & 2 &" in latex and latex.count("\\end{tabular}") == 1
    assert "\nleft out: Unbounded dependencies" in latex
    markdown = printed(capsys, *BOTH, "--markdown")[0]
    assert "| category | n | one | b-grapes.txt |" in markdown and "- left out: Unbounded dependencies" in markdown
    header, *lines = printed(capsys, *BOTH, "--tsv")[0].splitlines()
    assert header.startswith("system\tset\tcategory\tmetric\tscore\tlow\thigh")
    assert sum("\tleft out: " in line for line in lines) == 4
    assert {line.count("\t") for line in lines} == {header.count("\t")}


def test_files(place: Path, capsys: pytest.CaptureFixture[str]):
    out, _ = printed(capsys, *BOTH, "--per-item", "items.tsv", "--write", "csv", "--smatch", "--category", "passives")
    header, *lines = Path("items.tsv").read_text(encoding="utf-8").splitlines()
    assert header.split("\t") == ["system", "category", "metric", "item", "id", "target", "found"]
    assert lines[0].split("\t") == [
        *("one", "passives", "Edge Recall", "0", "MINI_0009.2", "evacuate-01 :ARG1 person", "0")
    ]
    assert "Smatch" in out
    assert sorted(path.name for path in Path("csv").iterdir()) == [
        f"{name}{kind}.csv" for name in ("b-grapes.txt", "one") for kind in ("", "_averages", "_by_size")
    ]
