"""The verb ``docamr``, in its own process."""

import json
import shutil
from pathlib import Path

import pytest

import fastmatch as fm

from support.command_line import run

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
    from fastmatch.cli import main

    monkeypatch.chdir(folder)
    assert main(["docamr", "gold.amr", "--flipped", "--preset", "tool"]) == 0
    out, err = capsys.readouterr()
    assert err == (
        "fastmatch: warning: gold.amr: nodes that the root does not reach were left out, as docAMR does (graph 0)\n"
    )
    assert len(fm.parse(out)) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gold.amr", "--no-coref"), "--no-coref needs --coref"),
        (("gold.amr", "--coref-root", "x"), "--coref-root needs --coref"),
        (("-", "--coref", "-"), "'-' (standard input) can stand for one of the two files, not for both"),
        (("gold.amr", "--rep", "docamr"), "expected one of unmerged, no-merge, merge-names, doc-amr, merge-all, found"),
        (("gold.amr", "-o", "gold.amr"), "gold.amr"),
        (("sentences.amr", "--coref", "gold.amr"), "gold.amr:3:1: '(d' before any document; expected 'document ID'"),
        (("sentences.amr", "--coref", "missing.xml"), "missing.xml: No such file"),
        (("gold.amr", "--coref", "harbour.xml"), "harbour.xml:2:1: document 'harbour': sentence 'harbour.1' is not"),
        (("harbour.xml",), "harbour.xml:"),
    ],
)
def test_errors_are_one_line_and_nothing_is_written(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    output = () if "-o" in arguments else ("-o", "out.amr")
    done = run("docamr", *arguments, *output, cwd=folder, status=2)
    assert message in done.stderr
    assert done.stderr.startswith("fastmatch") and done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
