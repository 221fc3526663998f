"""Sema in plain Python, as the default is defined."""

from collections import Counter

from twins.motifs import plain, relations
from twins.smatch_problem import Triples


def as_defined(pred: Triples, gold: Triples) -> tuple[int, int, int]:
    """Matched, predicted and gold triples of the default, which counts like with like."""
    sides = [_Side(pred), _Side(gold)]
    common = [set(side.kinds) for side in sides]
    common = common[0] & common[1]
    bags = []
    for side in sides:
        touched = {v for kind, ends in side.relations if kind in common for v in ends}
        touched |= {v for v in side.concepts if not any(v in ends for _, ends in side.relations)}
        if sides[0].root == sides[1].root:
            touched.add(side.top)
        bags.append(Counter(side.concepts[v] for v in touched if v in side.concepts))
    matched = (bags[0] & bags[1]).total()
    matched += (sides[0].kinds & sides[1].kinds).total()
    matched += (sides[0].attributes & sides[1].attributes).total()
    return matched, sides[0].size, sides[1].size


class _Side:
    def __init__(self, graph: Triples) -> None:
        self.concepts: dict = dict.fromkeys(graph.variables)
        self.concepts.update((v, plain(concept)) for v, concept in reversed(graph.instances))
        self.top = graph.top
        self.root = self.concepts.get(graph.top, ("no root",))
        self.relations = [((r, self.concepts[u], self.concepts[v]), (u, v)) for r, u, v in relations(graph)]
        self.kinds = Counter(kind for kind, _ in self.relations)
        attributes = {(v, plain(role), plain(value)) for v, role, value in graph.attributes}
        self.attributes = Counter((self.concepts[v], role, value) for v, role, value in attributes)
        self.size = len(self.concepts) + len(self.relations) + len(attributes)
