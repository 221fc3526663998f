"""Blocks on Dask: real worker processes, one of which is killed while it works."""

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

dask = pytest.importorskip("dask", reason="dask is not installed")
pytest.importorskip("dask.array", reason="dask is not installed")
distributed = pytest.importorskip("distributed", reason="distributed is not installed")

import fastmatch as fm  # noqa: E402
from fastmatch import distributed as far  # noqa: E402

from support.deadly_metric import Counted, Deadly, Failing, Slow, counts  # noqa: E402
from support.refusal import fails  # noqa: E402
from support.written import TEXTS  # noqa: E402

HERE = str(Path(__file__).parents[1])
QUIET = {"dashboard_address": ":0", "memory_limit": None, "silence_logs": 50}


@pytest.fixture(scope="module")
def marker(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("dask") / "killed"


@contextmanager
def started(marker: Path, **options):
    """A cluster whose workers are processes that find the metrics of the tests."""
    environment = {"PYTHONPATH": os.pathsep.join([HERE, *sys.path]), "FASTMATCH_TEST_MARKER": str(marker)}
    settings = {"distributed.nanny.pre-spawn-environ": environment, "distributed.logging.distributed": 50}
    with dask.config.set(settings), distributed.LocalCluster(**options, **QUIET) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def client(marker):
    """Two worker processes that know the metrics of the tests."""
    with started(marker, n_workers=2, threads_per_worker=1) as cluster, distributed.Client(cluster) as made:
        yield made


@pytest.mark.slow
def test_a_matrix(client):
    found = far.cdist(TEXTS, TEXTS[:5], client=client, metric="smatch", rows=3)
    assert found.chunks == ((3, 3, 2), (5,)) and found.dtype == np.float32
    assert found.compute().tolist() == fm.cdist(TEXTS, TEXTS[:5], metric="smatch").tolist()
    assert float(found[2, 1].compute()) == fm.cdist(TEXTS, TEXTS[:5], metric="smatch")[2, 1]
    cut = far.cdist(TEXTS, metric="smatch", score_cutoff=0.5, dtype="float64")  # the client that is current
    assert cut.compute().tolist() == fm.cdist(TEXTS, metric="smatch", score_cutoff=0.5, dtype="float64").tolist()
    assert far.cdist([], TEXTS, client=client).shape == (0, len(TEXTS))


def test_neighbours(client, tmp_path):
    wanted = fm.top_k(TEXTS, k=3)
    found = far.top_k(TEXTS, k=3, client=client, rows=2)
    assert found.indices.tolist() == wanted.indices.tolist() and found.scores.tolist() == wanted.scores.tolist()
    assert (found.signature, found.query_ids, found.ids) == (wanted.signature, wanted.query_ids, wanted.ids)
    assert found.query_ids is found.ids  # of one corpus they are looked up once
    assert far.top_k([], TEXTS, k=3, client=client).indices.shape == (0, 3)


@pytest.mark.slow
def test_neighbours_in_a_folder(client, tmp_path):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    wanted = fm.top_k(TEXTS, k=3)
    folder = tmp_path / "neighbours"
    found = far.top_k(TEXTS, k=3, client=client, rows=3, out=folder)
    assert found.to_arrow().equals(wanted.to_arrow()) and fm.TopK.read(folder).to_arrow().equals(wanted.to_arrow())
    blocks = sorted(folder.glob("*.parquet"))
    assert [block.name for block in blocks] == ["00000000.parquet", "00000003.parquet", "00000006.parquet"]
    blocks[1].unlink()
    times = blocks[0].stat().st_mtime_ns, blocks[2].stat().st_mtime_ns
    assert far.top_k(TEXTS, k=3, client=client, rows=3, out=folder).to_arrow().equals(wanted.to_arrow())
    assert (blocks[0].stat().st_mtime_ns, blocks[2].stat().st_mtime_ns) == times  # only what was missing
    data = bytearray(blocks[1].read_bytes())
    data[len(data) // 2] ^= 1
    blocks[1].write_bytes(data)
    blocks[2].write_text("hello\n")
    assert far.top_k(TEXTS, k=3, client=client, rows=3, out=folder).to_arrow().equals(wanted.to_arrow())
    assert blocks[0].stat().st_mtime_ns == times[0]  # only what was damaged
    fails(fm.OptionError, "is of another computation", far.top_k, TEXTS, k=4, client=client, rows=3, out=folder)
    fails(fm.OptionError, "is not empty", far.top_k, TEXTS, k=3, client=client, out=tmp_path)


def test_pairs_above_a_cutoff(client, tmp_path):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    from fastmatch.allpairs.parquet import read_pairs

    for sides in ((TEXTS,), (TEXTS, TEXTS[:5])):  # half a matrix that is mirrored, and a whole one
        folder = tmp_path / str(len(sides))
        wanted = fm.cdist(*sides, score_cutoff=0.4, dtype=float)
        found = far.cdist(*sides, client=client, score_cutoff=0.4, sparse=True, dtype=float, rows=3)
        assert found.nnz == np.count_nonzero(wanted) and found.toarray().tolist() == wanted.tolist()
        assert far.cdist(*sides, client=client, score_cutoff=0.4, sparse=True, rows=3, out=folder) == folder
        assert read_pairs(folder).toarray().tolist() == wanted.tolist()
        (folder / "00000003.parquet").unlink()
        fails(fm.OptionError, r"is unfinished \(2 of 3 blocks are there\)", read_pairs, folder)
        far.cdist(*sides, client=client, score_cutoff=0.4, sparse=True, rows=3, out=folder)
        assert read_pairs(folder).toarray().tolist() == wanted.tolist()
    assert far.cdist([], TEXTS, client=client, sparse=True).shape == (0, len(TEXTS))
    fails(fm.OptionError, "holds no neighbours", fm.TopK.read, folder)


def test_two_workers_write_the_bytes_of_one(client, tmp_path):
    """Also when a second run adds the blocks that the first one lost."""
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    corpus = [text for text in TEXTS for _ in range(3)]

    def written(name, client):
        near, pairs = tmp_path / name / "near", tmp_path / name / "pairs"
        far.top_k(corpus, k=3, client=client, rows=2, out=near)
        far.cdist(corpus, client=client, rows=2, score_cutoff=0.4, sparse=True, out=pairs)
        return near, pairs

    def contents(folders):
        paths = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
        return {path.relative_to(tmp_path).parts[1:]: path.read_bytes() for path in paths}

    client.wait_for_workers(2, timeout=600)
    two = written("two", client)
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, **QUIET) as cluster,
        distributed.Client(cluster, set_as_default=False) as alone,
    ):
        one = written("one", alone)
    assert len(contents(one)) > 20 and contents(two) == contents(one)
    for folder in two:
        for lost in sorted(folder.glob("*.parquet"))[::2]:
            lost.unlink()
    written("two", client)
    assert contents(two) == contents(one)


