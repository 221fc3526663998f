"""What people see of a training: a summary, and the learning curve as an SVG picture.

The picture is two lines in a frame, drawn from ``Training.looks`` without a plotting library.
"""

from __future__ import annotations

import sys
from math import floor, isfinite, log10
from typing import TYPE_CHECKING, TextIO

from fastmatch.runtime.files import new_text

if TYPE_CHECKING:
    import os

    from fastmatch.training import Training

__all__ = ["curve", "print_training", "write_curve"]

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 640, 400, 64, 16, 40, 56
_DEV, _TRAIN, _INK = "#1f5fa8", "#c9781f", "#333333"


def print_training(training: Training, path: str, plot: str | None, file: TextIO | None = None) -> None:
    """Correlations before and after, and where things were written."""
    file = file or sys.stdout
    look = training.looks[training.best]
    ended = ", interrupted" if training.interrupted else ""
    print(f"updates: {training.updates:,}{ended}; best after {look.update:,}", file=file)
    print(
        f"Pearson's r x 100 on the development set: {100 * training.before:.2f} before, {100 * look.dev:.2f} after",
        file=file,
    )
    if training.test is not None:
        before, after = training.test
        print(f"on the test set: {100 * before:.2f} before, {100 * after:.2f} after", file=file)
    print(f"{path}: weights of {len(training.weights):,} roles", file=file)
    if plot is not None:
        print(f"{plot}: learning curve", file=file)
    print(f"signature: {training.signature}", file=file)


def write_curve(training: Training, path: str | os.PathLike[str]) -> None:
    """Write the learning curve as SVG, whole or not at all."""
    with new_text(path) as file:
        file.write(curve(training))


def curve(training: Training) -> str:
    """Pearson's r on the development set, and on the training batches, over the updates; the best look is marked."""
    dev = [(look.update, 100 * look.dev) for look in training.looks]
    train = [(look.update, 100 * look.train) for look in training.looks if isfinite(look.train)]
    low, high, step = _scale([value for _, value in dev + train])
    last = max(training.looks[-1].update, 1)

    def x(update: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * update / last

    def y(value: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * (value - low) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="12" fill="{_INK}">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
    ]
    digits = max(0, -floor(log10(step)))
    for k in range(round((high - low) / step) + 1):
        value = low + k * step
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#dddddd"/>'
            f'<text x="{_LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.{digits}f}</text>'
        )
    for k in range(6):
        update = last * k / 5
        below = _HEIGHT - _BOTTOM + 18
        parts.append(f'<text x="{x(update):.1f}" y="{below}" text-anchor="middle">{update:,.0f}</text>')
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(f'<text x="{middle:.0f}" y="{_HEIGHT - 14}" text-anchor="middle">updates</text>')
    best = training.looks[training.best]
    for points, colour, name, place in (
        (train, _TRAIN, "training batches", 200),
        (dev, _DEV, "development set", _LEFT),
    ):
        if points:
            line = " ".join(f"{x(update):.1f},{y(value):.1f}" for update, value in points)
            parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
            parts.append(f'<line x1="{place}" x2="{place + 20}" y1="22" y2="22" stroke="{colour}" stroke-width="2"/>')
            parts.append(f'<text x="{place + 26}" y="26">{name}</text>')
    parts.append(f'<circle cx="{x(best.update):.1f}" cy="{y(100 * best.dev):.1f}" r="4" fill="{_DEV}"/>')
    parts.append(f'<text x="{_WIDTH - _RIGHT}" y="26" text-anchor="end">Pearson&#8217;s r &#215; 100</text>')
    return "\n".join([*parts, "</svg>", ""])


def _scale(values: list[float]) -> tuple[float, float, float]:
    """Lowest and highest line of a grid around the values, and the distance between lines: 1, 2 or 5 times 10^k."""
    low, high = min(values), max(values)
    rough = max(high - low, 1e-3) / 5
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    first, last = floor(low / step), -floor(-high / step)
    return step * first, step * (last if last > first else first + 1), step
