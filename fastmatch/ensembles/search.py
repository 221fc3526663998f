"""The search for the graph with the best mean score: rounds over all sentences at once, so that threads have work.

In a round, every draft is matched with the candidates of its sentence, and the maps make a better draft, if there is
one. A sentence keeps a few drafts; its search ends when none of them gets better.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np

from fastmatch._ext.votes import Votes
from fastmatch.ensembles.labels import CONCEPT, GraphTriples, draft_corpus
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.metrics.run import run
from fastmatch.metrics.shared.search import WORK, Shared, sharing
from fastmatch.metrics.shared.triples import TOPS
from fastmatch.runtime.progress import Steps
from fastmatch.types import Dialect, Int64Array

#: Drafts of a sentence that are matched in a round, and the most rounds. A third draft makes one graph in 70 better.
_KEPT, _ROUNDS = 3, 10
#: With the maps as they are, what triples bring and cost is computed anew at most so often.
_VOTES = 8
#: Candidates that a search starts from: the best ones.
_STARTS = 5
#: Drafts have little work where searches of their sentence took what so many ordinary pairs may (a round's average, all
#: rounds added up), or where a candidate has so many triples. Rounds end when they take so much more.
_HARD, _LARGE, _MORE = 12, 2000, 2
#: A mean score that grows by less has not grown.
LEAST = 1e-12


class Space(NamedTuple):
    """All distinct candidates, as the metric takes them.

    Attributes
    ----------
    metric : Metric
        Smatch, Smatch++ or S2match.
    prepared
        What it scores of the candidates.
    triples : list of GraphTriples
        Of each candidate.
    sizes : list of float
    vocabulary, dialect
    similar : dict or None
        Similarity of two concepts that differ.
    workers : int
    report : Steps
        Is told of every pair that is matched.
    visits : int64[n_sentences]
        What a search of each sentence took in every round so far, on the average and as :class:`Shared` counts it.
    """

    metric: Any
    prepared: Any
    triples: list[GraphTriples]
    sizes: list[float]
    vocabulary: Vocabulary
    dialect: Dialect
    similar: dict[tuple[int, int], float] | None
    workers: int
    report: Steps
    visits: Int64Array


class Sentence(NamedTuple):
    """The distinct candidates of one sentence, and what each two of them share.

    Attributes
    ----------
    graphs : list of int
        Their numbers.
    triples : list of GraphTriples
    weights, sizes : list of float
    matched : list of list of float
        Triples that match in candidates a and b.
    maps : mapping
        (a, b) → the node of b for each node of a, or −1.
    """

    graphs: list[int]
    triples: list[GraphTriples]
    weights: list[float]
    sizes: list[float]
    matched: list[list[float]]
    maps: dict[tuple[int, int], list[int]]

    def maps_to(self, pivot: int) -> list[list[int]]:
        """The maps of all candidates to one of them."""
        return [self.maps[number, pivot] for number in range(len(self.graphs))]

    def own_scores(self) -> list[float]:
        """The mean score of each candidate."""
        return [self.score(*own) for own in zip(self.sizes, self.matched, strict=True)]

    def score(self, size: float, matched: Sequence[float]) -> float:
        """The mean F1 of a graph of this size with these matches; two empty ones are equal."""
        total = 0.0
        for weight, other, m in zip(self.weights, self.sizes, matched, strict=True):
            total += weight * (2 * m / (size + other) if size + other else 1.0)
        return total


def pairs_of(space: Space, groups: Sequence[Sequence[int]], weights: Sequence[Sequence[float]]) -> list[Sentence]:
    """The sentences, with every two of their candidates matched."""
    symmetric = space.metric.symmetric
    pairs = [list((combinations if symmetric else permutations)(range(len(group)), 2)) for group in groups]
    rows = [(k, group[a], group[b]) for k, (group, own) in enumerate(zip(groups, pairs, strict=True)) for a, b in own]
    found = _matches(space, space.prepared, rows)
    sentences = []
    for k, (group, own_weights, own) in enumerate(zip(groups, weights, pairs, strict=True)):
        triples, sizes = [space.triples[g] for g in group], [space.sizes[g] for g in group]
        matched = [[size] * len(group) for size in sizes]
        maps = {(a, a): list(range(graph.n_nodes)) for a, graph in enumerate(triples)}
        for a, b in own:
            count, forward = next(found)
            matched[a][b] = count
            maps[a, b] = forward
            if symmetric:
                matched[b][a] = count
                maps[b, a] = turned(forward, triples[b].n_nodes)
        hard = _most(space.metric, _HARD)
        space.visits[k] = hard if max(sizes) > _LARGE else min(2 * space.visits[k] // len(group), hard)
        sentences.append(Sentence(list(group), triples, list(own_weights), sizes, matched, maps))
    return sentences


def _matches(
    space: Space, prepared: Any, rows: Sequence[tuple[int, int, int]], known: Sequence[list[int]] = ()
) -> Iterator[tuple[float, list[int]]]:
    """Matched triples and map of pairs: each row is a sentence, a graph of ``prepared``, and a candidate.

    ``known``: a map of each of them, with which a search begins that has little.
    """
    of, first, second = np.array(rows, np.int32).reshape(-1, 3).T.copy()
    metric, shared = limited(space.metric, space.visits[of])
    for number in np.flatnonzero(shared.work[: len(known)]).tolist():
        shared.maps[number] = np.array(known[number], np.int32)
    before = shared.work.copy()
    told = space.report.more(len(rows))
    found: Any = run(
        metric, prepared, space.prepared, first, second, workers=space.workers, progress=told, mapping=True
    )
    taken, searches = (np.bincount(of, each, len(space.visits)) for each in (shared.work - before, None))
    space.visits[:] += (taken / np.maximum(searches, 1)).astype(np.int64)
    bounds, mapping = found.mapping_offsets.tolist(), found.mapping.tolist()
    for k, count in enumerate(found.matched.tolist()):
        yield count, mapping[bounds[k] : bounds[k + 1]]


def _most(metric: Any, pairs: int) -> int:
    """The visits of so many ordinary pairs."""
    return pairs * min(max(WORK["default"], WORK[metric.effort]), 2**50)


def limited(metric: Any, visits: Int64Array) -> tuple[Any, Shared]:
    """The metric for pairs whose sentences have taken so many visits (int64[n_pairs]), and what it knows of each pair.

    Where that is more than two ordinary pairs may take, it counts as what other searches of the pair have taken. Any
    other pair has what it would have alone.
    """
    shared = Shared.of(len(visits))
    shared.work[:] = np.where(visits > _most(metric, 2), visits, 0)
    return sharing(metric, shared), shared


def turned(forward: Sequence[int], n_nodes: int) -> list[int]:
    """A map the other way round, for ``n_nodes`` nodes."""
    back = [-1] * n_nodes
    for node, other in enumerate(forward):
        if other >= 0:
            back[other] = node
    return back


class Choice(NamedTuple):
    """What was found for a sentence.

    Attributes
    ----------
    candidate : int
        The best candidate, by its place in the sentence: of those that are well-formed, if there are any.
    floor : float
        Its mean score.
    graph : GraphTriples or None
        A graph that is better.
    maps : list of list of int, optional
        Its node for each node of each candidate, or −1, if it was matched.
    """

    candidate: int
    floor: float
    graph: GraphTriples | None
    maps: list[list[int]] | None = None


class Draft(NamedTuple):
    """A graph in the making, with what is known of its matches.

    Attributes
    ----------
    sentence : int
    graph : GraphTriples
    size : float
    matched : sequence of float
        Triples that match in each candidate.
    maps : list of list of int
        The draft's node for each node of each candidate, or −1.
    score : float
        Its mean score, or what that is at least, where the maps are those that it was made by.
    """

    sentence: int
    graph: GraphTriples
    size: float
    matched: Sequence[float]
    maps: list[list[int]]
    score: float


def _measured(
    space: Space, sentences: Sequence[Sentence], drafts: Sequence[tuple[int, GraphTriples, list[list[int]]]]
) -> list[Draft]:
    """Graphs, each of a sentence and with known maps as in :class:`Draft`, matched with all candidates of it."""
    corpus = draft_corpus([graph for _, graph, _ in drafts], space.vocabulary, space.dialect)
    prepared = prepared_standard(space.metric, corpus)
    rows = [(k, number, g) for number, (k, *_) in enumerate(drafts) for g in sentences[k].graphs]
    known = [turned(back, graph.n_nodes) for _, graph, maps in drafts for back in maps]
    found = _matches(space, prepared, rows, known)
    sizes = space.metric.sizes(prepared).tolist()
    measured = []
    for (k, graph, _), size in zip(drafts, sizes, strict=True):
        matched, maps = [], []
        for candidate in sentences[k].triples:
            count, forward = next(found)
            matched.append(count)
            maps.append(turned(forward, candidate.n_nodes))
        measured.append(Draft(k, graph, size, matched, maps, sentences[k].score(size, matched)))
    return measured


def prepared_standard(metric: Any, corpus: Any) -> Any:
    """What the metric scores of graphs that are standardised already."""
    return metric.features(corpus) if hasattr(metric, "features") else metric.prepare(corpus)


def _best_candidate(sentence: Sentence, scores: Sequence[float]) -> Choice:
    """The candidate with the best mean score; of equal ones the first, but no graph that says nothing."""
    order = _falling(scores)
    graphs = sentence.triples
    rooted = any(graph.root >= 0 for graph in graphs)
    for j in sorted(order, key=lambda j: (-round(scores[j], 12), graphs[j].says_nothing)):
        if graphs[j].well_formed(rooted=rooted):
            return Choice(j, scores[j], None)
    return Choice(order[0], -1.0, None)  # better than nothing only


def _falling(scores: Sequence[float]) -> list[int]:
    """The places of scores, the largest first; of scores that differ by rounding only, the first one first."""
    return sorted(range(len(scores)), key=lambda j: -round(scores[j], 12))


def best_merged(space: Space, sentences: Sequence[Sentence]) -> list[Choice]:
    """For each sentence the graph with the best mean score that was found."""
    best: list[Choice] = []
    made: list[Draft] = []
    ballots: dict[int, Votes] = {}

    def merge(k: int, maps: list[list[int]], n_nodes: int, size: float, matched: Sequence[float]) -> Draft:
        top = TOPS[space.metric.top] if ballots[k].rooted else 0  # where no candidate has a root, the graph has none
        n_kept, unary, relations, least, size, matched, maps = ballots[k].merged(
            maps, n_nodes, size, matched, top=top, rounds=_VOTES, similar=space.similar
        )
        graph = GraphTriples(n_kept, 0 if n_kept and ballots[k].rooted else -1, unary, relations)
        return Draft(k, graph, size, matched, maps, least)

    for k, sentence in enumerate(sentences):
        own = sentence.own_scores()
        best.append(_best_candidate(sentence, own))
        if len(own) > 1 or best[k].floor < 0:
            ballots[k] = Votes(sentence.triples, sentence.weights, sentence.sizes)
            for j in _falling(own)[:_STARTS]:
                n_nodes = sentence.triples[j].n_nodes
                made.append(merge(k, sentence.maps_to(j), n_nodes, sentence.sizes[j], sentence.matched[j]))
    scores = [choice.floor for choice in best]
    end = _most(space.metric, _HARD + _MORE)
    for _ in range(_ROUNDS):
        active = _distinct(made)
        if not active:
            break
        made = []
        for k, graph, size, matched, maps, score in _measured(space, sentences, active):
            if score > scores[k] + LEAST:
                best[k], scores[k] = best[k]._replace(graph=graph, maps=maps), score
            found = merge(k, maps, graph.n_nodes, size, matched)
            if found.score > score + LEAST and space.visits[k] < end:
                made.append(found)
    return best


def _distinct(made: Sequence[Draft]) -> list[tuple[int, GraphTriples, list[list[int]]]]:
    """The most promising graphs of each sentence; of graphs with equal counts, which are nearly always equal, one."""
    known: dict[int, dict[tuple[float, ...], Draft]] = {}
    for draft in made:
        if draft.graph.n_nodes:
            known.setdefault(draft.sentence, {}).setdefault((draft.size, *draft.matched), draft)
    return [
        (k, draft.graph, draft.maps)
        for k, drafts in known.items()
        for draft in sorted(drafts.values(), key=lambda draft: -draft.score)[:_KEPT]
    ]


def best_of_votes(space: Space, sentences: Sequence[Sentence], method: str) -> list[Choice]:
    """The graph that the votes of Graphene make; with ``graphene-smatch``, only if it is better than all candidates."""
    text = space.vocabulary.text
    roles = {role for graph in space.triples for _, role, _, _ in graph.relations}
    fixed = frozenset(role for role in roles if text(role).startswith(":snt"))
    revisions: list[tuple[int, GraphTriples, list[list[int]]]] = []
    for k, sentence in enumerate(sentences):
        pivots = range(1 if method == "vote" else len(sentence.graphs))
        graphs = sentence.triples
        found = [(*revised(graphs[p], graphs, sentence.weights, sentence.maps_to(p), fixed), p) for p in pivots]
        if method == "graphene":
            found = [max(found, key=lambda one: one[1])]
        revisions += [(k, graph, sentence.maps_to(p)) for graph, _, p in found]
    if method != "graphene-smatch":
        return [Choice(0, -1.0, graph) for _, graph, _ in revisions]
    best = [_best_candidate(sentence, sentence.own_scores()) for sentence in sentences]
    scores = [choice.floor for choice in best]
    for draft in _measured(space, sentences, revisions):
        k = draft.sentence
        if draft.score > scores[k] + LEAST:
            best[k], scores[k] = best[k]._replace(graph=draft.graph, maps=draft.maps), draft.score
    return best


# Graphene: candidates vote on the triples of one of them, the pivot (Hoang et al. 2021).
#
# A label is replaced by the one with most votes, and a triple added, if half of all votes are for it. The pivot's nodes
# stay, and so do its labels and relations that nothing replaces, so nothing falls apart.


#: The share of the votes that a label needs.
_NEEDED = 0.5
#: Rounding of sums of weights, whose sum is 1.
_ROUNDING = 1e-9


def revised(
    pivot: GraphTriples,
    graphs: Sequence[GraphTriples],
    weights: Sequence[float],
    maps: Sequence[Sequence[int]],
    fixed: frozenset[int] = frozenset(),
) -> tuple[GraphTriples, float]:
    """The pivot as the votes change it, and its support.

    Parameters
    ----------
    pivot : GraphTriples
    graphs, weights : sequence
        All candidates, the pivot among them.
    maps : sequence of sequence of int
        For each of them the node of the pivot that each of its nodes is mapped to, or −1.
    fixed : set of int
        Roles of relations that are never added.

    Returns
    -------
    graph : GraphTriples
    support : float
        The sum, over its triples for which half of the votes are, of the other candidates that have them, each counted
        by its weight times their number.
    """
    n = len(graphs)
    unary: dict[tuple[int, int], dict[int, float]] = {}  # node, role → value → votes
    relations: dict[tuple[int, int], dict[int, float]] = {}  # source, target → role → votes
    texts: dict[tuple[int, int, int], tuple[int, int]] = {}
    role_texts: dict[int, int] = {}
    for graph, weight, places in zip(graphs, weights, maps, strict=True):
        for node, role, value, written_role, written_value in graph.unary:
            place = places[node]
            if place >= 0:
                votes = unary.setdefault((place, role), {})
                votes[value] = votes.get(value, 0.0) + weight
                texts.setdefault((place, role, value), (written_role, written_value))
        for source, role, target, written in graph.relations:
            a, b = places[source], places[target]
            if a >= 0 and b >= 0:
                votes = relations.setdefault((a, b), {})
                votes[role] = votes.get(role, 0.0) + weight
                role_texts.setdefault(role, written)
    total = 0.0
    new_unary = []
    own: dict[tuple[int, int], list[int]] = {}
    for node, role, value, written_role, written_value in pivot.unary:
        own.setdefault((node, role), []).append(value)
        texts[node, role, value] = written_role, written_value
    for (node, role), votes in unary.items():
        had = own.get((node, role), [])
        for value in _winners(votes, had, single=role == CONCEPT):
            new_unary.append((node, role, value, *texts[node, role, value]))
            if votes[value] >= _NEEDED - _ROUNDING:
                total += n * votes[value] - 1
    new_relations = []
    between: dict[tuple[int, int], list[int]] = {}
    for source, role, target, written in pivot.relations:
        between.setdefault((source, target), []).append(role)
        role_texts[role] = written
    for (source, target), votes in relations.items():
        had = between.get((source, target), [])
        allowed = {role: share for role, share in votes.items() if role in had or role not in fixed}
        for role in _winners(allowed, had):
            new_relations.append((source, role, target, role_texts[role]))
            if allowed[role] >= _NEEDED - _ROUNDING:
                total += n * allowed[role] - 1
    return GraphTriples(pivot.n_nodes, pivot.root, new_unary, new_relations), total


def _winners(votes: dict[int, float], had: list[int], *, single: bool = False) -> list[int]:
    """The labels that stand in a place: the one with most votes if these are enough, else those the pivot had.

    Where several have enough votes, all of them stand there, unless there can be only one.
    """
    enough = [label for label in votes if votes[label] >= _NEEDED - _ROUNDING]
    if not enough:
        return had
    if single:
        return [max(enough, key=votes.__getitem__)]
    return enough
