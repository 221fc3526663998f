"""Graphs changed on purpose: changes that a metric should not see, and changes that it should.

A *disguise* changes nothing but names of variables and the order of the text. A *probe* makes one change that changes
the meaning:

``coreference``  one mention of a node that is mentioned more than once gets a node of its own, with the same concept:
                 "the boy wants to go" becomes "the boy wants a boy to go";
``namesake``     one mention leads to another node with the same concept, as in figure 2 of Opitz et al. (2020): a man
                 who sees himself in another man, and a man who sees that other man;
``roles``        two relations of one node exchange their targets: who does what to whom;
``attribute``    one attribute is gone, a negation for instance;
``root concept``, ``inner concept``, ``leaf concept``
                 one node gets a concept that no other graph has: the root, another node with relations of its own, a
                 node without. How much each costs says which places a metric prefers.

A change that a graph does not allow, or that no text can express (Penman notation holds connected graphs only), is not
made. Random choices are a function of the seed and the number of the graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from fastmatch.errors import FastmatchError
from fastmatch.graphs.graph import Graph
from fastmatch.graphs.notation import ATTRIBUTE, INSTANCE
from fastmatch.graphs.reaching import connected
from fastmatch.types import Triple

#: The concept that a changed node gets. No vector file and no graph has it.
UNSEEN = "xqzw"
#: Choices tried in a graph before it counts as one that does not allow a change, and triples of all of them together:
#: graphs of more than 10,000 triples get fewer choices.
_TRIES = 20
_TRIPLES = 200_000


def disguised(graph: Graph, number: int, seed: int) -> str:
    """Text of the same graph with other names of variables, in another order of nodes, roles and re-entrancies.

    The root and the comments stay. A name is a letter and a number: what every program takes for a variable.
    """
    rng = np.random.default_rng((seed, number))
    names: list[Any] = [name for name in graph.variables if name is not None]
    used = {target for _, _, target in graph.triples}
    free = (f"{'abcdefghijklmnopqrstuvwxyz'[k % 26]}{k}" for k in range(10, 10_000_000))
    fresh = (name for name in free if name not in used)
    new: dict[Any, Any] = dict(zip((names[k] for k in rng.permutation(len(names)).tolist()), fresh, strict=False))
    renamed: list[Triple] = []
    for (source, role, target), kind in zip(graph.triples, graph._kinds, strict=True):
        if kind not in (INSTANCE, ATTRIBUTE):
            target = new.get(target, target)
        renamed.append((new.get(source, source), role, target))
    shuffled = [renamed[k] for k in rng.permutation(len(renamed)).tolist()]
    # concepts first: a node is read where it is first mentioned
    shuffled.sort(key=lambda triple: triple[1] != ":instance")
    return Graph.from_triples(shuffled, new.get(graph.top, graph.top), metadata=graph.metadata).encode()


def altered(graph: Graph, change: str, number: int, seed: int) -> str | None:
    """Text of the graph after one change, a name of :data:`MEANINGS` or :data:`PLACES`; None if it allows none."""
    known = {**MEANINGS, **PLACES}
    rng = np.random.default_rng((seed, number, list(known).index(change)))
    most = min(_TRIES, 1 + _TRIPLES // max(1, len(graph.triples)))
    for tries, triples in enumerate(islice(known[change](graph, rng), most)):
        if tries and not _connected(triples):  # in a tree, say, no choice may do
            continue
        try:
            return Graph.from_triples(triples, graph.top, metadata=graph.metadata).encode()
        except FastmatchError:  # not connected any more
            continue
    return None


def _connected(triples: list[Triple]) -> bool:
    """Whether a text may hold all variables: seen much sooner here than by writing it."""
    nodes = {source for source, _, _ in triples}
    # a concept may be called as a variable is
    return connected(nodes, ((source, end) for source, role, end in triples if role != ":instance" and end in nodes))


def _shuffled(items: list[Any], rng: np.random.Generator) -> Iterator[Any]:
    return (items[k] for k in rng.permutation(len(items)).tolist())


def _choices(
    places: list[int], fits: Callable[[int], bool], others: Callable[[int], list[Any]], rng: np.random.Generator
) -> Iterator[tuple[int, Iterator[Any]]]:
    """Places that fit, in random order, each with its others in random order.

    Others of a place that does not fit are drawn, too, so that the random numbers behind it do not depend on it.
    """
    fitting = {place for place in places if fits(place)}
    for place in _shuffled(places if fitting else [], rng):
        found = _shuffled(others(place), rng)
        if place in fitting:
            yield place, found


def _relations(graph: Graph) -> list[int]:
    return [k for k, kind in enumerate(graph._kinds) if kind not in (INSTANCE, ATTRIBUTE)]


def _concepts(graph: Graph) -> dict[Any, str]:
    """Variable → concept, of those that have one."""
    return {source: target for source, _, target in graph.instances if target is not None}


def _with(graph: Graph, place: int, *triples: Triple) -> list[Triple]:
    return [*graph.triples[:place], *triples, *graph.triples[place + 1 :]]


def _coreference(graph: Graph, rng: np.random.Generator) -> Iterator[list[Triple]]:
    concepts = _concepts(graph)
    relations = _relations(graph)
    targets = Counter(graph.triples[k][2] for k in relations)
    used = {end for source, _, target in graph.triples for end in (source, target)}
    name = next(name for name in (f"z{k}" for k in range(10, 10_000_000)) if name not in used)
    for place in _shuffled(relations, rng):
        source, role, target = graph.triples[place]
        if target in concepts and targets[target] + (target == graph.top) > 1:
            yield [*_with(graph, place, (source, role, name)), (name, ":instance", concepts[target])]


def _namesake(graph: Graph, rng: np.random.Generator) -> Iterator[list[Triple]]:
    concepts = _concepts(graph)
    named: dict[str | None, list[Any]] = {None: []}
    for variable, concept in concepts.items():
        named.setdefault(concept, []).append(variable)
    triples = set(graph.triples)
    taken = Counter((source, role, concepts.get(target)) for source, role, target in triples)

    def others(place: int) -> list[Any]:
        return named[concepts.get(graph.triples[place][2])]

    def fits(place: int) -> bool:
        source, role, target = graph.triples[place]
        concept = concepts.get(target)
        itself = concepts.get(source) == concept and (source, role, source) not in triples
        return len(others(place)) - taken[source, role, concept] - itself > 0

    for place, found in _choices(_relations(graph), fits, others, rng):
        source, role, target = graph.triples[place]
        for other in found:
            if other not in (source, target) and (source, role, other) not in triples:
                yield _with(graph, place, (source, role, other))


def _roles(graph: Graph, rng: np.random.Generator) -> Iterator[list[Triple]]:
    relations = _relations(graph)
    edges = [graph.triples[k] for k in relations]
    of = Counter(source for source, _, _ in edges)
    of_role, of_target = Counter(edge[:2] for edge in edges), Counter((edge[0], edge[2]) for edge in edges)
    copies = Counter(edges)

    def fits(one: int) -> bool:
        source, role, target = edge = graph.triples[one]
        return of[source] - of_role[source, role] - of_target[source, target] + copies[edge] > 0

    for one, found in _choices(relations, fits, lambda _: relations, rng):
        source, role, target = graph.triples[one]
        for two in found:
            other_source, other_role, other = graph.triples[two]
            if other_source == source and other_role != role and other != target:
                triples = list(graph.triples)
                triples[one], triples[two] = (source, role, other), (source, other_role, target)
                yield triples


def _attribute(graph: Graph, rng: np.random.Generator) -> Iterator[list[Triple]]:
    places = [k for k, kind in enumerate(graph._kinds) if kind == ATTRIBUTE]
    # a doubled one is still there when it is gone once
    copies = Counter(graph.triples)
    for place in _shuffled([k for k in places if copies[graph.triples[k]] == 1], rng):
        yield _with(graph, place)


def _concept_of(place: str) -> Callable[[Graph, np.random.Generator], Iterator[list[Triple]]]:
    def change(graph: Graph, rng: np.random.Generator) -> Iterator[list[Triple]]:
        above = {source for source, _, _ in graph.relations}
        for k in _shuffled([k for k, kind in enumerate(graph._kinds) if kind == INSTANCE], rng):
            variable, role, concept = graph.triples[k]
            found = "root" if variable == graph.top else "inner" if variable in above else "leaf"
            if found == place and concept is not None:
                frame = concept[-3:-2] == "-" and concept[-2:].isdecimal()
                yield _with(graph, k, (variable, role, f"{UNSEEN}-01" if frame else UNSEEN))

    return change


#: Changes of meaning, after which graphs are no longer the same.
MEANINGS: dict[str, Callable[[Graph, np.random.Generator], Iterator[list[Triple]]]] = {
    "coreference": _coreference,
    "namesake": _namesake,
    "roles": _roles,
    "attribute": _attribute,
}
#: Wrong concepts, by the place of the node.
PLACES = {f"{place} concept": _concept_of(place) for place in ("root", "inner", "leaf")}
