"""WWLK in plain Python and numpy, one step after the other, as the paper and the published program are described."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from fastmatch import Graph

from twins.motifs import plain


@dataclass(frozen=True)
class Nodes:
    """Labels of nodes, and edges (source, role, target) between their numbers."""

    labels: list[str]
    edges: list[tuple[int, str, int]]


def graph_of(graph: Graph) -> Nodes:
    """Variables, then a node for each distinct attribute; relations, then attributes."""
    names = list(dict.fromkeys(graph.variables))
    concepts = {source: target for source, _, target in graph.instances}
    labels = [plain(concepts.get(name) or "") for name in names]
    relations = dict.fromkeys((names.index(s), r.lower(), names.index(t)) for s, r, t in graph.relations)
    attributes = dict.fromkeys((names.index(s), r.lower(), plain(t or "")) for s, r, t in graph.attributes)
    edges = list(relations)
    for source, role, value in attributes:
        edges.append((source, role, len(labels)))
        labels.append(value)
    return Nodes(labels, edges)


def edges_as_nodes(graph: Nodes) -> Nodes:
    """A node in the middle of each edge."""
    labels, edges = list(graph.labels), []
    for source, role, target in graph.edges:
        edges += [(source, ":edge", len(labels)), (len(labels), ":edge", target)]
        labels.append(role)
    return Nodes(labels, edges)


def words_of(label: str) -> tuple[str, list[str]]:
    """The label as it is looked up, and its parts."""
    label = label.strip()
    if label == "-":
        label = "false-not-untrue"
    label = re.sub(r"-[0-9]+", "", label.replace('"', "").lower()).replace(":", "")
    return label, label.split("-") + (label.split("_") if "_" in label else [])


def vector(label: str, table: Mapping[str, np.ndarray]) -> np.ndarray | None:
    """The label's vector, or None."""
    name, words = words_of(label)
    found = [table[word] for word in words if word in table]
    if not found and name.isdecimal():
        found = [table[digit] / (1 + k) for k, digit in enumerate(name) if digit in table]
    return np.mean(np.asarray(found, np.float64), axis=0) if found else None


def embed(
    graph: Nodes,
    first: Callable[[str], np.ndarray],
    weight: Callable[[str, bool], float],
    *,
    k: int = 2,
    update: str = "paper",
    down: bool = True,
    up: bool = True,
) -> np.ndarray:
    """Embeddings of the nodes: rows. ``weight(role, against)``."""
    n = len(graph.labels)
    layers = [np.array([first(label) for label in graph.labels])]
    for _ in range(k):
        new = []
        for v in range(n):
            messages = []
            for against, used in ((True, up), (False, down)):
                # (sender, role) of the edges on which v receives in this direction
                arrive = [((t, r) if against else (s, r)) for s, r, t in graph.edges if (s if against else t) == v]
                if not used:
                    continue
                if update == "tool":
                    for u in dict.fromkeys(sender for sender, _ in arrive):
                        w = math.prod(weight(r, against) for sender, r in arrive if sender == u)
                        messages.append(w * layers[-1][u])
                else:
                    messages += [weight(r, against) * layers[-1][u] for u, r in arrive]
            total = layers[-1][v] + (np.mean(messages, axis=0) if messages else 0)
            new.append(total / 2 if update == "paper" else total)
        layers.append(np.array(new))
    whole = np.concatenate(layers, axis=1)
    norms = np.linalg.norm(whole, axis=1, keepdims=True)
    return np.divide(whole, norms, out=whole, where=norms > 0)


def costs(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Euclidean distances."""
    return np.sqrt(((a[:, None] - b[None]) ** 2).sum(axis=2))


def transport(cost: np.ndarray) -> float:
    """Uniform optimal transport, as an assignment of as many copies of nodes as make both sides equally long."""
    n, m = cost.shape
    common = math.gcd(n, m)
    copies = cost.repeat(m // common, axis=0).repeat(n // common, axis=1)
    return float(copies[linear_sum_assignment(copies)].mean())
