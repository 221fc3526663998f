"""The verb ``umr``, in its own process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from fastmatch import umr


def run(*arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "fastmatch", "umr", *arguments], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == status, done.stderr
    return done


def test_table_and_json(own_data: Path):
    paths = own_data / "umr-pred.umr", own_data / "umr-gold.umr"
    expected = umr.score(*paths, sense=0.5)
    done = run(*map(str, paths), "--ancast-sense", "0.5")
    assert f"comprehensive{100 * expected.score:28.2f}".split()[-1] in done.stdout
    assert str(expected.signature) in done.stdout
    record = json.loads(run(*map(str, paths), "--ancast-sense", "0.5", "--json").stdout)
    assert record["scores"] == expected.scores
    assert run(*map(str, paths), "--preset", "tool").stdout != done.stdout


def test_errors_are_one_line(own_data: Path, tmp_path: Path):
    broken = tmp_path / "broken.umr"
    text = (own_data / "umr-gold.umr").read_text(encoding="utf-8")
    broken.write_text(text.replace("performance)", "performance", 1), encoding="utf-8")
    done = run(str(broken), str(own_data / "umr-gold.umr"), status=2)
    assert done.stderr.count("\n") == 1
    assert "broken.umr:1:1: sentence 1:" in done.stderr
    done = run(str(broken), str(own_data / "umr-gold.umr"), "--preset", "tool")
    assert done.stderr.startswith("fastmatch: left out:")
    assert run(str(broken), str(own_data / "umr-gold.umr"), "--preset", "tool", "--quiet").stderr == ""
