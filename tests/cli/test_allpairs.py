"""``fastmatch matrix`` and ``fastmatch search``: most runs in this process."""

import errno
import io
import json
import os
import re
import shlex
import shutil
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.allpairs import setting
from fastmatch.cli import main

from support import toy_metric  # noqa: F401 - registers itself
from support.command_line import printed


@pytest.fixture
def corpora(few: Path) -> tuple[fm.Corpus, fm.Corpus]:
    pred = fm.read("pred.amr")
    return pred, fm.read("gold.amr", vocabulary=pred.vocabulary)


def run(capsys: pytest.CaptureFixture[str], line: str, status: int = 0) -> str:
    """Standard output of a run; of a refused one the line on standard error."""
    out, err = printed(capsys, *shlex.split(line), status=status)
    assert status == 2 or not err
    return err if status == 2 else out


def test_a_matrix_is_not_mapped(few, capsys, monkeypatch):
    """Under a limit of address space a map of 14 GB would fail after all the work."""
    with monkeypatch.context() as patch:
        patch.setattr(np, "load", lambda *given, **more: pytest.fail("mapped"))
        run(capsys, "matrix pred.amr --metric toy -o m.npy")
    assert np.load("m.npy").tolist() == fm.cdist(fm.read("pred.amr"), metric="toy").tolist()


@pytest.mark.parametrize("line", ["matrix gold.amr -k 2", "search pred.amr gold.amr -k 2"])
def test_a_table_of_neighbours_is_not_read_again(line, few, capsys, monkeypatch):
    """It takes seconds, of a million queries."""
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    monkeypatch.setattr(fm.TopK, "read", lambda path: pytest.fail("read"))
    assert run(capsys, f"{line} --metric toy -o t.parquet") == "t.parquet: 12 x 12 graphs compared\n"


def test_matrix_of_one_corpus_with_a_cutoff(corpora, capsys):
    run(capsys, "matrix gold.amr --metric toy --toy-counting set -o m.npy --cutoff 20 --dtype float64 --workers 2")
    wanted = fm.cdist(corpora[1], metric="toy", counting="set", score_cutoff=0.2, dtype=float)
    assert np.load("m.npy").tolist() == wanted.tolist()


@pytest.mark.slow
def test_tables(corpora, capsys):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    wanted = fm.top_k(corpora[1], k=3, metric="toy").indices.tolist()
    for flag in ("--top 3", "-k 3"):
        run(capsys, f"matrix gold.amr --metric toy -o t.parquet {flag}")
        assert fm.TopK.read("t.parquet").indices.tolist() == wanted
    run(capsys, "matrix pred.amr gold.amr --metric toy -o p.parquet --cutoff 30")
    scores = fm.cdist(*corpora, metric="toy", score_cutoff=0.3, dtype=float)
    assert parquet.read_table("p.parquet")["score"].to_pylist() == scores[scores > 0].tolist()


def test_search(corpora, capsys):
    found = fm.top_k(*corpora, k=2, metric="toy")
    line = "search pred.amr gold.amr --metric toy -k 2"
    assert json.loads(run(capsys, f"{line} --json")) == found.to_dict()
    lines = [json.loads(each) for each in run(capsys, f"{line} --jsonl").splitlines()]
    assert lines == [{**query, "signature": found.signature} for query in found.to_dict()["queries"]]
    header, *rows = run(capsys, f"{line} --tsv").splitlines()
    assert header == "query\tquery_id\trank\tindex\tid\tscore"
    assert len(rows) == 2 * len(corpora[0]) and rows[1].split("\t")[2:4] == ["1", str(found.indices[0, 1])]
    assert float(rows[1].split("\t")[5]) == found.scores[0, 1]
    text = run(capsys, f"{line} --cutoff 100")
    assert text.splitlines()[0].split() == ["query", "match", "index", "score"]
    assert text.endswith(f"\nsignature: {found.signature}\n")


