"""The verb ``docamr``, in its own process."""

import json
import shutil
from pathlib import Path

import pytest

import fastmatch as fm

from support.command_line import printed, run

RECORDED = Path(__file__).parents[1] / "data" / "recorded" / "documents"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(RECORDED, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_documents_of_sentences(folder: Path) -> None:
    expected = fm.documents.join(fm.read(folder / "sentences.amr"), folder / "both.txt", "merge-names", flipped=True)
    command = ("docamr", "sentences.amr", "--coref", "both.fof", "--rep", "merge-names", "--flipped")
    assert list(fm.parse(run(*command, cwd=folder).stdout)) == list(expected)
    run(*command, "-o", "made.fastmatch", cwd=folder)
    assert list(fm.Corpus.load(folder / "made.fastmatch")) == list(expected)


def test_another_representation_is_read_by_every_metric(folder: Path) -> None:
    for side in ("pred", "gold"):
        run("docamr", f"{side}.amr", "-o", f"{side}2.amr", cwd=folder)
    done = run("score", "pred2.amr", "gold2.amr", "--metric", "docsmatch", "--metric", "smatch", "--json", cwd=folder)
    for record in json.loads(done.stdout):
        assert record["n_certified"] == record["n_pairs"] > 0


def test_what_the_program_loses_is_a_warning(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:

    monkeypatch.chdir(folder)
    out, err = printed(capsys, "docamr", "gold.amr", "--flipped", "--preset", "tool")
    assert err == (
        "fastmatch: warning: gold.amr: nodes that the root does not reach were left out, as docAMR does (graph 0)\n"
    )
    assert len(fm.parse(out)) == 2
