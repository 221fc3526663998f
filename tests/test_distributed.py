"""Blocks on Dask: real worker processes, one of which is killed while it works."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("dask.array", reason="dask is not installed")
distributed = pytest.importorskip("distributed", reason="distributed is not installed")

import fastmatch as fm  # noqa: E402
from fastmatch import OptionError  # noqa: E402
from fastmatch import distributed as far  # noqa: E402
from fastmatch.blocks import AllPairs  # noqa: E402

from deadly_metric import Deadly  # noqa: E402
from test_journal import TEXTS  # noqa: E402

HERE = str(Path(__file__).parent)


@pytest.fixture(scope="module")
def marker(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("dask") / "killed"


@pytest.fixture(scope="module")
def client(marker):
    """Two worker processes that know the metrics of the tests."""
    environment = {
        "PYTHONPATH": os.pathsep.join([HERE, *sys.path]),
        "FASTMATCH_TEST_MARKER": str(marker),
        "MALLOC_TRIM_THRESHOLD_": "65536",
    }
    import dask

    with dask.config.set({"distributed.nanny.pre-spawn-environ": environment, "distributed.logging.distributed": 50}):
        cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, memory_limit=None, silence_logs=50
        )
        with cluster, distributed.Client(cluster) as made:
            yield made


def test_a_matrix(client):
    found = far.cdist(TEXTS, TEXTS[:5], client=client, metric="smatch", rows=3)
    assert found.chunks == ((3, 3, 2), (5,))
    assert found.dtype == np.float32
    assert found.compute().tolist() == fm.cdist(TEXTS, TEXTS[:5], metric="smatch").tolist()
    assert float(found[2, 1].compute()) == fm.cdist(TEXTS, TEXTS[:5], metric="smatch")[2, 1]
    cut = far.cdist(TEXTS, metric="smatch", score_cutoff=0.5, dtype="float64")  # the client that is current
    assert cut.compute().tolist() == fm.cdist(TEXTS, metric="smatch", score_cutoff=0.5, dtype="float64").tolist()
    assert far.cdist([], TEXTS, client=client).shape == (0, len(TEXTS))


def test_neighbours(client, tmp_path):
    wanted = fm.top_k(TEXTS, k=3)
    found = far.top_k(TEXTS, k=3, client=client, rows=2)
    assert found.indices.tolist() == wanted.indices.tolist()
    assert found.scores.tolist() == wanted.scores.tolist()
    assert (found.signature, found.query_ids, found.ids) == (wanted.signature, wanted.query_ids, wanted.ids)
    assert far.top_k([], TEXTS, k=3, client=client).indices.shape == (0, 3)


def test_neighbours_in_a_folder(client, tmp_path):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    wanted = fm.top_k(TEXTS, k=3)
    folder = tmp_path / "neighbours"
    found = far.top_k(TEXTS, k=3, client=client, rows=3, out=folder)
    assert found.to_arrow().equals(wanted.to_arrow())
    assert fm.TopK.read(folder).to_arrow().equals(wanted.to_arrow())
    blocks = sorted(folder.glob("*.parquet"))
    assert [block.name for block in blocks] == ["00000000.parquet", "00000001.parquet", "00000002.parquet"]
    blocks[1].unlink()
    times = blocks[0].stat().st_mtime_ns, blocks[2].stat().st_mtime_ns
    assert far.top_k(TEXTS, k=3, client=client, rows=3, out=folder).to_arrow().equals(wanted.to_arrow())
    assert (blocks[0].stat().st_mtime_ns, blocks[2].stat().st_mtime_ns) == times  # only what was missing
    with pytest.raises(OptionError, match="is of another computation"):
        far.top_k(TEXTS, k=4, client=client, rows=3, out=folder)
    with pytest.raises(OptionError, match="is not empty"):
        far.top_k(TEXTS, k=3, client=client, out=tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL there")
def test_a_worker_that_dies_loses_nothing(client, marker, monkeypatch):
    """It dies within a block; its tasks go to the other one, and a new one takes its place."""
    monkeypatch.setenv("FASTMATCH_TEST_MARKER", str(marker))
    before = {worker["nanny"]: name for name, worker in client.scheduler_info()["workers"].items()}
    metric = Deadly()
    found = far.cdist(TEXTS, client=client, metric=metric, rows=1).compute()
    assert marker.exists()  # one did die
    assert found.tolist() == fm.cdist(TEXTS, metric="toy").tolist()
    killed = int(marker.read_text())
    client.wait_for_workers(2, timeout=60)
    assert killed not in client.run(os.getpid).values()
    assert len(before) == 2
    marker.unlink()
    again = far.top_k(TEXTS, k=3, client=client, metric=metric, rows=1)
    assert marker.exists()
    assert again.indices.tolist() == fm.top_k(TEXTS, k=3, metric="toy").indices.tolist()


def test_what_is_scattered_is_the_comparison_without_indexes(client):
    import pickle

    setting = far.Setting.make("cdist", TEXTS, None, "smatch", None, None, "raise", {})
    setting.comparison.best(0, 3, 2)
    again = pickle.loads(pickle.dumps(setting.comparison))
    assert isinstance(again, AllPairs)
    assert "_filter" not in vars(again)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dtype": int}, "scores are fractions"),
        ({"rows": 0}, "rows=0: expected a positive whole number"),
        ({"metric": "smach"}, "metric='smach'"),
    ],
)
def test_wrong_arguments(client, options, message):
    with pytest.raises(OptionError, match=message):
        far.cdist(TEXTS, client=client, **options)


def test_without_a_client(monkeypatch):
    def nobody():
        raise ValueError("No clients found")

    monkeypatch.setattr(distributed, "default_client", nobody)
    with pytest.raises(OptionError, match="no Dask client"):
        far.cdist(TEXTS)
