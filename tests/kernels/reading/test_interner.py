"""The interner: ids in order of appearance, folding, export, threads."""

import os
import pickle
import re
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastmatch._ext.reading.interner import CASE, MARKS, QUOTES, SENSES, UNDERSCORES, Interner

from support.child import forked
from support.refusal import fails

TEXTS = st.text(max_size=40)


def encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@given(st.lists(TEXTS | st.sampled_from(["a", "b", "ab", "a\0", "\0a", "x" * 8, "x" * 9, "x" * 16, "x" * 17])))
def test_like_a_dict(texts: list[str]) -> None:
    interner, twin = Interner(), dict[str, int]()
    for text in texts:
        assert interner.intern(encode(text)) == twin.setdefault(text, len(twin))
    assert [interner.lookup(encode(t)) for t in (*texts, "none of them")] == [*(twin[t] for t in texts), -1]
    assert len(interner) == len(twin), "a look-up adds nothing"
    assert [interner.text(i) for i in range(len(twin))] == list(twin)
    assert interner.intern_many([encode(t) for t in texts]).tolist() == [twin[t] for t in texts]


def test_many_strings_survive_growth() -> None:
    interner = Interner()
    texts = [b"word-%d" % i for i in range(50_000)]
    ids = interner.intern_many(texts)
    assert ids.dtype == np.int32 and ids.tolist() == list(range(50_000))
    assert interner.intern_many(texts[::-1]).tolist() == list(range(50_000))[::-1]
    assert interner.bytes(49_999) == b"word-49999" and interner.nbytes < 100 * 50_000


def test_wrong_arguments() -> None:
    interner = Interner()
    fails(IndexError, "no string has the id 0", interner.text, 0)
    fails(IndexError, None, interner.bytes, -1)
    fails(TypeError, None, interner.intern, "text")
    fails(TypeError, "expected bytes, found str", interner.intern_many, [b"a", "b"])
    fails(ValueError, "sum of 1, 2, 4, 8 and 16", interner.fold, 32)


def folded(text: str, flags: int) -> str:
    """The slow twin of Interner.fold."""
    if flags & MARKS:
        text = text.replace('"', "").replace("'", "")
    while True:
        old = text
        if flags & QUOTES and len(text) >= 2 and text[0] == text[-1] == '"':
            text = text[1:-1]
        if flags & CASE:
            text = text.lower()
        if flags & UNDERSCORES:
            text = text.rstrip("_")
        if flags & MARKS:
            text = text.replace('"', "").replace("'", "")
        if flags & SENSES:
            text = re.sub(r"(?s)(?<=.)-[0-9]{2,}\Z", "", text)
        if text == old:
            return text


@given(st.lists(st.text("Aab_\"'-01\u0130\u03a3\u00e9\u00c9\ud800", max_size=6) | TEXTS), st.integers(0, 31))
def test_fold(texts: list[str], flags: int) -> None:
    interner = Interner()
    interner.intern_many([encode(t) for t in texts])
    fold = interner.fold(flags)
    assert fold.dtype == np.int32 and len(fold) == len(interner) and not fold.flags.writeable
    for i in range(len(interner)):
        assert interner.text(int(fold[i])) == folded(interner.text(i), flags)
    assert (fold[fold] == fold).all()


def test_fold_is_kept_and_extended() -> None:
    interner = Interner()
    interner.intern_many([b'"New_"', b"York_"])
    first = interner.fold(CASE | QUOTES | UNDERSCORES)
    assert interner.fold(CASE | QUOTES | UNDERSCORES) is first
    assert [interner.text(int(i)) for i in first] == ["new", "york", "new", "york"]
    for i in range(100):
        interner.intern(b"X%d" % i)
    second = interner.fold(CASE | QUOTES | UNDERSCORES)
    assert (second[: len(first)] == first).all() and len(second) == len(interner) == 204 and len(first) == 4
    assert interner.fold(0).tolist() == list(range(204))


@given(st.lists(TEXTS))
def test_export_and_pickle(texts: list[str]) -> None:
    interner = Interner()
    interner.intern_many([encode(t) for t in texts])
    blob, offsets = interner.export()
    for twin in (Interner.from_export(blob, offsets), pickle.loads(pickle.dumps(interner))):
        assert [twin.text(i) for i in range(len(twin))] == [interner.text(i) for i in range(len(interner))]
        assert [twin.lookup(encode(t)) for t in texts] == [interner.lookup(encode(t)) for t in texts]


