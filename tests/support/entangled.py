"""Pairs of small graphs with a gap between the relaxation's bound and the best map, which searches have to close."""

import random

import numpy as np

import fastmatch as fm

Triples = list[tuple[str, str, str]]


def gadgets(rng: random.Random) -> tuple[Triples, Triples]:
    """Two graphs with places where three triples exclude each other: the relaxation takes half of each.

    Variable a may match its concept, its relation or that of b, but only one of the three. Labels that places share and
    a few random relations mix them.
    """
    places = rng.randrange(2, 9)
    labels = rng.randrange(1, places + 1)
    pred: Triples = []
    gold: Triples = []
    for k in range(places):
        role, other = f":r{k % labels}", f":s{k % labels}"
        pred += [(f"{name}{k}", ":instance", c) for name, c in zip("abc", (f"x{k % labels}", *"pq"), strict=True)]
        pred += [(f"a{k}", role, f"c{k}"), (f"b{k}", other, f"c{k}")]
        gold += [(f"{name}{k}", ":instance", c) for name, c in zip("abcd", (f"x{k % labels}", *"tuw"), strict=True)]
        gold += [(f"b{k}", role, f"c{k}"), (f"a{k}", other, f"d{k}")]
    for triples, names in ((pred, "abc"), (gold, "abcd")):
        for _ in range(rng.randrange(5)):
            source, target = (f"{rng.choice(names)}{rng.randrange(places)}" for _ in range(2))
            if source != target:
                triples.append((source, f":{rng.choice('rs')}{rng.randrange(labels)}", target))
    return pred, gold


def knot(rng: random.Random) -> tuple[Triples, Triples]:
    """A tree of few labels with a few edges more, and the same with most labels drawn anew."""
    n, concepts, roles = rng.randrange(6, 22), rng.randrange(1, 9), rng.randrange(1, 5)
    gold = [(f"v{i}", ":instance", f"c{rng.randrange(concepts)}") for i in range(n)]
    ends = [(rng.randrange(i), i) for i in range(1, n)] + [rng.sample(range(n), 2) for _ in range(rng.randrange(n))]
    gold += [(f"v{i}", f":r{rng.randrange(roles)}", f"v{j}") for i, j in ends]
    pred = [
        (s, r, t)
        if rng.random() < 0.25
        else (s, r, f"c{rng.randrange(concepts)}")
        if r == ":instance"
        else (s, f":r{rng.randrange(roles)}", t)
        for s, r, t in gold
    ]
    return pred, gold


def tangle(n: int, seed: int) -> fm.Graph:
    """All concepts equal, relations at random: no search closes a pair of such graphs soon."""
    rng = random.Random(seed)
    ends = [(f"v{rng.randrange(n)}", f":r{rng.randrange(2)}", f"v{rng.randrange(n)}") for _ in range(3 * n)]
    return fm.Graph.from_triples([*((f"v{i}", ":instance", "x") for i in range(n)), *ends], "v0")


def drawn_anew(graph: Triples, rng: np.random.Generator, share: float, concepts: int, roles: int) -> Triples:
    """The graph with a share of its labels drawn anew from so many."""
    found = []
    for source, role, target in graph:
        if rng.random() < share:
            if role == ":instance":
                target = f"c{rng.integers(concepts)}"
            else:
                role = f":r{rng.integers(roles)}"
        found.append((source, role, target))
    return found


def relabelled_tree(
    seed: int, n: int, concepts: int, roles: int, more_edges: int = 0, changed: float = 0.6
) -> tuple[fm.Corpus, fm.Corpus]:
    """A random tree of n variables with some edges more; before it the same with a share of its labels drawn anew."""
    rng = np.random.default_rng(seed)
    gold = [(f"v{i}", ":instance", f"c{rng.integers(concepts)}") for i in range(n)]
    gold += [(f"v{rng.integers(i)}", f":r{rng.integers(roles)}", f"v{i}") for i in range(1, n)]
    for _ in range(more_edges):
        i, j = rng.choice(n, 2, replace=False)
        gold.append((f"v{i}", f":r{rng.integers(roles)}", f"v{j}"))
    corpus = fm.Corpus.from_triples([("v0", drawn_anew(gold, rng, changed, concepts, roles))])
    return corpus, fm.Corpus.from_triples([("v0", gold)], vocabulary=corpus.vocabulary)
