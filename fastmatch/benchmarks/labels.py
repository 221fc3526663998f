"""Judgements of people as they stand in files and lists, and the numbers they become.

Three kinds:

``graded``
    how alike, or how good: numbers, or classes whose order is given;
``yes-no``
    1 and 0, booleans, *yes* and *no*, *true* and *false*;
``preferences``
    which of two predictions for a gold graph is better: 1 the first, 0 the second, 0.5 neither; or *first*, *second*,
    *tie*.

A label that is missing (None, an empty cell) is left out, and counted.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from fastmatch.errors import OptionError, PairingError, ReadError
from fastmatch.metrics.training.human_scores import read_text
from fastmatch.types import FloatArray

Kind: TypeAlias = Literal["graded", "yes-no", "preferences"]

KINDS: tuple[Kind, ...] = ("graded", "yes-no", "preferences")
_YES_NO = {"yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0}
_BETTER = {"first": 1.0, "second": 0.0, "tie": 0.5}
#: Sums of squares of larger labels overflow.
_LARGEST = 1e100
_COMMA = re.compile(r"[+-]?\d*,\d+")


class Column(NamedTuple):
    """Labels of one question.

    Attributes
    ----------
    name : str
    values : list
        Numbers, booleans, texts; None where there is none.
    place : callable
        What messages call the label of a number.
    source : str
        What messages call all of them.
    """

    name: str
    values: list[object]
    place: Callable[[int], str]
    source: str


def column_of(name: str, values: Iterable[object]) -> Column:
    """Labels that are given as a list or an array."""
    return Column(name, [*map(cell, values)], lambda k: f"{name}[{k}]", name)


def cell(value: object) -> object:
    """A value of an array or a data frame as Python has it; None for ``pandas.NA``, Arrow's null, a masked number."""
    if isinstance(value, np.generic):
        return value.item()
    if value is np.ma.masked or type(value).__name__ == "NAType":
        return None
    plain = getattr(value, "as_py", None)
    return plain() if callable(plain) else value


def read_labels(path: str | os.PathLike[str]) -> list[Column]:
    """The columns of a file of labels.

    Either a label a line; or the file of *AMRParseEval* (Opitz and Frank 2022), a line for two parses of a sentence
    (tab-separated: which one is preferred, whether the first and the second is acceptable, an id) and ``see above`` in
    the next line, which makes the columns *preference* and *acceptable*.

    Raises
    ------
    OptionError
        If the file cannot be read.
    ReadError
        If a line of the second kind is not as it should be.
    """
    return labels_of(os.fspath(path), read_text(path))


def labels_of(name: str, text: str) -> list[Column]:
    """The same of the text of a file; ``name`` is what messages call it."""
    lines = text.splitlines()
    if len(lines) > 1 and lines[1].strip() == _SEE_ABOVE:
        return _of_parses(name, text.rstrip().splitlines())
    return [Column("label", [line.strip() or None for line in lines], lambda k: f"{name}:{k + 1}:1", name)]


def without_blanks(column: Column, expected: Sequence[int]) -> Column:
    """The column without those missing labels at its end that are too many: blank lines at the end of a file.

    ``expected``: how many labels there may be.
    """
    known = max((k for k, value in enumerate(column.values, 1) if value is not None), default=0)
    fits = [number for number in expected if known <= number <= len(column.values)]
    return column._replace(values=column.values[: known if known in fits else max(fits, default=known)])


_SEE_ABOVE = "see above"


def _of_parses(name: str, lines: Sequence[str]) -> list[Column]:
    preference: list[object] = []
    acceptable: list[object] = []
    for number, line in enumerate(lines):
        if number % 2:
            if line.strip() != _SEE_ABOVE:
                raise ReadError(f"expected {_SEE_ABOVE!r}, found {line[:40]!r}", source=name, line=number + 1, column=1)
            continue
        cells = line.split("\t")
        if len(cells) < 3:
            message = f"expected a preference and two answers with tabs between them, found {line[:40]!r}"
            raise ReadError(message, source=name, line=number + 1, column=1)
        preference.append(cells[0])
        acceptable += cells[1:3]
    if len(lines) % 2:
        raise ReadError(f"expected {_SEE_ABOVE!r}, found the end", source=name, line=len(lines) + 1, column=1)
    return [
        Column("preference", preference, lambda k: f"{name}:{2 * k + 1}:1", name),
        Column("acceptable", acceptable, lambda k: f"{name}:{k - k % 2 + 1}:1", name),
    ]


