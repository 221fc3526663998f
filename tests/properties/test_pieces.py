"""What several threads read in parts is what one thread makes of it: corpus, messages, strings and all."""

import gzip
import io
import os
import threading
import warnings
from unittest.mock import Mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.graphs import pieces, reading
from fastmatch.graphs.arrays import ARRAYS
from fastmatch.graphs.dialects import DIALECTS, make_reader

from support.mutation import CAMR, CAMR_ROWS, SAMPLE, TOKENS
from support.refusal import fails

# with a co-reference to a node that does not exist, which is left out
LOST = "1\tx0\troot\t-\t:top\t-\t-\tx1\ta\t-\n1\tx1\ta\t-\t:arg0\t-\t-\tx2\tb\tx9\n"

PENMAN = [name for name, reading in DIALECTS.items() if reading.penman]

GRAPHS = [
    *SAMPLE,
    b"(a / cat)",
    b'(b / b~e.1 :ARG0-of (c / d :polarity -) :op1 "x y")',
    '(ü / katze :name "Mäusebär")'.encode(),
    b"# ::id one\n# ::snt A cat .\n(a / cat\n   :mod (b / big))",
    b"# ::snt of ancast\n(s1a / see-01 :ARG0 (s1b / she))",
    b"()",
    b"(a)",
    b"(a / cat :ARG0 (b / dog :ARG1 a) :ARG1-of b)",
]
DAMAGED = [
    b"(a / cat", b"(a / cat :ARG0", b"(a / cat))", b"(a / cat) junk", b"junk", b")", b'(a / cat :op1 "open)',
    b"(a / cat :op1 \xff)", b"# \xff\n(a / cat)", b"# \xff", b"(a / cat\n\n:ARG0 (b / dog))",
    b"(a / cat :ARG0\n\n(b / dog))", b"(a / cat :ARG0 (b / dog)\n\n# ::id x\n(c / cow)", b"(a / \xe2\x80",
    b"(a / c\x00t)", b"# ::id alone", b"# text", b"(",
]  # fmt: skip
GAPS = [
    b"\n\n", b"\r\n\r\n", b"\n\r\n", b"\r\n\n", b"\n", b"\n\n\n", b"\n \n", b"\n\t\n\n", b"\n\n  ", b"\r\r",
    "\n\u2028\n\n".encode(), "\u2028\u2028".encode(), "\u00a0\n\n".encode(), b"\x0c\n\n", b" \n\n", b"\x00\n\n", b"",
]  # fmt: skip


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    """Graphs, damaged ones among them, with all that may stand between two graphs; mostly empty lines."""
    gaps = st.one_of(st.sampled_from(GAPS[:2]), st.sampled_from(GAPS))
    bits = st.one_of(st.sampled_from(GRAPHS), st.sampled_from(GRAPHS + DAMAGED))
    chosen = st.sampled_from(GRAPHS) if draw(st.booleans()) else bits
    text = b"".join(draw(chosen) + draw(gaps) for _ in range(draw(st.integers(1, 9))))
    if draw(st.booleans()):
        data = bytearray(text)
        for _ in range(draw(st.integers(0, 3))):
            at = draw(st.integers(0, len(data)))
            data[at:at] = draw(st.one_of(st.binary(max_size=2), st.sampled_from(TOKENS).map(str.encode)))
        text = bytes(data)
    return draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf", b"\xef\xbb\xbf\xef\xbb\xbf", b"\n\n"])) + text


def outcome(data: bytes, workers: int, dialect: str, on_error: str, piece: int = 1):
    pieces.PIECE = piece
    return left_behind(lambda **options: fm.read(io.BytesIO(data), workers=workers, **options), dialect, on_error)


