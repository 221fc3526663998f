"""Graphs to measure with: seeded, by size class, so that two runs of a bench score the very same pairs.

| class | variables | what it stands for |
| --- | --- | --- |
| sentence | 10 | an AMR of an ordinary sentence |
| long | 40 | a long news sentence |
| document | 300 | some thirty sentences under one root |
| large | 1,000 | a long document |
| degenerate | 40 | every concept and every role the same: nothing tells two variables apart |

A prediction is made from its gold graph the way parsers go wrong: another concept, a lost or moved edge, a wrong role;
then variables are renamed and reordered. ``join`` makes documents out of the sentences of a real corpus.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence

__all__ = ["SIZES", "degenerate", "join", "joined", "pairs", "read_blocks"]

SIZES = {"sentence": 10, "long": 40, "document": 300, "large": 1000}

# Zipf-like frequencies over this many concepts give about as many candidates a variable as AMR sentences have.
_CONCEPTS = 3000
_ROLES = [":ARG0"] * 8 + [":ARG1"] * 10 + [":ARG2"] * 4 + [":mod"] * 5 + [":time"] * 2 + [":location"] * 2
_ROLES += [":op1", ":op2", ":poss", ":manner", ":purpose", ":quant", ":ARG3", ":degree", ":part", ":topic"]
_ATTRIBUTES = [(":polarity", "-"), (":quant", "2"), (":quant", "3"), (":mode", "imperative"), (":value", '"x"')]

_Graph = tuple[list[str], list[tuple[int, str, int]], list[tuple[int, str, str]]]


def _concept(rng: random.Random) -> str:
    number = int(_CONCEPTS ** rng.random())  # log-uniform: p(k) is about proportional to 1/k
    return f"c{number}-0{number % 3}" if number % 2 else f"c{number}"


def _random_graph(rng: random.Random, size: int) -> _Graph:
    """Concepts, relations (a tree of bounded fan-out, then 12 % re-entrancies) and attributes of one graph."""
    concepts = [_concept(rng) for _ in range(size)]
    relations = [(rng.randrange(max(0, i - 6), i), rng.choice(_ROLES), i) for i in range(1, size)]
    for _ in range(size // 8):
        source, target = rng.randrange(size), rng.randrange(size)
        if source != target:
            relations.append((source, rng.choice(_ROLES), target))
    attributes = [(rng.randrange(size), *rng.choice(_ATTRIBUTES)) for _ in range(size // 6)]
    return concepts, relations, attributes


def _perturbed(rng: random.Random, graph: _Graph, rate: float) -> _Graph:
    """A copy with about ``rate`` of its parts wrong; its variables in another order, the root still first."""
    concepts, relations, attributes = graph
    size = len(concepts)
    concepts = [_concept(rng) if rng.random() < rate else concept for concept in concepts]
    changed = []
    for source, role, target in relations:
        what = rng.random()
        if what < rate / 3:
            role = rng.choice(_ROLES)
        elif what < 2 * rate / 3 and target > 1:
            source = rng.randrange(target)
        elif what < rate and target < source:  # only a re-entrancy can go without losing the node
            continue
        changed.append((source, role, target))
    attributes = [attribute for attribute in attributes if rng.random() >= rate]
    order = [0, *rng.sample(range(1, size), size - 1)]
    position = {old: new for new, old in enumerate(order)}
    return (
        [concepts[old] for old in order],
        [(position[source], role, position[target]) for source, role, target in changed],
        [(position[variable], role, value) for variable, role, value in attributes],
    )


def _penman(graph: _Graph, prefix: str) -> str:
    """Penman text on one line: depth first from variable 0; what it does not reach hangs from the root as ``:snt``."""
    concepts, relations, attributes = graph
    size = len(concepts)
    outgoing: list[list[tuple[str, int]]] = [[] for _ in range(size)]
    for source, role, target in relations:
        outgoing[source].append((role, target))
    values: list[list[str]] = [[] for _ in range(size)]
    for variable, role, value in attributes:
        values[variable].append(f" {role} {value}")
    reached = [False] * size
    parts: list[str] = []

    def node(start: int) -> None:
        reached[start] = True
        parts.append(f"({prefix}{start} / {concepts[start]}{''.join(values[start])}")
        stack: list[Iterator[tuple[str, int]]] = [iter(outgoing[start])]
        while stack:
            edge = next(stack[-1], None)
            if edge is None:
                stack.pop()
                if stack:
                    parts.append(")")
            elif reached[edge[1]]:
                parts.append(f" {edge[0]} {prefix}{edge[1]}")
            else:
                target = edge[1]
                reached[target] = True
                parts.append(f" {edge[0]} ({prefix}{target} / {concepts[target]}{''.join(values[target])}")
                stack.append(iter(outgoing[target]))

    node(0)
    for other in range(1, size):
        if not reached[other]:
            parts.append(" :snt ")
            node(other)
            parts.append(")")
    parts.append(")")
    return "".join(parts)


def pairs(kind: str, count: int, *, seed: int = 0, rate: float = 0.2) -> tuple[list[str], list[str]]:
    """Predictions and golds of one size class as Penman strings.

    Args:
        kind: a key of ``SIZES``, or ``"degenerate"``.
        count: number of pairs.
        seed: the same seed gives the same pairs.
        rate: about this share of the gold graph's parts is wrong in the prediction.
    """
    if kind == "degenerate":
        return degenerate(count, seed=seed)
    rng = random.Random(f"{kind} {seed}")
    predictions, golds = [], []
    for _ in range(count):
        size = SIZES[kind] if kind in ("document", "large") else max(2, round(rng.gauss(SIZES[kind], SIZES[kind] / 4)))
        gold = _random_graph(rng, size)
        golds.append(_penman(gold, "g"))
        predictions.append(_penman(_perturbed(rng, gold, rate), "p"))
    return predictions, golds


def degenerate(count: int, *, size: int = 40, seed: int = 0) -> tuple[list[str], list[str]]:
    """Pairs of different random trees in which every concept is ``x`` and every role ``:ARG0``: ties everywhere."""
    rng = random.Random(f"degenerate {seed}")

    def tree(prefix: str) -> str:
        relations = [(rng.randrange(i), ":ARG0", i) for i in range(1, size)]
        return _penman((["x"] * size, relations, []), prefix)

    made = [(tree("p"), tree("g")) for _ in range(count)]
    return [pair[0] for pair in made], [pair[1] for pair in made]


def read_blocks(path: str) -> list[str]:
    """The blank-line-separated graphs of a file as strings without their comment lines."""
    with open(path, encoding="utf-8") as file:
        blocks = file.read().split("\n\n")
    texts = ("\n".join(line for line in block.splitlines() if not line.startswith("#")).strip() for block in blocks)
    return [text for text in texts if text]


def join(texts: Iterable[str], concept: str = "multi-sentence") -> str:
    """One document out of sentences: each hangs from a new root as ``:snt1``, ``:snt2``, …; variables stay apart.

    Needs penman (only to find the variables), and sentences it can read.
    """
    import penman
    from penman.models.amr import model

    triples: list[tuple[str, str, str | None]] = [("d", ":instance", concept)]
    for number, text in enumerate(texts, 1):
        graph = penman.decode(text, model=model)
        name = {variable: f"s{number}{variable}" for variable in graph.variables()}
        triples.append(("d", f":snt{number}", name[graph.top]))
        triples += [
            (name[source], role, target if role == ":instance" else name.get(target, target))
            for source, role, target in graph.triples
        ]
    return str(penman.encode(penman.Graph(triples, top="d"), model=model, indent=None))


def joined(predictions: Sequence[str], golds: Sequence[str], sentences: int) -> tuple[list[str], list[str]]:
    """Aligned documents of ``sentences`` sentences each; a rest too short for a document is left out."""
    starts = range(0, len(golds) - sentences + 1, sentences)
    return (
        [join(predictions[start : start + sentences]) for start in starts],
        [join(golds[start : start + sentences]) for start in starts],
    )