@pytest.mark.parametrize(
    ("offsets", "message"),
    [([], "must begin at 0"), ([1, 2], "must begin at 0"), ([0, 9], "end within"), ([0, 2, 1], "out of order"),
     ([0, -1, 3], "out of order"), ([0, 1, 2], "twice")],
)  # fmt: skip
def test_corrupt_export_is_refused(offsets: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Interner.from_export(np.frombuffer(b"aab", dtype=np.uint8), np.array(offsets, dtype=np.int64))


def test_folding_one_letter_leaves_the_interpreter_alone() -> None:
    """CPython shares bytes objects of one character: folding in place once made every b"N" of the process b"n"."""
    interner = Interner()
    ids = [interner.intern(bytes([letter])) for letter in range(128)]
    folded = interner.fold(1)
    assert [bytes([letter])[0] for letter in range(128)] == list(range(128))
    assert [interner.bytes(folded[i]) for i in ids] == [bytes([letter]).lower() for letter in range(128)]


@given(st.lists(TEXTS, max_size=30, unique=True), st.lists(TEXTS, max_size=10), st.data())
def test_renumbering(strings: list[str], known: list[str], data: st.DataObject) -> None:
    """Ids of one table become those of another one, which gets what is in use and no more; negative ones stay."""
    source, target = Interner(), Interner()
    source.intern_many([encode(text) for text in strings])
    target.intern_many([encode(text) for text in known])
    before = len(target)
    ids = st.lists(st.integers(-2, len(strings) - 1), max_size=20)
    given_rows = data.draw(st.lists(ids, max_size=4))
    rows = [np.array(row, np.int32) for row in given_rows]
    source.renumber(target, rows)
    for row, old in zip(rows, given_rows, strict=True):
        assert [target.text(k) if k >= 0 else k for k in row.tolist()] == [source.text(k) if k >= 0 else k for k in old]
    used = {strings[k] for row in given_rows for k in row if k >= 0}
    assert len(source) == len(strings) and len(target) == before + len(used - set(known))


def test_renumbering_refused() -> None:
    source, target = Interner(), Interner()
    source.intern_many([b"a", b"b"])
    fails(ValueError, "no string has the id 2; there are 2", source.renumber, target, [np.array([0, 2], np.int32)])
    assert len(target) == 0
    fails(ValueError, "expected another interner", source.renumber, source, [np.zeros(1, np.int32)])
    fails(ValueError, "no string has the id 0; there are 0", target.renumber, source, [np.zeros(1, np.int32)])
    fixed = np.zeros(2, np.int32)
    fixed.flags.writeable = False
    fails(ValueError, "read-only", source.renumber, target, [fixed])
    for kind in ("int64", "uint32", "float32", ">i4", "int16"):
        wrong = [np.zeros(2, np.int32), np.zeros(2, kind)]
        fails(ValueError, "expected arrays of int32", source.renumber, Interner(), wrong)
    assert source.intern(b"c") == 2  # its lock is free
    for kind in ("<i4", "=i4"):  # as arrays of a file say it
        row = np.array([1, 0], kind)
        source.renumber(target := Interner(), [row])
        assert [target.text(k) for k in row] == ["b", "a"]


def test_a_copy_goes_its_own_way() -> None:
    source = Interner()
    ids = [source.intern(f"Word{k}".encode()) for k in range(100)]
    source.fold(CASE)
    copy = source.copy()
    assert len(copy) == len(source) == 200
    assert [copy.text(k) for k in range(200)] == [source.text(k) for k in range(200)]
    assert [copy.lookup(f"Word{k}".encode()) for k in range(100)] == ids
    assert copy.fold(CASE).tolist() == source.fold(CASE).tolist()
    copy.intern_many([f"more{k}".encode() for k in range(500)])
    assert (len(source), len(copy)) == (200, 700) and source.intern(b"new") == 200
    assert copy.text(200) == "more0"
    assert len(Interner().copy()) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_child_does_not_wait_for_threads_of_its_parent():
    """Another thread copies the table, and so holds its lock nearly always, while the process is forked."""
    table = Interner()
    table.intern_many([b"w%d" % k for k in range(100_000)])
    over = threading.Event()

    def copies() -> None:
        while not over.is_set():
            table.copy()

    threads = [threading.Thread(target=copies) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(10):
            assert forked(lambda: table.lookup(b"w99999") == 99_999 and len(table.copy()) == 100_000) == 0
    finally:
        over.set()
        for thread in threads:
            thread.join()
