"""Human scores of pairs of graphs: how they are read, which count, and how well other scores agree with them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from fastmatch.errors import OptionError, PairingError, ReadError
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import Graphs, corpora_of
from fastmatch.metrics.base import Metric
from fastmatch.types import FloatArray, Int32Array

#: Numbers, or a file with a number a line.
Given: TypeAlias = Sequence[float] | FloatArray | str | os.PathLike[str]
#: The same, or None for 0, 1, 0, 1, …: role confusion as BAMBOO has it.
Scores: TypeAlias = Given | None

#: Sums of squares of larger scores overflow.
_LARGEST = 1e100

#: Rows of BAMBOO's published files (train, dev, test). The last row of each is a parse of "Empty line"; in SICK and
#: PARA the first is a parse of the header of the table that the sentences came from. These rows have a human score like
#: all others, but the benchmark does not count them.
_ROWS = {"sts": (5750, 1501, 1380), "sick": (4502, 502, 4929), "para": (3578, 502, 1727)}
_LAST = "Empty line"


def pearson(x: FloatArray, y: FloatArray) -> float:
    """Pearson's r of two columns, float64[n] each; 0 if one of them is constant."""
    x, y = x - x.mean(), y - y.mean()
    scale = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / scale if scale > 0 else 0.0


def targets_of(name: str, scores: Given, n_pairs: int) -> FloatArray:
    """Human scores, float64[n_pairs], from whatever was given; ``name`` is what errors call them.

    Raises
    ------
    PairingError
        If there are more or fewer than pairs.
    OptionError
        If one is not a finite number, or too large to be squared, or their file cannot be read.
    ReadError
        If a line of their file is no number.
    """
    if isinstance(scores, str | os.PathLike):
        found = read_scores(scores)
        name = os.fspath(scores)
    else:
        try:
            found = np.asarray(scores, np.float64)
        except (TypeError, ValueError) as error:
            raise OptionError(f"{name}: expected a number for each pair: {error}") from None
    if found.shape != (n_pairs,):
        raise PairingError(f"{name}: {found.size} scores for {n_pairs} pairs")
    if not np.isfinite(found).all():
        raise OptionError(f"{name}: score {int(np.argmin(np.isfinite(found)))} is not a finite number")
    if (np.abs(found) > _LARGEST).any():
        place = int(np.argmax(np.abs(found)))
        raise OptionError(f"{name}: score {place} is {found[place]:g}, expected {_LARGEST:g} at most")
    return found


def read_text(path: str | os.PathLike[str], what: str = "") -> str:
    """The text of a file; ``what`` is said of it in the message of an error.

    Raises
    ------
    OptionError
        If the file cannot be read.
    """
    try:
        with open(path, encoding="utf-8-sig") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise OptionError(f"cannot read {os.fspath(path)}: {reason}{what}") from None


def read_scores(path: str | os.PathLike[str]) -> FloatArray:
    """A file with a finite number a line, float64[n_lines]; blank lines at its end do not count.

    Raises
    ------
    ReadError
        If a line is something else.
    OptionError
        If the file cannot be read.
    """
    name = os.fspath(path)
    lines = read_text(path).rstrip().splitlines()
    values = np.empty(len(lines))
    for number, line in enumerate(lines):
        try:
            values[number] = float(line)
        except ValueError:
            values[number] = np.nan
        if not np.isfinite(values[number]):
            raise ReadError(f"expected a number, found {line[:40]!r}", source=name, line=number + 1, column=1)
    return values


def counted_rows(name: str, n_rows: int) -> slice:
    """The rows of a file of the set ``name`` of BAMBOO that count: all, if it has not as many as a published file."""
    if n_rows not in _ROWS[name]:
        return slice(None)
    return slice(0 if name == "sts" else 1, -1)


def counted(pred: Corpus, gold: Corpus) -> Int32Array:
    """Numbers of the pairs that count.

    The files are known for BAMBOO's by the number of their rows and by the sentence of their last one; any others count
    as a whole.

    Returns
    -------
    int32[n]
    """
    rows = np.arange(len(gold), dtype=np.int32)
    if not any(len(gold) in sizes for sizes in _ROWS.values()):
        return rows
    if any(corpus[len(corpus) - 1].metadata.get("snt", "").strip() != _LAST for corpus in (pred, gold)):
        return rows
    # no number of rows is that of a file of STS and of another set
    return rows[counted_rows(next(name for name, sizes in _ROWS.items() if len(gold) in sizes), len(gold))]


def read_pairs(
    name: str, pred: Graphs, gold: Graphs, metric: Metric, seen: Corpus | None
) -> tuple[Corpus, Corpus, Int32Array]:
    """The graphs of a set, over the strings of those that were ``seen`` before it; and the pairs that count."""
    first, second = corpora_of(pred, gold, metric.dialect, "raise")
    if seen is not None:
        first, second = first.detached(seen.vocabulary), second.detached(seen.vocabulary)
    if len(first) != len(second):
        raise PairingError(f"{name}: {len(first)} predictions but {len(second)} gold graphs")
    for corpus in (first, second):
        metric.check(corpus.dialect)
    return first, second, counted(first, second)
