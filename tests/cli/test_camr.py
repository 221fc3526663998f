"""Chinese AMR on the command line: tables with lengths, texts, and what is said of files that are something else."""

import json
import shutil
from pathlib import Path

import pytest

from fastmatch.cli import main

from support.command_line import printed

METRIC = ["--metric", "align-smatch"]
LENGTHS = ["--lengths", "lengths.txt"]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, own_data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("pred", "gold", "lengths", "text"):
        shutil.copy(own_data / "recorded" / f"camr-{name}.txt", tmp_path / f"{name}.txt")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_tables(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = printed(capsys, "score", "pred.txt", "gold.txt", *METRIC, *LENGTHS, "--json", "--per-pair", "pairs.tsv")
    assert err == (
        "fastmatch: warning: pred.txt: left out 1 co-reference to nodes that do not exist (the first on line 93, to "
        "'x9')\n"
    )
    found = json.loads(out)
    assert (found["n_pairs"], found["n_certified"]) == (16, 16)
    rows = [line.split("\t") for line in Path("pairs.tsv").read_text(encoding="utf-8").splitlines()]
    assert [row[1] for row in rows[1:]] == [str(k) for k in range(1, 17)]
    assert printed(capsys, "score", "pred.txt", "gold.txt", *METRIC, *LENGTHS, "--preset", "tool", "--quiet")[1] == ""


def test_texts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "text.txt", "text.txt", *METRIC, "--dialect", "camr", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["micro"]["f1"] == 1
    assert main(["align", "text.txt", "text.txt", *METRIC, "--dialect", "camr", "--index", "2"]) == 0
    assert "x3 :coref x1" in capsys.readouterr().out


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The one line that says what is wrong."""
    out, err = printed(capsys, *arguments, status=2)
    assert out == ""
    lines = [line for line in err.splitlines() if not line.startswith("fastmatch: warning: ")]
    assert len(lines) == 1
    return lines[0].removeprefix("fastmatch: ")


def test_graphs_that_the_program_would_lose(capsys: pytest.CaptureFixture[str]) -> None:
    """The last one without an empty line, others in another order, missing ones, a length that is missing."""
    gold = Path("gold.txt").read_text(encoding="utf-8").strip()
    Path("last.txt").write_text(gold, encoding="utf-8")
    assert json.loads(printed(capsys, "score", "last.txt", "gold.txt", *METRIC, *LENGTHS, "--json")[0])["n_pairs"] == 16
    heading, *blocks = gold.split("\n\n")
    Path("other.txt").write_text("\n\n".join([heading, blocks[1], blocks[0], *blocks[2:]]), encoding="utf-8")
    command = ["score", "other.txt", "gold.txt", *METRIC, *LENGTHS]
    assert refused(command, capsys) == (
        "score: pred has sentence '2' where gold has '1' (pair 0; 2 pairs in all); --pair-by 'id' pairs equal ids"
    )
    assert json.loads(printed(capsys, *command, "--pair-by", "id", "--json")[0])["micro"]["f1"] == 1
    Path("fewer.txt").write_text("\n\n".join([heading, *blocks[:4], *blocks[5:]]), encoding="utf-8")
    command = ["score", "fewer.txt", "gold.txt", *METRIC, *LENGTHS]
    assert refused(command, capsys).startswith("score: 15 predictions but 16 gold graphs; not in pred: 1 id ('5')")
    found = json.loads(printed(capsys, *command, "--pair-by", "id", "--unpaired", "empty", "--json")[0])
    assert (found["n_pairs"], found["micro"]["precision"]) == (16, 1)
    Path("lengths.txt").write_text("1\t7\n", encoding="utf-8")
    assert refused(["score", "gold.txt", "gold.txt", *METRIC, *LENGTHS], capsys).startswith(
        "gold.txt:11:1: sentence '2' has no length"
    )
