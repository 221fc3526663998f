"""What all figures share: matplotlib, axes, colours, and what a figure says in words.

Texts that come from data go through :func:`plain`: matplotlib would read ``$…$`` in them as a formula.
"""

from __future__ import annotations

import re
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from fastmatch.runtime.optional import needed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Colours that people of every kind of sight can tell apart, also in print: dark blue, vermilion, black, grey.
BLUE, ORANGE, BLACK, GREY = "#0072b2", "#d55e00", "#000000", "#757575"

#: Characters that no file of pictures holds: control characters and halves of characters.
_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]+")

#: Small letters that stand on an inch.
_LETTERS = 22

#: The longest name that is drawn, in characters.
_LONGEST = 40


class Spot(NamedTuple):
    """A place of a figure with a text that is shown while the pointer is on it.

    Attributes
    ----------
    x, y : (float, float)
        The middle of the place, and its width and height in the units of the data; a width or height of 0 is that of
        a marker.
    """

    x: float
    y: float
    width: float
    height: float
    text: str


class _Facts(NamedTuple):
    description: str
    spots: tuple[Spot, ...]


#: What the axes show, in words; kept here, as axes have no place for it.
_FACTS: WeakKeyDictionary[Any, _Facts] = WeakKeyDictionary()


def matplotlib() -> ModuleType:
    """The module matplotlib; :class:`~fastmatch.OptionError` if it is not installed."""
    return needed("matplotlib", "plots need", "plot")


def new_axes(ax: Axes | None, width: float = 6.4, height: float = 4.0) -> Axes:
    """The axes that were given, or those of a new figure of pyplot, which a notebook then shows. Sizes in inches."""
    matplotlib()
    if ax is None:
        from matplotlib import pyplot

        _, ax = pyplot.subplots(figsize=(width, height), layout="constrained")
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax


def figure(width: float, height: float, columns: int = 1, rows: int = 1, note: str = "") -> tuple[Figure, list[Axes]]:
    """A figure of its own, which no window or notebook knows, and its axes.

    ``note``, lines of signatures, stands below them in small print.
    """
    matplotlib()
    from matplotlib.figure import Figure

    made = Figure(figsize=(width, height), layout="constrained")
    axes = made.subplots(rows, columns, squeeze=False).ravel().tolist()
    if note:
        lines = [part for line in note.split("\n") for part in _broken(plain(line), int(_LETTERS * width))]
        made.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=6, color=GREY)
    return made, axes


def _broken(signature: str, longest: int) -> list[str]:
    """The signature in lines of at most so many characters, broken between its fields where that is possible."""
    lines = [""]
    for field in re.findall(r"[^|]*\|?", signature):
        if lines[-1] and len(lines[-1]) + len(field) > longest:
            lines.append("")
        lines[-1] += field
    return lines


def describe(ax: Axes, text: str, spots: tuple[Spot, ...] = ()) -> Axes:
    """Keep what the axes show, in words, and their places with a text; returns the axes."""
    _FACTS[ax] = _Facts(_UNFIT.sub(" ", text), spots)
    return ax


def description(figure: Figure) -> str:
    """What a figure shows, in words: what its axes show, one after the other."""
    return " ".join(_FACTS[ax].description for ax in figure.axes if ax in _FACTS)


def spots(figure: Figure) -> list[tuple[Axes, Spot]]:
    """All places with a text, and the axes that they belong to."""
    return [(ax, spot) for ax in figure.axes if ax in _FACTS for spot in _FACTS[ax].spots]


def plain(text: str) -> str:
    """Text of data as matplotlib draws it: nothing in it is a formula."""
    return _UNFIT.sub("\ufffd", text).replace("$", r"\$")


def short(text: str, longest: int = _LONGEST) -> str:
    """The same, cut if it is long: of names of files the end tells more."""
    return plain(text if len(text) <= longest else f"…{text[1 - longest :]}")


def note(text: str) -> str:
    """A text for the reader of a picture: on one line, without what no file holds."""
    return _UNFIT.sub(" ", text)
