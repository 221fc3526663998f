"""Sema: triples that match by the concepts at their ends (Anchiêta, Cabezudo and Pardo, 2019, "SEMA: an extended
semantic evaluation metric for AMR").

A relation matches one with the same role between the same concepts, an attribute one with the same role and value on
the same concept, a concept only where a matching relation touches it or at the root; precision, recall and F1 count
matches against all instances, attributes and relations, the root's TOP excepted.

The published program (``rafaelanchieta/sema``, ``preset="tool"``) counts some of these twice and lets one gold triple
match many, so that its scores can exceed 1. By default the number of matches is, for each kind of relation, each kind
of attribute, and each concept (of variables that a matching relation touches), the smaller of its numbers in the two
graphs. That is symmetric, at most 1, and 1 for equal graphs. Graphs are then read as penman does, labels are compared
in lower case and without surrounding quotes, ``(a :domain b)`` is ``(b :mod a)``, and a repeated triple counts once.

``preset="bamboo"`` is the program as it was until October 2024, commit 9a4911c, which remembers triples of the gold
graph, not of the prediction, as visited. BAMBOO's published rows were made with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from fastmatch._ext.features.concept_triples import ConceptTriples, concept_triples, match_concept_triples
from fastmatch.graphs.corpus import Corpus
from fastmatch.metrics.contract.metric import Metric
from fastmatch.metrics.contract.required import PairRange
from fastmatch.metrics.feature_lists import FeatureLists
from fastmatch.metrics.options import common, keys_of, option
from fastmatch.metrics.registry import register
from fastmatch.metrics.row_bounds import OverlapBounds, RowBounds
from fastmatch.metrics.shared import labels as _features
from fastmatch.metrics.shared.naming import Edge, NamedGraph, compared, labelled_graph, named_graph, parts_of
from fastmatch.results.features import NamedFeature
from fastmatch.results.pairs import TripleScores
from fastmatch.types import Dialect, FloatArray, Int32Array, Int64Array


@register("sema")
@dataclass(frozen=True)
class Sema(_features.ToolReads, Metric["ConceptTriples"]):
    """Sema with its options.

    Attributes
    ----------
    keys : {"hashed", "exact"}
        What stands for a triple's labels: a 64-bit hash, or a number from a table.
    effort : {"minimal", "low", "default", "high", "proof"}
        Taken, as by every metric, and without effect: a pair takes time in proportion to its triples.
    standard : {"default", "tool", "tool-9a4911c"}
        Counting and reading as said above, as in today's program, or as in its commit 9a4911c.
    """

    presets: ClassVar = {"tool": {"standard": "tool"}, "bamboo": {"standard": "tool-9a4911c"}}

    keys: str = option("hashed", _features.KEYS_HELP, choices=_features.KEYS)
    effort: str = common("effort")
    standard: str = option("default", "counting, labels and reading", choices=("default", "tool", "tool-9a4911c"))

    @property
    def symmetric(self) -> bool:
        return self.standard == "default"

    @property
    def bounded(self) -> bool:
        return self.standard == "default"

    def prepare(self, corpus: Corpus) -> ConceptTriples:
        """Keys of the triples of every graph; O(T log T) for a graph of T triples."""
        vocabulary, tool = corpus.vocabulary, self.standard != "default"
        corpus = corpus if tool else _features.without_domain(corpus)
        fold = np.arange(len(vocabulary), dtype=np.int32) if tool else vocabulary.fold(_features.FOLD)
        keys, table = _features.keys(corpus, fold, self.keys == "exact"), _features.join_table(corpus, self.keys)
        top_role = vocabulary.lookup(":TOP") if tool else -2
        return concept_triples(corpus.columns, keys, published=tool, top_role=top_role, table=table)

    def sizes(self, prepared: ConceptTriples) -> Int64Array:
        return prepared.n_triples

    def costs(
        self, pred: ConceptTriples, gold: ConceptTriples, index_pred: Int32Array, index_gold: Int32Array
    ) -> FloatArray:
        return np.asarray(4e-9 * (pred.n_triples[index_pred] + gold.n_triples[index_gold]) + 5e-8, np.float64)

    def score(self, pred: ConceptTriples, gold: ConceptTriples, pairs: PairRange, out: TripleScores) -> None:
        published, in_gold = self.standard != "default", self.standard == "tool-9a4911c"
        match_concept_triples(pred, gold, pairs, out.matched, published=published, in_gold=in_gold)

    def named_features(self, pred: Corpus, gold: Corpus, i: int, j: int) -> list[NamedFeature] | None:
        """Relations and attributes with the concepts at their ends, and the concepts that count.

        A concept counts where a relation touches it that both graphs have, where none touches it, and at the root if
        the roots are equal; others are left out. Of the published program ``shared`` is how often it counts a feature:
        one triple may match many.
        """
        if self.standard != "default":
            one, two = (_program_graph(*side) for side in ((pred, i), (gold, j)))
            return _program_rows(one, two, in_gold=self.standard == "tool-9a4911c")
        sides = [named_graph(pred, i), named_graph(gold, j)]
        kinds = [{(g.labels[e.source], e.role, g.labels[e.target]) for e in g.edges if not e.constant} for g in sides]
        common = kinds[0] & kinds[1]
        one, two = sides
        same_root = one.root >= 0 and two.root >= 0 and one.labels[one.root] == two.labels[two.root]
        return compared(*(_named_triples(side, common, same_root) for side in sides))

    def bounds(self, pred: ConceptTriples, gold: ConceptTriples) -> RowBounds | None:
        """None for the published program, in which one triple may match many."""
        if self.standard != "default":
            return None
        mine = self._counted(pred)
        return OverlapBounds(mine, mine if pred is gold else self._counted(gold))

    def _counted(self, prepared: ConceptTriples) -> FeatureLists:
        """Concepts, relations and attributes by their labels, counted: no more of each can match than both have."""
        totals, _, variables, concepts, _, *rest = prepared.arrays
        relations, relation_keys, places, _, attributes, attribute_keys, attribute_counts = rest
        graphs = np.arange(len(totals))
        owners, keys = [], []
        tables = ((variables, concepts, None), (relations, relation_keys, np.diff(places)))
        for offsets, labels, copies in (*tables, (attributes, attribute_keys, attribute_counts)):
            owner, label = np.repeat(graphs, np.diff(offsets)), np.asarray(labels[: offsets[-1]]).view(np.int64)
            owners.append(owner if copies is None else np.repeat(owner, copies[: len(owner)]))
            keys.append(label if copies is None else np.repeat(label, copies[: len(label)]))
        lists = FeatureLists.of(np.concatenate(owners), np.concatenate(keys), len(graphs), measure="dice")
        return replace(lists, sizes=totals.astype(np.float64))

    tool_dialect: ClassVar[Dialect] = "sema"
    signature_names: ClassVar = keys_of("keys std=standard")

    def without_effect(self) -> frozenset[str]:
        return frozenset(("effort",))


def _program_graph(corpus: Corpus, g: int) -> NamedGraph:
    """Graph ``g`` with the labels of the published program, and its triple for the root."""
    same = np.arange(len(corpus.vocabulary), dtype=np.int32)
    graph = labelled_graph(corpus, g, same, same, same)
    role = corpus.vocabulary.lookup(":TOP")
    tops = [
        (value, number)
        for source, label, value, number in parts_of(corpus, g).attributes
        if (source, label) == (0, role)
    ]
    for edge in graph.edges:
        if edge.constant and edge.source == 0 and edge.role == ":TOP":
            again = next((number for value, number in tops[1:] if value == tops[0][0]), None)
            if again is not None:  # the program replaces the first of two equal attributes, and the other one stays
                graph.edges.append(Edge(0, ":TOP", len(graph.labels), again, True))
                graph.labels.append(graph.labels[edge.target])
                graph.triples.append(again)
            graph.labels[edge.target] = graph.labels[0]
            break
    return graph


def _program_rows(pred: NamedGraph, gold: NamedGraph, *, in_gold: bool) -> list[NamedFeature]:
    """What the program compares, and how often it counts it; ``in_gold`` as in its commit 9a4911c."""
    sides = (pred, gold)
    relations: tuple[dict[str, list[Edge]], ...] = ({}, {})
    attributes: tuple[dict[str, dict[int, tuple[int, ...]]], ...] = ({}, {})
    for side, graph in enumerate(sides):
        labels, triples = graph.labels, graph.triples
        for edge in graph.edges:
            text = f"{labels[edge.source]} {edge.role} {labels[edge.target]}"
            if edge.constant:
                attributes[side].setdefault(text, {}).setdefault(edge.source, (edge.triple, triples[edge.source]))
            else:
                relations[side].setdefault(text, []).append(edge)
        for variable, concept, triple in graph.further:
            text = f"{labels[variable]} / {concept}"
            attributes[side].setdefault(text, {}).setdefault(variable, (triple, triples[variable]))

    def placed(side: int, *numbers: int) -> tuple[int, ...]:
        return tuple(sorted({number for number in numbers if number >= 0}))

    rows = []
    counting = int(in_gold)
    reached: tuple[set[int], set[int]] = (set(), set())
    ends: set[tuple[int, int]] = set()
    for text in {**relations[0], **relations[1]}:
        found = [side.get(text, []) for side in relations]
        shared = 0
        if all(found):
            for side in (0, 1):
                reached[side].update(end for edge in found[side] for end in (edge.source, edge.target))
            new = {(edge.source, edge.target) for edge in found[counting]} - ends
            ends |= new
            shared = len(new)
        places = [
            tuple(
                placed(k, edge.triple, sides[k].triples[edge.source], sides[k].triples[edge.target])
                for edge in found[k]
            )
            for k in (0, 1)
        ]
        rows.append(NamedFeature("relations", text, shared, *places))
    for text in {**attributes[0], **attributes[1]}:
        here, there = (side.get(text, {}) for side in attributes)
        shared = len(there) if here else 0
        both = [tuple(placed(k, *numbers) for numbers in found.values()) for k, found in enumerate((here, there))]
        rows.append(NamedFeature("attributes", text, shared, *both))
    counted: tuple[dict[str, list[int]], ...] = ({}, {})
    for side in (0, 1):
        for variable in sorted(reached[side]):
            counted[side].setdefault(sides[side].labels[variable], []).append(variable)
    for text in {**counted[0], **counted[1]}:
        found_at = [
            tuple(placed(k, sides[k].triples[variable]) for variable in counted[k].get(text, [])) for k in (0, 1)
        ]
        rows.append(NamedFeature("concepts", text, len(found_at[counting]), *found_at))
    roots = [graph.labels[graph.root] if graph.root >= 0 else None for graph in sides]
    if roots[0] == roots[1]:
        tops = [(placed(k, sides[k].triples[sides[k].root]),) if sides[k].root >= 0 else () for k in (0, 1)]
        again = in_gold and gold.root in reached[1]
        rows.append(NamedFeature("root", roots[0] or "no root", 0 if again else 1, *tops))
    return rows


def _named_triples(
    graph: NamedGraph, common: Set[tuple[str, str, str]], same_root: bool
) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    labels, relations = graph.labels, [edge for edge in graph.edges if not edge.constant]
    alone = set(range(graph.n_variables)).difference(*((edge.source, edge.target) for edge in relations))
    counted = alone | {graph.root} if same_root else alone
    for edge in relations:
        kind = labels[edge.source], edge.role, labels[edge.target]
        yield "relations", " ".join(kind), (edge.triple, graph.triples[edge.source], graph.triples[edge.target])
        if kind in common:
            counted |= {edge.source, edge.target}
    for edge in graph.edges:
        if edge.constant:
            text = f"{labels[edge.source]} {edge.role} {labels[edge.target]}"
            yield "attributes", text, (edge.triple, graph.triples[edge.source])
    for variable in range(graph.n_variables):
        if variable in counted:
            yield "concepts", labels[variable], (graph.triples[variable],)
