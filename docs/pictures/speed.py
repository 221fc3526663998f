"""The chart of speed: ``python docs/pictures/speed.py`` writes ``speed.svg`` beside this file.

CPU time of scoring a pair, matching problems included, after reading: 400 parses of The Little Prince against gold
graphs, one worker. The figures are those of two benches, in which the programs run in turn:

    python benches/peers/compare.py PRED GOLD --only scoring --repeat 2
    OPENBLAS_NUM_THREADS=1 python benches/peers/compare_ancast.py PRED GOLD --rounds 2
"""

from __future__ import annotations

from math import log10
from pathlib import Path

PICTURE = Path(__file__).with_name("speed.svg")

#: Program → microseconds a pair of it, and of fastmatch with the same metric.
FIGURES = {"smatch 1.0.4": (2684.0, 6.8), "smatchpp 1.8.0": (7843.0, 6.8), "ancast 0.1.1": (1540.0, 22.4)}
WIDTH, LEFT, RIGHT, TOP, ROW, BAR = 720, 150, 90, 34, 62, 20
LOW, HIGH = 1.0, 10_000.0


def drawn() -> str:
    """The picture: two bars a program on a logarithmic scale, and what it says in words."""
    height = TOP + ROW * len(FIGURES) + 40
    said = "; ".join(
        f"{name} {theirs:,.0f} µs a pair, fastmatch {ours:g} µs, {theirs / ours:,.0f} times faster"
        for name, (theirs, ours) in FIGURES.items()
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="t d" '
        'font-family="system-ui,sans-serif" font-size="13">',
        f'<title id="t">CPU time of a pair, published programs and fastmatch</title><desc id="d">{said}.</desc>',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="20">microseconds a pair, logarithmic: 400 parses of The Little Prince, one worker</text>',
    ]
    bottom = TOP + ROW * len(FIGURES)
    for power in range(5):
        x = _place(10.0**power)
        parts.append(f'<path d="M{x:.1f} {TOP}V{bottom}" stroke="#d5dbe1"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle" fill="#57606a">{10**power:,}</text>')
    for number, (name, (theirs, ours)) in enumerate(FIGURES.items()):
        y = TOP + ROW * number + 8
        parts.append(f'<text x="{LEFT - 10}" y="{y + 15}" text-anchor="end">{name}</text>')
        parts.append(f'<text x="{LEFT - 10}" y="{y + BAR + 17}" text-anchor="end" font-weight="bold">fastmatch</text>')
        for place, (value, colour) in enumerate(((theirs, "#9aa7b5"), (ours, "#d55e00"))):
            top, end = y + place * (BAR + 2), _place(value)
            parts.append(f'<rect x="{LEFT}" y="{top}" width="{end - LEFT:.1f}" height="{BAR}" fill="{colour}"/>')
            text = f"{value:,.0f} µs" if place == 0 else f"{value:g} µs: {theirs / ours:,.0f} times faster"
            parts.append(f'<text x="{end + 6:.1f}" y="{top + 15}">{text}</text>')
    return "\n".join((*parts, "</svg>\n"))


def _place(value: float) -> float:
    share = (log10(value) - log10(LOW)) / (log10(HIGH) - log10(LOW))
    return LEFT + share * (WIDTH - LEFT - RIGHT)


if __name__ == "__main__":
    PICTURE.write_text(drawn(), encoding="utf-8")
