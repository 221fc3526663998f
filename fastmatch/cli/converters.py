"""Converters: the text of an argument becomes its value.

Each raises ``ArgumentTypeError`` with what was expected.
"""

from __future__ import annotations

import argparse
from math import nan


def _number(text: str) -> float:
    """The number that a text is; nan for any other text."""
    try:
        return float(text)
    except ValueError:
        return nan


def _whole(text: str, least: int, wanted: str) -> int:
    if text.isdecimal() and int(text) >= least:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected {wanted}, found {text!r}")


def points(text: str) -> float:
    """A threshold in points; a fraction is refused, because 0.8 for 80 would let everything pass."""
    value = _number(text)
    if not 0 <= value <= 100 or 0 < value < 1:
        hint = f"; did you mean {100 * value:g}?" if 0 < value < 1 else ""
        raise argparse.ArgumentTypeError(f"expected points between 0 and 100, found {text!r}{hint}")
    return value


def share(text: str) -> float:
    """A fraction between 0 and 1, both excluded; a number of percents is refused."""
    value = _number(text)
    if not 0 < value < 1:
        hint = f"; did you mean {value / 100:g}?" if 1 < value < 100 else ""
        raise argparse.ArgumentTypeError(f"expected a fraction between 0 and 1, found {text!r}{hint}")
    return value


def count(text: str) -> int:
    """0, 1, 2, …"""
    return _whole(text, 0, "a whole number, 0 or more")


def positive(text: str) -> int:
    """1, 2, 3, …"""
    return _whole(text, 1, "a whole number, 1 or more")


def runs(text: str) -> int:
    """2, 3, 4, …"""
    return _whole(text, 2, "a whole number, 2 or more")


def resample_count(text: str) -> int:
    return _whole(text, 1, "a number of resamples, 1 or more")


def file_name(text: str) -> str:
    """The name of a file; a graph is refused."""
    if text.lstrip().startswith("("):
        raise argparse.ArgumentTypeError("expected the name of a file, found a graph; fastmatch align --text takes two")
    return text


def positives(text: str) -> list[float]:
    """Numbers above 0, separated by commas."""
    values = [_number(part) for part in text.split(",")]
    if not all(0 < value < float("inf") for value in values):
        raise argparse.ArgumentTypeError(f"expected numbers above 0, separated by commas, found {text!r}")
    return values


def seconds(text: str) -> float:
    value = _number(text)
    if not value > 0:
        raise argparse.ArgumentTypeError(f"expected seconds, more than 0, found {text!r}")
    return value


def thread_count(text: str) -> int:
    if text.lstrip("-").isdecimal() and (int(text) > 0 or int(text) == -1):
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a number of threads, or -1 for all CPUs, found {text!r}")


def number_or_word(text: str) -> int | str:
    return positive(text) if text.lstrip("-").isdecimal() else text


class NumbersToo(tuple[str, ...]):
    """Words to choose from; any number is fine as well."""

    __slots__ = ()

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) or super().__contains__(value)


def cutoff(text: str) -> float:
    """A score in points, as a fraction."""
    value = points(text)
    if 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"expected points, more than 1, found {text!r}; did you mean {100 * value:g}?")
    return value / 100
