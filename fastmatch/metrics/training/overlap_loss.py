"""What training soft overlap makes small: the loss of all training sets, and its slopes by all trained numbers.

:mod:`fastmatch.metrics.training.softoverlap` says what is trained and how. Numbers that must lie between 0 and 1, or be
positive, are trained through a sigmoid or an exponential. Long sums are made without BLAS, whose last bits depend on
the number of its threads: so any number of processors gives the same parameters.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from fastmatch._ext.overlap.gradient import add_slopes
from fastmatch._ext.overlap.labels import CLASSES, logarithms, project
from fastmatch._ext.overlap.score import score_pairs
from fastmatch.errors import OptionError, PairingError
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import Graphs
from fastmatch.metrics.base import PairRange
from fastmatch.metrics.run import run
from fastmatch.metrics.shared.overlap_parameters import PIECES, ROOT, SETTINGS, Parameters
from fastmatch.metrics.softoverlap import Prepared, SoftOverlap, centring, features_of, space_of, width_of
from fastmatch.metrics.training.human_scores import Scores, pearson, read_pairs, targets_of
from fastmatch.types import FloatArray, Int32Array

#: Predictions, gold graphs, and human scores of the pairs; None stands for 0, 1, 0, 1, …: role confusion.
ScoredPairs: TypeAlias = tuple[Graphs, Graphs, Scores]

#: What the square of a change costs.
COST, MAP_COST = 0.001, 0.002
#: Where the parts of one-to-one matches begin if they are both 0, which is the end of their range: no way leads out.
SINGLE, BETWEEN = 0.5, 0.3
#: How far numbers may go, those behind a sigmoid and others: a file holds them, and masses stay finite.
FAR, FAR_SHARE = 50.0, 12.0
#: How far apart a paraphrase and its foil should be.
MARGIN = 0.02

_NEVER = np.zeros(1, np.uint8)
_FREE = ("rank", "depth", "degree", "edge")
_SHARES = ("lemma", "floor", "characters", "number", "other_role", "turned", "single", "between", "square")
_POSITIVE = ("power", "larger", "smaller")
_TABLES = ("classes", "incoming", "edges", "scales", "warp", "map")
#: What may be left as it is at the start.
TRAINED = (*_FREE, *_SHARES, *_POSITIVE, *_TABLES)


class PairSet(NamedTuple):
    """Pairs of the large corpus that holds all graphs: ``first`` … against ``second`` …; None: role confusion."""

    name: str
    pred: Int32Array
    gold: Int32Array
    targets: FloatArray | None


class Problem:
    """Everything that does not change while numbers are trained, and the slopes of the loss."""

    def __init__(
        self,
        metric: SoftOverlap,
        train: Sequence[ScoredPairs],
        dev: Sequence[ScoredPairs],
        labels: list[str],
        one_to_one: tuple[float, float] = (SINGLE, BETWEEN),
    ) -> None:
        self.metric = metric
        self.one_to_one = one_to_one
        self.vectors = metric.vectors()
        self.start_parameters = metric.numbers()
        corpus, self.train, self.dev = _collect(metric, train, dev, labels)
        self.signature = metric.signature(corpus.dialect)
        standard = metric.standardized(corpus)
        self.features = features_of(standard, self.vectors)
        features = self.features
        self.classes = features.labels[2][features.rows]
        ids, self.roles = np.unique(features.edges[1], return_inverse=True)
        self.role_names = [standard.vocabulary.text(role) for role in ids.tolist()]
        owners = np.repeat(features.node_offsets[:-1], np.diff(features.edge_offsets))
        self.targets = features.edges[2] + owners
        self.tops = (features.node_offsets[:-1] + features.roots)[features.roots >= 0]
        count = np.bincount(self.targets, minlength=len(features.rows)).astype(np.float64)
        count[self.tops] += 1
        self.shares_in = 1.0 / np.maximum(count, 1.0)
        self.depth, self.degree = (logarithms(x.astype(np.float64)) for x in (features.depths, features.degrees))
        self.rarity = features.rarities[features.rows]
        self.dimension = features.raw.shape[1]
        n_labels = len(features.known)
        # vectors without the map, of length 1: the map is applied to these
        self.plain = np.zeros((n_labels, self.dimension))
        self.table = np.zeros((n_labels, width_of(self.dimension)), np.float32)
        if self.vectors is not None:
            project(features.raw, features.known, *centring(self.vectors), self.table)
            self.plain[:] = self.table[:, : self.dimension]
        self.node_masses, self.edge_masses = np.ones(len(features.rows)), np.ones(features.edges.shape[1])
        self.scales = np.ones((len(CLASSES), len(CLASSES)))
        self.settings = np.array(self.start_parameters.settings)
        self.upper = np.triu_indices(len(CLASSES))
        masses = self.node_masses, self.edge_masses
        self.space = space_of(features, *masses, self.table, self.scales, self.settings)
        # all trained numbers as one vector has them: stretches of it, by name
        sizes = [len(_FREE), len(_SHARES), len(_POSITIVE), len(self.scales), len(self.role_names) + 1]
        sizes += [len(self.role_names), len(self.upper[0]), PIECES, self.dimension**2]
        ends = np.cumsum(sizes).tolist()
        stretches = map(slice, [0, *ends], ends)
        names = ("free", "shares", "positive", *_TABLES)
        self.layout = SimpleNamespace(**dict(zip(names, stretches, strict=True)), size=ends[-1])
        self.triples = self._triples(corpus)

    def _triples(self, corpus: Corpus) -> dict[str, FloatArray]:
        """F1 of Smatch++ of the pairs of every set, by the set's name."""
        if not self.metric.smatch:
            return {each.name: np.zeros(len(each.pred)) for each in (*self.train, *self.dev)}

        pure = replace(self.metric, parameters=None)
        prepared = Prepared(self.space, pure._inner.prepare(corpus))
        found = {}
        for each in (*self.train, *self.dev):
            if each.name not in found:
                found[each.name] = run(pure, prepared, prepared, each.pred, each.gold).statistics[4]
        return found

    # ---- numbers and what they stand for -----------------------------------------------------------------------------

    def start(self) -> FloatArray:
        """The numbers that training begins with."""
        at, from_ = self.layout, self.start_parameters
        x = np.zeros(at.size)
        x[at.free] = [getattr(from_, name) for name in _FREE]
        x[at.shares] = logit(np.array([getattr(from_, name) for name in _SHARES]))
        x[at.positive] = np.log([getattr(from_, name) for name in _POSITIVE])
        x[at.classes] = from_.class_masses
        x[at.incoming] = [from_.incoming.get(name, 0.0) for name in (*self.role_names, ROOT)]
        x[at.edges] = [from_.edges.get(name, 0.0) for name in self.role_names]
        x[at.scales] = logit(from_.scales[self.upper])
        x[at.warp] = np.log(from_.warp / from_.warp.sum())
        if self.dimension and from_.map is not None:
            x[at.map] = from_.map.ravel()
        return x

    def bounds(self, begin: FloatArray) -> FloatArray:
        """How far from 0 each number may go; those that begin farther away do not go farther."""
        far = np.full(self.layout.size, FAR)
        far[self.layout.shares] = far[self.layout.scales] = FAR_SHARE
        return np.maximum(far, np.abs(begin))

    def begin(self) -> FloatArray:
        """Where the first step is made from: the start, with one-to-one matches if they had no part there."""
        from_ = self.start_parameters
        if from_.single > 0 or from_.between > 0:
            return self.start()
        x, (single, between) = self.start(), self.one_to_one
        x[self.layout.shares] = logit(
            np.array([getattr(replace(from_, single=single, between=between), name) for name in _SHARES])
        )
        return x

    def parameters(self, x: FloatArray) -> Parameters:
        """What the numbers stand for."""
        at = self.layout
        scales = np.empty((len(CLASSES), len(CLASSES)))
        scales[self.upper] = scales.T[self.upper] = sigmoid(x[at.scales])
        warp = np.exp(x[at.warp] - x[at.warp].max())
        table = x[at.map].reshape(self.dimension, self.dimension) if self.dimension else None
        return replace(
            self.start_parameters,
            vectors=None if self.vectors is None else self.vectors.fingerprint,
            **dict(zip(_FREE, x[at.free].tolist(), strict=True)),
            **dict(zip(_SHARES, sigmoid(x[at.shares]).tolist(), strict=True)),
            **dict(zip(_POSITIVE, np.exp(x[at.positive]).tolist(), strict=True)),
            classes=dict(zip(CLASSES, x[at.classes].tolist(), strict=True)),
            incoming=dict(zip((*self.role_names, ROOT), x[at.incoming].tolist(), strict=True)),
            edges=dict(zip(self.role_names, x[at.edges].tolist(), strict=True)),
            scales=scales,
            warp=warp / warp.sum(),
            map=table if table is not None and table.any() else None,
        )

    def put(self, x: FloatArray) -> tuple[Parameters, FloatArray]:
        """Make the space that of these numbers.

        Returns
        -------
        Parameters
        lengths : float64[n_labels]
            Of the mapped vectors, before they are divided by them; 1 for a vector of 0.
        """
        at, now = self.layout, self.parameters(x)
        logs = now.rank * self.rarity + now.class_masses[self.classes] - now.depth * self.depth
        logs -= now.degree * self.degree
        incoming = x[at.incoming]
        # of no edges the counts would be whole numbers
        total = np.bincount(self.targets, incoming[self.roles], minlength=len(logs)).astype(np.float64, copy=False)
        total[self.tops] += incoming[-1]
        np.exp(logs + total * self.shares_in, out=self.node_masses)
        np.exp(x[at.edges][self.roles] + now.edge, out=self.edge_masses)
        self.scales[:] = now.scales
        self.settings[:] = now.settings
        lengths = np.ones(len(self.plain))
        if self.dimension:
            mapped = self.plain + np.einsum("ki,ij->kj", self.plain, x[at.map].reshape(self.dimension, self.dimension))
            found = np.sqrt((mapped * mapped).sum(axis=1))
            lengths[found > 0] = found[found > 0]
            self.table[:, : self.dimension] = mapped / lengths[:, None]
        return now, lengths

    # ---- loss --------------------------------------------------------------------------------------------------------

    def sums(self, each: PairSet) -> FloatArray:
        """Matched and whole masses of a set's pairs, float64[4, n]."""
        out = np.empty((4, len(each.pred)))
        score_pairs(self.space, self.space, PairRange.all(each.pred, each.gold, _NEVER), out=out, lasting=True)
        return out

    def values(self, sets: Sequence[PairSet], x: FloatArray) -> list[float]:
        """Pearson's r, or the share of foils below their paraphrase, of each set."""
        now, _ = self.put(x)
        part, found = self.metric.smatch, []
        for each in sets:
            scores = (1 - part) * now.scored(*self.sums(each)) + part * self.triples[each.name]
            found.append(_value(scores, each.targets))
        return found

    def moving(self, fixed: Collection[str]) -> FloatArray:
        """1 for numbers that are learnt, 0 for those that stay as they are: ``fixed``, some of :data:`TRAINED`."""
        at, found = self.layout, np.ones(self.layout.size)
        for stretch, names in ((at.free, _FREE), (at.shares, _SHARES), (at.positive, _POSITIVE)):
            found[stretch] = [name not in fixed for name in names]
        for name in _TABLES:
            if name in fixed:
                found[getattr(at, name)] = 0
        return found

    def slopes(
        self, x: FloatArray, blocs: Sequence[Sequence[int]] = (), agreement: float = 0.0
    ) -> tuple[float, FloatArray, list[float]]:
        """The loss, its slopes by all numbers, and what :meth:`values` gives of the training sets.

        With ``blocs``, which are training sets by their place, slopes on whose sign they do not agree are 0
        (:func:`agreed`); sets that are in none have no part, and nan as value.
        """
        now, lengths = self.put(x)
        if not blocs:
            return self._slopes(x, now, lengths, self.train)
        loss, by, values = 0.0, [], [np.nan] * len(self.train)
        for bloc in blocs:
            more, slopes, found = self._slopes(x, now, lengths, [self.train[place] for place in bloc])
            loss += more
            by.append(slopes)
            for place, value in zip(bloc, found, strict=True):
                values[place] = value
        return loss, agreed(np.stack(by), agreement), values

    def _slopes(
        self, x: FloatArray, now: Parameters, lengths: FloatArray, sets: Sequence[PairSet]
    ) -> tuple[float, FloatArray, list[float]]:
        """The loss of some of the training sets, its slopes, and their values."""
        at = self.layout
        by = np.zeros(at.size)
        by_node, by_edge = np.zeros(len(self.node_masses)), np.zeros(len(self.edge_masses))
        by_vector = np.zeros(self.table.shape)
        by_scale, by_setting = np.zeros(self.scales.shape), np.zeros(len(SETTINGS))
        loss, found = 0.0, []
        by_share = dict.fromkeys((*_SHARES, *_POSITIVE), 0.0)
        part = self.metric.smatch
        for each in sets:
            sums = self.sums(each)
            score = _Scored(now, sums)
            scores = (1 - part) * score.value + part * self.triples[each.name]
            more, by_score = loss_of(scores, each.targets)
            loss += more
            found.append(_value(scores, each.targets))
            by_sums = score.slopes((1 - part) * by_score, by_share, by[at.warp])
            add_slopes(
                self.space,
                each.pred,
                each.gold,
                by_sums,
                node_masses=by_node,
                edge_masses=by_edge,
                vectors=by_vector,
                scales=by_scale,
                settings=by_setting,
                cancel=_NEVER,
            )
        for name, slope in zip(SETTINGS, by_setting.tolist(), strict=True):
            if name in by_share:
                by_share[name] += slope
        self._by_masses(by, by_node * self.node_masses, by_edge * self.edge_masses)
        shares, positive = x[at.shares], x[at.positive]
        by[at.shares] = np.array([by_share[name] for name in _SHARES]) * sigmoid(shares) * sigmoid(-shares)
        by[at.positive] = np.array([by_share[name] for name in _POSITIVE]) * np.exp(positive)
        both = by_scale + by_scale.T
        np.fill_diagonal(both, np.diagonal(by_scale))
        by[at.scales] = both[self.upper] * sigmoid(x[at.scales]) * sigmoid(-x[at.scales])
        warp = np.exp(x[at.warp] - x[at.warp].max())
        warp /= warp.sum()
        by[at.warp] = warp * (by[at.warp] - by[at.warp] @ warp)
        if self.dimension:
            unit = self.table[:, : self.dimension].astype(np.float64)
            back = by_vector[:, : self.dimension]
            back = (back - unit * (back * unit).sum(axis=1, keepdims=True)) / lengths[:, None]
            by[at.map] = np.einsum("ki,kj->ij", self.plain, back).ravel()
        return loss, by, found

    def _by_masses(self, by: FloatArray, by_node: FloatArray, by_edge: FloatArray) -> None:
        """Slopes by all that masses are made of, from those by the logarithms of masses."""
        at, n_roles = self.layout, len(self.role_names)
        nodes = [_inner(by_node, each) for each in (self.rarity, -self.depth, -self.degree)]
        by[at.free] = (*nodes, by_edge.sum())
        by[at.classes] = np.bincount(self.classes, by_node, minlength=len(self.scales))
        each = by_node * self.shares_in
        incoming = np.bincount(self.roles, each[self.targets], minlength=n_roles)
        by[at.incoming] = [*incoming.tolist(), each[self.tops].sum()]
        by[at.edges] = np.bincount(self.roles, by_edge, minlength=n_roles)

    def cost(self, x: FloatArray, start: FloatArray) -> tuple[float, FloatArray]:
        """What changes cost, and its slopes."""
        weights = np.full(len(x), COST)
        weights[self.layout.map] = MAP_COST
        change = x - start
        return _inner(weights, change * change), 2 * weights * change


