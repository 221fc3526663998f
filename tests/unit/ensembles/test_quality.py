"""Noisy copies of the sample graphs: ``merge`` beats the other methods, and is nearer to the originals than a copy."""

import random

import pytest

import fastmatch as fm

from support.places import GOLD


def copies(gold: fm.Corpus, noise: float, number: int, seed: int) -> list[fm.Corpus]:
    """Graphs with some concepts and roles exchanged for others of the corpus, and some attributes and leaves lost."""
    rng = random.Random(seed)
    concepts = [concept for graph in gold for _, _, concept in graph.instances]
    roles = [role for graph in gold for _, role, _ in graph.relations]

    def noisy(graph: fm.Graph) -> fm.Graph:
        triples: list[tuple[str | None, str, str | None]] = []
        ends = [end for source, _, target in graph.relations for end in (source, target)]
        leaves = {target for _, _, target in graph.relations if ends.count(target) == 1}
        lost = {node for node in sorted(leaves) if rng.random() < 2 * noise}
        for source, role, target in graph.triples:
            hit = rng.random() < noise
            if source in lost or target in lost:
                continue
            if role == ":instance":
                triples.append((source, role, rng.choice(concepts) if hit else target))
            elif target in graph.variables:
                triples.append((source, rng.choice(roles) if hit else role, target))
            elif not hit:
                triples.append((source, role, target))
        return fm.Graph.from_triples(triples, graph.top)

    return [fm.Corpus.from_graphs([noisy(graph) for graph in gold]) for _ in range(number)]


@pytest.mark.parametrize(("noise", "number"), [(0.1, 5), (0.2, 3), (0.15, 7)])
def test_merge_has_the_best_mean_score(noise: float, number: int) -> None:
    gold = fm.read(GOLD)
    systems = copies(gold, noise, number, seed=1)
    made = {method: fm.ensemble(systems, method=method) for method in ("select", "graphene-smatch", "merge")}
    for other in ("select", "graphene-smatch"):
        assert made["merge"].score > made[other].score
        assert (made["merge"].scores < made[other].scores - 1e-9).mean() <= 0.01
    assert not (made["merge"].scores < made["select"].scores - 1e-9).any()
    found = fm.score(made["merge"].graphs, gold).f1
    assert found > max(fm.score(graphs, gold).f1 for graphs in (*systems, made["select"].graphs))
    # the bound holds for the graphs that were copied
    original = sum(fm.score(system, gold).pairs.score for system in systems) / number
    assert (original <= made["merge"].uppers + 1e-12).all()
