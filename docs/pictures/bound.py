"""The picture of a bound that closes: ``python docs/pictures/bound.py`` writes ``bound.svg`` beside this file.

Two documents of twelve unrelated sentences each, from the sample corpus, are matched again and again, each time with
more work allowed. What the solver then has is its real history, because it does the same steps in the same order and
stops where the work ends.
"""

from __future__ import annotations

import re
from math import inf, log10
from pathlib import Path

import numpy as np

import fastmatch as fm
from fastmatch._ext.matching.score import score_exact
from fastmatch.metrics.base import PairRange
from fastmatch.metrics.smatch import Smatch

PICTURE = Path(__file__).with_name("bound.svg")
DATA = Path(fm.__file__).parent / "data"
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 380, 60, 120, 30, 60


def document(corpus: fm.Corpus, start: int, stop: int) -> str:
    """Sentences as one graph, whose variables have the number of their sentence in their names."""
    parts = []
    for number in range(start, stop):
        lines = corpus[number].encode().splitlines()
        text = " ".join(line for line in lines if not line.startswith("#"))
        for name in set(re.findall(r"\((\S+) /", text)):
            text = re.sub(rf"(?<=[\s(]){re.escape(name)}(?=[\s)])", f"{name}x{number}", text)
        parts.append(f":snt{number} {text}")
    return f"(d / multi-sentence {' '.join(parts)})"


def history() -> list[tuple[int, int, int]]:
    """Work, matched triples and bound, whenever one of the two changed; the last entry is certified."""
    pred, gold = (fm.read(DATA / f"sample-{side}.amr") for side in ("pred", "gold"))
    corpus = fm.parse([document(pred, 0, 12), document(gold, 12, 24)])
    metric = Smatch()
    sides = metric.prepare(corpus[:1]), metric.prepare(corpus[1:])
    matched, upper, work = (np.zeros(1, np.int64) for _ in range(3))
    index, certified = np.zeros(1, np.int32), np.zeros(1, np.uint8)
    steps: list[tuple[int, int, int]] = []
    most = 10_000
    while not certified[0]:
        score_exact(
            *sides,
            PairRange.all(index, index),
            max_work=most,
            time_limit=inf,
            matched=matched,
            upper=upper,
            certified=certified,
            work=work,
        )
        step = work.item(), matched.item(), upper.item()
        if not steps or step[1:] != steps[-1][1:]:
            steps.append(step)
        most = most * 11 // 10
    return steps


def drawn(steps: list[tuple[int, int, int]]) -> str:
    """The history as SVG: work on a logarithmic axis, triples on the other."""
    lowest, highest = steps[0][1] - 2, steps[0][2] + 2
    first, last = log10(steps[0][0]), log10(steps[-1][0])

    def x(work: float) -> float:
        return LEFT + (log10(work) - first) / (last - first) * (WIDTH - LEFT - RIGHT)

    def y(triples: float) -> float:
        return TOP + (highest - triples) / (highest - lowest) * (HEIGHT - TOP - BOTTOM)

    def line(side: int) -> str:
        """Steps: a value holds until the next one is found."""
        points = [(x(steps[0][0]), y(steps[0][side]))]
        for step in steps[1:]:
            points += [(x(step[0]), points[-1][1]), (x(step[0]), y(step[side]))]
        return " ".join(f"{a:.1f},{b:.1f}" for a, b in points)

    work, matched, _ = steps[-1]
    says = (
        f"Two documents of twelve sentences. At first the best map matches {steps[0][1]} triples and the bound is "
        f"{steps[0][2]}. After {work:,} visits both are {matched}: the map is proven optimal."
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'font-family="sans-serif" font-size="13" fill="#222">',
        f"<title>A bound closes</title><desc>{says}</desc>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="6" fill="#fff"/>',
    ]
    for triples in range(-(-lowest // 5) * 5, highest + 1, 5):
        parts.append(
            f'<path d="M{LEFT} {y(triples):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
            f'<text x="{LEFT - 8}" y="{y(triples) + 4:.1f}" text-anchor="end">{triples}</text>'
        )
    for power in range(int(first) + 1, int(last) + 1):
        parts.append(
            f'<path d="M{x(10**power):.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>'
            f'<text x="{x(10**power):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{10**power:,}</text>'
        )
    parts += [
        f'<polyline points="{line(2)}" fill="none" stroke="#b3541e" stroke-width="2.5" stroke-dasharray="7 3"/>',
        f'<polyline points="{line(1)}" fill="none" stroke="#1f5fa8" stroke-width="2.5"/>',
        f'<circle cx="{x(work):.1f}" cy="{y(matched):.1f}" r="5"/>',
        f'<text x="{x(work) + 10:.1f}" y="{y(matched) + 4:.1f}">{matched}: certified</text>',
        f'<text x="{LEFT + 8}" y="{y(steps[0][2]) - 7:.1f}" fill="#b3541e">upper: no map matches more</text>',
        f'<text x="{LEFT + 8}" y="{y(steps[0][1]) + 18:.1f}" fill="#1f5fa8">matched: the best map so far</text>',
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 14}" text-anchor="middle">work (visits)</text>',
        f'<text x="18" y="{(TOP + HEIGHT - BOTTOM) / 2}" text-anchor="middle" '
        f'transform="rotate(-90 18 {(TOP + HEIGHT - BOTTOM) / 2})">triples</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(drawn(history()), encoding="utf-8")
