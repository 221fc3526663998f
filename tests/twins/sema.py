"""Sema in plain Python, twice: as the published program goes about it, and as the default is defined."""

from collections import Counter

import fastmatch as fm

from twins.motifs import plain
from twins.smatch_problem import Triples


def as_the_program(pred: fm.Corpus, gold: fm.Corpus, in_gold: bool = False) -> tuple[int, int, int]:
    """Matched, test and gold triples of the first graphs, by its double loops and its list of visited triples.

    Both corpora were read with the dialect ``sema``. ``in_gold``: what it visits are triples of the gold graph, as
    before October 2024.
    """
    sides = []
    for corpus, letter in ((pred, "a"), (gold, "b")):
        text = corpus.vocabulary.text
        concepts = {v: text(c) for v, c, _ in corpus.instances.T.tolist()}
        relations = [
            (text(role), f"{letter}{v}", f"{letter}{w}", concepts[v], concepts[w])
            for v, role, w, *_ in corpus.relations.T.tolist()
        ]
        own = [(text(role), v, text(value)) for v, role, value, _ in corpus.attributes.T.tolist()]
        # TOP stands behind the first variable's own attributes; then the first one of that name goes
        attributes = [a for a in own if a[1] == 0] + [(":TOP", 0, concepts[0])] + [a for a in own if a[1] != 0]
        del attributes[next(k for k, a in enumerate(attributes) if a[0] == ":TOP")]
        sides.append((concepts, relations, [(r, f"{letter}{v}", x, concepts[v]) for r, v, x in attributes]))
    (concepts, relations, attributes), (gold_concepts, gold_relations, gold_attributes) = sides
    matched, visited = 0, []
    if concepts[0] == gold_concepts[0]:
        matched += 1
        visited.append(("instance", "b0", gold_concepts[0]))
    for role, source, target, label, other in relations:
        for gold_role, gold_source, gold_target, gold_label, gold_other in gold_relations:
            if (role, label, other) != (gold_role, gold_label, gold_other):
                continue
            relation = (role, gold_source, gold_target) if in_gold else (role, source, target)
            at_target, at_source = ("instance", relation[2], other), ("instance", relation[1], label)
            if at_target not in visited and relation not in visited:
                matched += 2
                visited += [at_target, relation]
            if at_source not in visited:
                matched += 1
                visited.append(at_source)
            if relation not in visited and not any(triple[1:] == relation[1:] for triple in visited):
                matched += 1
                visited.append(relation)
    for role, _, value, concept in attributes:
        for gold_role, holder, gold_value, gold_concept in gold_attributes:
            triple = (gold_role, holder, gold_value)
            if (role, value, concept) == (gold_role, gold_value, gold_concept) and triple not in visited:
                matched += 1
                visited.append(triple)
    sizes = [sum(map(len, side)) for side in sides]
    return matched, sizes[0], sizes[1]


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
        relations = set()
        for source, role, target in graph.relations:
            role, ends = plain(role), (source, target)
            relations.add((":mod", *ends[::-1]) if role == ":domain" else (role, *ends))
        self.relations = [((r, self.concepts[u], self.concepts[v]), (u, v)) for r, u, v in relations]
        self.kinds = Counter(kind for kind, _ in self.relations)
        attributes = {(v, plain(role), plain(value)) for v, role, value in graph.attributes}
        self.attributes = Counter((self.concepts[v], role, value) for v, role, value in attributes)
        self.size = len(self.concepts) + len(relations) + len(attributes)
