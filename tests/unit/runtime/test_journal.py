"""The journal alone; what is written beside it is tested with the matrices (unit/allpairs/test_resuming.py)."""

import json
import os
from pathlib import Path

import pytest

from fastmatch import OptionError
from fastmatch.runtime.journal import Journal

from support.refusal import fails

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


def finished(target: str, *blocks: tuple[int, str]) -> None:
    """Open a journal, note these blocks with their checksums, and close it."""
    opened = journal(target)
    for block in blocks:
        opened.finish(*block)
    opened.close()


def reopened(target: str) -> Journal:
    again = journal(target)
    again.close()
    return again


def test_what_was_finished_is_known_later(target):
    """Of a block that was computed again the new checksum."""
    finished(target, (2, "c2"), (0, "old"), (0, "new"))
    again = reopened(target)
    assert (again.done, again.complete, again.header) == ({0: "new", 2: "c2"}, False, HEADER)
    blocks = [{"block": block, "checksum": checksum} for block, checksum in ((2, "c2"), (0, "old"), (0, "new"))]
    assert lines(target) == [HEADER, *blocks]


@pytest.mark.parametrize("checksum", ["", "abc"])
def test_a_complete_result(target, checksum):
    first = journal(target)
    os.replace(f"{target}.part", target)
    first.end(checksum)
    first.close()
    again = reopened(target)
    assert (again.complete, again.whole) == (True, checksum)
    assert len(lines(target)) == 2


def test_a_journal_whose_result_is_gone_is_begun_anew(target):
    journal(target).close()
    Path(f"{target}.part").unlink()
    journal(target, resume=False).close()
    assert lines(target) == [HEADER]


#: Lines that no journal has. The first and the third were a ``TypeError`` and a ``RecursionError``.
DAMAGED = [
    b'{"block": [1]}\n',
    b'{"block": [1], "checksum": "c"}\n',
    b"[" * 200_000 + b"\n",
    b"[1]\n",
    b'{"block": 1}\n',
    b'{"block": 3, "checksum": "c"}\n',
    b'{"block": -1, "checksum": "c"}\n',
    b'{"block": true, "checksum": "c"}\n',
    b'{"block": 1.0, "checksum": "c"}\n',
    b'{"block": 1, "checksum": 7}\n',
    b'{"block": ' + b"1" * 5000 + b', "checksum": "c"}\n',
    b'{"complete": 1}\n',
    b"{}\n",
    b"\xff\xfe\n",
]


@pytest.mark.parametrize("torn", [b'{"block": 1, "checksum": "c"}', b'{"blo', b"\0\0\0", *DAMAGED])
def test_a_torn_or_damaged_line_is_no_line_nor_is_what_follows(target, torn):
    finished(target, (0, "c0"))
    whole = Path(f"{target}.journal").read_bytes()
    Path(f"{target}.journal").write_bytes(whole + torn + b'{"block": 2, "checksum": "c2"}\n')
    assert reopened(target).done == {0: "c0"} and Path(f"{target}.journal").read_bytes() == whole


@pytest.mark.parametrize(
    "first", [b'{"fingerprint": [], "blocks": 3}\n', b'{"fingerprint": "abc", "blocks": {}}\n', *DAMAGED]
)
@pytest.mark.parametrize("resume", [True, False])
def test_a_journal_without_a_header(target, first, resume):
    """Beside an unfinished result it is refused in one line; alone it tells of nothing."""
    Path(f"{target}.journal").write_bytes(first)
    message = r"result\.journal is damaged: remove it and .*result\.part to begin anew$"
    fails(OptionError, message, journal, target, resume=resume)
    assert Path(f"{target}.journal").read_bytes() == first
    Path(f"{target}.part").unlink()
    journal(target, resume=resume).close()
    assert lines(target) == [HEADER]
