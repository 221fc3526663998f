"""How many pairs get a certificate, how large is it, what does it cost, and how fast is it checked?

    python benches/certificates.py PRED GOLD [PRED GOLD ...] [--documents PRED GOLD] [--limit N]

A row for each pair of files and option set; then documents made of the sentences of ``--documents``, against their
parses and against other documents. Every file of certificates is checked by ``check_certificates.py`` in a process of
its own, and its exit status counts. Times are of a CPU, in microseconds a pair. To score is to read both files and to
score; to prove is to do that and to write the packed file of certificates. ``ratio`` is of these two, in a program that
runs; ``command`` of ``fastmatch score PRED GOLD`` with and without ``--certificate``, from their start to their end.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from pathlib import Path
from time import process_time

from data import join, read_blocks

import fastmatch as fm
from fastmatch.evaluation.certificates import check_certificates

CHECKER = check_certificates.__file__
OPTIONS = ["smatch", "smatch/smatch", "smatch/smatch++/reify", "smatch/none", "smatch++", "smatch++/reify", "s2match"]
OPTIONS += ["s2match/tool", "wsmatch", "wsmatch/tool"]


def seconds_of_children() -> float:
    """CPU time of the processes that were started here and have ended."""
    times = os.times()
    return times.children_user + times.children_system


def least(runs: Sequence[Callable[[], object]], times: int, clock: Callable[[], float]) -> list[float]:
    """CPU seconds of the fastest of some runs of each, taken in turn."""
    found = [inf] * len(runs)
    for _ in range(times):
        for k, run in enumerate(runs):
            begun = clock()
            run()
            found[k] = min(found[k], clock() - begun)
    return found


def measured(metric: str, pred: Path, gold: Path, folder: str, times: int, effort: str) -> list[str]:
    """Cells of a row."""
    out = Path(folder) / "certificates.jsonl.gz"
    fm.certificate("(a / b)", "(a / b)", metric=metric)  # what is loaded for the first one is not measured
    scores = fm.score(pred, gold, metric=metric, effort=effort).pairs
    found = fm.certificate(pred, gold, metric=metric, out=out, effort=effort)
    calls = [
        lambda: fm.score(pred, gold, metric=metric, effort=effort),
        lambda: fm.certificate(pred, gold, metric=metric, out=out, effort=effort),
    ]
    scoring, proving = least(calls, times, process_time)
    command = [
        sys.executable,
        "-m",
        "fastmatch",
        "score",
        pred,
        gold,
        "--metric",
        metric,
        "--effort",
        effort,
        "--quiet",
    ]
    lines = [command, [*command, "--certificate", out]]
    of_commands = least(
        [partial(subprocess.run, line, capture_output=True) for line in lines], min(times, 3), seconds_of_children
    )
    begun = seconds_of_children()
    done = subprocess.run([sys.executable, CHECKER, str(out), "--summary"], capture_output=True, text=True)
    checking = seconds_of_children() - begun
    if done.returncode:
        print(done.stdout, file=sys.stderr)
    n = max(1, found.n_pairs)
    return [
        f"{found.n_proven:,} of {found.n_pairs:,}",
        f"{int(scores.certified.sum()):,}",
        f"{out.stat().st_size / n:,.0f}",
        f"{1e6 * scoring / n:,.1f}",
        f"{1e6 * proving / n:,.1f}",
        f"{proving / scoring:.1f}",
        f"{of_commands[1] / of_commands[0]:.1f}",
        f"{n / checking:,.0f}" + " (refused)" * bool(done.returncode),
    ]


def documents(pred: Path, gold: Path, size: int) -> list[tuple[str, str]]:
    """Documents of consecutive sentences, whose gold graphs have at least so many variables each."""
    found: list[tuple[str, str]] = []
    some: list[tuple[str, str]] = []
    for pair in zip(read_blocks(str(pred)), read_blocks(str(gold)), strict=True):
        some.append(pair)
        if sum(text.count("/") for _, text in some) >= size:
            found.append((join(one for one, _ in some), join(other for _, other in some)))
            some = []
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--documents", nargs=2, type=Path, metavar=("PRED", "GOLD"))
    parser.add_argument("--sizes", default="75,100,150,300,500")
    parser.add_argument("--options", default=",".join(OPTIONS))
    parser.add_argument("--limit", type=int, default=40, help="documents of a size, at most")
    parser.add_argument("--effort", default="default", help="of documents")
    parser.add_argument("--times", type=int, default=9, help="runs, of which the fastest counts; of documents one")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    head = ["pairs", "metric", "with a proof", "certified", "bytes", "to score", "to prove", "ratio", "command"]
    print("|", " | ".join([*head, "checked a second"]), "|")
    print("|" + " --- |" * 10)
    with tempfile.TemporaryDirectory() as folder:
        for pred, gold in zip(arguments.files[::2], arguments.files[1::2], strict=True):
            for metric in arguments.options.split(","):
                row = measured(metric, pred, gold, folder, arguments.times, "default")
                print(f"| {pred.parent.parent.name}/{pred.name} | {metric} |", " | ".join(row), "|", flush=True)
        if arguments.documents:
            for size in map(int, arguments.sizes.split(",")):
                made = documents(*arguments.documents, size)
                random.Random(1).shuffle(made)
                others = [(one, made[k - 1][1]) for k, (one, _) in enumerate(made)]
                pairs = {"parses": made, "unrelated": others}
                for kind, texts in pairs.items():
                    if kind == "unrelated" and size > 100:
                        continue
                    paths = [Path(folder) / name for name in ("pred.amr", "gold.amr")]
                    for path, side in zip(paths, zip(*texts[: arguments.limit], strict=True), strict=True):
                        path.write_text("\n\n".join(side) + "\n", encoding="utf-8")
                    row = measured("smatch", *paths, folder, 1, arguments.effort)
                    print(f"| {size} variables, {kind} | smatch |", " | ".join(row), "|", flush=True)


if __name__ == "__main__":
    main()
