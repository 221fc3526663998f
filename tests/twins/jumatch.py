"""juːmæʧ straight from its definition: links between the nodes of two sentences, made one-to-one, and what matches.

Slow: every round counts the matches of every candidate again. A node is (variable, concept, extended concept,
attributes, tokens, length of the aligned text); an attribute is (role, value, index of the node that it is or None).
"""

from collections import Counter
from itertools import chain
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
    own = (translated(nodes, others, links, attribute, unmapped) for attribute in counted(nodes[i], ignored))
    said = Counter(chain.from_iterable(own))
    return (said & Counter((role, value) for role, value, _ in counted(others[j], ignored))).total()


def weak(a: Node, b: Node) -> int:
    mine, its = (Counter(["concept", *(role for role, _, _ in node.attributes)]) for node in (a, b))
    return (mine & its).total()


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
    return [[next(iter(each), None) for each in side] for side in links], [(len(side), sum(side)) for side in ambiguous]


# ---- what matches ----------------------------------------------------------------------------------------------------


def keys(node, known, partners, ignored, unmapped):
    """All that counts of a node, (role, value); variables among ``known`` by their partners, if these are given."""
    found = [("concept", (node.concept,))] if node.concept and not ignored("concept") else []
    for role, value, may_be_variable in node.attributes:
        if not value or ignored(role):
            continue
        if not may_be_variable:
            found.append((role, (value,)))
        elif partners is not None and value in known:
            found.append((role, partners.get(value, unmapped)))
        else:
            found.append((role, value))
    return found


def translated_name(name, sentence, sides, partners, tool):
    """The partner of a variable, None or UNMAPPED if it has none, or a name that is no variable itself."""
    places = [k for k, side in enumerate(sides) if side.whole and name in side.nodes]
    if not places:
        return name
    if tool:
        return partners[places[-1]].get(name, UNMAPPED) if places[-1] <= sentence else UNMAPPED
    before = [place for place in places if place <= sentence]
    return partners[before[-1] if before else places[0]].get(name)


def compare(pred, gold, ignored, document_level: bool, tool: bool):
    """Statistics of each sentence by name, partners of its predicted variables, and counts of roles.

    Sentences are those of ``support.umr_sides``.
    """
    unmapped = UNMAPPED if tool else None
    partners, ambiguous = [], []
    for mine, theirs in zip(pred, gold, strict=True):
        both = of_side(theirs), of_side(mine)
        found, counts = link(both, len(theirs.tokens) if tool else 2**31 - 1, ignored, unmapped)
        partners.append(
            {both[1][k].variable: both[0][place].variable for k, place in enumerate(found[1]) if place is not None}
        )
        ambiguous.append(counts)
    backwards = [{other: name for name, other in each.items()} for each in partners]
    by_role: dict[str, list[int]] = {}
    rows = []

    def tell(place, role, n=1):
        by_role.setdefault(role, [0, 0, 0])[place] += n

    for k, (mine, theirs) in enumerate(zip(pred, gold, strict=True)):
        written = {name: keys(node, (), None, ignored, unmapped) for name, node in mine.nodes.items()}
        said = {name: keys(node, theirs.nodes, backwards[k], ignored, unmapped) for name, node in theirs.nodes.items()}
        for place, side in ((1, written), (2, said)):
            for role, _ in (key for own in side.values() for key in own):
                tell(place, role)
        linked = 0
        for name, other in backwards[k].items():
            for (role, _), n in (Counter(said[name]) & Counter(written[other])).items():
                linked += n
                tell(0, role, n)
        row = {
            "matched": linked,
            "n_pred": sum(map(len, written.values())),
            "n_gold": sum(map(len, said.values())),
            "linked": linked,
            "n_linked_pred": sum(len(written[name]) for name in partners[k]),
            "n_linked_gold": sum(len(said[name]) for name in backwards[k]),
            "mapped_pred": len(partners[k]),
            "mapped_gold": len(partners[k]),
            "nodes_pred": len(mine.nodes),
            "nodes_gold": len(theirs.nodes),
        }
        sets = [{frozenset(tokens_of(node)) for node in side.nodes.values() if node.spans} for side in (mine, theirs)]
        row |= {"tokens": len(sets[0] & sets[1]), "n_tokens_pred": len(sets[0]), "n_tokens_gold": len(sets[1])}
        for name, (n, links) in zip(("gold", "pred"), ambiguous[k], strict=True):
            row |= {f"ambiguous_{name}": n, f"links_{name}": links}
        if document_level:
            t0, t1 = ({each for each in side.relations if not ignored(each[1])} for side in (theirs, mine))

            def in_other_words(relation, sides, maps, k=k):
                head, role, tail = relation
                return translated_name(head, k, sides, maps, tool), role, translated_name(tail, k, sides, maps, tool)

            there = [
                {each: in_other_words(each, sides, maps) for each in relations}
                for relations, sides, maps in ((t0, gold, backwards), (t1, pred, partners))
            ]
            for each, said_there in there[0].items():
                tell(2, each[1])
                if said_there in t1:
                    tell(0, each[1])
                    row["matched"] += 1
            for each in t1:
                tell(1, each[1])
            matched = sum(each in t1 for each in there[0].values())
            row["n_gold"] += len(t0)
            row["n_pred"] += matched + sum(each not in t0 for each in there[1].values()) if tool else len(t1)
        rows.append(row)
    return rows, partners, by_role


def tokens_of(node) -> set[int]:
    return {token for first, last in node.spans for token in range(first, last + 1)}


def of_side(side) -> list[Node]:
    """The nodes of a sentence in the order of their variables, for :func:`link`."""
    order = sorted(side.nodes)
    places = {variable: place for place, variable in enumerate(order)}
    found = []
    for variable in order:
        node = side.nodes[variable]
        attributes = [
            (role, value if known or not value else (value,), places.get(value) if known else None)
            for role, value, known in node.attributes
        ]
        found.append(Node(variable, node.concept, node.extended, attributes, tokens_of(node), node.length))
    return found
