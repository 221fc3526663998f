"""juːmæʧ straight from its definition: links between the nodes of two sentences, made one-to-one, and what matches.

Slow: every round counts the matches of every candidate again. A node is (variable, concept, extended concept,
attributes, tokens, length of the aligned text); an attribute is (role, value, index of the node that it is or None).
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

UNMAPPED = "UNMAPPED"


class Node(NamedTuple):
    variable: str
    concept: str
    extended: str
    attributes: list[tuple[str, object, int | None]]
    tokens: set[int]
    length: int


def first_links(sides: tuple[list[Node], list[Node]], n_tokens: int) -> list[list[set[int]]]:
    links: list[list[set[int]]] = [[set() for _ in side] for side in sides]
    for i, a in enumerate(sides[0]):
        for j, b in enumerate(sides[1]):
            if a.tokens and b.tokens:
                linked = any(0 < token <= n_tokens for token in a.tokens & b.tokens)
            else:
                linked = not a.tokens and not b.tokens and a.extended == b.extended
            if linked:
                links[0][i].add(j)
                links[1][j].add(i)
    return links


def translated(nodes, others, links, attribute, unmapped):
    """All that an attribute of a side may be on the other one."""
    role, value, child = attribute
    if child is None:
        return [(role, value)]
    return [(role, others[partner].variable) for partner in sorted(links[child])] or [(role, unmapped)]


def counted(node: Node, ignored) -> list[tuple[str, object, int | None]]:
    """Attributes that count: with a value, and not ignored."""
    own = [("concept", node.concept, None), *node.attributes]
    return [attribute for attribute in own if attribute[1] not in ("", ("",)) and not ignored(attribute[0])]


def strong(nodes, others, links, i, j, ignored, unmapped):
    said = Counter(
        each for one in counted(nodes[i], ignored) for each in translated(nodes, others, links, one, unmapped)
    )
    written = Counter((role, value) for role, value, _ in counted(others[j], ignored))
    return (said & written).total()


def weak(a: Node, b: Node) -> int:
    return (
        Counter(["concept", *(role for role, _, _ in a.attributes)])
        & Counter(["concept", *(role for role, _, _ in b.attributes)])
    ).total()


def one_to_one(sides, links, ignored, unmapped) -> None:
    """Make ``links`` one-to-one."""
    orders = [sorted(range(len(side)), key=lambda k: side[k].variable) for side in sides]
    while True:
        candidates = []
        for s in (0, 1):
            nodes, others = sides[s], sides[1 - s]
            for i in orders[s]:
                links[s][i] = {j for j in links[s][i] if i in links[1 - s][j]}
                if len(links[s][i]) < 2:
                    continue
                for j in sorted(links[s][i], key=lambda j: others[j].variable):
                    a, b = nodes[i], others[j]
                    key = (
                        a.extended != b.extended,
                        -strong(nodes, others, links[s], i, j, ignored, unmapped),
                        -weak(a, b),
                        -(a.length * bool(a.tokens) + b.length * bool(b.tokens)),
                        a.variable != b.variable,
                        a.variable + b.variable,
                    )
                    candidates.append((key, s, i, j))
        if not candidates:
            return
        _, s, i, j = min(candidates, key=lambda candidate: candidate[0])
        links[s][i] = {j}
        links[1 - s][j] = {i}


def link(sides, n_tokens: int, ignored=lambda role: False, unmapped: object = UNMAPPED):
    """Partners of both sides, by index or None; and for each side nodes with more than one link and these links."""
    links = first_links(sides, n_tokens)
    ambiguous = [[len(each) for each in side if len(each) > 1] for side in links]
    one_to_one(sides, links, ignored, unmapped)
    partners = [[next(iter(each), None) for each in side] for side in links]
    return partners, [(len(side), sum(side)) for side in ambiguous]
