"""SemBleu of two graphs in plain Python, from its definition.

The twin of ``_ext/features/ngrams.pyx`` and of ``combine`` of the metric.

Walks are made by recursion, grams are tuples of strings, bags are Counters, and the score is written as one formula.
"""

from collections import Counter
from math import exp, log

from twins.motifs import plain, relations
from twins.smatch_problem import Triples


def graph_of(triples: Triples) -> tuple[list, list]:
    """Labels of the nodes, and different edges (source, role, target), under the default equality of labels."""
    variables = list(triples.variables)
    concepts: dict = {}
    for v, concept in triples.instances:
        concepts.setdefault(v, plain(concept))
    labels = [concepts.get(v) for v in variables]
    edges = sorted((variables.index(u), role, variables.index(v)) for role, u, v in relations(triples))
    for v, role, value in dict.fromkeys((v, plain(role), plain(value)) for v, role, value in triples.attributes):
        edges.append((variables.index(v), role, len(labels)))
        labels.append(value)
    return labels, edges


def grams(triples: Triples, k: int) -> tuple[list[Counter], int]:
    """Bags of the grams of orders 1 to k, and the number of nodes and edges."""
    labels, edges = graph_of(triples)
    bags = [Counter() for _ in range(k)]

    def walk(node: int, gram: tuple, used: tuple[int, ...]) -> None:
        bags[len(used)][gram] += 1
        if len(used) + 1 < k:
            for number, (source, role, target) in enumerate(edges):
                if source == node and number not in used:
                    walk(target, (*gram, role, labels[target]), (*used, number))

    for node, label in enumerate(labels):
        walk(node, (label,), ())
    return bags, len(labels) + len(edges)


def bleu(hypothesis: Triples, reference: Triples, weights: tuple[float, ...], nist: bool, brevity: bool) -> float:
    """SemBleu with the hypothesis's grams in the denominators."""
    k = len(weights)
    (mine, size), (theirs, other) = grams(hypothesis, k), grams(reference, k)
    if size == other == 0:
        return 1.0
    totals = [bag.total() for bag in mine]
    matches = [(a & b).total() for a, b in zip(mine, theirs, strict=True)]
    highest = sum(total > 0 for total in totals)
    if highest < k:
        weights = (1 / highest,) * highest if highest else ()
    if matches[0] == 0:
        return 0.0
    doublings, result = 0, 0.0
    for weight, match, total in zip(weights, matches, totals, strict=False):
        if match == 0:
            if not nist:
                return 0.0
            doublings += 1
            result += weight * log(1 / (2**doublings * total))
        else:
            result += weight * log(match / total)
    return exp(result) * (exp(1 - other / size) if brevity and size <= other else 1)
