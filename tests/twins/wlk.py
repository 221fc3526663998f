"""The Weisfeiler-Leman kernel in plain Python: labels are nested tuples, bags are Counters."""

from collections import Counter
from math import sqrt

from twins.ngrams import graph_of
from twins.smatch_problem import Triples


def label_bags(
    triples: Triples, k: int, *, direction: str = "undirected", with_triples: bool = False, by_label: bool = False
) -> list[Counter]:
    """Labels of all nodes, round by round. Nodes in order: variables, then constants as the text has them."""
    labels, edges = graph_of(triples)
    bags = [Counter(labels)]
    if with_triples:
        bags[0].update((labels[u], role, labels[v]) for u, role, v in edges)
    for _ in range(k):
        received: list[list] = [[] for _ in labels]
        for u, role, v in edges:
            if direction != "top-down":
                received[u].append((role, labels[v]))
            if direction != "bottom-up":
                received[v].append((f"{role} back" if direction == "2-way" else role, labels[u]))
        renewed = [(label, tuple(sorted(some, key=repr))) for label, some in zip(labels, received, strict=True)]
        if by_label:
            of_label = dict(zip(labels, renewed, strict=True))  # the last one stays
            renewed = [of_label[label] for label in labels]
        labels = renewed
        bags.append(Counter(labels))
    return bags


def kernel(pred: list[Counter], gold: list[Counter], kind: str, weights: list[float], sets: bool) -> float:
    """Cosine, min-max or product of two lists of bags; each round's counts are multiplied by its weight."""
    vectors = [
        {
            (i, label): w * (1 if sets else n)
            for i, (bag, w) in enumerate(zip(bags, weights, strict=True))
            for label, n in bag.items()
        }
        for bags in (pred, gold)
    ]
    a, b = vectors
    if kind == "minmax":
        both = a.keys() | b.keys()
        least = sum(min(a.get(x, 0), b.get(x, 0)) for x in both)
        most = sum(max(a.get(x, 0), b.get(x, 0)) for x in both)
        return least / most if most else 1.0
    product = sum(value * b.get(x, 0) for x, value in a.items())
    if kind == "dot":
        return product
    norms = [sum(value * value for value in vector.values()) for vector in vectors]
    return product / sqrt(norms[0] * norms[1]) if min(norms) else float(norms[0] == norms[1])
