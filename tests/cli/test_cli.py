"""The command line as users run it: in its own process, over every flag that --help names and every README command."""

from __future__ import annotations

import ast
import gzip
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

import fastmatch

CHECKOUT = Path(__file__).parents[2]
SAMPLE = Path(fastmatch.__file__).parent / "data"
COLUMNS = ["index", "id", "score", "precision", "recall", "matched", "n_pred", "n_gold", "upper", "certified"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working directory with ``pred.amr`` and ``gold.amr``, the sample corpus."""
    for side in ("pred", "gold"):
        shutil.copy(SAMPLE / f"sample-{side}.amr", tmp_path / f"{side}.amr")
    return tmp_path


def run(*arguments: str, cwd: Path, stdin: str = "", status: int = 0) -> subprocess.CompletedProcess[str]:
    """Run ``python -m fastmatch``; the exit status must be ``status``, and a good run must leave stderr empty."""
    done = subprocess.run(
        [sys.executable, "-m", "fastmatch", *arguments], cwd=cwd, input=stdin, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == status, (arguments, done.stdout, done.stderr)
    if status == 0:
        assert done.stderr == ""
    assert "Traceback" not in done.stderr
    return done


def refused(*arguments: str, cwd: Path, stdin: str = "") -> str:
    """Run something that must end with status 2 and one line on stderr; return that line."""
    done = run(*arguments, cwd=cwd, stdin=stdin, status=2)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("fastmatch")
    return done.stderr


def table(text: str) -> list[dict[str, str]]:
    header, *lines = text.splitlines()
    return [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines]


# ---- score -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_report(folder: Path) -> None:
    expected = fastmatch.score(fastmatch.read(folder / "pred.amr"), fastmatch.read(folder / "gold.amr"))
    out = run("score", "pred.amr", "gold.amr", cwd=folder).stdout
    for part in (
        "smatch: 40 pairs",
        f"{expected.matched:,} matched triples of {expected.n_pred:,} predicted and {expected.n_gold:,} gold",
        f"F1 {expected.f1:.6f}",
        "proven optimal: 40 of 40 pairs",
        str(expected.signature),
    ):
        assert part in out
    numbers = {
        name: [f"{100 * getattr(expected, name)[score]:.2f}" for score in ("precision", "recall", "f1")]
        for name in ("micro", "macro")
    }
    for line in out.splitlines():
        if line.split()[:1] in (["micro"], ["macro"]):
            assert line.split()[1:] == numbers.pop(line.split()[0])
    assert not numbers


@pytest.mark.slow
def test_json_is_one_object(folder: Path) -> None:
    out = run("score", "pred.amr", "gold.amr", "--json", cwd=folder).stdout
    assert out.count("\n") == 1
    record = json.loads(out)
    expected = fastmatch.score(fastmatch.read(folder / "pred.amr"), fastmatch.read(folder / "gold.amr"))
    assert (record["matched"], record["n_pred"], record["n_gold"]) == (
        expected.matched,
        expected.n_pred,
        expected.n_gold,
    )
    assert record["f1"] == record["micro"]["f1"] == expected.f1
    assert record["macro"] == expected.macro
    assert record["certified"] is True
    assert record["n_certified"] == record["n_pairs"] == 40
    assert record["signature"] == str(expected.signature)
    assert record["version"] == fastmatch.__version__


def test_tsv(folder: Path) -> None:
    rows = table(run("score", "pred.amr", "gold.amr", "--tsv", cwd=folder).stdout)
    expected = fastmatch.score(fastmatch.read(folder / "pred.amr"), fastmatch.read(folder / "gold.amr"))
    assert len(rows) == 1
    assert float(rows[0]["f1"]) == expected.f1
    assert int(rows[0]["matched"]) == expected.matched
    assert rows[0]["signature"] == str(expected.signature)


def test_per_pair_file(folder: Path) -> None:
    (folder / "out.tsv").write_text("old", encoding="utf-8")
    out = run("score", "pred.amr", "gold.amr", "--per-pair", "out.tsv", cwd=folder).stdout
    assert "matched triples" in out
    text = (folder / "out.tsv").read_text(encoding="utf-8")
    assert text.splitlines()[0].split("\t") == COLUMNS
    rows = table(text)
    pairs = fastmatch.score(fastmatch.read(folder / "pred.amr"), fastmatch.read(folder / "gold.amr")).pairs
    assert [row["id"] for row in rows] == [f"sample.{number}" for number in range(1, 41)]
    assert [int(row["index"]) for row in rows] == list(range(40))
    for column, values in (("score", pairs.f1), ("precision", pairs.precision), ("recall", pairs.recall)):
        assert [float(row[column]) for row in rows] == values.tolist()
    for column in ("matched", "n_pred", "n_gold", "upper", "certified"):
        assert [int(row[column]) for row in rows] == getattr(pairs, column).tolist()
    assert sorted(path.name for path in folder.iterdir()) == ["gold.amr", "out.tsv", "pred.amr"]


@pytest.mark.slow
def test_per_pair_on_stdout_moves_the_report_to_stderr(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "fastmatch", "score", "pred.amr", "gold.amr", "--per-pair", "-"],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0
    assert len(table(done.stdout)) == 40
    assert "matched triples" in done.stderr
    quiet = run("score", "pred.amr", "gold.amr", "--per-pair", "-", "--quiet", cwd=folder)
    assert quiet.stdout == done.stdout


def test_per_pair_ids_cannot_break_the_table(tmp_path: Path) -> None:
    (tmp_path / "pred.amr").write_text("# ::id only here\n(a / b)\n\n(a / b)\n", encoding="utf-8")
    (tmp_path / "gold.amr").write_text("(a / b)\n\n# ::id x\ty z\n(a / b)\n", encoding="utf-8")
    rows = table(run("score", "pred.amr", "gold.amr", "--per-pair", "-", "--quiet", cwd=tmp_path).stdout)
    assert [row["id"] for row in rows] == ["only here", "x y z"]


@pytest.mark.slow
def test_standard_input(folder: Path) -> None:
    expected = run("score", "pred.amr", "gold.amr", cwd=folder).stdout
    for side in ("pred", "gold"):
        files = ["-" if name == side else f"{name}.amr" for name in ("pred", "gold")]
        text = (folder / f"{side}.amr").read_text(encoding="utf-8")
        assert run("score", *files, cwd=folder, stdin=text).stdout == expected


@pytest.mark.slow
def test_gzip(folder: Path) -> None:
    expected = run("score", "pred.amr", "gold.amr", cwd=folder).stdout
    with gzip.open(folder / "gold.amr.gz", "wb") as file:
        file.write((folder / "gold.amr").read_bytes())
    assert run("score", "pred.amr", "gold.amr.gz", cwd=folder).stdout == expected


@pytest.mark.slow
def test_preset_changes_the_reading(folder: Path) -> None:
    record = json.loads(run("score", "pred.amr", "gold.amr", "--preset", "smatch", "--json", cwd=folder).stdout)
    assert "read:smatch" in record["signature"]


@pytest.mark.slow
def test_same_numbers_for_any_worker_count(folder: Path) -> None:
    outputs = {
        run("score", "pred.amr", "gold.amr", "--per-pair", "-", "--quiet", "--workers", workers, cwd=folder).stdout
        for workers in ("1", "2", "3", "-1")
    }
    assert len(outputs) == 1


@pytest.mark.slow
def test_seed_and_restarts_reach_the_climber(folder: Path) -> None:
    def climb(*options: str) -> dict[str, object]:
        out = run("score", "pred.amr", "gold.amr", "--solver", "climb", "--json", *options, cwd=folder).stdout
        record: dict[str, object] = json.loads(out)
        return record

    first = climb("--seed", "3", "--restarts", "2")
    assert first == climb("--seed", "3", "--restarts", "2")
    assert "seed:3" in str(first["signature"])
    assert "restarts:2" in str(first["signature"])


# ---- exit status -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_fail_under(folder: Path) -> None:
    assert run("score", "gold.amr", "gold.amr", "--fail-under", "100", cwd=folder).returncode == 0
    done = run("score", "pred.amr", "gold.amr", "--fail-under", "99.9", cwd=folder, status=1)
    assert "matched triples" in done.stdout
    assert "below 99.9" in done.stderr
    assert "80" in refused("score", "pred.amr", "gold.amr", "--fail-under", "0.8", cwd=folder)
    refused("score", "pred.amr", "gold.amr", "--fail-under", "high", cwd=folder)
    refused("score", "pred.amr", "gold.amr", "--fail-under", "101", cwd=folder)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "VERB"),
        (["count"], "count"),
        (["score", "pred.amr"], "GOLD"),
        (["score", "pred.amr", "gold.amr", "--no-such"], "--no-such"),
        (["score", "missing.amr", "gold.amr"], "missing.amr: No such file"),
        (["score", ".", "gold.amr"], "directory"),
        (["score", "pred.amr", "gold.amr", "--metric", "bleu"], "bleu"),
        (["score", "pred.amr", "gold.amr", "--preset", "amr"], "amr"),
        (["score", "pred.amr", "gold.amr", "--solver", "magic"], "magic"),
        (["score", "pred.amr", "gold.amr", "--workers", "0"], "0"),
        (["score", "pred.amr", "gold.amr", "--workers", "all"], "all"),
        (["score", "pred.amr", "gold.amr", "--restarts", "-1"], "-1"),
        (["score", "pred.amr", "gold.amr", "--seed", "x"], "x"),
        (["score", "pred.amr", "gold.amr", "--effort", "most"], "most"),
        (["score", "pred.amr", "gold.amr", "--time-limit", "soon"], "soon"),
        (["score", "pred.amr", "gold.amr", "--time-limit", "-1"], "-1"),
        (["score", "pred.amr", "gold.amr", "--on-error", "shrug"], "shrug"),
        (["score", "pred.amr", "gold.amr", "--json", "--tsv"], "--tsv"),
        (["score", "pred.amr", "gold.amr", "--json", "--per-pair", "-"], "--per-pair"),
        (["score", "pred.amr", "gold.amr", "--per-pair", "no/such/folder/out.tsv"], "no/such/folder/out.tsv"),
        (["score", "pred.amr", "gold.amr", "--per-pair", "."], ".: Is a directory"),
        (["score", "-", "-"], "standard input"),
        (["align", "pred.amr", "gold.amr", "--index", "40"], "40"),
        (["align", "--text", "(a / b)", "(a / b", "--json"], "gold:1:7: "),
        (["align", "--text", "(a / b)", "(a / b)", "--index", "0"], "--index"),
    ],
)
def test_bad_usage_is_one_line_and_status_2(folder: Path, arguments: list[str], says: str) -> None:
    assert says in refused(*arguments, cwd=folder)
    assert sorted(path.name for path in folder.iterdir()) == ["gold.amr", "pred.amr"]


@pytest.mark.slow
def test_unreadable_graph(folder: Path) -> None:
    text = (folder / "pred.amr").read_text(encoding="utf-8")
    (folder / "bad.amr").write_text(text.replace("(r / refuse-01", "(r / / refuse-01", 1), encoding="utf-8")
    assert re.match(r"fastmatch: .*bad\.amr:3:\d+: ", refused("score", "bad.amr", "gold.amr", cwd=folder))
    # counted as empty: the report stands, and a warning names the pair
    done = subprocess.run(
        [sys.executable, "-m", "fastmatch", "score", "bad.amr", "gold.amr", "--on-error", "empty", "--json"],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0
    record = json.loads(done.stdout)
    assert record["n_pairs"] == 40
    assert [problem["index"] for problem in record["problems"]] == [0]
    assert "pair 0" in done.stderr
    run("score", "bad.amr", "gold.amr", "--on-error", "empty", "--quiet", cwd=folder)


@pytest.mark.slow
def test_different_lengths(folder: Path) -> None:
    blocks = (folder / "pred.amr").read_text(encoding="utf-8").split("\n\n")
    (folder / "short.amr").write_text("\n\n".join(blocks[:-2]), encoding="utf-8")
    line = refused("score", "short.amr", "gold.amr", cwd=folder)
    assert "38" in line
    assert "40" in line


# ---- interruption ----------------------------------------------------------------------------------------------------

needs_signals = pytest.mark.skipif(os.name == "nt", reason="POSIX signals and pipes")


@pytest.mark.slow
@needs_signals
def test_interrupt_while_reading(folder: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "fastmatch", "score", "-", "gold.amr", "--per-pair", "out.tsv"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    # more than a pipe holds: once this has been written the process is reading, however slow the machine
    process.stdin.write(b"# a comment\n" * 100_000)
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == b""
    assert err.decode() == "fastmatch: interrupted\n"
    assert sorted(path.name for path in folder.iterdir()) == ["gold.amr", "pred.amr"]


def _hopeless(size: int, seed: int) -> str:
    """A random tree whose concepts and roles are all the same: minutes of search for an exact solver."""
    rng = random.Random(seed)
    children: dict[int, list[int]] = {}
    for node in range(1, size):
        children.setdefault(rng.randrange(node), []).append(node)

    def text(node: int) -> str:
        return f"(v{node} / x{''.join(f' :ARG0 {text(child)}' for child in children.get(node, []))})"

    return text(0)


def _cpu_seconds(process: subprocess.Popen[bytes]) -> float:
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs the CPU time of another process")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_interrupt_while_scoring(tmp_path: Path, workers: str) -> None:
    for side, seed in (("pred", 0), ("gold", 10)):
        graphs = [_hopeless(250, seed + number) for number in range(8)]
        (tmp_path / f"{side}.amr").write_text("\n\n".join(graphs), encoding="utf-8")
    arguments = ["score", "pred.amr", "gold.amr", "--per-pair", "out.tsv", "--workers", workers]
    process = subprocess.Popen(
        [sys.executable, "-m", "fastmatch", *arguments], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    # everything before the kernels costs a fraction of a second of CPU, however long that takes on a busy machine
    while process.poll() is None and _cpu_seconds(process) < 2:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == b""
    assert err == b"fastmatch: interrupted\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gold.amr", "pred.amr"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_interrupt_while_writing_leaves_the_old_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException | type[BaseException]
) -> None:
    from fastmatch.cli import main
    from fastmatch.report import records

    lines = records._pair_lines

    def broken(*arguments: object) -> object:
        for number, line in enumerate(lines(*arguments)):  # type: ignore[arg-type]
            if number == 7:
                raise error
            yield line

    monkeypatch.setattr(records, "_pair_lines", broken)
    monkeypatch.chdir(folder)
    (folder / "out.tsv").write_text("old", encoding="utf-8")
    status = main(["score", "pred.amr", "gold.amr", "--per-pair", "out.tsv"])
    assert status == (130 if error is KeyboardInterrupt else 2)
    assert (folder / "out.tsv").read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in folder.iterdir()) == ["gold.amr", "out.tsv", "pred.amr"]


def test_an_internal_error_keeps_its_traceback(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from fastmatch import report
    from fastmatch.cli import main

    def broken(result: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(report, "print_score", broken)
    with pytest.raises(ZeroDivisionError, match="a bug"):
        main(["score", str(folder / "pred.amr"), str(folder / "gold.amr")])


@needs_signals
@pytest.mark.parametrize("arguments", [["score", "pred.amr", "gold.amr", "--per-pair", "-"], ["demo"]])
def test_broken_pipe_is_quiet(folder: Path, arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "fastmatch", *arguments], cwd=folder, stdout=writing, stderr=subprocess.PIPE
    )
    os.close(writing)
    assert done.stderr == b""
    assert done.returncode == 141


def test_a_link_stays_a_link(folder: Path) -> None:
    (folder / "real.tsv").write_text("old", encoding="utf-8")
    try:
        (folder / "link.tsv").symlink_to("real.tsv")
    except OSError:
        pytest.skip("no symbolic links here")
    run("score", "pred.amr", "gold.amr", "--per-pair", "link.tsv", cwd=folder)
    assert (folder / "link.tsv").is_symlink()
    assert len(table((folder / "real.tsv").read_text(encoding="utf-8"))) == 40


# ---- align, demo, terminal -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_align_files(folder: Path) -> None:
    out = run("align", "pred.amr", "gold.amr", "--index", "4", cwd=folder).stdout
    assert "w / want-01" in out
    assert re.search(r"^ +\+ +a :ARG0 b$", out, re.MULTILINE)  # the re-entrancy that the parser lost
    assert "proven optimal" in out
    record = json.loads(run("align", "pred.amr", "gold.amr", "--index", "4", "--json", cwd=folder).stdout)
    assert record["pred_id"] == record["gold_id"] == "sample.5"
    assert ["a", ":ARG0", "b"] in record["unmatched_gold"]
    assert len(record["matched_triples"]) == record["matched"]
    assert record["n_gold"] == len(record["matched_triples"]) + len(record["unmatched_gold"])


def test_align_text(tmp_path: Path) -> None:
    record = json.loads(run("align", "-e", "(a / cat)", "(b / cat :mod (c / big))", "--json", cwd=tmp_path).stdout)
    assert record["mapping"] == [["a", "b"]]
    expected = fastmatch.align("(a / cat)", "(b / cat :mod (c / big))")
    assert (record["matched"], record["n_pred"], record["n_gold"]) == (
        expected.matched,
        expected.n_pred,
        expected.n_gold,
    )


@pytest.mark.slow
def test_demo(tmp_path: Path) -> None:
    out = run("demo", cwd=tmp_path).stdout
    assert "proven optimal: 40 of 40 pairs" in out
    # the commands it proposes work
    commands = [shlex.split(line) for line in out.splitlines() if line.startswith("  fastmatch ")]
    assert len(commands) == 2
    for command in commands:
        run(*command[1:], cwd=tmp_path)


@pytest.mark.slow
@needs_signals
@pytest.mark.parametrize("arguments", [["score", "pred.amr", "gold.amr"], ["align", "pred.amr", "gold.amr"], ["demo"]])
def test_on_a_terminal(folder: Path, arguments: list[str]) -> None:
    pytest.importorskip("rich")
    import pty

    primary, secondary = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "fastmatch", *arguments],
        cwd=folder,
        stdout=secondary,
        stderr=secondary,
        stdin=secondary,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(secondary)
    output = b""
    while True:
        try:
            chunk = os.read(primary, 65536)
        except OSError:  # Linux reports the end of a terminal as an error
            break
        if not chunk:
            break
        output += chunk
    os.close(primary)
    assert process.wait() == 0
    text = output.decode()
    assert "signature: smatch|" in text
    assert "─" in text


def test_report_of_several_scores(folder: Path) -> None:
    """Five F scores with precision and recall: a line each, micro and macro beside each other."""
    expected = fastmatch.score(folder / "pred.amr", folder / "gold.amr", metric="ancast")
    out = run("score", "pred.amr", "gold.amr", "--metric", "ancast", cwd=folder).stdout
    header, *rows = (re.split(r" {2,}", line.strip()) for line in out.splitlines()[2:8])
    assert header == ["micro P", "micro R", "micro F1", "macro P", "macro R", "macro F1"]
    assert [row[0] for row in rows] == ["lr", "concept", "ulr", "wlr", "mock smatch"]
    values = [scores[f"wlr_{part}"] for scores in (expected.micro, expected.macro) for part in "prf"]
    assert rows[3][1:] == [f"{100 * value:.2f}" for value in values]


@pytest.mark.slow
def test_no_input_is_overwritten(folder: Path) -> None:
    before = (folder / "gold.amr").read_bytes()
    os.link(folder / "gold.amr", folder / "same.amr")
    for name in ("gold.amr", "same.amr"):
        line = refused("score", "pred.amr", "gold.amr", "--per-pair", name, cwd=folder)
        assert line == f"fastmatch: {name}: would be overwritten, but is read as well; write to another file\n"
    assert (folder / "gold.amr").read_bytes() == before


def test_version(tmp_path: Path) -> None:
    assert run("--version", cwd=tmp_path).stdout == f"fastmatch {fastmatch.__version__}\n"


def test_console_script(tmp_path: Path) -> None:
    script = Path(sysconfig.get_path("scripts")) / "fastmatch"
    if not script.exists():
        pytest.skip("fastmatch is not installed, only on the path")
    done = subprocess.run([str(script), "--version"], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == f"fastmatch {fastmatch.__version__}\n"


@pytest.mark.parametrize("arguments", ["'score', 'pred.amr', 'gold.amr'", "'align', 'pred.amr', 'gold.amr'"])
def test_start_is_lean(folder: Path, arguments: str) -> None:
    heavy = "('numba', 'scipy', 'rich', 'penman', 'importlib.metadata', 'pandas')"
    code = f"import sys; from fastmatch.cli import main; main([{arguments}]); "
    code += f"print([name for name in {heavy} if name in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "[]"


# ---- nothing documented that was not run -----------------------------------------------------------------------------

#: One run per flag; ``{}`` stands for the two files.
FLAGS = {
    "score": {
        "--help": "--help",
        "--pair-by": "{} --pair-by id",
        "--unpaired": "{} --pair-by id --unpaired empty",
        "--metric": "{} --metric smatch",
        "--preset": "{} --preset smatch",
        "--solver": "{} --solver ilp",
        "--top": "{} --top concept",
        "--duplicates": "{} --duplicates multiply",
        "--triples": "{} --triples instance",
        "--restarts": "{} --solver climb --restarts 1",
        "--seed": "{} --solver climb --seed 7",
        "--effort": "{} --effort low",
        "--time-limit": "{} --time-limit 5",
        "--aspects": "{} --aspects enhanced",
        "--aspect": "{} --aspects smatch++ --aspect WIKI --aspect NER",
        "--aspect-align": "{} --aspects smatch++ --aspect-align each",
        "--frames": "{} --aspects smatch++ --frames frames.txt",
        "--compress": "{} --compress",
        "--bootstrap": "{} --bootstrap 50",
        "--confidence": "{} --bootstrap 50 --confidence 0.9",
        "--bootstrap-method": "{} --bootstrap 50 --bootstrap-method percentile",
        "--bootstrap-seed": "{} --bootstrap 50 --bootstrap-seed 7",
        "--workers": "{} --workers 2",
        "--on-error": "{} --on-error empty",
        "--quiet": "{} --quiet",
        "--per-pair": "{} --per-pair out.tsv",
        "--json": "{} --json",
        "--tsv": "{} --tsv",
        "--fail-under": "{} --fail-under 10",
    },
    "compare": {
        "--help": "--help",
        "--pair-by": "pred.amr {0} --pair-by id",
        "--unpaired": "pred.amr {0} --pair-by id --unpaired empty",
        "--gold": "{0} --gold gold.amr",
        "--metric": "pred.amr {0} --metric smatch",
        "--preset": "pred.amr {0} --preset smatch",
        "--solver": "pred.amr {0} --solver ilp",
        "--top": "pred.amr {0} --top concept",
        "--duplicates": "pred.amr {0} --duplicates multiply",
        "--triples": "pred.amr {0} --triples instance",
        "--restarts": "pred.amr {0} --solver climb --restarts 1",
        "--seed": "pred.amr {0} --solver climb --seed 7",
        "--effort": "pred.amr {0} --effort proof",
        "--time-limit": "pred.amr {0} --time-limit 5",
        "--compress": "pred.amr {0} --compress",
        "--against": "pred.amr {0} --against all",
        "--correction": "pred.amr {0} --correction bonferroni",
        "--resamples": "pred.amr {0} --resamples 50",
        "--confidence": "pred.amr {0} --confidence 0.9",
        "--bootstrap-method": "pred.amr {0} --bootstrap-method percentile",
        "--bootstrap-seed": "pred.amr {0} --bootstrap-seed 7",
        "--workers": "pred.amr {0} --workers 2",
        "--on-error": "pred.amr {0} --on-error empty",
        "--quiet": "pred.amr {0} --quiet",
        "--json": "pred.amr {0} --json",
        "--tsv": "pred.amr {0} --tsv",
    },
    "align": {
        "--help": "--help",
        "--pair-by": "{} --pair-by id",
        "--unpaired": "{} --pair-by id --unpaired empty",
        "--text": "--text '(a / b)' '(c / b)'",
        "--index": "{} --index 39",
        "--metric": "{} --metric smatch",
        "--preset": "{} --preset smatch",
        "--solver": "{} --solver climb",
        "--top": "{} --top none",
        "--duplicates": "{} --duplicates once",
        "--triples": "{} --triples relation",
        "--restarts": "{} --solver climb --restarts 1",
        "--seed": "{} --solver climb --seed 7",
        "--effort": "{} --effort low",
        "--time-limit": "{} --time-limit 5",
        "--compress": "{} --compress",
        "--json": "{} --json",
    },
    "standardize": {
        "--help": "--help",
        "--output": "pred.amr --steps reify -o /dev/stdout",
        "--steps": "pred.amr --steps lower-case,drop-quotes,dereify",
        "--table": "pred.amr --steps reify --table smatch++",
        "--dialect": "pred.amr --steps smatch++ --dialect smatch",
        "--on-error": "pred.amr --steps drop-wiki --on-error skip",
        "--triples": "pred.amr --steps smatch++ --triples",
    },
    "rare": {
        "--help": "--help",
        "--metric": "pred.amr --metric smatch,top=concept --metric rematch/tool",
        "--embeddings": "pred.amr --metric wwlk --embeddings vectors.txt",
        "--split": "pred.amr --split train --split dev",
        "--preset": "pred.amr --preset tool",
        "--seed": "pred.amr --seed 3",
        "--write": "pred.amr --write pairs",
        "--workers": "pred.amr --workers 2",
        "--quiet": "pred.amr --quiet",
        "--json": "pred.amr --json",
        "--tsv": "pred.amr --tsv",
        "--latex": "pred.amr --latex",
    },
    "principles": {
        "--help": "--help",
        "--metric": "{} --runs 2 --metric smatch,top=concept",
        "--embeddings": "{} --runs 2 --metric wwlk --embeddings vectors.txt",
        "--runs": "{} --runs 2",
        "--seed": "{} --runs 2 --seed 3",
        "--workers": "{} --runs 2 --workers 2",
        "--quiet": "{} --runs 2 --quiet",
        "--probes": "{} --runs 2 --probes 5",
        "--json": "{} --runs 2 --json",
        "--tsv": "{} --runs 2 --tsv",
        "--latex": "{} --runs 2 --latex",
    },
    "umr": {
        "--help": "--help",
        "--preset": "{umr} --preset tool",
        "--per-sentence": "{umr} --per-sentence sentences.tsv",
        "--json": "{umr} --json",
        "--tsv": "{umr} --tsv",
        "--quiet": "{umr} --quiet",
        "--ancast-standard": "{umr} --ancast-standard tool",
        "--ancast-alpha": "{umr} --ancast-alpha 0.3",
        "--ancast-beta": "{umr} --ancast-beta 0.001",
        "--ancast-sense": "{umr} --ancast-sense 0.5",
        "--ancast-anchors": "{umr} --ancast-anchors alignment",
        "--ancast-neighbours": "{umr} --ancast-neighbours 2",
        "--ancast-hops": "{umr} --ancast-hops apart",
        "--ancast-ops": "{umr} --ancast-ops name",
        "--ancast-concept": "{umr} --ancast-concept pred",
        "--ancast-similarity": "{umr} --ancast-similarity names",
        "--ancast-weight": "{umr} --ancast-weight outer",
        "--ancast-ties": "{umr} --ancast-ties jaccard",
    },
    "train-wwlk": {
        "--help": "--help",
        "--output": "{train} --output theta.tsv",
        "--dev": "{train} -o theta.tsv --dev gold.amr pred.amr -",
        "--test": "{train} -o theta.tsv --test gold.amr pred.amr y",
        "--plot": "{train} -o theta.tsv --plot curve.svg",
        "--batch": "{train} -o theta.tsv --batch 4",
        "--rate": "{train} -o theta.tsv --rate 0.5",
        "--every": "{train} -o theta.tsv",
        "--looks": "{train} -o theta.tsv",
        "--patience": "{train} -o theta.tsv --patience 1",
        "--seed": "{train} -o theta.tsv --seed 3",
        "--preset": "{train} -o theta.tsv --preset tool",
        "--embeddings": "{train} -o theta.tsv --embeddings vectors.txt",
        "--wwlk-k": "{train} -o theta.tsv --wwlk-k 1",
        "--wwlk-edge-weights": "{train} -o theta.tsv --wwlk-edge-weights ones",
        "--wwlk-weights": "{train} -o theta.tsv --wwlk-weights weights.tsv",
        "--wwlk-edges": "{train} -o theta.tsv --wwlk-edges weights",
        "--wwlk-direction": "{train} -o theta.tsv --wwlk-direction 2-way",
        "--wwlk-update": "{train} -o theta.tsv --wwlk-update tool",
        "--wwlk-oov": "{train} -o theta.tsv --wwlk-oov zero --embeddings vectors.txt",
        "--wwlk-stability": "{train} -o theta.tsv --wwlk-stability 0",
        "--wwlk-variant": "{train} -o theta.tsv --wwlk-variant precision",
        "--wwlk-clip": "{train} -o theta.tsv --wwlk-clip",
        "--wwlk-standard": "{train} -o theta.tsv --wwlk-standard tool",
        "--quiet": "{train} -o theta.tsv --quiet",
        "--json": "{train} -o theta.tsv --json",
    },
    "bamboo": {
        "--help": "--help",
        "--metric": "bamboo --metric all --metric sema/tool",
        "--embeddings": "bamboo --metric s2match --metric smatch --embeddings vectors.txt",
        "--protocol": "bamboo --protocol spearman",
        "--split": "bamboo --split test",
        "--workers": "bamboo --workers 2",
        "--quiet": "bamboo --quiet",
        "--json": "bamboo --json",
        "--tsv": "bamboo --tsv",
        "--latex": "bamboo --latex",
    },
    "demo": {"--help": "--help"},
}


def test_there_are_flags_for_every_verb(tmp_path: Path) -> None:
    text = run("--help", cwd=tmp_path).stdout
    assert set(re.findall(r"^    ([a-z-]+) ", text, re.MULTILINE)) - set(FLAGS) <= {"matrix", "search"}


@pytest.mark.parametrize("verb", FLAGS)
def test_every_flag_in_help_is_run_here(tmp_path: Path, verb: str) -> None:
    text = run(verb, "--help", cwd=tmp_path).stdout
    found = re.findall(r"^ +(?:-\w, )?(?:-\w [A-Z]+(?:\.tsv)?, )?(--[a-z-]+)", text, re.MULTILINE)
    assert set(found) == set(FLAGS[verb])


#: Their flags are many and tried in this process; that they are verbs of the program is tested by other runs.
QUICK = ("bamboo", "principles", "rare", "train-wwlk", "umr")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("verb", "flag"), [(verb, flag) for verb in FLAGS if verb not in QUICK for flag in FLAGS[verb]]
)
def test_flag(folder: Path, verb: str, flag: str) -> None:
    (folder / "frames.txt").write_text("go-01  ARG0: goer  ARG4: destination\n", encoding="utf-8")
    assert run(verb, *shlex.split(FLAGS[verb][flag].format("pred.amr gold.amr")), cwd=folder).stdout


@pytest.mark.slow
@pytest.mark.parametrize(("verb", "flag"), [(verb, flag) for verb in QUICK for flag in FLAGS[verb] if flag != "--help"])
def test_flag_of_a_benchmark(
    folder: Path, verb: str, flag: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from fastmatch.cli import main

    monkeypatch.chdir(folder)
    (folder / "vectors.txt").write_text("cat 1 0\ngo 0 1\n", encoding="utf-8")
    (folder / "weights.tsv").write_text(":arg0\t0.5\n", encoding="utf-8")
    (folder / "y").write_text("".join(f"{k % 7}\n" for k in range(40)), encoding="utf-8")
    task = folder / "bamboo" / "sts" / "main"
    task.mkdir(parents=True)
    for side, name in (("src", "gold"), ("tgt", "pred")):
        shutil.copy(folder / f"{name}.amr", task / f"{side}.test.amr")
        shutil.copy(Path(__file__).parents[1] / "data" / f"umr-{name}.umr", folder / f"{name}.umr")
    shutil.copy(folder / "y", task.parent / "test.y")
    files = {"umr": "pred.umr gold.umr", "train": "pred.amr gold.amr y --every 2 --looks 2"}
    assert main([verb, *shlex.split(FLAGS[verb][flag].format("pred.amr gold.amr", **files))]) == 0
    assert capsys.readouterr().out


def test_the_command_line_knows_no_metric_by_name() -> None:
    """It asks the registry and the options of metrics; only verbs that are about one metric say which."""
    from fastmatch.metrics.names import BUILT_IN

    package = Path(fastmatch.__file__).parent
    found = {
        (path.name, node.value)
        for folder in ("cli", "report")
        for path in (package / folder).glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in BUILT_IN
    }
    assert found == {("train.py", "wwlk"), ("umr.py", "ancast")}


def test_help_of_standardize_lists_every_step_and_preset(tmp_path: Path) -> None:
    from fastmatch.standardization import steps

    text = run("standardize", "--help", cwd=tmp_path).stdout
    listed = set(re.findall(r"[a-z+/-]+", re.sub(r"-\n +", "-", text)))
    assert {*steps.PRESETS, *steps.STEPS} <= listed


@pytest.mark.slow
def test_help_lists_the_presets_of_the_metric(tmp_path: Path) -> None:
    text = run("score", "--help", cwd=tmp_path).stdout
    assert "presets of smatch:\n  smatch          standard=smatch, duplicates=multiply\n" in text
    text = run("align", "--metric=rematch", "--help", cwd=tmp_path).stdout
    assert "presets of rematch:\n  tool  standard=tool\n" in text
    assert run("score", "--metric", "no-such", "--help", cwd=tmp_path).stdout.endswith("130 interrupted.\n")


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The metric of ``toy_metric.py``, known in this process."""
    from support import toy_metric

    assert toy_metric


@pytest.mark.usefixtures("toy")
def test_flags_of_a_metric(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A metric's own options become flags, known when it is named."""
    from fastmatch.cli import main

    monkeypatch.chdir(folder)
    files = ["score", "pred.amr", "gold.amr"]
    with pytest.raises(SystemExit):
        main([*files, "--metric", "toy", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "--toy-counting {bag,set} whether a repeated concept counts again (default: bag)" in text
    assert main([*files, "--toy-counting", "set", "--metric=toy", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["signature"].startswith("toy|counting:set|")
    assert main([*files, "--metric", "toy", "--per-pair", "-", "--quiet"]) == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("index\tid\tscore\t")
    with pytest.raises(SystemExit) as stop:
        main([*files, "--toy-counting", "set"])
    assert stop.value.code == 2
    assert "unrecognized arguments: --toy-counting" in capsys.readouterr().err
    assert main([*files, "--metric", "toy", "--solver", "ilp"]) == 2
    assert "metric 'toy' has no option 'solver'" in capsys.readouterr().err
    assert main([*files, "--metric", "toi"]) == 2
    assert "metric='toi': expected one of" in capsys.readouterr().err


def _readme(language: str) -> list[str]:
    readme = CHECKOUT / "README.md"
    return re.findall(rf"^```{language}\n(.*?)^```", readme.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def _readme_commands() -> list[str]:
    lines = [line.partition(" #")[0].strip() for block in _readme("sh") for line in block.splitlines()]
    return [line for line in lines if line.startswith("fastmatch ")]


@pytest.mark.slow
@pytest.mark.parametrize("command", _readme_commands())
def test_readme_command(folder: Path, command: str) -> None:
    arguments = shlex.split(command)[1:]
    stdin = ""
    if "<" in arguments:
        stdin = (folder / arguments[arguments.index("<") + 1]).read_text(encoding="utf-8")
        arguments = arguments[: arguments.index("<")]
    assert run(*arguments, cwd=folder, stdin=stdin).stdout


def test_readme_python(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    blocks = _readme("python")
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)


def test_standardize_writes_nothing_before_all_graphs_are_checked(tmp_path: Path) -> None:
    (tmp_path / "in.amr").write_text('(c / cat)\n\n(a / x :q" y)\n\n(p / pack :consist-of (s / sheep))\n')
    command = ("standardize", "in.amr", "--dialect", "smatchpp", "--steps", "as-written")
    reason = "in.amr: graph 1: role ':q\"' cannot be written in Penman notation\n"
    done = run(*command, cwd=tmp_path, status=2)
    assert (done.stdout, done.stderr) == ("", f"fastmatch: {reason}")

    def spoken(on_error: str) -> tuple[str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "fastmatch", *command, "--on-error", on_error],
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        return done.stdout, done.stderr

    pack = "(p / pack\n      :consist-of (s / sheep))\n"
    assert spoken("skip") == (f"(c / cat)\n\n{pack}", f"fastmatch: left out: {reason}")
    assert spoken("empty") == (f"(c / cat)\n\n()\n\n{pack}", f"fastmatch: an empty graph instead: {reason}")
    done = run("standardize", "in.amr", "--steps", "reify", "--triples", "-o", "x.fastmatch", cwd=tmp_path, status=2)
    assert "--triples writes text" in done.stderr
