"""Chinese AMR on the command line: tables with lengths, texts, and what is said of files that are something else."""

import json
import shutil
from pathlib import Path

import pytest

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
    texts = ("text.txt", "text.txt", *METRIC, "--dialect", "camr")
    assert json.loads(printed(capsys, "score", *texts, "--json").out)["micro"]["f1"] == 1
    assert "x3 :coref x1" in printed(capsys, "align", *texts, "--index", "2").out


def test_graphs_that_the_program_would_lose(capsys: pytest.CaptureFixture[str]) -> None:
    """The last one without an empty line, others in another order, missing ones."""
    heading, *blocks = Path("gold.txt").read_text(encoding="utf-8").strip().split("\n\n")
    other, fewer = [heading, blocks[1], blocks[0], *blocks[2:]], [heading, *blocks[:4], *blocks[5:]]
    for texts, more in (
        ([heading, *blocks], ()),
        (other, ("--pair-by", "id")),
        (fewer, ("--pair-by", "id", "--unpaired", "empty")),
    ):
        Path("other.txt").write_text("\n\n".join(texts), encoding="utf-8")
        found = json.loads(printed(capsys, "score", "other.txt", "gold.txt", *METRIC, *LENGTHS, *more, "--json")[0])
        assert (found["n_pairs"], found["micro"]["precision"]) == (16, 1)
    assert printed(capsys, "score", "other.txt", "gold.txt", *METRIC, *LENGTHS, status=2).out == ""
