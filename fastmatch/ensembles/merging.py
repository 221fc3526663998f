"""A better graph, from candidates whose nodes are mapped to those of a graph.

Each triple over these nodes, and over nodes that only candidates have, has votes. With the maps as they are, a graph
of s triples of which Cᵢ are those of candidate i has the mean score Σ 2 wᵢ Cᵢ / (s + |cᵢ|). So each triple that is
added brings W = Σ 2 wᵢ / (s + |cᵢ|) over the candidates that have it, and costs λ = Σ 2 wᵢ Cᵢ / (s + |cᵢ|)², because
the graph gets larger. The graph with the largest Σ (W − λ) is looked for on the maximum spanning tree of all relations,
where the best part that holds the root is found by one pass from the leaves; then W and λ are those of that graph,
until nothing improves. What comes out is connected, has a root, and has one concept a node.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from fastmatch._ext.votes import merged_tables, placed
from fastmatch.ensembles.labels import CONCEPT, GraphTriples
from fastmatch.metrics.shared.triples import TOPS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: Nodes that are tried as the root: those with the most votes.
_ROOTS = 3
#: W and λ are computed anew at most so often.
_ROUNDS = 8
#: A mean score that grows by less has not grown.
LEAST = 1e-12


#: The concept of a node for which no candidate has one; −1 is a concept that is not written.
_NOTHING = -2


class Voter(NamedTuple):
    """A candidate, as it votes on a graph.

    Attributes
    ----------
    graph : GraphTriples
    size : float
        Its number of triples, as the metric counts them.
    weight : float
    map : sequence of int
        The node of the graph that each of its nodes is mapped to, or −1.
    """

    graph: GraphTriples
    size: float
    weight: float
    map: Sequence[int]


class Merged(NamedTuple):
    """A graph, what its mean score is at least, its size, and how many of its triples each candidate has."""

    graph: GraphTriples
    least: float
    size: float
    matched: Sequence[float]


def merged(
    voters: Sequence[Voter],
    n_nodes: int,
    size: float,
    matched: Sequence[float],
    top: str,
    similar: Mapping[tuple[int, int], float] | None = None,
) -> Merged:
    """The graph with the best mean score under the maps of its candidates.

    Parameters
    ----------
    voters : sequence of Voter
    n_nodes : int
        Nodes of the graph that they are mapped to.
    size, matched : float, sequence of float
        Its number of triples, and how many of them each candidate has.
    top : {"constant", "concept", "none"}
        What stands for the root in the metric.
    similar : mapping, optional
        Similarity of two concepts that differ: votes for a concept count for similar ones, in part. Without it a
        kernel does the same, many times as fast.
    """
    graphs = [voter.graph for voter in voters]
    places, n_nodes = placed(
        [voter.map for voter in voters], [g.relations for g in graphs], [g.concepts for g in graphs], n_nodes
    )
    roots = [graph.root for graph in graphs]
    rooted = max(roots, default=-1) >= 0
    if not rooted:  # where no candidate has a root, the graph has none
        top = "none"
    if similar is None:
        n_kept, unary, relations, least, new_size, shared = merged_tables(
            [graph.columns for graph in graphs],
            places,
            [at[root] if root >= 0 else -1 for at, root in zip(places, roots, strict=True)],
            [graph.concepts[root] if root >= 0 else -1 for graph, root in zip(graphs, roots, strict=True)],
            [voter.weight for voter in voters],
            [voter.size for voter in voters],
            size,
            matched,
            n_nodes=n_nodes,
            top=TOPS[top],
            rounds=_ROUNDS,
        )
        return Merged(GraphTriples(n_kept, 0 if n_kept and rooted else -1, unary, relations), least, new_size, shared)
    ballot = _Ballot(voters, places, n_nodes, top, similar)
    best = Merged(GraphTriples(0, -1, [], []), 0.0, 0, [0.0] * len(voters))
    passing: set[int] | None = None
    for _ in range(_ROUNDS):
        gains, cost = ballot.prices(size, matched)
        known, passing = passing, {bits for bits in ballot.masks if gains[bits] > cost}
        if passing == known:
            break  # the same triples are worth their cost as before
        found = ballot.best_part(gains, cost)
        if found is None:
            break
        graph, size, matched = found
        score = sum(2 * v.weight * m / (size + v.size) for v, m in zip(voters, matched, strict=True) if m)
        if score <= best.least + LEAST:
            break
        best = Merged(graph if rooted else replace(graph, root=-1), score, size, matched)
    return best


class _Gains(dict[int, float]):
    """What each set of candidates brings."""

    def __init__(self, each: Sequence[float]) -> None:
        super().__init__()
        self.each = each

    def __missing__(self, bits: int) -> float:
        self[bits] = value = sum(gain for number, gain in enumerate(self.each) if bits >> number & 1)
        return value


class _Ballot:
    """All triples that candidates have over the nodes of a graph, each with its votes: a set of bits."""

    def __init__(
        self,
        voters: Sequence[Voter],
        places: list[list[int]],
        n_nodes: int,
        top: str,
        similar: Mapping[tuple[int, int], float],
    ) -> None:
        self.voters, self.n_nodes, self.top, self.similar = voters, n_nodes, top, similar
        self.concepts: list[dict[int, int]] = [{} for _ in range(n_nodes)]  # concept → votes
        self.singles: list[dict[tuple[int, int], int]] = [{} for _ in range(n_nodes)]
        self.relations: dict[tuple[int, int, int], int] = {}
        self.roots: dict[int, int] = {}
        self.root_concepts: dict[tuple[int, int], int] = {}
        self.texts: dict[tuple[int, int, int], tuple[int, int]] = {}  # how the first candidate wrote a label
        self.role_texts: dict[int, int] = {}
        for number, (voter, at) in enumerate(zip(voters, places, strict=True)):
            bit = 1 << number
            for node, role, value, written_role, written_value in voter.graph.unary:
                place = at[node]
                votes: dict[Any, int] = self.concepts[place] if role == CONCEPT else self.singles[place]
                label = value if role == CONCEPT else (role, value)
                if label in votes:
                    votes[label] |= bit
                else:
                    votes[label] = bit
                    self.texts[place, role, value] = written_role, written_value
            for source, role, target, written in voter.graph.relations:
                key = at[source], role, at[target]
                if key in self.relations:
                    self.relations[key] |= bit
                else:
                    self.relations[key] = bit
                    self.role_texts.setdefault(role, written)
            root = voter.graph.root
            if root >= 0:
                self.roots[at[root]] = self.roots.get(at[root], 0) | bit
                if top == "concept":
                    key2 = (at[root], voter.graph.concepts[root])
                    self.root_concepts[key2] = self.root_concepts.get(key2, 0) | bit
        every: list[dict[Any, int]] = [*self.concepts, *self.singles, self.relations]
        self.masks = {bits for known in every for bits in known.values()}

    def shares(self, votes: Mapping[int, int], concept: int) -> list[tuple[int, float]]:
        """What matches a concept among the concepts of a node: bits of candidates, with the similarity."""
        found = [(votes[concept], 1.0)] if concept in votes else []
        if self.similar:
            found += [
                (bits, self.similar[concept, other])
                for other, bits in votes.items()
                if other != concept and (concept, other) in self.similar
            ]
        return found

    def worth(self, votes: Mapping[int, int], concept: int, gains: _Gains) -> float:
        """What a concept brings at a node with these votes."""
        return sum(gains[bits] * share for bits, share in self.shares(votes, concept))

    def prices(self, size: float, matched: Sequence[float]) -> tuple[_Gains, float]:
        """What triples bring, and what each of them costs, in a graph of this size and with these matches."""
        size = max(size, 1)  # a graph of no triples gets some
        gains = _Gains([2 * v.weight / (size + v.size) for v in self.voters])
        return gains, sum(
            2 * v.weight * m / (size + v.size) ** 2 for v, m in zip(self.voters, matched, strict=True) if m
        )

    def best_part(self, gains: _Gains, cost: float) -> tuple[GraphTriples, float, list[float]] | None:
        """The best graph where triples bring and cost so much, its size, and its matches."""
        values = [0.0] * self.n_nodes
        chosen = [_NOTHING] * self.n_nodes
        for node, votes in enumerate(self.concepts):
            best = -1.0
            for concept, bits in votes.items():
                value = self.worth(votes, concept, gains) if self.similar else gains[bits]
                if value > best + LEAST:
                    best, chosen[node] = value, concept
            if votes:
                values[node] = best - cost
            for bits in self.singles[node].values():
                if (net := gains[bits] - cost) > LEAST:
                    values[node] += net
        edges = sorted(self.relations.items(), key=lambda item: -gains[item[1]])
        parents = list(range(self.n_nodes))
        near: list[list[tuple[int, float]]] = [[] for _ in range(self.n_nodes)]
        for (source, _, target), bits in edges:
            a, b = source, target
            while parents[a] != a:
                parents[a] = a = parents[parents[a]]
            while parents[b] != b:
                parents[b] = b = parents[parents[b]]
            if a != b:
                parents[a] = b
                net = gains[bits] - cost
                near[source].append((target, net))
                near[target].append((source, net))
        roots = sorted(self.roots, key=lambda node: -gains[self.roots[node]])[:_ROOTS]
        if not roots or self.top == "none":
            if not self.n_nodes:
                return None
            roots += [max(range(self.n_nodes), key=values.__getitem__)]
        best_total, best_nodes, root_concept = -inf, [-1], _NOTHING
        for root in dict.fromkeys(roots):
            total, nodes, concept = self._kept(root, values, near, chosen[root], gains, cost)
            if total > best_total + LEAST:
                best_total, best_nodes, root_concept = total, nodes, concept
        chosen[best_nodes[0]] = root_concept
        return self._made(best_nodes, chosen, edges, gains, cost)

    def _kept(
        self,
        root: int,
        values: Sequence[float],
        near: Sequence[Sequence[tuple[int, float]]],
        concept: int,
        gains: _Gains,
        cost: float,
    ) -> tuple[float, list[int], int]:
        """The best connected part of the tree that holds the root: its value and its nodes, the root first."""
        order, over, link = [root], [-1] * self.n_nodes, [0.0] * self.n_nodes
        over[root] = root
        for node in order:  # which grows meanwhile
            for other, net in near[node]:
                if over[other] < 0:
                    over[other], link[other] = node, net
                    order.append(other)
        total = list(values)
        kept = [False] * self.n_nodes
        for node in reversed(order[1:]):
            whole = total[node] + link[node]
            if whole > LEAST:
                total[over[node]] += whole
                kept[node] = True
        kept[root] = True
        nodes = []
        for node in order:
            kept[node] = kept[node] and kept[over[node]]
            if kept[node]:
                nodes.append(node)
        value = total[root]
        if self.top == "constant":
            value += gains[self.roots.get(root, 0)] - cost
        elif self.top == "concept":
            votes = self.concepts[root]
            best = {
                other: self.worth(votes, other, gains) + gains[self.root_concepts.get((root, other), 0)]
                for other in votes
            }
            if best:
                base = self.worth(votes, concept, gains)
                concept = max(best, key=best.__getitem__)
                value += best[concept] - base - cost
        return value, nodes, concept

    def _made(
        self,
        nodes: Sequence[int],
        chosen: Sequence[int],
        edges: Sequence[tuple[tuple[int, int, int], int]],
        gains: _Gains,
        cost: float,
    ) -> tuple[GraphTriples, float, list[float]]:
        """The graph of these nodes, its size, and how many of its triples each candidate has."""
        at = {node: number for number, node in enumerate(nodes)}
        counts: dict[int, float] = {}
        unary, relations = [], []
        for number, node in enumerate(nodes):
            votes = self.concepts[node]
            concept = chosen[node]
            if votes:
                unary.append((number, CONCEPT, concept, *self.texts[node, CONCEPT, concept]))
                for bits, share in self.shares(votes, concept):
                    counts[bits] = counts.get(bits, 0.0) + share
            for (role, value), bits in self.singles[node].items():
                if gains[bits] - cost > LEAST:
                    unary.append((number, role, value, *self.texts[node, role, value]))
                    counts[bits] = counts.get(bits, 0.0) + 1
        joined = list(range(len(nodes)))
        for (source, role, target), bits in edges:
            if source not in at or target not in at:
                continue
            a, b = at[source], at[target]
            while joined[a] != a:
                joined[a] = a = joined[joined[a]]
            while joined[b] != b:
                joined[b] = b = joined[joined[b]]
            if a != b or gains[bits] - cost > LEAST:
                joined[a] = b
                relations.append((at[source], role, at[target], self.role_texts[role]))
                counts[bits] = counts.get(bits, 0.0) + 1
        size = len(unary) + len(relations)
        root = nodes[0]
        if self.top != "none":
            size += 1
            bits = (
                self.roots.get(root, 0) if self.top == "constant" else self.root_concepts.get((root, chosen[root]), 0)
            )
            counts[bits] = counts.get(bits, 0.0) + 1
        matched = [0.0] * len(self.voters)
        for bits, times in counts.items():
            for number in range(len(matched)):
                if bits >> number & 1:
                    matched[number] += times
        return GraphTriples(len(nodes), 0, unary, relations), size, matched
