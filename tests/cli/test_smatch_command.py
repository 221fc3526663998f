"""``fastmatch-smatch``: every flag of ``smatch.py``, with the package's output beside it.

On the sample corpus the package reaches the optimum, so that both must print the same. Where it does not, its lines are
those that the hill-climber of fastmatch prints, or lower ones.
"""

import io
import re
from typing import NamedTuple

import pytest

import fastmatch as fm
from fastmatch.compat import smatch
from fastmatch.compat.command import main

from support import hostile
from support.child import ended
from support.command_line import first_pairs, printed
from support.published_smatch import run_program

FLAGS = [
    "", "-r 0", "-r 9", "--significant 5", "--significant 0", "--sig 3", "-v", "--vv", "--ms", "--pr",
    "--ms --pr --significant 4", "--justinstance", "--justattribute", "--justrelation --pr",
    "--justinstance --justrelation --pr", "--justattribute --ms", "-v --ms --justrelation",
]  # fmt: skip


class Done(NamedTuple):
    """What a run printed."""

    stdout: str
    stderr: str


@pytest.fixture
def command(here, monkeypatch, capsys):
    """Run the command in the folder, as if in a process of its own."""

    def run(*arguments: str, stdin: str = "", status: int = 0) -> Done:
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        capsys.readouterr()
        return Done(*printed(capsys, *arguments, status=status, program=main))

    return run


@pytest.fixture
def refused(command):
    """Run something that must end with status 2, print nothing, and say one line; return that line."""

    def run(*arguments: str, stdin: str = "") -> str:
        done = command(*arguments, stdin=stdin, status=2)
        assert done.stdout == ""
        *usage, line = done.stderr.splitlines()
        assert all(text.startswith(("usage: ", " ")) for text in usage)
        assert line.startswith("fastmatch-smatch: ")
        return line

    return run


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """What ``smatch.py`` prints of the first pairs of the sample, by its flags; all of its climbs take long."""
    place = first_pairs(tmp_path_factory.mktemp("published"))
    known: dict[str, Done] = {}

    def run(flags: str) -> Done:
        if flags not in known:
            done = run_program("-f", "pred.amr", "gold.amr", *flags.split(), cwd=place)
            assert done.returncode == 0, done.stderr
            known[flags] = Done(done.stdout, done.stderr)
        return known[flags]

    return run


@pytest.mark.parametrize("solver", ["exact", "climb"])
@pytest.mark.parametrize("flags", FLAGS)
def test_every_flag(folder, flags, solver, command, published):
    first_pairs(folder)
    found = command("-f", "pred.amr", "gold.amr", *flags.split(), "--quiet", "--solver", solver)
    expected = published(flags)
    assert found.stdout == expected.stdout
    if "-v" in flags.split():  # the same pairs, triples, numbers; a map may differ where several are best
        mine, theirs = (re.sub(r"(?m)^([Bb]est node mapping).*", r"\1", done.stderr) for done in (found, expected))
        assert mine == theirs
    elif "--vv" in flags:
        n_pairs = expected.stderr.count("Candidate mappings:")
        assert found.stderr.count("Node mapping: [") == found.stderr.count("Proven optimal: ") == n_pairs > 10
        assert expected.stderr.splitlines()[-1] == found.stderr.splitlines()[-1]  # F-score: …
    else:
        assert found.stderr == expected.stderr == ""


def test_the_line_that_says_which_numbers_these_are(command, monkeypatch):
    files = "-f", "pred.amr", "gold.amr"
    for given, text in (((), "the proven optimum"), (("--solver", "climb", "--seed", "4"), "hill-climber (seed 4)")):
        done = command(*files, *given)
        assert done.stderr.count("\n") == 1 and text in done.stderr
        assert command(*files, *given, "--quiet").stderr == ""


def test_the_environment_sets_the_solver(folder):
    files = ("-f", "pred.amr", "gold.amr")
    done = ended("-m", "fastmatch.compat.command", *files, cwd=folder, FASTMATCH_SMATCH_SOLVER="climb")
    assert (done.returncode, done.stderr.count("\n")) == (0, 1) and "hill-climber (seed 0)" in done.stderr
    assert re.fullmatch(r"F-score: 0\.\d\d\n", done.stdout)


