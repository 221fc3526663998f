"""Small pieces of HTML for notebooks: text, tables, blocks of preformatted text.

Whatever comes from data (sentences, ids, labels, names of files) passes :func:`escape`. There are no scripts, and no
colours but the notebook's own: text that matters less is only fainter, so the pieces fit light and dark themes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape as _escape

#: Characters that no HTML document may hold (control characters, lone surrogates). A notebook is saved as UTF-8.
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def escape(text: object) -> str:
    """Text as it stands in HTML, also within attributes; what HTML cannot hold becomes U+FFFD."""
    return _escape(_UNFIT.sub("\ufffd", str(text)))


def digest(text: str) -> str:
    """The hash by which a Content-Security-Policy knows an inline script or style sheet."""
    from base64 import b64encode
    from hashlib import sha256

    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def paragraph(*lines: str) -> str:
    """Lines of HTML, one below the other; empty ones are left out, and nothing is made of nothing."""
    text = "<br>".join(filter(None, lines))
    return f"<p>{text}</p>" if text else ""


def code(text: object) -> str:
    """Data in the letters of a program: a signature."""
    return f"<code>{escape(text)}</code>"


def faint(text: object) -> str:
    """Data that matter less."""
    return f'<span style="opacity:0.7">{escape(text)}</span>'


def block(text: object) -> str:
    """Data whose line breaks and spaces count: the text of a graph. Long texts can be scrolled."""
    return f'<pre style="max-height:32em;overflow:auto;text-align:left">{escape(text)}</pre>'


def table(header: Sequence[object], rows: Iterable[Sequence[object]], align: str = "") -> str:
    """A table of data.

    Parameters
    ----------
    header : sequence of str
    rows : iterable of sequences
        Each as long as the header.
    align : str
        A letter a column: ``h`` names the row, ``l`` is text, ``r`` is a number. Numbers by default.
    """
    align = align.ljust(len(header), "r")
    head = "".join(_cell(letter, name, "col") for letter, name in zip(align, header, strict=True))
    body = ""
    for row in rows:
        cells = (_cell(letter, value, "row" * (letter == "h")) for letter, value in zip(align, row, strict=True))
        body += f"<tr>{''.join(cells)}</tr>"
    start = '<table style="text-align:right">'
    return f"{start}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def beginning(
    header: Sequence[object], rows: Iterable[Sequence[object]], align: str, shown: int, of: int, noun: str
) -> str:
    """A :func:`table` of the first rows, and how many :func:`more` there are."""
    return table(header, rows, align) + paragraph(more(shown, of, noun))


def _cell(letter: str, value: object, scope: str) -> str:
    """``scope``: of which cells it is the head, row or col; empty if of none."""
    style = "" if letter == "r" else ' style="text-align:left"'
    return f'<th scope="{scope}"{style}>{escape(value)}</th>' if scope else f"<td{style}>{escape(value)}</td>"


def more(shown: int, of: int, noun: str) -> str:
    """What a cut table ends with, such as "… and 9,995 more graphs"; empty if nothing was cut."""
    if of <= shown:
        return ""
    return faint(f"… and {of - shown:,} more {noun}{'' if of - shown == 1 else 's'}")
