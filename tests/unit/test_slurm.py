"""The documented lines for SLURM against dask-jobqueue: keywords that it has, and job scripts that ask for the right
thing. No SLURM is needed; docs/all-pairs.md tells of a run on a real one."""

import ast
import re
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="distributed is not installed")
jobqueue = pytest.importorskip("dask_jobqueue", reason="dask-jobqueue is not installed")

PAGE = Path(__file__).parents[2] / "docs" / "all-pairs.md"


def documented() -> list[dict]:
    """The keywords of every ``SLURMCluster(…)`` of the page."""
    found = []
    for block in re.findall(r"^```py(?:thon)?\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "SLURMCluster":
                assert not node.args
                found.append({each.arg: ast.literal_eval(each.value) for each in node.keywords})
    return found


@pytest.mark.skipif(not PAGE.exists(), reason="an installed package is without the pages")
def test_documented_clusters():
    assert documented()
    for keywords in documented():
        local = {"host": "127.0.0.1", "dashboard_address": ":0"}
        with jobqueue.SLURMCluster(**keywords, scheduler_options=local, silence_logs=50) as cluster:
            script = cluster.job_script()
        lines = script.splitlines()
        cores = keywords["cores"]
        assert f"#SBATCH --cpus-per-task={cores}" in lines and f"#SBATCH -t {keywords['walltime']}" in lines
        gigabytes = int(keywords["memory"].removesuffix("GB"))
        memory = next(line for line in lines if line.startswith("#SBATCH --mem="))
        # gigabytes of 10⁹ bytes, asked for in binary ones
        assert memory == f"#SBATCH --mem={-(-gigabytes * 10**9 // 2**30)}G"
        if "queue" in keywords:
            assert f"#SBATCH -p {keywords['queue']}" in lines
        worker = next(line for line in lines if "dask_worker" in line)
        threads = int(re.search(r"--nthreads (\d+)", worker)[1])
        workers = int(found[1]) if (found := re.search(r"--nworkers (\d+)", worker)) else 1
        assert threads * workers == cores
        # one process a job: of several, dask-jobqueue does not see that the job is gone, and never replaces it
        assert workers == keywords.get("processes", workers)
        for option in keywords.get("worker_extra_args", ()):
            assert option in worker.split()
