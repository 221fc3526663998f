"""Figures as files, with a text in them that says what is to be seen.

SVG has it as ``title`` and ``desc``, where screen readers find it, PNG and PDF as metadata. HTML is the SVG in a page
that needs no script and no network. In SVG and HTML a text is shown while the pointer is on a point, a bar or a cell.
"""

from __future__ import annotations

import io
import os
import re
import warnings
from html import escape
from typing import TYPE_CHECKING, Any

from fastmatch.errors import OptionError
from fastmatch.plot.canvas import description, matplotlib, note, spots
from fastmatch.runtime.files import new_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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
