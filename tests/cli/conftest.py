"""What tests of the command line begin with."""

import shutil
from pathlib import Path

import pytest

import fastmatch

SAMPLE = Path(fastmatch.__file__).parent / "data"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working directory with ``pred.amr`` and ``gold.amr``, the sample corpus."""
    for side in ("pred", "gold"):
        shutil.copy(SAMPLE / f"sample-{side}.amr", tmp_path / f"{side}.amr")
    return tmp_path
