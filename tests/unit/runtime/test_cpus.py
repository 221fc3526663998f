"""How many CPUs a process may use: affinity, control groups, workers of a pool."""

import multiprocessing
import os
import sys
from types import SimpleNamespace

import pytest

from fastmatch import OptionError
from fastmatch.runtime import cpus


@pytest.mark.parametrize("workers", [0, -2, 1.5, "2", True, None])
def test_wrong_workers(workers):
    with pytest.raises(OptionError, match=r"workers=.*: expected a positive number of threads, or -1"):
        cpus.worker_count(workers)


def test_usable_cpus_is_at_most_the_affinity_mask():
    assert 1 <= cpus.usable_cpus() <= (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1 << 20)


def cgroup(tmp_path, table: str, files: dict[str, str]) -> float | None:
    (tmp_path / "cgroup").write_text(table)
    for name, content in files.items():
        path = tmp_path / "fs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return cpus._cgroup_quota(str(tmp_path / "fs"), str(tmp_path / "cgroup"))


def test_quota_of_cgroup_2(tmp_path):
    files = {"job/task/cpu.max": "max 100000\n", "job/cpu.max": "150000 100000\n"}
    assert cgroup(tmp_path, "0::/job/task\n", files) == 1.5


def test_quota_of_a_container_that_sees_itself_as_root(tmp_path):
    assert cgroup(tmp_path, "0::/\n", {"cpu.max": "400000 100000\n"}) == 4


def test_quota_of_cgroup_1(tmp_path):
    files = {"cpu/job/cpu.cfs_quota_us": "50000\n", "cpu/job/cpu.cfs_period_us": "100000\n"}
    table = "4:memory:/job\n3:cpu,cpuacct:/job\n"
    assert cgroup(tmp_path, table, files) == 0.5
    assert cgroup(tmp_path, table, {**files, "cpu/job/cpu.cfs_quota_us": "-1\n"}) is None


def test_no_quota(tmp_path):
    assert cgroup(tmp_path, "0::/\n", {"cpu.max": "max 100000\n"}) is None
    assert cgroup(tmp_path, "0::/\n", {"cpu.max": "what\n"}) is None
    assert cpus._cgroup_quota(str(tmp_path), str(tmp_path / "missing")) is None


def test_a_quota_below_one_cpu_is_one_worker(monkeypatch):
    monkeypatch.setattr(cpus, "_cgroup_quota", lambda: 0.2)
    assert cpus.usable_cpus() == 1


def test_one_worker_within_a_pool(monkeypatch):
    """``workers=-1`` in each of n workers of a pool would be n² threads."""
    monkeypatch.setattr(cpus, "_cgroup_quota", lambda: None)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(8)), raising=False)
    assert cpus.usable_cpus() == 8
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: object())
    expected = {"ForkPoolWorker-3": 1, "LokyProcess-1": 1, "Dask Worker process": 1, "Process-1": 8}
    for name, count in expected.items():
        monkeypatch.setattr(multiprocessing, "current_process", lambda name=name: SimpleNamespace(name=name))
        assert cpus.usable_cpus() == count


def test_one_worker_within_a_dask_thread(monkeypatch):
    monkeypatch.setattr(cpus, "_cgroup_quota", lambda: None)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(8)), raising=False)
    inside = [True]

    def get_worker():
        if not inside:
            raise ValueError("No worker found")

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(get_worker=get_worker))
    assert cpus.usable_cpus() == 1
    inside.clear()
    assert cpus.usable_cpus() == 8
