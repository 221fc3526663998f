"""Figures of scores: of the pairs of a corpus, of aspects, of systems that are compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fastmatch.errors import OptionError
from fastmatch.plot.canvas import BLUE, GREY, ORANGE, Spot, describe, new_axes, plain, short
from fastmatch.report.cells import count
from fastmatch.results.scores import CorpusScore, Interval
from fastmatch.results.words import label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fastmatch.evaluation.comparison import Comparison
    from fastmatch.fine_grained.scores import AspectScores

#: Bars of a histogram between 0 and 100 points.
_BARS = 20


def histogram(result: CorpusScore, *, ax: Axes | None = None) -> Axes:
    """How the headline scores of the pairs are distributed, with the score of the corpus and its interval.

    Parameters
    ----------
    result : CorpusScore
        With ``bootstrap=…`` the intervals are drawn as well.
    ax : matplotlib.axes.Axes, optional
        By default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    OptionError
        If there are no pairs, or matplotlib is not installed.
    """
    if not len(result):
        raise OptionError("plot: no pairs, so there is nothing to draw")
    ax = new_axes(ax)
    values = 100 * result.pairs.score
    name = label(next(iter(result.scores)))
    low, high = min(0.0, values.min()), max(100.0, values.max())
    edges = np.linspace(low, high, _BARS + 1)
    heights, _, _ = ax.hist(values, edges, color=BLUE, alpha=0.55, edgecolor="white", linewidth=0.5)
    lines = [("micro", result.micro.headline, "", ORANGE, "-")] if result.pairs.summable else []
    lines.append(("macro", result.macro.headline, "macro_" * result.pairs.summable, "black", "--"))
    said: list[str] = []
    for kind, value, prefix, colour, style in lines:
        interval = None if result.intervals is None else result.intervals[prefix + next(iter(result.scores))]
        text = _with_interval(f"{kind} {name}", value, interval)
        ax.axvline(100 * value, color=colour, linestyle=style, linewidth=1.8, label=text)
        if interval is not None and interval.low == interval.low:
            # on a line of its own above the bars: x in points, y as a part of the height
            ends = [100 * interval.low, 100 * interval.high]
            level = [1.02 + 0.035 * len(said)] * 2
            ax.plot(ends, level, "-|", color=colour, transform=ax.get_xaxis_transform(), clip_on=False, linewidth=1.8)
        said.append(text)
    ax.set(xlim=(low, high), xlabel=f"{name} of a pair, points", ylabel="pairs")
    ax.yaxis.get_major_locator().set_params(integer=True)
    above = 12 if result.intervals is None else 20
    ax.set_title(plain(f"{result.signature.metric}, {count(len(result), 'pair')}"), loc="left", pad=above)
    # below the axes, where no bar can be
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(-0.02, -0.16), borderaxespad=0)
    bars = zip(edges[:-1].tolist(), edges[1:].tolist(), heights.tolist(), strict=True)
    spots = tuple(
        Spot((a + b) / 2, height / 2, b - a, height, f"{a:g} to {b:g} points: {count(int(height), 'pair')}")
        for a, b, height in bars
        if height
    )
    quartiles = ", ".join(f"{value:.2f}" for value in np.quantile(values, (0.25, 0.5, 0.75)).tolist())
    return describe(
        ax,
        f"Histogram of the {name} of {count(len(result), 'pair')} by {result.signature.metric}, in points, from "
        f"{values.min():.2f} to {values.max():.2f}; quartiles {quartiles}. {'; '.join(said)}. "
        f"Signature: {result.signature}.",
        spots,
    )


def aspects(result: AspectScores, *, ax: Axes | None = None) -> Axes:
    """The headline score of every aspect, with its interval if there is one. Aspects that no graph has are left out.

    Parameters
    ----------
    result : AspectScores
    ax : matplotlib.axes.Axes, optional
        By default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    OptionError
        If no graph has anything of any aspect, or matplotlib is not installed.
    """
    found = {name: score for name, score in result.items() if score.n_macro}
    if not found:
        raise OptionError("plot: no graph has anything of these aspects, so there is nothing to draw")
    ax = new_axes(ax, height=0.8 + 0.28 * len(found))
    name = next(iter(next(iter(found.values())).scores))
    intervals = [None if score.intervals is None else score.intervals[name] for score in found.values()]
    values = [score.score for score in found.values()]
    said = _dots(ax, list(found), values, intervals)
    confidence = next(iter(found.values())).intervals
    with_intervals = "" if confidence is None else f" with {100 * confidence.confidence:g} % intervals"
    ax.set_xlabel(f"{label(name)}, points")
    ax.set_xlim(min(0.0, *ax.get_xlim()), max(100.0, *ax.get_xlim()))
    ax.set_title(plain(f"{result.kind}, {count(result.n_pairs, 'pair')}"), loc="left")
    return describe(
        ax,
        f"{label(name)} of the aspects of {result.kind}{with_intervals}, in points, of "
        f"{count(result.n_pairs, 'pair')}: "
        f"{'; '.join(said)}. Signature: {result.signature}.",
        _spots(values, said),
    )


def systems(comparison: Comparison, *, score: str | None = None, ax: Axes | None = None) -> Axes:
    """One score of every system, with its interval.

    Parameters
    ----------
    comparison : Comparison
    score : str, optional
        Name of the score, such as ``"f1"`` or ``"macro_f1"``; the headline by default.
    ax : matplotlib.axes.Axes, optional
        By default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    OptionError
        If there is no such score, or matplotlib is not installed.
    """
    name = comparison.headlines[0] if score is None else score
    comparison.of(name)
    ax = new_axes(ax, height=1.2 + 0.4 * len(comparison.names))
    values = [
        result.macro[name.removeprefix("macro_")] if name.startswith("macro_") else result.scores[name]
        for result in comparison.results
    ]
    intervals = [None if result.intervals is None else result.intervals[name] for result in comparison.results]
    said = _dots(ax, comparison.names, values, intervals)
    signature = comparison.results[0].signature
    ax.set_xlabel(f"{label(name)}, points, {100 * comparison.confidence:g} % intervals")
    ax.set_title(plain(f"{signature.metric}, {count(len(comparison.results[0]), 'pair')}"), loc="left")
    return describe(
        ax,
        f"{label(name)} of {len(comparison.names)} systems by {signature.metric} on "
        f"{count(len(comparison.results[0]), 'pair')}, in points, with {100 * comparison.confidence:g} % intervals: "
        f"{'; '.join(said)}. Signature: {signature}.",
        _spots(values, said),
    )


def differences(comparison: Comparison, *, score: str | None = None, ax: Axes | None = None) -> Axes:
    """The difference of every two systems that were compared, with its interval; a full dot is significant.

    A dot is full where p of the randomisation test, corrected, is below 1 − confidence; p stands on the right.

    Parameters
    ----------
    comparison : Comparison
    score : str, optional
        Name of the score, such as ``"f1"`` or ``"macro_f1"``; the headline by default.
    ax : matplotlib.axes.Axes, optional
        By default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    OptionError
        If there is no such score, or matplotlib is not installed.
    """
    name = comparison.headlines[0] if score is None else score
    rows = comparison.of(name)
    ax = new_axes(ax, height=1.2 + 0.4 * len(rows))
    names = [f"{row.second} − {row.first}" for row in rows]
    labels = [f"{short(row.second, 20)} − {short(row.first, 20)}" for row in rows]
    values = [row.difference for row in rows]
    p = [row.adjusted_randomisation for row in rows]
    full = [value < 1 - comparison.confidence for value in p]
    said = _dots(ax, names, values, [row.interval for row in rows], full, sign="+")
    ax.set_yticks(range(len(rows)), labels)
    said = [f"{text}, p {value:.4f}" for text, value in zip(said, p, strict=True)]
    ax.axvline(0, color="black", linewidth=0.8)
    beside: Any = {"xycoords": ("axes fraction", "data"), "xytext": (4, 0), "textcoords": "offset points"}
    for place, value in enumerate(p):
        text = f"p {value:.4f}" if value == value else ""
        ax.annotate(text, (1, place), **beside, va="center", fontsize="small")
    ax.set_xlabel(f"difference in {label(name)}, points, {100 * comparison.confidence:g} % intervals")
    ax.set_title(f"differences (full: p < {1 - comparison.confidence:.3g})", loc="left")
    return describe(
        ax,
        f"Differences in {label(name)}, in points, with {100 * comparison.confidence:g} % intervals: "
        f"{'; '.join(said)}. Comparison: {comparison.signature}.",
        _spots(values, said),
    )


def _spots(values: Sequence[float], said: Sequence[str]) -> tuple[Spot, ...]:
    """A spot for each dot, a row each, with what is said of it."""
    return tuple(Spot(100 * value, row, 0, 0, text) for row, (value, text) in enumerate(zip(values, said, strict=True)))


def _dots(
    ax: Axes,
    names: Sequence[str],
    values: Sequence[float],
    intervals: Sequence[Interval | None],
    full: Sequence[bool] | None = None,
    sign: str = "",
) -> list[str]:
    """A dot a row, the first on top, with its interval as a line; returns the rows in words."""
    said = []
    for row, (name, value, interval) in enumerate(zip(names, values, intervals, strict=True)):
        if interval is not None and interval.low == interval.low:
            ax.plot([100 * interval.low, 100 * interval.high], [row, row], color=BLUE, linewidth=2.2, alpha=0.6)
            ax.plot([100 * interval.low, 100 * interval.high], [row, row], "|", color=BLUE, markersize=8)
        filled = full is None or full[row]
        ax.plot([100 * value], [row], "o", color=BLUE, markersize=7, markerfacecolor=BLUE if filled else "white")
        said.append(_with_interval(name, value, interval, sign))
    ax.set_yticks(range(len(names)), [short(name) for name in names])
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.grid(axis="x", color=GREY, alpha=0.25)
    ax.set_axisbelow(True)
    return said


def _with_interval(name: str, value: float, interval: Interval | None, sign: str = "") -> str:
    text = f"{name} {100 * value:{sign}.2f}"
    if interval is None or interval.low != interval.low:
        return text
    return f"{text} [{100 * interval.low:{sign}.2f}, {100 * interval.high:{sign}.2f}]"
