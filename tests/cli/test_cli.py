"""The command line as users run it, in a process of its own: score, align, demo, on a terminal, at the start."""

import re
import shlex
import subprocess
import sysconfig
from pathlib import Path

import pytest

import fastmatch

from support.command_line import needs_signals, on_terminal, run, table

COLUMNS = ["index", "id", "score", "precision", "recall", "matched", "n_pred", "n_gold", "upper", "certified"]
COLUMNS += ["n_invalid", "n_repaired"]


# ---- score -----------------------------------------------------------------------------------------------------------


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


def test_per_pair_ids_cannot_break_the_table(tmp_path: Path) -> None:
    (tmp_path / "pred.amr").write_text("# ::id only here\n(a / b)\n\n(a / b)\n", encoding="utf-8")
    (tmp_path / "gold.amr").write_text("(a / b)\n\n# ::id x\ty z\n(a / b)\n", encoding="utf-8")
    rows = table(run("score", "pred.amr", "gold.amr", "--per-pair", "-", "--quiet", cwd=tmp_path).stdout)
    assert [row["id"] for row in rows] == ["only here", "x y z"]


# ---- align, demo, terminal -------------------------------------------------------------------------------------------


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
@pytest.mark.parametrize(
    "arguments", [["score", "pred.amr", "gold.amr"], ["align", "pred.amr", "gold.amr", "--view", "tables"], ["demo"]]
)
def test_on_a_terminal(folder: Path, arguments: list[str]) -> None:
    text = on_terminal(*arguments, cwd=folder)
    assert "signature: smatch|" in text
    assert "─" in text


def test_report_of_several_scores(folder: Path) -> None:
    """Five F scores with precision and recall: a line each, first the micro scores."""
    expected = fastmatch.score(folder / "pred.amr", folder / "gold.amr", metric="ancast")
    out = run("score", "pred.amr", "gold.amr", "--metric", "ancast", cwd=folder).stdout
    header, *rows = (re.split(r" {2,}", line.strip()) for line in out.splitlines()[2:13])
    assert header == ["precision", "recall", "F1"]
    names = ("lr", "concept", "ulr", "wlr", "mock smatch")
    assert [row[0] for row in rows] == [f"{line} {name}" for line in ("micro", "macro") for name in names]
    for k, scores in ((3, expected.micro), (8, expected.macro)):
        assert rows[k][1:] == [f"{100 * scores[f'wlr_{part}']:.2f}" for part in "prf"]


def test_version(tmp_path: Path) -> None:
    assert run("--version", cwd=tmp_path).stdout == f"fastmatch {fastmatch.__version__}\n"


def test_console_script(tmp_path: Path) -> None:
    script = Path(sysconfig.get_path("scripts")) / "fastmatch"
    if not script.exists():
        pytest.skip("fastmatch is not installed, only on the path")
    done = subprocess.run([str(script), "--version"], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == f"fastmatch {fastmatch.__version__}\n"
