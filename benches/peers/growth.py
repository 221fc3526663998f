"""How do seconds, memory and gap grow with the size of a document, here and in the published programs?

    python benches/peers/growth.py PRED GOLD [PRED GOLD ...] --sizes 50,100,200,500,1000,2000,5000

The files hold sentences; pairs of them are joined under one root until a document has so many variables. Each program
gets each pair in a process of its own, with a limit of CPU time and one of memory. CPU seconds are those of the process
and its children, reading included. The gap is what a better map might still add, as a share of the proven bound. Each
program reads and counts triples in its own way, so their F1 are near each other but not the same number.

Needs smatch and smatchpp (both from PyPI) and penman.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from data import join, read_blocks

FASTMATCH = """
import fastmatch as fm
result = fm.score(fm.read(sys.argv[1]), fm.read(sys.argv[2]))
found = {"f1": 100 * result.f1, "gap": float(1 - result.pairs.matched[0] / result.pairs.upper[0])}
from fastmatch.runtime import apart
apart.end_idle()  # so that its CPU time counts
"""
SMATCH = """
import random, amr, smatch
random.seed(1)
with open(sys.argv[1]) as pred, open(sys.argv[2]) as gold:
    matched, *totals = smatch.get_amr_match(*(amr.AMR.get_amr_line(file) for file in (pred, gold)))
found = {"f1": 200 * matched / sum(totals)}
"""
SMATCHPP = """
from smatchpp import Smatchpp, solvers
with open(sys.argv[1]) as pred, open(sys.argv[2]) as gold:
    result = Smatchpp(alignmentsolver=solvers.get_solver("ilp")).score_pair(pred.read(), gold.read())
found = {"f1": float(result["main"]["F1"])}
"""


def run(code: str, pred: str, gold: str, seconds: float, memory: float) -> dict[str, float | str]:
    """One program on one pair: what it found, with its CPU seconds and MiB, or why it has no result."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (int(memory * 2**30),) * 2)
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1,) * 2)

    script = f"import json, resource, sys\n{code}\nprint('found', json.dumps(found))"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.run(
        [sys.executable, "-c", script + MEASURED, pred, gold], capture_output=True, text=True, preexec_fn=limit
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    for line in process.stdout.splitlines():
        if line.startswith("found {"):
            return {**json.loads(line[6:]), "seconds": spent, "MiB": peak(process.stdout)}
    reason = process.stderr.strip().splitlines()[-1:] or ["ended"]
    return {"failed": f"over {seconds:.0f} s" if spent > seconds else reason[0][:60], "seconds": spent}


MEASURED = """
print('peak', max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
"""


def peak(output: str) -> float:
    """MiB of the largest process."""
    return float(output.rsplit("peak", 1)[1]) / 1024


def documents(files: list[str], sizes: list[int]) -> dict[int, tuple[str, str]]:
    """Pairs of documents whose gold graph has at least so many variables, for all sizes that can be had."""
    pairs = [
        pair
        for pred, gold in zip(files[::2], files[1::2], strict=True)
        for pair in zip(read_blocks(pred), read_blocks(gold), strict=True)
    ]
    made, variables, used = {}, 0, 0
    for size in sorted(sizes):
        while used < len(pairs) and variables < size:
            variables += pairs[used][1].count("/")
            used += 1
        if variables >= size:
            made[size] = (join(pred for pred, _ in pairs[:used]), join(gold for _, gold in pairs[:used]))
    return made


def cell(found: dict[str, float | str]) -> str:
    """Seconds, MiB, F1 and the gap if there is one."""
    if "failed" in found:
        return str(found["failed"])
    shown = f"{found['seconds']:.1f} s, {found['MiB']:.0f} MiB, F1 {found['f1']:.2f}"
    if "gap" not in found:
        return shown
    return f"{shown}, " + (f"gap {100 * float(found['gap']):.2f} %" if found["gap"] else "certified")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--sizes", default="50,100,200,500,1000,2000,5000")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--memory", type=float, default=12, help="GiB of address space")
    parser.add_argument("--skip", default="", help="smatch, smatchpp")
    arguments = parser.parse_args()
    programs = {"fastmatch": FASTMATCH, "smatch": SMATCH, "smatchpp": SMATCHPP}
    for name in filter(None, arguments.skip.split(",")):
        del programs[name]
    print("| variables | " + " | ".join(programs) + " |\n|" + " --- |" * (len(programs) + 1))
    sizes = [int(size) for size in arguments.sizes.split(",")]
    for texts in documents(arguments.files, sizes).values():
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("pred.amr", "gold.amr")]
            for path, text in zip(paths, texts, strict=True):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text + "\n")
            found = {name: run(code, *paths, arguments.seconds, arguments.memory) for name, code in programs.items()}
        row = [cell(one) for one in found.values()]
        print(f"| {texts[1].count('/'):,} | " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
