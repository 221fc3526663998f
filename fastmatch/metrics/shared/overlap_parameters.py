"""The numbers of soft overlap: what they mean, their untrained values, and files of them.

A file has comment lines (``#``), then a name, a tab and numbers a line, in the order of :class:`Parameters`:

    # fastmatch softoverlap parameters
    vectors	93ae2a7c1d0be4f1
    rank	2.913
    class:frame	0.12
    incoming::arg0	-0.31
    edge::arg0	0.08
    scale:frame word	0.83
    warp	0.08 0.11 0.1 0.09 0.1 0.12 0.1 0.1 0.1 0.1
    map:0	0.0012 -0.0331 …

What a file does not name has its untrained value. ``vectors`` is the fingerprint of the word vectors that the
numbers were trained with: with other vectors they would mean something else.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from fastmatch._ext.overlap.labels import CLASSES
from fastmatch.errors import ReadError
from fastmatch.graphs.sources import lines_of
from fastmatch.runtime.cached import cached_property
from fastmatch.runtime.files import new_text
from fastmatch.types import FloatArray

#: Pieces of the warp.
PIECES = 10
#: What stands for the role of the edge that would lead to a root.
ROOT = ":top"

_TITLE = "fastmatch softoverlap parameters"
#: Numbers are written with so many significant digits.
_DIGITS = 6
#: Those that the kernel takes, in its order (:mod:`fastmatch._ext.overlap.space`).
SETTINGS = ("lemma", "floor", "power", "characters", "least", "number", "other_role", "turned", "single", "between")
#: Numbers between 0 and 1.
_SHARES = frozenset(SETTINGS) - {"power"} | {"square"}
_CLASS_NUMBERS = {name: number for number, name in enumerate(CLASSES)}


@dataclass(frozen=True, eq=False)
class Parameters:
    """All numbers that soft overlap is made of.

    Attributes
    ----------
    vectors : str or None
        Fingerprint of the word vectors that they were trained with; None fits all.
    rank, depth, degree : float
        The mass of a node is exp(rank · its label's rarity + class + mean over incoming roles − depth · ln(1 + depth) −
        degree · ln(1 + degree)).
    edge : float
        The mass of an edge is exp(edge + that of its role).
    lemma, floor, power, characters, least, number, other_role, turned, single, between : float
        See :mod:`fastmatch._ext.overlap.pair`.
    larger, smaller : float
        α and β of Tversky's ratio, C / (C + α · the larger + β · the smaller unmatched mass).
    square : float
        The part of T² in its mixture with T.
    classes, incoming, edges : dict of str → float
        Of classes of labels, of roles that lead to a node, of roles of edges; 0 for others.
    scales : float64[11, 11]
        How much the likeness of vectors counts between two classes; symmetric.
    warp : float64[10]
        The rise of each of ten pieces; all positive, they add up to 1.
    map : float64[d, d] or None
        M of x(I + M); None for 0.
    """

    vectors: str | None = None
    rank: float = 2.5
    depth: float = 0.2
    degree: float = -0.4
    edge: float = -1.0
    lemma: float = 0.95
    floor: float = 0.1
    power: float = 1.0
    characters: float = 0.85
    least: float = 0.5
    number: float = 0.25
    other_role: float = 0.1
    turned: float = 0.1
    single: float = 0.0
    between: float = 0.0
    larger: float = 0.4
    smaller: float = 0.4
    square: float = 0.0
    classes: Mapping[str, float] = field(default_factory=dict)
    incoming: Mapping[str, float] = field(default_factory=dict)
    edges: Mapping[str, float] = field(default_factory=dict)
    scales: FloatArray = field(default_factory=lambda: np.full((len(CLASSES), len(CLASSES)), 0.7))
    warp: FloatArray = field(default_factory=lambda: np.full(PIECES, 1.0 / PIECES))
    map: FloatArray | None = None

    @cached_property
    def settings(self) -> FloatArray:
        """What the kernel takes, float64[10]."""
        return np.array([getattr(self, name) for name in SETTINGS])

    @cached_property
    def class_masses(self) -> FloatArray:
        """By number of the class, float64[11]."""
        return np.array([self.classes.get(name, 0.0) for name in CLASSES])

    @cached_property
    def heights(self) -> FloatArray:
        """The warp at 0, 0.1, …, 1: float64[11], from exactly 0 to exactly 1."""
        sums = np.concatenate([[0.0], np.cumsum(self.warp)])
        return sums / sums[-1]

    @cached_property
    def digest(self) -> str:
        """16 hexadecimal digits that depend on all numbers and nothing else."""
        from fastmatch._ext.reading.vectors import checksum

        return f"{checksum(chr(10).join(_lines(self)).encode('utf-8', 'surrogatepass')):016x}"

    def scored(self, covered: FloatArray, all_pred: FloatArray, other: FloatArray, all_gold: FloatArray) -> FloatArray:
        """Scores from matched and whole masses of both sides, arrays of one shape: in [0, 1], 1 where all is matched.

        1 for two graphs without any mass, 0 if one has none.
        """
        shared = 0.5 * (covered + other)
        left_pred, left_gold = all_pred - covered, all_gold - other
        rest = self.larger * np.maximum(left_pred, left_gold) + self.smaller * np.minimum(left_pred, left_gold)
        whole = shared + rest
        with np.errstate(invalid="ignore", divide="ignore"):
            ratio = np.where(whole > 0, shared / np.where(whole > 0, whole, 1.0), 1.0)
        mixed = (1.0 - self.square) * ratio + self.square * ratio * ratio
        return np.where(ratio < 1.0, self._warped(mixed), 1.0)

    def _warped(self, x: FloatArray) -> FloatArray:
        piece = np.minimum((x * PIECES).astype(np.int64), PIECES - 1)
        heights = self.heights
        return heights[piece] + (x * PIECES - piece) * (heights[piece + 1] - heights[piece])


#: The numbers that nobody trained.
UNTRAINED = Parameters()


def _written(value: float) -> str:
    return f"{float(value):.{_DIGITS}g}"


def _lines(parameters: Parameters) -> Iterator[str]:
    """A line for each name, whose numbers are read back as they are written."""
    for entry in fields(parameters):
        value = getattr(parameters, entry.name)
        if entry.name == "vectors":
            if value is not None:
                yield f"vectors\t{value}"
        elif entry.name in ("classes", "incoming", "edges"):
            section = {"classes": "class", "incoming": "incoming", "edges": "edge"}[entry.name]
            yield from (f"{section}:{name}\t{_written(number)}" for name, number in sorted(value.items()))
        elif entry.name == "scales":
            for row, name in enumerate(CLASSES):
                for column in range(row, len(CLASSES)):
                    yield f"scale:{name} {CLASSES[column]}\t{_written(value[row, column])}"
        elif entry.name == "warp":
            yield "warp\t" + " ".join(map(_written, value))
        elif entry.name == "map":
            for number, row in enumerate(() if value is None else value):
                yield f"map:{number}\t" + " ".join(map(_written, row))
        else:
            yield f"{entry.name}\t{_written(value)}"


def write_parameters(path: str | os.PathLike[str], parameters: Parameters, comments: Sequence[str] = ()) -> None:
    """Write a file of parameters, whole or not at all. Numbers have six significant digits."""
    lines = [f"# {_TITLE}", *(f"# {' '.join(comment.split())}" for comment in comments), *_lines(parameters)]
    with new_text(path, errors="surrogatepass") as file:
        file.write("\n".join(lines) + "\n")


def rounded(parameters: Parameters) -> Parameters:
    """The parameters as a file gives them back."""
    return _parse(_lines(parameters), "<parameters>")


def read_parameters(path: str | os.PathLike[str]) -> Parameters:
    """The parameters in a file.

    Raises
    ------
    ReadError
        If a line is not a known name and as many finite numbers as belong to it, or a name stands there twice.
    OSError
        If the file cannot be read.
    """
    name = os.fspath(path)
    return _parse(lines_of(name, "surrogatepass"), name)


def _parse(lines: Iterable[str], source: str) -> Parameters:
    found: dict[str, Any] = {"classes": {}, "incoming": {}, "edges": {}}
    scales = UNTRAINED.scales.copy()
    rows: dict[int, FloatArray] = {}
    seen: set[str] = set()

    def wrong(line: int, message: str, column: int = 1) -> ReadError:
        return ReadError(message, source=source, line=line, column=column)

    for number, line in enumerate(lines, 1):
        if line.startswith("#") or not line.strip():
            continue
        name, tab, text = line.partition("\t")
        if name in seen:
            raise wrong(number, f"{name} stands there twice")
        seen.add(name)
        if name == "vectors":
            found[name] = text.strip()
            continue
        section, colon, key = name.partition(":")
        values = _numbers(text if tab else "")
        several = section in ("warp", "map")
        if values is None or not len(values) or not (several or len(values) == 1):
            wanted = "finite numbers" if several else "a finite number"
            raise wrong(number, f"expected a name, a tab and {wanted}, found {line[:40]!r}")
        value = float(values[0])
        if not colon and section in _PLAIN:
            if not _allowed(section, value):
                expected = "a number from 0 to 1" if section in _SHARES else "a number above 0"
                raise wrong(number, f"{section}: expected {expected}", len(name) + 2)
            found[section] = value
        elif section == "class" and key in _CLASS_NUMBERS:
            found["classes"][key] = value
        elif section in ("incoming", "edge") and key.startswith(":"):
            found["incoming" if section == "incoming" else "edges"][key] = value
        elif section == "scale" and all(part in _CLASS_NUMBERS for part in key.split(" ", 1)) and " " in key:
            one, two = (_CLASS_NUMBERS[part] for part in key.split(" ", 1))
            if not 0 <= value <= 1:
                raise wrong(number, f"{name}: expected a number from 0 to 1")
            scales[one, two] = scales[two, one] = value
        elif name == "warp" and len(values) == PIECES and (values > 0).all():
            found["warp"] = values
        elif section == "map" and key.isdecimal() and key.isascii() and len(key) < 10:
            rows[int(key)] = values
        else:
            raise wrong(number, f"expected a parameter of soft overlap, found {name[:40]!r}")
    if not seen:
        raise ReadError("expected a name, a tab and numbers on each line, found none", source=source)
    if rows:
        size = len(rows)
        if sorted(rows) != list(range(size)) or any(len(row) != size for row in rows.values()):
            raise ReadError(
                f"the map has {size} rows, which must be numbered from 0 and have {size} numbers each", source=source
            )
        found["map"] = np.array([rows[k] for k in range(size)])
    return replace(UNTRAINED, scales=scales, **found)


_PLAIN = frozenset(entry.name for entry in fields(Parameters) if entry.type == "float")


def _allowed(name: str, value: float) -> bool:
    if name in _SHARES:
        return 0 <= value <= 1 and not (name == "floor" and value == 1)
    return value > 0 if name in ("power", "larger", "smaller") else abs(value) < 100


def _numbers(text: str) -> FloatArray | None:
    """Numbers between spaces, or None if one is not a finite number."""
    try:
        values = np.array([float(part) for part in text.split()])
    except ValueError:
        return None
    return values if all(map(math.isfinite, values)) else None
