"""AnCast: concepts are aligned by anchors that are broadcast over the graphs, then concepts and relations scored.

Sun and Xue (2024), "Anchor and Broadcast: An Efficient Concept Alignment Approach for Evaluation of Semantic Graphs".
Two nodes are an *anchor pair* if their name is alone of its kind in both graphs and occurs in the sentence. Nodes near
an anchor pair become similar. This similarity is spread over parents and grandparents, children and grandchildren until
it no longer changes, and multiplied with the similarity of the nodes' names. Pairs in which each node is the other's
best partner become the anchors of the next round. Nodes that never become anchors are matched greedily at the end.

Scores (each is the harmonic mean of a precision, over the prediction, and a recall, over the gold graph):

``lr_f``           labelled relation F1, the headline: relations whose two ends are aligned to the ends of a relation of
                   the same label, each worth the mean similarity of its ends;
``concept_f``      concept F1: mean similarity of aligned concepts;
``ulr_f``          unlabelled relation F1: as ``lr_f``, but labels may differ;
``wlr_f``          weighted relation F1: relations count by the numbers of descendants of their ends;
``mock_smatch_f``  Smatch's triples counted under this alignment.

Equal graphs are matched node by node and score 1. The default follows the paper. ``preset="tool"`` follows the
package ancast 0.1.1 in every point, its errors included, and needs graphs read as it reads them (dialect ``ancast``).
Where paper and package differ, each difference is an option below, except for errors of the package, which
``standard="tool"`` has all: a match that is given up in a later round stays in the sums, a tie decided for node 0 is
lost, descendants of gold nodes are looked up in the prediction by the name of their variable, and constants and
variables of one name are mixed up. ``anchors``, ``neighbours`` and ``hops`` are options that the package has and the
paper does not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.anchors.graphs import AncastGraphs, ancast_graphs
from fastmatch._ext.anchors.score import score_ancast
from fastmatch.errors import otherwise_read
from fastmatch.graphs.arrays import owners_of, starts_of
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.notation import joined_spans
from fastmatch.graphs.vocabulary import CASE, QUOTES, Vocabulary
from fastmatch.metrics.contract.metric import Metric, room_for_maps
from fastmatch.metrics.contract.required import PairRange
from fastmatch.metrics.options import common, keys_of, option, told_back
from fastmatch.metrics.registry import register
from fastmatch.metrics.row_bounds import Bounds, NearestSums, Nodes, RowBounds, as_single, raised
from fastmatch.metrics.shared.search import Sharing
from fastmatch.metrics.shared.triples import Labels, explanation, keyed_triples
from fastmatch.results import ratios
from fastmatch.results.alignment import Explanation
from fastmatch.results.pairs import PairScores
from fastmatch.types import BoolArray, Dialect, FloatArray, Int32Array, Int64Array

_SPAN = re.compile(r"(\S+):\s*([0-9]{1,18}-[0-9]{1,18}(?:,[0-9]{1,18}-[0-9]{1,18})*)(?!\S)")
# tokens have numbers up to this one, and numbers above it stand for sets of tokens that are no interval
_LAST_TOKEN = 2**30

_SIDE = ("concept", "n_concepts", "labelled", "unlabelled", "n_relations", "weighted", "weight", "triples", "n_triples")

#: The most steps of one broadcast, and the most rounds of broadcasts. The paper names no limit. In sentences values
#: settle within a few dozen steps; in a chain of concepts that takes as many steps as there are nodes. Rounds may
#: alternate between two sets of anchors.
_ITERATIONS = {"paper": 500, "tool": 50}
_ROUNDS = {"paper": 20, "tool": 5}
#: Work of a pair by the option ``effort``, as :mod:`fastmatch._ext.anchors.broadcast` counts it.
_WORK = {"minimal": 10**7, "low": 5 * 10**7, "default": 15 * 10**8, "high": 3 * 10**10, "proof": 2**62}
#: Work beyond which the steps and rounds that are free otherwise end as well.
_CEILING = {"minimal": 4 * 10**9, "low": 4 * 10**9, "default": 4 * 10**9, "high": 6 * 10**10, "proof": 2**62}
#: Bytes for the tables of a pair, some 40 a pair of nodes. Above that, nodes are matched by their colours.
_MEMORY = {"minimal": 3 * 2**27, "low": 3 * 2**27, "default": 3 * 2**28, "high": 2**32, "proof": 2**62}


class AncastScores(PairScores):
    """Scores of many pairs by AnCast; see :class:`AnCast` for the statistics and the scores.

    Attributes
    ----------
    settled : bool[n_pairs]
        Whether the alignment is the end that the rules lead to. False where the option ``effort`` ended a broadcast or
        the rounds before, or the default's limits of 500 steps and 20 rounds, and for pairs that are too large for
        tables of all pairs of nodes, which are matched by colours.
    """

    settled: BoolArray

    @property
    def matched(self) -> Int64Array:
        """Triples that match under the alignment, as Smatch counts them, int64[n_pairs]."""
        return self._whole("triples_pred")

    @property
    def n_pred(self) -> Int64Array:
        """Triples of the prediction, int64[n_pairs]."""
        return self._whole("n_triples_pred")

    @property
    def n_gold(self) -> Int64Array:
        """Triples of the gold graph, int64[n_pairs]."""
        return self._whole("n_triples_gold")

    @property
    def upper(self) -> Int64Array:
        """No alignment matches more triples than the smaller graph has, int64[n_pairs]."""
        return np.minimum(self.n_pred, self.n_gold)

    @property
    def certified(self) -> NDArray[np.bool_]:
        """``settled``, or where alignments were asked for, whether no alignment matches more triples; bool[n_pairs]."""
        return self.settled if self.mapping is None else self.matched == self.upper

    def _whole(self, name: str) -> Int64Array:
        return self.statistics[self.names.index(name)].astype(np.int64)

    def columns(self) -> dict[str, NDArray[Any]]:
        """The five F scores behind ``score``, in the package's order, then the rest."""
        scores = self.scores
        first = ("concept_f", "lr_f", "ulr_f", "wlr_f", "mock_smatch_f")
        rest = {**scores, **super().columns(), "settled": self.settled}
        return {"score": self.score, **{name: scores[name] for name in first}, **rest}