def test_progress(client):
    told = []
    far.top_k(TEXTS, k=2, client=client, rows=3, progress=lambda done, total: told.append((done, total)))
    assert sorted(told) == told and told[-1] == (len(TEXTS) ** 2, len(TEXTS) ** 2) and len(told) == 3


@pytest.mark.slow
def test_corpora_are_sent_once(client):
    """However many blocks there are: each worker gets them once and makes one index; the graph holds none of them."""
    import cloudpickle

    client.wait_for_workers(2, timeout=600)  # one may have died in another test
    before = client.run(counts)
    corpus = TEXTS * 10
    found = far.cdist(corpus, client=client, metric=Counted(), rows=1)
    assert found.npartitions == len(corpus) and len(cloudpickle.dumps(found.__dask_graph__())) < 10_000
    assert found.compute().tolist() == fm.cdist(corpus, metric="toy").tolist()
    for worker, (arrived, indexed) in client.run(counts).items():
        had = before.get(worker, (0, 0))
        assert arrived - had[0] <= 1 and indexed - had[1] <= 1


def test_an_error_in_a_worker_is_fastmatchs_own(client):
    for call in (far.top_k, lambda *given, **more: far.cdist(*given, **more).compute()):
        fails(fm.OptionError, r"^no score for graph 3$", call, TEXTS, client=client, metric=Failing(), rows=1)
    assert far.top_k(TEXTS, k=2, client=client).indices.tolist() == fm.top_k(TEXTS, k=2).indices.tolist()


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL there")
def test_a_worker_that_dies_loses_nothing(client, marker, monkeypatch):
    """It dies within a block; its tasks go to the other one, and a new one takes its place."""
    monkeypatch.setenv("FASTMATCH_TEST_MARKER", str(marker))
    marker.unlink(missing_ok=True)  # another test may have left it
    before = {worker["nanny"]: name for name, worker in client.scheduler_info()["workers"].items()}
    metric = Deadly()
    found = far.cdist(TEXTS, client=client, metric=metric, rows=1).compute()
    assert marker.exists()  # one did die
    assert found.tolist() == fm.cdist(TEXTS, metric="toy").tolist()
    killed = int(marker.read_text())
    client.wait_for_workers(2, timeout=600)
    assert killed not in client.run(os.getpid).values()
    assert len(before) == 2
    marker.unlink()
    again = far.top_k(TEXTS, k=3, client=client, metric=metric, rows=1)
    assert marker.exists()
    assert again.indices.tolist() == fm.top_k(TEXTS, k=3, metric="toy").indices.tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dtype": int}, "scores are fractions"),
        ({"out": "folder"}, r"out= is for sparse=True; a whole matrix is a Dask array"),
        ({"rows": 0}, "rows=0: expected a positive whole number"),
        ({"metric": "smach"}, "metric='smach'"),
    ],
)
def test_wrong_arguments(client, options, message):
    fails(fm.OptionError, message, far.cdist, TEXTS, client=client, **options)


