"""Soft overlap of two graphs in plain Python, from the definition; arrays are those of a SoftSpace."""

import math
from collections import Counter

import numpy as np
from scipy.optimize import linear_sum_assignment

NAMES = (
    "node_offsets", "rows", "masses", "edge_offsets", "edges", "edge_masses", "vectors", "keys", "lemmas", "classes",
    "numbers", "bigram_offsets", "bigrams", "signs", "scales", "settings",
)  # fmt: skip
MINUS = 9


def likeness(one, two, r: int, q: int) -> float:
    """s of label r and label q."""
    lemma, floor, power, characters, least, number = one["settings"][:6]
    if one["keys"][r] == two["keys"][q]:
        return 1.0
    if MINUS in (one["classes"][r], two["classes"][q]):
        return 0.0
    found = [lemma * (one["lemmas"][r] == two["lemmas"][q])]
    cosine = float(one["vectors"][r].astype(float) @ two["vectors"][q].astype(float))
    above = min(max(cosine - floor, 0.0) / (1.0 - floor), 1.0)
    if above > 0:
        found.append(one["scales"][one["classes"][r], two["classes"][q]] * above**power)
    both = (one, r), (two, q)
    bags = [Counter(side["bigrams"][slice(*side["bigram_offsets"][k : k + 2])].tolist()) for side, k in both]
    if all(bags):
        share = 2 * (bags[0] & bags[1]).total() / (bags[0].total() + bags[1].total())
        found.append(characters * share if share >= least else 0.0)
    x, y = one["numbers"][r], two["numbers"][q]
    if x * y > 0:
        found.append(number * min(abs(x), abs(y)) / max(abs(x), abs(y)))
    return max(found)


def parts(one, two, i: int, j: int):
    """Labels of the nodes and edges of both graphs, and the likeness of every two nodes."""
    both = (one, i), (two, j)
    nodes = [side["rows"][slice(*side["node_offsets"][g : g + 2])].tolist() for side, g in both]
    edges = [side["edges"][:, slice(*side["edge_offsets"][g : g + 2])].T.tolist() for side, g in both]
    alike = [likeness(one, two, r, q) for r in nodes[0] for q in nodes[1]]
    return nodes, edges, np.array(alike).reshape(len(nodes[0]), len(nodes[1]))


def sums(one, two, i: int, j: int) -> list[float]:
    """Matched and whole mass of graph i, then of graph j."""
    return [*matched_and_whole(one, two, i, j), *matched_and_whole(two, one, j, i)]


def matched_and_whole(one, two, i: int, j: int) -> tuple[float, float]:
    """Of graph i, what its nodes and edges find in graph j, and all of it."""
    other_role, turned, single, between = one["settings"][6:]
    nodes, edges, s = parts(one, two, i, j)
    partners = single_matches(one, two, i, j)
    keys = [side["keys"][part].tolist() for side, part in zip((one, two), nodes, strict=True)]
    paired = {(keys[0][v], keys[1][w]) for v, w in partners.items()}

    def of_node(v: int) -> float:
        best = s[v].max(initial=0.0)
        own = s[v, partners[v]] if v in partners else 0.0
        return best + single * (own - best)

    def of_edge(e: list[int]) -> float:
        best = joined = 0.0
        for f in edges[1]:
            role = 1.0 if e[1] == f[1] else other_role
            for start, end, share in ((f[0], f[2], 1.0), (f[2], f[0], turned)):
                found = share * s[e[0], start] * s[e[2], end] * role
                best = max(best, found)
                # between labels that are matched one-to-one
                if {(keys[0][e[0]], keys[1][start]), (keys[0][e[2]], keys[1][end])} <= paired:
                    joined = max(joined, found)
        return best + between * (joined - best)

    masses = one["masses"][slice(*one["node_offsets"][i : i + 2])]
    edge_masses = one["edge_masses"][slice(*one["edge_offsets"][i : i + 2])]
    covered = math.fsum(mass * of_node(v) for v, mass in enumerate(masses))
    covered += math.fsum(mass * of_edge(e) for e, mass in zip(edges[0], edge_masses, strict=True))
    return covered, math.fsum(masses) + math.fsum(edge_masses)


def single_matches(one, two, i: int, j: int) -> dict[int, int]:
    """The one-to-one matches of nodes that bring most."""
    s = parts(one, two, i, j)[2]
    masses = [side["masses"][slice(*side["node_offsets"][g : g + 2])] for side, g in ((one, i), (two, j))]
    gains = np.add.outer(*masses) * s
    matches = zip(*(ends.tolist() for ends in linear_sum_assignment(gains, maximize=True)), strict=True)
    return {v: w for v, w in matches if gains[v, w] > 0}


def random_space(seed: int, n_graphs: int, d: int, *, shared: int = 0, alone: tuple[float, float] = (0.0, 0.0)):
    """Arrays of small random graphs; scales and settings, and so what can be compared, follow from ``shared``.

    ``alone``: how much one-to-one matches count, of nodes and of edges.
    """
    random = np.random.default_rng([seed, 1])
    common = np.random.default_rng([shared, 2])
    sizes = random.integers(0, 9, n_graphs)
    edge_sizes = np.where(sizes > 0, random.integers(0, 12, n_graphs), 0)
    offsets, edge_offsets = (np.concatenate([[0], np.cumsum(part)]).astype(np.int64) for part in (sizes, edge_sizes))
    n_labels = 30
    vectors = common.normal(size=(n_labels, d)) + common.normal(size=d)
    vectors[::7] = 0
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    table = np.zeros((n_labels, -(-d // 8) * 8), np.float32)
    table[:, :d] = vectors / np.where(length > 0, length, 1)
    bigram_sizes = common.integers(0, 7, n_labels)
    bigram_offsets = np.concatenate([[0], np.cumsum(bigram_sizes)]).astype(np.int64)
    bigrams = np.concatenate([np.sort(common.integers(0, 5, size)) for size in bigram_sizes]).astype(np.uint16)
    signs = np.zeros(n_labels, np.uint64)
    for label in range(n_labels):
        for bigram in bigrams[bigram_offsets[label] : bigram_offsets[label + 1]].tolist():
            signs[label] |= np.uint64(1 << (bigram * 7 % 3))  # bits that several share
    scales = common.uniform(size=(11, 11))
    n_nodes = np.repeat(np.maximum(sizes, 1), edge_sizes)
    below = n_nodes, np.full(len(n_nodes), 3), n_nodes
    edges = np.stack([random.integers(0, most) for most in below]).astype(np.int32)
    return (
        offsets,
        random.integers(0, n_labels, offsets[-1]).astype(np.int32),
        random.uniform(0.1, 2, offsets[-1]),
        edge_offsets,
        edges,
        random.uniform(0.1, 2, edge_offsets[-1]),
        table,
        np.arange(n_labels, dtype=np.uint64),
        (np.arange(n_labels) // 2).astype(np.uint64),
        common.integers(0, 11, n_labels).astype(np.uint8),
        np.where(common.uniform(size=n_labels) < 0.3, common.normal(size=n_labels), np.nan),
        bigram_offsets,
        bigrams,
        signs,
        (scales + scales.T) / 2,
        # no round numbers, so that no two matches are equally good by chance
        np.array([0.9137, 0.1, 0.6, 0.8211, 0.5, 0.3171, 0.2177, 0.4391, *alone]),
    )
