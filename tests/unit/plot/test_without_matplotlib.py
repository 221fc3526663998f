"""Without matplotlib one line says what to install, before any work."""

import sys

import pytest

import fastmatch as fm
from fastmatch.cli import main

from support.refusal import fails

LINE = r"plots need matplotlib: pip install 'fastmatch\[plot\]'"


@pytest.fixture(autouse=True)
def absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)


def test_functions() -> None:
    fails(fm.OptionError, LINE, fm.plot.histogram, fm.score("(a / b)", "(a / b)"))
    fails(fm.OptionError, LINE, fm.plot.heatmap, [[1.0]])


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "no-such", "no-such"],
        ["compare", "no-such", "no-such", "no-such"],
        ["bench", "principles", "no-such", "no-such"],
        ["matrix", "no-such"],
        ["train", "wwlk", "no-such", "no-such", "-", "-o", "x"],
    ],
)
def test_verbs(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*arguments, "--plot", "x.svg"]) == 2
    assert capsys.readouterr().err == "fastmatch: plots need matplotlib: pip install 'fastmatch[plot]'\n"
