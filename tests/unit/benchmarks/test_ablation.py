"""The bench that leaves parts of the search out knows which lines to replace."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "benches" / "ablation.py"
pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="benches are not beside the tests")


def test_every_line_to_replace_is_there() -> None:
    done = subprocess.run([sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
