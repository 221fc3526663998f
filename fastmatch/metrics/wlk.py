"""WLK: the Weisfeiler-Leman kernel (Opitz, Daza and Frank, 2021, "Weisfeiler-Leman in the BAMBOO", section 3.1).

In each of ``k`` rounds every node gets a new label, made of its label and those of its neighbours; nodes are variables
and constants. A graph is the bag of all labels that its nodes had in any round
(:mod:`fastmatch._ext.features.neighbourhoods`), and the score of a pair is the cosine of the counts in the two bags.
There is no micro score: the score of a corpus is the mean over its pairs.

The default follows the paper: labels are counted, all rounds have the same weight, and every node gets its own new
label, so that a score depends on the two graphs alone. Graphs are read as penman does, labels are compared in lower
case and without surrounding quotes, ``(a :domain b)`` is ``(b :mod a)``, a repeated triple counts once.
``preset="tool"`` is the published program (``weisfeiler-leman-amr-metrics`` 0.4): whether a label occurs counts instead
of how often, round i has the weight 1 / (1 + i), triples stand beside the labels, and all nodes of one label get one
new label, which makes scores depend on the order of nodes: there it changes with Python's hash seed, here it is
alphabetical (:mod:`fastmatch._ext.graphs.labelled_program`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.features.keys import label_keys
from fastmatch._ext.features.neighbourhoods import label_bags
from fastmatch._ext.features.sets import FeatureSets, count_shared
from fastmatch._ext.index.formulas import OverlapScorer, RatioScorer
from fastmatch.graphs.corpus import Corpus
from fastmatch.metrics.contract.metric import Metric
from fastmatch.metrics.contract.required import PairRange
from fastmatch.metrics.feature_lists import FeatureLists
from fastmatch.metrics.options import common, keys_of, option
from fastmatch.metrics.registry import register
from fastmatch.metrics.shared import labels as _features
from fastmatch.metrics.shared.naming import NamedGraph, compared, named_graph, program_graph
from fastmatch.results.features import NamedFeature
from fastmatch.results.pairs import PairScores
from fastmatch.types import Dialect, FloatArray, Int32Array

_DIRECTIONS = ("undirected", "top-down", "bottom-up", "2-way")


class LabelBags(NamedTuple):
    """Labels that the nodes of graphs had.

    Attributes
    ----------
    bags : FeatureSets
        With a level for each round.
    sizes : float64[n_graphs]
        The overlap of each graph with itself.
    """

    bags: FeatureSets
    sizes: FloatArray


#: Characters of a label of a node with its neighbours that are written out for people.
_LONGEST = 400


@register("wlk")
@dataclass(frozen=True)
class Wlk(_features.ToolReads, Metric[LabelBags]):
    """WLK with its options.

    Attributes
    ----------
    k : int
        Rounds, 0 to 100.
    direction : {"undirected", "top-down", "bottom-up", "2-way"}
        Whose labels enter a node's new label: those of sources and targets of its edges; of sources; of targets; of
        both, with a mark that tells them apart.
    kernel : {"cosine", "minmax", "dot"}
        ⟨a, b⟩ / (|a| |b|); Σ min(a, b) / Σ max(a, b); or the bare product, which is no fraction.
    weighting : {"uniform", "linear"}
        Factor of the counts of round i: 1 or 1 / (1 + i).
    counting : {"bag", "set"}
        What counts of a label: how often it occurs, or whether it does.
    edges : bool
        Whether (label, role, label) of every edge stands beside the labels of round 0.
    update : {"node", "label"}
        Whether each node gets its own new label, or all nodes of one label get that of the last of them.
    keys : {"hashed", "exact"}
        What stands for a label: a 64-bit hash, or a number from a table.
    effort : {"minimal", "low", "default", "high", "proof"}
        Taken, as by every metric, and without effect: a graph takes time in proportion to its edges and ``k``.
    standard : {"default", "tool"}
        Reading and labels as said above, or as in the program.
    """

    presets: ClassVar = {
        "tool": {"standard": "tool", "weighting": "linear", "counting": "set", "edges": True, "update": "label"}
    }
    statistics: ClassVar[tuple[str, ...]] = ("shared", "size_pred", "size_gold")
    counts: ClassVar[bool] = False
    summable: ClassVar[bool] = False

    k: int = option(2, "rounds in which nodes take in their neighbours", limits=(0, 100))
    direction: str = option("undirected", "which neighbours a node takes in", choices=_DIRECTIONS)
    kernel: str = option("cosine", "how two bags of labels are compared", choices=("cosine", "minmax", "dot"))
    weighting: str = option("uniform", "weights of the rounds: 1, or 1 / (1 + i)", choices=("uniform", "linear"))
    counting: str = option("bag", "how often a label occurs, or whether", choices=("bag", "set"))
    edges: bool = option(False, "(label, role, label) of every edge beside the labels of round 0")
    update: str = option("node", "what new labels belong to", choices=("node", "label"))
    keys: str = option("hashed", _features.KEYS_HELP, choices=_features.KEYS)
    effort: str = common("effort")
    standard: str = option("default", "reading and labels", choices=("default", "tool"))

    symmetric = True

    @property
    def bounded(self) -> bool:
        return self.kernel != "dot"

    def combine(self, statistics: NDArray[Any]) -> dict[str, FloatArray]:
        """The kernel, from the overlap and both graphs' overlaps with themselves; two empty graphs are equal."""
        shared, pred, gold = np.asarray(statistics, np.float64)
        if self.kernel == "dot":
            return {"dot": shared}
        divisor = np.sqrt(pred * gold) if self.kernel == "cosine" else pred + gold - shared
        return {self.kernel: np.divide(shared, divisor, out=np.asarray(pred == gold, np.float64), where=divisor > 0)}

    @property
    def _weights(self) -> list[float]:
        """Factor of each round's overlap: that of the counts, or its square where products of counts are summed."""
        power = 0 if self.weighting == "uniform" else 1 if self.kernel == "minmax" else 2
        return [(1 + i) ** -power for i in range(self.k + 1)]

    def _weighed(self, overlaps: Sequence[NDArray[Any]] | NDArray[Any]) -> FloatArray:
        """Weighted sum over the rounds, which are the first axis; always in the same order."""
        total = np.zeros(np.shape(overlaps[0]))
        for weight, overlap in zip(self._weights, overlaps, strict=True):
            total += weight * overlap
        return total

    def prepare(self, corpus: Corpus) -> LabelBags:
        """Labels of every graph's nodes in every round; O(k · (N + E log D)) for N nodes and E edges, D at one node."""
        tool, exact = self.standard == "tool", self.keys == "exact"
        corpus = corpus if tool else _features.without_domain(corpus)
        graphs = _features.labelled_graphs(corpus, tool=tool)
        same = np.arange(len(corpus.vocabulary), dtype=np.int32)  # labels and roles of the graphs are folded
        interner = corpus.vocabulary.interner
        keys = label_keys(interner, same, (graphs[1], graphs[3][1]), exact)
        bags = label_bags(
            *graphs,
            keys,
            keys,
            rounds=self.k,
            down=self.direction != "bottom-up",
            up=self.direction != "top-down",
            mark_turned=self.direction == "2-way",
            triples=self.edges,
            counted=self.counting == "bag",
            by_label=self.update == "label",
            table=_features.join_table(corpus, self.keys),
        )
        return LabelBags(bags, self._weighed(bags.squares if self._product else bags.totals))

    @property
    def _product(self) -> bool:
        return self.kernel != "minmax" and self.counting == "bag"

    def costs(self, pred: LabelBags, gold: LabelBags, index_pred: Int32Array, index_gold: Int32Array) -> FloatArray:
        sizes = pred.bags.totals.sum(axis=0)[index_pred] + gold.bags.totals.sum(axis=0)[index_gold]
        return np.asarray(2e-9 * sizes + 5e-8, np.float64)

    def score(self, pred: LabelBags, gold: LabelBags, pairs: PairRange, out: PairScores) -> None:
        i, j = pairs.graphs
        shared = np.zeros((self.k + 1, len(i)), np.int64)
        count_shared(pred.bags, gold.bags, (i, j, 0, len(i), pairs.cancel), shared, self._product, nested=True)
        rows = out.statistics[:, pairs.places]
        rows[0] = self._weighed(shared)
        np.take(pred.sizes, i, out=rows[1])
        np.take(gold.sizes, j, out=rows[2])

    def named_features(self, pred: Corpus, gold: Corpus, i: int, j: int) -> list[NamedFeature] | None:
        """The labels of all nodes, round by round."""
        made = program_graph if self.standard == "tool" else named_graph
        sides = ((pred, i), (gold, j))
        return compared(*(self._named_labels(made(*side)) for side in sides), sets=self.counting == "set")

    def _named_labels(self, graph: NamedGraph) -> Iterator[tuple[str, str, tuple[int, ...]]]:
        """Every node in every round: a label with those that it took in, and the triples that it has seen."""
        labels, seen = list(graph.labels), [frozenset((triple,)) for triple in graph.triples]
        if self.edges:
            for source, role, target, triple, _ in graph.edges:
                yield "round 0", f"{labels[source]} | {role} | {labels[target]}", (triple,)
        for number in range(self.k + 1):
            group = f"round {number}"
            yield from ((group, label, tuple(sorted(places))) for label, places in zip(labels, seen, strict=True))
            received: list[list[tuple[str, str]]] = [[] for _ in labels]
            reached = list(seen)
            for source, role, target, triple, _ in graph.edges:
                ends = []
                if self.direction != "top-down":
                    ends.append((source, target, role))
                if self.direction != "bottom-up":
                    ends.append((target, source, f"{role}-of" if self.direction == "2-way" else role))
                for node, other, name in ends:
                    received[node].append((name, labels[other]))
                    reached[node] = reached[node] | seen[other] | {triple}
            seen = reached
            renewed = [_label_with(label, others) for label, others in zip(labels, received, strict=True)]
            if self.update == "label":
                of_label = dict(zip(labels, renewed, strict=True))  # that of the last node stays
                renewed = [of_label[label] for label in labels]
            labels = renewed

    def overlaps(self, prepared: LabelBags) -> tuple[FeatureLists, ...]:
        """The labels of each round."""
        kind = "dot" if self._product else "bag" if self.counting == "bag" else "set"
        return _features.level_lists(prepared.bags, kind)

    def overlap_scorer(self, pred: LabelBags, gold: LabelBags) -> OverlapScorer:
        formula = "jaccard" if self.kernel == "minmax" else self.kernel
        return RatioScorer(formula, np.array(self._weights, np.float64), pred.sizes, gold.sizes)

    tool_dialect: ClassVar[Dialect] = "wlk"
    signature_names: ClassVar = keys_of("k direction kernel weighting counting edges update keys std=standard")

    def without_effect(self) -> frozenset[str]:
        return frozenset(("effort",))


def _label_with(label: str, others: list[tuple[str, str]]) -> str:
    """A node's new label; a long one ends in a digest, so that different labels have different names."""
    if not others:
        return f"{label} ()"
    text = f"{label} ({', '.join(f'{role} {other}' for role, other in sorted(others))})"
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST]}… {sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
