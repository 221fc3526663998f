"""The journal alone; what is written beside it is tested with the matrices (unit/allpairs/test_resuming.py)."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from fastmatch import OptionError
from fastmatch.runtime.journal import Journal

HEADER = {"fingerprint": "abc", "blocks": 3}


@pytest.fixture
def target(tmp_path) -> str:
    """A result that is not finished: its file of parts is there."""
    (tmp_path / "result.part").touch()
    return str(tmp_path / "result")


def journal(target: str, *, resume: bool = True, **changed) -> Journal:
    return Journal(target, {**HEADER, **changed}, resume=resume)


def lines(target: str) -> list[dict]:
    return [json.loads(line) for line in Path(f"{target}.journal").read_text().splitlines()]


def test_what_was_finished_is_known_later(target):
    first = journal(target)
    assert (first.done, first.complete) == (set(), False)
    first.finish(2)
    first.finish(0)
    first.close()
    again = journal(target)
    assert (again.done, again.complete, again.header) == ({0, 2}, False, HEADER)
    again.close()
    assert lines(target) == [HEADER, {"block": 2}, {"block": 0}]


def test_a_complete_result(target):
    first = journal(target)
    os.replace(f"{target}.part", target)
    first.close(complete=True)
    again = journal(target)
    assert again.complete
    again.close(complete=True)
    assert lines(target) == [HEADER, {"complete": True}]


def test_an_unfinished_result_is_not_thrown_away_unasked(target):
    journal(target).close()
    with pytest.raises(OptionError, match=r"result\.part is unfinished \(0 of 3 blocks are done\): resume it"):
        journal(target, resume=False)
    Path(f"{target}.part").unlink()
    begun = journal(target, resume=False)
    begun.close()
    assert lines(target) == [HEADER]


def test_another_computation_is_not_continued(target):
    journal(target).close()
    with pytest.raises(OptionError, match="is of another computation"):
        journal(target, fingerprint="xyz")
    assert lines(target) == [HEADER]


@pytest.mark.parametrize("torn", [b'{"block": 1}', b'{"blo', b"\0\0\0", b"[1]\n"])
def test_a_torn_line_is_no_line(target, torn):
    first = journal(target)
    first.finish(0)
    first.close()
    whole = Path(f"{target}.journal").read_bytes()
    Path(f"{target}.journal").write_bytes(whole + torn)
    again = journal(target)
    again.close()
    assert again.done == {0}
    assert Path(f"{target}.journal").read_bytes() == whole


@pytest.mark.skipif(os.name == "nt", reason="no locks there")
def test_one_process_at_a_time(target):
    first = journal(target)
    with pytest.raises(OptionError, match="result is being written by another process"):
        journal(target)
    first.close()
    journal(target).close()
