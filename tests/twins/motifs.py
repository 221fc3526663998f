"""Motifs of one graph as Python sets of tuples, from their definition: the twin of ``_ext/features/motifs.pyx``.

It is slow and plain, and works on triples of strings as the ``penman`` package gives them.
"""

from itertools import product

from twins.smatch_problem import Triples


def plain(label: str | None) -> str | None:
    """A label as the default compares it: quotes off, lower case, until nothing changes."""
    while label is not None:
        bare = label[1:-1] if len(label) >= 2 and label[0] == label[-1] == '"' else label
        if bare.lower() == label:
            return label
        label = bare.lower()
    return None


def relations(graph: Triples) -> set[tuple[str, str, str]]:
    """Role, source and target of each relation, ``:domain`` turned around, under the default equality of labels."""
    folded = ((plain(role), source, target) for source, role, target in graph.relations)
    return {(":mod", *ends[::-1]) if role == ":domain" else (role, *ends) for role, *ends in folded}


def motifs(graph: Triples, classes: tuple[str, ...] = ("attributes", "instances", "relations")) -> set[tuple]:
    """All motifs of these classes under the default equality of labels."""
    found: set[tuple] = set()
    concepts: dict[str | None, str | None] = {}
    for variable, concept in graph.instances:
        concepts.setdefault(variable, plain(concept))
        if "labels" in classes:
            found.add(("label", plain(concept)))
    attributes = [(v, (plain(role), plain(value))) for v, role, value in graph.attributes]
    if "attributes" in classes:
        found.update(("attribute", *pair) for _, pair in attributes)
    instances = {
        v: {(concepts.get(v), *pair) for u, pair in attributes if u == v} or {(concepts.get(v),)}
        for v in graph.variables
    }
    if "instances" in classes:
        found.update(("instance", motif) for some in instances.values() for motif in some)
    if "labels" in classes:
        found.update(("label", label) for _, pair in attributes for label in pair)
    for role, *ends in relations(graph):
        if "relations" in classes:
            found.update(("relation", i, role, j) for i, j in product(*(instances[v] for v in ends)))
        if "labels" in classes:
            found.add(("label", role))
    return found
