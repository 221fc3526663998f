"""Figures about metrics: the principles that they violate, and the training of WWLK's weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from fastmatch.benchmarks.principles import Principles
from fastmatch.errors import OptionError
from fastmatch.plot.canvas import BLUE, GREY, ORANGE, Spot, describe, new_axes, plain, short
from fastmatch.results.words import short_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fastmatch.benchmarks.overview import Overview
    from fastmatch.metrics.training.softoverlap import OverlapTraining
    from fastmatch.metrics.training.wwlk import Training


def _share(count: int, n: int) -> float:
    return count / n if n else float("nan")


def _unseen(probe: str) -> Callable[[Principles], float]:
    return lambda result: _share(result.probes[probe].n_unseen, result.probes[probe].n)


#: What a row of the figure says → the share of pairs or graphs, 0 at best.
_ROWS: dict[str, Callable[[Principles], float]] = {
    "scores outside [0, 1]": lambda result: _share(result.n_out_of_bounds, result.n_pairs),
    "a graph and itself: not 1": lambda result: _share(result.n_self_different, result.n_pairs),
    "renamed and reordered: not 1": lambda result: _share(result.n_disguised_different, result.n_disguised),
    "equal graphs: not 1": lambda result: _share(result.n_false_different, result.n_equal),
    "different graphs: 1": lambda result: _share(result.n_false_equal, result.n_pairs - result.n_equal),
    "coreference resolved: unseen": _unseen("coreference"),
    "another concept of that name: unseen": _unseen("namesake"),
    "roles exchanged: unseen": _unseen("roles"),
    "attribute gone: unseen": _unseen("attribute"),
    "not symmetric": lambda result: result.svr,
    "changes with names and order": lambda result: result.disguise_ratio,
}


def principles(results: Principles | Sequence[Principles], *, ax: Axes | None = None) -> Axes:
    """How often metrics violate the principles: a row a principle, a column a metric, percent of what was tried.

    Parameters
    ----------
    results : Principles or sequence of them
        What :func:`fastmatch.benchmarks.principles.principles` gives, one a metric.
    ax : matplotlib.axes.Axes, optional
        By default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    OptionError
        If there are no results, or matplotlib is not installed.
    """
    given = [results] if isinstance(results, Principles) else list(results)
    if not given:
        raise OptionError("plot: no metric, so there is nothing to draw")
    ax = new_axes(ax, 3.6 + 0.9 * len(given), 5.0)
    shares = np.array([[100 * share(result) for result in given] for share in _ROWS.values()], np.float64)
    names = [result.metric for result in given]
    image = ax.imshow(np.nan_to_num(shares), cmap="Blues", vmin=0, vmax=100, aspect="auto")
    for row, column in np.ndindex(*shares.shape):
        value = float(shares[row, column])
        ax.text(column, row, _percent(value), ha="center", va="center", color="white" if value > 60 else "black")
    ax.set_yticks(range(len(_ROWS)), list(_ROWS))
    ax.set_xticks(range(len(given)), [short(name) for name in names], rotation=30, ha="right")
    ax.tick_params(length=0)
    ax.set_title("violated principles, % (0 is best)", loc="left")
    for spine in ax.spines.values():
        spine.set_visible(False)
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.6)
    bar.outline.set_visible(False)
    spots = tuple(
        Spot(column, row, 1, 1, f"{names[column]}, {title}: {_percent(float(shares[row, column]))} %")
        for row, title in enumerate(_ROWS)
        for column in range(len(given))
    )
    said = [
        f"{name}: " + ", ".join(f"{title} {_percent(value)}" for title, value in zip(_ROWS, column, strict=True))
        for name, column in zip(names, shares.T.tolist(), strict=True)
    ]
    return describe(ax, f"How often metrics violate principles, in percent. {'. '.join(said)}.", spots)


def _percent(value: float) -> str:
    if value != value:
        return "–"
    return "0" if value == 0 else "<0.1" if value < 0.05 else f"{value:.1f}"


def learning_curve(training: Training | OverlapTraining, *, ax: Axes | None = None) -> Axes:
    """What training is judged by (× 100), on development and training pairs, over the updates; the best is marked.

    Parameters
    ----------
    training : Training or OverlapTraining
        Of WWLK: Pearson's r. Of soft overlap: the mean over sets of that, or of the share of foils below paraphrases.
    ax : matplotlib.axes.Axes, optional
        By default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    OptionError
        If matplotlib is not installed.
    """
    ax = new_axes(ax)
    batches = [(look.update, 100 * look.train) for look in training.looks if isfinite(look.train)]
    dev = [(look.update, 100 * look.dev) for look in training.looks if isfinite(look.dev)]
    best = training.looks[training.best]
    if batches:
        ax.plot(*zip(*batches, strict=True), "--", color=ORANGE, linewidth=1.6, label=training.trained_on)
    if dev:
        ax.plot(*zip(*dev, strict=True), "-o", color=BLUE, linewidth=1.8, markersize=3.5, label="development set")
    ax.plot([best.update], [100 * best.dev], "*", color="black", markersize=12, label=f"best, {100 * best.dev:.2f}")
    ax.set(xlabel="updates", ylabel=f"{training.judged_by} × 100")
    ax.set_title(training.title, loc="left")
    ax.grid(axis="y", color=GREY, alpha=0.25)
    ax.legend(frameon=False, loc="best")
    spots = tuple(Spot(update, value, 0, 0, f"update {update:,}: {value:.2f}") for update, value in dev)
    return describe(
        ax,
        f"{training.judged_by} times 100 on the development set over {training.updates:,} updates: "
        f"{100 * training.before:.2f} at the start, {100 * best.dev:.2f} at the best, after {best.update:,}. "
        f"Signature: {training.signature}.",
        spots,
    )


#: Names of statistics on an axis.
_STATISTIC = {"auc": "AUC", "pearson": "Pearson's r", "spearman": "Spearman's rho"}


def cost_and_agreement(overview: Overview, *, measure: int = 0, ax: Axes | None = None) -> Axes:
    """What metrics cost against how well they agree with people: a point a metric, with its interval.

    Parameters
    ----------
    overview : Overview
        What :func:`fastmatch.benchmarks.overview.overview` gives.
    measure : int
        Which of its measures is on the upright axis.
    ax : matplotlib.axes.Axes, optional
        By default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    OptionError
        If there is no such measure, or matplotlib is not installed.
    """
    if not 0 <= measure < len(overview.measures):
        raise OptionError(f"measure={measure!r}: there are {len(overview.measures)}, from 0 on")
    ax = new_axes(ax, 6.4, 4.4)
    from matplotlib import ticker

    shown = overview.measures[measure]
    labels = _labels(overview.metrics)
    places: dict[str, tuple[float, float]] = {}
    said, spots = [], []
    for i, name in enumerate(labels):
        cost, value = float(overview.microseconds[i]), 100 * float(shown.values[i])
        low, high = 100 * float(shown.low[i]), 100 * float(shown.high[i])
        if value != value or not cost > 0:
            continue
        vectors = overview.vectors[i]
        if low == low:
            ax.plot([cost, cost], [low, high], color=BLUE, linewidth=1.5, alpha=0.4)
        ax.plot([cost], [value], "o", color=BLUE, markersize=7, markerfacecolor=BLUE if vectors else "white")
        places[name] = cost, value
        interval = f" [{low:.1f}, {high:.1f}]" if low == low else ""
        said.append(f"{name} {value:.1f}{interval}, {cost:.1f} µs{', word vectors' if vectors else ''}")
        spots.append(Spot(cost, value, 0, 0, said[-1]))
    ax.set_xscale("log")
    ax.xaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    ax.xaxis.set_major_formatter("{x:g}")
    ax.xaxis.set_minor_formatter("")
    ax.margins(x=0.25)
    _write_names(ax, places)
    ax.grid(color=GREY, alpha=0.25)
    ax.set_axisbelow(True)
    ax.set_xlabel("µs a pair (full: with word vectors)")
    statistic = _STATISTIC.get(shown.statistic, shown.statistic)
    ax.set_ylabel(f"{statistic}, points")
    ax.set_title(plain(short(shown.name)), loc="left")
    text = f"Cost of a pair against {statistic} on {shown.name}, in points: {'; '.join(said)}."
    return describe(ax, text, tuple(spots))


#: A letter's width, a line's height and half of a point's width, as shares of axes of the usual size.
_LETTER, _LINE, _POINT = 0.014, 0.05, 0.012


def _write_names(ax: Axes, places: dict[str, tuple[float, float]]) -> None:
    """Write names beside their points: on the side, and as far up or down, where no other name or point stands."""
    ax.autoscale_view()
    to_axes = ax.transData + ax.transAxes.inverted()
    points = {name: tuple(to_axes.transform(point)) for name, point in places.items()}
    taken: list[tuple[float, float, float]] = []  # left, right, middle
    for name, (x, y) in sorted(points.items(), key=lambda item: -item[1][1]):
        text = plain(short(name))
        width = _LETTER * len(text)
        others = [(a - _POINT, a + _POINT, b) for each, (a, b) in points.items() if each != name]
        for k in range(4 * len(places) + 4):
            # right and left; the same a line lower, a line higher, two lines lower, …
            side, line = k % 2, (k // 2 + 1) // 2 * (-1 if k // 2 % 2 else 1)
            middle = y + _LINE * line
            left = x + 0.015 if side == 0 else x - 0.015 - width
            if all(left + width < a or b < left or abs(middle - c) >= _LINE for a, b, c in (*taken, *others)):
                break
        taken.append((left, left + width, middle))
        edge, side_of = (x + 0.015, "left") if side == 0 else (x - 0.015, "right")
        ax.text(edge, middle, text, transform=ax.transAxes, fontsize="small", va="center", ha=side_of)


def _labels(metrics: Sequence[str]) -> list[str]:
    """Names of metrics without their options where that tells them apart, else without folders."""
    bare = [name.partition(",")[0] for name in metrics]
    return [each if bare.count(each) == 1 else short_name(name) for each, name in zip(bare, metrics, strict=True)]
