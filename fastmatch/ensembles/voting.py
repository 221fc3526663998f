"""Graphene: candidates vote on the triples of one of them, the pivot (Hoang et al. 2021).

A label is replaced by the one with most votes, and a triple added, if half of all votes are for it. The pivot's nodes
stay, and so do its labels and relations that nothing replaces, so nothing falls apart.
"""

from __future__ import annotations

from collections.abc import Sequence

from fastmatch.ensembles.labels import CONCEPT, GraphTriples

#: The share of the votes that a label needs.
_NEEDED = 0.5
#: Rounding of sums of weights, whose sum is 1.
_ROUNDING = 1e-9


def revised(
    pivot: GraphTriples,
    graphs: Sequence[GraphTriples],
    weights: Sequence[float],
    maps: Sequence[Sequence[int]],
    fixed: frozenset[int] = frozenset(),
) -> tuple[GraphTriples, float]:
    """The pivot as the votes change it, and its support.

    Parameters
    ----------
    pivot : GraphTriples
    graphs, weights : sequence
        All candidates, the pivot among them.
    maps : sequence of sequence of int
        For each of them the node of the pivot that each of its nodes is mapped to, or −1.
    fixed : set of int
        Roles of relations that are never added.

    Returns
    -------
    graph : GraphTriples
    support : float
        The sum, over its triples for which half of the votes are, of the other candidates that have them, each counted
        by its weight times their number.
    """
    n = len(graphs)
    unary: dict[tuple[int, int], dict[int, float]] = {}  # node, role → value → votes
    relations: dict[tuple[int, int], dict[int, float]] = {}  # source, target → role → votes
    texts: dict[tuple[int, int, int], tuple[int, int]] = {}
    role_texts: dict[int, int] = {}
    for graph, weight, places in zip(graphs, weights, maps, strict=True):
        for node, role, value, written_role, written_value in graph.unary:
            place = places[node]
            if place >= 0:
                votes = unary.setdefault((place, role), {})
                votes[value] = votes.get(value, 0.0) + weight
                texts.setdefault((place, role, value), (written_role, written_value))
        for source, role, target, written in graph.relations:
            a, b = places[source], places[target]
            if a >= 0 and b >= 0:
                votes = relations.setdefault((a, b), {})
                votes[role] = votes.get(role, 0.0) + weight
                role_texts.setdefault(role, written)
    total = 0.0
    new_unary = []
    own: dict[tuple[int, int], list[int]] = {}
    for node, role, value, written_role, written_value in pivot.unary:
        own.setdefault((node, role), []).append(value)
        texts[node, role, value] = written_role, written_value
    for (node, role), votes in unary.items():
        had = own.get((node, role), [])
        for value in _winners(votes, had, single=role == CONCEPT):
            new_unary.append((node, role, value, *texts[node, role, value]))
            if votes[value] >= _NEEDED - _ROUNDING:
                total += n * votes[value] - 1
    new_relations = []
    between: dict[tuple[int, int], list[int]] = {}
    for source, role, target, written in pivot.relations:
        between.setdefault((source, target), []).append(role)
        role_texts[role] = written
    for (source, target), votes in relations.items():
        had = between.get((source, target), [])
        allowed = {role: share for role, share in votes.items() if role in had or role not in fixed}
        for role in _winners(allowed, had):
            new_relations.append((source, role, target, role_texts[role]))
            if allowed[role] >= _NEEDED - _ROUNDING:
                total += n * allowed[role] - 1
    return GraphTriples(pivot.n_nodes, pivot.root, new_unary, new_relations), total


def _winners(votes: dict[int, float], had: list[int], *, single: bool = False) -> list[int]:
    """The labels that stand in a place: the one with most votes if these are enough, else those the pivot had.

    Where several have enough votes, all of them stand there, unless there can be only one.
    """
    enough = [label for label in votes if votes[label] >= _NEEDED - _ROUNDING]
    if not enough:
        return had
    if single:
        return [max(enough, key=votes.__getitem__)]
    return enough
