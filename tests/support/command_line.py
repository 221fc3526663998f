"""The command line in a process of its own, as tests run it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

__all__ = ["needs_signals", "refused", "run", "table"]

needs_signals = pytest.mark.skipif(os.name == "nt", reason="POSIX signals and pipes")


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
