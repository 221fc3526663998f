"""Graphs in tables of triples: CSV, TSV, JSON Lines or a JSON list. No text of a graph is read, so nothing is escaped.

A table with a triple in each row names its columns, and the names say what names of nodes are:

``source``, ``role``, ``target``
    Names of nodes are ids, which only say which node is which. A row with the role ``instance`` gives its source a
    label.
``subject``, ``predicate``, ``object``, or ``head``, ``relation``, ``tail``
    Names of nodes are their labels, as in knowledge graphs. A row with the role ``instance`` gives another label.

A row has something in the third column or in a column ``value``: a constant, where the third column holds a node. Rows
of one graph have the same ``graph``, a column that becomes the ``::id``; without it all rows are one graph.

In JSON a row may also hold a whole graph: ``{"id": …, "triples": [[subject, predicate, object], …]}``, whose names are
labels, or ``{"id": …, "nodes": {id: label, …}, "edges": [[source, role, target], …]}`` with ids. Both may have
``attributes`` (rows of node, role, constant) and a ``top``; other fields do not count. Such a graph may be empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from fastmatch.errors import OptionError, ReadError
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.fields import Table, begins_as, table
from fastmatch.graphs.graph import Graph
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.types import OnError


class _Columns(NamedTuple):
    """Names of the columns of a triple, and whether names of nodes are their labels."""

    source: str
    role: str
    target: str
    labels: bool


_KINDS = (
    _Columns("source", "role", "target", False),
    _Columns("subject", "predicate", "object", True),
    _Columns("head", "relation", "tail", True),
)
_GRAPH, _VALUE = "graph", "value"
_LABEL_ROLES = ("instance", ":instance")
#: Rows of JSON that hold a graph: these fields are there.
_WHOLE = (("triples",), ("nodes", "edges"))


def _kind(names: Iterable[str]) -> _Columns | None:
    """What the columns of a table of triples are called; None if it is none."""
    known = set(names)
    for kind in _KINDS:
        if {kind.source, kind.role} <= known and not known.isdisjoint((kind.target, _VALUE)):
            return kind
    return None


def holds_triples(source: str, data: str | bytes | bytearray | memoryview) -> bool:
    """Whether a file is such a table, by its header or its first row."""
    return any(_kind(names) or _is_whole(names) for names in begins_as(source, data))


def _is_whole(names: Iterable[str]) -> bool:
    known = set(names)
    return any(known.issuperset(fields) for fields in _WHOLE)


def read_triples(
    source: str,
    data: str | bytes | bytearray | memoryview,
    *,
    on_error: OnError = "raise",
    vocabulary: Vocabulary | None = None,
) -> Corpus:
    """The graphs of a table of triples, in the order in which they are first mentioned.

    Parameters
    ----------
    source : str
        Name of the file.
    data : str or bytes
        Its content, unpacked.
    on_error : {"raise", "skip", "empty", "repair"}
        What becomes of a graph with a row that is wrong; ``"repair"`` has no rules for triples and does as ``"empty"``.
    vocabulary : Vocabulary, optional
        Gets the strings.

    Raises
    ------
    ReadError
        If the file is no such table, or a row is wrong and ``on_error`` is ``"raise"``.
    """
    rows = table(source, data)
    drafts = _whole_graphs(rows) if rows.rows and _is_whole(rows.rows[0]) else _drafts(rows)
    graphs: list[Graph] = []
    problems: list[tuple[int, str]] = []
    for draft in drafts:
        try:
            graph = draft.graph()
        except (OptionError, ReadError) as found:
            error = ReadError(str(found), source=source, line=draft.line, column=min(draft.line, 1))
            error = found if isinstance(found, ReadError) else error
            if on_error == "raise":
                raise error from None
            if on_error == "skip":
                continue
            problems.append((len(graphs), str(error)))
            graph = Graph.from_edges((), (), metadata=draft.metadata)
        graphs.append(graph)
    corpus = Corpus.from_graphs(graphs, vocabulary=vocabulary or Vocabulary(), source=source, dialect="penman")
    return corpus.with_columns(problems=tuple(problems)) if problems else corpus


class _Draft:
    """A graph whose triples are being collected."""

    def __init__(self, line: int, metadata: dict[str, str]) -> None:
        self.line, self.metadata = line, metadata
        self.nodes: dict[Any, list[Any]] = {}
        self.edges: list[tuple[Any, Any, Any]] = []
        self.attributes: list[tuple[Any, Any, Any]] = []
        self.top: Any = None
        self.error: ReadError | None = None

    def node(self, name: Any, own_label: bool) -> None:
        if name not in self.nodes:
            self.nodes[name] = [name] if own_label else []

    def graph(self) -> Graph:
        if self.error is not None:
            raise self.error
        return Graph.from_edges(
            self.nodes, self.edges, attributes=self.attributes, top=self.top, metadata=self.metadata
        )


# ---- a triple a row --------------------------------------------------------------------------------------------------


def _drafts(rows: Table) -> Iterable[_Draft]:
    drafts: dict[Any, _Draft] = {}
    kind: _Columns | None = None
    for number, row in enumerate(rows.rows):
        line = rows.lines[number] if rows.lines else 0
        # the columns of a CSV file are those of its header; every row of JSON has its own
        if kind is None or not rows.headed:
            kind = _checked(rows.source, row, 1 if rows.headed else line, number)
        name = row.get(_GRAPH)
        place = f"row {number}" if not line else "this row"
        # 1 and "1" are one graph, and whatever a row may hold can be looked up
        key = None if name is None else _shown(name)
        if key not in drafts:
            drafts[key] = _Draft(line, {} if key is None else {"id": key})
        draft = drafts[key]
        try:
            if _GRAPH in row and (name is None or name == ""):
                raise OptionError(f"expected the name of a graph in {place}")
            _add(draft, row, kind, place)
        except OptionError as error:
            draft.error = draft.error or ReadError(str(error), source=rows.source, line=line, column=min(line, 1))
    return drafts.values()


def _shown(name: Any) -> str:
    return name if isinstance(name, str) else repr(name)


def _checked(source: str, row: Mapping[str, Any], line: int, number: int) -> _Columns:
    """What the columns are called; a column that is not known may be a misspelt one, and is an error."""
    kind = _kind(row)
    known = (_GRAPH, *kind[:3], _VALUE) if kind is not None else ()
    if kind is None or not known or any(name not in known for name in row):
        columns = "source, role, target (ids of nodes) or subject, predicate, object (their labels)"
        names = [name if isinstance(name, str) and len(name) < 40 else "…" for name in list(row)[:10]]
        found = (", ".join(names) or "none") + ("" if line else f" in row {number}")
        message = f"expected the columns {columns}, and graph and value where wanted, found {found}"
        raise ReadError(message, source=source, line=line, column=min(line, 1))
    return kind


def _add(draft: _Draft, row: Mapping[str, Any], kind: _Columns, place: str) -> None:
    """Add a row to its graph; :class:`~fastmatch.OptionError` says what is wrong with it."""
    source, role = row[kind.source], row[kind.role]
    target, value = row.get(kind.target), row.get(_VALUE)
    ends = [each for each in (target, value) if each is not None and each != ""]
    if not _is_name(source):
        raise OptionError(f"expected a node in the column {kind.source!r} of {place}, found {source!r}")
    if not isinstance(role, str) or not role.strip(": \t\r\n"):
        raise OptionError(f"expected the name of a role in the column {kind.role!r} of {place}, found {role!r}")
    if len(ends) != 1 or not _is_name(ends[0]):
        found = "nothing" if not ends else "both" if len(ends) == 2 else repr(ends[0])
        wanted = f"a node in the column {kind.target!r} or a constant in {_VALUE!r} of {place}"
        raise OptionError(f"expected {wanted}, found {found}")
    source, end = _shown_name(source), ends[0]
    draft.node(source, kind.labels)
    if role in _LABEL_ROLES:
        draft.nodes[source].append(end)
    elif target is None or target == "":
        draft.attributes.append((source, role, end))
    else:
        draft.node(_shown_name(end), kind.labels)
        draft.edges.append((source, role, _shown_name(end)))


def _is_name(value: Any) -> bool:
    return (isinstance(value, (int, float)) and value == value) or (isinstance(value, str) and value != "")


def _shown_name(value: Any) -> str:
    """A name as the text that it is: 1 and "1" are one node."""
    return str(value).lower() if isinstance(value, bool) else str(value)


# ---- a graph a row ---------------------------------------------------------------------------------------------------


def _whole_graphs(rows: Table) -> Iterator[_Draft]:
    for number, row in enumerate(rows.rows):
        line = rows.lines[number] if rows.lines else 0
        name = row.get("id", row.get(_GRAPH))
        draft = _Draft(line, {} if name is None else {"id": _shown(name)})
        try:
            _fill(draft, row)
        except OptionError as error:
            where = "" if line else f" in row {number}"
            draft.error = ReadError(f"{error}{where}", source=rows.source, line=line, column=min(line, 1))
        yield draft


def _fill(draft: _Draft, row: Mapping[str, Any]) -> None:
    """Fill a graph with what a row holds; :class:`~fastmatch.OptionError` says what is wrong with it."""
    labels = "triples" in row
    lists = {field: row.get(field, []) for field in ("triples", "edges", "attributes")}
    for field, given in lists.items():
        if not isinstance(given, list):
            raise OptionError(f"expected a list in {field!r}, found {_type(given)}")
    if labels == ("edges" in row or "nodes" in row):
        raise OptionError("expected 'triples', or 'nodes' and 'edges'")
    if not labels:
        _add_nodes(draft, row.get("nodes"))
    for field, triples in lists.items():
        for number, given in enumerate(triples):
            triple = _triple(given)
            if triple is None:
                raise OptionError(f"expected [source, role, target] in {field}[{number}], found {_type(given)}")
            source, role, target = triple
            if not _is_name(source) or not _is_name(target):
                raise OptionError(f"expected names or numbers at the ends of {field}[{number}]")
            source = _shown_name(source)
            if labels:
                draft.node(source, True)
            if field == "attributes":
                draft.attributes.append((source, role, target))
            elif role in _LABEL_ROLES:
                draft.nodes.setdefault(source, []).append(target)
            else:
                target = _shown_name(target)
                if labels:
                    draft.node(target, True)
                draft.edges.append((source, role, target))
    top = row.get("top")
    if top is not None and not _is_name(top):
        raise OptionError(f"expected the name of a node in 'top', found {_type(top)}")
    draft.top = None if top is None else _shown_name(top)


def _add_nodes(draft: _Draft, given: Any) -> None:
    """The nodes of a row: an object of ids and labels, a list of ids, or one of objects with an id and a label."""
    if isinstance(given, dict):
        pairs = list(given.items())
    elif isinstance(given, list):
        pairs = [(one.get("id"), one.get("label")) if isinstance(one, dict) else (one, None) for one in given]
    else:
        raise OptionError(f"expected an object or a list in 'nodes', found {_type(given)}")
    for name, label in pairs:
        several = label if isinstance(label, list) else [] if label is None else [label]
        if not _is_name(name) or not all(map(_is_name, several)):
            found = f"{name!r} and {label!r}"
            raise OptionError(f"expected ids and labels that are text or numbers in 'nodes', found {found}")
        if _shown_name(name) in draft.nodes:
            raise OptionError(f"the node {name!r} stands twice in 'nodes'")
        draft.nodes[_shown_name(name)] = list(several)


def _triple(given: Any) -> tuple[Any, Any, Any] | None:
    if isinstance(given, list) and len(given) == 3:
        return given[0], given[1], given[2]
    if isinstance(given, dict):
        kind = _kind(given)
        if kind is not None and kind.target in given:
            return given[kind.source], given[kind.role], given[kind.target]
    return None


def _type(value: Any) -> str:
    """A value of JSON for a message."""
    if isinstance(value, (str, int, float)):
        return f"{value!r:.40}"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return "null" if value is None else "an object"
