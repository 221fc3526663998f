"""How much cheaper is fastmatch than smatch and smatchpp on the same two files, and do the scores agree?

    python benches/peers/compare.py PRED GOLD [--pairs N] [--repeat R] [--skip smatchpp]

Needs the peers from PyPI: ``pip install smatch==1.0.4 smatchpp==1.8.0``. Two questions, answered separately:

* *whole process*: CPU time (user + system) of each command line from start to exit: start, read, score, print;
* *scoring only*: CPU time inside one process after everything has been read, building the matching problems included.

Runs alternate between the tools, and the cheapest of ``--repeat`` runs counts, because a shared machine can only make a
run slower. Everything uses one worker. A ratio is printed beside the scores of the same run: a faster wrong number is
not a result. smatch climbs from random starts, so its matched count may be below the optimum, never above it; smatchpp
counts other triples (its own reader and standardisation), so its F1 is near ours but not the same number.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple


class Run(NamedTuple):
    """CPU seconds, and what the tool said: F1 as a fraction, and matched triples where it tells."""

    seconds: float
    f1: float
    matched: int | None = None
    note: str = ""


def first_blocks(source: str, count: int | None, target: Path) -> Path:
    """Copy the first ``count`` graphs of a file, with their comments, separated by exactly one blank line."""
    blocks: list[list[str]] = [[]]
    with open(source, encoding="utf-8-sig") as file:
        for line in file:
            if line.strip():
                blocks[-1].append(line.rstrip("\n"))
            elif blocks[-1]:
                blocks.append([])
    graphs = [block for block in blocks if any(not line.lstrip().startswith("#") for line in block)]
    target.write_text("\n\n".join("\n".join(block) for block in graphs[:count]) + "\n", encoding="utf-8")
    return target


# ---- whole process ---------------------------------------------------------------------------------------------------


def process(command: list[str]) -> tuple[float, str]:
    """CPU seconds of a child process (user + system, of the process alone) and its standard output."""
    # PYTHONSAFEPATH: the fastmatch that is installed, not one in the working directory.
    environment = {**os.environ, "PYTHONSAFEPATH": "1"}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment)
        _, status, usage = os.wait4(child.pid, 0)  # to the microsecond; os.times() counts in hundredths
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if child.returncode != 0:
            message = err.read().decode(errors="replace").strip()[-2000:]
            raise SystemExit(f"{' '.join(command)}: exit status {child.returncode}\n{message}")
        return usage.ru_utime + usage.ru_stime, out.read().decode()


def script(name: str) -> str:
    """A console script of this very environment, or the first on the path."""
    here = Path(sysconfig.get_path("scripts")) / name
    found = str(here) if here.exists() else shutil.which(name)
    if not found:
        raise SystemExit(f"{name} is not installed in this environment")
    return found


def fastmatch_process(pred: Path, gold: Path) -> Run:
    command = [sys.executable, "-m", "fastmatch", "score", str(pred), str(gold), "--preset", "smatch", "--json"]
    seconds, out = process(command)
    result = json.loads(out)
    certified = f"{result['n_certified']}/{result['n_pairs']} proven optimal"
    return Run(seconds, result["micro"]["f1"], result["counts"]["matched"], certified)


def smatch_process(pred: Path, gold: Path) -> Run:
    seconds, out = process(
        [sys.executable, script("smatch.py"), "-f", str(pred), str(gold), "--significant", "9", "-r", "4"]
    )
    return Run(seconds, float(out.split()[-1]))


def smatchpp_process(pred: Path, gold: Path) -> Run:
    command = [sys.executable, "-m", "smatchpp", "-a", str(pred), "-b", str(gold), "-solver", "ilp"]
    command += ["-score_type", "micro", "-output_format", "json", "-log_level", "40"]
    seconds, out = process(command)
    return Run(seconds, json.loads(out)["main"]["F1"]["result"] / 100)


# ---- scoring only ----------------------------------------------------------------------------------------------------


def fastmatch_scoring(pred: Path, gold: Path) -> Callable[[], Run]:
    import fastmatch

    golds = fastmatch.read(gold, dialect="smatch")
    predictions = fastmatch.read(pred, dialect="smatch", vocabulary=golds.vocabulary)
    fastmatch.score(predictions[:1], golds[:1], preset="smatch")  # imports the kernels, as the peers are imported

    def run() -> Run:
        start = time.process_time()
        result = fastmatch.score(predictions, golds, preset="smatch")
        seconds = time.process_time() - start
        return Run(seconds, float(result.f1), int(result.pairs.matched.sum()))

    return run


def smatch_scoring(pred: Path, gold: Path) -> Callable[[], Run]:
    sys.path.insert(0, str(Path(sysconfig.get_path("purelib"))))
    import amr
    import smatch

    def triples(path: Path, prefix: str) -> list[tuple[list[Any], list[Any], list[Any]]]:
        graphs = []
        with open(path, encoding="utf-8") as file:
            while line := amr.AMR.get_amr_line(file):
                graph = amr.AMR.parse_AMR_line(line)
                graph.rename_node(prefix)
                graphs.append(graph.get_triples())
        return graphs

    predictions, golds = triples(pred, "a"), triples(gold, "b")

    def run() -> Run:
        matched = test = reference = 0
        start = time.process_time()
        for one, two in zip(predictions, golds, strict=True):
            matched += smatch.get_best_match(*one, *two, "a", "b")[1]
            smatch.match_triple_dict.clear()
            test += sum(map(len, one))
            reference += sum(map(len, two))
        seconds = time.process_time() - start
        return Run(seconds, 2 * matched / (test + reference), matched)

    return run


def smatchpp_scoring(pred: Path, gold: Path) -> Callable[[], Run]:
    from smatchpp import Smatchpp, data_helpers, solvers

    tool = Smatchpp(alignmentsolver=solvers.get_solver("ilp"))

    def graphs(path: Path) -> list[Any]:
        return [
            tool.graph_standardizer.standardize(tool.graph_reader.string2graph(text))
            for text in data_helpers.read_graphstrings_from_file(str(path))
        ]

    predictions, golds = graphs(pred), graphs(gold)

    def run() -> Run:
        totals = [0.0, 0.0, 0.0, 0.0]
        start = time.process_time()
        with contextlib.redirect_stdout(io.StringIO()):
            for one, two in zip(predictions, golds, strict=True):
                first, second, variables1, variables2 = tool.graph_pair_preparer.prepare_get_vars(one, two)
                alignment, index, _ = tool.graph_aligner.align(first, second, variables1, variables2)
                match = tool.graph_scorer.score(first, second, alignment, index)
                totals = [total + float(value) for total, value in zip(totals, match, strict=True)]
        seconds = time.process_time() - start
        return Run(seconds, (totals[0] + totals[1]) / (totals[2] + totals[3]), round(totals[0]))

    return run


# ---- report ----------------------------------------------------------------------------------------------------------


def measure(title: str, runs: dict[str, Callable[[], Run]], repeat: int) -> dict[str, Run]:
    """Alternate between the tools ``repeat`` times; print and return the cheapest run of each."""
    best: dict[str, Run] = {}
    for _ in range(repeat):
        for name, run in runs.items():
            result = run()
            if name not in best or result.seconds < best[name].seconds:
                best[name] = result
    ours = best["fastmatch"]
    print(f"\n{title}: CPU seconds, cheapest of {repeat}")
    for name, result in best.items():
        ratio = "" if name == "fastmatch" else f"{result.seconds / ours.seconds:9.1f}x"
        matched = "" if result.matched is None else f"  matched {result.matched:,}"
        print(f"  {name:<10} {result.seconds:10.4f} s {ratio:>10}  F1 {result.f1:.6f}{matched}  {result.note}".rstrip())
    return best


def agreement(best: dict[str, Run]) -> None:
    """Say whether the scores are what they must be: the optimum is never below the hill-climber's count."""
    ours, theirs = best["fastmatch"], best.get("smatch")
    if theirs is None:
        return
    if theirs.matched is not None and ours.matched is not None:
        verdict = "as it must be" if ours.matched >= theirs.matched else "WRONG: the optimum cannot be lower"
        print(f"  agreement: optimum {ours.matched:,} >= smatch {theirs.matched:,} matched: {verdict}")
    else:
        verdict = "as it must be" if ours.f1 >= theirs.f1 - 1e-6 else "WRONG: the optimum cannot be lower"
        print(f"  agreement: F1 {ours.f1:.6f} >= smatch {theirs.f1:.6f}: {verdict}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("pred", help="predicted graphs, Penman notation")
    parser.add_argument("gold", help="gold graphs, in the same order")
    parser.add_argument("--pairs", type=int, metavar="N", help="only the first N pairs")
    parser.add_argument("--repeat", type=int, default=3, metavar="R", help="runs of each tool (default 3)")
    parser.add_argument("--skip", action="append", default=[], choices=["smatch", "smatchpp"], help="leave a peer out")
    parser.add_argument("--only", choices=["process", "scoring"], help="one of the two questions")
    parser.add_argument("--json", metavar="OUT.json", help="also write the figures to a file")
    options = parser.parse_args()

    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} CPUs")
    results: dict[str, dict[str, Run]] = {}
    with tempfile.TemporaryDirectory() as folder:
        pred = first_blocks(options.pred, options.pairs, Path(folder) / "pred.amr")
        gold = first_blocks(options.gold, options.pairs, Path(folder) / "gold.amr")
        peers = [peer for peer in ("smatch", "smatchpp") if peer not in options.skip]
        if options.only != "scoring":
            whole = {"fastmatch": fastmatch_process, "smatch": smatch_process, "smatchpp": smatchpp_process}
            runs = {name: lambda run=whole[name]: run(pred, gold) for name in ("fastmatch", *peers)}
            results["process"] = measure("whole process", runs, options.repeat)
            agreement(results["process"])
        if options.only != "process":
            scoring = {"fastmatch": fastmatch_scoring, "smatch": smatch_scoring, "smatchpp": smatchpp_scoring}
            runs = {name: scoring[name](pred, gold) for name in ("fastmatch", *peers)}
            results["scoring"] = measure("scoring only", runs, options.repeat)
            agreement(results["scoring"])
    if options.json:
        record = {question: {name: run._asdict() for name, run in best.items()} for question, best in results.items()}
        Path(options.json).write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
