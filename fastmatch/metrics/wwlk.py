"""WWLK: the distance that the nodes of one graph, as vectors of their contexts, must move to become those of the other.

Opitz, Daza and Frank (2021), "Weisfeiler-Leman in the BAMBOO", sections 3.2 and 3.3, after Togninalli et al. (2019).
Every node begins with the word vector of its label. In each of ``k`` rounds the vectors of its neighbours are added to
it, weighted by the roles between them. The vectors after each round, one behind the other and scaled to length 1, are
the embedding of the node. The score of two graphs is 1 − the Wasserstein distance between their nodes, which is found
exactly; the flow that attains it is an n:m alignment of the nodes.

Nodes are variables, labelled with their concepts, and constants, one for each attribute
(:mod:`fastmatch._ext.graphs.labelled`). How a label becomes words, and what a word without a vector gets, is in
:mod:`fastmatch._ext.transport.labels`; the formulas are in :mod:`fastmatch._ext.transport.contexts` and
:mod:`fastmatch._ext.transport.score`. Random numbers depend on the seed and on the text that they are drawn for, and on
nothing else, so the score of a pair is the same in every file, in every order, on every machine.

``preset="tool"`` does what weisfeiler-leman-amr-metrics 0.4 does, see ``docs/wwlk.md``. The program's random numbers
change with Python's hash seed and cannot be reproduced, so scores are equal to its own only where it draws none:
with ``edge_weights="constant"`` and vectors for all labels.

A score can be negative, since unrelated vectors are more than 1 apart. By default such a score becomes 0 (``clip``), as
the scores of all metrics here are fractions; the distance itself is among the statistics.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.transport.contexts import NodeSpace
from fastmatch._ext.transport.labels import draw_vectors, draw_weights, label_vectors, text_keys
from fastmatch._ext.transport.score import plan, score_pairs
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.vocabulary import distinct
from fastmatch.metrics.contract.metric import Metric
from fastmatch.metrics.contract.required import PairRange
from fastmatch.metrics.embeddings.vectors import Embeddings, loaded_vectors
from fastmatch.metrics.options import common, keys_of, option
from fastmatch.metrics.registry import register
from fastmatch.metrics.row_bounds import Bounds, NearestSums, Nodes, RowBounds, raised
from fastmatch.metrics.run import run
from fastmatch.metrics.shared import labels as _features
from fastmatch.metrics.shared.search import Sharing
from fastmatch.results.flow import FlowAlignment, Node, check_room
from fastmatch.results.pairs import PairScores
from fastmatch.results.signature import Value
from fastmatch.runtime.files import version
from fastmatch.types import BoolArray, Dialect, FloatArray, Int32Array, Int64Array

#: Dimensions of the drawn vectors if there are no others, as many as those that the paper uses.
DIMENSION = 100

#: Work of the transport of a pair by the option ``effort``: cells of the cost matrix looked at (0.4 ns each), or for
#: large matrices so many for each of their cells. Distances between random points of 100 dimensions need up to 60 a
#: cell for 300 nodes, 250 for 2,000.
_WORK = {
    "minimal": (10**7, 4),
    "low": (5 * 10**7, 16),
    "default": (2 * 10**9, 250),
    "high": (10**11, 20_000),
    "proof": (2**62, 0),
}
#: Distances between nodes that a pair may keep in memory, 8 bytes each, by the option ``effort``.
_ROOM = {"minimal": 24 * 10**6, "low": 24 * 10**6, "default": 24 * 10**6, "high": 2 * 10**9, "proof": 2**40}

#: Radii of nodes around the centre of their label are multiples of one so many-th; graphs whose nodes are embedded at
#: a time.
_STEPS = 64
_GRAPHS = 2048

_WEIGHTS = ("min_entropy", "entropy", "uniform", "constant", "ones")
_CANDIDATES = {"min_entropy": 10, "entropy": 10, "uniform": 1}
#: exp(sum of w ln w / sum of w) over the weights of many roles, of which each is the draw of ten with the least
#: entropy.
_CENTRE = 0.2735
_EDGES = ("weights", "nodes")
_DIRECTIONS = ("undirected", "top-down", "bottom-up", "2-way")


@register("wwlk")
@dataclass(frozen=True)
class Wwlk(_features.ToolReads, Metric["NodeSpace"], Sharing):
    """WWLK with its options.

    Attributes
    ----------
    embeddings : path, Embeddings or None
        Word vectors in GloVe's text format. None draws a vector for every label, so that only equal labels are similar.
    k : int
        Rounds of contextualisation, 0 to 100.
    edge_weights : {"min_entropy", "entropy", "uniform", "constant", "ones"}
        Where the weights of roles come from. ``min_entropy``: the smallest of ten draws from [0.2, 0.35) for each role,
        which is what the program's rule of least entropy does; ``entropy``: the one of ten draws with which the entropy
        of all weights is least, which is what the rule is meant to do; ``uniform``: one draw; ``constant``: 0.2;
        ``ones``: 1.
    weights : path or None
        A file of weights written by ``train wwlk``; roles that it lacks are drawn as ``edge_weights`` says.
    edges : {"weights", "nodes"}
        What a role becomes: the weight of its edge, or a node in the middle of the edge, with the role as its label;
        all edges have the role ``:edge`` then.
    direction : {"undirected", "top-down", "bottom-up", "2-way"}
        Which neighbours are added to a node: sources and targets of its edges; sources; targets; both, where a role
        that is turned around has a weight of its own.
    update : {"paper", "tool"}
        ``paper``: half of a node plus half of the mean over its edges. ``tool``: the two are not halved, and edges
        between the same two nodes are one edge with the product of their weights.
    oov : {"hash", "zero"}
        Vectors of labels without one: drawn from the label and the seed, uniform in [-0.05, 0.05); or 0.
    seed : int
        Of all draws, ≥ 0.
    stability : int
        Additional draws of weights and vectors: distances between nodes are means over 1 + ``stability`` draws.
    variant : {"similarity", "precision", "recall"}
        The headline. ``precision``: 1 − the mean distance from a predicted node to the nearest gold one; ``recall`` the
        other way round.
    clip : bool
        Scores below 0 become 0.
    standard : {"default", "tool"}
        Graphs as penman reads them, or as the tool reads and builds them.
    effort : {"minimal", "low", "default", "high", "proof"}
        Limit of the work of a pair's transport. Beyond it the distance is that of the flow found so far, which is at
        least the true distance, and the pair is not ``certified``. No limit (``proof``) is ever needed in practice.
    """

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"tool": {"standard": "tool", "update": "tool", "clip": False}}
    statistics: ClassVar[tuple[str, ...]] = ("distance", "distance_pred", "distance_gold")
    counts: ClassVar[bool] = False
    summable: ClassVar[bool] = False

    embeddings: str | os.PathLike[str] | Embeddings | None = option(
        None, "file of word vectors, in GloVe's text format", takes="vectors"
    )
    k: int = option(2, "rounds in which nodes take in their neighbours", limits=(0, 100))
    edge_weights: str = option("min_entropy", "where roles have their weights from", choices=_WEIGHTS)
    weights: str | os.PathLike[str] | None = option(
        None, "file of role weights, as train wwlk writes it", takes="weights"
    )
    edges: str = option("weights", "what a role is: a weight of an edge, or a node in its middle", choices=_EDGES)
    direction: str = option("undirected", "which neighbours a node takes in", choices=_DIRECTIONS)
    update: str = option("paper", "how it takes them in", choices=("paper", "tool"))
    oov: str = option(
        "hash", "vectors of labels that have none: drawn from the label, or zero", choices=("hash", "zero")
    )
    seed: int = option(0, "seed of all draws", limits=(0, 2**63 - 1))
    stability: int = option(0, "further draws of weights and vectors to average distances over", limits=(0, 1000))
    variant: str = option("similarity", "the headline score", choices=("similarity", "precision", "recall"))
    clip: bool = option(True, "scores below 0 become 0")
    standard: str = option("default", "how graphs are read and built", choices=("default", "tool"))
    effort: str = common("effort")

    def combine(self, statistics: NDArray[Any]) -> dict[str, FloatArray]:
        """1 − distance: ``similarity``, ``precision``, ``recall``, the headline first."""
        scores = 1.0 - np.asarray(statistics, np.float64)
        if self.clip:
            scores = np.maximum(scores, 0.0)
        named = dict(zip(("similarity", "precision", "recall"), scores, strict=True))
        return {self.variant: named.pop(self.variant), **named}

    @property
    def symmetric(self) -> bool:
        """True of the distance, not of precision and recall, which look for the nearest node in one direction."""
        return self.variant == "similarity"

    # ---- preparing ---------------------------------------------------------------------------------------------------

    def prepare(self, corpus: Corpus) -> NodeSpace:
        """Nodes and edges of every graph, the vectors of labels, and the lengths of the nodes' embeddings.

        All that depends on one graph alone is computed here; :mod:`fastmatch._ext.transport.contexts` says what of it
        is kept.
        """
        node_offsets, labels, edge_offsets, edges = self.graphs(corpus)
        roles, edges[1] = distinct(edges[1])
        texts = [corpus.vocabulary.text(role) for role in roles.tolist()]
        return self.space(corpus, (node_offsets, labels, edge_offsets, edges), self.role_weights(texts))

    def graphs(self, corpus: Corpus) -> tuple[Int64Array, Int32Array, Int64Array, Int32Array]:
        """Labelled graphs: what :func:`fastmatch._ext.graphs.labelled.node_graphs` returns."""
        graphs = _features.labelled_graphs(corpus, tool=self.standard == "tool")
        if self.edges == "weights":
            return graphs
        # A node in the middle of each edge, with the edge's label, behind the other nodes of its graph.
        node_offsets, nodes, edge_offsets, edges = graphs
        n_nodes, n_edges = np.diff(node_offsets), np.diff(edge_offsets)
        labels = np.empty(len(nodes) + edges.shape[1], np.int32)
        labels[np.arange(len(nodes)) + np.repeat(edge_offsets[:-1], n_nodes)] = nodes
        labels[np.arange(edges.shape[1]) + np.repeat(node_offsets[1:], n_edges)] = edges[1]
        middle = np.arange(edges.shape[1]) + np.repeat(n_nodes - edge_offsets[:-1], n_edges)
        halves = np.empty((3, edges.shape[1], 2), np.int32)
        halves[0, :, 0], halves[0, :, 1], halves[1] = edges[0], middle, corpus.vocabulary.id(":edge")
        halves[2, :, 0], halves[2, :, 1] = middle, edges[2]
        return node_offsets + edge_offsets, labels, 2 * edge_offsets, halves.reshape(3, -1)

    def space(
        self, corpus: Corpus, graphs: tuple[Int64Array, Int32Array, Int64Array, Int32Array], weights: FloatArray
    ) -> NodeSpace:
        """Labelled graphs with their vectors.

        Parameters
        ----------
        corpus : Corpus
        graphs : tuple of arrays
            What :meth:`graphs` returns; but each edge holds the number of its weight, not its role.
        weights : float64[draws, 2, n_weights]
            Along an edge, and against it.
        """

        node_offsets, node_labels, edge_offsets, edges = graphs
        ids, places = distinct(node_labels)
        text = corpus.vocabulary.interner.bytes
        texts = [text(label) if label >= 0 else b"" for label in ids.tolist()]
        loaded = loaded_vectors(self.embeddings)
        table = np.zeros((0, DIMENSION), np.float32) if loaded is None else loaded.vectors
        found = np.empty((len(ids), table.shape[1]))
        known, keys = label_vectors(texts, (lambda word: -1) if loaded is None else loaded.find, table, found)
        draws = 1 + self.stability
        if self.oov == "zero":
            drawn = np.zeros((draws, 0, table.shape[1]))
            rows = np.arange(len(ids), dtype=np.int32)
        else:
            drawn = draw_vectors(keys[known == 0], self.seed, draws, table.shape[1])
            found = found[known != 0]
            # known labels first, then the others
            rows = np.where(known, np.cumsum(known) - 1, len(found) + np.cumsum(known == 0) - 1).astype(np.int32)
        return NodeSpace(
            node_offsets,
            rows[places],
            edge_offsets,
            edges,
            found,
            drawn,
            weights,
            iterations=self.k,
            halve=self.update == "paper",
            multiply=self.update == "tool",
            down=self.direction != "bottom-up",
            up=self.direction != "top-down",
        )

    def role_weights(self, roles: list[str]) -> FloatArray:
        """Weights of folded roles, along the edge and against it: float64[draws, 2, len(roles)]."""
        draws = 1 + self.stability
        result = np.empty((draws, 2, len(roles)))
        ways = (roles, [f"{role}-of" for role in roles] if self.direction == "2-way" else roles)
        learnt = {} if self.weights is None else _learnt(*version(self.weights, "weights"))[0]
        for way, names in enumerate(ways):
            if self.edge_weights in ("constant", "ones"):
                result[:, way] = 0.2 if self.edge_weights == "constant" else 1.0
            else:
                keys = text_keys([name.encode("utf-8", "surrogatepass") for name in names])
                centre = _CENTRE if self.edge_weights == "entropy" else 0.0
                result[:, way] = draw_weights(keys, self.seed, draws, _CANDIDATES[self.edge_weights], centre=centre)
            for number, name in enumerate(names):
                if name in learnt:
                    result[:, way, number] = learnt[name]
        return result

    # ---- scoring -----------------------------------------------------------------------------------------------------

    def sizes(self, prepared: NodeSpace) -> Int64Array:
        """Nodes of each graph."""
        return prepared.n_nodes

    def costs(self, pred: NodeSpace, gold: NodeSpace, index_pred: Int32Array, index_gold: Int32Array) -> FloatArray:
        n, m = pred.n_nodes[index_pred].astype(np.float64), gold.n_nodes[index_gold].astype(np.float64)
        draws = 1 + self.stability
        # products of vectors in every round, embeddings where nodes are nearly equal, and a transport
        return draws * (n * m * 1e-8 + (n + m) * pred.dimension * 3e-10) + n * m * (n + m) ** 0.5 * 5e-9 + 1e-6

    def cut(self, prepared: NodeSpace) -> BoolArray:
        return np.zeros(len(prepared.n_nodes), np.bool_)  # the search for a pair may be cut short, no graph is

    def score(self, pred: NodeSpace, gold: NodeSpace, pairs: PairRange, out: PairScores) -> None:
        # a pair that is to have little work gets the cost of some flow
        for some, little in self.by_work(pairs, lambda: self.costs(pred, gold, *pairs.graphs)):
            self._score(pred, gold, some, out, 0 if little else _ROOM[self.effort])

    def _score(self, pred: NodeSpace, gold: NodeSpace, pairs: PairRange, out: PairScores, room: int) -> None:
        most, per_cell = _WORK[self.effort]
        score_pairs(
            pred,
            gold,
            pairs,
            out=out.statistics,
            limit=self._limit(pairs),
            most=most,
            most_per_cell=per_cell,
            whole=None if out.whole is None else out.whole.view(np.uint8),
            room=room,
        )

    def _limit(self, pairs: PairRange) -> float:
        """The distance above which distances of these pairs need not be exact."""
        if self._cutoff is None:
            return np.inf
        return 1.0 - float(np.min(self.cutoffs(pairs), initial=np.inf)) if self.variant == "similarity" else -np.inf

    def bounds(self, pred: NodeSpace, gold: NodeSpace) -> RowBounds:
        """No node moves for less than to the nearest one on the other side; labels tell roughly where that is."""
        return _NearestNodes(self, pred, gold)

    def reaching(self, cutoff: float | FloatArray) -> Self:
        """No transport where the nearest nodes are too far away already, and none if it does not make the headline."""
        return self.limited(cutoff)

    def flow(self, pred: Corpus, gold: Corpus) -> FlowAlignment:
        """The flow between the first graphs of two corpora."""
        self.check(pred.dialect)
        self.check(gold.dialect)
        spaces = self.prepare(pred), self.prepare(gold)
        check_room(*(int(self.sizes(space)[0]) for space in spaces))
        pairs = run(self, *spaces, *np.zeros((2, 1), np.int32))
        most, per_cell = _WORK[self.effort]
        cost, moved = plan(*spaces, 0, 0, most=most, most_per_cell=per_cell)
        return FlowAlignment(
            {name: column.item() for name, column in pairs.scores.items()},
            self._nodes(pred),
            self._nodes(gold),
            moved / moved.sum() if moved.size else moved.astype(np.float64),
            cost,
            self.signature(pred.dialect),
            pairs.whole is None or bool(pairs.whole[0]),
        )

    def _nodes(self, corpus: Corpus) -> tuple[Node, ...]:
        """Names of the nodes of the first graph, in the order in which :meth:`graphs` has them."""

        def text(id: int) -> str | None:
            return corpus.vocabulary.text(id) if id >= 0 else None

        offsets, labels = self.graphs(corpus)[:2]
        names = corpus.variable_names[: corpus.variable_offsets[1]].tolist()
        concepts = corpus.instances[:, : corpus.instance_offsets[1]].tolist()
        labelled = dict(zip(concepts[0], concepts[1], strict=True))
        order = list(range(len(names)))
        if self.standard == "tool":
            stops, _, _, _, places = _features.program_graphs(corpus)
            order = [v for v in places[: stops[1]].tolist() if v >= 0]
        variables = [Node(text(names[v]), text(labelled.get(v, -1))) for v in order]
        constants = labels[len(variables) : offsets[1]].tolist()
        return (*variables, *(Node(None, text(label)) for label in constants))

    tool_dialect: ClassVar[Dialect] = "smatchpp"
    signature_names: ClassVar = keys_of(
        "k vec#embeddings weights=edge_weights theta#weights edges dir=direction update oov draws=stability seed "
        "variant clip std=standard effort"
    )

    def fields(self, dialect: str) -> dict[str, Value]:
        return {**super().fields(dialect), "draws": 1 + self.stability}

    def digest(self, option: str) -> str | None:
        if option == "weights":
            assert self.weights is not None
            return _learnt(*version(self.weights, "weights"))[1]
        vectors = loaded_vectors(self.embeddings)
        return None if vectors is None else vectors.fingerprint

    @classmethod
    def options(cls, fields: Mapping[str, str]) -> dict[str, Any]:
        options = super().options(fields)
        return {**options, "stability": options["stability"] - 1}


class _NearestNodes(RowBounds):
    """1 − the mean distance of nodes to their nearest ones on the other side: the relaxed transport, and that rounded.

    The nodes of one label are near each other, as labels weigh most in embeddings. So the distance from a node of a
    prediction to any of them is at least that to their centre, less how far the one is from it, its *radius*. Radii are
    rounded up, and nodes of equal label and radius are one label for :class:`NearestSums`. What is summed is 2 less the
    distance, which is at least 0. Where there are several draws, distances and radii are means over them.
    """

    def __init__(self, metric: Wwlk, pred: NodeSpace, gold: NodeSpace) -> None:
        super().__init__(len(pred.n_nodes), len(gold.n_nodes))
        self.variant, self.pred = metric.variant, pred
        self.floor = 0.0 if metric.clip else -np.inf
        self.sizes = pred.n_nodes.astype(np.float32), gold.n_nodes.astype(np.float32)
        self.draws = len(gold.weights)
        labels, of_label = np.unique(gold.node_rows, return_inverse=True)
        of_label = of_label.reshape(-1)
        counts = np.maximum(np.bincount(of_label, minlength=len(labels)), 1)
        radii = np.zeros(len(of_label))
        self.centres = []
        for draw in range(self.draws):
            centres = np.zeros((len(labels), gold.dimension))
            for first, last, nodes in self._parts(gold, draw):
                order = np.argsort(of_label[first:last], kind="stable")
                found, starts = np.unique(of_label[first:last][order], return_index=True)
                if len(found):
                    centres[found] += np.add.reduceat(nodes[order], starts)
            single = (centres / counts[:, None]).astype(np.float32)
            for first, last, nodes in self._parts(gold, draw):
                nodes -= single[of_label[first:last]]
                radii[first:last] += np.sqrt(np.einsum("ij,ij->i", nodes, nodes))
            self.centres.append(single)
        steps = np.ceil(radii / self.draws * _STEPS + 1e-6).astype(np.int64)
        kinds, features = np.unique(of_label * (4 * _STEPS) + steps, return_inverse=True)
        self.label_of, self.radius_of = kinds // (4 * _STEPS), (kinds % (4 * _STEPS) / _STEPS).astype(np.float32)
        ones = [np.ones(len(space.node_rows), np.float32) for space in (pred, gold)]
        self.nearest = NearestSums(
            Nodes(pred.node_offsets, np.arange(len(ones[0]), dtype=np.int32), ones[0]),
            Nodes(gold.node_offsets, features.reshape(-1).astype(np.int32), ones[1]),
            self._alike,
            together=16,
        )

    @staticmethod
    def _parts(space: NodeSpace, draw: int) -> Iterator[tuple[int, int, FloatArray]]:
        """The embeddings of all nodes, a few thousand graphs at a time: first and last node, float64[n, dimension]."""
        for start in range(0, len(space.n_nodes), _GRAPHS):
            stop = min(start + _GRAPHS, len(space.n_nodes))
            first, last = (int(space.node_offsets[g]) for g in (start, stop))
            yield first, last, space.embeddings(start, stop, draw)

    def _alike(self, nodes: Int64Array) -> Bounds:
        """2 less the least distance of these nodes of the predictions to those of each label and radius."""
        if not len(nodes):
            return np.zeros((0, len(self.label_of)), np.float32)
        start, stop = np.searchsorted(self.pred.node_offsets, [nodes[0], nodes[-1]], side="right") - [1, 0]
        first = self.pred.node_offsets[start]
        distances: Bounds = np.zeros((len(nodes), len(self.centres[0])), np.float32)
        for draw, centres in enumerate(self.centres):
            own = self.pred.embeddings(int(start), int(stop), draw)[nodes - first].astype(np.float32)
            # off by as many roundings as there are terms
            lengths = np.einsum("ij,ij->i", own, own) - np.float32((own.shape[1] + 16) * 2.0**-21)
            squares = own @ centres.T
            squares *= -2
            squares += lengths[:, None]
            squares += np.einsum("ij,ij->i", centres, centres)
            np.maximum(squares, 0, out=squares)
            distances += np.sqrt(squares, out=squares)
        distances /= self.draws
        alike: Bounds = np.take(distances, self.label_of, axis=1)
        alike -= self.radius_of
        np.maximum(alike, 0, out=alike)
        return np.subtract(2, alike, out=alike)

    def rows(self, start: int, stop: int, out: Bounds) -> None:
        mine, theirs = self.nearest.rows(start, stop)
        n, m = self.sizes[0][start:stop, None], self.sizes[1]
        with np.errstate(divide="ignore", invalid="ignore"):
            mine /= n
            theirs /= m
        if self.variant == "similarity":
            np.minimum(mine, theirs, out=mine)
        elif self.variant == "recall":
            mine = theirs
        np.multiply(mine, raised(self.nearest.terms), out=out)
        out -= 1
        out += np.float32(1e-6)
        np.maximum(out, np.float32(self.floor), out=out)
        out[(n == 0) | (m == 0)] = np.inf


@lru_cache(maxsize=16)
def _learnt(path: str, size: int, changed: int, inode: int) -> tuple[dict[str, float], str]:
    from fastmatch.metrics.shared.role_weights import read_weights

    return read_weights(path)
