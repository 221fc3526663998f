"""Journals and unfinished results that were damaged: the result is right, or one line says why there is none."""

import json
import tempfile
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.allpairs import setting

from support.nightly import examples
from support.written import TEXTS, Killed, matrix, neighbours, pairs, stop_after

#: What a value of a line may be instead.
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 10)
    | st.integers(10**18, 10**25)
    | st.floats()
    | st.text(max_size=3)
    | st.sampled_from(["block", "checksum", "complete", "fingerprint", "blocks", "height"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=4,
)
KEYS = st.sampled_from(["block", "checksum", "complete", "fingerprint", "blocks", "height", "shape", ""])
Damage = Callable[[list[bytes]], list[bytes]]


@st.composite
def damages(draw: st.DrawFn) -> Damage:
    """A change of the lines of a journal."""
    kind = draw(st.sampled_from(["byte", "cut", "value", "line", "drop", "double", "swap", "deep"]))
    first, second = draw(st.integers(0, 10**4)), draw(st.integers(0, 10**4))
    byte, value, key = draw(st.integers(0, 255)), draw(VALUES), draw(KEYS)

    def damage(lines: list[bytes]) -> list[bytes]:
        whole = b"".join(lines)
        if not whole:
            return lines
        place, k, m = first % len(whole), first % len(lines), second % len(lines)
        if kind == "byte":
            return (whole[:place] + bytes([byte]) + whole[place + 1 :]).splitlines(keepends=True)
        if kind == "cut":
            return whole[:place].splitlines(keepends=True)
        if kind == "value":
            try:
                entry = json.loads(lines[k])
            except (ValueError, RecursionError):
                return lines
            new = {**entry, key: value} if isinstance(entry, dict) else value
            return [*lines[:k], json.dumps(new).encode() + b"\n", *lines[k + 1 :]]
        if kind == "line":
            return [*lines[:k], json.dumps(value).encode() + b"\n", *lines[k:]]
        if kind == "drop":
            return [*lines[:k], *lines[k + 1 :]]
        if kind == "double":
            return [*lines[:k], lines[m], *lines[k:]]
        if kind == "swap":
            lines = list(lines)
            lines[k], lines[m] = lines[m], lines[k]
            return lines
        return [*lines[:k], b"[" * 100_000 + b"\n", *lines[k:]]

    return damage


def made(folder: Path, call: Callable[..., object], metric: str, blocks: int) -> dict[str, bytes]:
    """What a run leaves that ended after so many blocks, by the names of the files."""
    with suppress(Killed):
        call(folder / "m", metric, progress=stop_after(blocks))
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module", autouse=True)
def _small_blocks():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(setting, "BLOCK_BYTES", 1)  # one row a block
        yield


KEPT: dict[tuple[object, ...], dict[str, bytes]] = {}


@pytest.mark.parametrize("call", [matrix, pairs, neighbours])
@pytest.mark.parametrize("metric", ["toy", "smatch"])
@examples(15)
@given(
    blocks=st.sampled_from([0, 1, 4, 7, 8]),
    lines=st.lists(damages(), max_size=2),
    flips=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(1, 255)), max_size=2),
    gone=st.none() | st.integers(0, 10),
    resume=st.booleans(),
)
def test_damaged(call, metric, blocks, lines, flips, gone, resume):
    """Whatever was damaged, no wrong result is passed for a right one, nor is anything half-written."""
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    for number in (blocks, len(TEXTS)):
        if (call, metric, number) not in KEPT:
            with tempfile.TemporaryDirectory() as folder:
                KEPT[call, metric, number] = made(Path(folder), call, metric, number)
    whole = KEPT[call, metric, len(TEXTS)]["m"]
    files = dict(KEPT[call, metric, blocks])
    journal = files["m.journal"].splitlines(keepends=True)
    for damage in lines:
        journal = damage(journal)
    data = sorted(name for name in files if name != "m.journal" and files[name])
    for which, place, change in flips if data else ():
        content = bytearray(files[data[which % len(data)]])
        content[place % len(content)] ^= change
        files[data[which % len(data)]] = bytes(content)
    if gone is not None and data:
        del files[data[gone % len(data)]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, content in {**files, "m.journal": b"".join(journal)}.items():
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_bytes(content)
        before = (folder / "m").read_bytes() if (folder / "m").exists() else None
        refused = ""
        try:
            with warnings.catch_warnings(action="ignore", category=fm.FastmatchWarning):
                call(folder / "m", metric, resume=resume)
        except fm.OptionError as error:
            refused = str(error)
        found = (folder / "m").read_bytes() if (folder / "m").exists() else None
        if refused:
            assert refused.count("\n") == 0
            assert found == before
        else:
            assert found == whole
            assert sorted(path.name for path in folder.iterdir()) == ["m", "m.journal"]