class _Scored:
    """Scores of pairs, without Smatch++, and the way back from them to the sums that they are made of."""

    def __init__(self, now: Parameters, sums: FloatArray) -> None:
        covered, mass, other, other_mass = sums
        self.now = now
        self.shared = 0.5 * (covered + other)
        self.left = mass - covered, other_mass - other
        self.most, self.least = np.maximum(*self.left), np.minimum(*self.left)
        self.rest = now.larger * self.most + now.smaller * self.least
        whole = self.shared + self.rest
        self.whole = np.where(whole > 0, whole, 1.0)
        self.ratio = np.where(whole > 0, self.shared / self.whole, 1.0)
        self.value = now.scored(covered, mass, other, other_mass)

    def slopes(self, by_score: FloatArray, by_share: dict[str, float], by_warp: FloatArray) -> FloatArray:
        """Slopes by the four sums, float64[4, n]; those by the parameters are added to ``by_share``, ``by_warp``.

        ``by_warp``: by the rises of the pieces, as if they did not have to add up to 1.
        """
        now, ratio = self.now, self.ratio
        mixed = (1 - now.square) * ratio + now.square * ratio * ratio
        piece = np.minimum((mixed * PIECES).astype(np.int64), PIECES - 1)
        rises = np.diff(now.heights)
        # of each piece: all that is above it counts it whole
        inside = np.bincount(piece, by_score * (mixed * PIECES - piece), minlength=PIECES)
        total = np.bincount(piece, by_score, minlength=PIECES)
        by_warp += inside + (total.sum() - np.cumsum(total))
        by_mixed = by_score * rises[piece] * PIECES
        by_share["square"] += _inner(by_mixed, ratio * ratio - ratio)
        by_ratio = by_mixed * ((1 - now.square) + 2 * now.square * ratio)
        by_shared = by_ratio * self.rest / (self.whole * self.whole)
        by_rest = -by_ratio * self.shared / (self.whole * self.whole)
        by_share["larger"] += _inner(by_rest, self.most)
        by_share["smaller"] += _inner(by_rest, self.least)
        first = np.where(self.left[0] > self.left[1], now.larger, now.smaller)
        second = np.where(self.left[1] > self.left[0], now.larger, now.smaller)
        equal = self.left[0] == self.left[1]
        first[equal] = second[equal] = 0.5 * (now.larger + now.smaller)
        by_left, by_other = by_rest * first, by_rest * second
        return np.stack([0.5 * by_shared - by_left, by_left, 0.5 * by_shared - by_other, by_other])