#: Places among the arrays of AnCast's graphs, and rows of their nodes (``_ext/anchors/layout.pxd``).
_NODES, _CANDIDATES = 2, 7
_VARIABLE, _SENSE, _NAME, _FULL, _LOW, _HIGH = 0, 2, 3, 4, 8, 9
#: Words whose parts are all looked up.
_SHORT = 60
#: Rows of their offsets.
_NODES_OF, _PAIRS_OF = 1, 6


@register("ancast")
@dataclass(frozen=True)
class AnCast(Metric["AncastGraphs"], Sharing):
    """AnCast with its options.

    The statistics are numerators and denominators of precision (``_pred``) and recall (``_gold``) of each score:
    ``concept`` / ``n_concepts``, ``labelled`` and ``unlabelled`` / ``n_relations``, ``weighted`` / ``weight``,
    ``triples`` / ``n_triples`` (the imitation of Smatch). Without relations, precision or recall of relations is that
    of concepts, as in the package.
    """

    statistics: ClassVar[tuple[str, ...]] = tuple(f"{name}_{side}" for side in ("pred", "gold") for name in _SIDE)
    counts: ClassVar[bool] = False
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "tool": {
            "standard": "tool",
            "beta": 0.001,
            "ops": "name",
            "concept": "pred",
            "similarity": "names",
            "weight": "outer",
            "ties": "jaccard",
        }
    }

    standard: str = option(
        "paper", "the paper's rules, or the package's reading and its slips as well", choices=("paper", "tool")
    )
    alpha: float = option(0.2, "what lets concepts match that have nothing in common (equation 13)", limits=(0, 100))
    beta: float = option(
        0.01, "what lets nodes match that no anchor reaches (equation 13; the package has 0.001)", limits=(0, 100)
    )
    sense: float = option(0.1, "what another sense takes off a similarity, 0 to 1 (gamma in equation 1)", limits=(0, 1))
    anchors: str = option(
        "names",
        "first anchors: names that are alone in their graphs and occur in the sentence, or nodes aligned with the same "
        "tokens by '# ::alignment variable: first-last,first-last …'",
        choices=("names", "alignment"),
    )
    neighbours: float = option(
        1.0, "weight of what nodes receive from their neighbours (the package: cneighbor)", limits=(0, 100)
    )
    hops: str = option(
        "together",
        "neighbours one and two steps away are one neighbourhood, or two (the package: separate 1 and 2)",
        choices=("together", "apart"),
    )
    ops: str = option(
        "attribute", "the values of :op1, :op2 are attributes, or belong to the name", choices=("attribute", "name")
    )
    concept: str = option("both", "sides whose mean is the concept F1", choices=("both", "pred"))
    similarity: str = option(
        "nodes",
        "what a matched relation is worth: the similarity of the nodes at its ends (equation 17), or of their names",
        choices=("nodes", "names"),
    )
    weight: str = option(
        "inner", "weight of a relation: sqrt(d1 d2 + 1) (equation 24), or sqrt(d1 d2) + 1", choices=("inner", "outer")
    )
    ties: str = option(
        "overlap",
        "what decides ties among concepts matched last: number of common roles, or Jaccard's index of them",
        choices=("overlap", "jaccard"),
    )
    top: str = option("constant", "the triple for the root in the imitation of Smatch", choices=("constant", "none"))
    effort: str = common("effort")

    @property
    def dialect(self) -> Dialect:
        return "ancast" if self.standard == "tool" else "penman"

    def check(self, dialect: str) -> None:
        if self.standard == "tool" and dialect not in ("ancast", "ancast-cut", "ancast-umr"):
            raise otherwise_read("preset 'tool' of ancast needs graphs as the package reads them", dialect, "ancast")

    def prepare(self, corpus: Corpus) -> AncastGraphs:
        """Nodes, words, neighbourhoods and relations of every graph; O(T log T + n · T) for n nodes and T triples."""
        vocabulary = corpus.vocabulary
        spans = _spans(corpus) if self.anchors == "alignment" else None  # may add strings, as the next line may
        value = vocabulary.fold(CASE | QUOTES)  # may add strings, so it comes before the other one
        lower = vocabulary.fold(CASE)
        return ancast_graphs(
            corpus.columns,
            vocabulary.interner,
            lower[: len(value)],
            value,
            spans,
            tool=self.standard == "tool",
            ops=self.ops == "name",
            assume=self.standard == "paper",
            hops=self.hops == "apart",
        )

    def costs(
        self, pred: AncastGraphs, gold: AncastGraphs, index_pred: Int32Array, index_gold: Int32Array
    ) -> FloatArray:
        return pred.n_nodes[index_pred] * np.float64(1e-7) * gold.n_nodes[index_gold] + 2e-6

    def empty(
        self, pred: AncastGraphs, gold: AncastGraphs, index_pred: Int32Array, index_gold: Int32Array, mapping: bool
    ) -> AncastScores:
        maps = room_for_maps(pred.n_variables, index_pred) if mapping else ()
        scores = AncastScores(np.zeros((len(self.statistics), len(index_pred))), self, *maps)
        scores.settled = np.ones(len(index_pred), np.bool_)
        return scores

    def score(self, pred: AncastGraphs, gold: AncastGraphs, pairs: PairRange, out: AncastScores) -> None:
        tool = self.standard == "tool"

        def seconds() -> FloatArray:
            """Of large pairs: they take more steps than sentences, and may have many relations between few nodes."""
            i, j = pairs.graphs
            mine, theirs = (np.diff(side.arrays[0][_PAIRS_OF]) for side in (pred, gold))
            return 2 * self.costs(pred, gold, i, j) + 5e-8 * mine[i] * theirs[j]

        # pairs that are to have little work are matched by colours
        for some, little in self.by_work(pairs, seconds):
            score_ancast(
                pred,
                gold,
                some,
                alpha=self.alpha,
                beta=self.beta,
                gamma=self.sense,
                neighbours=self.neighbours,
                tolerance=1e-4,
                relative=1e-5 if tool else 0.0,  # numpy.allclose's own
                iterations=_ITERATIONS[self.standard],
                rounds=_ROUNDS[self.standard],
                work=_WORK[self.effort],
                # as many as the tool takes, so that a document of any length is scored no worse than by the tool
                free_steps=1 if self.effort in ("minimal", "low") else _ITERATIONS["tool"],
                free_rounds=1 if self.effort in ("minimal", "low") else _ROUNDS["tool"],
                ceiling=_CEILING[self.effort],
                memory=0 if little else _MEMORY[self.effort],
                intrinsic=self.similarity == "nodes",
                inner_weight=self.weight == "inner",
                overlap=self.ties == "overlap",
                top=self.top == "constant",
                alignment=self.anchors == "alignment",
                hops=self.hops == "apart",
                tool=tool,
                out=out.statistics,
                settled=out.settled.view(np.uint8),
                mapping_offsets=out.mapping_offsets,
                mapping=out.mapping,
            )

    def bounds(self, pred: AncastGraphs, gold: AncastGraphs) -> RowBounds:
        """Every end of a relation aligned with the most similar end that a relation of the same label has there."""
        return _EndBounds(self, pred, gold)

    def combine(self, statistics: NDArray[Any]) -> dict[str, FloatArray]:
        """lr_f, concept_f, ulr_f, wlr_f and mock_smatch_f, then precision (_p) and recall (_r) of each."""
        rows = np.asarray(statistics, np.float64)
        pred, gold = dict(zip(_SIDE, rows, strict=False)), dict(zip(_SIDE, rows[len(_SIDE) :], strict=True))
        # two empty graphs are equal
        nothing = (pred["n_concepts"] == 0) & (gold["n_concepts"] == 0)
        concept = [ratios.divided(side["concept"], side["n_concepts"], nothing) for side in (pred, gold)]
        both = ((pred, concept[0]), (gold, concept[1]))
        sides = {"lr": ("labelled", "n_relations"), "ulr": ("unlabelled", "n_relations"), "wlr": ("weighted", "weight")}
        parts = {
            name: [ratios.divided(side[top], side[bottom], rest) for side, rest in both]
            for name, (top, bottom) in sides.items()
        }
        parts["concept"] = concept if self.concept == "both" else concept[:1] * 2
        parts["mock_smatch"] = [ratios.divided(side["triples"], side["n_triples"], nothing) for side in (pred, gold)]
        names = ("lr", "concept", "ulr", "wlr", "mock_smatch")
        scores = {f"{name}_f": ratios.harmonic(*parts[name]) for name in names}
        for name in names:
            scores[f"{name}_p"], scores[f"{name}_r"] = parts[name]
        return scores

    def explain(self, pred: Corpus, gold: Corpus, i: int, j: int, mapping: Int32Array) -> Explanation:
        """The triples that match under AnCast's alignment, as Smatch compares them."""
        mine, theirs = (
            keyed_triples(corpus, graph, Labels.of(corpus), top=self.top) for corpus, graph in ((pred, i), (gold, j))
        )
        return explanation(mine, theirs, mapping)

    def first_anchors(self, pred: Corpus, gold: Corpus, i: int, j: int) -> list[tuple[int, int]]:
        """The first anchors: pairs of variables, in the order of the prediction's nodes.

        What is broadcast from them may lead to other anchors in later rounds.
        """
        sides = []
        for corpus, g in ((pred, i), (gold, j)):
            arrays = self.prepare(corpus[g : g + 1]).arrays
            nodes, candidates = arrays[_NODES], arrays[_CANDIDATES]
            variables = nodes[_VARIABLE].tolist()
            if self.anchors == "alignment":
                spans = zip(variables, nodes[_LOW].tolist(), nodes[_HIGH].tolist(), strict=True)
                sides.append([(v, (low, high)) for v, low, high in spans if 0 < low <= high])
            else:
                sides.append([(variables[node], name) for name, node in candidates.T.tolist()])
        mine, theirs = sides
        return [(v, w) for v, name in sorted(mine) for w, other in theirs if name == other]

    signature_names: ClassVar = keys_of(
        "std=standard alpha beta sense anchors near=neighbours hops ops concept sim=similarity weight ties top effort"
    )

    @classmethod
    def options(cls, fields: Mapping[str, str]) -> dict[str, Any]:
        return told_back(cls, fields, cls.signature_names, whole=False)


