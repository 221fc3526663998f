"""Soft overlap: how much of the meaning of each graph finds something like it in the other one.

A metric of this package, made to agree with people on how alike two sentences are. Nodes and edges have masses, which
say how much they matter. A node finds the node of the other graph whose label is most like its own: an equal one, the
same word in another sense, a word with a similar vector, a word with the same characters, a number of similar size. An
edge finds the edge whose role and whose two ends are most like its own. What is found counts with its likeness, and

    T = C / (C + α · larger + β · smaller)

compares the matched mass C, the mean of both sides, with what is left unmatched on the two sides (Tversky 1977). The
score is a monotone function of T, mixed with the F1 of Smatch++, so that graphs that differ in anything do not score 1.
Smatch++ may have a larger part where all words match, so that structure decides there. And what both graphs are about
may count: the function of T then gives way to its harmonic mean with the cosine of the means of their word vectors.

The likeness of labels and the matches are in :mod:`fastmatch._ext.overlap.pair`; what decides on masses is in
:mod:`fastmatch.metrics.shared.overlap_parameters`. The numbers there were set by hand.

Graphs are standardised first: lower case, no quotes, ``domain`` turned into ``mod``, roles de-inverted, no ``:wiki``,
relations de-reified, duplicates removed. Nodes are variables, with their concepts, and constants.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from math import log1p
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.overlap.labels import describe, exponentials, logarithms, node_places, project, ranks
from fastmatch._ext.overlap.score import cosines, label_table, likeness, mean_vectors, score_pairs, single_matches
from fastmatch._ext.overlap.space import SoftSpace
from fastmatch._ext.transport.labels import label_vectors
from fastmatch.errors import OptionError
from fastmatch.graphs.arrays import owners_of
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.standardization.steps import standardize
from fastmatch.graphs.vocabulary import distinct, relabelled
from fastmatch.metrics.contract.metric import Metric
from fastmatch.metrics.contract.required import PairRange
from fastmatch.metrics.embeddings.vectors import Embeddings, loaded_vectors
from fastmatch.metrics.options import common, keys_of, option
from fastmatch.metrics.registry import register
from fastmatch.metrics.row_bounds import Bounds, Edges, NearestSums, Nodes, RowBounds, as_single, raised
from fastmatch.metrics.run import run
from fastmatch.metrics.shared.labels import labelled_graphs
from fastmatch.metrics.shared.overlap_parameters import ROOT, UNTRAINED, Parameters, read_parameters
from fastmatch.metrics.shared.search import Shared, Sharing, sharing
from fastmatch.metrics.shared.triples import without_bare_nodes
from fastmatch.metrics.smatchpp import SmatchPlusPlus
from fastmatch.results import ratios
from fastmatch.results.flow import FlowAlignment, Node, check_room
from fastmatch.results.pairs import PairScores, TripleScores
from fastmatch.runtime.files import version
from fastmatch.types import BoolArray, ByteArray, FloatArray, Int32Array, Int64Array

#: What kernels take of labels: see ``_ext/overlap/space.pyx``.
LabelArrays: TypeAlias = tuple[
    NDArray[np.uint64], NDArray[np.uint64], ByteArray, FloatArray, Int64Array, NDArray[np.uint16], NDArray[np.uint64]
]

#: What is done to graphs before they are compared.
STEPS = ("lower-case", "drop-quotes", "domain-to-mod", "de-invert-all", "drop-wiki", "dereify", "remove-duplicates")
#: The frequent words whose mean, and whose main directions, are taken out of all vectors; and how many directions.
FREQUENT, DIRECTIONS = 50_000, 3
#: A file of fewer words has no frequent ones to speak of: its vectors stay as they are.
FEW = 1_000
#: Numbers of a vector at most: a matrix that has them as rows and as columns takes 134 MB then.
_LONGEST = 4096
_NUMBERED = re.compile(r"(:op|:snt)[0-9]+")
#: Upper bounds are raised by this, which is more than the roundings of a score.
_SLACK = 1e-12


class Prepared(NamedTuple):
    """A corpus ready to be compared.

    Attributes
    ----------
    space : SoftSpace
    triples
        What Smatch++ prepares; None if it has no part in the score.
    means : float64[n_graphs, width] or None
        Mean vectors; None if they have no part in the score, or there are no word vectors.
    """

    space: SoftSpace
    triples: Any
    means: FloatArray | None = None


class Features(NamedTuple):
    """What masses and likeness are made of, whatever the parameters.

    Attributes
    ----------
    node_offsets : int64[n_graphs + 1]
    rows : int32[n_nodes]
        The label of each node.
    edge_offsets : int64[n_graphs + 1]
    edges : int32[3, n_edges]
        Source, role (its id in the vocabulary), target.
    depths, degrees : int32[n_nodes]
    roots : int32[n_graphs]
        Node of the root, or −1.
    rarities : float64[n_labels]
        ln(1 + rank) / ln(1 + n_words), in [0, 1]; 0 without word vectors.
    labels : tuple
        What :func:`fastmatch._ext.overlap.labels.describe` returns.
    raw : float64[n_labels, d]
        Vectors of labels, as they are in the file.
    known : uint8[n_labels]
        1 where there is one.
    """

    node_offsets: Int64Array
    rows: Int32Array
    edge_offsets: Int64Array
    edges: Int32Array
    depths: Int32Array
    degrees: Int32Array
    roots: Int32Array
    rarities: FloatArray
    labels: LabelArrays
    raw: FloatArray
    known: ByteArray


class _EitherWay(SmatchPlusPlus):
    """Smatch++ of pairs that are searched both ways round if the first search does not end."""

    ways: ClassVar[int] = 2


@register("softoverlap")
@dataclass(frozen=True)
class SoftOverlap(Metric[Prepared], Sharing):
    """Soft overlap with its options.

    Attributes
    ----------
    embeddings : path, Embeddings or None
        Word vectors in GloVe's text format, frequent words first: the number of a word's line says how rare it is.
        Without them labels are alike by lemma, characters and numbers only, and all words are equally rare.
    parameters : path, Parameters or None
        A file written by ``train softoverlap``; None for the numbers that nobody trained.
    smatch : float
        The part of Smatch++ in the score, 0 to 1. Above 0, only graphs that are equal after standardisation score 1.
    structure : float or None
        The part of Smatch++ where all nodes of both graphs have equal ones in the other, 0 to 1. Elsewhere it is
        smatch + (structure − smatch) · c⁴, c being the part of the nodes' mass that finds a match, of the graph that
        has less of it: half of it is left where c is 0.84. None: ``smatch`` everywhere.
    means : float
        The weight of the cosine of both graphs' mean vectors, 0 to 1: the rest of the score is its weighted harmonic
        mean with that. It has none where everything finds an equal match, or where a graph has no vectors.
    effort : {"minimal", "low", "default", "high", "proof"}
        Limit of the work of Smatch++.
    """

    presets: ClassVar = {
        "untrained": {},
        "bamboo": {"smatch": 0.1},
        "people": {"smatch": 0.1, "structure": 0.6, "means": 0.2},
    }
    statistics: ClassVar = ("covered_pred", "mass_pred", "covered_gold", "mass_gold", "smatch", "nodes", "means")
    counts: ClassVar[bool] = False
    summable: ClassVar[bool] = False

    embeddings: str | os.PathLike[str] | Embeddings | None = option(
        None, "file of word vectors, in GloVe's text format, frequent words first", takes="vectors"
    )
    parameters: str | os.PathLike[str] | Parameters | None = option(
        None, "file of parameters, as train softoverlap writes it", takes="weights"
    )
    smatch: float = option(0.2, "the part of Smatch++ in the score, 0 to 1", limits=(0, 1))
    structure: float | None = option(
        None, "the part of Smatch++ where all words match, 0 to 1; None: as elsewhere", limits=(0, 1)
    )
    means: float = option(0.0, "the weight of the cosine of both graphs' mean vectors, 0 to 1", limits=(0, 1))
    effort: str = common("effort")

    @classmethod
    def doubt(cls, preset: str, options: Mapping[str, Any]) -> str | None:
        """The preset ``bamboo`` is named after what parameters were trained on, and none are shipped."""
        if preset != "bamboo" or options.get("parameters") is not None:
            return None
        return (
            "no parameters given, so the score is the untrained one, with less of Smatch++; "
            "`fastmatch train softoverlap` makes them: give its file as parameters, and its word vectors as embeddings"
        )

    #: Every sum has its terms in an order that does not depend on which graph comes first.
    symmetric = True

    # ---- options -----------------------------------------------------------------------------------------------------

    def vectors(self) -> Embeddings | None:
        """The word vectors, loaded."""
        found = loaded_vectors(self.embeddings)
        if found is not None and found.dimension > _LONGEST:
            raise OptionError(
                f"embeddings: vectors of {found.dimension} numbers; soft overlap takes {_LONGEST} at most"
            )
        return found

    def numbers(self) -> Parameters:
        """The parameters, read, after a check that they fit the word vectors.

        Raises
        ------
        OptionError
            If they were trained with other word vectors, or with some and there are none.
        ReadError
            If their file is not one of parameters.
        """
        if self.parameters is None:
            return UNTRAINED
        if isinstance(self.parameters, Parameters):
            found, name = self.parameters, "parameters"
        else:
            found, name = _read(*version(self.parameters, "parameters")), os.fspath(self.parameters)
        vectors = self.vectors()
        if vectors is None:
            if found.vectors is not None:
                raise OptionError(
                    f"{name}: trained with the word vectors {found.vectors}; give their file as embeddings"
                )
            return found
        if found.vectors not in (None, vectors.fingerprint):
            raise OptionError(
                f"{name}: trained with the word vectors {found.vectors}, these are {vectors.fingerprint}; "
                "give the file they were trained with, or train new parameters"
            )
        if found.map is not None and len(found.map) != vectors.dimension:
            raise OptionError(f"{name}: a map of {len(found.map)} dimensions, for vectors of {vectors.dimension}")
        return found

    signature_names: ClassVar = keys_of("vec#embeddings par#parameters smatch structure means effort")

    def digest(self, option: str) -> str | None:
        parameters, vectors = self.numbers(), self.vectors()
        if option == "parameters":
            return None if parameters is UNTRAINED else parameters.digest
        return None if vectors is None else vectors.fingerprint

    # ---- preparing ---------------------------------------------------------------------------------------------------

    def standardized(self, corpus: Corpus) -> Corpus:
        return standardize(without_bare_nodes(corpus), STEPS)

    def prepare(self, corpus: Corpus) -> Prepared:
        """Masses of nodes and edges, and what is known of labels; the triples of Smatch++; and mean vectors."""
        space = self.space(corpus)
        triples = self._inner.prepare(corpus) if self._with_triples else None
        return Prepared(space, triples, mean_vectors(space) if self.means and space.width else None)

    @property
    def _with_triples(self) -> bool:
        """Whether Smatch++ has a part in any score."""
        return bool(self.smatch or self.structure)

    def space(self, corpus: Corpus) -> SoftSpace:
        """The graphs of a corpus as the kernel compares them."""
        vectors, parameters = self.vectors(), self.numbers()
        features = features_of(self.standardized(corpus), vectors)
        texts = corpus.vocabulary.text
        node_masses, edge_masses = masses_of(features, parameters, texts)
        table = np.zeros((len(features.known), width_of(features.raw.shape[1])), np.float32)
        if vectors is not None:
            centre, matrix = centring(vectors)
            if parameters.map is not None:
                matrix = np.ascontiguousarray(matrix + matrix @ parameters.map)
            project(features.raw, features.known, centre, matrix, table)
        return space_of(features, node_masses, edge_masses, table, parameters.scales, parameters.settings)

    @property
    def _inner(self) -> SmatchPlusPlus:
        return _either_way(self.effort)

    # ---- scoring -----------------------------------------------------------------------------------------------------

    def costs(self, pred: Prepared, gold: Prepared, index_pred: Int32Array, index_gold: Int32Array) -> FloatArray:
        cells = pred.space.n_nodes[index_pred] * gold.space.n_nodes[index_gold].astype(np.float64)
        cells += pred.space.n_edges[index_pred] * gold.space.n_edges[index_gold].astype(np.float64)
        seconds: FloatArray = np.asarray(cells * 2e-8 + 1e-6, np.float64)
        if self._with_triples:
            seconds += self._inner.costs(pred.triples, gold.triples, index_pred, index_gold)
        return seconds

    def cut(self, prepared: Prepared) -> BoolArray:
        return np.zeros(prepared.space.n_graphs, np.bool_)  # the search for a pair may be cut short, no graph is

    def score(self, pred: Prepared, gold: Prepared, pairs: PairRange, out: PairScores) -> None:
        if self._cutoff is not None:
            self._score_reaching(pred, gold, pairs, out)
            return
        whole = None if out.whole is None else out.whole.view(np.uint8)
        score_pairs(pred.space, gold.space, pairs, out=out.statistics, nodes=out.statistics[5], whole=whole)
        self._compare_means(pred, gold, pairs, out)
        self._score_triples(pred, gold, pairs, np.arange(pairs.start, pairs.stop), out)

    def _compare_means(self, pred: Prepared, gold: Prepared, pairs: PairRange, out: PairScores) -> None:
        if pred.means is None or gold.means is None:
            out.statistics[6, pairs.start : pairs.stop] = -1
        else:
            cosines(pred.means, gold.means, pairs, out.statistics[6])

    def _score_triples(
        self, pred: Prepared, gold: Prepared, pairs: PairRange, chosen: Int64Array, out: PairScores
    ) -> None:
        """Fill the F1 of Smatch++ of the chosen pairs.

        A pair that half the limit of work leaves uncertified is matched the other way round as well, with the other
        half. The better of the two counts, so that exchanging the graphs changes nothing.
        """
        if not self._with_triples or not len(chosen):
            return

        def matched(
            pairs_of: Int64Array, one: Any, two: Any, first: Int32Array, second: Int32Array, *, turned: bool
        ) -> TripleScores:
            inner, shared = self._inner, self._shared
            if shared is not None:  # known maps are of the prediction's variables
                maps = [None if turned else shared.maps[pair] for pair in pairs_of]
                mine = Shared(shared.work[pairs_of], maps)
                inner = sharing(inner, mine)
            found = inner.empty(one, two, first, second, False)
            inner.score(one, two, PairRange.all(first, second, pairs.cancel), found)
            if shared is not None:
                shared.work[pairs_of] = mine.work
            return found

        first, second = pairs.index_pred[chosen], pairs.index_gold[chosen]
        found = matched(chosen, pred.triples, gold.triples, first, second, turned=False)
        open_ones = np.flatnonzero(~found.certified)
        if len(open_ones) and not pairs.cancel[0]:
            again = matched(
                chosen[open_ones], gold.triples, pred.triples, second[open_ones], first[open_ones], turned=True
            )
            found.matched[open_ones] = np.maximum(found.matched[open_ones], again.matched)
            found.certified[open_ones] = again.certified
        sizes = found.n_pred + found.n_gold
        out.statistics[4, chosen] = np.where(sizes > 0, 2.0 * found.matched / np.maximum(sizes, 1), 1.0)
        if out.whole is not None:
            out.whole[chosen] &= found.certified

    def combine(self, statistics: NDArray[Any]) -> dict[str, FloatArray]:
        """``score``; and of the masses of each graph the part that is matched, ``precision`` and ``recall``."""
        covered, mass, other, other_mass, triples, nodes, cosines = np.asarray(statistics, np.float64)
        score = self.with_means(self.numbers().scored(covered, mass, other, other_mass), cosines)
        if self._with_triples:
            part: float | FloatArray = self.smatch
            if self.structure is not None:
                # twice a square: a power may have another last bit on another processor
                part = self.smatch + (self.structure - self.smatch) * np.square(np.square(nodes))
            score = np.where((score == 1) & (triples == 1), 1.0, (1.0 - part) * score + part * triples)
        both_empty = (mass == 0) & (other_mass == 0)
        precision, recall = ratios.divided(covered, mass, both_empty), ratios.divided(other, other_mass, both_empty)
        return {"similarity": score, "precision": precision, "recall": recall}

    def with_means(self, scores: FloatArray, cosines: FloatArray) -> FloatArray:
        """The weighted harmonic mean of scores of matches and cosines; a cosine of -1 stands for none."""
        if not self.means:
            return scores
        below = (1 - self.means) * cosines + self.means * scores
        means = scores * cosines / np.where(below > 0, below, 1.0)
        return np.where((scores < 1) & (cosines >= 0), np.minimum(means, 1.0), scores)

    def bounds(self, pred: Prepared, gold: Prepared) -> RowBounds:
        """Every node matched with the label that is most like its own, every edge as both its ends are at once."""
        return _LabelBounds(self, pred, gold)

    def reaching(self, cutoff: float | FloatArray) -> Self:
        """No edges and no triples are matched where the nodes alone show that the score is below the cutoff."""
        return self.limited(cutoff)

    def _score_reaching(self, pred: Prepared, gold: Prepared, pairs: PairRange, out: PairScores) -> None:
        """Bounds from the nodes for all pairs, then scores for those whose bound reaches the cutoff."""
        nodes = out.statistics[5]
        score_pairs(pred.space, gold.space, pairs, out=out.statistics, nodes=nodes, with_edges=False)
        self._compare_means(pred, gold, pairs, out)
        statistics = out.statistics[:, pairs.places]
        for covered, mass in ((0, 1), (2, 3)):
            np.minimum(statistics[covered] * (1 + _SLACK), statistics[mass], out=statistics[covered])
        if self._with_triples:
            i, j = pairs.graphs
            sizes = self._inner.sizes(pred.triples)[i], self._inner.sizes(gold.triples)[j]
            total = sizes[0] + sizes[1]
            statistics[4] = np.where(total > 0, 2.0 * np.minimum(*sizes) / np.maximum(total, 1), 1.0)
        below = self.combine(statistics)["similarity"] + _SLACK < self.cutoffs(pairs)
        if below.all() or pairs.cancel[0]:
            return
        skip = np.ones(len(pairs.index_pred), np.uint8)
        skip[pairs.places] = below
        whole = None if out.whole is None else out.whole.view(np.uint8)
        score_pairs(pred.space, gold.space, pairs, out=out.statistics, nodes=nodes, skip=skip, whole=whole)
        self._score_triples(pred, gold, pairs, pairs.start + np.flatnonzero(~below), out)

    # ---- explaining --------------------------------------------------------------------------------------------------

    def flow(self, pred: Corpus, gold: Corpus) -> FlowAlignment:
        """Which node of the one graph each node of the other is matched with.

        Half of all mass is that of the prediction's nodes and goes to their best matches, half is that of the gold
        graph's nodes and comes from theirs; of several equally good matches the first one counts. The parameter
        ``single`` is the part that goes to, and comes from, one-to-one matches instead. The mass of a node that is like
        no other, or for which no match is left, goes nowhere.
        """
        self.check(pred.dialect)
        self.check(gold.dialect)
        one, two = self.prepare(pred), self.prepare(gold)
        check_room(int(one.space.n_nodes[0]), int(two.space.n_nodes[0]))
        pairs = run(self, one, two, *np.zeros((2, 1), np.int32))
        alike = likeness(one.space, two.space, 0, 0)
        mass = np.zeros(alike.shape)
        if mass.size:
            masses = one.space.arrays[2][: len(alike)]
            others = two.space.arrays[2][: len(alike.T)]
            best, best_of = alike.argmax(axis=1), alike.argmax(axis=0)
            single = self.numbers().single
            here, there = 0.5 * masses / masses.sum(), 0.5 * others / others.sum()
            mass[np.arange(len(masses)), best] += (1.0 - single) * here
            mass[best_of, np.arange(len(others))] += (1.0 - single) * there
            partners = single_matches(one.space, two.space, 0, 0)
            found = np.flatnonzero(partners >= 0)
            mass[found, partners[found]] += single * (here[found] + there[partners[found]])
            mass[alike == 0] = 0.0
        return FlowAlignment(
            {name: column.item() for name, column in pairs.scores.items()},
            self._nodes(pred),
            self._nodes(gold),
            mass,
            1.0 - alike,
            self.signature(pred.dialect),
            pairs.whole is None or bool(pairs.whole[0]),
            mass.sum(axis=1),
        )

    def _nodes(self, corpus: Corpus) -> tuple[Node, ...]:
        """Names of the nodes of the first graph, in their order."""
        standard = self.standardized(corpus)
        text = standard.vocabulary.text
        offsets, labels = labelled_graphs(standard, tool=False)[:2]
        names = standard.variable_names[: standard.variable_offsets[1]].tolist()
        shown = [text(label) if label >= 0 else None for label in labels[: offsets[1]].tolist()]
        variables = [Node(text(name) if name >= 0 else None, shown[v]) for v, name in enumerate(names)]
        return (*variables, *(Node(None, label) for label in shown[len(variables) :]))


class _LabelBounds(RowBounds):
    """The score of the masses that could be matched, and of the triples that could match.

    Whatever is matched one-to-one is worth no more than the best match, and the best match of an edge is worth no more
    than those of its ends together.
    """

    def __init__(self, metric: SoftOverlap, pred: Prepared, gold: Prepared) -> None:
        super().__init__(pred.space.n_graphs, gold.space.n_graphs)
        self.metric, self.numbers = metric, metric.numbers()
        self.spaces = pred.space, gold.space
        nodes, edges = zip(*(_labelled(space) for space in self.spaces), strict=True)
        self.nearest = NearestSums(nodes[0], nodes[1], self._alike, (edges[0], edges[1]))
        self.masses = [_masses(space) for space in self.spaces]
        self.triples = metric._inner.bounds(pred.triples, gold.triples) if metric._with_triples else None
        self.means = pred.means, gold.means

    def _alike(self, labels: Int64Array) -> Bounds:
        mine, theirs = (space.arrays[6] for space in self.spaces)
        # of unit vectors: off by a rounding a term
        products = mine[labels] @ theirs.T + np.float32((mine.shape[1] + 16) * 2.0**-23)
        return label_table(*self.spaces, labels, products)

    def rows(self, start: int, stop: int, out: Bounds) -> None:
        mine, theirs = self.nearest.rows(start, stop)
        if self.triples is not None:
            self.triples.rows(start, stop, out)
        for row in range(stop - start):  # what is computed of a row stays in the cache
            some = None if self.triples is None else out[row]
            out[row] = as_single(self._scored(start + row, mine[row], theirs[row], some) + 1e-9, up=True)

    def _scored(self, row: int, mine: Bounds, theirs: Bounds, triples: Bounds | None) -> FloatArray:
        """Scores from masses and triples that could match."""
        slack = float(raised(self.nearest.terms))
        mass, other_mass = self.masses[0][row], self.masses[1]
        covered, other = np.minimum(mine * slack, mass), np.minimum(theirs * slack, other_mass)
        scores = self.numbers.scored(covered, np.full(self.n_gold, mass), other, other_mass)
        one, two = self.means
        if one is not None and two is not None:
            cosines = np.clip(two @ one[row] + _SLACK, 0, 1)
            scores = self.metric.with_means(scores, np.where(np.isnan(cosines), -1, cosines))
        if triples is None:
            return scores
        triples = np.minimum(triples, 1)
        parts = [part for part in (self.metric.smatch, self.metric.structure) if part is not None]
        return np.asarray(np.max([(1 - part) * scores + part * triples for part in parts], axis=0))


def _labelled(space: SoftSpace) -> tuple[Nodes, Edges]:
    """Nodes and edges by their labels, with their masses."""
    offsets, rows, masses, edge_offsets, edges, edge_masses = space.arrays[:6]
    first = np.repeat(offsets[:-1], np.diff(edge_offsets))
    nodes = Nodes(offsets, rows, as_single(masses, up=True))
    sources, targets = (rows[first + edges[end]] if len(first) else rows[:0] for end in (0, 2))
    return nodes, Edges(edge_offsets, sources, targets, as_single(edge_masses, up=True))


def _masses(space: SoftSpace) -> FloatArray:
    """The mass of each graph: of its nodes and edges."""
    node_offsets, _, masses, edge_offsets, _, edge_masses = space.arrays[:6]
    total = np.zeros(space.n_graphs)
    for offsets, weights in ((node_offsets, masses), (edge_offsets, edge_masses)):
        total += np.bincount(owners_of(offsets), weights, space.n_graphs)
    return total


@lru_cache(maxsize=16)
def _read(path: str, size: int, changed: int, inode: int) -> Parameters:
    return read_parameters(path)


def width_of(dimension: int) -> int:
    """Numbers that the kernel keeps of a vector: a multiple of eight."""
    return -(-dimension // 8) * 8


@cache
def _either_way(effort: str) -> _EitherWay:
    """One for each effort: a metric checks its options whenever it is made, which takes as long as ten pairs."""
    return _EitherWay(effort=effort)


@lru_cache(maxsize=4)
def centring(vectors: Embeddings) -> tuple[FloatArray, FloatArray]:
    """What is taken out of all vectors: the mean of the frequent words, and their main directions.

    Mu and Viswanath (2018), "All-but-the-Top". Two words are alike by what distinguishes them from others, not by what
    all words share.

    Returns
    -------
    centre : float64[d]
    matrix : float64[d, d]
        The projection on all other directions.
    """
    d = vectors.dimension
    if len(vectors) < FEW:
        return np.zeros(d), np.eye(d)
    frequent = vectors.vectors[:FREQUENT].astype(np.float64)
    centre = frequent.mean(axis=0)
    frequent -= centre
    main = np.linalg.eigh(frequent.T @ frequent)[1][:, -DIRECTIONS:]
    return centre, np.ascontiguousarray(np.eye(d) - main @ main.T)


def features_of(standard: Corpus, vectors: Embeddings | None) -> Features:
    """What masses and likeness are made of, of standardised graphs."""
    node_offsets, node_labels, edge_offsets, edges = labelled_graphs(standard, tool=False)
    # variables come first among a graph's nodes
    n_variables, sizes = np.diff(standard.variable_offsets), np.diff(node_offsets)
    within = np.arange(len(node_labels)) - np.repeat(node_offsets[:-1], sizes)
    constant = within >= np.repeat(n_variables, sizes)
    # a label is described once as a concept and once as a constant
    ids, rows = distinct(2 * node_labels.astype(np.int64) + constant)
    text = standard.vocabulary.interner.bytes
    texts = [text(int(label)) if label >= 0 else None for label in ids >> 1]
    labels = describe(texts, (ids & 1).astype(np.uint8))
    dimension = 0 if vectors is None else vectors.dimension
    raw = np.zeros((len(texts), dimension))
    known, rarities = np.zeros(len(texts), np.uint8), np.zeros(len(texts))
    if vectors is not None:
        known = label_vectors([each or b"" for each in texts], vectors.find, vectors.vectors, raw)[0]
        lines = ranks(texts, vectors.find, len(vectors))
        rarities = logarithms(lines.astype(np.float64)) / log1p(len(vectors))
    edges[1] = relabelled(standard.vocabulary, edges[1], _plain_role)
    roots = np.where(sizes > 0, standard.root, -1).astype(np.int32)
    depths, degrees = node_places(node_offsets, edge_offsets, edges, roots)
    return Features(
        node_offsets,
        rows.reshape(-1).astype(np.int32),
        edge_offsets,
        edges,
        depths,
        degrees,
        roots,
        rarities,
        labels,
        raw,
        known,
    )


def space_of(
    features: Features,
    node_masses: FloatArray,
    edge_masses: FloatArray,
    table: NDArray[np.float32],
    scales: FloatArray,
    settings: FloatArray,
) -> SoftSpace:
    """The graphs of some features, with masses, a row of ``table`` for each label, and the numbers that all share."""
    nodes, edges = (features.node_offsets, features.rows), (features.edge_offsets, features.edges)
    return SoftSpace(*nodes, node_masses, *edges, edge_masses, table, *features.labels, scales, settings)


def _plain_role(role: str) -> str:
    """The role without the number of ``:op1``, ``:snt2``, …: the order of a list is no difference in meaning."""
    match = _NUMBERED.fullmatch(role)
    return match[1] if match else role


def masses_of(features: Features, parameters: Parameters, text: Callable[[int], str]) -> tuple[FloatArray, FloatArray]:
    """Masses of nodes and of edges, float64; ``text``: id of a role → its name."""
    rows = features.rows
    logs = (parameters.rank * features.rarities + parameters.class_masses[features.labels[2]])[rows]
    logs -= parameters.depth * logarithms(features.depths.astype(np.float64))
    logs -= parameters.degree * logarithms(features.degrees.astype(np.float64))
    roles, numbers = distinct(features.edges[1])
    names = [text(role) for role in roles.tolist()]
    if parameters.incoming:
        of_role = np.array([*(parameters.incoming.get(name, 0.0) for name in names), 0.0])
        total, count = np.zeros(len(rows)), np.zeros(len(rows))
        targets = features.edges[2] + np.repeat(features.node_offsets[:-1], np.diff(features.edge_offsets))
        np.add.at(total, targets, of_role[numbers])
        np.add.at(count, targets, 1.0)
        tops = (features.node_offsets[:-1] + features.roots)[features.roots >= 0]
        total[tops] += parameters.incoming.get(ROOT, 0.0)
        count[tops] += 1.0
        logs += total / np.maximum(count, 1.0)
    edge_logs = np.array([*(parameters.edges.get(name, 0.0) for name in names), 0.0])[numbers] + parameters.edge
    return exponentials(logs), exponentials(edge_logs)
