"""The deliberate mistakes of ``ci/mutants.sh`` still fit the sources; whether they are found takes builds."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
PATCHES = sorted((ROOT / "tests" / "mutants").glob("*.patch"))


def test_there_are_twelve() -> None:
    assert len(PATCHES) == 12


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: patch.stem)
def test_what_it_changes_is_there(patch: Path) -> None:
    lines = patch.read_text("utf-8").splitlines()
    source = ROOT / next(line for line in lines if line.startswith("--- a/")).removeprefix("--- a/")
    if not source.exists():
        pytest.skip("the tests run without the sources")
    body = lines[next(k for k, line in enumerate(lines) if line.startswith("@@")) + 1 :]
    old = "\n".join(line[1:] for line in body if line[:1] in (" ", "-"))
    assert source.read_text("utf-8").count(old) == 1
    assert any(line.startswith("+") for line in body)
