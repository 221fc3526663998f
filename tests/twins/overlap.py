"""Soft overlap of two graphs in plain Python, from the definition; arrays are those of a SoftSpace."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np

NAMES = (
    "node_offsets",
    "rows",
    "masses",
    "edge_offsets",
    "edges",
    "edge_masses",
    "vectors",
    "keys",
    "lemmas",
    "classes",
    "numbers",
    "bigram_offsets",
    "bigrams",
    "signs",
    "scales",
    "settings",
)
MINUS = 9


def likeness(one: dict[str, Any], two: dict[str, Any], r: int, q: int) -> float:
    """s of label r and label q."""
    lemma, floor, power, characters, least, number, _, _ = one["settings"]
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


def sums(one: dict[str, Any], two: dict[str, Any], i: int, j: int) -> list[float]:
    """Matched and whole mass of graph i, then of graph j."""
    other_role, turned = one["settings"][6:]
    nodes = [
        side["rows"][side["node_offsets"][g] : side["node_offsets"][g + 1]].tolist() for side, g in ((one, i), (two, j))
    ]
    edges = [
        side["edges"][:, side["edge_offsets"][g] : side["edge_offsets"][g + 1]].T.tolist()
        for side, g in ((one, i), (two, j))
    ]
    s = [[likeness(one, two, r, q) for q in nodes[1]] for r in nodes[0]]

    def edge(e: list[int], f: list[int]) -> float:
        straight, back = s[e[0]][f[0]] * s[e[2]][f[2]], s[e[0]][f[2]] * s[e[2]][f[0]]
        return max(straight, turned * back) * (1.0 if e[1] == f[1] else other_role)

    result = []
    for side, g, own, best_node, own_edges, best_edge in (
        (one, i, nodes[0], lambda v: max(s[v], default=0.0), edges[0], lambda e: [edge(e, f) for f in edges[1]]),
        (
            two,
            j,
            nodes[1],
            lambda w: max((line[w] for line in s), default=0.0),
            edges[1],
            lambda f: [edge(e, f) for e in edges[0]],
        ),
    ):
        masses = side["masses"][side["node_offsets"][g] :]
        edge_masses = side["edge_masses"][side["edge_offsets"][g] :]
        covered = math.fsum(masses[v] * best_node(v) for v in range(len(own)))
        covered += math.fsum(edge_masses[k] * max(best_edge(e), default=0.0) for k, e in enumerate(own_edges))
        whole = math.fsum(masses[: len(own)]) + math.fsum(edge_masses[: len(own_edges)])
        result += [covered, whole]
    return result


def random_space(seed: int, n_graphs: int, d: int, *, shared: int = 0) -> tuple[Any, ...]:
    """Arrays of small random graphs; scales and settings, and so what can be compared, follow from ``shared``."""
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
        np.array([0.9137, 0.1, 0.6, 0.8211, 0.5, 0.3171, 0.2177, 0.4391]),
    )