class _EndBounds(RowBounds):
    """Labelled relation F1 if each end of a relation were aligned by itself, with what is most similar.

    A relation that matches is worth the mean similarity of its ends, and what it matches has its label. So half the
    similarity of each end to the nearest end of that label, on the same side of a relation, is an upper bound. The
    paper's alignment is one-to-one: what matches is the same from either side, so the smaller sum bounds both. The
    package may translate a constant to a node, so that there a constant is as similar to anything as can be.
    """

    def __init__(self, metric: AnCast, pred: AncastGraphs, gold: AncastGraphs) -> None:
        super().__init__(len(pred), len(gold))
        self.tool = metric.standard == "tool"
        self.other_sense = 1.0 - metric.sense
        sides = [_ends(side, whole=metric.similarity == "nodes") for side in (pred, gold)]
        self.words = [side.words for side in sides]
        self.totals = [np.diff(side.offsets).astype(np.float32) / 2 for side in sides]
        nodes = []
        self.kinds = []
        for side in sides:
            # sorted by label and side, and then by what stands there
            kinds, labels = np.unique(side.kinds, axis=1, return_inverse=True)
            self.kinds.append(kinds)
            halves = np.full(side.kinds.shape[1], 0.5, np.float32)
            nodes.append(Nodes(side.offsets, labels.reshape(-1).astype(np.int32), halves))
        self.slots = self.kinds[1][0]
        self.known, self.place = np.unique(self.kinds[1][1:], axis=1, return_inverse=True)
        self.place = self.place.reshape(-1)
        ids, first = np.unique(self.known[0], return_index=True)
        self.gold_ids, self.first = ids, first
        texts = [self.words[1][id][0] if id >= 0 else b"" for id in ids.tolist()]
        self.characters = np.array([self.words[1][id][1] if id >= 0 else 1 for id in ids.tolist()], np.float64)
        self.number = {text: k for k, text in enumerate(texts) if text}
        # a word is looked for in all words at once
        self.text = b"\n".join(texts)
        self.begins = np.cumsum([0] + [len(text) + 1 for text in texts[:-1]])
        self.nearest = NearestSums(nodes[0], nodes[1], self._alike)

    def _alike(self, labels: Int64Array) -> Bounds:
        found = np.zeros((len(labels), len(self.slots)), np.float32)
        slots, *what = self.kinds[0][:, labels]
        starts, stops = np.searchsorted(self.slots, slots), np.searchsorted(self.slots, slots, side="right")
        rows: dict[tuple[int, ...], Bounds] = {}
        for k, key in enumerate(zip(*(part.tolist() for part in what), strict=True)):
            if starts[k] < stops[k]:
                if key not in rows:
                    rows[key] = self._similar(*key)
                part = slice(int(starts[k]), int(stops[k]))
                found[k, part] = rows[key][self.place[part]]
        return found

    def _similar(self, id: int, sense: int, more: int) -> Bounds:
        """The similarity of an end to all of the gold graphs; constants have negative ids."""
        ids, senses, attributes = self.known
        if id < 0:
            return np.asarray(((ids == id) | self.tool).astype(np.float32))
        values = self._contained(id)
        similar = np.repeat(values, np.diff(np.append(self.first, len(ids))))
        similar[senses != sense] *= self.other_sense
        if more:
            similar[attributes != 0] = (similar[attributes != 0] + 1) / 2
        similar[ids < 0] = float(self.tool)
        return as_single(similar, up=True)

    def _contained(self, word: int) -> FloatArray:
        """The length of the shorter by that of the longer of a word and each of the gold graphs' that it is part of."""
        text, characters = self.words[0][word]
        values = np.zeros(len(self.gold_ids))
        values[self.gold_ids == word] = 1.0
        if not text:
            return values
        if b"\n" in text:
            longer = np.array([k for other, k in self.number.items() if text in other], np.int64)
        else:
            places = [match.start() for match in re.finditer(re.escape(text), self.text)]
            longer = np.searchsorted(self.begins, np.array(places, np.int64), side="right") - 1
        if len(text) <= _SHORT:
            parts = {text[a:b] for a in range(len(text)) for b in range(a + 1, len(text) + 1)}
            shorter = [self.number[part] for part in parts if part in self.number]
        else:
            shorter = [k for part, k in self.number.items() if part in text]
        for found in (longer, np.array(shorter, np.int64)):
            its = self.characters[found]
            values[found] = np.maximum(values[found], np.minimum(its, characters) / np.maximum(its, characters))
        return values

    def rows(self, start: int, stop: int, out: Bounds) -> None:
        mine, theirs = self.nearest.rows(start, stop)
        n, m = self.totals[0][start:stop, None], self.totals[1]
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.tool:
                mine, theirs = np.minimum(mine / n, 1), np.minimum(theirs / m, 1)
                bounds = 2 * mine * theirs / np.maximum(mine + theirs, np.float32(1e-30))
            else:
                bounds = 2 * np.minimum(mine, theirs) / (n + m)
        bounds = np.where((n == 0) | (m == 0), (n == m).astype(np.float32), bounds)
        np.multiply(bounds, raised(self.nearest.terms), out=out)


