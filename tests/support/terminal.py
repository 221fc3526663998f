"""A stream in memory that says that it is a terminal."""

import io
import sys

import pytest


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def standard_error(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal in the place of standard error, on which bars appear at once."""
    made = Terminal()
    monkeypatch.setattr(sys, "stderr", made)
    monkeypatch.setattr("fastmatch.runtime.progress.APPEARS_AFTER", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    return made