def left_behind(reading, dialect: str, on_error: str):
    """All that reading leaves behind, as something that can be compared."""
    vocabulary = fm.Vocabulary(["dog", ":ARG7"])
    found = {}
    try:
        corpus = reading(dialect=dialect, on_error=on_error, vocabulary=vocabulary)
    except fm.ReadError as error:
        found["error"] = (str(error), error.line, error.column, error.text, error.place)
    except TypeError as error:
        found["error"] = str(error)
    else:
        for name, (rows, dtype) in ARRAYS.items():
            array = getattr(corpus, name)
            assert array.dtype == dtype and array.flags.c_contiguous and array.ndim == (2 if rows else 1)
            found[name] = array.tolist()
        found |= {"problems": corpus.problems, "repairs": corpus.repairs, "source": corpus.source}
    return {**found, "strings": list(vocabulary)}


@pytest.fixture(scope="module", autouse=True)
def own_size():
    before = pieces.PIECE
    yield
    pieces.PIECE = before


@pytest.fixture
def tiny_pieces() -> None:
    pieces.PIECE = 1


@given(texts(), st.sampled_from(PENMAN), st.sampled_from(["raise", "skip", "empty", "repair"]), st.integers(1, 5))
@example(b"(a / cat)\n\n(b / dog\n\n(c / cow)\n\n(d / doe)", "penman", "empty", 2)
@example(b"(a / cat)\n\n# x\n\n(b / dog)\n\n(c / cow)", "penman", "raise", 3)
@example(b"(a / cat)\n\n(b / dog) # x\n\n(c / cow)\n\n(d / doe)", "penman", "raise", 2)
@example(b"(x / y)\n\n(a / cat :ARG0\n\n(b / dog) :ARG1\n\n(c / cow))\n\n(d / doe)", "penman", "empty", 2)
@example(b"(a / cat)\n\n\n\n(b / dog)\n\n\n(c / cow)\n\n(d / doe)", "ancast", "raise", 3)
def test_as_one_thread_reads(data: bytes, dialect: str, on_error: str, workers: int) -> None:
    assert outcome(data, workers, dialect, on_error) == outcome(data, 1, dialect, on_error, piece=1 << 30)


class Slow:
    """A reader that reads texts one by one."""

    def __init__(self, *given) -> None:
        self._reader = make_reader(*given)

    def feed_each(self, texts: tuple[object, ...], start: int, stop: int) -> int:
        return start

    def __getattr__(self, name: str):
        return getattr(self._reader, name)


@given(
    st.lists(
        st.one_of(
            st.sampled_from(GRAPHS).map(bytes.decode),
            st.sampled_from(GRAPHS + DAMAGED).map(lambda text: text.decode("utf-8", "surrogateescape")),
            st.sampled_from(
                ["\ufeff(a / cat)", "(a / b)(c / d)", None, 3, "", "# ::id x", CAMR, CAMR_ROWS, LOST, f"{LOST}\n{LOST}"]
            ),
        ),
        max_size=12,
    ),
    st.sampled_from(list(DIALECTS)),
    st.sampled_from(["raise", "skip", "empty", "repair"]),
    st.integers(1, 4),
)
def test_a_list_as_its_texts_one_by_one(texts, dialect, on_error, workers):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "_TEXT", 1.0)  # a thread takes one text at a time
        with warnings.catch_warnings(record=True) as said:
            found = left_behind(lambda **options: fm.parse(texts, workers=workers, **options), dialect, on_error)
        patch.setattr(reading, "make_reader", Slow)
        with warnings.catch_warnings(record=True) as expected:
            assert found == left_behind(lambda **options: fm.parse(texts, **options), dialect, on_error)
        assert [str(one.message) for one in said] == [str(one.message) for one in expected]