def agreed(slopes: FloatArray, share: float) -> FloatArray:
    """The sum of the rows of slopes, 0 where less than a share of those that are not 0 have the same sign.

    Parascandolo et al. (2021), "Learning explanations that are hard to vary". What only some sets ask for is more often
    what their annotators were told than what sentences mean.
    """
    up, down = (slopes > 0).sum(axis=0), (slopes < 0).sum(axis=0)
    # shares such as 0.8 of five are not exact
    return np.where(np.maximum(up, down) >= share * (up + down) - 1e-9, slopes.sum(axis=0), 0.0)


def loss_of(scores: FloatArray, targets: FloatArray | None) -> tuple[float, FloatArray]:
    """The loss of a set, and its slopes by the scores."""
    if targets is None:
        apart = (scores[1::2] - scores[0::2]) / MARGIN
        slopes = np.empty(len(scores))
        slopes[1::2] = -sigmoid(-apart) / (MARGIN * len(apart))
        slopes[0::2] = -slopes[1::2]
        return float(np.logaddexp(0, -apart).mean()), slopes
    x, y = scores - scores.mean(), targets - targets.mean()
    x_length, y_length = np.sqrt(_inner(x, x)), np.sqrt(_inner(y, y))
    if x_length == 0:
        return 0.0, np.zeros(len(scores))
    x, y = x / x_length, y / y_length
    r = _inner(x, y)
    slopes = (r * x - y) / x_length
    return -r, slopes