class _Ends(NamedTuple):
    """The ends of all relations of a corpus, two a relation.

    Attributes
    ----------
    offsets : int64[n_graphs + 1]
    kinds : int64[4, n_ends]
        Label of the relation and whether it is its argument; word, or a constant, which is negative; sense; whether the
        node has attributes, where those count.
    words : dict
        Text and number of characters of each word.
    """

    offsets: Int64Array
    kinds: Int64Array
    words: dict[int, tuple[bytes, int]]


def _ends(graphs: AncastGraphs, *, whole: bool) -> _Ends:
    """``whole``: similarity is that of nodes, with their values and attributes, not of names."""
    offsets, _, nodes, words, text, attribute_start = graphs.arrays[:6]
    pairs, label_start, labels = graphs.arrays[20:23]
    counts = np.diff(label_start)[: pairs.shape[1]]
    graph = owners_of(offsets[_PAIRS_OF])
    first = offsets[_NODES_OF][graph]
    names = nodes[_FULL if whole else _NAME]
    # a node more, for ends that are none
    id, sense, more = (
        np.append(row, 0) for row in (words[0][names], nodes[_SENSE], whole & (np.diff(attribute_start) > 0))
    )
    kinds = []
    for side in (0, 1):
        ends = pairs[side].astype(np.int64)
        node = np.where(ends >= 0, first + ends, -1)
        kinds.append(np.stack([np.where(ends >= 0, id[node], ends), sense[node], more[node]]))
    roles = 2 * labels[: counts.sum()].astype(np.int64)
    of_pair = np.repeat(np.arange(pairs.shape[1]), counts)
    both = [np.concatenate([roles[None] + side, kinds[side][:, of_pair]]) for side in (0, 1)]
    table = np.stack(both, axis=2).reshape(4, -1)
    sizes = np.bincount(graph[of_pair], minlength=len(graphs))
    data = text.tobytes()
    rows = words[:4, np.unique(names)].T.tolist()
    known = {id: (data[at : at + length], characters) for id, at, length, characters in rows}
    return _Ends(starts_of(2 * sizes), table, known)


