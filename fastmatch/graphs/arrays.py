"""The arrays of a corpus: their names, shapes and types, and the check of arrays that come from elsewhere.

For G graphs:

==================  ================  ========================================================================
array               shape, dtype      meaning
==================  ================  ========================================================================
root                int32[G]          variable on top; −1 in a graph without a root, such as an empty one
lines               int32[G]          line of the graph's first bracket, from 1; 0 if unknown
variable_offsets    int64[G+1]        graph g has the variables [o[g], o[g+1]) of ``variable_names``
variable_names      int32[V]          names, as ids of the vocabulary
instance_offsets    int64[G+1]
instances           int32[3, I]       rows: variable, concept, position
attribute_offsets   int64[G+1]
attributes          int32[4, A]       rows: variable, role, value, position
relation_offsets    int64[G+1]
relations           int32[5, R]       rows: source, role, target, position, 1 if the text had it inverted
surface_offsets     int64[G+1]
surface             int32[3, S]       alignments: position, 1 for the role or 0 for concept and target, text (``~e.1``)
comment_offsets     int64[G+1]
comments            uint8[M]          comment lines, UTF-8, line breaks between them
==================  ================  ========================================================================

* Variables are numbered within their graph, 0 … n−1 in order of first mention as a node. So the numbers in a slice of
  the graphs need no change.
* Strings are ids of one :class:`~fastmatch.Vocabulary`; −1 is None (no concept, no target, no variable name).
* ``position`` is the place of a triple among all triples of its graph, in penman's order.
* Within a graph the columns of a table stand in text order. All arrays are C-contiguous: each row is one stretch of
  memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastmatch.errors import ReadError
from fastmatch.graphs.dialects import DIALECTS
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.types import BoolArray, ByteArray, Dialect, Int32Array, Int64Array


class Arrays:
    """The types of the arrays that a corpus has as attributes, as in the table above."""

    __slots__ = ()
    root: Int32Array
    lines: Int32Array
    variable_offsets: Int64Array
    variable_names: Int32Array
    instance_offsets: Int64Array
    instances: Int32Array
    attribute_offsets: Int64Array
    attributes: Int32Array
    relation_offsets: Int64Array
    relations: Int32Array
    surface_offsets: Int64Array
    surface: Int32Array
    comment_offsets: Int64Array
    comments: ByteArray


#: What a saved corpus begins with.
MAGIC = b"fmcorps\x01"

#: Stands among the repairs of a graph of a file if another graph seems to begin within its text. That one is lost, so
#: the graphs behind it may have moved up.
SECOND_GRAPH = "second-graph"


class Repair(NamedTuple):
    """One change that ``on_error="repair"`` made to the text of a graph.

    Attributes
    ----------
    graph : int
        Its number in the corpus.
    rule : str
        What was mended: a name of :data:`fastmatch.graphs.repairing.RULES`; or :data:`SECOND_GRAPH`.
    place : str
        Where: ``pred.amr:12:5``, line and column from 1.
    """

    graph: int
    rule: str
    place: str


class Content(NamedTuple):
    """All that a corpus holds: the arguments of its constructor."""

    vocabulary: Vocabulary
    arrays: dict[str, NDArray[Any]]
    dialect: Dialect
    source: str
    problems: tuple[tuple[int, str], ...] = ()
    repairs: tuple[Repair, ...] = ()


#: Tables of several rows, and how many; the other arrays have one dimension.
_ROWS = {"instances": 3, "attributes": 4, "relations": 5, "surface": 3}
_TYPES = {"Int32Array": "int32", "Int64Array": "int64", "ByteArray": "uint8"}
#: Array → (rows, dtype); 0 rows: it has one dimension. Files have the arrays in this order.
ARRAYS = {name: (_ROWS.get(name, 0), _TYPES[kind]) for name, kind in Arrays.__annotations__.items()}

#: Offsets → the table that they divide among the graphs, which is the next array.
TABLES = {name: table for name, table in pairwise(ARRAYS) if name.endswith("_offsets")}

#: Table → the rows that hold ids of the vocabulary; None: all of a one-dimensional array.
ID_ROWS: dict[str, tuple[int, ...] | None] = {
    "variable_names": None,
    "instances": (1,),
    "attributes": (1, 2),
    "relations": (1,),
    "surface": (2,),
}

# (offsets, rows of their table) that hold variables of the graph
_VARIABLE_ROWS = (("instance_offsets", (0,)), ("attribute_offsets", (0,)), ("relation_offsets", (0, 2)))
# (table, row, least value) of ids
_LEAST_IDS = (("instances", 1, -1), ("attributes", 1, 0), ("attributes", 2, -1), ("relations", 1, 0), ("surface", 2, 0))
# (table, row) of positions
_POSITIONS = (("instances", 2), ("attributes", 3), ("relations", 3), ("surface", 0))


def check(content: Content, source: str | None = None) -> None:
    """Check everything that kernels rely on without looking.

    Dtypes, shapes, contiguity, offsets (from 0, never falling, up to the end of their table), that every variable, id
    and flag is in its range, and that comment lines are text. O(size of the arrays).

    Parameters
    ----------
    content : Content
    source : str, optional
        For messages; by default the content's own.

    Raises
    ------
    ReadError
        Names the array, and ``source``.
    """
    source = content.source if source is None else source
    arrays = content.arrays

    def expect(right: Any, message: str) -> None:
        if not right:
            raise ReadError(f"damaged corpus: {message}", source=source)

    expect(isinstance(content.vocabulary, Vocabulary), "no vocabulary")
    expect(content.dialect in DIALECTS, f"unknown dialect {content.dialect!r}")
    for name, (rows, dtype) in ARRAYS.items():
        array = arrays[name]
        expect(isinstance(array, np.ndarray) and array.dtype == dtype, f"{name} is not an array of {dtype}")
        expect(array.ndim == (2 if rows else 1), f"{name} has {array.ndim} dimensions")
        expect(rows in (0, array.shape[0]), f"{name} has not {rows} rows")
        expect(array.flags.c_contiguous, f"{name} is not contiguous")
    n_graphs, n_strings = len(arrays["root"]), len(content.vocabulary)
    expect(arrays["lines"].shape == (n_graphs,), "lines and root differ in length")
    for offsets, table in TABLES.items():
        fitting = len(arrays[offsets]) == n_graphs + 1 and divides(arrays[offsets], arrays[table].shape[-1])
        expect(fitting, f"{offsets} does not divide {table} among {n_graphs} graphs")
    n_variables = np.diff(arrays["variable_offsets"])
    expect(n_variables.max(initial=0) < 2**31, "a graph with too many variables")
    expect(_within(arrays["root"], -1, n_variables), "a root that is no variable of its graph")
    expect(_within(arrays["variable_names"], -1, n_strings), "a variable name that is not in the vocabulary")
    for offsets, rows_of_variables in _VARIABLE_ROWS:
        table = TABLES[offsets]
        limit = np.repeat(n_variables, np.diff(arrays[offsets]))
        for row in rows_of_variables:
            right = _within(arrays[table][row], 0, limit)
            expect(right, f"row {row} of {table} names a variable that its graph lacks")
    for name, row, least in _LEAST_IDS:
        expect(_within(arrays[name][row], least, n_strings), f"row {row} of {name} has an id outside the vocabulary")
    for name, row in _POSITIONS:
        expect(_within(arrays[name][row], 0, 2**31), f"row {row} of {name} has a negative position")
    flags = _within(arrays["relations"][4], 0, 2) and _within(arrays["surface"][1], 0, 2)
    expect(flags, "a flag that is neither 0 nor 1")
    expect(_within(arrays["lines"], 0, 2**31), "a negative line number")
    expect(all(0 <= g < n_graphs for g, _ in content.problems), "a problem with a graph that does not exist")
    expect(all(0 <= g < n_graphs for g, *_ in content.repairs), "a repair of a graph that does not exist")
    broken = _graph_of_broken_text(arrays["comments"], arrays["comment_offsets"], {g for g, _ in content.problems})
    expect(broken < 0, f"the comment lines of graph {broken} are no UTF-8 text")


def _graph_of_broken_text(comments: ByteArray, offsets: Int64Array, unread: set[int]) -> int:
    """The first graph whose comment lines are no UTF-8 text, or −1; ``unread`` graphs may have any, as in their file.

    Half of a surrogate pair counts as text: a Python string can hold one.
    """
    if comments.max(initial=0) < 0x80:
        return -1
    starts = offsets[:-1][offsets[:-1] < len(comments)]
    whole = not np.any(comments[starts] & 0xC0 == 0x80)  # no character is divided between two graphs
    data, bounds = comments.tobytes(), offsets.tolist()
    if whole and _is_text(data):
        return -1
    for g, (start, stop) in enumerate(pairwise(bounds)):
        if g not in unread and not _is_text(data[start:stop]):
            return g
    return -1


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def divides(offsets: Int64Array, size: int) -> bool:
    """Whether offsets begin at 0, never fall, and end at ``size``."""
    return bool(len(offsets) > 0 and offsets[0] == 0 and offsets[-1] == size and np.all(offsets[1:] >= offsets[:-1]))


def _within(values: Any, least: int, limit: Any) -> bool:
    """Whether least ≤ values < limit, everywhere."""
    return bool(values.size == 0 or (values.min() >= least and np.all(values < limit)))


def starts_of(sizes: Sequence[int] | NDArray[Any]) -> Int64Array:
    """Where lists of these sizes begin, one behind the other, and where the last one ends, int64[n + 1]."""
    starts = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts


def owners_of(offsets: NDArray[np.int64]) -> Int64Array:
    """The number of the graph that each row belongs to, from the rows with which graphs begin, and their number."""
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def kept_rows(corpus: Any, kind: str, mask: BoolArray) -> dict[str, NDArray[Any]]:
    """The columns of a corpus's ``"instance"``, ``"attribute"`` or ``"relation"`` with the rows that the mask keeps."""
    return {
        f"{kind}_offsets": starts_of(mask)[getattr(corpus, f"{kind}_offsets")],
        f"{kind}s": np.ascontiguousarray(getattr(corpus, f"{kind}s")[:, mask]),
    }