def test_where_a_climb_stays_below_the_optimum(folder, command):
    """The numbers of ``fastmatch score``, with either solver."""
    pairs = [hostile.isomorphic(["x"] * 12, [((k - 1) // 2, ":r", k) for k in range(1, 12)], seed) for seed in range(6)]
    for name, side in (("pred", 0), ("gold", 1)):
        (folder / f"{name}.amr").write_text("\n\n".join(pair[side] for pair in pairs), encoding="utf-8")
    corpora = [fm.read(folder / f"{name}.amr", dialect="smatch") for name in ("pred", "gold")]
    files = "-f", "pred.amr", "gold.amr", "--significant", "6", "--ms"
    climbed = fm.score(*corpora, preset="smatch", solver="climb", restarts=0, seed=1)
    assert command(*files).stdout == "F-score: 1.000000\n" * 6
    found = command(*files, "--solver", "climb", "-r", "0", "--seed", "1").stdout
    assert found == "".join(f"F-score: {f1:.6f}\n" for f1 in climbed.pairs.f1)
    published = run_program(*files, "-r", "0", cwd=folder).stdout
    for text in (found, published):
        assert "F-score: 1.000000" in text and "F-score: 0.875000" in text


def test_files_of_different_lengths(folder, command):
    (folder / "short.amr").write_text("(a / b)\n\n(c / d)\n", encoding="utf-8")
    for arguments in (("short.amr", "gold.amr"), ("gold.amr", "short.amr")):
        expected = run_program("-f", *arguments, "--pr", cwd=folder)
        found = command("-f", *arguments, "--pr", "--quiet")
        assert (found.stdout, found.stderr) == (expected.stdout, expected.stderr)
        assert "Ignoring remaining AMRs" in found.stderr


def test_empty_files(folder, command):
    (folder / "empty.amr").write_text("\n# ::id 1\n\n", encoding="utf-8")
    arguments = "-f", "empty.amr", "empty.amr", "--pr"
    assert command(*arguments).stdout == run_program(*arguments, cwd=folder).stdout
    assert command(*arguments, "--ms").stdout == ""


def test_standard_input_and_a_byte_order_mark(folder, command):
    text = (folder / "pred.amr").read_text(encoding="utf-8")
    expected = command("-f", "pred.amr", "gold.amr").stdout
    assert command("-f", "-", "gold.amr", stdin=text).stdout == expected
    (folder / "marked.amr").write_text("\ufeff" + text, encoding="utf-8")
    assert command("-f", "marked.amr", "gold.amr").stdout == expected


def test_what_is_refused(folder, refused):
    (folder / "broken.amr").write_text("(a / b)\n\n# ::id 2\n(a / b\n  :c 1/2)\n", encoding="utf-8")
    (folder / "bytes.amr").write_bytes(b"(a / b)\n\n(a / \xff)\n")
    line = refused("-f", "broken.amr", "gold.amr")
    assert line.startswith("fastmatch-smatch: broken.amr:5:7: ") and refused("-f", "gold.amr", "broken.amr") == line
    assert "no text in UTF-8" in refused("-f", "bytes.amr", "gold.amr")
    assert refused("-f", "nowhere.amr", "gold.amr") == ("fastmatch-smatch: nowhere.amr: No such file or directory")
    assert "'-' (standard input) can stand for one" in refused("-f", "-", "-")
    assert "pair 2: the first text" in refused("-f", "-", "gold.amr", stdin="(a / b)\n\n(c / 1/2)")
    assert "-f" in refused("pred.amr", "gold.amr") and "expected 2 arguments" in refused("-f", "pred.amr")
    for flag in ("-r", "--significant", "--seed"):
        assert "expected a whole number, 0 or more, found '-1'" in refused("-f", "pred.amr", "gold.amr", f"{flag}=-1")
    assert "invalid choice: 'best'" in refused("-f", "pred.amr", "gold.amr", "--solver", "best")


def test_scores_before_a_broken_graph(folder, command):
    (folder / "broken.amr").write_text("(a / b)\n\n(a / b))\n", encoding="utf-8")
    done = command("-f", "broken.amr", "broken.amr", "--ms", "--quiet", status=2)
    assert done.stdout == "F-score: 1.00\n" and done.stderr.startswith("fastmatch-smatch: broken.amr:3:8: ")
    assert done.stderr.count("\n") == 1


def test_flags_are_forgotten(command):
    """A second run in the same process does not see the flags of the first, which modules hold meanwhile."""
    before = dict(vars(smatch))
    files = "-f", "pred.amr", "gold.amr", "--quiet"
    expected = command(*files)
    for flags in (("--ms",), ("--pr",), ("-v",), ("--solver", "climb", "--seed", "3", "-r", "1")):
        command(*files, *flags)
        assert command(*files) == expected
    assert dict(vars(smatch)) == before


def test_help_names_every_flag_of_the_program(folder, command):
    text = command("--help").stdout
    for flag in ("-f", "-r", "--significant", "-v", "--vv", "--ms", "--pr"):
        assert re.search(rf"(?m)^\s+{flag}\b", text)
    assert all(f"--just{name}" in text for name in ("instance", "attribute", "relation"))
