"""What a why-page shows of a pair, as plain lists for JSON: the graphs, and which of their parts match.

Graphs are those that the metric compares (``metric.standardized``). Their triples go by number, in the order of the
text, so that what matches can be said in numbers. A graph is ``{"v": names of variables, "r": root, "t": triples}``; a
triple is ``[kind, source, role, target]`` with the kinds of :mod:`fastmatch.graphs.notation` and variables by number.
The kind of a relation also says at which end it is written, and whether it opens the node at the other (``OPENS``).

Evidence is an object with one of these keys:

=====  =================================================================================================================
``m``  a map of variables: for each of the prediction its partner or −1; ``p`` and ``g`` say of each triple which triple
       of the other graph it matches (:data:`UNMATCHED`, :data:`NOT_COUNTED`), ``top`` the same of both roots; ``a``,
       if there are any, pairs of variables from which the alignment was made: AnCast's anchors
``f``  flows ``[predicted node, gold node, part of the node that moves, distance]``; ``p`` and ``g`` are the nodes, each
       the number of the triple that names it
``s``  features ``[group, text, number in both, places in the prediction, places in the gold graph]``; a place is the
       list of the triples that make the feature
=====  =================================================================================================================
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from fastmatch.graphs.building import numbers_of
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.notation import ATTRIBUTE, INSTANCE, INVERTED, RELATION, bare
from fastmatch.metrics.base import Metric
from fastmatch.results.alignment import Alignment, Explanation
from fastmatch.results.flow import Node
from fastmatch.results.pairs import PairScores
from fastmatch.types import Triple

#: A graph as plain lists.
Record = dict[str, Any]

#: What stands for the partner of a triple that has none, and of one that the metric does not compare.
UNMATCHED, NOT_COUNTED = -1, -2
#: What is added to the kind of a relation that opens a node.
OPENS = 2


def graph_record(corpus: Corpus, g: int) -> Record:
    """Graph ``g`` as plain lists; see the top of this module. O(T log T) for T triples."""
    graph = corpus[g]
    root, ends = numbers_of(graph)
    triples = [
        [kind, start, role, end if kind >= RELATION else target]
        for (_, role, target), kind, (start, end) in zip(graph.triples, graph._kinds, ends, strict=True)
    ]
    return {"v": list(graph.variables), "r": root, "t": _as_tree(triples, root, len(graph.variables))}


def _as_tree(triples: list[list[Any]], root: int, n: int) -> list[list[Any]]:
    """The triples of a graph of ``n`` variables, with :data:`OPENS` where a relation opens a node.

    It does if the instance of that node comes next; where this reaches not all (graphs that were rewritten), a tree is
    looked for breadth first, and its relations are written at the upper end.
    """
    found: list[tuple[int, int]] = []
    seen = {root} if root >= 0 else set()
    for k, (kind, source, _, target) in enumerate(triples[:-1]):
        here, other = (target, source) if kind == INVERTED else (source, target)
        if kind >= RELATION and other not in seen and here in seen and triples[k + 1][:2] == [INSTANCE, other]:
            found.append((k, kind))
            seen.add(other)
    if len(seen) < n:
        found, seen = [], set()
        touching: list[list[int]] = [[] for _ in range(n)]
        for k, (kind, source, _, target) in enumerate(triples):
            if kind >= RELATION:
                for end in {source, target}:
                    touching[end].append(k)
        for start in [root, *range(n)]:
            if start < 0 or start in seen:
                continue
            seen.add(start)
            waiting = [start]
            for here in waiting:  # which grows meanwhile
                for k in touching[here]:
                    _, source, _, target = triples[k]
                    other = target if source == here else source
                    if other not in seen:
                        seen.add(other)
                        found.append((k, RELATION if source == here else INVERTED))
                        waiting.append(other)
    for k, kind in found:
        triples[k][0] = kind + OPENS
    return triples


def evidence(
    metric: Metric, pairs: PairScores, pred: Corpus, gold: Corpus, k: int, records: tuple[Record, Record]
) -> dict[str, Any]:
    """What the metric can show of pair ``k``; nothing if it aligns nothing and names no features.

    Parameters
    ----------
    metric : Metric
    pairs : PairScores
        With the maps of variables, if the metric makes them.
    pred, gold : Corpus
        As ``metric.standardized`` gives them.
    k : int
    records : (dict, dict)
        The graph records of the two.
    """
    if metric.aligns == "map":
        mapping = pairs.mapping_of(k)
        anchors = metric.first_anchors(pred, gold, k, k)
        found = {"m": mapping.tolist(), **_matches(metric, metric.explain(pred, gold, k, k, mapping), *records)}
        return {**found, "a": anchors} if anchors else found
    if metric.aligns == "flow":
        return _flows(metric, pred, gold, k, records)
    features = metric.named_features(pred, gold, k, k)
    return {} if features is None else {"s": [list(row) for row in features]}


def alignment_evidence(alignment: Alignment, metric: Metric, pred: Record, gold: Record) -> dict[str, Any]:
    """The evidence that an alignment by ``metric`` is, of graphs with these records."""
    names = {name: number for number, name in reversed([*enumerate(gold["v"])])}
    mapping = alignment.mapping
    explanation = Explanation(
        tuple(alignment.matched_triples), tuple(alignment.unmatched_pred), tuple(alignment.unmatched_gold)
    )
    return {
        "m": [names.get(mapping[name], -1) if name in mapping else -1 for name in pred["v"]],
        **_matches(metric, explanation, pred, gold),
    }


def _matches(metric: Metric, explanation: Explanation, pred: Record, gold: Record) -> dict[str, Any]:
    """Which triple matches which, from triples of names."""
    top = getattr(metric, "top", "none")
    mine, theirs = _Numbers(pred, top), _Numbers(gold, top)
    # the last place is that of the root
    columns = {"p": [NOT_COUNTED] * (len(pred["t"]) + 1), "g": [NOT_COUNTED] * (len(gold["t"]) + 1)}
    for one, two in explanation.matched:
        here, there = mine.of(one), theirs.of(two)
        columns["p"][here], columns["g"][there] = there, here
    for name, numbers, triples in (("p", mine, explanation.unmatched_pred), ("g", theirs, explanation.unmatched_gold)):
        for triple in triples:
            columns[name][numbers.of(triple)] = UNMATCHED
    return {"top": [columns["p"].pop(), columns["g"].pop()], **columns}


class _Numbers:
    """The numbers of triples that are given by names: each once, equal ones in the order of the text.

    ``top`` says whether there is a triple for the root, and how it is written: "constant", "concept" or "none". A graph
    may have an attribute that is written as this triple is; then the triple for the root comes first.
    """

    def __init__(self, record: Record, top: str) -> None:
        names, root = record["v"], record["r"]
        self._root = len(record["t"])
        self._root_triple: Triple | None = None
        if top != "none" and root >= 0:
            concepts = (end for kind, v, _, end in record["t"] if kind == INSTANCE and v == root and end)
            self._root_triple = (names[root], ":TOP", "top" if top == "constant" else next(concepts, ""))
        self._waiting: dict[Triple, deque[int]] = {}
        for number, (kind, source, role, target) in enumerate(record["t"]):
            end = names[target] if kind >= RELATION else target
            self._waiting.setdefault((names[source], role, end), deque()).append(number)

    def of(self, triple: Triple) -> int:
        """The number of a triple; the triple that stands for the root comes behind all others."""
        if triple == self._root_triple:
            self._root_triple = None
            return self._root
        waiting = self._waiting.get(triple)
        return waiting.popleft() if waiting else self._root


def _flows(metric: Metric, pred: Corpus, gold: Corpus, k: int, records: tuple[Record, Record]) -> dict[str, Any]:
    found = metric.flow(pred[k : k + 1], gold[k : k + 1])
    assert found is not None  # the metric says that it aligns by flow
    return {
        "f": [[row.pred, row.gold, round(found.part_of(row), 4), round(row.cost, 4)] for row in found.flows],
        "d": round(found.distance, 6),
        "p": _node_triples(found.nodes_pred, records[0]),
        "g": _node_triples(found.nodes_gold, records[1]),
    }


def _node_triples(nodes: Sequence[Node], record: Record) -> list[int]:
    """For each node the triple that names it: the instance of a variable, the attribute that holds a constant.

    −1 where there is none. Constants come in the order of the text, in lower case or without quotes where the metric
    compares them so.
    """
    variables: dict[str | None, deque[int]] = {}
    constants: dict[str, deque[int]] = {}
    for number, (kind, source, _, target) in enumerate(record["t"]):
        if kind == INSTANCE:
            variables.setdefault(record["v"][source], deque()).append(number)
        elif kind == ATTRIBUTE:
            constants.setdefault(bare(target), deque()).append(number)
    places = []
    for node in nodes:
        waiting = constants.get(bare(node.label)) if node.variable is None else variables.get(node.variable)
        places.append(waiting.popleft() if waiting else -1)
    return places