def test_texts_are_read_by_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each range of a list once, none in this thread; the error of the first text that has one is raised."""
    monkeypatch.setattr(pieces, "_TEXT", 1.0)
    seen: list[tuple[int, threading.Thread]] = []
    divided = pieces.Lists.read

    def watched(self: pieces.Lists, chunks, part) -> None:
        def seeing(reader, start: int, stop: int) -> None:
            seen.append((start, threading.current_thread()))
            part(reader, start, stop)

        divided(self, chunks, seeing)

    monkeypatch.setattr(pieces.Lists, "read", watched)
    texts = [f"(a / cat{k} :ARG0 (b / dog))" for k in range(50)]
    assert len(fm.parse(texts, workers=3)) == 50
    assert sorted(start for start, _ in seen) == list(range(50))
    assert threading.main_thread() not in {thread for _, thread in seen}
    texts[20:] = ["(a /"] * 30
    fails(fm.ReadError, "<string 20>", fm.parse, texts, workers=4)
    fails(TypeError, r"^gold\[7\]: expected a Corpus", fm.score, texts[:10], [*texts[:7], 3, *texts[8:10]], workers=4)
    fails(fm.OptionError, "workers=0", fm.parse, texts, workers=0)
    fails(fm.OptionError, "workers=0", fm.read, io.BytesIO(b"(a / cat)"), workers=0)


@pytest.mark.parametrize("dialect", PENMAN)
def test_pieces_are_read_by_threads(dialect: str, tiny_pieces: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every graph of a sound text is a piece, each read once, by a thread, and none once more from the beginning."""
    text = b"".join(b"# ::id g%d\n# ::snt x\n(s1a / cat%d :ARG0 (s1b / dog))\n\n" % (k, k) for k in range(50))
    seen = []
    feed = pieces.Pieces._feed
    monkeypatch.setattr(
        pieces.Pieces,
        "_feed",
        lambda self, *given, **options: (
            seen.append((given[1], threading.current_thread())) or feed(self, *given, **options)
        ),
    )
    assert len(fm.read(io.BytesIO(text), dialect=dialect, workers=3)) == 50
    places = sorted(place for place, _ in seen)
    assert len(places) == len(set(places)) == 50
    assert threading.main_thread() not in {thread for _, thread in seen}


def test_progress_and_stop(tiny_pieces: None) -> None:
    text = b"(a / cat)\n\n" * 200
    told: list[tuple[int, int]] = []
    fm.read(io.BytesIO(text), workers=3, progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told) and told[-1] == (len(text), len(text))
    fails(KeyboardInterrupt, None, fm.read, io.BytesIO(text), workers=3, progress=Mock(side_effect=KeyboardInterrupt))
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("fastmatch-")]


@pytest.mark.parametrize("workers", [1, 3])
def test_files(workers, tmp_path, monkeypatch):
    """A file is loaded in parts as well; its name is in messages; a packed one is unpacked first."""
    text = b"".join(b"# ::id g%d\n(a / cat%d :ARG0 (b / dog))\n\n" % (k, k % 7) for k in range(200))
    damaged = text + b"(a / cat\n\n" + text
    whole = outcome(damaged, 1, "penman", "empty", piece=1 << 30)
    monkeypatch.setattr(pieces, "PIECE", 1000)
    (tmp_path / "a.amr").write_bytes(damaged)
    (tmp_path / "a.amr.gz").write_bytes(gzip.compress(damaged))
    for name in ("a.amr", "a.amr.gz"):
        path = str(tmp_path / name)
        corpus = fm.read(path, workers=workers, on_error="empty", vocabulary=fm.Vocabulary(["dog", ":ARG7"]))
        for array in ARRAYS:
            assert getattr(corpus, array).tolist() == whole[array]
        assert [(k, what.replace(path, "<stream>")) for k, what in corpus.problems] == list(whole["problems"])
        error = fails(fm.ReadError, "is not closed", fm.read, path, workers=workers)
        assert (error.source, error.line) == (path, 603)  # where the next graph begins


def test_a_file_that_shrinks(tmp_path, tiny_pieces, monkeypatch):
    """What is left of a file that is cut while it is read is read as if it had been so short from the beginning."""
    path = tmp_path / "a.amr"
    path.write_bytes(b"(a / cat)\n\n" * 20)
    spread = pieces.threads.spread

    def shrunk(*given, **options) -> None:
        os.truncate(path, 22)
        spread(*given, **options)

    monkeypatch.setattr(pieces.threads, "spread", shrunk)
    assert len(pieces.load(str(path), 2)) == 22
