"""What hangs together in a graph of any nodes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def reached(start: set[Any], *arrows: dict[Any, list[Any]]) -> set[Any]:
    """What is reached from the nodes of ``start``, these included."""
    found = newest = set(start)
    while newest:
        newest = set().union(*(each.get(node, ()) for each in arrows for node in newest)) - found
        found |= newest
    return found


def connected(nodes: Iterable[Any], pairs: Iterable[tuple[Any, Any]]) -> bool:
    """Whether all nodes hang together by these pairs of them."""
    beside: dict[Any, list[Any]] = {node: [] for node in nodes}
    for one, other in pairs:
        beside[one].append(other)
        beside[other].append(one)
    return len(reached(set(list(beside)[:1]), beside)) == len(beside)
