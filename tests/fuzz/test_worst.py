"""The worst pairs and completions that ``benches/worst.py`` has found: each through every metric, within limits.

``worst/`` holds a file a find: two texts of at most 2,000 characters, and between them a line of equals signs. The
table beside them says for which target each was found, and what it cost there: seconds of CPU time by default and with
low effort, and MiB. ``worst_completions/`` has the same of the rewards that ``benches/worst.py reward/METRIC`` tries:
completions and gold graphs of at most 8,000 characters, and milliseconds.

The limits are a guard against a metric that stalls: twenty times what was measured, in CPU time, so that a busy machine
does not matter. Memory is what a pair takes beyond that of the process before.
"""

import csv
import math
from itertools import product
from pathlib import Path

import pytest

from fastmatch.metrics.names import BUILT_IN
from fastmatch.rewards import GraphReward

from support.child import ended
from support.memory import PEAK, needs_peaks
from support.nightly import by_day

PAIRS, COMPLETIONS = (Path(__file__).with_name(name) for name in ("worst", "worst_completions"))
BETWEEN = "\n=====\n"
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
from fastmatch.rewards import GraphReward
warnings.simplefilter("ignore")

def used():
    spent = resource.getrusage(resource.RUSAGE_SELF)
    return int(spent.ru_utime + spent.ru_stime) + 1

def scorer(metric, how):
    if how == "reward":
        reward = GraphReward(metric)
        return lambda text, gold: (found := reward.one(text, gold)).valid and found.score
    options = {"effort": how} if "effort" in get(metric).__dataclass_fields__ else {}
    return lambda pred, gold: fm.score([pred], [gold], metric=metric, on_error="empty", **options).score

_, files, between, how, ceiling, *metrics = sys.argv
pairs = [open(file, encoding="utf-8").read().removesuffix("\\n").split(between) for file in files.split(",")]
_, hard = resource.getrlimit(resource.RLIMIT_CPU)
for metric in metrics:
    score = scorer(metric, how)
    score("(a / b)", "(a / c)")
    for number, texts in enumerate(pairs):
        print(metric, number, end=" ", flush=True)
        before = peak()
        resource.setrlimit(resource.RLIMIT_CPU, (used() + int(ceiling), hard))
        found = score(*texts)
        resource.setrlimit(resource.RLIMIT_CPU, (hard, hard))
        print(found, (peak() - before) / 2**20, flush=True)
"""
)

pytestmark = needs_peaks


def table(folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / "table.tsv").read_text(encoding="utf-8").splitlines(), delimiter="\t"))


def texts(folder: Path, file: str) -> list[str]:
    return (folder / file).read_text(encoding="utf-8").removesuffix("\n").split(BETWEEN)


FILES = [row["file"] for row in table(PAIRS)]


def through_all(folder: Path, files: list[str], how: str, ceiling: float) -> None:
    paths = ",".join(str(folder / file) for file in files)
    result = ended("-c", _CHILD, paths, BETWEEN, how, str(math.ceil(ceiling)), *METRICS)
    lines = [line.split() for line in result.stdout.splitlines()]
    assert result.returncode == 0, f"ended by {result.returncode} in {lines[-1:]}; {result.stderr[-300:]}"
    assert [(name, int(number)) for name, number, _, _ in lines] == list(product(METRICS, range(len(files))))
    for name, number, score, memory in lines:
        assert math.isfinite(float(score)), (name, files[int(number)])  # "False" of a reward that is not valid is none
        assert how != "reward" or 0 <= float(score) <= 1, (name, files[int(number)])
        assert float(memory) < MOST_MEMORY, (name, files[int(number)])


@pytest.mark.parametrize(("folder", "most"), [(PAIRS, 2000), (COMPLETIONS, 8000)])
def test_the_table_names_the_files(folder: Path, most: int) -> None:
    assert {row["file"] for row in table(folder)} == {path.name for path in folder.glob("*.txt")}
    for row in table(folder):
        both = texts(folder, row["file"])
        assert len(both) == 2 and max(map(len, both)) <= most
        assert folder != COMPLETIONS or (row["metric"] in BUILT_IN and float(row["cpu_ms"]) <= 50)


def test_every_metric_ends_with_low_effort() -> None:
    """Measured: at most 0.05 s a metric."""
    through_all(PAIRS, FILES, "low", 20 * 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("file", by_day(FILES, 11))
def test_every_metric_ends(file: str) -> None:
    """Measured: at most a second a metric."""
    through_all(PAIRS, [file], "default", 20 * 1)


def test_every_reward_comes() -> None:
    """No completion may take more than 0.05 s."""
    through_all(COMPLETIONS, [row["file"] for row in table(COMPLETIONS)], "reward", 20 * 0.05)


@pytest.mark.parametrize("row", table(COMPLETIONS), ids=lambda row: row["file"])
def test_what_was_cut_short_says_so_and_is_the_same_again(row: dict[str, str]) -> None:
    reward = GraphReward(row["metric"])
    text, gold = texts(COMPLETIONS, row["file"])
    found = reward.one(text, gold)
    assert found == reward.batch([gold, text], [gold, gold])[1] == GraphReward(row["metric"], workers=2).one(text, gold)
    assert found.certified is False
