"""Pairs of graphs that are hard for a search for the best map: nothing, or little, tells their variables apart.

:data:`FAMILIES` names makers of one pair each, from a seed. The text of either graph has at most ``room`` characters,
2,000 by default: as much as a service that scores completions may meet.
"""

import random
from collections.abc import Callable, Sequence
from itertools import pairwise, product

#: Characters of a graph's text.
ROOM = 2000
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
#: Names of variables, the short ones first.
NAMES = [*_LETTERS, *("".join(pair) for pair in product(_LETTERS, _LETTERS + "0123456789"))]

#: (source, role, target); targets that are strings are constants.
Edge = tuple[int, str, "int | str"]
#: From a seed (and the characters that there is room for) two texts.
Maker = Callable[..., tuple[str, str]]


def graph_text(concepts: Sequence[str | None], edges: Sequence[Edge], names: Sequence[str] = NAMES) -> str:
    """Penman text without a needless character, from variable 0 along the edges; what it does not reach is left out."""
    branches: dict[int, list[tuple[str, int | str]]] = {}
    for source, role, target in edges:
        branches.setdefault(source, []).append((role, target))
    seen = {0}
    parts: list[str] = []
    stack: list[object] = [0]
    while stack:
        top = stack.pop()
        if isinstance(top, str):
            parts.append(top)
            continue
        concept = concepts[top]
        parts.append(f"({names[top]}" + ("" if concept is None else f"/{concept}"))
        stack.append(")")
        later: list[object] = []
        for role, target in branches.get(top, ()):
            if isinstance(target, str):
                later.append(f"{role} {target}")
            elif target in seen:
                later.append(f"{role} {names[target]}")
            else:
                seen.add(target)
                later += [role, target]
        stack += reversed(later)
    return "".join(parts)


def isomorphic(concepts: Sequence[str | None], edges: Sequence[Edge], seed: int) -> tuple[str, str]:
    """The graph, and the same with other names of its variables and its branches in another order."""
    rng = random.Random(seed)
    names = NAMES[: len(concepts)]
    shuffled, other = list(names), list(edges)
    rng.shuffle(shuffled)
    rng.shuffle(other)
    return graph_text(concepts, edges, names), graph_text(concepts, other, shuffled)


def _fit(make: Callable[[int], str], room: int, most: int = len(NAMES)) -> str:
    """The largest graph whose text fits."""
    least = 1
    while least < most:
        middle = (least + most + 1) // 2
        if len(make(middle)) <= room:
            least = middle
        else:
            most = middle - 1
    return make(least)


def _drawn(text: Callable[[random.Random, int], str]) -> Maker:
    """Two graphs of which ``text`` draws one, of n variables; each as large as there is room for."""

    def make(seed: int, room: int = ROOM) -> tuple[str, str]:
        one, two = (_fit(lambda n, k=k: text(random.Random(f"{seed} {k}"), n), room) for k in (1, 2))
        return one, two

    return make


def _trees(*concepts: str | None, roles: Sequence[str] = (":a",), names: Sequence[str] = NAMES) -> Maker:
    """Random recursive trees: each variable hangs from an earlier one."""

    def tree(rng: random.Random, n: int) -> str:
        edges = [(rng.randrange(i), rng.choice(roles), i) for i in range(1, n)]
        return graph_text([rng.choice(concepts) for _ in range(n)], edges, names)

    return _drawn(tree)


def _graphs(more: float, concept: str | None = "c") -> Maker:
    """Random trees of n variables and ``more`` relations a variable besides."""

    def graph(rng: random.Random, n: int) -> str:
        edges: list[Edge] = [(rng.randrange(i), ":a", i) for i in range(1, n)]
        edges += [(rng.randrange(n), ":a", rng.randrange(n)) for _ in range(round(more * n))]
        return graph_text([concept] * n, edges)

    return _drawn(graph)


def _dense(n: int) -> Maker:
    """n variables, and as many relations between them, all of one role, as there is room for."""

    def one(seed: str, room: int) -> str:
        rng = random.Random(seed)
        cells = [(i, j) for i in range(n) for j in range(n)]
        rng.shuffle(cells)
        tree: list[Edge] = [(rng.randrange(i), ":a", i) for i in range(1, n)]
        return _fit(
            lambda k: graph_text(["c"] * n, [*tree, *((i, ":a", j) for i, j in cells[: k - 1])]), room, len(cells)
        )

    return lambda seed, room=ROOM: (one(f"{seed} 1", room), one(f"{seed} 2", room))


def _stars(concept: str | None) -> Maker:
    """A variable with equal leaves against two levels of equal leaves."""

    def make(seed: int, room: int = ROOM) -> tuple[str, str]:
        arms = random.Random(seed).randrange(5, 15)

        def star(n: int) -> str:
            return graph_text([concept] * n, [(0, ":a", i) for i in range(1, n)])

        def broom(n: int) -> str:
            return graph_text([concept] * n, [(0 if i <= arms else i % arms + 1, ":a", i) for i in range(1, n)])

        return _fit(star, room), _fit(broom, room)

    return make


def _chain(rng: random.Random, n: int) -> str:
    """A chain of relations of two roles in random order."""
    return graph_text(["c"] * n, [(i, rng.choice((":a", ":b")), j) for i, j in pairwise(range(n))])


def _attributes(rng: random.Random, n: int) -> str:
    """Variables that all have two of few values, and the relations of a random tree."""
    edges: list[Edge] = [(rng.randrange(i), ":a", i) for i in range(1, n)]
    edges += [(i, ":b", rng.choice("12")) for i in range(n) for _ in range(2)]
    return graph_text([None] * n, edges)


def _one_variable(rng: random.Random, n: int) -> str:
    """One variable with n attributes, many of them repeated."""
    return graph_text(["c"], [(0, f":{rng.choice('ab')}", str(rng.randrange(100))) for _ in range(n)])


def _copies(seed: int, room: int = ROOM) -> tuple[str, str]:
    """A random graph, and the same written otherwise."""

    def pair(n: int) -> tuple[str, str]:
        rng = random.Random(seed)
        edges: list[Edge] = [(rng.randrange(i), ":a", i) for i in range(1, n)]
        edges += [(rng.randrange(n), ":a", rng.randrange(n)) for _ in range(n // 4)]
        return isomorphic(["c"] * n, edges, seed)

    n = 2
    while max(map(len, pair(n + 1))) <= room:
        n += 1
    return pair(n)


#: Name → maker of a pair: ``make(seed)`` gives two texts.
FAMILIES: dict[str, Maker] = {
    "trees": _trees("c"),
    "trees without concepts": _trees(None),
    "trees of things": _trees(" thing", roles=(" :ARG0 ",), names=[f"a{i}" for i in range(len(NAMES))]),
    "trees of two concepts": _trees("c", "d"),
    "trees of five concepts": _trees(*"cdefg"),
    "trees of two roles": _trees("c", roles=(":a", ":b")),
    "trees of five concepts and roles": _trees(*"cdefg", roles=(":a", ":b", ":d", ":e", ":f")),
    "graphs": _graphs(1.0),
    "graphs without concepts": _graphs(1.0, None),
    "sparse graphs": _graphs(0.2),
    "dense graphs of 10": _dense(10),
    "dense graphs of 20": _dense(20),
    "dense graphs of 40": _dense(40),
    "stars": _stars("c"),
    "stars without concepts": _stars(None),
    "chains": _drawn(_chain),
    "attributes": _drawn(_attributes),
    "one variable": _drawn(_one_variable),
    "copies": _copies,
}
