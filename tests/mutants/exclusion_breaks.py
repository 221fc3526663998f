"""Every step of the argument of exclusion.pyx, and of its use in solver.pyx, broken on purpose: who finds it?

    python tests/mutants/exclusion_breaks.py [PART ...]      # the breaks whose names have a part; all without any

Each break changes one line or two. It is built in place, and the source is put back at the end. Then
``tests/kernels/matching/test_exclusion.py`` runs, and ``tests/mutants/judge.py`` where that finds nothing. A line says
which tests failed. Exit status 1 if a break that makes results wrong is not found. Some 4 s a break.

A break is of one of three sorts:

* ``WRONG``: it excludes what a better map may have, tells a bound that is too low, or miscounts. A test must find it.
* ``WEAK``: it only excludes less. The test that counts what is excluded finds most of them; nothing depends on it.
* ``SAME``: no result can change, for the reason given.

Some breaks of solver.pyx matter only where a search is cut while a better map than the best one known exists, and the
bound is two steps or more above the best one. Of 5,751 pairs (entangled graphs, tangles, unrelated documents of 30 to 140
variables) no search was. ``test_no_better_map_is_lost_whatever_is_known`` finds these breaks: it asks what searches ask,
with any value for the best known one.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path
from time import monotonic
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
ROOM = ROOT / "fastmatch" / "_ext" / "matching"
TESTS = "tests/kernels/matching/test_exclusion.py"

WRONG, WEAK, SAME = "WRONG", "WEAK", "SAME"


class Break(NamedTuple):
    name: str
    sort: str
    #: What stands once in the source, and what stands there instead.
    old: str
    new: str
    #: Why it is weak, or the same.
    why: str = ""
    source: str = "exclusion.pyx"


def on_line(line: str, *changes: tuple[str, str, str, str] | tuple[str, str, str, str, str]) -> list[Break]:
    """Breaks of one line: name, sort, part of the line, what stands there instead, and why."""
    found = []
    for name, sort, old, new, *why in changes:
        assert line.count(old) == 1, (name, line)
        found.append(Break(name, sort, line, line.replace(old, new), *why))
    return found


LINES = [
    Break(
        "lines: prices of the other side",
        WRONG,
        "lines.price = r.matching.beta if columns else r.matching.alpha",
        "lines.price = r.matching.alpha if columns else r.matching.beta",
    ),
    *on_line(
        "    for i in range(lines.n):\n        lines.start[i + 1] += lines.start[i]",
        ("lines: the last one is empty", WRONG, "lines.n)", "lines.n - 1)"),
        ("lines: the first one has none before it", WRONG, "range(lines.n)", "range(1, lines.n)"),
    ),
    *on_line(
        "for c in range(p.n_candidates - 1, -1, -1):",
        ("lines: without the first candidate", WRONG, ", -1, -1)", ", 0, -1)"),
        ("lines: without the last candidate", WRONG, "p.n_candidates - 1", "p.n_candidates - 2"),
    ),
    Break(
        "lines: the owner of the first line where there is none",
        SAME,
        "memset(lines.owner, 0xFF,",
        "memset(lines.owner, 0x00,",
        "any line that is not counted yet adds a term of its own",
    ),
    Break(
        "lines: the first candidate's match is forgotten",
        WEAK,
        "        if c >= 0:\n            if columns:",
        "        if c > 0:\n            if columns:",
        "no displaced line there, so a term is left out",
    ),
]

BEGIN = [
    *on_line(
        "x.base[c] = relaxation.matching.alpha[p.row[c]] + relaxation.matching.beta[p.col[c]]",
        ("base: only the row's price", WEAK, " + relaxation.matching.beta[p.col[c]]", "", "a smaller loss"),
        ("base: the column's price twice", WRONG, "alpha[p.row[c]]", "beta[p.col[c]]"),
        ("base: prices taken for each other", WRONG, "alpha[p.row[c]] + relaxation.matching.beta[p.col[c]]",
         "alpha[p.col[c]] + relaxation.matching.beta[p.row[c]]"),
    ),
    *on_line(
        "x.cost[c] = max(0.0, x.base[c] - relaxation.gain[b])",
        ("cost: below 0", SAME, "max(0.0, x.base[c] - relaxation.gain[b])", "x.base[c] - relaxation.gain[b]",
         "prices cover gains but for rounding, which the tolerance of ``most`` covers"),
        ("cost: the unary gain for the whole gain", WRONG, "relaxation.gain[b]", "own_gain(relaxation, b)"),
        ("cost: without the gain", WRONG, " - relaxation.gain[b]", ""),
        ("cost: the gain of the candidate of the same number", WRONG, "gain[b]", "gain[c]"),
        ("cost: none", WEAK, "x.base[c] - relaxation.gain[b]", "0.0", "a cost of 0 is always true"),
    ),
    *on_line(
        "x.base[c] -= own_gain(relaxation, b)",
        ("base: without the unary gain", WRONG, "own_gain(relaxation, b)", "0.0"),
        ("base: half of the unary gain", WRONG, "own_gain", "0.5 * own_gain"),
        ("base: the unary gain of the candidate of the same number", WRONG, "relaxation, b", "relaxation, c"),
        ("base: the unary gain without prices of cuts", WEAK, "own_gain(relaxation, b)",
         "(p.unary_byte[c] if p.unary == NULL else p.unary[c])",
         "prices of cuts are taken off gains, so it is a smaller base"),
    ),
    Break("begin: a candidate too few is counted", WRONG, "x.n_kept = p.n_candidates\n", "x.n_kept = p.n_candidates - 1\n"),
    Break("begin: no half is usable", SAME, "memset(x.usable, 1, p.n_halves)", "memset(x.usable, 0, p.n_halves)",
          "raise_costs() asks for each half of a candidate before it uses it, and nothing else runs before"),
]  # fmt: skip

LARGEST = [
    *on_line(
        "        if x.usable[h] and x.profit[h] > x.largest[k]:\n            total += x.profit[h] - x.largest[k]",
        ("largest: of halves that are not usable", WRONG, "if x.usable", "if not x.usable"),
        ("largest: of all halves", WEAK, "x.usable[h] and ", "", "a larger sum"),
        ("largest: the smallest", WRONG, "x.profit[h] > x.largest[k]", "x.profit[h] < x.largest[k]"),
        ("largest: only the first of a line", WRONG, "x.profit[h] > x.largest[k]", "x.largest[k] == 0.0"),
        ("largest: the sum of a line", WEAK, " - x.largest[k]", "", "a larger sum"),
        ("largest: only the last line", WRONG, "total +=", "total ="),
        ("largest: taken off", WRONG, "total +=", "total -="),
    ),
    *on_line(
        "    for h in range(p.half_start[c], p.half_start[c + 1]):\n        k = line[p.other[h]]\n",
        ("largest: without the first half", WRONG, "range(p.half_start[c],", "range(p.half_start[c] + 1,"),
        ("largest: without the last half", WRONG, "p.half_start[c + 1])", "p.half_start[c + 1] - 1)"),
        ("largest: of all candidates", WRONG, "range(p.half_start[c],", "range(0,"),
    ),
    *on_line(
        "    for h in range(p.half_start[c], p.half_start[c + 1]):\n        x.largest[line[p.other[h]]] = 0.0",
        ("largest: the first line is not forgotten", WRONG, "range(p.half_start[c],", "range(p.half_start[c] + 1,"),
        ("largest: the last line is not forgotten", WRONG, "p.half_start[c + 1])", "p.half_start[c + 1] - 1)"),
        ("largest: never forgotten", WRONG, "= 0.0", "*= 1.0"),
    ),
    *on_line(
        "            x.largest[k] = x.profit[h]",
        ("largest: not noted", WEAK, "x.largest[k] = x.profit[h]", "pass", "the sum of a line"),
        ("largest: noted twice as large", WRONG, "x.profit[h]", "2.0 * x.profit[h]"),
    ),
    *on_line("    return total\n", ("largest: halved", WRONG, "total", "0.5 * total")),
]

RAISE = [
    *on_line(
        "    x.keep[c] = 0\n    x.n_kept -= 1",
        ("drop: not marked", WRONG, "keep[c] = 0", "keep[c] = 1"),
        ("drop: counted twice", WRONG, "n_kept -= 1", "n_kept -= 2"),
        ("drop: not counted", WRONG, "n_kept -= 1", "n_kept -= 0"),
    ),
    Break(
        "raise: candidates that are not kept, too",
        WRONG,
        "        if not x.keep[c]:\n            continue\n        for h in range(p.half_start[c], p.half_start[c + 1]):\n"
        "            x.usable[h]",
        "        for h in range(p.half_start[c], p.half_start[c + 1]):\n            x.usable[h]",
    ),
    *on_line(
        "        for h in range(p.half_start[c], p.half_start[c + 1]):\n"
        "            x.usable[h] = x.keep[p.other[h]] and x.cost[c] + x.cost[p.other[h]] <= most",
        ("usable: the first half is not asked", WEAK, "range(p.half_start[c],", "range(p.half_start[c] + 1,",
         "it stays usable, so costs are smaller"),
        ("usable: the last half is not asked", WEAK, "p.half_start[c + 1])", "p.half_start[c + 1] - 1)",
         "it stays usable, so costs are smaller"),
        ("usable: the next candidate's half is asked, too", WRONG, "p.half_start[c + 1])", "p.half_start[c + 1] + 1)"),
        ("usable: whether its own end is kept", WEAK, "x.keep[p.other[h]]", "x.keep[c]", "more halves are usable"),
        ("usable: only if the other end is excluded", WRONG, "x.keep[p.other[h]]", "not x.keep[p.other[h]]"),
        ("usable: or instead of and", WEAK, " and ", " or ", "more halves are usable"),
        ("usable: less than most", SAME, "<= most", "< most", "most holds a tolerance"),
        ("usable: more than most", WRONG, "<= most", ">= most"),
        ("usable: half of most", WRONG, "<= most", "<= 0.5 * most"),
        ("usable: less by a quarter", WRONG, "<= most", "<= most - 0.25"),
        ("usable: its own cost twice", WRONG, "x.cost[c] + x.cost[p.other[h]]", "x.cost[c] + x.cost[c]"),
        ("usable: the other cost twice", WRONG, "x.cost[c] + x.cost[p.other[h]]", "2.0 * x.cost[p.other[h]]"),
        ("usable: its base for its cost", WRONG, "x.cost[c] +", "x.base[c] +"),
        ("usable: the other base for its cost", WRONG, "x.cost[p.other[h]]", "x.base[p.other[h]]"),
        ("usable: one cost alone", WEAK, "x.cost[c] + ", "", "more halves are usable"),
        ("usable: the difference of costs", WEAK, "x.cost[c] + ", "x.cost[c] - ", "more halves are usable"),
    ),
    *on_line(
        "x.cost[c] = max(x.cost[c], x.base[c] - min(largest_profits(x, c, p.row), largest_profits(x, c, p.col)))",
        ("raise: the smaller of old and new", WEAK, "max(", "min(", "both are true"),
        ("raise: the old cost is forgotten", WEAK, "max(x.cost[c], x.base[c]", "max(0.0, x.base[c]", "both are true"),
        ("raise: the sum of old and new", WRONG, "max(x.cost[c], ", "x.cost[c] + max(0.0, "),
        ("raise: profits are added", WRONG, "x.base[c] - min", "x.base[c] + min"),
        ("raise: the cost for the base", WEAK, "x.base[c] - min", "x.cost[c] - min", "the old cost stays"),
        ("raise: the larger of two sums", WEAK, "min(", "max(", "both are at least the local optimum"),
        ("raise: half of the profits", WRONG, "- min(", "- 0.5 * min("),
        ("raise: only by rows", WEAK, "min(largest_profits(x, c, p.row), largest_profits(x, c, p.col))",
         "largest_profits(x, c, p.row)", "both are at least the local optimum"),
        ("raise: the difference of the sums", WRONG, "p.row), l", "p.row), largest_profits(x, c, p.row) - l"),
    ),
    *on_line(
        "        if x.cost[c] > most:\n",
        ("raise: drops from most on", SAME, "> most", ">= most", "most holds a tolerance"),
        ("raise: drops from half a triple below most on", WRONG, "> most", "> most - 0.5"),
        ("raise: drops from half of most on", WRONG, "> most", "> 0.5 * most"),
        ("raise: drops what costs little", WRONG, "> most", "< most"),
        ("raise: drops none", WEAK, "> most", "> most + 100.0", "least losses still drop some"),
        ("raise: drops by base", WRONG, "x.cost[c]", "x.base[c]"),
    ),
]  # fmt: skip

LEAST = [
    *on_line(
        "    if loss < first[0]:\n        second[0] = first[0]\n        first[0], first_at[0] = loss, at\n"
        "    elif loss < second[0]:\n        second[0] = loss",
        ("least: the largest", WRONG, "if loss < first[0]:", "if loss > first[0]:"),
        ("least: the last of equal ones", SAME, "if loss < first[0]:", "if loss <= first[0]:",
         "first and second are the same two numbers, and where first is, another is second"),
        ("least: what was least is not second", WRONG, "second[0] = first[0]", "pass"),
        ("least: what is least is also second", WEAK, "second[0] = first[0]", "second[0] = loss", "a smaller loss"),
        ("least: not noted where", WEAK, "first[0], first_at[0] = loss, at", "first[0] = loss",
         "the least of all columns is taken, also that of the candidate's own"),
        ("least: a second is never noted later", WRONG, "    elif loss < second[0]:\n        second[0] = loss", "    pass"),
        ("least: the largest second", WRONG, "elif loss < second[0]", "elif loss > second[0]"),
        ("least: the last second", WRONG, "elif loss < second[0]", "else"),
        ("least: every second is also first", WEAK, "        second[0] = loss", "        second[0] = first[0]",
         "a smaller loss"),
    ),
    *on_line(
        "        x.own_first[i], x.own_second[i], x.own_at[i] = lines.price[i], INFINITY, -1",
        ("own: without the price of the line", WRONG, "lines.price[i]", "INFINITY"),
        ("own: the price as at the first column", WRONG, "INFINITY, -1", "INFINITY, 0"),
        ("own: second is 0", WEAK, "INFINITY", "0.0", "a smaller loss"),
        ("own: the price is second, too", SAME, "INFINITY", "lines.price[i]", "no one asks for it before it is first"),
        ("own: twice the price of the line", WRONG, "lines.price[i]", "2.0 * lines.price[i]"),
    ),
    *on_line(
        "        for a in range(lines.start[i], lines.start[i + 1]):\n            c = lines.member[a]\n"
        "            if x.keep[c]:\n                note_least(x.cost[c], lines.across[c],",
        ("own: without the first candidate", WRONG, "range(lines.start[i],", "range(lines.start[i] + 1,"),
        ("own: without the last candidate", WRONG, "lines.start[i + 1])", "lines.start[i + 1] - 1)"),
        ("own: only of what is excluded", WRONG, "if x.keep[c]", "if not x.keep[c]"),
        ("own: of all candidates", WEAK, "if x.keep[c]", "if True", "a smaller loss"),
        ("own: the base for the cost", WRONG, "x.cost[c]", "x.base[c]"),
        ("own: its own line for the one across", WRONG, "lines.across[c]", "lines.line[c]"),
        ("own: always the first column", WRONG, "lines.across[c]", "0"),
    ),
    Break("own: not looked for", WRONG, "    own_losses(x, lines)\n", "    pass\n"),
]  # fmt: skip

AROUND = [
    *on_line(
        "        if not x.keep[c]:\n            continue\n        for h in range(p.half_start[c], p.half_start[c + 1]):\n"
        "            d = p.other[h]",
        ("around: candidates that are not kept, too", SAME, "not x.keep[c]", "False",
         "more lines are near, all different terms; profits toward the line are those that groups have, too"),
        ("around: only of candidates that are not kept", WRONG, "not x.keep[c]", "x.keep[c]"),
        ("around: without the first half", WRONG, "range(p.half_start[c],", "range(p.half_start[c] + 1,"),
        ("around: without the last half", WRONG, "p.half_start[c + 1])", "p.half_start[c + 1] - 1)"),
        ("around: the next candidate's half, too", WRONG, "p.half_start[c + 1])", "p.half_start[c + 1] + 1)"),
    ),
    *on_line(
        "    for a in range(lines.start[i], lines.start[i + 1]):\n        c = lines.member[a]\n"
        "        if not x.keep[c]:\n            continue\n",
        ("around: without the line's first candidate", WRONG, "range(lines.start[i],", "range(lines.start[i] + 1,"),
        ("around: without the line's last candidate", WRONG, "lines.start[i + 1])", "lines.start[i + 1] - 1)"),
    ),
    *on_line(
        "            if x.usable[h] and not x.is_near[k]:\n                x.is_near[k] = 1",
        ("near: through halves that are not usable, too", SAME, "x.usable[h] and ", "", "all are different terms"),
        ("near: a line several times", WRONG, " and not x.is_near[k]", ""),
        ("near: not marked", WRONG, "x.is_near[k] = 1", "pass"),
        ("near: through halves whose mates are usable", SAME, "x.usable[h]", "x.usable[p.mate[h]]",
         "if either is not usable, no such map has both ends"),
    ),
    *on_line(
        "            if x.usable[p.mate[h]]:\n                x.toward[d] = max(x.toward[d], x.profit[p.mate[h]])",
        ("toward: of mates of usable halves", WRONG, "if x.usable[p.mate[h]]", "if x.usable[h]"),
        ("toward: of halves that are not usable, too", WRONG, "if x.usable[p.mate[h]]", "if True"),
        ("toward: none", WEAK, "max(x.toward[d], x.profit[p.mate[h]])", "0.0", "a smaller loss"),
        ("toward: the sum", WRONG, "max(x.toward[d], x.profit[p.mate[h]])", "x.toward[d] + max(0.0, x.profit[p.mate[h]])"),
        ("toward: the profits of the other ends", WRONG, "x.profit[p.mate[h]]", "x.profit[h]"),
        ("toward: the last one", WEAK, "max(x.toward[d], x.profit[p.mate[h]])", "x.profit[p.mate[h]]", "a smaller loss"),
    ),
    *on_line(
        "        x.first[k], x.second[k], x.at[k] = lines.price[k], INFINITY, -1",
        ("first: without the price of the line", WRONG, "lines.price[k]", "INFINITY"),
        ("first: twice the price of the line", WRONG, "lines.price[k]", "2.0 * lines.price[k]"),
        ("first: the price as at the first column", WRONG, "INFINITY, -1", "INFINITY, 0"),
        ("first: second is 0", WEAK, "INFINITY", "0.0", "a smaller loss"),
        ("first: the price of another line", WRONG, "lines.price[k]", "lines.price[i]"),
    ),
    *on_line(
        "        for b in range(lines.start[k], lines.start[k + 1]):\n            d = lines.member[b]\n"
        "            if x.keep[d]:\n                note_least(max(x.cost[d], x.base[d] - (x.grouped[d] - x.toward[d])),",
        ("first: without the line's first candidate", WRONG, "range(lines.start[k],", "range(lines.start[k] + 1,"),
        ("first: without the line's last candidate", WRONG, "lines.start[k + 1])", "lines.start[k + 1] - 1)"),
        ("first: only of what is excluded", WRONG, "if x.keep[d]", "if not x.keep[d]"),
        ("first: of all candidates", WEAK, "if x.keep[d]", "if True", "a smaller loss"),
        ("first: the smaller of two losses", WEAK, "max(", "min(", "both are true"),
        ("first: without the cost", WEAK, "x.cost[d]", "0.0", "both are true"),
        ("first: only the cost", WEAK, "x.base[d] - (x.grouped[d] - x.toward[d])", "0.0", "both are true"),
        ("first: without the groups", WRONG, "(x.grouped[d] - x.toward[d])", "0.0"),
        ("first: toward the line twice", WRONG, "x.toward[d])", "2.0 * x.toward[d])"),
        ("first: toward the line added", WEAK, "x.grouped[d] - x.toward[d]", "x.grouped[d] + x.toward[d]", "a smaller loss"),
        ("first: the sum of two losses", WRONG, "max(x.cost[d], ", "(x.cost[d] + "),
    ),
    *on_line(
        "x.base[d] - (x.grouped[d] - x.toward[d])), lines.across[d],",
        ("first: its own line for the one across", WRONG, "lines.across[d]", "lines.line[d]"),
    ),
]  # fmt: skip

LOSS = [
    *on_line(
        "cdef double loss = x.base[c], there",
        ("loss: the cost for the base", WEAK, "x.base[c]", "x.cost[c]", "a smaller loss"),
        ("loss: the base at least 0", SAME, "x.base[c]", "max(0.0, x.base[c])",
         "prices cover the unary gain but for rounding, which the tolerance of ``most`` covers"),
        ("loss: base and cost", WRONG, "x.base[c]", "x.base[c] + x.cost[c]"),
        ("loss: without the base", WEAK, "x.base[c]", "0.0", "a smaller loss"),
    ),
    *on_line(
        "    for m in range(n_near):\n        k = x.near[m]\n"
        "        x.value[k] = x.first[k] if x.at[k] != j else x.second[k]",
        ("loss: the last line near keeps an old value", WRONG, "range(n_near)", "range(n_near - 1)"),
        ("loss: the first line near keeps an old value", WRONG, "range(n_near)", "range(1, n_near)"),
        ("loss: first and second for each other", WRONG, "x.at[k] != j", "x.at[k] == j"),
        ("loss: always first", WEAK, "x.first[k] if x.at[k] != j else x.second[k]", "x.first[k]", "a smaller loss"),
        ("loss: always second", WRONG, "x.first[k] if x.at[k] != j else x.second[k]", "x.second[k]"),
        ("loss: first where there is none", WRONG, "x.at[k] != j", "x.at[k] < 0"),
    ),
    *on_line(
        "    for h in range(p.half_start[c], p.half_start[c + 1]):\n        d = p.other[h]\n        k = lines.line[d]\n"
        "        if x.usable[h] and x.keep[d]: ",
        ("loss: without the first half", WRONG, "range(p.half_start[c],", "range(p.half_start[c] + 1,"),
        ("loss: without the last half", WRONG, "p.half_start[c + 1])", "p.half_start[c + 1] - 1)"),
        ("loss: without halves", WRONG, "x.usable[h] and x.keep[d]", "False"),
        ("loss: halves that are not usable", WRONG, "x.usable[h] and", "not x.usable[h] and"),
        ("loss: halves to what is excluded", WRONG, "x.keep[d]", "not x.keep[d]"),
        ("loss: usable or kept", SAME, " and ", " or ",
         "at a line that is not near nothing is counted; at another, the loss is smaller at most"),
        ("loss: halves whose mates are usable", SAME, "x.usable[h] and", "x.usable[p.mate[h]] and",
         "if either is not usable, no such map has both ends"),
        ("loss: half of them", WRONG, "x.usable[h] and", "h & 1 and x.usable[h] and"),
    ),
    *on_line(
        "there = max(x.cost[d], x.base[d] - (x.grouped[d] - x.toward[d] + x.profit[p.mate[h]]))",
        ("there: the smaller of two losses", WEAK, "max(", "min(", "both are true"),
        ("there: without the cost", WEAK, "x.cost[d]", "-INFINITY", "both are true"),
        ("there: its own profit for its mate's", WRONG, "x.profit[p.mate[h]]", "x.profit[h]"),
        ("there: without its mate's profit", WRONG, " + x.profit[p.mate[h]]", ""),
        ("there: its mate's profit taken off", WRONG, "+ x.profit[p.mate[h]]", "- x.profit[p.mate[h]]"),
        ("there: toward the line twice", WRONG, "x.toward[d] +", "2.0 * x.toward[d] +"),
        ("there: without what is toward the line", WEAK, " - x.toward[d]", "", "a smaller loss"),
        ("there: without the groups", WRONG, "x.grouped[d] - x.toward[d] +", ""),
        ("there: the sum of two losses", WRONG, "max(x.cost[d], x.base[d]", "(x.cost[d] + x.base[d]"),
        ("there: the candidate's own base", WRONG, "x.base[d]", "x.base[c]"),
        ("there: the candidate's own cost", WRONG, "x.cost[d]", "x.cost[c]"),
    ),
    *on_line(
        "x.value[k] = min(x.value[k], there - x.profit[h])",
        ("value: the larger", WRONG, "min(", "max("),
        ("value: the last half's", WRONG, "min(x.value[k], there - x.profit[h])", "there - x.profit[h]"),
        ("value: the profit added", WRONG, "- x.profit[h]", "+ x.profit[h]"),
        ("value: without the profit", WRONG, " - x.profit[h]", ""),
        ("value: half of the profit", WRONG, "- x.profit[h]", "- 0.5 * x.profit[h]"),
        ("value: its mate's profit", WRONG, "- x.profit[h]", "- x.profit[p.mate[h]]"),
        ("value: at least 0", WRONG, "there - x.profit[h]", "max(0.0, there - x.profit[h])"),
    ),
    *on_line(
        "    for m in range(n_near):\n        loss += x.value[x.near[m]]",
        ("sum: without the first line near", WRONG, "range(n_near)", "range(1, n_near)"),
        ("sum: without the last line near", WRONG, "range(n_near)", "range(n_near - 1)"),
        ("sum: only what is above 0", WRONG, "x.value[x.near[m]]", "max(0.0, x.value[x.near[m]])"),
        ("sum: what is below 0 only", WEAK, "x.value[x.near[m]]", "min(0.0, x.value[x.near[m]])", "a smaller loss"),
        ("sum: taken off", WRONG, "loss +=", "loss -="),
        ("sum: another line's", WRONG, "x.value[x.near[m]]", "x.value[x.near[0]]"),
    ),
    *on_line(
        "if displaced >= 0 and displaced != lines.line[c] and not x.is_near[displaced]:",
        ("displaced: without the first line", WEAK, "displaced >= 0", "displaced > 0", "a term is left out"),
        ("displaced: also its own line", WRONG, "displaced != lines.line[c] and ", ""),
        ("displaced: only its own line", WRONG, "displaced != lines.line[c]", "displaced == lines.line[c]"),
        ("displaced: also a line near", WRONG, " and not x.is_near[displaced]", ""),
        ("displaced: only a line near", WRONG, "not x.is_near", "x.is_near"),
        ("displaced: another line of the same number", WRONG, "lines.line[c]", "j"),
    ),
    *on_line(
        "loss += x.own_first[displaced] if x.own_at[displaced] != j else x.own_second[displaced]",
        ("displaced: first and second for each other", WRONG, "!= j", "== j"),
        ("displaced: always first", WEAK, " if x.own_at[displaced] != j else x.own_second[displaced]", "", "a smaller loss"),
        ("displaced: always second", WRONG, "x.own_first[displaced] if x.own_at[displaced] != j else ", ""),
        ("displaced: where its own line is", WRONG, "!= j", "!= lines.line[c]"),
        ("displaced: twice", WRONG, "loss +=", "loss += x.own_first[displaced] +"),
    ),
    Break("displaced: none", WEAK, "displaced = lines.owner[lines.across[c]]", "displaced = -1", "a term is left out"),
]  # fmt: skip

LOOK = [
    *on_line(
        "        if x.keep[c]:\n            x.grouped[c] = largest_profits(x, c, lines.line)",
        ("groups: of columns for rows", WRONG, "lines.line", "lines.across"),
        ("groups: also what is not kept", SAME, "if x.keep[c]", "if True", "no one asks for it"),
        ("groups: only what is not kept", WRONG, "if x.keep[c]", "if not x.keep[c]"),
        ("groups: half of them", WRONG, "largest_profits(x, c, lines.line)", "0.5 * largest_profits(x, c, lines.line)"),
    ),
    *on_line(
        "    for c in range(p.n_candidates):\n        if x.keep[c]:\n            x.grouped[c]",
        ("groups: without the last candidate", WRONG, "p.n_candidates", "p.n_candidates - 1"),
        ("groups: without the first candidate", WRONG, "range(p.n_candidates)", "range(1, p.n_candidates)"),
    ),
    *on_line(
        "    for i in range(lines.n):\n        if x.work > limit:",
        ("look: without the first line", WEAK, "range(lines.n)", "range(1, lines.n)", "fewer lines are looked at"),
        ("look: without the last line", WEAK, "range(lines.n)", "range(lines.n - 1)", "fewer lines are looked at"),
    ),
    Break("look: no limit", SAME, "        if x.work > limit:\n            return", "        if False:\n            return",
          "only time"),
    Break(
        "look: ends inside a line",
        SAME,
        "        if x.work > limit:\n            return\n        n_near = look_around(x, lines, i)\n",
        "        n_near = look_around(x, lines, i)\n        if x.work > limit:\n            return\n",
        "whoever calls again has the same limit, so no line is looked at any more",
    ),
    *on_line(
        "            if x.keep[c] and least_loss(x, lines, c, n_near) > most:",
        ("look: what is excluded, too", WRONG, "x.keep[c] and ", ""),
        ("look: drops from most on", SAME, "> most", ">= most", "most holds a tolerance"),
        ("look: drops from half a triple below most on", WRONG, "> most", "> most - 0.5"),
        ("look: drops what loses little", WRONG, "> most", "< most"),
        ("look: drops none", WEAK, "> most", "> most + 1000.0", "costs still drop some"),
        ("look: one line near is left out", WRONG, "n_near)", "n_near - 1)"),
    ),
    *on_line(
        "        for a in range(lines.start[i], lines.start[i + 1]):\n            c = lines.member[a]\n"
        "            for h in range(p.half_start[c], p.half_start[c + 1]):\n"
        "                x.toward[p.other[h]] = 0.0",
        ("look: toward the line is not forgotten", WRONG, "= 0.0", "*= 1.0"),
        ("look: toward the line's first candidate is not forgotten", WRONG, "range(lines.start[i],",
         "range(lines.start[i] + 1,"),
        ("look: toward the line's last candidate is not forgotten", WRONG, "lines.start[i + 1])", "lines.start[i + 1] - 1)"),
        ("look: toward a first half is not forgotten", WRONG, "range(p.half_start[c],", "range(p.half_start[c] + 1,"),
        ("look: toward a last half is not forgotten", WRONG, "p.half_start[c + 1])", "p.half_start[c + 1] - 1)"),
        ("look: toward what is excluded now is not forgotten", WRONG, "range(p.half_start[c], p",
         "range(p.half_start[c + (not x.keep[c])], p"),
    ),
    *on_line(
        "        for m in range(n_near):\n            x.is_near[x.near[m]] = 0",
        ("look: the first line stays near", WRONG, "range(n_near)", "range(1, n_near)"),
        ("look: the last line stays near", WRONG, "range(n_near)", "range(n_near - 1)"),
        ("look: all lines stay near", WRONG, "] = 0", "] = 1"),
    ),
    *on_line(
        "        look_at_lines(x, &x.lines[0], most, limit)\n        look_at_lines(x, &x.lines[1], most, limit)\n",
        ("exclude: no rows", WEAK, "        look_at_lines(x, &x.lines[0], most, limit)\n", "", "fewer lines are looked at"),
        ("exclude: no columns", WEAK, "        look_at_lines(x, &x.lines[1], most, limit)\n", "",
         "fewer lines are looked at"),
        ("exclude: less than most at rows", WRONG, "&x.lines[0], most", "&x.lines[0], most - 0.5"),
        ("exclude: less than most at columns", WRONG, "&x.lines[1], most", "&x.lines[1], most - 0.5"),
    ),
    *on_line(
        "            raise_costs(x, most)",
        ("exclude: costs for less than most", WRONG, "most", "most - 0.5"),
        ("exclude: costs for more than most", WEAK, "most", "most + 0.5", "more is usable, and kept"),
    ),
    *on_line(
        "            if x.n_kept == count or x.work > limit:\n                break",
        ("exclude: one round of costs", WEAK, "x.n_kept == count or x.work > limit", "True", "fewer passes"),
        ("exclude: costs whatever the limit", SAME, " or x.work > limit", "", "only time"),
        ("exclude: ends when something was dropped", WEAK, "==", "!=", "other passes"),
    ),
    *on_line(
        "        if x.n_kept > before - before // FEW_MORE or x.work > limit:",
        ("exclude: one pass", WEAK, "x.n_kept > before - before // FEW_MORE", "True", "fewer passes"),
        ("exclude: all passes", SAME, "x.n_kept > before - before // FEW_MORE", "False", "only more is excluded"),
    ),
    Break("for tests: no tolerance", WRONG, "x.bound - values[v] + 1e-6", "x.bound - values[v]"),
    Break("for tests: the last round is not repeated", SAME, "        if k < rounds - 1: ", "        if False: ",
          "a step that ends the rounds leaves profits as they were"),
]  # fmt: skip

FOUND = [
    entry._replace(source="solver.pyx")
    for entry in [
        *on_line(
            "        keep[c] = not hopeless(s, x.bound - cost)\n        kept += keep[c]",
            ("kept: by another round's bound", WRONG, "x.bound", "x.upper"),
            ("kept: by half a triple less", WRONG, "x.bound", "x.bound - 0.5"),
            ("kept: what is in no better map", WRONG, "not hopeless", "hopeless"),
            ("kept: the cost counted twice", WRONG, "x.bound - cost", "x.bound - 2.0 * cost"),
        ),
        *on_line(
            "<= most\n        n += marks[c]",
            ("within: less than most", SAME, "<= most", "< most", "most holds a tolerance"),
            ("within: half of most", WRONG, "<= most", "<= 0.5 * most"),
            ("within: more than most", WRONG, "<= most", ">= most"),
        ),
        *on_line(
            "        e.keep[c] = s.reach[c] >= s.rung[0]\n        if e.keep[c]:\n            s.reach[n] = s.reach[c]\n",
            ("rest: above the first rung", WRONG, ">= s.rung[0]", "> s.rung[0]"),
            ("rest: from the last rung on", WRONG, "s.rung[0]", "s.rung[s.n_rungs - 1]"),
            ("rest: all candidates", WEAK, "s.reach[c] >= s.rung[0]", "True", "more is handed over"),
            ("rest: the reach of another candidate", WRONG, "s.reach[n] = s.reach[c]", "s.reach[n] = s.reach[n]"),
        ),
        *on_line(
            "    cdef double near = 2.0 * CLOSED * s.limits.step\n",
            ("reached: no tolerance", WRONG, "2.0 * CLOSED", "0.0 * CLOSED"),
            ("reached: a tolerance of a triple", WEAK, "2.0 * CLOSED", "1.0", "more is kept, and bounds are higher"),
        ),
        *on_line(
            "    cdef double value = s.lower + s.limits.step, width = max(s.limits.step, (x.bound - value) / RUNGS)\n",
            ("reached: begins a triple too high", WRONG, "= s.lower + s.limits.step", "= s.lower + 2.0 * s.limits.step"),
            ("reached: begins half a triple too high", WRONG, "= s.lower + s.limits.step",
             "= s.lower + 1.5 * s.limits.step"),
            ("reached: begins a triple too low", WEAK, "= s.lower + s.limits.step", "= s.lower",
             "maps as good as the best one are looked for, too"),
        ),
        *on_line(
            "    while mark_within(x, x.bound - value + near, trial) > EXCLUDE_TO * s.limits.narrow:\n"
            "        s.work += x.problem.n_candidates\n        value += width\n        least = False\n",
            ("reached: looks for too little", WRONG, "x.bound - value", "x.upper - value"),
            ("reached: looks for half a triple too little", WRONG, "x.bound - value", "x.bound - value - 0.5"),
            ("reached: what a higher value keeps is taken for all", WRONG, "        least = False\n", ""),
            ("reached: no limit of candidates", SAME, "> EXCLUDE_TO * s.limits.narrow", "> 1 << 30", "only time"),
        ),
        *on_line(
            "    exclusion_init(&s.reaching, &e, &reached, profit, x, trial)\n",
            ("reached: the profits of other halves", WRONG, "profit,", "x.profit,"),
            ("reached: the marks of reduced costs", SAME, "trial", "keep",
             "they differ only where a higher value is looked for, or a cost lies within the tolerance"),
        ),
        *on_line(
            "        exclude(&e, x.bound - value + near, ",
            ("reached: excludes by the best bound", WRONG, "x.bound", "x.upper"),
            ("reached: excludes by half a triple less", WRONG, "+ near", "- 0.5"),
            ("reached: excludes for the next value", WRONG, "- value", "- value - width"),
            ("reached: excludes for the value before", WEAK, "- value", "- value + width", "more is kept"),
        ),
        *on_line(
            "        if e.n_kept == 0:\n            x.upper = min(x.upper, value - near)\n",
            ("upper: where something is kept", WRONG, "e.n_kept == 0", "e.n_kept >= 0"),
            ("upper: where few are kept", WRONG, "e.n_kept == 0", "e.n_kept <= 10"),
            ("upper: a step too low", WRONG, "value - near", "value - width - near"),
            ("upper: half a triple too low", WRONG, "value - near", "value - 0.5"),
            ("upper: the larger", WEAK, "min(", "max(", "both are true"),
            ("upper: not lowered", WEAK, "min(x.upper, value - near)", "x.upper", "the old one is true"),
        ),
        *on_line(
            "        if least:\n            least = False\n            kept, c = e.n_kept, 0\n",
            ("marks: of the last value", WRONG, "            least = False\n", ""),
            ("marks: of a higher value", WRONG, "if least", "if True"),
            ("marks: never", WEAK, "if least", "if False", "those of reduced costs stay"),
            ("marks: counted wrongly", WEAK, "kept, c = e.n_kept, 0", "kept, c = 0, 0",
             "the marks are right: all that is left is searched where a part would be handed over"),
            ("marks: from the second on", WRONG, "e.n_kept, 0", "e.n_kept, 1"),
        ),
        *on_line(
            "                keep[b] = trial[b] and e.keep[c]\n                c += trial[b]\n",
            ("marks: of candidates of the same number", WRONG, "c += trial[b]", "c += 1"),
            ("marks: always of the first", WRONG, "c += trial[b]", "c += 0"),
            ("marks: counted before", WRONG, "                keep[b] = trial[b] and e.keep[c]\n                c += trial[b]\n",
             "                c += trial[b]\n                keep[b] = trial[b] and e.keep[c]\n"),
            ("marks: only what is excluded", WRONG, "and e.keep", "and not e.keep"),
            ("marks: or instead of and", WEAK, " and ", " or ", "more is kept"),
        ),
        *on_line(
            "        if e.n_kept == 0 or not besides:\n            break\n",
            ("reached: goes on where nothing is kept", WEAK, "e.n_kept == 0 or ", "", "rungs that nothing reaches"),
            ("reached: goes on", SAME, " or not besides", "", "higher rungs, which no one asks for"),
        ),
        *on_line(
            "        if e.n_kept <= REST_TO and s.n_rungs < RUNGS:\n            s.rung[s.n_rungs] = value\n",
            ("rungs: a step too low", WRONG, "= value", "= value - width"),
            ("rungs: a step too high", WEAK, "= value", "= value + width", "more is handed over"),
        ),
        *on_line(
            "                if e.keep[c]:\n                    s.reach[c] = value\n        value += width\n",
            ("rungs: reached by what is excluded", WRONG, "if e.keep[c]", "if not e.keep[c]"),
            ("rungs: reached by all", WEAK, "if e.keep[c]", "if True", "more is handed over"),
            ("rungs: reached a step too low", WRONG, "= value\n", "= value - width\n"),
            ("rungs: reached a step too high", WEAK, "= value\n", "= value + width\n", "more is handed over"),
        ),
    ]
]  # fmt: skip

BREAKS = [*LINES, *BEGIN, *LARGEST, *RAISE, *LEAST, *AROUND, *LOSS, *LOOK, *FOUND]


def call(*command: str) -> tuple[int, str]:
    """Exit status and output; a program that does not end has failed, too."""
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return -1, "it does not end"
    return done.returncode, done.stdout + done.stderr


def build() -> None:
    status, said = call(sys.executable, "setup.py", "--quiet", "build_ext", "--inplace")
    if status:
        raise SystemExit(said)


def finders(sort: str) -> list[str]:
    """What fails with the sources as they are now: the first of the tests of exclusion that does, else the judge."""
    for slow in ("not slow", "slow") if sort == WRONG else ("not slow",):
        options = ("-x", "-q", "--tb=no", "-p", "no:cacheprovider", "-m", slow)
        # by day there are fewer documents
        status, said = call("env", "HYPOTHESIS_PROFILE=long", sys.executable, "-m", "pytest", *options, TESTS)
        if status:
            return re.findall(r"^(?:FAILED|ERROR) \S+::(\w+)", said, re.MULTILINE) or [f"status {status}"]
    if sort != WRONG:
        return []
    status, said = call(sys.executable, "tests/mutants/judge.py")
    return [f"judge.py: {said.strip().splitlines()[-1]}"] if status else []


def try_break(entry: Break) -> list[str]:
    """Build with a break in place; what finds it."""
    path = ROOM / entry.source
    text = path.read_text("utf-8")
    try:
        path.write_text(text.replace(entry.old, entry.new), "utf-8")
        build()
        return finders(entry.sort)
    finally:
        path.write_text(text, "utf-8")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="PART", help="of names of breaks: all others are left out")
    names = parser.parse_args(argv).names
    if unknown := [name for name in names if not any(name in entry.name for entry in BREAKS)]:
        parser.error(f"no break has this in its name: {', '.join(unknown)}")
    missed = 0
    for entry in BREAKS:
        if names and not any(name in entry.name for name in names):
            continue
        began = monotonic()
        found = try_break(entry)
        missed += not found and entry.sort == WRONG
        said = ", ".join(found) or "NOT FOUND"
        print(f"{entry.sort:5} {entry.name}: {said} ({monotonic() - began:.0f} s)", flush=True)
    build()
    print(f"{missed} breaks that make results wrong are not found")
    return missed > 0


if __name__ == "__main__":
    sys.exit(main())
