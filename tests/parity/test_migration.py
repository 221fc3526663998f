"""The tables of ``docs/migration.md``: each row is run with both programs, and the numbers compared.

The first column is a command of ``smatch.py`` (package smatch) or ``python -m smatchpp``, the second one of fastmatch.
Both get the sample corpus. smatch's hill-climber reaches the optimum there.
"""

import json
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import fastmatch as fm
from fastmatch.cli import main

from support.command_line import table
from support.published_smatch import run_program

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "migration.md"
SAMPLE = Path(fm.__file__).parent / "data"
SCORES = ("f1", "precision", "recall")

if not PAGE.is_file():
    pytest.skip("the checkout is not beside the tests", allow_module_level=True)

#: (command there, command here, which score)
ROWS = [
    (*commands, which.strip(" |") or "micro")
    for *commands, which in re.findall(
        r"^\| `((?:smatch\.py|python -m smatchpp) [^`]*)` \| `(fastmatch score [^`]*)` \|(.*)$",
        PAGE.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
]

#: A graph in which every aspect of Smatch++ occurs, and one that differs from it a little.
ASPECTS = (
    '(s / see-01 :ARG0 (p / person :name (n / name :op1 "Ann") :wiki "Ann" :quant 2 :poss (f / family)) '
    ":ARG1 (m / sum-of :op1 1 :op2 (a / amr-unknown)) :polarity - :cause (c / cause-01 :ARG1 p) :purpose (h / help-01) "
    ":instrument (t / telescope) :location (k / city) :time (d / date-entity :year 2000) :topic (o / moon))"
)


def test_the_page_has_rows() -> None:
    assert sum(row[0].startswith("smatch.py") for row in ROWS) == 7
    assert sum(row[0].startswith("python") for row in ROWS) == 10


def write_sample(folder: Path) -> None:
    for side in ("pred", "gold"):
        text = (SAMPLE / f"sample-{side}.amr").read_text(encoding="utf-8")
        (folder / f"{side}.amr").write_text(text, encoding="utf-8")


def write_aspects(folder: Path) -> None:
    for name, text in (("pred", ASPECTS.replace("moon", "sun").replace("2000", "2001")), ("gold", ASPECTS)):
        (folder / f"{name}.amr").write_text(f"{text}\n\n{text}\n", encoding="utf-8")


def aspects(way: str) -> tuple[str, list[str]]:
    """The command of smatchpp for its aspects, and the flags of fastmatch that stand beside it."""
    row = next(line for line in PAGE.read_text(encoding="utf-8").splitlines() if f"all-{way}align" in line)
    there, here = re.findall(r"`([^`]*)`", row)[:2]
    return f"python -m smatchpp -a pred.amr -b gold.amr -graph_type amr -score_type micro {there}", here.split()


#: Runs ``python -m smatchpp`` with each list of arguments, in its folder, and prints what each printed. Its modules are
#: new each time, but not the large packages that they import.
_ALL_RUNS = """
import contextlib, io, json, os, runpy, sys
printed = []
for folder, arguments in json.load(sys.stdin):
    for name in [name for name in sys.modules if name.split(".")[0] == "smatchpp"]:
        del sys.modules[name]
    os.chdir(folder)
    sys.argv[1:] = arguments
    with contextlib.redirect_stdout(io.StringIO()) as out:
        try:
            runpy.run_module("smatchpp", run_name="__main__", alter_sys=True)
        except SystemExit as ended:
            assert not ended.code
    printed.append(out.getvalue())
print(json.dumps(printed))
"""


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Each command of smatchpp → what it prints."""
    if find_spec("smatchpp") is None:
        pytest.skip("needs the package smatchpp (PyPI)")
    sample, small = (tmp_path_factory.mktemp(name) for name in ("sample", "aspects"))
    write_sample(sample)
    write_aspects(small)
    commands = {row[0]: sample for row in ROWS if row[0].startswith("python")}
    commands |= {aspects(way)[0]: small for way in ("multi", "one")}
    runs = [(str(folder), shlex.split(command)[3:]) for command, folder in commands.items()]
    done = subprocess.run([sys.executable, "-c", _ALL_RUNS], input=json.dumps(runs), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return dict(zip(commands, json.loads(done.stdout), strict=True))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_sample(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ours(command: str, which: str, capsys: pytest.CaptureFixture[str]) -> list[tuple[float, ...]]:
    """F1, precision and recall that fastmatch gives, as fractions, of each pair or of all."""
    _, *arguments = shlex.split(command)
    pairs = "--per-pair" in arguments
    assert main([*arguments, *(["--json"] if not pairs and "--json" not in arguments else [])]) == 0
    text = capsys.readouterr().out
    if pairs:
        return [tuple(float(row[{"f1": "score"}.get(name, name)]) for name in SCORES) for row in table(text)]
    found = json.loads(text)["macro" if which == "macro" else "micro"]
    return [tuple(found[name] for name in SCORES)]


@pytest.mark.parametrize(("there", "here", "which"), [pytest.param(*row, id=row[0]) for row in ROWS])
def test_row(there, here, which, place, capsys, request):
    found = ours(here, which, capsys)
    if there.startswith("smatch.py"):
        digits = 6 if "--significant" in there else 2
        done = run_program(*shlex.split(there)[1:], cwd=place)
        assert done.returncode == 0, done.stderr
        names = ("F-score", "Precision", "Recall")
        numbers = [re.findall(rf"^{name}: (.*)$", done.stdout, re.MULTILINE) for name in names]
        assert [tuple(f"{value:.{digits}f}" for value in row) for row in found] == list(zip(*numbers, strict=True))
        return
    pattern = r"^main -+>\s+F1: ([\d.]+)\s+Precision: ([\d.]+)\s+Recall: ([\d.]+)"
    rows = re.findall(pattern, request.getfixturevalue("printed")[there], re.MULTILINE)
    expected = [tuple(map(float, row)) for row in rows]  # in points
    assert expected and len(found) == len(expected)
    for mine, theirs in zip(found, expected, strict=True):
        assert [round(100 * value, 2) for value in mine] == pytest.approx(theirs, abs=0.0051)  # a tie at the 3rd digit


@pytest.mark.parametrize("way", ["multi", "one"])
def test_the_rows_of_aspects(way, place, printed, capsys):
    """On graphs in which every aspect occurs, since smatchpp fails on others."""
    import smatchpp as package

    frames = Path(package.__file__).parent / "formalism/amr/resource/propbank-amr-frames-arg-descr.txt"
    write_aspects(place)
    there, flags = aspects(way)
    expected = {
        name.strip(): tuple(map(float, numbers))
        for name, *numbers in re.findall(
            r"^(\S.*?) -+>\s+F1: ([\d.]+)\s+Precision: ([\d.]+)\s+Recall: ([\d.]+)", printed[there], re.MULTILINE
        )
    }
    here = ["score", "pred.amr", "gold.amr", *flags, "--json"]
    assert main([*here, *(["--frames", str(frames)] if frames.is_file() else [])]) == 0
    rows = json.loads(capsys.readouterr().out)["aspects"].items()
    found = {name: tuple(round(100 * row["micro"][score], 2) for score in SCORES) for name, row in rows}
    assert len(expected) == 19 and {name: found[name] for name in expected} == expected
