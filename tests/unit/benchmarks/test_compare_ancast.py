"""The comparison with the package ancast runs, on the packaged sample, and finds no difference."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import fastmatch

SCRIPT = Path(__file__).parents[3] / "benches" / "peers" / "compare_ancast.py"


@pytest.mark.slow
def test_compare_ancast() -> None:
    pytest.importorskip("ancast", reason="needs the package ancast")
    if not SCRIPT.exists():
        pytest.skip("the benches are not in this distribution")
    folder = Path(fastmatch.__file__).parent
    files = [str(folder / "data" / f"sample-{side}.amr") for side in ("pred", "gold")]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(folder.parent)}
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *files, "--rounds", "1", "--step", "2"],
        capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    differences = [float(text) for text in re.findall(r"largest difference (\S+)", done.stdout)]
    assert len(differences) == 3  # sentences, documents of 80 nodes, siblings; too few sentences for 300
    assert max(differences) < 1e-12