def test_search_with_sentences(corpora, capsys):
    found = fm.top_k(*corpora, k=2, metric="toy")
    line = "search pred.amr gold.amr --metric toy -k 2 --sentences"
    sentences = [[graph.metadata["snt"] for graph in corpus] for corpus in corpora]
    queries = json.loads(run(capsys, f"{line} --json"))["queries"]
    assert [query["sentence"] for query in queries] == sentences[0]
    wanted = [[sentences[1][place] for place in row] for row in found.indices.tolist()]
    assert [[match["sentence"] for match in query["matches"]] for query in queries] == wanted
    assert [json.loads(each)["sentence"] for each in run(capsys, f"{line} --jsonl").splitlines()] == sentences[0]
    header, *rows = [each.split("\t") for each in run(capsys, f"{line} --tsv").splitlines()]
    assert header[-2:] == ["query_sentence", "sentence"]
    assert [row[-2:] for row in rows[:2]] == [[sentences[0][0], wanted[0][0]], [sentences[0][0], wanted[0][1]]]
    text = run(capsys, line).splitlines()
    assert text[0].split() == ["query", "match", "index", "score", "sentence"] and text[1].endswith(sentences[0][0])
    assert text[2].endswith(wanted[0][0])
    Path("other.amr").write_text("(z / zebra)", encoding="utf-8")
    assert "none" in run(capsys, "search pred.amr other.amr --metric toy --sentences --cutoff 100").split()


def test_search_in_itself(corpora, capsys):
    record = json.loads(run(capsys, "search gold.amr --metric toy -k 2 --json"))
    assert record["queries"] == fm.top_k(corpora[1], k=2, metric="toy").to_dict()["queries"]
    Path("bad.amr").write_text("(a / cat)\n\n(b / dog\n", encoding="utf-8")
    error = printed(capsys, "search", "bad.amr", "--metric", "toy", "--on-error", "empty", "-k", "1")[1]
    assert re.fullmatch(r"fastmatch: graph 1 is unreadable and counts as empty: bad\.amr:3.*\n", error)


def test_search_to_a_file(corpora, capsys):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    line = "search pred.amr gold.amr --metric toy -k 2 -o found.parquet --score-cutoff 20"
    assert run(capsys, line) == "found.parquet: 12 x 12 graphs compared\n"
    wanted = fm.top_k(*corpora, k=2, metric="toy", score_cutoff=0.2)
    assert fm.TopK.read("found.parquet").indices.tolist() == wanted.indices.tolist()
    run(capsys, f"{line} --resume")


def test_standard_input(corpora, capsys, monkeypatch):
    for line in ("matrix - gold.amr", "matrix pred.amr -"):
        name = "gold.amr" if line.endswith("-") else "pred.amr"
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(Path(name).read_bytes())))
        assert run(capsys, f"{line} --metric toy -o m.npy") == "m.npy: 12 x 12 graphs compared\n"
        assert np.load("m.npy").tolist() == fm.cdist(*corpora, metric="toy").tolist()


