"""How good and how fast is an ensemble beside the published program's algorithm, on the same candidates?

    python benches/peers/compare_ensembles.py GOLD [--noise 0.1] [--copies 5] [--graphs 60] [--seed 1]
    python benches/peers/compare_ensembles.py PARSES --broken [--copies 5]
    python benches/peers/compare_ensembles.py --candidates A.amr B.amr [C.amr ...] [--gold GOLD] [--graphs 60]

Needs the hill-climber of smatch from PyPI: ``pip install smatch==1.0.4``. The candidates are files of systems, or noisy
copies of GOLD: in each copy, with probability p a concept is replaced by one of the corpus, a relation's role by
another, an attribute dropped, the root moved; a leaf is dropped with 1.5 p, one is added to a node with 0.7 p, and an
edge is moved with 0.5 p if the graph stays connected. With ``--broken`` the copies are texts instead, broken as sampled
answers of language models are, each in one to three places: the end is missing, a bracket, a quote, a slash or the
target of a role is left out, a line is written twice. ``fm.repair`` mends them; the texts before are the gold graphs.
Sentences of which smatch's reader cannot read a mended text are left out, and counted.

*Graphene-Smatch* is the algorithm of the paper (every candidate is the pivot once, all others are matched to it, labels
with half of the votes win, and the changed pivot or candidate with the best mean Smatch is taken), written anew from
its definition, with smatch's climber for all matches and scores, as in the published program. Beside it, the same
algorithm with proven matches, and the other methods. Printed are the mean score that is proven (the objective), F1
against the gold graphs if there are any, CPU milliseconds a sentence, and how often ``merge`` is below.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import random
import sys
import time
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

import fastmatch as fm
from fastmatch.ensembles.labels import GraphTriples, graph_triples, written
from fastmatch.ensembles.search import revised
from fastmatch.metrics.shared.triples import Labels


def noisy(graph: fm.Graph, p: float, rng: random.Random, concepts: Sequence[str], roles: Sequence[str]) -> fm.Graph:
    """A copy of a graph with noise; see the top of this file."""
    nodes = {source: target for source, _, target in graph.instances}
    top = graph.top
    attributes = [triple for triple in graph.attributes if rng.random() >= p]
    nodes = {node: rng.choice(concepts) if rng.random() < p else concept for node, concept in nodes.items()}
    edges = [[s, rng.choice(roles) if rng.random() < p else r, t] for s, r, t in graph.relations]
    for node in list(nodes):
        touching = [edge for edge in edges if node in (edge[0], edge[2])]
        leaf = len(touching) == 1 and touching[0][2] == node and node != top
        if leaf and rng.random() < 1.5 * p:
            edges.remove(touching[0])
            del nodes[node]
            attributes = [triple for triple in attributes if triple[0] != node]
    for number, node in enumerate(list(nodes)):
        if rng.random() < 0.7 * p:
            nodes[f"new{number}"] = rng.choice(concepts)
            edges.append([node, rng.choice(roles), f"new{number}"])
    for edge in edges:
        if rng.random() < 0.5 * p:
            before = edge[0]
            edge[0] = rng.choice([node for node in nodes if node != edge[2]] or [before])
            if not connected(nodes, edges):
                edge[0] = before
    if rng.random() < p:
        top = rng.choice(list(nodes))
    triples = [(node, ":instance", concept) for node, concept in nodes.items()]
    return fm.Graph.from_triples([*triples, *attributes, *map(tuple, edges)], top)


def connected(nodes: Any, edges: Any) -> bool:
    near: dict[Any, list[Any]] = {node: [] for node in nodes}
    for source, _, target in edges:
        near[source].append(target)
        near[target].append(source)
    first = next(iter(nodes))
    seen, stack = {first}, [first]
    while stack:
        new = set(near[stack.pop()]) - seen
        seen |= new
        stack += new
    return len(seen) == len(nodes)


def noisy_copies(gold: fm.Corpus, p: float, n: int, seed: int) -> list[fm.Corpus]:
    rng = random.Random(seed)
    graphs = list(gold)
    concepts = [concept for graph in graphs for _, _, concept in graph.instances if concept]
    roles = [role for graph in graphs for _, role, _ in graph.relations]
    return [fm.Corpus.from_graphs([noisy(graph, p, rng, concepts, roles) for graph in graphs]) for _ in range(n)]


def broken_copies(gold: fm.Corpus, n: int, seed: int) -> list[fm.Corpus]:
    """Texts with the slips of language models, mended; what cannot be mended is empty."""
    rng = random.Random(seed)
    texts = [graph.encode().rpartition("\n(")[2] for graph in gold]
    return [fm.parse([broken("(" + text, rng) for text in texts], on_error="repair") for _ in range(n)]


def readable(systems: Sequence[fm.Corpus]) -> list[int]:
    """The sentences of which smatch reads every candidate."""
    climber = Climber()
    found = []
    for k in range(len(systems[0])):
        try:
            for system in systems:
                climber.parsed(own_text(system, k))
        except (AttributeError, IndexError):
            continue
        found.append(k)
    return found


def own_text(system: fm.Corpus, k: int) -> str:
    """A graph on one line, without its comments."""
    return system[k].encode(None).rpartition("\n")[2]


def broken(text: str, rng: random.Random) -> str:
    for _ in range(rng.randint(1, 3)):
        slip = rng.choice(("end", "line", "(", ")", '"', "/", "target"))
        lines = text.split("\n")
        if slip == "end":
            text = text[: rng.randint(len(text) * 3 // 4, len(text))]
        elif slip == "line":
            number = rng.randrange(len(lines))
            text = "\n".join([*lines[: number + 1], *lines[number:]])
        elif slip == "target":
            words = text.split(" ")
            places = [k for k, word in enumerate(words[:-1]) if word.startswith(":")]
            if places:
                del words[rng.choice(places) + 1]
            text = " ".join(words)
        else:
            places = [k for k, letter in enumerate(text) if letter == slip]
            if places:
                place = rng.choice(places)
                text = text[:place] + text[place + 1 :]
    return text


# ---- the published algorithm, with smatch's climber ------------------------------------------------------------------


class Climber:
    """Matches of smatch 1.0.4."""

    def __init__(self) -> None:
        import smatch

        self.smatch, self.amr = smatch, sys.modules["amr"].AMR
        # it climbs from random starts, and seeds Python's generator anew for each; the comparison is to repeat itself
        smatch.random = SimpleNamespace(seed=lambda: None, randint=random.Random(1).randint)

    def parsed(self, text: str) -> Any:
        with contextlib.redirect_stderr(io.StringIO()):
            parsed = self.amr.parse_AMR_line(text)
        names = list(parsed.nodes)
        return parsed, names

    def match(self, one: Any, other: Any) -> tuple[list[int], float]:
        """The map from nodes of one graph to nodes of the other, and F1."""
        sides = []
        for (parsed, _), prefix in ((one, "a"), (other, "b")):
            parsed.rename_node(prefix)
            sides.append((prefix, *parsed.get_triples()))
        (p1, i1, a1, r1), (p2, i2, a2, r2) = sides
        self.smatch.match_triple_dict.clear()  # it keeps gains of the pair before
        mapping, number = self.smatch.get_best_match(i1, a1, r1, i2, a2, r2, p1, p2)
        total = sum(map(len, (i1, a1, r1, i2, a2, r2)))
        return mapping, 2 * number / total if total else 1.0


def published(texts: list[list[str]], triples: list[list[GraphTriples]], vocabulary: Any) -> list[str]:
    """Graphene-Smatch for each sentence: its candidates as text and as triples, nodes in the order of the text."""
    climber = Climber()
    made = []
    for own, graphs in zip(texts, triples, strict=True):
        n = len(own)
        best = -1.0, ""
        changed = []
        for pivot in range(n):
            maps = []
            for other in range(n):
                if other == pivot:
                    mapping = list(range(graphs[pivot].n_nodes))
                else:
                    mapping, _ = climber.match(climber.parsed(own[other]), climber.parsed(own[pivot]))
                maps.append(mapping)
            graph, _ = revised(graphs[pivot], graphs, [1 / n] * n, maps)
            top, rows = written(graph, vocabulary)
            changed.append(fm.Graph.from_triples(rows, top).encode(None))
        for text in (*changed, *own):
            score = sum(climber.match(climber.parsed(text), climber.parsed(other))[1] for other in own) / n
            if score > best[0] + 1e-12:
                best = score, text
        made.append(best[1])
    return made


# ---- the comparison --------------------------------------------------------------------------------------------------


def mean_scores(graphs: fm.Corpus, systems: Sequence[fm.Corpus]) -> np.ndarray[Any, Any]:
    return np.mean([fm.score(graphs, system).pairs.score for system in systems], axis=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", nargs="?", help="file of graphs, of which noisy copies are made")
    parser.add_argument("--candidates", nargs="+", default=[], help="files of systems instead of noisy copies")
    parser.add_argument("--gold", dest="other_gold", help="with --candidates: file of gold graphs")
    parser.add_argument("--broken", action="store_true", help="broken texts of GOLD, mended, instead of noisy copies")
    parser.add_argument("--noise", type=float, default=0.1)
    parser.add_argument("--copies", type=int, default=5)
    parser.add_argument("--graphs", type=int, default=60, help="the first so many")
    parser.add_argument("--least-nodes", type=int, default=0, help="only gold graphs of at least so many nodes")
    parser.add_argument("--most-nodes", type=int, default=10**9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--skip-published", action="store_true")
    parser.add_argument("--json", help="file for the figures")
    arguments = parser.parse_args()
    if arguments.candidates:
        systems = [fm.read(name)[: arguments.graphs] for name in arguments.candidates]
        gold = fm.read(arguments.other_gold)[: arguments.graphs] if arguments.other_gold else None
    else:
        whole = fm.read(arguments.gold)
        sizes = np.diff(whole.variable_offsets)
        fitting = np.flatnonzero((sizes >= arguments.least_nodes) & (sizes <= arguments.most_nodes))
        gold = whole[fitting[: arguments.graphs]]
        if arguments.broken:
            systems = broken_copies(gold, arguments.copies, arguments.seed)
            kept = readable(systems)
            print(f"{len(gold) - len(kept)} sentences left out, which smatch cannot read")
            gold, systems = gold[kept], [system[kept] for system in systems]
        else:
            systems = noisy_copies(gold, arguments.noise, arguments.copies, arguments.seed)
    n = len(systems[0])
    print(
        f"{n} sentences, {len(systems)} candidates, {np.mean([np.diff(s.variable_offsets) for s in systems]):.1f} nodes"
    )
    figures: dict[str, dict[str, float]] = {}
    scores: dict[str, Any] = {}

    def add(name: str, graphs: fm.Corpus, seconds: float | None) -> None:
        scores[name] = mean_scores(graphs, systems)
        row = {"objective": float(scores[name].mean())}
        if gold is not None:
            row["f1"] = fm.score(graphs, gold).f1
        if seconds is not None:
            row["ms"] = 1000 * seconds / n
        figures[name] = row

    if gold is not None:
        figures["one candidate"] = {"f1": float(np.mean([fm.score(system, gold).f1 for system in systems]))}
        add("gold", gold, None)
    if not arguments.skip_published:
        together = fm.Corpus.together(systems)
        texts = [[own_text(system, k) for system in systems] for k in range(n)]
        read = [fm.parse(list(own), vocabulary=together[0].vocabulary) for own in texts]
        labels = [Labels.of(corpus) for corpus in read]
        triples = [graph_triples(corpus, labels[-1]) for corpus in read]
        started = time.process_time()
        graphs = published(texts, triples, together[0].vocabulary)
        add("Graphene-Smatch, published", fm.parse(graphs), time.process_time() - started)
    upper = float("nan")
    for method in ("select", "vote", "graphene", "graphene-smatch", "merge"):
        seconds = []
        for _ in range(3):
            started = time.process_time()
            result = fm.ensemble(systems, method=method)
            seconds.append(time.process_time() - started)
        add(method, result.graphs, min(seconds))
        upper = result.upper
    figures["bound"] = {"objective": upper}
    base = figures["merge"]["ms"]
    for name, row in figures.items():
        cells = [f"{100 * row['objective']:7.2f}" if "objective" in row else " " * 7]
        cells.append(f"{100 * row['f1']:7.2f}" if "f1" in row else " " * 7)
        cells.append(f"{row['ms']:9.2f} ms {row['ms'] / base:7.2f} x" if "ms" in row else "")
        if name in scores and "ms" in row and name != "merge":
            row["merge below"] = int((scores["merge"] < scores[name] - 1e-9).sum())
            cells.append(f"merge is below in {row['merge below']} of {n}")
        print(f"{name:28}", *cells)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1)


if __name__ == "__main__":
    main()
