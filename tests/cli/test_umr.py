"""Documents: the verb ``score`` of UMR's, and ``docamr``."""

import json
import shutil
from pathlib import Path

import pytest

import fastmatch as fm

from support.command_line import fastmatch, printed, run, table

JUMATCH = ("--metric", "jumatch")


def scored(*arguments, status=0):
    done = fastmatch("score", *arguments, cwd=Path())
    assert done.returncode == status, done.stderr
    return done


@pytest.fixture
def recorded_umr(own_data: Path) -> tuple[Path, Path]:
    """Prediction and gold; a graph of the prediction has a bracket too many."""
    return own_data / "recorded" / "umr" / "pred.umr", own_data / "recorded" / "umr" / "gold.umr"


@pytest.mark.slow
def test_table_and_json(own_data: Path):
    paths = own_data / "umr-pred.umr", own_data / "umr-gold.umr"
    expected = fm.umr.score(*paths, sense=0.5)
    done = scored(*map(str, paths), "--ancast-sense", "0.5")
    assert f"comprehensive{100 * expected.score:28.2f}".split()[-1] in done.stdout
    assert str(expected.signature) in done.stdout
    assert json.loads(scored(*map(str, paths), "--ancast-sense", "0.5", "--json").stdout)["scores"] == expected.scores
    assert scored(*map(str, paths), "--preset", "tool").stdout != done.stdout


@pytest.mark.slow
def test_errors_are_one_line(own_data: Path, tmp_path: Path):
    broken = tmp_path / "broken.umr"
    text = (own_data / "umr-gold.umr").read_text(encoding="utf-8")
    broken.write_text(text.replace("performance)", "performance", 1), encoding="utf-8")
    done = scored(str(broken), str(own_data / "umr-gold.umr"), status=2)
    assert done.stderr.count("\n") == 1
    assert "broken.umr:9:24: sentence 1: the text ends, but the graph of line 4 is not closed" in done.stderr
    done = scored(str(broken), str(own_data / "umr-gold.umr"), "--on-error", "empty")
    assert done.stderr.startswith("fastmatch: not wholly read: ") and "broken.umr:9:24: sentence 1:" in done.stderr
    assert "sentences that could not be read: 1, left out: 0\n" in done.stdout
    done = scored(str(broken), str(own_data / "umr-gold.umr"), "--on-error", "repair")
    assert "broken.umr:9:24: sentence 1: mended: " in done.stderr
    done = scored(str(broken), str(own_data / "umr-gold.umr"), "--preset", "tool")
    assert done.stderr.startswith("fastmatch: left out:")
    assert scored(str(broken), str(own_data / "umr-gold.umr"), "--preset", "tool", "--quiet").stderr == ""


@pytest.mark.slow
def test_folders_tables_and_sentences(own_data: Path, tmp_path: Path):
    for side in ("pred", "gold"):
        (tmp_path / side).mkdir()
        for name in "ab":
            shutil.copy(own_data / f"umr-{side}.umr", tmp_path / side / f"{name}.umr")
    folders = str(tmp_path / "pred"), str(tmp_path / "gold")
    out = scored(*folders).stdout
    assert out.startswith("means of 2 documents\n") and f"{folders[0]}/b.umr" in out
    expected = fm.umr.score(own_data / "umr-pred.umr", own_data / "umr-gold.umr")
    rows = table(scored(*folders, "--tsv").stdout)
    assert [float(row["comp"]) for row in rows] == [expected.score] * 2 and rows[1]["gold"] == f"{folders[1]}/b.umr"
    out = scored(*folders, "--per-pair", "-").stdout
    assert out.startswith("document\tsentence\tscore\tconcept_f\t")
    assert [line.split("\t")[1] for line in out.splitlines()[1:]] == ["1", "2", "3"] * 2
    target = tmp_path / "sentences.tsv"
    scored(*folders, "--per-pair", str(target), "--quiet")
    assert target.read_text(encoding="utf-8") == out
    assert scored(*folders, "--per-pair", "-", "--json", status=2).stderr.count("\n") == 1