def _value(scores: FloatArray, targets: FloatArray | None) -> float:
    return float((scores[1::2] > scores[0::2]).mean()) if targets is None else pearson(scores, targets)


def _collect(
    metric: SoftOverlap, train: Sequence[ScoredPairs], dev: Sequence[ScoredPairs], labels: list[str]
) -> tuple[Corpus, list[PairSet], list[PairSet]]:
    """All graphs as one corpus, and the pairs in it."""
    parts: list[Corpus] = []
    found: list[list[PairSet]] = [[], []]
    n_graphs = 0
    names = [f"train {number + 1}" for number in range(len(train))]
    for place, (sets, called) in enumerate(((train, names), (dev, labels))):
        for name, each in zip(called, sets, strict=True):
            pred, gold, scores = _three(name, each)
            *pair, rows = read_pairs(name, pred, gold, metric, parts[0] if parts else None)
            targets: FloatArray | None = None
            if scores is None:
                if len(rows) % 2 or not len(rows):
                    raise PairingError(f"{name}: {len(rows)} pairs, expected foils and paraphrases in turn")
            else:
                targets = targets_of(name, scores, len(pair[0]))[rows]
                if len(targets) < 2 or np.ptp(targets) ** 2 == 0:  # of tiny differences the squares are 0
                    file = os.fspath(scores) if isinstance(scores, str | os.PathLike) else name
                    raise OptionError(f"{file}: expected at least two pairs whose scores differ")
            found[place].append(PairSet(name, rows + n_graphs, rows + n_graphs + len(pair[0]), targets))
            n_graphs += 2 * len(pair[0])
            parts += pair
    if len({each.name for each in (*found[0], *found[1])}) < len(train) + len(dev):
        raise OptionError("names: expected a name of its own for each development set, other than 'train 1', …")
    return Corpus.concatenate(parts), found[0], found[1]


def _three(name: str, given: Any) -> ScoredPairs:
    """A set of pairs, or OptionError if it is something else."""
    if isinstance(given, tuple | list) and len(given) == 3:
        return given[0], given[1], given[2]
    found = f"{len(given)} values" if isinstance(given, tuple | list) else type(given).__name__
    raise OptionError(f"{name}: expected (pred, gold, scores), found {found}")


def _inner(x: FloatArray, y: FloatArray) -> float:
    """The inner product, without BLAS: that adds up in parts, as many as there are threads, and rounds accordingly."""
    return float((x * y).sum())


def sigmoid(x: FloatArray) -> FloatArray:
    return 0.5 * (1.0 + np.tanh(0.5 * x))


def logit(x: FloatArray) -> FloatArray:
    """The inverse, of numbers that are kept away from 0 and 1."""
    x = np.clip(x, 1e-4, 1 - 1e-4)
    return np.log(x / (1 - x))