def _spans(corpus: Corpus) -> Int32Array:
    """First and last token of each variable by the comment ``# ::alignment``, int32[2, n_variables]; 0: not named.

    Anchors are nodes aligned with the same tokens, so a set of tokens with gaps (``2-2,4-4``) needs no more than a
    number that no other set has: instead of the last token it has one made of its number in the vocabulary, which
    corpora that are compared share.
    """
    spans = np.zeros((2, len(corpus.variable_names)), np.int32)
    for g in range(len(corpus)):
        entries = dict(_SPAN.findall(corpus[g].metadata.get("alignment", "")))
        start, stop = corpus.variable_offsets[g : g + 2].tolist()
        for v in range(start, stop if entries else start):
            name = int(corpus.variable_names[v])
            span = entries.get(corpus.vocabulary.text(name)) if name >= 0 else None
            if span:
                spans[:, v] = _interval(span, corpus.vocabulary)
    return spans


def _interval(said: str, vocabulary: Vocabulary) -> tuple[int, int]:
    """The first token, and the last one or a number for the set; ``said`` is ``first-last`` or several, with commas."""
    spans = joined_spans((int(first), int(last)) for first, last in (each.split("-") for each in said.split(",")))
    low, high = (min(token, _LAST_TOKEN) for token in spans[0])
    if len(spans) > 1:
        high = _LAST_TOKEN + 1 + vocabulary.id(",".join(f"{first}-{last}" for first, last in spans))
    return low, high
