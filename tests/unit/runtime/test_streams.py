"""Standard output takes every text, whatever its encoding."""

import io

import pytest

from fastmatch.runtime.streams import take_any_text

TEXT = "(c / café :ARG0 (d / \ud800))"


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_a_file_gets_utf_8_and_a_terminal_what_it_has(encoding: str) -> None:
    file, terminal = (kind(io.BytesIO(), encoding=encoding) for kind in (io.TextIOWrapper, Terminal))
    for stream in (file, terminal):
        take_any_text(stream)
        stream.write(TEXT)
        stream.flush()
    assert terminal.buffer.getvalue() == TEXT.encode(encoding, "backslashreplace")  # type: ignore[attr-defined]
    assert file.buffer.getvalue() == "(c / café :ARG0 (d / \\ud800))".encode()  # type: ignore[attr-defined]


def test_what_is_no_file_stays_as_it_is() -> None:
    stream = io.StringIO()
    take_any_text(stream)
    take_any_text(None)
    assert stream.write(TEXT) == len(TEXT)