def test_different_sentences_are_pointed_out(own_data: Path, tmp_path: Path):
    other = tmp_path / "other.umr"
    text = (own_data / "umr-gold.umr").read_text(encoding="utf-8")
    other.write_text(text.replace("farmer saw", "farmer shot"), encoding="utf-8")
    done = scored(str(own_data / "umr-gold.umr"), str(other))
    assert "warning: 1 sentence differs in its text (1); do the documents belong together?\n" in done.stderr
    assert scored(str(own_data / "umr-gold.umr"), str(other), "--quiet").stderr == ""


@pytest.mark.slow
def test_jumatch(recorded_umr: tuple[Path, Path], tmp_path: Path):
    pred, gold = map(str, recorded_umr)
    expected = fm.umr.score(*recorded_umr, metric="jumatch", on_error="empty", only="concept,ARG0", bootstrap=50)
    arguments = (pred, gold, *JUMATCH, "--on-error", "empty", "--only", "concept,ARG0", "--bootstrap", "50")
    done = scored(*arguments)
    assert f"{100 * expected.f1:.2f}" in done.stdout and str(expected.signature) in done.stdout
    assert "95 % interval" in done.stdout and done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"fastmatch: not wholly read: {pred}:118:19: sentence 4:")
    record = json.loads(scored(*arguments, "--json").stdout)
    assert record["scores"] == expected.scores
    assert record["roles"] == {role: counts._asdict() for role, counts in expected.roles.items()}
    assert record["intervals"]["f1"] == list(expected.intervals["f1"])
    assert record["counts"] == expected.counts == {name: record["documents"][0][name] for name in expected.counts}
    tool = (pred, gold, *JUMATCH, "--preset", "tool")
    out = scored(*tool, "--per-role", "-", "--per-pair", str(tmp_path / "s"))
    roles = [line.split("\t") for line in out.stdout.splitlines()]
    assert roles[0] == ["role", "matched", "n_pred", "n_gold", "precision", "recall", "f1"]
    assert ["ARG2", "1", "1", "1", "1.0", "1.0", "1.0"] in roles
    sentences = (tmp_path / "s").read_text(encoding="utf-8").splitlines()
    assert sentences[0].startswith("document\tsentence\tscore\tprecision\trecall\t")
    assert [line.split("\t")[1] for line in sentences[1:]] == ["1", "2", "3", "4", "5"]
    assert "what stands before that is compared" in out.stderr
    (row,) = table(scored(*tool, "--tsv", "--quiet").stdout)
    assert row["f1"] == repr(fm.umr.score(*recorded_umr, metric="jumatch", preset="tool").f1)


def test_documents_are_known_by_what_they_hold(own_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Not by their names; other files that are called so are graphs. What can be read once only is not looked into."""
    import gzip
    import os
    import threading

    from fastmatch.cli import main

    text = (own_data / "umr-gold.umr").read_bytes()
    folder, graphs = tmp_path / "documents", tmp_path / "graphs.umr"
    folder.mkdir()
    (tmp_path / "a.txt").write_bytes(text)
    (tmp_path / "a.gz").write_bytes(gzip.compress(text))
    (folder / "a.txt").write_bytes(text)
    graphs.write_text("(a / cat)\n", encoding="utf-8")
    for name in ("a.txt", "a.gz", "documents"):
        assert "temporal relations" in printed(capsys, "score", *[str(tmp_path / name)] * 2)[0]
    assert printed(capsys, "score", str(graphs), str(graphs))[0].startswith("smatch: 1 pair\n")
    (tmp_path / "broken.gz").write_bytes(gzip.compress(text)[:2] + b"no gzip")
    assert printed(capsys, "score", *[str(tmp_path / "broken.gz")] * 2, status=2)[1].count("\n") == 1
    if hasattr(os, "mkfifo"):
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_text, args=("(a / cat)\n\n(b / dog)\n",))
        writer.start()
        (tmp_path / "two.amr").write_text("(a / cat)\n\n(b / dog)\n", encoding="utf-8")
        assert main(["score", str(pipe), str(tmp_path / "two.amr")]) == 0
        writer.join()
        assert capsys.readouterr().out.startswith("smatch: 2 pairs\n")


# ---- the verb docamr -------------------------------------------------------------------------------------------------


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