def test_without_a_client(monkeypatch):
    monkeypatch.setattr(distributed, "default_client", Mock(side_effect=ValueError("No clients found")))
    fails(fm.OptionError, "no Dask client", far.cdist, TEXTS)


@pytest.mark.slow
def test_before_any_worker_is_there_and_after_all_have_died(marker):
    """Jobs may wait in their queue for hours, and reach their time limit together."""
    marker.unlink(missing_ok=True)
    with started(marker, n_workers=0) as cluster, distributed.Client(cluster) as client:
        waiting = client.compute(far.cdist(TEXTS, client=client, metric=Deadly(), rows=1))
        assert not client.scheduler_info()["workers"]
        cluster.scale(1)
        assert waiting.result(timeout=600).tolist() == fm.cdist(TEXTS, metric="toy").tolist()
        assert marker.exists()  # the only worker died, with all that it had


def test_workers_that_are_threads_and_come_and_go():
    with (
        distributed.LocalCluster(n_workers=0, threads_per_worker=2, processes=False, **QUIET) as cluster,
        distributed.Client(cluster) as client,
    ):
        cluster.adapt(minimum=0, maximum=2, interval="50ms", wait_count=1)
        for metric in ("rematch", "smatch"):
            found = far.cdist(TEXTS, client=client, metric=metric, rows=1).compute()
            assert found.tolist() == fm.cdist(TEXTS, metric=metric).tolist()


@pytest.mark.slow
def test_threads_of_a_worker_share_one_index(monkeypatch):
    """Also where they begin together: without a lock (Python 3.12 and later have none here) each would make its own."""
    monkeypatch.setattr(Slow, "made", 0)
    setting = far.Setting.make(TEXTS, None, Slow(), None, None, "raise", {})
    assert far._blocks(setting, None, 16, 2) == [(0, len(TEXTS))]
    assert Slow.made == 0  # a client that cuts the work into blocks needs no index
    together = threading.Barrier(4)

    def work() -> None:
        together.wait()
        far._best(0, 2, comparison=setting.comparison, k=2, alone=True)

    with ThreadPoolExecutor(4) as pool:
        for begun in [pool.submit(work) for _ in range(4)]:
            begun.result()
    assert Slow.made == 1  # where scores are made of an index, none is made for bounds
