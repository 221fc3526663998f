"""Graphs that are given by their nodes and edges, not by a text.

Nothing is quoted or escaped: a label is compared as it is given, whatever characters it holds. What a metric leaves out
of account is case, and quotes around the whole label.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any

import numpy as np

from fastmatch.errors import OptionError
from fastmatch.graphs.notation import ATTRIBUTE, INSTANCE, RELATION, format_metadata
from fastmatch.types import Attribute, Edge, Nodes, Triple

_CONCEPT = ":instance"


def parts_of_edges(
    nodes: Nodes,
    edges: Iterable[Edge],
    attributes: Iterable[Attribute] = (),
    top: Hashable | None = None,
    metadata: Mapping[str, str] | None = None,
) -> tuple[Any, ...]:
    """The arguments of :class:`fastmatch.Graph` for one graph; see :meth:`fastmatch.Graph.from_edges`."""
    names: dict[Hashable, str] = {}
    numbers: dict[str, int] = {}
    triples: list[Triple] = []
    kinds: list[int] = []
    ends: list[tuple[int, int]] = []
    for node, label in nodes.items() if isinstance(nodes, Mapping) else ((node, None) for node in nodes):
        name = _text(node, "a node")
        if name in numbers:
            raise OptionError(f"nodes: two have the name {name!r}")
        names[node], numbers[name] = name, len(numbers)
        for each in label if isinstance(label, (list, tuple, set, frozenset)) else () if label is None else (label,):
            triples.append((name, _CONCEPT, _text(each, f"a label of the node {name!r}")))
            kinds.append(INSTANCE)
            ends.append((numbers[name], -1))

    def name_of(node: Hashable, place: str) -> str:
        try:
            return names[node]
        except (KeyError, TypeError):
            raise OptionError(f"{place}: {node!r} is not among the nodes") from None

    for kind, what, given in ((RELATION, "edge", edges), (ATTRIBUTE, "attribute", attributes)):
        for number, row in enumerate(given):
            place = f"{what} {number}"
            try:
                source, role, target = row
            except (TypeError, ValueError):
                raise OptionError(f"{place}: expected three values (source, role, target), found {row!r}") from None
            name = name_of(source, place)
            role = _role(role, place)
            if kind == RELATION:
                other = name_of(target, place)
                triples.append((name, role, other))
                ends.append((numbers[name], numbers[other]))
            else:
                triples.append((name, role, _text(target, f"the value of {place}")))
                ends.append((numbers[name], -1))
            kinds.append(kind)
    root = None if top is None else name_of(top, "top")
    if metadata is not None and not isinstance(metadata, Mapping):
        raise OptionError(f"metadata: expected a mapping from names to texts, found {metadata!r}")
    # a constant may be spelled like a node, so names alone would not tell what a triple leads to
    numbered = -1 if root is None else numbers[root], ends
    return root, tuple(numbers), triples, kinds, {}, format_metadata(metadata), "penman", numbered


def parts_of_graphs(
    nodes: Iterable[Nodes],
    edges: Iterable[Iterable[Edge]],
    attributes: Iterable[Iterable[Attribute]] | None,
    tops: Iterable[Hashable | None] | None,
    metadata: Iterable[Mapping[str, str]] | None,
) -> Iterator[tuple[Any, ...]]:
    """The same graph by graph; errors say which one is wrong."""
    given: dict[str, Iterable[Any]] = {"nodes": nodes, "edges": edges}
    more = {"attributes": attributes, "tops": tops, "metadata": metadata}
    given |= {name: values for name, values in more.items() if values is not None}
    if isinstance(nodes, Mapping):
        raise OptionError("nodes: expected the nodes of each graph in turn; of one graph: [nodes], [edges]")
    for number, values in enumerate(zip_longest(*given.values(), fillvalue=_NOTHING)):
        row = dict(zip(given, values, strict=True))
        short = [name for name, value in row.items() if value is _NOTHING]
        if short:
            raise OptionError(f"graph {number}: {' and '.join(short)} hold fewer graphs than the others")
        try:
            yield parts_of_edges(
                row["nodes"], row["edges"], row.get("attributes", ()), row.get("tops"), row.get("metadata")
            )
        except OptionError as error:
            raise OptionError(f"graph {number}: {error}") from None


_NOTHING = object()


def _role(role: object, place: str) -> str:
    if not isinstance(role, str) or not role.strip(": \t\r\n"):
        raise OptionError(f"{place}: expected the name of a role, found {role!r}")
    role = role if role.startswith(":") else f":{role}"
    if role == _CONCEPT:
        raise OptionError(f"{place}: the role 'instance' is that of labels, which are given with the nodes")
    return role


def _text(value: object, what: str) -> str:
    """A name, label or constant as text.

    Raises
    ------
    OptionError
        If it is neither text nor a number, or an empty text, or NaN, which tables have where something is missing.
    """
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if not isinstance(value, (str, int, float, np.floating)) and not hasattr(value, "__index__"):
        raise OptionError(f"{what}: expected text or a number, found {value!r}")
    if value == "" or value != value:
        raise OptionError(f"{what}: expected text or a number, found {'an empty text' if value == '' else 'NaN'}")
    return str(value)
