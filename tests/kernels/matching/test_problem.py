"""Likely candidates of large graphs, against what is chosen of all candidates and edge-pairs."""

import random

import pytest

import fastmatch as fm
from fastmatch._ext.matching.problem import build_problem

from support.exact_search import prepared


def random_graph(rng: random.Random, side: str) -> tuple[list, list]:
    """Concepts and attributes, half of which both sides have; relations of few roles, loops and doubled ones, too."""
    n = rng.randrange(1, 14)
    concepts = [rng.choice("abcdefgh") if rng.random() < 0.5 else f"{side}{i}" for i in range(n)]
    labels = [(f"v{i}", ":instance", concept) for i, concept in enumerate(concepts)]
    labels += [(f"v{rng.randrange(n)}", ":mode", rng.choice("xy")) for _ in range(rng.randrange(3))]
    return labels, [(rng.randrange(n), rng.choice([":r", ":s"]), rng.randrange(n)) for _ in range(rng.randrange(2 * n))]


def problem(*graphs: tuple[list, list], thin: bool = False) -> tuple[dict, dict]:
    """Unary gains of candidates, and weights of edge-pairs, by the numbers of variables."""
    triples = [[*labels, *((f"v{i}", role, f"v{j}") for i, role, j in relations)] for labels, relations in graphs]
    corpora = fm.Corpus.from_triples([("v0", each) for each in triples])
    _, _, *rows, unary, first, second, weight = build_problem(*prepared(corpora[[0]], corpora[[1]]), 0, 0, thin=thin)
    cells = list(zip(*(row.tolist() for row in rows), strict=True))
    pairs = zip(first.tolist(), second.tolist(), weight.tolist(), strict=True)
    return dict(zip(cells, unary.tolist(), strict=True)), {(cells[c], cells[d]): w for c, d, w in pairs}


def parted(relations: list) -> tuple[list, list]:
    """Those between two variables, and loops."""
    return [each for each in relations if each[0] != each[2]], [each for each in relations if each[0] == each[2]]


@pytest.mark.parametrize("seed", range(60))
def test_likely_candidates_are_those_of_all_pairs_of_relations(seed: int) -> None:
    rng = random.Random(seed)
    pred, gold = random_graph(rng, "p"), random_graph(rng, "g")
    unary, edges = problem(pred, gold)
    # loops are unary features, as attributes are
    (ours, loops), (theirs, their_loops) = (parted(relations) for _, relations in (pred, gold))
    alike, _ = problem((pred[0], loops), (gold[0], their_loops))
    ends = [((i, k), (j, m)) for i, role, j in ours for k, other, m in theirs if role == other]
    likely = alike.keys() | {cell for pair in ends if not alike.keys().isdisjoint(pair) for cell in pair}
    found, found_edges = problem(pred, gold, thin=True)
    assert found == {cell: gain for cell, gain in unary.items() if cell in likely}
    assert found_edges == {pair: weight for pair, weight in edges.items() if likely.issuperset(pair)}
