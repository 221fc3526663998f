"""Graphs of other libraries: networkx and RDF. The libraries are extras, and are imported when they are asked for."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from os import PathLike
from types import ModuleType
from typing import Any

from fastmatch.errors import OptionError, ReadError, warn_caller
from fastmatch.graphs.graph import Graph
from fastmatch.graphs.sources import is_rdf
from fastmatch.runtime.optional import needed

# ---- networkx --------------------------------------------------------------------------------------------------------


def graphs_of_networkx(
    graphs: Iterable[Any], label: str | None, role: str, tops: Iterable[Hashable | None] | None
) -> list[Graph]:
    """See :meth:`fastmatch.Corpus.from_networkx`. networkx itself is not needed: its graphs know themselves."""
    if _is_networkx(graphs):
        raise OptionError("expected graphs of networkx, found one, which holds nodes; of one graph: [graph]")
    given = None if tops is None else iter(tops)
    made = []
    for number, graph in enumerate(graphs):
        try:
            made.append(_of_networkx(graph, label, role, None if given is None else next(given, None)))
        except OptionError as error:
            raise OptionError(f"graph {number}: {error}") from None
    return made


def graph_of_networkx(argument: str, graph: Any) -> Graph:
    """A graph whose labels are in ``label`` and whose roles in ``role``; errors name the argument."""
    try:
        return _of_networkx(graph, "label", "role", None)
    except OptionError as error:
        raise OptionError(f"{argument}: {error}; Corpus.from_networkx reads other graphs of networkx") from None


def _is_networkx(graph: Any) -> bool:
    return hasattr(graph, "is_directed") and hasattr(graph, "nodes") and hasattr(graph, "edges")


def _of_networkx(graph: Any, label: str | None, role: str, top: Any) -> Graph:
    if not _is_networkx(graph):
        raise OptionError(f"expected a graph of networkx, found {type(graph).__name__}")
    if not graph.is_directed():
        raise OptionError(
            "a graph without directions: triples have a source and a target; to_directed() makes two of each edge"
        )
    nodes: dict[Any, Any] = {}
    attributes: list[tuple[Any, str, object]] = []
    for node, data in graph.nodes(data=True):
        nodes[node] = node if label is None else data.get(label)
        for key, value in data.items():
            if key != label and value is not None:
                attributes += [(node, key, one) for one in (value if isinstance(value, (list, tuple)) else [value])]
    edges: list[tuple[Any, Any, Any]] = []
    keyed = graph.is_multigraph()
    for source, target, *key, data in graph.edges(data=True, **({"keys": True} if keyed else {})):
        name = data.get(role, key[0] if key and isinstance(key[0], str) else None)
        if not isinstance(name, str):
            raise OptionError(f"the edge from {source!r} to {target!r} has no {role!r}; role=… names where roles stand")
        edges.append((source, name, target))
    metadata = {key: str(graph.graph[key]) for key in ("id", "snt") if key in graph.graph}
    return Graph.from_edges(nodes, edges, attributes=attributes, top=top, metadata=metadata)


# ---- RDF -------------------------------------------------------------------------------------------------------------

#: How names of files end → the name of the format in pyoxigraph.
_FORMATS = {"nt": "N_TRIPLES", "nq": "N_QUADS", "ttl": "TURTLE", "trig": "TRIG", "rdf": "RDF_XML"}
_SHORT = {
    "a": "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
    "rdf:type": "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
    "rdfs:label": "http://www.w3.org/2000/01/rdf-schema#label",
}
# names like those that pyoxigraph draws at random for blank nodes which have none
_RANDOM = re.compile("[0-9a-f]{24,32}")


def graphs_of_rdf(
    source: str, data: str | bytes | bytearray | memoryview, *, label: str | None = None, form: str | None = None
) -> list[Graph]:
    """The graphs of RDF; see :meth:`fastmatch.Corpus.from_rdf`.

    Parameters
    ----------
    source : str
        Name of the file, for messages.
    data : str or bytes
    label : str, optional
        The predicate that gives labels.
    form : str, optional
        By default what the name of the file ends in.

    Raises
    ------
    ReadError
        If it is no RDF of this format, with its line, or holds triples about triples.
    OptionError
        If the format is not known, or pyoxigraph is not installed.
    """
    ending = source.lower().removesuffix(".gz").rpartition(".")[2] if form is None else form
    if ending not in _FORMATS:
        raise OptionError(f"{source}: RDF of which format? expected one of {', '.join(_FORMATS)}, found {ending!r}")
    _check_rdf(data, label)
    library = needed("pyoxigraph", "RDF files need", "rdf")
    text = data.removeprefix("\ufeff") if isinstance(data, str) else bytes(data).removeprefix(b"\xef\xbb\xbf")
    names = _Names(text)
    drafts: dict[str | None, _Draft] = {}
    found = label is None
    try:
        quads = library.parse(text, format=getattr(library.RdfFormat, _FORMATS[ending]))
        for quad in quads:
            name = None if isinstance(quad.graph_name, library.DefaultGraph) else names.of(quad.graph_name)
            wanted = None if label is None else _full(label, quads.prefixes)
            found = found or quad.predicate.value == wanted
            drafts.setdefault(name, _Draft(names)).add(library, quad, wanted, source)
    except SyntaxError as error:
        # the text begins with where pyoxigraph stopped, which the place says better
        message = (error.msg or "").partition(": ")[2] or str(error)
        message = f"no RDF that can be read: {' '.join(message.split())}"
        raise ReadError(message, source=source, line=error.lineno or 0, column=error.offset or 0) from None
    except MemoryError as error:
        if "buffer" not in str(error):
            raise
        raise ReadError("no RDF that can be read: an IRI or a literal of more than 16 MiB", source=source) from None
    if drafts and not found:
        warn_caller(f"{source}: no triple has the predicate {label!r}, so no node has a label")
    return [draft.graph(name) for name, draft in drafts.items()]


def _check_rdf(data: object, label: object) -> None:
    """Raise :class:`~fastmatch.OptionError` or TypeError if these are no data, or no predicate."""
    if isinstance(data, PathLike) or (
        isinstance(data, str) and is_rdf(data) and len(data.split()) == 1 and "<" not in data
    ):
        raise OptionError(f"expected RDF, found the name of a file; fastmatch.read({str(data)!r}) reads it")
    if not isinstance(data, (str, bytes, bytearray, memoryview)):
        raise TypeError(f"expected RDF as str, bytes or a file, found {type(data).__name__}")
    if label is not None and not isinstance(label, str):
        raise OptionError(f"label={label!r}: expected the IRI of a predicate")


def _full(label: str, prefixes: Mapping[str, str]) -> str:
    """The IRI of a predicate that is given as it is, between ``<`` and ``>``, or with a prefix of the data."""
    if label.startswith("<") and label.endswith(">"):
        return label[1:-1]
    prefix, colon, rest = label.partition(":")
    return prefixes[prefix] + rest if colon and prefix in prefixes else _SHORT.get(label, label)


class _Names:
    """The names of nodes: the IRI of a resource; a blank node as RDF writes it.

    A blank node without a name has another random one whenever the text is read. Here it has a number, in brackets as
    no name in a text has, so that the same text gives the same graph.
    """

    def __init__(self, text: str | bytes) -> None:
        found = _RANDOM.findall(text) if isinstance(text, str) else re.findall(_RANDOM.pattern.encode(), text)
        self._written = {name if isinstance(name, str) else name.decode() for name in found}
        self._numbers: dict[str, int] = {}

    def of(self, term: Any) -> str:
        value: str = term.value
        if type(term).__name__ == "NamedNode":
            return value
        if _RANDOM.fullmatch(value) and value not in self._written:
            value = f"[{self._numbers.setdefault(value, len(self._numbers) + 1)}]"
        return f"_:{value}"


class _Draft:
    """The nodes and edges of a graph so far."""

    def __init__(self, names: _Names) -> None:
        self._names = names
        self._nodes: dict[str, list[str]] = {}
        self._edges: list[tuple[str, str, str]] = []
        self._attributes: list[tuple[str, str, str]] = []

    def add(self, library: ModuleType, quad: Any, label: str | None, source: str) -> None:
        """Add a triple; ``label`` is the predicate that gives labels, None: a resource is its own."""
        if isinstance(quad.object, library.Triple):
            raise ReadError("a triple about a triple (RDF 1.2), which is not read", source=source)
        subject, predicate = self._node(library, quad.subject, label), quad.predicate.value
        if isinstance(quad.object, library.Literal):
            literal = quad.object
            text = f"{literal.value}@{literal.language}" if literal.language else literal.value
            direction = getattr(literal, "direction", None)  # RDF 1.2
            text += f"--{direction}" if direction else ""
            if predicate == label:
                self._nodes[subject].append(literal.value or '""')
            else:
                self._attributes.append((subject, predicate, text or '""'))
        elif predicate == label:
            self._nodes[subject].append(self._names.of(quad.object))
        else:
            self._edges.append((subject, predicate, self._node(library, quad.object, label)))

    def _node(self, library: ModuleType, term: Any, label: str | None) -> str:
        name = self._names.of(term)
        if name not in self._nodes:
            self._nodes[name] = [name] if label is None and isinstance(term, library.NamedNode) else []
        return name

    def graph(self, name: str | None) -> Graph:
        metadata = {} if name is None else {"id": name}
        return Graph.from_edges(self._nodes, self._edges, attributes=self._attributes, metadata=metadata)