def coded(column: Column, kind: Kind | None, classes: Sequence[str] | None) -> tuple[Kind, FloatArray]:
    """The kind of a column, and its labels as numbers: NaN where there is none; preferences as 1, −1 and 0.

    Parameters
    ----------
    column : Column
    kind : str, optional
        By default ``"yes-no"`` if all labels are 0 and 1 or words for them, else ``"graded"``.
    classes : sequence of str, optional
        Names of classes, the one for the least alike or the worst first: they become 0, 1, 2, …

    Raises
    ------
    OptionError
        If a label is not of the kind.
    """
    values = [_plain(value) for value in column.values]
    known = [value for value in values if value is not None]
    if not known:
        raise OptionError(f"{column.source}: no label")
    if kind is None:
        words = classes is None and all(value in (0, 1) or value in _YES_NO for value in known)
        kind = "yes-no" if words and len(set(known)) > 1 else "graded"
    names: dict[str, float] = {}
    if kind == "preferences":
        names, expected = _BETTER, "1, 0 or 0.5, or first, second or tie"
    elif kind == "yes-no":
        names, expected = _YES_NO, "1 or 0, or yes or no"
    elif classes is not None:
        names = {str(each).strip().lower(): float(k) for k, each in enumerate(classes)}
        if isinstance(classes, str) or len(names) < 2 or len(names) < len(classes):
            shown = classes if isinstance(classes, str) else list(classes)
            raise OptionError(f"classes={shown!r}: expected two different names or more")
        expected = f"one of {', '.join(map(str, classes))}"
    else:
        expected = "a number"
    numbers = np.full(len(values), np.nan)
    for k, value in enumerate(values):
        if value is None:
            continue
        number = names.get(_key(value) if classes is not None and kind == "graded" else str(value))
        if number is None and isinstance(column.values[k], bool):
            number = names.get(str(column.values[k]).lower())
        if number is None and isinstance(value, float) and (classes is None or kind != "graded"):
            number = value
        allowed = (0.0, 0.5, 1.0) if kind == "preferences" else (0.0, 1.0) if kind == "yes-no" else None
        if number is None or not abs(number) <= _LARGEST or (allowed is not None and number not in allowed):
            hint = ""
            if isinstance(value, str) and _COMMA.fullmatch(value):
                hint = "; write it with a point"
            elif kind == "graded" and classes is None and isinstance(value, str):
                hint = "; if labels are names of classes, name them in their order: classes='no,some,yes'"
            raise OptionError(f"{column.place(k)}: expected {expected}, found {_shown(column.values[k])}{hint}")
        numbers[k] = number
    if kind == "preferences":
        numbers = 2 * numbers - 1
    return kind, numbers


def _plain(value: object) -> float | str | None:
    """A number as float, a text that is one as well, other texts in small letters; None for nothing and NaN."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, bool | int | float):
        try:
            number = float(value)
        except OverflowError:
            return str(value)
        return None if number != number else number
    text = str(value).strip().lower()
    try:
        return text if "nan" in text else float(text)
    except ValueError:
        return text


def _key(value: float | str) -> str:
    """A class as its name: ``1`` for the number 1."""
    return f"{value:g}" if isinstance(value, float) else value


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def check_count(column: Column, expected: int, what: str) -> None:
    """Raise :class:`~fastmatch.PairingError` if there are more or fewer labels than ``what`` they are about."""
    if len(column.values) != expected:
        raise PairingError(f"{column.source}: {len(column.values):,} labels of {expected:,} {what}")
