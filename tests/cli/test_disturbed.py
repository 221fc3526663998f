"""What disturbs a run from outside: Ctrl-C, kill -9, a full disk, a home that cannot be written to, a closed pipe.

Every verb that writes is held to the same: the exit status says what happened, one line on standard error says why, and
a file is whole, as it was before, or not there.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import fastmatch

from support.command_line import fastmatch as fastmatch_here
from support.command_line import needs_limits, needs_signals, small_files, verbs_of
from support.nightly import NIGHT, by_day
from support.places import DATA, SAMPLE

PAIR = ("pred.amr", "gold.amr")
OVERLAP = ("--steps", "1", "--quiet")

#: Verb and its file → arguments. The file stands last, and is much larger than a kilobyte.
FILES = {
    "score": ("score", *PAIR, "--per-pair", "out.tsv"),
    "score --certificate": ("score", *PAIR, "--certificate", "out.jsonl"),
    "align": ("align", *PAIR, "--page", "out.html"),
    "matrix": ("matrix", "pred.amr", "--metric", "wlk", "--quiet", "-o", "out.npy"),
    "matrix.parquet": ("matrix", "pred.amr", "--metric", "wlk", "--quiet", "-o", "out.parquet"),
    "search": ("search", *PAIR, "--metric", "wlk", "-k", "9", "--quiet", "-o", "out.parquet"),
    "standardize": ("standardize", "gold.amr", "--steps", "smatch++", "-o", "out.amr"),
    "standardize.fastmatch": ("standardize", "gold.amr", "--steps", "smatch++", "-o", "out.fastmatch"),
    "docamr": ("docamr", "documents.amr", "-o", "out.amr"),
    "documents": ("score", "pred.umr", "gold.umr", "--per-pair", "out.tsv"),
    "train-softoverlap": ("train", "softoverlap", *OVERLAP, "--train", *PAIR, "scores.txt", "-o", "out.tsv"),
    "train-wwlk": ("train", "wwlk", *PAIR, "scores.txt", "--looks", "1", "--every", "1", "--quiet", "-o", "out.tsv"),
}
#: What such a run may leave beside its file: what it can go on with.
LEFT = {"out.npy.part", "out.parquet.part", "out.npy.journal", "out.parquet.journal"}
#: Verbs that print → arguments.
PRINTS = {
    "demo": ("demo",),
    "metrics": ("metrics",),
    "score": ("score", *PAIR),
    "score --json": ("score", *PAIR, "--json"),
    "align": ("align", *PAIR, "--index", "3"),
    "check": ("check", "certificates.jsonl", "--summary"),
    "compare": ("compare", "pred.amr", "pred.amr", "gold.amr"),
    "agreement": ("agreement", *PAIR, "pred.amr", "--metric", "sembleu"),
    "ensemble": ("ensemble", *PAIR, "pred.amr", "-o", "-"),
    "search": ("search", *PAIR, "--metric", "wlk"),
    "standardize": ("standardize", "gold.amr", "--steps", "smatch++"),
    "docamr": ("docamr", "documents.amr", "--rep", "merge-all"),
    "documents": ("score", "pred.umr", "gold.umr"),
    "judgements": ("bench", "judgements", *PAIR, "scores.txt", "--metric", "wlk", "--quiet"),
    "rare": ("bench", "rare", "gold.amr", "--metric", "wlk", "--quiet"),
    "principles": ("bench", "principles", *PAIR, "--metric", "wlk", "--quiet"),
    "study optima": ("bench", "optima", *PAIR, "--runs", "2"),
    "study impact --tsv": ("bench", "impact", "gold.amr", "--tsv"),
    "fastmatch-smatch": ("-f", *PAIR, "--quiet"),
}
#: Programs besides ``fastmatch``, with their modules.
PROGRAMS = {"fastmatch-smatch": "fastmatch.compat.command"}


def test_every_verb_is_disturbed() -> None:
    """All but BAMBOO and GrAPES, whose data are not here; what reads no graphs cannot wait for them."""
    verbs = set(verbs_of(run("--help", cwd=Path())[1]))
    assert {"score", "bench rare"} <= verbs

    def named(runs: dict[str, tuple[str, ...]]) -> set[str]:
        return {verb for verb in verbs for run in runs.values() if run[: len(verb.split())] == tuple(verb.split())}

    elsewhere = {"bench bamboo", "bench grapes"}
    studies = {"bench ranking", "bench optima", "bench impact", "bench space"}
    assert verbs - studies == named({**FILES, **PRINTS}) - studies | elsewhere
    assert verbs - studies == named(WAITING) - studies | elsewhere | {"check", "demo", "metrics"}
    assert named(WAITING) & studies


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("disturbed")
    for side in ("pred", "gold"):
        shutil.copy(SAMPLE / f"sample-{side}.amr", folder / f"{side}.amr")
        shutil.copy(DATA / f"umr-{side}.umr", folder / f"{side}.umr")
    graphs = (folder / "gold.amr").read_text(encoding="utf-8").count("::id")
    fastmatch.certificate(folder / "pred.amr", folder / "gold.amr", out=folder / "certificates.jsonl")
    document = "(d / document :snt1 (a / boy) :snt2 (b / he :same-as a))\n\n"
    (folder / "documents.amr").write_text(100 * document, encoding="utf-8")
    (folder / "scores.txt").write_text("".join(f"{k % 5}\n" for k in range(graphs)), encoding="utf-8")
    return folder


@pytest.fixture
def folder(filled: Path, tmp_path: Path) -> Path:
    shutil.copytree(filled, tmp_path, dirs_exist_ok=True)
    return tmp_path


def start(*arguments: str, cwd: Path, program: str = "fastmatch", **options: object) -> subprocess.Popen[str]:
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options}
    command = [sys.executable, "-m", PROGRAMS.get(program, "fastmatch"), *arguments]
    return subprocess.Popen(command, cwd=cwd, **given)  # type: ignore[call-overload, no-any-return]


def run(*arguments: str, cwd: Path, **options: object) -> tuple[int, str, str]:
    """Exit status, standard output, standard error."""
    process = start(*arguments, cwd=cwd, **options)
    out, err = process.communicate(timeout=300)
    return process.returncode, out or "", err or ""


@needs_limits
@pytest.mark.parametrize("size", [0, 100])
@pytest.mark.parametrize("name", FILES)
def test_a_full_disk(folder: Path, name: str, size: int) -> None:
    arguments = FILES[name]
    if "parquet" in "".join(arguments):
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    before = {path.name for path in folder.iterdir()}
    target = folder / arguments[-1]
    target.write_bytes(b"old")
    with small_files(size):
        done = fastmatch_here(*arguments, cwd=folder)
    status, error = done.returncode, done.stderr
    assert status == 2, error
    assert error.startswith("fastmatch: ") and error.count("\n") == 1, error
    assert target.name in error and "large" in error, error
    assert target.read_bytes() == b"old"
    left = {path.name for path in folder.iterdir()} - before - {target.name}
    assert left <= LEFT, left


@needs_limits
@pytest.mark.parametrize("size", [0, 100, 300, 1500])
@pytest.mark.parametrize("name", ["matrix", "matrix.parquet", "search"])
def test_after_a_full_disk(folder: Path, name: str, size: int) -> None:
    """With more room the run goes on, wherever the disk was full: in the journal, in a block, in the whole table."""
    if name != "matrix":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    arguments, target = FILES[name], folder / FILES[name][-1]
    assert fastmatch_here(*arguments, cwd=folder).returncode == 0
    whole = target.read_bytes()
    target.unlink()
    with small_files(size):
        assert fastmatch_here(*arguments, cwd=folder).returncode == 2
    assert not target.exists()
    assert fastmatch_here(*arguments, "--resume", cwd=folder).returncode == 0
    assert target.read_bytes() == whole
    assert fastmatch_here(*arguments, "--resume", cwd=folder).returncode == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full there")
@pytest.mark.parametrize("name", by_day(list(PRINTS), 6))
def test_a_full_disk_behind_standard_output(folder: Path, name: str) -> None:
    with open("/dev/full", "w") as full:
        status, _, error = run(*PRINTS[name], cwd=folder, program=name, stdout=full)
    program = name if name in PROGRAMS else "fastmatch"
    assert (status, error) == (2, f"{program}: standard output: No space left on device\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full there")
def test_a_full_disk_behind_standard_error(folder: Path) -> None:
    """Bad input is 2, not what Python makes of an error that cannot be shown: 1 is that of --fail-under."""
    with open("/dev/full", "w") as full:
        assert run("score", "missing.amr", "gold.amr", cwd=folder, stderr=full)[0] == 2


@pytest.mark.skipif(os.name == "nt", reason="other permissions there")
@pytest.mark.parametrize("name", FILES)
def test_links_and_permissions_stay(folder: Path, name: str) -> None:
    """One rule for every file that is written: a link is followed, and the file there keeps its permissions."""
    arguments = FILES[name]
    if "parquet" in "".join(arguments):
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    (folder / "far").mkdir()
    link, real, fresh = folder / arguments[-1], folder / "far" / "real", folder / "far" / "fresh"
    real.write_bytes(b"old")
    real.chmod(0o640)
    for mask, target in ((0o077, real), (0o027, fresh)):
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        old = os.umask(mask)
        try:
            assert fastmatch_here(*arguments, cwd=folder).returncode == 0
        finally:
            os.umask(old)
        assert link.is_symlink()
        assert target.stat().st_mode & 0o777 == 0o640 and target.stat().st_size > 1000


@needs_signals
@pytest.mark.parametrize("name", by_day(list(PRINTS), 6))
def test_a_closed_pipe(folder: Path, name: str) -> None:
    """``| head -1``: no complaint, and the status that a shell reports for a program ended by SIGPIPE."""
    process = start(*PRINTS[name], cwd=folder, program=name)
    process.stdout.close()
    error = process.stderr.read()
    assert (process.wait(timeout=300), error) == (141, "")


@needs_signals
@pytest.mark.parametrize("stream", [0, 1, 2])
def test_a_closed_stream(folder: Path, stream: int) -> None:
    """``<&-``, ``>&-``, ``2>&-``: what is not there is not written to, and no file takes its place."""
    arguments = ("score", *PAIR, "--per-pair", "out.tsv")
    assert fastmatch_here(*arguments, cwd=folder).returncode == 0
    expected = (folder / "out.tsv").read_bytes()
    (folder / "out.tsv").unlink()
    status, out, error = run(*arguments, cwd=folder, preexec_fn=lambda: os.close(stream))
    assert (status, error) == (0, "")
    assert bool(out) == (stream != 1)
    assert (folder / "out.tsv").read_bytes() == expected
    if stream == 0:
        status, _, error = run("score", "-", "gold.amr", cwd=folder, preexec_fn=lambda: os.close(0))
        assert status == 2 and error.startswith("fastmatch: ") and error.count("\n") == 1


#: Verbs that read standard input, which never ends here.
WAITING = {
    "score": ("score", "-", "gold.amr", "--per-pair", "out"),
    "compare": ("compare", "-", "pred.amr", "gold.amr"),
    "agreement": ("agreement", "pred.amr", "-"),
    "ensemble": ("ensemble", "pred.amr", "-", "-o", "out"),
    "matrix": ("matrix", "-", "-o", "out.npy"),
    "search": ("search", "-", "gold.amr"),
    "standardize": ("standardize", "-", "--steps", "smatch++", "-o", "out"),
    "docamr": ("docamr", "-", "-o", "out"),
    "documents": ("score", "-", "gold.umr", "--per-pair", "out"),
    "judgements": ("bench", "judgements", "-", "gold.amr", "scores.txt"),
    "rare": ("bench", "rare", "-"),
    "align": ("align", "pred.amr", "-", "--index", "3"),
    "train-softoverlap": ("train", "softoverlap", "--train", "-", "gold.amr", "scores.txt", "-o", "out"),
    "train-wwlk": ("train", "wwlk", "-", "gold.amr", "scores.txt", "-o", "out"),
    "principles": ("bench", "principles", "-", "gold.amr"),
    "study": ("bench", "space", "pred.amr", "-"),
}


ENDS = [] if os.name == "nt" else [(name, by) for name in WAITING for by in (signal.SIGINT, signal.SIGKILL)]


@needs_signals
@pytest.mark.slow
@pytest.mark.parametrize(("name", "ended_by"), by_day(ENDS, 5))
def test_ended_while_it_reads(folder: Path, name: str, ended_by: signal.Signals) -> None:
    (folder / "out").write_bytes(b"old")
    before = sorted(path.name for path in folder.iterdir())
    process = start(*WAITING[name], cwd=folder, stdin=subprocess.PIPE)
    # more than a pipe holds: once this has been written the process is reading, however slow the machine
    process.stdin.write("# a comment\n" * 100_000)
    process.stdin.flush()
    process.send_signal(ended_by)
    out, error = process.communicate(timeout=300)
    assert out == ""
    if ended_by == signal.SIGINT:
        assert (process.returncode, error) == (130, "fastmatch: interrupted\n")
    else:
        assert process.returncode == -signal.SIGKILL
    assert sorted(path.name for path in folder.iterdir()) == before and (folder / "out").read_bytes() == b"old"


@needs_signals
@pytest.mark.slow
def test_killed_again_and_again_while_it_writes(folder: Path) -> None:
    """A file that was there is there, old or new and whole, wherever the run was when it was killed."""
    text = (folder / "gold.amr").read_text(encoding="utf-8")
    (folder / "gold.amr").write_text("\n\n".join([text] * 50), encoding="utf-8")
    arguments = ("standardize", "gold.amr", "--steps", "lower-case", "-o", "out.amr")
    begun = time.monotonic()
    assert run(*arguments, cwd=folder)[0] == 0
    took = time.monotonic() - begun
    new = (folder / "out.amr").read_bytes()
    ends, turns = set(), 24 if NIGHT else 4
    for k in range(turns):
        (folder / "out.amr").write_bytes(b"old")
        process = start(*arguments, cwd=folder)
        try:
            process.wait(timeout=took * k / (turns - 1))
        except subprocess.TimeoutExpired:
            process.kill()
        process.communicate()
        content = (folder / "out.amr").read_bytes()
        assert content in (b"old", new)
        ends.add(content)
    assert b"old" in ends


@pytest.mark.slow
def test_a_home_that_cannot_be_written_to(folder: Path) -> None:
    """Word vectors are cached below the home: where that cannot be, they are read again each time, and no more."""
    (folder / "vectors.txt").write_text("boy 1 0\ngirl 0.9 0.1\n", encoding="utf-8")
    os.utime(folder / "vectors.txt", (1_000_000_000, 1_000_000_000))
    (folder / "file").touch()
    arguments = ("score", *PAIR, "--metric", "s2match", "--embeddings", "vectors.txt", "--json")
    results = []
    for home in (folder, folder / "file" / "home", Path("/proc/none"), None):
        environment = {name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_CACHE_HOME")}
        if home is not None:
            environment |= {"HOME": str(home), "XDG_CACHE_HOME": str(home / ".cache"), "LOCALAPPDATA": str(home)}
        environment.pop("FASTMATCH_CACHE", None)
        results.append(run(*arguments, cwd=folder, env=environment))
    assert results[0][0] == 0 and results[0][2] == "" and all(result == results[0] for result in results)
