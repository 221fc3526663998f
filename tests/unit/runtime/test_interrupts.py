"""Ctrl-C while a program starts: at points that are always the same, where Python drops the exception."""

import builtins
import signal
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import fastmatch as fm
from fastmatch.runtime.interrupts import interruptible

from support.child import ended
from support.command_line import needs_signals
from support.nightly import by_day
from support.places import GOLD
from support.refusal import fails

#: The signal arrives in a callback of a weak reference, as the import system has one for the lock of each module.
HOOK = """
import os, runpy, signal, sys, weakref

class Finder:
    def find_spec(self, name, *_):
        if name == wanted:
            thing = {1}.copy()
            reference = weakref.ref(thing, lambda _: os.kill(os.getpid(), signal.SIGINT))
            del thing

wanted, start, *sys.argv[1:] = sys.argv[1:]
sys.meta_path.insert(0, Finder())
if start == "fastmatch":
    runpy.run_module("fastmatch", run_name="__main__", alter_sys=True)
else:
    from fastmatch.__main__ import smatch
    sys.exit(smatch())
"""


@needs_signals
@pytest.mark.parametrize(
    "module",
    by_day([
        "fastmatch.cli", "argparse", "fastmatch.runtime.streams", "numpy", "fastmatch.cli.parser",
        "fastmatch.cli.standardize", "fastmatch.graphs.corpus", "numpy.linalg", "fastmatch._ext.graphs.columns",
        "fastmatch.graphs.standardization.steps",
    ], 3),
)  # fmt: skip
def test_interrupted_while_importing(tmp_path, module):
    given = ["standardize", str(GOLD), "--steps", "smatch++", "-o", "out.amr"]
    _check_interrupted(tmp_path, "fastmatch", module, given)


@needs_signals
@pytest.mark.parametrize("module", by_day(["fastmatch.compat", "argparse", "fastmatch.graphs.reading", "numpy"], 2))
def test_interrupted_while_importing_smatch(tmp_path, module):
    _check_interrupted(tmp_path, "fastmatch-smatch", module, ["-f", str(GOLD), str(GOLD)])


def _check_interrupted(folder, program, module, arguments):
    done = ended("-c", HOOK, module, program, *arguments, cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", f"{program}: interrupted\n")
    assert not list(folder.iterdir())


def test_programs_begin_there():
    project = Path(fm.__file__).parents[1] / "pyproject.toml"
    if not project.is_file():
        pytest.skip("the checkout is not beside the package")
    scripts = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["scripts"]
    assert scripts == {"fastmatch": "fastmatch.__main__:main", "fastmatch-smatch": "fastmatch.__main__:smatch"}


# ---------------------------------------------------------------- in this process


@pytest.fixture(autouse=True)
def handler_of_python():
    """Whatever ran before in this process, or runs it, may have left another handler of Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_what_a_program_returns():
    assert interruptible("p", lambda: 7) == 7
    fails(ZeroDivisionError, None, interruptible, "p", lambda: 1 // 0)
    assert builtins.__import__.__module__ == "builtins"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@needs_signals
def test_outside_imports_it_is_raised_at_once(capsys):
    def program():
        fails(KeyboardInterrupt, None, signal.raise_signal, signal.SIGINT)
        return 0

    assert interruptible("p", program) == 0  # the program has dealt with it
    assert interruptible("p", lambda: signal.raise_signal(signal.SIGINT) or 0) == 130
    assert capsys.readouterr().err == "p: interrupted\n"


@needs_signals
def test_remembered_until_the_end(capsys, tmp_path, monkeypatch):
    """A module that drops the exception, imported by a function call: no import statement raises it again."""
    from importlib import import_module

    (tmp_path / "module_that_is_interrupted.py").write_text(
        "import signal\ntry:\n    signal.raise_signal(signal.SIGINT)\nexcept BaseException:\n    pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    ended = []
    name = "module_that_is_interrupted"
    assert interruptible("p", lambda: ended.append(import_module(name)) or 0) == 130 and len(ended) == 1
    del sys.modules[name]
    assert interruptible("p", lambda: ended.append(import_module(name)) or 130) == 130  # which has said so itself
    del sys.modules[name]
    assert interruptible("p", lambda: ended.append(__import__(name)) or 0) == 130 and len(ended) == 2
    del sys.modules[name]
    assert capsys.readouterr().err == "p: interrupted\n" * 2


@needs_signals
def test_handlers_of_others_stay(monkeypatch):
    kept = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert interruptible("p", lambda: signal.raise_signal(signal.SIGINT) or 3) == 3
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, kept)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(interruptible, "p", lambda: 4).result() == 4
