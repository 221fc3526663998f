"""The deliberate mistakes of ``ci/mutants.sh`` still fit the sources; whether they are found takes builds."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

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


@pytest.fixture(scope="module")
def breaks() -> ModuleType:
    spec = spec_from_file_location("exclusion_breaks", ROOT / "tests" / "mutants" / "exclusion_breaks.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_break_of_exclusion_still_fits_the_sources(breaks: ModuleType) -> None:
    if not breaks.ROOM.exists():
        pytest.skip("the tests run without the sources")
    text = {name: (breaks.ROOM / name).read_text("utf-8") for name in {entry.source for entry in breaks.BREAKS}}
    assert [entry.name for entry in breaks.BREAKS if text[entry.source].count(entry.old) != 1] == []
    assert all(entry.old != entry.new for entry in breaks.BREAKS)
    assert len({entry.name for entry in breaks.BREAKS}) == len(breaks.BREAKS)
    assert [entry.name for entry in breaks.BREAKS if (entry.sort == breaks.WRONG) == bool(entry.why)] == []


def test_the_program_of_breaks_has_help_and_refuses_a_name_that_no_break_has(
    breaks: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    for argv, status in ((["--help"], 0), (["no break"], 2)):
        with pytest.raises(SystemExit) as ended:
            breaks.main(argv)
        assert ended.value.code == status
    out, err = capsys.readouterr()
    assert "[PART ...]" in out and "WRONG" in out
    assert err.endswith("no break has this in its name: no break\n")
