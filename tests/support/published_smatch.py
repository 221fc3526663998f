"""The package ``smatch`` (PyPI), with random numbers that are the same in every run.

It seeds its generator from the system before each start, so its scores differ from run to run. Here the generator is
seeded once. Nothing else is changed.
"""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import strategies as st

smatch = pytest.importorskip("smatch", reason="needs the package smatch (PyPI)")
amr = smatch.amr
assert "fastmatch" not in smatch.__name__

#: Pieces of graphs, with whatever the reader treats in a way of its own.
PIECES = (
    "(", ")", "(", ")", ":", "/", '"', " ", " ", "\t", "\n", "_", "-of", "-", "a", "b", "ab", "mod", "consist-of",
    "TOP", "ARG0", "#", "ü", "\u00a0", "(a / b", " :ARG0 (c / d", " :ARG0-of a", ' :op1 "x y"', " :mod 5",
    " :mod (e / f", " :polarity -)", " :domain-of a", "(a / (a / b))", "(/ x", " :a-of b",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)

_ONCE = "import random; random.seed(0); random.seed = lambda *_: None; "
_PROGRAM = "import runpy, sys, smatch; sys.argv[0] = 'smatch.py'; runpy.run_path(smatch.__file__, run_name='__main__')"


@pytest.fixture
def repeatable(monkeypatch):
    """The package in this process, its generator seeded for the test, its table of maps empty."""
    random.seed(0)
    monkeypatch.setattr(random, "seed", lambda *_: None)
    monkeypatch.setattr(smatch, "match_triple_dict", {})
    return smatch


def run_program(*arguments: str, cwd: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run ``smatch.py``, in a process of its own, since it keeps its flags in variables of modules."""
    return _run(_ONCE + _PROGRAM, *arguments, cwd=cwd, stdin=stdin)


def run_script(script: str, *arguments: str, cwd: Path, installed: str | None) -> subprocess.CompletedProcess[str]:
    """Run a program that imports ``smatch``.

    With ``installed``, the arguments of :func:`fastmatch.compat.install`, that is called before; with None the program
    gets the package.
    """
    before = _ONCE if installed is None else f"import fastmatch.compat; fastmatch.compat.install({installed}); "
    return _run(before + "import runpy, sys; runpy.run_path(sys.argv[1])", script, *arguments, cwd=cwd)


def _run(code: str, *arguments: str, cwd: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONUTF8": "1"},
    )
