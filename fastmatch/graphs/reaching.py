"""What hangs together in a graph of any nodes."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any


def reached(start: set[Any], *arrows: dict[Any, list[Any]]) -> set[Any]:
    """What is reached from the nodes of ``start``, these included."""
    found = set(start)
    queue = list(start)
    for node in queue:
        for target in chain.from_iterable(each.get(node, ()) for each in arrows):
            if target not in found:
                found.add(target)
                queue.append(target)
    return found


def connected(nodes: Iterable[Any], pairs: Iterable[tuple[Any, Any]]) -> bool:
    """Whether all nodes hang together by these pairs of them."""
    beside: dict[Any, list[Any]] = {node: [] for node in nodes}
    for one, other in pairs:
        beside[one].append(other)
        beside[other].append(one)
    return len(reached(set(list(beside)[:1]), beside)) == len(beside)