def test_a_disk_that_is_too_small(few, capsys, monkeypatch):
    """Said before, and said when it happens; then there is something to go on with."""
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10**9, 10**9, 0))
    assert main(shlex.split("matrix pred.amr --metric toy -o m.npy")) == 0
    assert capsys.readouterr().err == ("fastmatch: warning: m.npy will take 576 bytes; 0 bytes are free there\n")
    assert printed(capsys, *shlex.split("matrix pred.amr --metric toy -o m.npy --quiet"))[1] == ""
    monkeypatch.setattr("fastmatch.cli.matrix._SMALL", 500)
    Path("m.npy").unlink()
    assert printed(capsys, *shlex.split("matrix pred.amr --metric toy -o m.npy --quiet"), status=2)[1] == (
        "fastmatch: m.npy will take 576 bytes; 0 bytes are free there; --top K or --cutoff, with a name that ends in "
        ".parquet, keeps the best pairs only\n"
    )
    monkeypatch.setattr("fastmatch.cli.matrix._SMALL", 1000)
    full = Mock(side_effect=OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    for name in ("n.npy", "n.parquet"):
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            assert main(shlex.split(f"matrix pred.amr --metric toy -o {name} --quiet")) == 2
        error = capsys.readouterr().err
        assert re.fullmatch(
            rf"fastmatch: \S*{name}\S*: No space left on device; make room and go on with --resume\n", error
        )
        run(capsys, f"matrix pred.amr --metric toy -o {name} --quiet --resume")


def test_an_option_called_k(corpora, capsys):
    text = run(capsys, "search pred.amr gold.amr --metric sembleu --sembleu-k 1 -k 2 --json")
    assert json.loads(text)["signature"].startswith("sembleu|k:1|")
    assert len(json.loads(text)["queries"][0]["matches"]) == 2


def test_unfinished_work_is_resumed(corpora, capsys, monkeypatch):
    monkeypatch.setattr(setting, "BLOCK_BYTES", 1)
    finish, count = setting.Journal.finish, [0]

    def interrupted(self, *block):
        finish(self, *block)
        count[0] += 1
        if count[0] == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(setting.Journal, "finish", interrupted)
    line = "matrix pred.amr gold.amr --metric toy -o m.npy"
    assert main(shlex.split(line)) == 130
    assert capsys.readouterr().err == ("fastmatch: interrupted; go on with --resume (what is done is in m.npy.part)\n")
    assert not Path("m.npy").exists()
    assert run(capsys, line, status=2) == (
        f"fastmatch: m.npy.part is unfinished (3 of {len(corpora[0])} blocks are done): resume it (--resume), or "
        "remove it to begin anew\n"
    )
    run(capsys, f"{line} --resume")
    assert np.load("m.npy").tolist() == fm.cdist(*corpora, metric="toy").tolist()


NEAR = """# ::id one
(a / cat :mod (b / big) :ARG0-of (c / see-01))

# ::id two
# ::snt A dog .
(d / dog)

# ::id three
(x / cat :mod (y / big)
   :ARG0-of (z / see-01))

# ::id four\t!
(a / cat :mod (b / big) :ARG0-of (c / see-02))
"""


def test_groups_and_unique(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("a.amr").write_text(NEAR, encoding="utf-8")
    out = run(capsys, "matrix a.amr --metric smatch --cutoff 80 --groups g.tsv --unique u.amr --workers 2")
    assert out == "g.tsv: 4 graphs in 2 groups\nu.amr: 2 of 4 graphs\n"
    assert Path("g.tsv").read_text(encoding="utf-8") == (
        "group\tsize\trepresentative\tindex\tid\n"
        "0\t3\t1\t0\tone\n0\t3\t0\t2\tthree\n0\t3\t0\t3\tfour !\n1\t1\t1\t1\ttwo\n"
    )
    assert Path("u.amr").read_text(encoding="utf-8") == NEAR.partition("# ::id three")[0]
    run(capsys, "matrix a.amr --metric smatch --groups g.tsv -o m.npy")  # 90 by default, and a matrix besides
    assert len(Path("g.tsv").read_text(encoding="utf-8").splitlines()) == 5
    assert np.load("m.npy").shape == (4, 4)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(NEAR.encode())))
    assert run(capsys, "matrix - --metric smatch --unique u.amr") == "u.amr: 3 of 4 graphs\n"


def test_a_broken_graph_is_no_duplicate(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("a.amr").write_text("(a / cat\n\n(b / cow\n\n(c / cat)\n\n(d / cat)\n", encoding="utf-8")
    run(capsys, "matrix a.amr --unique u.amr --on-error empty --quiet")
    assert Path("u.amr").read_text(encoding="utf-8") == "(a / cat\n\n(b / cow\n\n(c / cat)\n\n"
