"""From graphs to the arrays of a corpus: the inverse of looking at a corpus graph by graph."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from fastmatch.errors import OptionError
from fastmatch.graphs.arrays import ARRAYS, ID_ROWS, TABLES, Content
from fastmatch.graphs.graph import Graph
from fastmatch.graphs.notation import ATTRIBUTE, INSTANCE, INVERTED
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.types import Dialect


def content_of(
    graphs: Iterable[Graph], *, vocabulary: Vocabulary | None, source: str, dialect: Dialect | None
) -> Content:
    """What a corpus of these graphs holds.

    Parameters
    ----------
    graphs : iterable of Graph
    vocabulary : Vocabulary or None
        Gets the strings; None: a new one.
    source : str
        Name of the corpus, for messages.
    dialect : str or None
        That of all graphs; None: of the first (``"penman"`` if there is none).

    Raises
    ------
    OptionError
        If the graphs are of several dialects.
    TypeError
        If one is no Graph.
    """
    strings: dict[str | None, int] = {}
    number = strings.setdefault
    root: list[int] = []
    names: list[int] = []
    tables: dict[str, list[tuple[int, ...]]] = {
        name: [] for name in ("instances", "attributes", "relations", "surface")
    }
    instances, attributes, relations, surface = tables.values()
    comments: list[bytes] = []
    n_bytes = 0
    bounds = [(0,) * len(TABLES)]
    for place, graph in enumerate(graphs):
        if not isinstance(graph, Graph):
            raise TypeError(f"expected graphs, found {type(graph).__name__} in place {place}; texts go to parse")
        if dialect is None:
            dialect = graph.dialect
        elif graph.dialect != dialect:
            raise OptionError(f"graphs of the dialects {dialect!r} and {graph.dialect!r} cannot be in one corpus")
        top, ends = numbers_of(graph)
        root.append(top)
        # None stands among the strings like any other; it becomes −1 below
        names += [number(name, len(strings)) for name in graph.variables]
        for position, (triple, kind, (start, end)) in enumerate(zip(graph.triples, graph._kinds, ends, strict=True)):
            _, role, target = triple
            if kind == INSTANCE:
                instances.append((start, number(target, len(strings)), position))
            elif kind == ATTRIBUTE:
                attributes.append((start, number(role, len(strings)), number(target, len(strings)), position))
            else:
                relations.append((start, number(role, len(strings)), end, position, kind == INVERTED))
        for (position, part), text in graph._surface.items():
            surface.append((position, part, number(text, len(strings))))
        comments.append(graph.comments.encode("utf-8", "surrogatepass"))
        n_bytes += len(comments[-1])
        bounds.append((len(names), len(instances), len(attributes), len(relations), len(surface), n_bytes))
    vocabulary = Vocabulary() if vocabulary is None else vocabulary
    ids = np.full(len(strings), -1, np.int32)
    texts = [text for text in strings if text is not None]
    ids[[position for text, position in strings.items() if text is not None]] = vocabulary.ids(texts)
    arrays: dict[str, Any] = dict(zip(TABLES, np.array(bounds, np.int64).T.copy(), strict=True))
    arrays["root"], arrays["lines"] = np.array(root, np.int32), np.zeros(len(root), np.int32)
    arrays["variable_names"] = ids[names] if names else np.empty(0, np.int32)
    arrays["comments"] = np.frombuffer(b"".join(comments), np.uint8)
    for name, columns in tables.items():
        arrays[name] = table = np.array(columns, np.int32).reshape(-1, ARRAYS[name][0]).T.copy()
        for row in ID_ROWS[name] or ():
            table[row] = ids[table[row]]
    return Content(vocabulary, arrays, dialect or "penman", source)


def numbers_of(graph: Graph) -> tuple[int, Iterable[tuple[int, int]]]:
    """The number of the variable on top, −1 in a graph without a root, and those of the ends of each triple.

    The second end of a triple that is no relation means nothing.
    """
    if graph._numbers is not None:
        return graph._numbers
    local = {name: position for position, name in enumerate(graph.variables)}
    top = local.get(graph.top, -1)
    return top, [(local[source], local.get(target, -1)) for source, _, target in graph.triples]
