"""Journals and unfinished results that were damaged: the result is right, or one line says why there is none."""

import tempfile
import warnings
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm

from support.mutation import mutated, mutated_json
from support.nightly import examples
from support.written import TEXTS, Killed, matrix, neighbours, pairs, stop_after


def damaged(random, journal):
    """A journal of which bytes, values or whole lines are others."""
    kind = random.random()
    lines = journal.splitlines(keepends=True)
    if kind < 0.4 and lines:
        at, other = random.randrange(len(lines)), random.randrange(len(lines))
        lines[at : at + random.randint(0, 1)] = [lines[other], b"[" * 100_000 + b"\n"][: random.randint(0, 2)]
        return b"".join(lines)
    if kind < 0.8:
        with suppress(ValueError, RecursionError):
            return mutated_json(random, journal)
    return mutated(random, journal)


def made(folder: Path, call, metric: str, blocks: int) -> dict[str, bytes]:
    """What a run leaves that ended after so many blocks, by the names of the files."""
    with suppress(Killed):
        call(folder / "m", metric, progress=stop_after(blocks))
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module", autouse=True)
def _small_blocks():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fastmatch.allpairs.setting.BLOCK_BYTES", 1)  # one row a block
        yield


KEPT: dict[tuple[object, ...], dict[str, bytes]] = {}


@pytest.mark.parametrize("call", [matrix, pairs, neighbours])
@pytest.mark.parametrize("metric", ["toy", "smatch"])
@examples(15)
@given(
    blocks=st.sampled_from([0, 1, 4, 7, 8]),
    randoms=st.lists(st.randoms(use_true_random=False), max_size=2),
    flips=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(1, 255)), max_size=2),
    gone=st.none() | st.integers(0, 10),
    resume=st.booleans(),
)
def test_damaged(call, metric, blocks, randoms, flips, gone, resume):
    """Whatever was damaged, no wrong result is passed for a right one, nor is anything half-written."""
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    for number in (blocks, len(TEXTS)):
        if (call, metric, number) not in KEPT:
            with tempfile.TemporaryDirectory() as folder:
                KEPT[call, metric, number] = made(Path(folder), call, metric, number)
    whole = KEPT[call, metric, len(TEXTS)]["m"]
    files = dict(KEPT[call, metric, blocks])
    journal = files["m.journal"]
    for random in randoms:
        journal = damaged(random, journal)
    data = sorted(name for name in files if name != "m.journal" and files[name])
    for which, place, change in flips if data else ():
        content = bytearray(files[data[which % len(data)]])
        content[place % len(content)] ^= change
        files[data[which % len(data)]] = bytes(content)
    if gone is not None and data:
        del files[data[gone % len(data)]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, content in {**files, "m.journal": journal}.items():
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
