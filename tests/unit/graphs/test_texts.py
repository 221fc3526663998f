"""The texts of graphs, as they stand in files."""

import io

from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.graphs.texts import GraphTexts

from support.refusal import fails

BITS = [
    *("(a / cat)", "# ::id x\n(a / cat\n  :mod (b / big))", "(b / dog) # y"),
    *("(a / cat", ")", "", "# x", "  # z", "\ufeff"),
]


def texts(data: bytes, dialect: str = "penman", on_error: str = "raise") -> list[bytes]:
    return list(GraphTexts(io.BytesIO(data), dialect, on_error))


def test_comments_go_with_the_graph_behind_them() -> None:
    data = b"# of the file\n\n# ::id 1\n# ::snt x\n(a / cat\n   :mod b)\n\n\n# ::id 2\r\n\r\n(b / dog)\r\n"
    data += b"(c / cow) (d / doe)\n# end"
    assert texts(data) == [
        b"# of the file\n\n# ::id 1\n# ::snt x\n(a / cat\n   :mod b)\n\n\n",
        b"# ::id 2\r\n\r\n(b / dog)\r\n",
        b"(c / cow) ",
        b"(d / doe)\n# end",
    ]
    assert texts(b"\xef\xbb\xbf(a / cat)") == [b"(a / cat)"] and texts(b"\n# x\n") == []


def test_a_broken_graph_keeps_its_text() -> None:
    data = b"# ::id 1\n(a / cat\n\n# ::id 2\n(b / dog)\n"
    fails(fm.ReadError, "<stream>:4:1", texts, data)
    assert texts(data, on_error="empty") == [b"# ::id 1\n(a / cat\n\n", b"# ::id 2\n(b / dog)\n"]


@given(st.lists(st.sampled_from(BITS), max_size=6), st.sampled_from(["\n", "\n\n", "\r\n\r\n", "\r", " "]))
def test_all_texts_are_the_file(bits: list[str], gap: str) -> None:
    data = gap.join(bits).encode()
    for dialect in ("penman", "smatch", "wlk"):
        found = texts(data, dialect, "empty")
        assert len(found) == len(fm.read(io.BytesIO(data), dialect=dialect, on_error="empty"))
        if found:
            assert b"".join(found) == data.removeprefix(b"\xef\xbb\xbf")


def test_no_penman_notation(tmp_path) -> None:
    fails(fm.OptionError, "no text in Penman notation", texts, b"cat.n.01", dialect="sbn")
    fm.parse("(a / cat)").save(tmp_path / "saved")
    fails(fm.OptionError, "no text in Penman notation", GraphTexts, tmp_path / "saved", "penman", "raise")
