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


QUOTAS = {
    "version 2": ("0::/job/task\n", {"job/task/cpu.max": "max 100000\n", "job/cpu.max": "150000 100000\n"}, 1.5),
    "a container that sees itself as root": ("0::/\n", {"cpu.max": "400000 100000\n"}, 4),
    "version 1": ("4:memory:/job\n3:cpu,cpuacct:/job\n", {"quota": "50000\n", "period": "100000\n"}, 0.5),
    "version 1, none": ("4:memory:/job\n3:cpu,cpuacct:/job\n", {"quota": "-1\n", "period": "100000\n"}, None),
    "none": ("0::/\n", {"cpu.max": "max 100000\n"}, None),
    "no number": ("0::/\n", {"cpu.max": "what\n"}, None),
}


@pytest.mark.parametrize(("table", "files", "expected"), QUOTAS.values(), ids=QUOTAS)
def test_quota(table, files, expected, tmp_path):
    (tmp_path / "cgroup").write_text(table)
    for name, content in files.items():
        path = tmp_path / "fs" / (name if "." in name else f"cpu/job/cpu.cfs_{name}_us")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    assert cpus._cgroup_quota(str(tmp_path / "fs"), str(tmp_path / "cgroup")) == expected
    assert cpus._cgroup_quota(str(tmp_path), str(tmp_path / "missing")) is None


def test_a_quota_below_one_cpu_is_one_worker(monkeypatch):
    monkeypatch.setattr(cpus, "_cgroup_quota", lambda: 0.2)
    assert cpus.usable_cpus() == 1


@pytest.fixture
def eight(monkeypatch):
    monkeypatch.setattr(cpus, "_cgroup_quota", lambda: None)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(8)), raising=False)


def test_one_worker_within_a_pool(monkeypatch, eight):
    """``workers=-1`` in each of n workers of a pool would be n² threads."""
    assert cpus.usable_cpus() == 8
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: object())
    for name, count in {"ForkPoolWorker-3": 1, "LokyProcess-1": 1, "Dask Worker process": 1, "Process-1": 8}.items():
        monkeypatch.setattr(multiprocessing, "current_process", lambda name=name: SimpleNamespace(name=name))
        assert cpus.usable_cpus() == count


def test_one_worker_within_a_dask_thread(monkeypatch, eight):
    inside = [True]

    def get_worker():
        if not inside:
            raise ValueError("No worker found")

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(get_worker=get_worker))
    assert cpus.usable_cpus() == 1
    inside.clear()
    assert cpus.usable_cpus() == 8
