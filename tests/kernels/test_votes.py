"""The kernel that makes a graph of votes against the same in plain Python."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastmatch._ext.votes import Votes
from fastmatch.ensembles.labels import CONCEPT, LOOP, GraphTriples

#: The concept of a node for which no candidate has one; what grows by less has not grown; and how often prices change.
NOTHING, LEAST, ROUNDS = -2, 1e-12, 8
TOPS = {"none": 0, "constant": 1, "concept": 2}


class Voter(NamedTuple):
    """A candidate, its size and weight, and the node of the graph that each of its nodes is mapped to, or −1."""

    graph: GraphTriples
    size: float
    weight: float
    map: list[int]


class Ballots(NamedTuple):
    """Candidates, and the graph that they are mapped to: its nodes, its size, and its matches."""

    voters: list[Voter]
    n_nodes: int
    size: float
    matched: list[float]

    def votes(self) -> Votes:
        graphs, sizes, weights, _ = zip(*self.voters, strict=True)
        return Votes(list(graphs), weights, sizes)

    def maps(self) -> list[list[int]]:
        return [voter.map for voter in self.voters]


def concepts_of(graph: GraphTriples) -> list[int]:
    found = [NOTHING] * graph.n_nodes
    for node, role, value, _, _ in graph.unary:
        if role == CONCEPT and found[node] == NOTHING:
            found[node] = value
    return found


# ---- the twin --------------------------------------------------------------------------------------------------------


def best_of_votes(given_: Ballots, top: str, similar: dict[tuple[int, int], float]) -> tuple[Any, ...]:
    voters, n_nodes, size, matched = given_
    places, n_nodes = new_nodes(voters, n_nodes)
    ballot = Ballot(voters, places, n_nodes, top, similar)
    best: tuple[Any, ...] = 0, [], [], 0.0, 0.0, [0.0] * len(voters)
    passing: set[int] | None = None
    for _ in range(ROUNDS):
        gains, cost = ballot.prices(size, matched)
        known, passing = passing, {bits for bits in ballot.masks if gains[bits] > cost}
        if passing == known:
            break
        found = ballot.best_part(gains, cost)
        if found is None:
            break
        graph, size, matched = found
        score = sum(2 * v.weight * m / (size + v.size) for v, m in zip(voters, matched, strict=True) if m)
        if score <= best[3] + LEAST:
            break
        best = graph.n_nodes, graph.unary, graph.relations, score, size, matched
    return best


class Gains(dict[int, float]):
    """What each set of candidates brings."""

    def __init__(self, each: Sequence[float]) -> None:
        super().__init__()
        self.each = each

    def __missing__(self, bits: int) -> float:
        self[bits] = value = sum(gain for number, gain in enumerate(self.each) if bits >> number & 1)
        return value


class Ballot:
    """All triples that candidates have over the nodes of a graph, each with its votes: a set of bits."""

    def __init__(
        self,
        voters: list[Voter],
        places: list[list[int]],
        n_nodes: int,
        top: str,
        similar: dict[tuple[int, int], float],
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
                    key2 = (at[root], concepts_of(voter.graph)[root])
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

    def worth(self, votes: Mapping[int, int], concept: int, gains: Gains) -> float:
        """What a concept brings at a node with these votes."""
        return sum(gains[bits] * share for bits, share in self.shares(votes, concept))

    def prices(self, size: float, matched: Sequence[float]) -> tuple[Gains, float]:
        """What triples bring, and what each of them costs, in a graph of this size and with these matches."""
        size = max(size, 1)  # a graph of no triples gets some
        gains = Gains([2 * v.weight / (size + v.size) for v in self.voters])
        return gains, sum(
            2 * v.weight * m / (size + v.size) ** 2 for v, m in zip(self.voters, matched, strict=True) if m
        )

    def best_part(self, gains: Gains, cost: float) -> tuple[GraphTriples, float, list[float]] | None:
        """The best graph where triples bring and cost so much, its size, and its matches."""
        values = [0.0] * self.n_nodes
        chosen = [NOTHING] * self.n_nodes
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
        roots = sorted(self.roots, key=lambda node: -gains[self.roots[node]])[:3]
        if not roots or self.top == "none":
            if not self.n_nodes:
                return None
            roots += [max(range(self.n_nodes), key=values.__getitem__)]
        best_total, best_nodes, root_concept = -inf, [-1], NOTHING
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
        gains: Gains,
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
        gains: Gains,
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


def new_nodes(voters: list[Voter], n_nodes: int) -> tuple[list[list[int]], int]:
    """The node that each node of a candidate stands for, straight from its definition."""
    known: dict[tuple[Any, ...], int] = {}
    places = []
    for graph, _, _, mapped in voters:
        at = list(mapped)

        def settle(node: int, *keys: tuple[Any, ...], at: list[int] = at) -> None:
            nonlocal n_nodes
            free = [known[key] for key in keys if key in known and known[key] not in at]
            at[node] = free[0] if free else n_nodes
            n_nodes += not free
            for key in keys:
                known.setdefault(key, at[node])

        while -1 in at:
            before = at.count(-1)
            for source, role, target, _ in graph.relations:
                for node, other, way in ((target, source, "down"), (source, target, "up")):
                    if at[node] < 0 <= at[other]:
                        concept, hook = concepts_of(graph)[node], (at[other], way)
                        settle(node, (*hook, role, concept), (*hook, "any", concept), (*hook, role, "any"))
            if at.count(-1) == before:
                node = at.index(-1)
                settle(node, ("a part of its own", concepts_of(graph)[node]))
        places.append(at)
    return places, n_nodes


# ---- tests -----------------------------------------------------------------------------------------------------------


@st.composite
def graphs(draw: st.DrawFn) -> GraphTriples:
    """A graph of numbers, in which few labels make votes meet; it need not be connected, nor have a root."""
    n = draw(st.integers(0, 6))
    if not n:
        return GraphTriples(0, -1, [], [])
    node, label = st.integers(0, n - 1), st.integers(0, 2)
    unary = {(k, CONCEPT, draw(label)) for k in range(n) if draw(st.integers(0, 9))}
    unary |= draw(st.sets(st.tuples(node, label, label), max_size=4))
    unary |= draw(st.sets(st.tuples(node, label, st.just(LOOP)), max_size=1))
    relations = {(draw(st.integers(0, k - 1)), draw(label), k) for k in range(1, n)}
    relations |= {row for row in draw(st.sets(st.tuples(node, label, node), max_size=4)) if row[0] != row[2]}
    return GraphTriples(
        n,
        draw(st.integers(-1, n - 1)),
        [(*row, row[1] + 10, row[2] + 20) for row in sorted(unary)],
        [(*row, row[1] + 10) for row in sorted(relations)],
    )


@st.composite
def ballots(draw: st.DrawFn) -> Ballots:
    """Candidates, each with a map of its nodes to those of a graph, one to one."""
    base = draw(graphs())
    voters = []
    for _ in range(draw(st.integers(1, 5))):
        graph = draw(st.just(base) | graphs())
        free = draw(st.permutations(range(base.n_nodes)))
        places = [-1] * graph.n_nodes
        for node, place in zip(range(graph.n_nodes), free, strict=False):
            places[node] = place if draw(st.integers(0, 4)) else -1
        size = len(graph.unary) + len(graph.relations) + (graph.root >= 0)
        voters.append(Voter(graph, size, draw(st.sampled_from([0.2, 0.25, 0.5])), places))
    size = len(base.unary) + len(base.relations) + 1
    return Ballots(voters, base.n_nodes, size, [draw(st.integers(0, size)) for _ in voters])


SIMILAR = [{}, {(0, 1): 0.5, (1, 0): 0.5}, {(0, 1): 0.7, (1, 0): 0.7, (1, 2): 0.1, (2, 1): 0.1}]


@pytest.mark.parametrize("top", ["constant", "concept", "none"])
@given(ballot=ballots(), similar=st.sampled_from(SIMILAR))
def test_the_kernel_makes_the_graphs_of_the_twin(top, ballot, similar):
    found = ballot.votes().merged(ballot.maps(), *ballot[1:], top=TOPS[top], rounds=ROUNDS, similar=similar)
    plain = best_of_votes(ballot, top, similar)
    assert found[:3] == plain[:3]
    assert [*found[3:5], *found[5]] == pytest.approx([*plain[3:5], *plain[5]], abs=1e-12)
    if not similar:  # without it labels of a node are in another order, and nothing else changes
        fast = ballot.votes().merged(ballot.maps(), *ballot[1:], top=TOPS[top], rounds=ROUNDS)
        assert (fast[0], sorted(fast[1]), fast[2]) == (found[0], sorted(found[1]), found[2])
        assert fast[3:5] == pytest.approx(found[3:5], abs=1e-12)
        assert fast[5] == found[5]


@given(ballot=ballots())
def test_what_is_made_is_a_graph_with_the_score_that_is_said(ballot: Ballots) -> None:
    n_nodes, unary, relations, least, size, matched = ballot.votes().merged(
        ballot.maps(), *ballot[1:], top=1, rounds=ROUNDS
    )
    if n_nodes:
        concepts = [row[0] for row in unary if row[1] == CONCEPT]
        assert len(set(concepts)) == len(concepts)
        assert GraphTriples(n_nodes, 0, [(node, CONCEPT, 0, 0, 0) for node in range(n_nodes)], relations).well_formed()
        assert size == len(unary) + len(relations) + 1
    scores = [2 * m / (size + v.size) * v.weight for v, m in zip(ballot.voters, matched, strict=True) if m]
    assert least == pytest.approx(sum(scores), abs=1e-12)


#: A node 0 with a relation to node 1.
GRAPH = GraphTriples(2, 0, [(0, -1, 5, -1, 5), (1, -1, 6, -1, 6)], [(0, 7, 1, 7)])


def test_equal_candidates_are_the_graph() -> None:
    votes = Votes([GRAPH, GRAPH], [0.5, 0.5], [4.0, 4.0])
    assert votes.rooted
    found = votes.merged([[0, 1], [0, 1]], 2, 4.0, [4.0, 4.0], top=1, rounds=5)
    assert found == (2, GRAPH.unary, GRAPH.relations, 1.0, 4.0, [4.0, 4.0])
    # nodes that lack a partner are one
    assert votes.merged([[0, -1], [0, -1]], 1, 4.0, [4.0, 4.0], top=1, rounds=5) == found


@pytest.mark.parametrize(
    ("changed", "error", "match"),
    [
        ({"unary": [(2, -1, 5, -1, 5)]}, IndexError, "lacks"),
        ({"unary": [(-1, -1, 5, -1, 5)]}, IndexError, "lacks"),
        ({"unary": [(0, -1, 5)]}, ValueError, "unpack"),
        ({"relations": [(0, 7, 2, 7)]}, IndexError, "lacks"),
        ({"relations": [(-1, 7, 1, 7)]}, IndexError, "lacks"),
        ({"relations": [(0, 7, 1)]}, ValueError, "unpack"),
        ({"root": 2}, IndexError, "lacks"),
        ({"root": -2}, IndexError, "lacks"),
        ({"n_nodes": -1, "unary": [], "relations": [], "root": -1}, ValueError, "nodes"),
    ],
)
def test_candidates_that_do_not_fit(changed: dict[str, Any], error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        Votes([GRAPH, GRAPH._replace(**changed)], [0.5, 0.5], [4.0, 4.0])


def test_numbers_that_do_not_fit() -> None:
    for weights, sizes in (([1.0], [4.0, 4.0]), ([0.5, 0.5], [4.0])):
        with pytest.raises(ValueError, match="differ in length"):
            Votes([GRAPH, GRAPH], weights, sizes)
    votes = Votes([GRAPH], [1.0], [4.0])
    for maps, n_nodes, error in (
        ([], 2, ValueError),
        ([[0]], 2, ValueError),
        ([[0, 1, -1]], 2, ValueError),
        ([[0, 2]], 2, IndexError),
        ([[0, -2]], 2, IndexError),
        ([[-1, -1]], -1, ValueError),
    ):
        with pytest.raises(error):
            votes.merged(maps, n_nodes, 4.0, [4.0], top=1, rounds=5)
    with pytest.raises(ValueError, match="matches"):
        votes.merged([[0, 1]], 2, 4.0, [4.0, 4.0], top=1, rounds=5)
