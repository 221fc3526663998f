"""Every error that fastmatch raises on purpose, so that callers can catch one base class."""

from __future__ import annotations

__all__ = ["FastmatchError", "OptionError", "PairingError", "ReadError"]


class FastmatchError(Exception):
    """Base class. Its text is one line that says what is wrong, where, and what was expected."""


class OptionError(FastmatchError, ValueError):
    """An option has no such value, or two options do not go together."""


class PairingError(FastmatchError, ValueError):
    """Two corpora cannot be paired, for instance because their lengths differ."""


class ReadError(FastmatchError, ValueError):
    """Text that is not a graph.

    Attributes:
        source: name of the file, or ``<string>``, ``<stdin>``.
        line, column: position of the offending character, both counted from 1; column in characters, not bytes.
            Line 0: a damaged file that has no lines.
        text: that line of the input, shortened around the column when it is long.
        place: index of the offending character in ``text``.
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
        """The offending line with a caret under the place, for people."""
        return f"{self.text}\n{' ' * self.place}^" if self.text else ""

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (self.message, self.source, self.line, self.column, self.text, self.place))


def _rebuild(message: str, source: str, line: int, column: int, text: str, place: int) -> ReadError:
    return ReadError(message, source=source, line=line, column=column, text=text, place=place)
