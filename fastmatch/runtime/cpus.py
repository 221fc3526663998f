"""How many threads work may use: the CPUs of this process, not those of the machine."""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np

from fastmatch.errors import OptionError


def worker_count(workers: int) -> int:
    """The number of threads that ``workers`` stands for.

    Raises
    ------
    OptionError
        If it is neither −1 nor a positive whole number.
    """
    if isinstance(workers, bool) or not isinstance(workers, int | np.integer) or (workers < 1 and workers != -1):
        raise OptionError(f"workers={workers!r}: expected a positive number of threads, or -1 for all CPUs")
    return usable_cpus() if workers == -1 else int(workers)


def usable_cpus() -> int:
    """CPUs this process may use: its affinity mask, cut down to the CPU quota of its control group. At least 1.

    Containers often see all CPUs of the machine but get the time of a few; more threads than that only wait. In a
    worker of joblib, Dask or a multiprocessing pool it is 1: the others of the pool have the rest.
    """
    if _in_a_pool():
        return 1
    if hasattr(os, "sched_getaffinity"):
        cpus = len(os.sched_getaffinity(0))
    else:
        cpus = os.cpu_count() or 1
    quota = _cgroup_quota()
    return max(1, cpus if quota is None else min(cpus, int(quota + 0.5)))


def _in_a_pool() -> bool:
    # what is not imported cannot have started this process or thread
    multiprocessing: Any = sys.modules.get("multiprocessing")
    if multiprocessing is not None and multiprocessing.parent_process() is not None:
        name: str = multiprocessing.current_process().name
        if "PoolWorker" in name or name.startswith(("LokyProcess", "Dask Worker")):
            return True
    distributed: Any = sys.modules.get("distributed")
    if distributed is None or not hasattr(distributed, "get_worker"):
        return False
    try:
        distributed.get_worker()
    except ValueError:
        return False
    return True


def _cgroup_quota(root: str = "/sys/fs/cgroup", table: str = "/proc/self/cgroup") -> float | None:
    """CPUs' worth of time the control group grants, the least along the path to its root; None without a limit."""
    try:
        with open(table) as file:
            entries = [line.rstrip("\n").split(":", 2) for line in file]
    except OSError:
        return None
    quotas = []
    names: tuple[str, ...]
    for _, controllers, path in (entry for entry in entries if len(entry) == 3):
        if controllers == "":  # version 2: one hierarchy
            base, names = root, ("cpu.max",)  # "max 100000" or "150000 100000", microseconds
        elif "cpu" in controllers.split(","):
            base, names = f"{root}/cpu", ("cpu.cfs_quota_us", "cpu.cfs_period_us")  # -1: no limit
        else:
            continue
        parts = [part for part in path.split("/") if part not in ("", "..")]
        for depth in range(len(parts) + 1):
            folder = "/".join([base, *parts[:depth]])
            limit = [number for name in names for number in _numbers(f"{folder}/{name}")]
            if len(limit) == 2 and min(limit) > 0:
                quotas.append(limit[0] / limit[1])
    return min(quotas, default=None)


def _numbers(path: str) -> list[int]:
    try:
        with open(path) as file:
            return [int(word) for word in file.read().split()]
    except (OSError, ValueError):
        return []
