"""What ends badly on the command line: no memory, unreadable input, interruptions. Bad usage is in test_refused.py."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import Mock

import pytest

import fastmatch as fm

from support.command_line import fastmatch, refused, run
from support.hostile import graph_text
from support.nightly import by_day

# ---- memory ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("message", "says"), [("pair 0 is too large", ": pair 0 is too large"), ("", "")])
def test_no_memory_left_is_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch, message: str, says: str) -> None:
    """Not a traceback with the exit status 1, which is that of --fail-under."""
    monkeypatch.setattr("fastmatch.evaluation.scoring.score_corpora", Mock(side_effect=MemoryError(message)))
    assert refused("score", "pred.amr", "gold.amr", cwd=folder) == f"fastmatch: not enough memory{says}\n"


# ---- exit status -----------------------------------------------------------------------------------------------------


def test_two_wrong_files_pass_nothing(tmp_path: Path) -> None:
    """All graphs of both are empty, and so equal."""
    (tmp_path / "wrong.txt").write_text("no graph here\n\nnor here\n", encoding="utf-8")
    files = ("wrong.txt", "wrong.txt", "--on-error", "empty")
    done = run("score", *files, "--fail-under", "50", cwd=tmp_path, status=1)
    assert "warning: 2 pairs of pred and gold cannot be read on either side (pair 0, 1)" in done.stderr
    assert done.stderr.endswith("fastmatch: there is no score, so it is below 50\n")
    (tmp_path / "half.amr").write_text("no graph here\n\n(a / b)\n", encoding="utf-8")
    half = ("half.amr", "half.amr", "--on-error", "empty")
    assert "on either side (pair 0)" in fastmatch("score", *half, "--fail-under", "50", cwd=tmp_path).stderr


def test_standardize_writes_nothing_before_all_graphs_are_checked(tmp_path: Path) -> None:
    (tmp_path / "in.amr").write_text('(c / cat)\n\n(a / x :q" y)\n\n(p / pack :consist-of (s / sheep))\n')
    command = ("standardize", "in.amr", "--dialect", "smatchpp", "--steps", "as-written")
    reason = "in.amr: graph 1: role ':q\"' cannot be written in Penman notation\n"
    done = run(*command, cwd=tmp_path, status=2)
    assert (done.stdout, done.stderr) == ("", f"fastmatch: {reason}")

    def spoken(on_error: str) -> tuple[str, str]:
        done = fastmatch(*command, "--on-error", on_error, cwd=tmp_path)
        assert done.returncode == 0
        return done.stdout, done.stderr

    pack = "(p / pack\n      :consist-of (s / sheep))\n"
    assert spoken("skip") == (f"(c / cat)\n\n{pack}", f"fastmatch: left out: {reason}")
    assert spoken("empty") == (f"(c / cat)\n\n()\n\n{pack}", f"fastmatch: an empty graph instead: {reason}")


# ---- interruption ----------------------------------------------------------------------------------------------------


def _hopeless(size: int, seed: int) -> str:
    """A random tree whose concepts and roles are all the same: minutes of search for an exact solver."""
    rng = random.Random(seed)
    return graph_text(["x"] * size, [(rng.randrange(node), " :ARG0 ", node) for node in range(1, size)])


def _cpu_seconds(process: subprocess.Popen[bytes]) -> float:
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs the CPU time of another process")
@pytest.mark.parametrize("workers", by_day(["2", "1"], 2))
def test_interrupt_while_scoring(tmp_path: Path, workers: str) -> None:
    for side, seed in (("pred", 0), ("gold", 100)):
        graphs = [_hopeless(250, seed + number) for number in range(40)]  # some 10 s of CPU time
        (tmp_path / f"{side}.amr").write_text("\n\n".join(graphs), encoding="utf-8")
    arguments = ["score", "pred.amr", "gold.amr", "--per-pair", "out.tsv", "--workers", workers]
    command = [sys.executable, "-m", "fastmatch", *arguments]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # everything before the kernels costs a fraction of a second of CPU, however long that takes on a busy machine
    while process.poll() is None and _cpu_seconds(process) < 1.5:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=600)
    assert process.returncode == 130
    assert out == b""
    assert err == b"fastmatch: interrupted\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gold.amr", "pred.amr"]


def test_an_internal_error_keeps_its_traceback(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from fastmatch.cli import main

    monkeypatch.setattr(fm.CorpusScore, "report", Mock(side_effect=ZeroDivisionError("a bug")))
    with pytest.raises(ZeroDivisionError, match="a bug"):
        main(["score", str(folder / "pred.amr"), str(folder / "gold.amr")])


# ---- encodings -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["ascii:strict", "cp1252:strict"])
def test_output_holds_every_text(tmp_path: Path, encoding: str) -> None:
    """Locales without UTF-8, Windows, names of files and texts of JSON that are no Unicode."""
    (tmp_path / "graph.amr").write_text("(c / caf\u00e9 :mod (i / \u732b))\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": encoding}

    def out(*arguments: str) -> bytes:
        command = [sys.executable, "-m", "fastmatch", *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b""), done.stderr
        return done.stdout

    made = out("standardize", "graph.amr", "--steps", "lower-case")
    assert made.decode() == "(c / caf\u00e9\n      :mod (i / \u732b))\n"
    half = {"pred": "(c / \ud800)", "gold": "(c / cat)"}
    (tmp_path / "half.jsonl").write_text(json.dumps(half), encoding="utf-8")
    found = out("align", "half.jsonl", "--pred-field", "pred", "--gold-field", "gold", "--json")
    assert "\ud800" in json.dumps(json.loads(found), ensure_ascii=False)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are Unicode there")
def test_a_name_of_a_file_that_is_no_text(folder: Path) -> None:
    name = os.fsdecode(b"\xff.amr")
    (folder / name).write_text("(c / cat)", encoding="utf-8")
    assert r"\udcff.amr" in run("agreement", name, name, cwd=folder).stdout


def test_a_saved_corpus_that_no_text_can_hold(tmp_path: Path) -> None:
    fm.parse(["(c / cat)", "(c / \ud800)"]).save(tmp_path / "half.fastmatch")
    for more in ((), ("--triples",), ("-o", "out.amr")):
        error = refused("standardize", "half.fastmatch", "--steps", "lower-case", *more, cwd=tmp_path)
        assert "graph 1: '\\ud800' is half of a surrogate pair, which UTF-8 cannot hold" in error
    skipping = ("--steps", "lower-case", "--on-error", "skip")
    assert fastmatch("standardize", "half.fastmatch", *skipping, cwd=tmp_path).stdout == "(c / cat)\n"


@pytest.mark.parametrize("command", [("standardize", "--steps", "reify"), ("docamr",)])
def test_writing_an_empty_file_anew_says_so(tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "empty.amr").write_text("\n")
    done = fastmatch(*command, "empty.amr", cwd=tmp_path)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "fastmatch: warning: empty.amr: no graphs\n")
