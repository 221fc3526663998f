"""Results on disk: killed at any moment, continued, never half believed."""

import io
import json
import os
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.allpairs import blocks, setting
from fastmatch.allpairs.parquet import read_pairs

from support.child import ended
from support.refusal import fails
from support.written import TEXTS, Killed, matrix, neighbours, pairs, stop_after

COUNT = len(TEXTS)


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch):
    monkeypatch.setattr(setting, "BLOCK_BYTES", 1)  # one row a block


@pytest.fixture
def computed(monkeypatch) -> list[int]:
    """The first rows of the blocks that were computed."""
    rows: list[int] = []
    for name in ("dense", "listed", "best"):
        original = getattr(blocks.AllPairs, name)

        def noting(self, start, *arguments, original=original, **options):
            rows.append(start)
            return original(self, start, *arguments, **options)

        monkeypatch.setattr(blocks.AllPairs, name, noting)
    return rows


ARROW = pytest.mark.skipif(find_spec("pyarrow") is None, reason="pyarrow is not installed")
CALLS = pytest.mark.parametrize("call", [matrix, *(pytest.param(call, marks=ARROW) for call in (pairs, neighbours))])

# ---------------------------------------------------------------- files


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["toy", "smatch"])
def test_a_matrix_on_disk(metric, tmp_path):
    path = tmp_path / "m.npy"
    found = matrix(path, metric)
    assert isinstance(found, np.memmap)
    assert found.tolist() == np.load(path).tolist() == fm.cdist(TEXTS, metric=metric).tolist()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["m.npy", "m.npy.journal"]
    assert fm.cdist(TEXTS, TEXTS[:3], metric=metric, out=str(path), dtype=np.float64).shape == (COUNT, 3)
    assert fm.cdist([], TEXTS, metric=metric, out=path).shape == (0, COUNT)


def test_a_metric_that_is_not_symmetric(tmp_path):
    found = fm.cdist(TEXTS, metric="smatch", solver="climb", seed=1, out=tmp_path / "m.npy")
    assert found.tolist() == fm.cdist(TEXTS, metric="smatch", solver="climb", seed=1).tolist()


