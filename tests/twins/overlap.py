"""Soft overlap of two graphs in plain Python, from the definition; arrays are those of a SoftSpace."""

import math
from collections import Counter
from typing import Any

import numpy as np

NAMES = (
    "node_offsets", "rows", "masses", "edge_offsets", "edges", "edge_masses", "vectors", "keys", "lemmas", "classes",
    "numbers", "bigram_offsets", "bigrams", "signs", "scales", "settings",
)  # fmt: skip
MINUS = 9


def likeness(one: dict[str, Any], two: dict[str, Any], r: int, q: int) -> float:
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
    bags = [
        Counter(side["bigrams"][side["bigram_offsets"][k] : side["bigram_offsets"][k + 1]].tolist())
        for side, k in ((one, r), (two, q))
    ]
    if all(bags):
        share = 2 * (bags[0] & bags[1]).total() / (bags[0].total() + bags[1].total())
        found.append(characters * share if share >= least else 0.0)
    x, y = one["numbers"][r], two["numbers"][q]
    if x * y > 0:
        found.append(number * min(abs(x), abs(y)) / max(abs(x), abs(y)))
    return max(found)


def parts(one: dict[str, Any], two: dict[str, Any], i: int, j: int) -> tuple[list[Any], list[Any], list[list[float]]]:
    """Labels of the nodes and edges of both graphs, and the likeness of every two nodes."""
    nodes = [
        side["rows"][side["node_offsets"][g] : side["node_offsets"][g + 1]].tolist() for side, g in ((one, i), (two, j))
    ]
    edges = [
        side["edges"][:, side["edge_offsets"][g] : side["edge_offsets"][g + 1]].T.tolist()
        for side, g in ((one, i), (two, j))
    ]
    return nodes, edges, [[likeness(one, two, r, q) for q in nodes[1]] for r in nodes[0]]


def sums(one: dict[str, Any], two: dict[str, Any], i: int, j: int) -> list[float]:
    """Matched and whole mass of graph i, then of graph j."""
    other_role, turned, single, between = one["settings"][6:]
    nodes, edges, s = parts(one, two, i, j)

    def edge(e: list[int], f: list[int]) -> float:
        straight, back = s[e[0]][f[0]] * s[e[2]][f[2]], s[e[0]][f[2]] * s[e[2]][f[0]]
        return max(straight, turned * back) * (1.0 if e[1] == f[1] else other_role)

    own_of = single_matches(one, two, i, j)
    of_own = {w: v for v, w in own_of.items()}

    def counted(best: float, own: float, share: float) -> float:
        return best + share * (own - best)

    def alone(v: int | None, w: int | None) -> float:
        return 0.0 if v is None or w is None else s[v][w]

    keys = [[int(side["keys"][label]) for label in part] for side, part in zip((one, two), nodes, strict=True)]
    paired = {(keys[0][v], keys[1][w]) for v, w in own_of.items()}

    def joined(e: list[int], f: list[int]) -> float:
        """The likeness of two edges between labels that are matched one-to-one, else 0."""
        role = 1.0 if e[1] == f[1] else other_role
        found = [0.0]
        if {(keys[0][e[0]], keys[1][f[0]]), (keys[0][e[2]], keys[1][f[2]])} <= paired:
            found.append(s[e[0]][f[0]] * s[e[2]][f[2]] * role)
        if {(keys[0][e[0]], keys[1][f[2]]), (keys[0][e[2]], keys[1][f[0]])} <= paired:
            found.append(turned * s[e[0]][f[2]] * s[e[2]][f[0]] * role)
        return max(found)

    result = []
    for side, g, own, best_node, own_edges, best_edge in (
        (
            one,
            i,
            nodes[0],
            lambda v: counted(max(s[v], default=0.0), alone(v, own_of.get(v)), single),
            edges[0],
            lambda e: (
                max((edge(e, f) for f in edges[1]), default=0.0),
                max((joined(e, f) for f in edges[1]), default=0.0),
            ),
        ),
        (
            two,
            j,
            nodes[1],
            lambda w: counted(max((line[w] for line in s), default=0.0), alone(of_own.get(w), w), single),
            edges[1],
            lambda f: (
                max((edge(e, f) for e in edges[0]), default=0.0),
                max((joined(e, f) for e in edges[0]), default=0.0),
            ),
        ),
    ):
        masses = side["masses"][side["node_offsets"][g] :]
        edge_masses = side["edge_masses"][side["edge_offsets"][g] :]
        covered = math.fsum(masses[v] * best_node(v) for v in range(len(own)))
        covered += math.fsum(edge_masses[k] * counted(*best_edge(e), between) for k, e in enumerate(own_edges))
        whole = math.fsum(masses[: len(own)]) + math.fsum(edge_masses[: len(own_edges)])
        result += [covered, whole]
    return result


def single_matches(one: dict[str, Any], two: dict[str, Any], i: int, j: int) -> dict[int, int]:
    """The one-to-one matches of nodes: the best of all assignments, tried one after another."""
    nodes, _, s = parts(one, two, i, j)
    masses = [side["masses"][side["node_offsets"][g] :].tolist() for side, g in ((one, i), (two, j))]

    def gain(v: int, w: int) -> float:
        return (masses[0][v] + masses[1][w]) * s[v][w]

    n, m = map(len, nodes)
    table = np.array([[gain(v, w) for w in range(m)] for v in range(n)]).reshape(n, m)
    # the best assignment of the first rows to a set of columns, for every set
    best: dict[frozenset[int], tuple[float, dict[int, int]]] = {frozenset(): (0.0, {})}
    for v in range(n):
        after = dict(best)  # v stays alone
        for used, (value, chosen) in best.items():
            for w in range(m):
                if w in used or table[v, w] <= 0:
                    continue
                key, more = used | {w}, value + table[v, w]
                if key not in after or more > after[key][0]:
                    after[key] = more, {**chosen, v: w}
        best = after
    return max(best.values(), key=lambda entry: entry[0])[1]


def random_space(
    seed: int, n_graphs: int, d: int, *, shared: int = 0, alone: tuple[float, float] = (0.0, 0.0)
) -> tuple[Any, ...]:
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
    edges = np.stack(
        [
            random.integers(0, np.repeat(np.maximum(sizes, 1), edge_sizes)),
            random.integers(0, 3, edge_offsets[-1]),
            random.integers(0, np.repeat(np.maximum(sizes, 1), edge_sizes)),
        ]
    ).astype(np.int32)
    return (
        offsets,
        random.integers(0, n_labels, offsets[-1]).astype(np.int32),
        random.uniform(0.1, 2, offsets[-1]),
        edge_offsets,
        np.ascontiguousarray(edges),
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
