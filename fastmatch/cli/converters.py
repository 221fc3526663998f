"""Converters: the text of an argument becomes its value.

Each raises ``ArgumentTypeError`` with what was expected.
"""

from __future__ import annotations

import argparse


def points(text: str) -> float:
    """A threshold in points; a fraction is refused, because 0.8 for 80 would let everything pass."""
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected points between 0 and 100, found {text!r}") from None
    if not 0 <= value <= 100:
        raise argparse.ArgumentTypeError(f"expected points between 0 and 100, found {text!r}")
    if 0 < value < 1:
        raise argparse.ArgumentTypeError(
            f"expected points between 0 and 100, found {text!r}; did you mean {100 * value:g}?"
        )
    return value


def share(text: str) -> float:
    """A fraction between 0 and 1, both excluded; a number of percents is refused."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if 1 < value < 100:
        raise argparse.ArgumentTypeError(
            f"expected a fraction between 0 and 1, found {text!r}; did you mean {value / 100:g}?"
        )
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"expected a fraction between 0 and 1, found {text!r}")
    return value


def count(text: str) -> int:
    """0, 1, 2, …"""
    if text.isdecimal():
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a whole number, 0 or more, found {text!r}")


def positive(text: str) -> int:
    """1, 2, 3, …"""
    if text.isdecimal() and int(text):
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a whole number, 1 or more, found {text!r}")


def file_name(text: str) -> str:
    """The name of a file; a graph is refused."""
    if text.lstrip().startswith("("):
        raise argparse.ArgumentTypeError("expected the name of a file, found a graph; fastmatch align --text takes two")
    return text


def positives(text: str) -> list[float]:
    """Numbers above 0, separated by commas."""
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        values = []
    if not values or not all(0 < value < float("inf") for value in values):
        raise argparse.ArgumentTypeError(f"expected numbers above 0, separated by commas, found {text!r}")
    return values


def resample_count(text: str) -> int:
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a number of resamples, 1 or more, found {text!r}")


def seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
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


def runs(text: str) -> int:
    if text.isdecimal() and int(text) >= 2:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a whole number, 2 or more, found {text!r}")


def cutoff(text: str) -> float:
    """A score in points, as a fraction."""
    value = points(text)
    if 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"expected points, more than 1, found {text!r}; did you mean {100 * value:g}?")
    return value / 100