def test_pairs_in_parquet(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    path = tmp_path / "p.parquet"

    assert fm.cdist(TEXTS, metric="toy", out=path, sparse=True, score_cutoff=0.5) == path
    table, whole = parquet.read_table(path), fm.cdist(TEXTS, metric="toy", score_cutoff=0.5, dtype=float)
    expected = np.triu(whole)
    assert np.transpose([table["row"], table["column"]]).tolist() == np.argwhere(expected).tolist()
    assert table["score"].to_pylist() == expected[expected > 0].tolist()
    assert table.schema.metadata[b"signature"].startswith(b"toy|")
    assert read_pairs(path).toarray().tolist() == whole.tolist()
    fm.cdist(TEXTS, TEXTS[:3], metric="toy", out=path, sparse=True)
    assert read_pairs(path).toarray().tolist() == fm.cdist(TEXTS, TEXTS[:3], metric="toy", dtype=float).tolist()
    fails(fm.OptionError, "is no Parquet file", read_pairs, tmp_path / "p.parquet.journal")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["p.parquet", "p.parquet.journal"]


def test_neighbours_in_parquet(tmp_path):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")

    path = tmp_path / "n.parquet"
    found, wanted = neighbours(path, score_cutoff=0.5), fm.top_k(TEXTS, k=3, metric="toy", score_cutoff=0.5)
    assert found.indices.tolist() == wanted.indices.tolist() and found.scores.tolist() == wanted.scores.tolist()
    assert found.signature == wanted.signature and found.to_arrow().equals(fm.TopK.read(path).to_arrow())
    table = wanted.to_arrow()
    assert table.column_names == ["query", "rank", "index", "score", "query_id", "id"]
    assert table.slice(0, 1).to_pylist() == [
        {"query": 0, "rank": 0, "index": 3, "score": 0.8, "query_id": "one", "id": None}
    ]
    fails(fm.OptionError, "holds no pairs", read_pairs, path)
    fails(fm.OptionError, "holds no neighbours", fm.TopK.read, pairs(tmp_path / "p.parquet"))


# ---------------------------------------------------------------- going on


@CALLS
@pytest.mark.parametrize("metric", ["toy", "smatch"])
def test_finished_blocks_are_not_computed_again(call, metric, tmp_path, computed):
    whole, path = tmp_path / "whole", tmp_path / "m"
    call(whole, metric)
    computed.clear()
    fails(Killed, None, call, path, metric, progress=stop_after(3))
    assert not path.exists()
    first, computed[:] = set(computed), []
    call(path, metric, resume=True)
    again = set(computed)
    assert {entry["block"] for entry in entries(path)[1:] if "block" in entry} == set(range(COUNT))
    # the block that was computed when the end came is the only one that is computed twice
    assert first | again == set(range(COUNT)) and len(first & again) <= 1
    assert path.read_bytes() == whole.read_bytes()
    computed.clear()
    call(path, metric, resume=True)
    assert not computed


def entries(path: Path) -> list[dict]:
    return [json.loads(line) for line in Path(f"{path}.journal").read_text().splitlines()]


@pytest.mark.slow
@CALLS
def test_another_computation_is_not_continued(call, tmp_path):
    path = tmp_path / "m"
    fails(Killed, None, call, path, progress=stop_after(2))
    for change in ({"counting": "set"}, {"metric": "smatch"}, {"score_cutoff": 0.5}):
        fails(fm.OptionError, "is of another computation", call, path, resume=True, **change)
    call(path, resume=True)


def test_blocks_keep_the_size_they_began_with(tmp_path, monkeypatch):
    path = tmp_path / "m"
    fails(Killed, None, matrix, path, progress=stop_after(2))
    monkeypatch.setattr(setting, "BLOCK_BYTES", 1 << 20)
    assert matrix(path, resume=True).tolist() == fm.cdist(TEXTS, metric="toy").tolist()


def test_killed_between_the_name_and_the_last_line(tmp_path, computed):
    path = tmp_path / "m"
    matrix(path)
    journal = Path(f"{path}.journal")
    journal.write_text("".join(journal.read_text().splitlines(keepends=True)[:-1]))
    computed.clear()
    found = matrix(path, resume=True)
    assert not computed
    assert found.tolist() == fm.cdist(TEXTS, metric="toy").tolist()


def test_a_journal_of_something_that_is_gone(tmp_path):
    path = tmp_path / "m"
    matrix(path)
    path.unlink()
    assert matrix(path, resume=True).shape == (COUNT, COUNT)
    Path(f"{path}.journal").write_bytes(b"what\n")
    assert matrix(path, resume=True).shape == (COUNT, COUNT)


KILLED = """
import os
from fastmatch.allpairs import npy, setting
from fastmatch.runtime import journal
from support.written import matrix, pairs, neighbours
setting.BLOCK_BYTES = 1

when, count = {when!r}, 0
def die(self, *arguments):
    global count
    count += 1
    if count == (11 if when == "within a block" else 3):  # a block of a matrix is several writes
        if when != "after the line":
            os._exit(9)
        original(self, *arguments)
        os._exit(9)
    return original(self, *arguments)
owner, name = (npy.NpyFile, "_put") if when == "within a block" else (journal.Journal, "finish")
original = getattr(owner, name)
setattr(owner, name, die)
{call}({path!r}, "smatch")
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("call", "when"),
    [
        (matrix, "after the data"), (matrix, "after the line"), (matrix, "within a block"),
        (neighbours, "after the data"), (pairs, "after the line"),
    ],
)  # fmt: skip
def test_killed(call, when, tmp_path, computed):
    """The process is gone in the middle, without a chance to tidy up."""
    if call is not matrix:
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    path = tmp_path / "m"
    script = KILLED.format(when=when, call=call.__name__, path=str(path))
    assert ended("-c", script).returncode == 9 and not path.exists()
    done = {entry["block"] for entry in entries(path)[1:]}
    assert done == {"after the data": {0, 1}, "after the line": {0, 1, 2}, "within a block": {0}}[when]
    call(tmp_path / "whole", "smatch")
    computed.clear()
    call(path, "smatch", resume=True)
    assert set(computed) == set(range(COUNT)) - done
    assert path.read_bytes() == (tmp_path / "whole").read_bytes()


CLEANED = """
import os, shutil
from fastmatch.allpairs import setting
from support.written import pairs
setting.BLOCK_BYTES = 1

def die(folder):
    for name in sorted(os.listdir(folder))[:4]:
        os.unlink(os.path.join(folder, name))
    os._exit(9)
shutil.rmtree = die
pairs({path!r}, "smatch")
"""


@pytest.mark.slow
def test_killed_while_blocks_are_removed(tmp_path, computed):
    """The blocks that are left must not pass for all that there were."""
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    path = tmp_path / "m"
    assert ended("-c", CLEANED.format(path=str(path))).returncode == 9
    pairs(tmp_path / "whole", "smatch")
    computed.clear()
    pairs(path, "smatch", resume=True)
    assert not computed
    assert path.read_bytes() == (tmp_path / "whole").read_bytes() and not Path(f"{path}.part").exists()


def test_a_matrix_that_was_cut_short_is_not_filled_with_zeros(tmp_path):
    path = tmp_path / "m"
    fails(Killed, None, matrix, path, progress=stop_after(3))
    with open(f"{path}.part", "r+b") as file:
        file.truncate(200)
    message = r"m\.part has 200 bytes, expected 384: it is not what its journal tells of"
    fails(fm.OptionError, message, matrix, path, resume=True)
    assert Path(f"{path}.part").stat().st_size == 200


# ---------------------------------------------------------------- what is there is looked at


def saved(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def flipped(place: int, data: bytes) -> bytes:
    """One bit is another one."""
    return data[:place] + bytes([data[place] ^ 1]) + data[place:][1:]


def flip(place: int, path: Path) -> None:
    path.write_bytes(flipped(place, path.read_bytes()))


#: What becomes of the bytes of a file, and what is said if it was a matrix.
DAMAGED = [
    (lambda data: b"hello\n", "it has 6 bytes, expected 384"),
    (lambda data: data + b"\0", "it has 385 bytes"),
    (lambda data: saved(np.zeros((COUNT, COUNT), np.int32)), "its header is not that of a matrix of float32, 8 x 8"),
    (lambda data: saved(np.zeros((COUNT, COUNT), np.float32)), "8 of 8 blocks are not what was written"),
    *((partial(flipped, place), "") for place in (20, -200, -1)),
]


@CALLS
@pytest.mark.parametrize("metric", ["toy", "smatch"])
def test_a_finished_result_that_is_another_now(call, metric, tmp_path, computed):
    """It is not passed for the result, nor overwritten; without ``resume`` it is computed anew."""
    path = tmp_path / "m"
    call(path, metric)
    whole = path.read_bytes()
    for damage, why in DAMAGED:
        before = damage(whole)
        path.write_bytes(before)
        computed.clear()
        message = r"m is not the result that .*m\.journal tells of: .*; without"
        said = str(fails(fm.OptionError, message, call, path, metric, resume=True))
        assert "\n" not in said and (call is not matrix or why in said)
        assert (path.read_bytes(), computed) == (before, [])
        call(path, metric)
        assert path.read_bytes() == whole


@pytest.mark.parametrize("height", [None, 0, -1, 2, "1", True, 1.0])
def test_a_journal_whose_header_is_damaged(height, tmp_path):
    """Found by damaging journals at random: what cannot be is refused in one line, and nothing is written."""
    path, journal = tmp_path / "m", tmp_path / "m.journal"
    fails(Killed, None, matrix, path, progress=stop_after(2))
    header, *rest = journal.read_text(encoding="utf-8").splitlines()
    journal.write_text("\n".join([json.dumps({**json.loads(header), "height": height}), *rest, ""]), encoding="utf-8")
    fails(fm.OptionError, r"m\.journal is damaged: remove it and .*m\.part to begin anew", matrix, path, resume=True)
    assert not path.exists()


@CALLS
@pytest.mark.parametrize("metric", ["toy", "smatch"])
@pytest.mark.parametrize("gone", [False, True])
def test_a_damaged_block_of_unfinished_work_is_computed_again(call, metric, gone, tmp_path, computed):
    path, whole = tmp_path / "m", tmp_path / "whole"
    call(whole, metric)
    fails(Killed, None, call, path, metric, progress=stop_after(4))
    done = sum("block" in entry for entry in entries(path)[1:])
    part = Path(f"{path}.part")
    # of a matrix the cell (2, 3)
    if call is matrix:
        flip(-4 * COUNT * (COUNT - 2) + 4 * 3, part)
    elif gone:
        (part / "00000002.parquet").unlink()
    else:
        flip(-9, part / "00000002.parquet")
    computed.clear()
    with pytest.warns(
        fm.ReadWarning, match=rf"m\.part: 1 of {done} finished blocks are not what was written; they are"
    ):
        call(path, metric, resume=True)
    assert 2 in computed and not {0, 1} & {*computed}
    assert path.read_bytes() == whole.read_bytes()
    call(path, metric, resume=True)


def test_the_mirror_image_of_a_block_counts(tmp_path, computed):
    path = tmp_path / "m"
    fails(Killed, None, matrix, path, "smatch", progress=stop_after(4))
    flip(-4 * COUNT + 4 * 1, Path(f"{path}.part"))  # the last row has a cell of each block
    computed.clear()
    with pytest.warns(fm.ReadWarning, match="1 of [45] finished blocks"):
        found = matrix(path, "smatch", resume=True)
    assert 1 in computed and not {0, 2} & {*computed}
    assert found.tolist() == fm.cdist(TEXTS, metric="smatch").tolist()


@CALLS
def test_a_folder_in_the_place_of_the_result(call, tmp_path):
    """It is found before the work, not when the work is to get its name."""
    path = tmp_path / "m"
    path.mkdir()
    fails(IsADirectoryError, None, call, path)
    assert [each.name for each in tmp_path.iterdir()] == ["m"]


@pytest.mark.skipif(os.name == "nt", reason="no named pipes there")
@CALLS
def test_a_pipe_in_the_place_of_the_result(call, tmp_path):
    os.mkfifo(tmp_path / "m")
    fails(fm.OptionError, "m is no regular file", call, tmp_path / "m")
    assert [each.name for each in tmp_path.iterdir()] == ["m"]


@pytest.mark.skipif(os.name == "nt", reason="other permissions there")
@CALLS
def test_links_and_permissions_stay(call, tmp_path):
    """As everywhere (unit/runtime/test_files.py); what is unfinished may be read by no more people than the result."""
    folder, link = tmp_path / "far", tmp_path / "m"
    folder.mkdir()
    link.symlink_to("far/real")
    call(link)  # to a file that is not there yet
    whole = (folder / "real").read_bytes()
    assert sorted(each.name for each in folder.iterdir()) == ["real", "real.journal"]
    os.chmod(folder / "real", 0o640)
    (folder / "real").write_bytes(b"old")
    old = os.umask(0o077)
    try:
        fails(Killed, None, call, link, progress=stop_after(3))
        assert Path(folder, "real.part").stat().st_mode & 0o077 == 0
        call(link, resume=True)
    finally:
        os.umask(old)
    assert os.readlink(link) == "far/real"
    assert ((folder / "real").read_bytes(), (folder / "real").stat().st_mode & 0o777) == (whole, 0o640)
    call(link, resume=True)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["far", "m"]


@pytest.mark.skipif(os.name == "nt", reason="no locks there")
@CALLS
def test_two_at_once(call, tmp_path):
    """The second one is refused, whatever the state of the first, and harms nothing."""
    path, refused = tmp_path / "m", []

    def progress(done: int, total: int) -> None:
        for resume in (False, True):
            fails(fm.OptionError, r"m is being written by another process", call, path, resume=resume)
            refused.append(done)

    call(path, progress=progress)
    assert len(refused) >= 2 * COUNT
    call(tmp_path / "whole")
    assert path.read_bytes() == (tmp_path / "whole").read_bytes()


def test_tables_without_rows(tmp_path):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")

    assert fm.top_k([], TEXTS, k=3, out=tmp_path / "n").indices.shape == (0, 3)
    fm.cdist([], TEXTS, sparse=True, out=tmp_path / "p")
    assert read_pairs(tmp_path / "p").shape == (0, COUNT)
