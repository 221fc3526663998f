"""The kernel that makes a graph of votes: graphs that a slow program of the same rules made of the same ballots."""

import zlib
from random import Random
from typing import Any, NamedTuple

import pytest

from fastmatch._ext.votes import Votes
from fastmatch.ensembles.labels import CONCEPT, LOOP, GraphTriples

from support.refusal import fails

ROUNDS = 8
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


def graph(random: Random) -> GraphTriples:
    """A graph of numbers, in which few labels make votes meet; it need not be connected, nor have a root."""
    n = random.randrange(7)
    if not n:
        return GraphTriples(0, -1, [], [])
    node, label = (lambda: random.randrange(n)), (lambda: random.randrange(3))
    unary = {(k, CONCEPT, label()) for k in range(n) if random.random() < 0.9}
    unary |= {(node(), label(), label()) for _ in range(random.randrange(5))}
    unary |= {(node(), label(), LOOP) for _ in range(random.randrange(2))}
    relations = {(random.randrange(k), label(), k) for k in range(1, n)}
    relations |= {row for row in ((node(), label(), node()) for _ in range(random.randrange(5))) if row[0] != row[2]}
    labels = [(*row, row[1] + 10, row[2] + 20) for row in sorted(unary)]
    return GraphTriples(n, random.randrange(-1, n), labels, [(*row, row[1] + 10) for row in sorted(relations)])


def ballots(seed: int) -> Ballots:
    """Candidates, each with a map of its nodes to those of a graph, one to one."""
    random = Random(seed)
    base = graph(random)
    voters = []
    for _ in range(random.randint(1, 5)):
        mine = base if random.random() < 0.5 else graph(random)
        free = random.sample(range(base.n_nodes), base.n_nodes)
        places = [place if random.random() < 0.8 else -1 for place in free[: mine.n_nodes]]
        places += [-1] * (mine.n_nodes - len(places))
        size = len(mine.unary) + len(mine.relations) + (mine.root >= 0)
        voters.append(Voter(mine, size, random.choice([0.2, 0.25, 0.5]), places))
    size = len(base.unary) + len(base.relations) + 1
    return Ballots(voters, base.n_nodes, size, [random.randint(0, size) for _ in voters])


SIMILAR = [{}, {(0, 1): 0.5, (1, 0): 0.5}, {(0, 1): 0.7, (1, 0): 0.7, (1, 2): 0.1, (2, 1): 0.1}]
#: The sum of what is known of the scores of 400 ballots, and a checksum of the graphs. A program in plain Python, of no
#: common code, made the same graphs of these ballots.
KNOWN = {
    "constant": (180.97541579014464, 200678224),
    "concept": (180.21235059018792, 3864299248),
    "none": (167.5734848645545, 879230705),
}


@pytest.mark.parametrize("top", KNOWN)
def test_graphs_of_known_ballots(top: str) -> None:
    total, graphs = 0.0, []
    for seed in range(400):
        ballot, similar = ballots(seed), SIMILAR[seed % 3]
        found = ballot.votes().merged(ballot.maps(), *ballot[1:], top=TOPS[top], rounds=ROUNDS, similar=similar)
        total += found[3]
        graphs.append(found[:3])
        if not similar:  # without it labels of a node are in another order, and nothing else changes
            fast = ballot.votes().merged(ballot.maps(), *ballot[1:], top=TOPS[top], rounds=ROUNDS)
            assert (fast[0], sorted(fast[1]), fast[2], fast[5]) == (found[0], sorted(found[1]), found[2], found[5])
            assert fast[3:5] == pytest.approx(found[3:5], abs=1e-12)
    assert (pytest.approx(total, abs=1e-9), zlib.crc32(repr(graphs).encode())) == KNOWN[top]


def test_what_is_made_is_a_graph_with_the_score_that_is_said() -> None:
    for ballot in map(ballots, range(400)):
        n_nodes, unary, relations, least, size, matched, maps = ballot.votes().merged(
            ballot.maps(), *ballot[1:], top=1, rounds=ROUNDS
        )
        if n_nodes:
            concepts = [row[0] for row in unary if row[1] == CONCEPT]
            assert len(set(concepts)) == len(concepts)
            nodes = [(node, CONCEPT, 0, 0, 0) for node in range(n_nodes)]
            assert GraphTriples(n_nodes, 0, nodes, relations).well_formed() and size == len(unary) + len(relations) + 1
        scores = [2 * m / (size + v.size) * v.weight for v, m in zip(ballot.voters, matched, strict=True) if m]
        assert least == pytest.approx(sum(scores), abs=1e-12)
        for voter, places, m in zip(ballot.voters, maps, matched, strict=True):
            has = {(places[node], *label[:2]) for node, *label in voter.graph.unary}
            joined = {(places[source], role, places[target]) for source, role, target, _ in voter.graph.relations}
            found = len(has & {row[:3] for row in unary}) + len(joined & {row[:3] for row in relations})
            assert m == found + (voter.graph.root >= 0 and places[voter.graph.root] == 0)


#: A node 0 with a relation to node 1.
GRAPH = GraphTriples(2, 0, [(0, -1, 5, -1, 5), (1, -1, 6, -1, 6)], [(0, 7, 1, 7)])


def test_equal_candidates_are_the_graph() -> None:
    votes = Votes([GRAPH, GRAPH], [0.5, 0.5], [4.0, 4.0])
    assert votes.rooted
    found = votes.merged([[0, 1], [0, 1]], 2, 4.0, [4.0, 4.0], top=1, rounds=5)
    assert found == (2, GRAPH.unary, GRAPH.relations, 1.0, 4.0, [4.0, 4.0], [[0, 1], [0, 1]])
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
    fails(error, match, Votes, [GRAPH, GRAPH._replace(**changed)], [0.5, 0.5], [4.0, 4.0])


def test_numbers_that_do_not_fit() -> None:
    for weights, sizes in (([1.0], [4.0, 4.0]), ([0.5, 0.5], [4.0])):
        fails(ValueError, "differ in length", Votes, [GRAPH, GRAPH], weights, sizes)
    votes = Votes([GRAPH], [1.0], [4.0])
    for maps, n_nodes, error in (
        ([], 2, ValueError),
        ([[0]], 2, ValueError),
        ([[0, 1, -1]], 2, ValueError),
        ([[0, 2]], 2, IndexError),
        ([[0, -2]], 2, IndexError),
        ([[-1, -1]], -1, ValueError),
    ):
        fails(error, None, votes.merged, maps, n_nodes, 4.0, [4.0], top=1, rounds=5)
    fails(ValueError, "matches", votes.merged, [[0, 1]], 2, 4.0, [4.0, 4.0], top=1, rounds=5)
