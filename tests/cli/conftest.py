"""What tests of the command line begin with."""

import shutil

import pytest

from support.command_line import first_pairs
from support.places import SAMPLE


@pytest.fixture
def folder(tmp_path):
    """A folder with ``pred.amr`` and ``gold.amr``, the sample corpus."""
    for side in ("pred", "gold"):
        shutil.copy(SAMPLE / f"sample-{side}.amr", tmp_path / f"{side}.amr")
    return tmp_path


@pytest.fixture
def here(folder, monkeypatch):
    """The same as the working directory."""
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def few(here):
    """The same with the first twelve graphs only."""
    return first_pairs(here)
