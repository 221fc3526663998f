"""What importing and scoring load. Each test runs in a process of its own, where nothing is imported yet."""

import argparse
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import fastmatch
from fastmatch import cli

HEAVY = ("numba", "scipy", "rich", "penman", "matplotlib", "pandas", "pyarrow")


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def test_importing_loads_next_to_nothing():
    """Lazy attributes: ``import fastmatch`` costs less than ``import numpy``, which it does not even do."""
    loaded = run("import sys; before = set(sys.modules); import fastmatch; print(*set(sys.modules) - before)").split()
    needed = run("import sys; before = set(sys.modules); import typing; print(*set(sys.modules) - before)").split()
    assert set(loaded) <= {"fastmatch", "__future__", *needed}


#: Run one after the other in one process, each with all that those before it have loaded.
LIGHT = [
    "fm.score('(a / cat :ARG0 (d / dog))', '(b / cat)').f1",
    "repr(fm.score(['(a / cat)'] * 3, ['(b / cat)'] * 3, preset='smatch', workers=2).macro)",
    "str(fm.align('(a / cat)', '(b / cat)'))",
    "fm.score('(a / cat)', '(b / cat)', solver='climb').f1",
    "fm.compare(['(a / cat)'] * 3, ['(b / cat)'] * 3, ['(b / dog)'] * 3, resamples=9)",
    "fm.agreement([['(a / cat)'] * 3, ['(b / cat)'] * 3], bootstrap=9, bootstrap_method='percentile').matrix",
    "[fm.parse('(a / cat)')[0].encode(), fm.parse('(a / cat)').ids]",
]


def test_scoring_loads_nothing_heavy():
    lines = ["import sys, fastmatch as fm", *(f"{code}; print(*sys.modules)" for code in LIGHT)]
    for code, loaded in zip(LIGHT, run("\n".join(lines)).splitlines(), strict=True):
        assert not set(HEAVY) & set(loaded.split()), code


def test_all_names_are_there_and_listed():
    for name in fastmatch.__all__:
        assert getattr(fastmatch, name) is not None and name in dir(fastmatch)


def test_a_verb_loads_no_other_verb_and_no_other_report(tmp_path):
    """Its user waits for what is imported."""
    (tmp_path / "a.amr").write_text("(a / cat)", encoding="utf-8")
    file = str(tmp_path / "a.amr")
    code = f"import sys; from fastmatch.cli import main; main(['score', {file!r}, {file!r}]); print(*sys.modules)"
    loaded = set(run(code).split())
    assert {"fastmatch.cli.score", "fastmatch.report.model"} <= loaded
    others = {"cli.benchmarks", "cli.umr", "cli.grapes", "pages.terminal", "results.paper", "benchmarks"}
    assert not {f"fastmatch.{name}" for name in others} & loaded


@pytest.mark.parametrize("verb", cli.VERBS)
def test_the_parser_of_one_verb_is_that_of_all(verb):
    (metric,) = cli._metric_names([verb], cli.DEFAULT)
    (of_all,), (of_one,) = (
        [action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
        for parser in (cli._parser(metric), cli._parser(metric, verb=verb))
    )
    assert list(of_all) == list(cli.VERBS)
    assert list(of_one) == [verb] and of_one[verb].format_help() == of_all[verb].format_help()
    module, function = of_one[verb].get_default("run")
    assert callable(getattr(import_module(module), function))


def test_unknown_names():
    with pytest.raises(AttributeError, match="no attribute 'smach'"):
        fastmatch.smach  # noqa: B018
    code = "import fastmatch\ntry:\n    fastmatch.rewards\nexcept AttributeError as error:\n    print(error)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "module 'fastmatch' has no attribute 'rewards'; import fastmatch.rewards first\n"


def test_the_source_without_extensions_says_what_to_do(tmp_path):
    source = Path(fastmatch.__file__).parent
    bare = tmp_path / "fastmatch"
    shutil.copytree(source, bare, ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    message = f"{bare} is the source of fastmatch without its compiled extensions: build them there with"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-c", "import fastmatch as fm; fm.score('(a / b)', '(a / b)')"]
    failed = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert f"NotBuiltError: {message}" in failed.stderr
    command = [sys.executable, "-m", "fastmatch", "score", "a.amr", "b.amr"]
    failed = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert failed.returncode == 2 and failed.stderr.startswith(f"fastmatch: {message}")
    assert failed.stderr.count("\n") == 1
