"""What all figures share: matplotlib, axes, colours, what a figure says in words, and its file.

Texts that come from data go through :func:`plain`: matplotlib would read ``$…$`` in them as a formula.
"""

from __future__ import annotations

import io
import os
import re
import warnings
from html import escape
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from fastmatch.errors import OptionError
from fastmatch.runtime.files import new_bytes
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


# ---- files -----------------------------------------------------------------------------------------------------------
#
# A figure's file has a text in it that says what is to be seen. SVG has it as ``title`` and ``desc``, where screen
# readers find it, PNG and PDF as metadata. HTML is the SVG in a page that needs no script and no network. In SVG and
# HTML a text is shown while the pointer is on a point, a bar or a cell.


#: Forms by the ending of the file's name.
SUFFIXES = (".svg", ".png", ".pdf", ".html")

#: Half of the side of the place that a point has for the pointer, in points.
_REACH = 5.0

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ margin: 1rem; font-family: sans-serif; background: #fff; color: #000 }}
figure {{ margin: 0 auto; max-width: 60rem }}
svg {{ width: 100%; height: auto }}
figcaption {{ font-size: 0.85rem; overflow-wrap: anywhere }}
</style>
</head>
<body>
<figure>
{svg}
<figcaption>{description}</figcaption>
</figure>
</body>
</html>
"""


def check_plot(path: str | os.PathLike[str]) -> str:
    """The ending of the file's name, before hours of work.

    Raises
    ------
    OptionError
        If it is none of :data:`SUFFIXES`, or matplotlib is not installed.
    """
    name = os.fspath(path)
    suffix = os.path.splitext(name)[1].lower()
    if suffix not in SUFFIXES:
        raise OptionError(f"plot {name}: expected a name that ends in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}")
    matplotlib()
    return suffix


def save(figure: Figure | Axes, path: str | os.PathLike[str], *, title: str | None = None, dpi: int = 200) -> None:
    """Write a figure to a file, whole or not at all. The same figure gives the same file, to the byte.

    Parameters
    ----------
    figure : matplotlib.figure.Figure or matplotlib.axes.Axes
        A figure, or axes of it, as the functions of this package return them.
    path : path
        Its ending is the form: ``.svg``, ``.png``, ``.pdf`` or ``.html``.
    title : str, optional
        Of the file; that of the first axes by default.
    dpi : int
        Dots an inch, of ``.png`` and of images in the other forms.

    Raises
    ------
    OptionError
        If the ending is none of these, or matplotlib is not installed.
    OSError
        If the file cannot be written.
    """
    suffix = check_plot(path)
    drawn: Figure = getattr(figure, "figure", None) or figure
    words = description(drawn)
    if title is None:
        title = next((text for ax in drawn.axes if (text := ax.get_title("left") or ax.get_title())), "figure")
    title = note(title.replace(r"\$", "$"))
    with warnings.catch_warnings():
        # a font without some letter draws a box
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)
        made = _bytes(drawn, suffix, title, words, dpi)
    with new_bytes(path) as file:
        file.write(made)


def _bytes(figure: Figure, suffix: str, title: str, words: str, dpi: int) -> bytes:
    buffer = io.BytesIO()
    facts: dict[str, dict[str, Any]] = {
        ".png": {"Title": title, "Description": words, "Software": "fastmatch"},
        ".pdf": {"Title": title, "Subject": words, "Creator": "fastmatch", "CreationDate": None},
    }
    if suffix in facts:
        figure.savefig(buffer, format=suffix[1:], dpi=dpi, metadata=facts[suffix])
        return buffer.getvalue()
    svg = _svg(figure, title, words, dpi)
    if suffix == ".svg":
        return svg.encode()
    bare = svg[svg.index("<svg") :]
    return _PAGE.format(title=escape(title), svg=bare, description=escape(words)).encode()


def _svg(figure: Figure, title: str, words: str, dpi: int) -> str:
    """SVG with title, description and the texts for the pointer. Letters stay letters, which can be found and read."""
    buffer = io.BytesIO()
    with matplotlib().rc_context({"svg.hashsalt": "fastmatch", "svg.fonttype": "none"}):
        figure.savefig(buffer, format="svg", dpi=dpi, metadata={"Date": None})
    text = buffer.getvalue().decode()
    start = re.search(r"<svg\b[^>]*>", text)
    assert start is not None
    head = (
        f'{start[0][:-1]} role="img" aria-labelledby="fastmatch-title fastmatch-desc">\n'
        f' <title id="fastmatch-title">{escape(title)}</title>\n <desc id="fastmatch-desc">{escape(words)}</desc>'
    )
    end = text.rindex("</svg>")
    return f"{text[: start.start()]}{head}{text[start.end() : end]}{_pointed(figure)}{text[end:]}"


def _pointed(figure: Figure) -> str:
    """Invisible rectangles over the picture, each with the text that is shown while the pointer is on it."""
    scale = 72 / figure.dpi
    height = figure.get_figheight() * 72
    parts = []
    for ax, (x, y, wide, high, text) in spots(figure):
        corners = ax.transData.transform([(x - wide / 2, y - high / 2), (x + wide / 2, y + high / 2)]) * scale
        (left, right), (low, top) = (sorted(column) for column in corners.T.tolist())
        if not wide:
            left, right = left - _REACH, right + _REACH
        if not high:
            low, top = low - _REACH, top + _REACH
        parts.append(
            f'<rect x="{left:.2f}" y="{height - top:.2f}" width="{right - left:.2f}" height="{top - low:.2f}">'
            f"<title>{escape(note(text))}</title></rect>"
        )
    return '<g fill="none" pointer-events="all">\n' + "\n".join(parts) + "\n</g>\n" if parts else ""
