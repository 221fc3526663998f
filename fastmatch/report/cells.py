"""What stands in a cell of a report: a value, not its text. Numbers are rounded here and nowhere else.

A cell is text, a count (int, or float for sums of parts), nothing (None), or one of the classes below. Tables hold
objects, as type checkers make no union of what stands in a row.
"""

from __future__ import annotations

from typing import NamedTuple


class Points(NamedTuple):
    """A fraction, shown in points (× 100), with its interval and what marks it.

    Attributes
    ----------
    value : float
    interval : (float, float) or None
        Ends, fractions as well; NaN where there is none.
    best, different : bool
        The best of its column or row; differs from the reference.
    digits : int
        Behind the point, of the value and of its interval.
    signed : bool
        A difference: a plus stands in front of what is not negative.
    """

    value: float
    interval: tuple[float, float] | None = None
    best: bool = False
    different: bool = False
    digits: int = 2
    signed: bool = False


class Span(NamedTuple):
    """An interval by itself, in points."""

    low: float
    high: float
    signed: bool = False
    digits: int = 2


class Number(NamedTuple):
    """A number as it is, such as seconds or a p-value."""

    value: float
    digits: int = 2
    signed: bool = False


class Small(NamedTuple):
    """A number near nothing, shown with a power of ten."""

    value: float


#: What stands for an undefined number.
NOTHING = "–"


def shown(cell: object) -> str:
    """A cell as plain text."""
    if isinstance(cell, Points):
        parts = [spelled(cell) + "*" * cell.best + "†" * cell.different, brackets(cell)]
        return " ".join(filter(None, parts))
    return spelled(cell)


def spelled(cell: object) -> str:
    """The value of a cell, without its interval and marks."""
    match cell:
        case None:
            return ""
        case str():
            return cell
        case Points(value, digits=digits, signed=signed):
            return _rounded(100 * value, digits, signed)
        case Number(value, digits, signed):
            return _rounded(value, digits, signed)
        case Span(low, high, signed, digits):
            ends = (_rounded(100 * end, digits, signed) for end in (low, high))
            return NOTHING if low != low else " to ".join(ends)
        case Small(value):
            return NOTHING if value != value else f"{value:.1e}" if value else "0"
        case int() | float():
            return amount(cell)
        case _:
            raise TypeError(f"{cell!r} is no cell of a table")


def brackets(cell: Points) -> str:
    """The interval of a cell; empty if it has none."""
    if cell.interval is None or cell.interval[0] != cell.interval[0]:
        return ""
    low, high = (_rounded(100 * end, cell.digits, cell.signed) for end in cell.interval)
    return f"[{low}, {high}]"


def _rounded(value: float, digits: int, signed: bool) -> str:
    return NOTHING if value != value else f"{value:{'+' if signed else ''}.{digits}f}"


# ---- in running text -------------------------------------------------------------------------------------------------


def amount(value: float) -> str:
    """A count with separators; a sum of parts with three decimals."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3f}"


def count(value: float, noun: str) -> str:
    """So many of something: "1 pair", "2 pairs"."""
    return f"{amount(value)} {noun}{'' if value == 1 else 's'}"


def points(value: float) -> str:
    """A fraction as points, with two decimals."""
    return _rounded(100 * value, 2, signed=False)
