"""The bench that leaves parts of the search out knows which lines to replace, and says so if one is not there."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "benches" / "ablation.py"
pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="benches are not beside the tests")


def check(script: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True)


def test_every_line_to_replace_is_there() -> None:
    done = check(SCRIPT)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_line_that_has_changed_is_named(tmp_path: Path) -> None:
    (tmp_path / "benches").mkdir()
    copy = shutil.copy2(SCRIPT, tmp_path / "benches")
    shutil.copytree(ROOT / "fastmatch", tmp_path / "fastmatch", ignore=shutil.ignore_patterns("*.so", "*.pyd", "data"))
    path = tmp_path / "fastmatch" / "_ext" / "matching" / "annealing.pyx"
    path.write_text(path.read_text(encoding="utf-8").replace("while work < limit:", "while work <= limit:"), "utf-8")
    done = check(Path(copy))
    assert done.returncode == 1
    assert "fastmatch/_ext/matching/annealing.pyx has 0 lines that read 'while work < limit:'" in done.stderr
