"""The worst pairs that ``benches/worst.py`` has found: each through every metric, in a process with limits.

``worst/`` holds a file a find: two texts of at most 2,000 characters, and between them a line of equals signs. The
table beside them says for which target each was found, and what it cost there: seconds of CPU time by default and with
low effort, and MiB. The limits are a guard against a metric that stalls: twenty times what was measured, in CPU time,
so that a busy machine does not matter. Memory is what a pair takes beyond that of the process before.
"""

import csv
import math
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from fastmatch.metrics.names import BUILT_IN

from support.memory import PEAK, needs_peaks
from support.nightly import by_day

FOLDER = Path(__file__).with_name("worst")
BETWEEN = "\n=====\n"
TABLE = list(csv.DictReader((FOLDER / "table.tsv").read_text(encoding="utf-8").splitlines(), delimiter="\t"))
FILES = [row["file"] for row in TABLE]
#: Not those that other tests have registered: a new process does not know them.
METRICS = sorted(BUILT_IN)
#: MiB.
MOST_MEMORY = 200

_CHILD = (
    PEAK
    + """
import resource, sys, warnings
import fastmatch as fm
from fastmatch.metrics.registry import get
warnings.simplefilter("ignore")

def used():
    spent = resource.getrusage(resource.RUSAGE_SELF)
    return int(spent.ru_utime + spent.ru_stime) + 1

_, files, between, effort, ceiling, *metrics = sys.argv
pairs = [open(file, encoding="utf-8").read().removesuffix("\\n").split(between) for file in files.split(",")]
_, hard = resource.getrlimit(resource.RLIMIT_CPU)
for metric in metrics:
    options = {"effort": effort} if "effort" in get(metric).__dataclass_fields__ else {}
    fm.score("(a / b)", "(a / c)", metric=metric, **options)
    for number, (pred, gold) in enumerate(pairs):
        print(metric, number, end=" ", flush=True)
        before = peak()
        resource.setrlimit(resource.RLIMIT_CPU, (used() + int(ceiling), hard))
        score = fm.score([pred], [gold], metric=metric, on_error="empty", **options).score
        resource.setrlimit(resource.RLIMIT_CPU, (hard, hard))
        print(score, (peak() - before) / 2**20, flush=True)
"""
)

pytestmark = needs_peaks


def through_all(files: list[str], effort: str, ceiling: float) -> None:
    command = [sys.executable, "-c", _CHILD, ",".join(str(FOLDER / file) for file in files), BETWEEN, effort]
    command += [str(math.ceil(ceiling)), *METRICS]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    lines = [line.split() for line in result.stdout.splitlines()]
    assert result.returncode == 0, f"ended by {result.returncode} in {lines[-1:]}; {result.stderr[-300:]}"
    assert [(name, int(number)) for name, number, _, _ in lines] == list(product(METRICS, range(len(files))))
    for name, number, score, memory in lines:
        assert math.isfinite(float(score)), (name, files[int(number)])
        assert float(memory) < MOST_MEMORY, (name, files[int(number)])


def test_the_table_names_the_files() -> None:
    assert {row["file"] for row in TABLE} == {path.name for path in FOLDER.glob("*.txt")}
    for row in TABLE:
        texts = (FOLDER / row["file"]).read_text(encoding="utf-8").removesuffix("\n").split(BETWEEN)
        assert len(texts) == 2 and max(map(len, texts)) <= 2000


def test_every_metric_ends_with_low_effort() -> None:
    """Measured: at most 0.05 s a metric."""
    through_all(FILES, "low", 20 * 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("file", by_day(FILES, 11))
def test_every_metric_ends(file: str) -> None:
    """Measured: at most a second a metric."""
    through_all([file], "default", 20 * 1)
