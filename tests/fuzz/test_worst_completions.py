"""The completions that ``benches/worst.py reward/METRIC`` has found to keep a reward busy longest.

``worst_completions/`` holds a file a find: a completion and a gold graph of at most 8,000 characters, and between them
a line of equals signs. The table beside them says for the reward of which metric each was found, and the milliseconds
of CPU time that it took there. Each goes through the default reward of every metric, in a process with a limit of CPU
time that is twenty times the 0.05 s which no completion may take, so that a busy machine does not matter.
"""

import csv
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from fastmatch.metrics.names import BUILT_IN
from fastmatch.rewards import GraphReward

FOLDER = Path(__file__).with_name("worst_completions")
BETWEEN = "\n=====\n"
TABLE = list(csv.DictReader((FOLDER / "table.tsv").read_text(encoding="utf-8").splitlines(), delimiter="\t"))

_CHILD = """
import resource, sys
from fastmatch.rewards import GraphReward

def used():
    spent = resource.getrusage(resource.RUSAGE_SELF)
    return int(spent.ru_utime + spent.ru_stime) + 1

_, files, between, *metrics = sys.argv
pairs = [open(file, encoding="utf-8").read().removesuffix("\\n").split(between) for file in files.split(",")]
_, hard = resource.getrlimit(resource.RLIMIT_CPU)
for metric in metrics:
    reward = GraphReward(metric)
    reward.one("(a / b)", "(a / c)")
    for number, (text, gold) in enumerate(pairs):
        print(metric, number, end=" ", flush=True)
        resource.setrlimit(resource.RLIMIT_CPU, (used() + 1, hard))
        result = reward.one(text, gold)
        resource.setrlimit(resource.RLIMIT_CPU, (hard, hard))
        print(result.valid, result.score, flush=True)
"""


def texts(file: str) -> tuple[str, str]:
    text, gold = (FOLDER / file).read_text(encoding="utf-8").removesuffix("\n").split(BETWEEN)
    return text, gold


def test_the_table_names_the_files() -> None:
    assert {row["file"] for row in TABLE} == {path.name for path in FOLDER.glob("*.txt")}
    for row in TABLE:
        assert max(map(len, texts(row["file"]))) <= 8000
        assert row["metric"] in BUILT_IN
        assert float(row["cpu_ms"]) <= 50


@pytest.mark.skipif(sys.platform != "linux", reason="limits of CPU time")
def test_every_reward_comes() -> None:
    files = ",".join(str(FOLDER / row["file"]) for row in TABLE)
    command = [sys.executable, "-c", _CHILD, files, BETWEEN, *sorted(BUILT_IN)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    lines = [line.split() for line in result.stdout.splitlines()]
    assert result.returncode == 0, f"ended by {result.returncode} in {lines[-1:]}; {result.stderr[-300:]}"
    assert [(name, int(number)) for name, number, _, _ in lines] == list(product(sorted(BUILT_IN), range(len(TABLE))))
    for name, _, valid, score in lines:
        assert valid == "True", name
        assert 0.0 <= float(score) <= 1.0, name


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["file"])
def test_what_was_cut_short_says_so_and_is_the_same_again(row: dict[str, str]) -> None:
    reward = GraphReward(row["metric"])
    text, gold = texts(row["file"])
    found = reward.one(text, gold)
    assert found == reward.batch([gold, text], [gold, gold])[1] == GraphReward(row["metric"], workers=2).one(text, gold)
    assert found.certified is False
