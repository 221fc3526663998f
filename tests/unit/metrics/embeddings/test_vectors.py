"""Word vectors: what the parser makes of text, what its errors say, when the cache is believed."""

import gzip
import json
import os
import pickle
from itertools import pairwise
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch._ext.reading.vectors import VectorParser, checksum
from fastmatch.metrics.embeddings.vectors import Embeddings
from fastmatch.metrics.names import BUILT_IN
from fastmatch.metrics.options import taking
from fastmatch.metrics.registry import get

from support.refusal import fails

OLD = 1_000_000_000_000_000_000  # a time of change long ago, in nanoseconds


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """Every test has a cache directory of its own."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("FASTMATCH_CACHE", str(folder))
    return folder


def write(path, text: str | bytes, age: int = 0):
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    os.utime(path, ns=(OLD + age, OLD + age))
    return path


def parse(text: bytes, pieces: int = 1 << 20) -> tuple[list[bytes], np.ndarray]:
    """Words and vectors of ``text``, fed to the parser in pieces of that many bytes."""
    parser, rows, rest = VectorParser(), [], b""
    for start in range(0, len(text) + pieces, pieces):
        piece = rest + text[start : start + pieces]
        last = start + pieces >= len(text) + pieces or start >= len(text)
        used = parser.feed(bytearray(piece + bytes(16)), len(piece), last)
        assert used >= 0, parser.fault
        rows.append(parser.take().copy())
        rest = piece[used:]
        if last:
            break
    blob, offsets = parser.words()
    words = [blob.tobytes()[a:b] for a, b in pairwise(offsets)]
    return words, np.concatenate([part for part in rows if len(part)])


NUMBERS = st.one_of(
    st.floats(-1e3, 1e3, allow_nan=False).map(repr),
    st.floats(width=32, allow_nan=False, allow_infinity=False).map(str),
    st.decimals(-9, 9, allow_nan=False, places=5).map(str),
    st.tuples(st.sampled_from(["", "-", "+"]), st.integers(0, 10**9), st.integers(0, 9)).map(
        lambda t: f"{t[0]}{t[1] // 10 ** t[2]}.{t[1] % 10 ** t[2]:0{max(t[2], 1)}d}"
    ),
    st.sampled_from(["0", "-0", "7", "1e-7", "-2.5E+3", ".5", "5.", "0.1234567", "0.12345678", "-0.123456789",
                     "0.30000001192092896", "16777217", "1.000000059604644775390625", "1e-50", "3.4028234663852886e38",
                     "123456789012345678901234567890e-20"]),
)  # fmt: skip


@pytest.mark.slow
@given(
    rows=st.integers(1, 5).flatmap(lambda d: st.lists(st.lists(NUMBERS, min_size=d, max_size=d), min_size=1)),
    line_end=st.sampled_from(["\n", "\r\n", " \n"]),
    pieces=st.integers(8, 200),
)
def test_numbers_are_those_of_float(rows: list[list[str]], line_end: str, pieces: int) -> None:
    """Whatever way a number is written and wherever a piece ends: float32(float(text)), to the bit."""
    words, vectors = parse("".join(f"word{k} {' '.join(row)}{line_end}" for k, row in enumerate(rows)).encode(), pieces)
    assert words == [f"word{k}".encode() for k in range(len(rows))]
    assert vectors.tobytes() == np.array(rows, float).astype(np.float32).tobytes()


def test_halves_are_rounded_as_float_rounds_them() -> None:
    """Short decimals next to the middle of two float32: where a product with a rounded 1/10^n could go wrong."""
    numbers = [f"{k / 10**7:.7f}" for k in range(0, 10**7, 997)]
    _, vectors = parse(("w " + " ".join(numbers) + "\nv " + " ".join(numbers) + "\n").encode())
    assert np.array_equal(vectors, np.array([numbers, numbers], float).astype(np.float32))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a 1 2\nb 3 4\n", ["a", "b"]),
        ("a 1 2\nb 3 4", ["a", "b"]),
        ("2 2\na 1 2\nb 3 4\n", ["a", "b"]),
        ("\ufeffa 1 2\nb 3 4\n", ["a", "b"]),
        ("a\t1  2 \r\n\r\nb 3\t4\r\n", ["a", "b"]),
        ("a 1 2\nat b@c.d 3 4\n", ["a", "at b@c.d"]),
        ("über 1 2\n\xa0 3 4\n", ["über", "\xa0"]),
        ("1 1 2\n2 3 4\n", ["1", "2"]),
    ],
)
def test_forms(tmp_path, text, words):
    for path in (write(tmp_path / "v.txt", text), write(tmp_path / "v.gz", gzip.compress(text.encode()))):
        found = Embeddings.load(path)
        assert found.words == words and found.vectors.tolist() == [[1, 2], [3, 4]] and found.vectors.dtype == np.float32
        assert [found.lookup(word) for word in [*words, "c", ""]] == [0, 1, -1, -1]
        assert found.rows(reversed(words)).tolist() == [1, 0] and words[0] in found
        assert len(found) == found.dimension == 2


def test_the_last_line_of_a_word_counts(tmp_path):
    found = Embeddings.load(write(tmp_path / "v", "a 1\nb 2\na 3\n"))
    assert found.vectors[found.lookup("a")] == 3 and len(found) == 3


@pytest.mark.parametrize("kept", [True, False])
def test_one_line_without_an_end(tmp_path, kept):
    """Nothing can be said of it before the text is at its end."""
    assert Embeddings.load(write(tmp_path / "v", "a 1 2"), cache=kept).vectors.tolist() == [[1, 2]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a 1 2\nb 1\n", "v:2:1: expected 2 numbers behind the word, found 1"),
        ("a 1 2\nb 1 2 3\n", "v:2:1: expected 2 numbers behind the word, found 3"),
        ("a 0.5 0.5\nb 0.25 0.25\nüb 0.1 1x\n", "v:3:8: '1x' is not a finite number"),
        ("a 1 nan\n", "v:1:5: 'nan' is not a finite number"),
        ("a 1 inf\n", "v:1:5: 'inf' is not a finite number"),
        ("a 1 1e39\n", "v:1:5: '1e39' is not a finite number"),
        ("a 1 2\nb 1 1.2.3\n", "v:2:5: '1.2.3' is not a finite number"),
        ("a 1 2\n 1 2\n", "v:2:1: expected a word at the beginning of the line, found a blank"),
        ("a\n", "v:1:1: expected a word and its numbers, found no number"),
        ("3 2\na 1 2\n", "v: the first line says 3 words, found 1"),
        ("2 2\na 1\n", "v:2:1: expected 2 numbers behind the word, found 1"),
        ("a" + " 1" * 16385, "v:1:1: too many numbers for a vector: expected 16384 at most, found 16385"),
        ("1 1000000\na 1\n", "v:1:1: too many numbers for a vector: expected 16384 at most, found 1000000"),
        ("", "v: expected a word and its numbers on each line, found no line"),
        ("\n\n", "v: expected a word and its numbers on each line, found no line"),
        (gzip.compress(b"a 1 2\n" * 99, mtime=0)[:-9], "v: damaged gzip file"),
    ],
)
def test_bad_text_is_one_clear_line(tmp_path, cache, text, message):
    caught = fails(fm.ReadError, None, Embeddings.load, write(tmp_path / "v", text))
    assert str(caught).removeprefix(f"{tmp_path}{os.sep}").startswith(message) and "\n" not in str(caught)
    assert not list(cache.iterdir())


def test_the_longest_vector(tmp_path):
    assert Embeddings.load(write(tmp_path / "v", "a" + " 1" * 16384)).dimension == 16384


@pytest.mark.parametrize("name", [name for name in BUILT_IN if name != "jumatch" and taking(get(name), "vectors")])
def test_every_metric_refuses_vectors_of_a_million_numbers(tmp_path, name):
    path = write(tmp_path / "v", "a" + " 1" * 1_000_000)
    (option,) = taking(get(name), "vectors")
    options = {"similarity": np.dot} if name == "softmatch" else {}
    with pytest.raises(fm.ReadError, match=r"v:1:1: too many numbers for a vector: .* 16384 at most, found 1000000$"):
        fm.score("(a / b)", "(a / b)", metric=name, **{option: path}, **options)


def test_a_missing_file(tmp_path):
    with pytest.raises(fm.OptionError, match=r"^embeddings: cannot read .*nowhere: No such file or directory$"):
        Embeddings.load(tmp_path / "nowhere")
    fails(fm.OptionError, "embeddings: cannot read", Embeddings.load, tmp_path)


def test_the_second_load_reads_the_cache(tmp_path, cache, monkeypatch):
    path = write(tmp_path / "v", "a 1 2\nb 3 4\n")
    first = Embeddings.load(path)
    assert len(list(cache.iterdir())) == 1
    monkeypatch.setattr("fastmatch.metrics.embeddings.vectors.VectorParser", None)
    second = Embeddings.load(path)
    assert second == first and hash(second) == hash(first) and second.words == ["a", "b"]
    assert second.vectors.tolist() == first.vectors.tolist()
    with pytest.raises(ValueError, match="read-only"):
        second.vectors[0, 0] = 7


def test_without_a_cache_the_same(tmp_path, cache):
    path = write(tmp_path / "v", "a 1 2\nb 3 4\n")
    bare = Embeddings.load(path, cache=False)
    assert not cache.exists()
    assert bare == Embeddings.load(path) and bare == Embeddings.load(path, cache=tmp_path / "elsewhere")
    assert bare == Embeddings.from_arrays(["a", "b"], [[1, 2], [3, 4]])
    assert bare != Embeddings.from_arrays(["a", "b"], [[1, 2], [3, 5]])
    assert bare != Embeddings.from_arrays(["a", "c"], [[1, 2], [3, 4]])
    assert (tmp_path / "elsewhere").exists()


def test_a_changed_text_is_read_anew(tmp_path, cache):
    path = write(tmp_path / "v", "a 1 2\n")
    Embeddings.load(path)
    write(path, "a 3 4\n", age=1)
    assert Embeddings.load(path).vectors.tolist() == [[3, 4]]
    assert len(list(cache.iterdir())) == 1, "the old version's cache is replaced"
    os.replace(write(tmp_path / "w", "a 5 6\n", age=1), path)  # same size, same time of change
    assert Embeddings.load(path).vectors.tolist() == [[5, 6]]


def test_what_killed_processes_left_is_removed(tmp_path, cache):
    """Half a cache of two gigabytes stayed for ever."""
    cache.mkdir()
    left = [cache / f"{name}.partial" for name in ("v.0.vectors.0123456789ab", "v.0.vectors.ba9876543210", "my.notes")]
    for path in left:
        path.touch()
    os.utime(left[0], (1, 1))
    os.utime(left[2], (1, 1))
    Embeddings.load(write(tmp_path / "v", "a 1 2\n"))
    assert [path.exists() for path in left] == [False, True, True]


def test_a_text_of_this_moment_is_not_cached(tmp_path, cache):
    path = tmp_path / "v"
    path.write_text("a 1 2\n")
    os.utime(path)
    assert Embeddings.load(path).vectors.tolist() == [[1, 2]]
    assert not cache.exists()


def test_no_damaged_cache_is_believed(tmp_path, cache):
    """Every kind of damage, one after the other: each time the text is read again and the cache mended."""
    path = write(tmp_path / "v", "a 1 2\nb 3 4\n")
    whole = Embeddings.load(path)
    (file,) = cache.iterdir()
    good = file.read_bytes()
    header = 16 + int.from_bytes(good[8:16], "little") + 8
    places = [0, 7, 8, 15, 16, 40, header - 1, 4096, 4103, 4096 + 64, 4096 + 128 + 3, len(good) - 64]
    damaged = [good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :] for place in places]
    damaged += [b"", good[:10], good[:4096], good[:-1], good + b"x", bytes(len(good))]
    for data in damaged:
        file.unlink()
        file.write_bytes(data)
        found = Embeddings.load(path, cache=cache)
        assert found.words == whole.words and found.vectors.tolist() == whole.vectors.tolist()
        del found
        assert file.read_bytes() == good
    assert list(cache.iterdir()) == [file]


@pytest.mark.parametrize(
    "header",
    [
        pytest.param({"fingerprint": None}, id="a fingerprint that is no text, which signatures would show"),
        pytest.param({"fingerprint": "0" * 16}, id="the fingerprint of other vectors"),
        pytest.param({"rows": "a", "dimension": 2**60}, id="text as a number, which would be repeated"),
        pytest.param({"rows": True, "dimension": 4}, id="a truth value as a number"),
        pytest.param("[" * 4000, id="brackets deeper than JSON is read"),
    ],
)
def test_no_odd_header_is_believed(tmp_path, cache, header):
    """Its checksum fits, so it is no damage of a disk."""
    path = write(tmp_path / "v", "a 1 2\nb 3 4\n")
    whole = Embeddings.load(path)
    (file,) = cache.iterdir()
    good = file.read_bytes()
    fields = json.loads(good[16 : 16 + int.from_bytes(good[8:16], "little")])
    text = header.encode() if isinstance(header, str) else json.dumps(fields | header).encode()
    start = good[:8] + len(text).to_bytes(8, "little") + text + checksum(text).to_bytes(8, "little")
    file.unlink()
    file.write_bytes(start.ljust(4096, b"\0") + good[4096:])
    found = Embeddings.load(path)
    assert found == whole and found.fingerprint == whole.fingerprint
    del found
    assert file.read_bytes() == good


def test_places_that_cannot_be_written(tmp_path, monkeypatch):
    path = write(tmp_path / "v", "a 1 2\n")
    for folder in (str(write(tmp_path / "file", "no folder") / "cache"), ""):
        monkeypatch.setenv("FASTMATCH_CACHE", folder)
        assert Embeddings.load(path).vectors.tolist() == [[1, 2]]
    monkeypatch.setattr("os.replace", Mock(side_effect=OSError(28, "No space left on device")))
    monkeypatch.setenv("FASTMATCH_CACHE", str(tmp_path / "c"))
    assert Embeddings.load(path).vectors.tolist() == [[1, 2]]
    assert not list((tmp_path / "c").iterdir())


def test_lines_longer_than_a_piece(tmp_path, monkeypatch):
    monkeypatch.setattr("fastmatch.metrics.embeddings.vectors._PIECE", 32)
    row = [k / 7 for k in range(100)]
    path = write(tmp_path / "v", "".join(f"{w} {' '.join(map(str, row))}\n" for w in "abc"))
    assert Embeddings.load(path).vectors.tolist() == [np.float32(row).tolist()] * 3


def test_pickling(tmp_path):
    path = write(tmp_path / "v", "a 1 2\nb 3 4\n")
    loaded = Embeddings.load(path)
    for one in (loaded, Embeddings.from_arrays(["a", "b"], [[1, 2], [3, 4]])):
        again = pickle.loads(pickle.dumps(one))
        assert again == one and again.lookup("b") == 1
    dumped = pickle.dumps(loaded)
    assert len(dumped) < 1000
    write(path, "a 1 2\nb 3 5\n", age=1)
    fails(fm.FastmatchError, "have changed", pickle.loads, dumped)


def test_arrays_that_do_not_fit() -> None:
    for words, vectors, message in (
        (["a"], [[1], [2]], "1 words for 2 vectors"),
        (["a", ""], [[1], [2]], "word 1 is empty"),
        (["a"], [[np.nan]], "not finite"),
        (["a"], [[0] * 16385], "vectors of 16385 numbers; expected 16384 at most"),
    ):
        fails(ValueError, message, Embeddings.from_arrays, words, vectors)
    assert len(Embeddings.from_arrays([], [])) == 0


def test_a_constructor_checks_what_it_is_given() -> None:
    blob, offsets, vectors = np.frombuffer(b"abca", np.uint8), np.array([0, 1, 3, 4]), np.zeros((3, 2), np.float32)
    made = Embeddings(blob, offsets, vectors, "")
    assert [made.find(word) for word in (b"a", b"bc", b"b", b"")] == [2, 1, -1, -1]
    for wrong, message in (([0, 1, 3, 5], "offsets"), ([0, 3, 1, 4], "offset"), ([0, 1, 1, 4], "word 1 is empty")):
        fails(ValueError, message, Embeddings, blob, np.array(wrong), vectors, "")
    fails(ValueError, "expected 16 more", VectorParser().feed, bytearray(10), 10, True)


def test_checksums_see_single_bits() -> None:
    data = np.arange(100, dtype=np.uint8)
    sums = {checksum(data), checksum(data[:-1]), checksum(data[:0])}
    for bit in range(800):
        data[bit // 8] ^= 1 << bit % 8
        sums.add(checksum(data))
        data[bit // 8] ^= 1 << bit % 8
    assert len(sums) == 803


def test_many_words_are_found(tmp_path):
    words = [f"{'x' * (k % 19)}{k}" for k in range(5000)]
    found = Embeddings.from_arrays(words, np.arange(5000)[:, None])
    assert found.rows(words).tolist() == list(range(5000)) and set(found.rows(f"y{word}" for word in words)) == {-1}
