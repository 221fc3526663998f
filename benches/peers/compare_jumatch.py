"""How much cheaper is juːmæʧ here than in the program compare_umr.pl?

    python benches/peers/compare_jumatch.py PROGRAM PRED GOLD [--copies N] [--rounds R]

PROGRAM is ``compare_umr.pl`` of a checkout of github.com/ufal/umrtools; it needs Perl. PRED and GOLD are UMR documents
that it reads. Both run as whole processes, alternately, and the least CPU time of each counts; that of fastmatch is
given with and without the start of the process. The counts are printed beside: a faster wrong number is not a result.
With ``--copies`` the documents are repeated, so that the start of the programs matters less.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import fastmatch as fm


def process(*command: str) -> tuple[float, str]:
    """CPU seconds of a process, with those it waited for, and what it printed."""
    before = os.times()
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return used, done.stdout


def counts(printed: str) -> list[int]:
    """Matches, what gold says and what the prediction says, from the program's table."""
    line = next(line for line in printed.splitlines() if line.startswith("juːmæʧ"))
    return [int(cell) for cell in line.split("\t")[3:6]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("pred", type=Path)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sides = []
        for name in ("pred", "gold"):
            text = getattr(arguments, name).read_text(encoding="utf-8").rstrip()
            sides.append(Path(folder, f"{name}.umr"))
            sides[-1].write_text("\n\n\n".join([text] * arguments.copies) + "\n", encoding="utf-8")
        pred, gold = map(str, sides)
        theirs, ours, inside = [], [], []
        for _ in range(arguments.rounds):
            seconds, printed = process("perl", arguments.program, "--tsv", "GOLD", gold, "SYS", pred)
            theirs.append(seconds)
            command = (sys.executable, "-m", "fastmatch", "umr", pred, gold, "--metric", "jumatch", "--preset", "tool")
            ours.append(process(*command, "--quiet")[0])
            start = time.process_time()
            found = fm.umr.score(*sides, metric="jumatch", preset="tool")
            inside.append(time.process_time() - start)
        own = [found.counts[name] for name in ("matched", "n_gold", "n_pred")]
        print(
            f"{sum(len(kept) for kept, _ in found.sentences):,} sentences, {found.counts['nodes_gold']:,} nodes of gold"
        )
        print(f"compare_umr.pl        {min(theirs):8.2f} s   {counts(printed)}")
        print(f"fastmatch             {min(ours):8.2f} s   {own}   {min(theirs) / min(ours):.0f} ×")
        print(f"without its start     {min(inside):8.2f} s   {min(theirs) / min(inside):.0f} ×")
        if counts(printed) != own:
            sys.exit("the counts differ")


if __name__ == "__main__":
    main()
