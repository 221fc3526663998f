"""What importing and scoring load. Each test runs in a process of its own, where nothing is imported yet."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numba", "scipy", "rich", "penman")


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def test_importing_loads_next_to_nothing():
    """Lazy attributes: ``import fastmatch`` costs less than ``import numpy``, which it does not even do."""
    loaded = run("import sys; before = set(sys.modules); import fastmatch; print(*set(sys.modules) - before)").split()
    needed = run("import sys; before = set(sys.modules); import typing; print(*set(sys.modules) - before)").split()
    assert set(loaded) <= {"fastmatch", "__future__", *needed}


@pytest.mark.parametrize(
    "code",
    [
        "fm.score('(a / cat :ARG0 (d / dog))', '(b / cat)').f1",
        "repr(fm.score(['(a / cat)'] * 3, ['(b / cat)'] * 3, preset='smatch', workers=2).macro)",
        "str(fm.align('(a / cat)', '(b / cat)'))",
        "fm.score('(a / cat)', '(b / cat)', solver='climb').f1",
        "fm.compare(['(a / cat)'] * 3, ['(b / cat)'] * 3, ['(b / dog)'] * 3, resamples=9)",
        "[fm.parse('(a / cat)')[0].encode(), fm.parse('(a / cat)').ids]",
    ],
)
def test_scoring_loads_nothing_heavy(code):
    loaded = run(f"import sys, fastmatch as fm; {code}; print(*sys.modules)").split()
    assert not set(HEAVY) & set(loaded)


def test_all_names_are_there_and_listed():
    import fastmatch

    for name in fastmatch.__all__:
        assert getattr(fastmatch, name) is not None
        assert name in dir(fastmatch)
    assert set(fastmatch._HOME) == set(fastmatch.__all__)


def test_unknown_names():
    import fastmatch

    with pytest.raises(AttributeError, match="no attribute 'smach'"):
        fastmatch.smach  # noqa: B018
