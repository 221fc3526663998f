"""Every error that fastmatch raises on purpose, and every warning that it gives; each have one base class."""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from types import FrameType


class FastmatchError(Exception):
    """Base class of these errors. The text is one line that says what is wrong, where, and what was expected."""


class OptionError(FastmatchError, ValueError):
    """An option has no such value, or two options do not go together."""


class PairingError(FastmatchError, ValueError):
    """Two corpora cannot be paired, for instance because their lengths differ."""


class NotBuiltError(FastmatchError, ImportError):
    """The source of the package was imported, and its extensions are not compiled."""


class FastmatchWarning(UserWarning):
    """Base class of these warnings: the result is what was asked for, but perhaps not what was meant."""


class PairingWarning(FastmatchWarning):
    """Predictions and gold graphs do not look like pairs, or there are none."""


class ReadWarning(FastmatchWarning):
    """A file was read, and something in it that means nothing was left out."""


class ReadError(FastmatchError, ValueError):
    """Text that is not a graph, or a file that is not what it should be.

    Attributes
    ----------
    message : str
        What is wrong, without the place.
    source : str
        Name of the file, or ``<string>``, ``<stdin>``, ``pred[3]``.
    line, column : int
        Position of the offending character, both counted from 1, the column in characters. Line 0: no line is to
        blame, as in a damaged binary file.
    text : str
        That line of the input, shortened around the column when it is long.
    place : int
        Index of the offending character in ``text``.
    """

    def __init__(
        self,
        message: str,
        *,
        source: str = "<string>",
        line: int = 0,
        column: int = 0,
        text: str = "",
        place: int | None = None,
    ):
        self.message, self.source, self.line, self.column, self.text = message, source, line, column, text
        self.place = max(column - 1, 0) if place is None else place
        super().__init__(f"{source}:{line}:{column}: {message}" if line else f"{source}: {message}")

    def caret(self) -> str:
        """The offending line with a caret under the place, two lines to be printed; empty if the line is not known."""
        return f"{self.text}\n{' ' * self.place}^" if self.text else ""

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (self.message, self.source, self.line, self.column, self.text, self.place))


def calling_line() -> tuple[int, FrameType]:
    """The user's line of code that called this package: the ``stacklevel`` of a warning there, and its frame."""
    level, frame = 0, sys._getframe(0)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "fastmatch":
        level, frame = level + 1, frame.f_back
    return level, frame


def warn_caller(text: str, category: type[Warning] = FastmatchWarning) -> None:
    """Warn at the user's line of code that called this package."""
    warnings.warn(text, category, stacklevel=calling_line()[0])


def meant(value: object, known: Iterable[str]) -> str:
    """``"; did you mean 'smatch'?"`` if a known name resembles the value, else nothing: the end of an error's text."""
    if not isinstance(value, str):
        return ""
    from difflib import get_close_matches

    def letters(name: str) -> str:
        return name.lower().replace("+", "p").replace("_", "-")  # packages and modules cannot be called smatch++

    names = {letters(name): name for name in known}
    close = get_close_matches(letters(value), names, 1, 0.6)
    return f"; did you mean {names[close[0]]!r}?" if close else ""


def choice(option: str, value: object, allowed: Collection[str]) -> None:
    """Raise :class:`OptionError` unless ``value`` is one of the allowed strings."""
    if not (isinstance(value, str) and value in allowed):
        raise OptionError(f"{option}={value!r}: expected one of {', '.join(map(repr, allowed))}{meant(value, allowed)}")


def error_in_row(message: str, source: str, line: int, column: int, row: str) -> ReadError:
    """The error at a column, counted from 1, of a row of text, of which is shown what stands around it."""
    start = max(0, column - 61)
    shown = row[start : start + 120]
    return ReadError(message, source=source, line=line, column=column, text=shown, place=column - 1 - start)


def shortened(text: str, most: int = 40) -> str:
    """The text for a message: what is longer is cut off."""
    return text if len(text) <= most else f"{text[:most]}…"


def first_few(texts: Iterable[str], total: int | None = None, *, most: int = 5, between: str = ", ") -> str:
    """The first few texts for a message, and that there are more."""
    listed = list(texts)
    more = (len(listed) if total is None else total) > most
    return between.join([*listed[:most], *["…"] * more])


def otherwise_read(needs: str, dialect: str, *dialects: str) -> OptionError:
    """The error of what ``needs`` graphs that were read in one of ``dialects``, and has others."""
    return OptionError(
        f"{needs}, these were read with dialect={dialect!r}: read them with "
        f"dialect={' or '.join(map(repr, dialects))}, or give paths or texts, which are read so"
    )


def _rebuild(message: str, source: str, line: int, column: int, text: str, place: int) -> ReadError:
    return ReadError(message, source=source, line=line, column=column, text=text, place=place)
