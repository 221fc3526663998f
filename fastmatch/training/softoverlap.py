"""Soft overlap, trained: the numbers of the metric, learnt from pairs that people have scored.

The loss of a set of pairs with human scores is minus Pearson's r between scores and human scores. The loss of a set of
role confusion is the mean of softplus(−(p − f) / 0.02), where p is the score of a paraphrase and f that of the foil
before it. Losses are added up over all training sets, so that a small set counts as much as a large one, and with them
the squares of all changes (times 0.001; for the map of word vectors 0.002).

All slopes are computed (:mod:`fastmatch._ext.overlap.gradient`); nothing is random. Adam (Kingma and Ba 2015) makes 50
steps over all pairs with a rate of 0.06, which leave the map of word vectors as it is; then 50 steps at half that rate,
from the best numbers until then, in which the map learns at a fifth of it. In both stages the rate falls to nearly 0 in
a straight line: at a constant rate numbers swing to and fro, and which of them a look meets is a matter of luck. Every
five steps the development sets are scored (a *look*), and the numbers of the best look are the result. With a
``share`` below 1 looks and result are of numbers between those at the start and the learnt ones.

Numbers that must lie between 0 and 1, or be positive, are trained through a sigmoid or an exponential. Long sums are
made without BLAS, whose last bits depend on the number of its threads: so any number of processors gives the same
parameters.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from fastmatch.errors import OptionError, PairingError
from fastmatch.metrics.shared.overlap_parameters import PIECES, ROOT, SETTINGS, Parameters, rounded
from fastmatch.metrics.softoverlap import SoftOverlap, centring, features_of, width_of
from fastmatch.runtime.progress import Bar
from fastmatch.training.curve import Learning, Look, whole
from fastmatch.training.human_scores import pearson, targets_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from fastmatch._ext.overlap.space import SoftSpace
    from fastmatch.embeddings.vectors import Embeddings
    from fastmatch.evaluation.inputs import Graphs
    from fastmatch.graphs.corpus import Corpus
    from fastmatch.results.signature import Signature
    from fastmatch.training.curve import Tell
    from fastmatch.training.human_scores import Scores
    from fastmatch.types import FloatArray, Int32Array

    #: Predictions, gold graphs, and human scores of the pairs; None stands for 0, 1, 0, 1, …: role confusion.
    ScoredPairs: TypeAlias = tuple[Graphs, Graphs, Scores]

__all__ = ["OverlapTraining", "train_softoverlap"]

#: Steps with the map as it is, and then with it; the rate of the former; steps between looks.
STEPS, MAP_STEPS, RATE, EVERY = 50, 50, 0.06, 5
#: The rate of the second stage, and that of the map in it, as parts of the one before.
SECOND_RATE, MAP_RATE = 0.5, 0.2
#: What the square of a change costs.
COST, MAP_COST = 0.001, 0.002
#: Where the parts of one-to-one matches begin if they are both 0, which is the end of their range: no way leads out.
SINGLE, BETWEEN = 0.5, 0.3
#: How far numbers may go, those behind a sigmoid and others: a file holds them, and masses stay finite.
FAR, FAR_SHARE = 50.0, 12.0
#: How far apart a paraphrase and its foil should be.
MARGIN = 0.02
#: Adam's memory of slopes and of their squares.
MEMORY, SQUARE_MEMORY, TINY = 0.9, 0.999, 1e-8

_NEVER = np.zeros(1, np.uint8)
_FREE = ("rank", "depth", "degree", "edge")
_SHARES = ("lemma", "floor", "characters", "number", "other_role", "turned", "single", "between", "square")
_POSITIVE = ("power", "larger", "smaller")


@dataclass(frozen=True)
class OverlapTraining(Learning):
    """Learnt parameters and how they were found.

    Attributes
    ----------
    parameters : Parameters
        Those of the best look, with as many digits as a file has.
    looks : tuple of Look
        The learning curve; the first is the start. ``dev`` is the mean over the development sets of Pearson's r, or of
        the share of foils below their paraphrase; ``train`` the same of the training sets.
    best : int
        Which look was best; the first of equals.
    updates : int
        Steps that were made.
    interrupted : bool
        Ctrl-C ended it.
    signature : Signature
        Of the metric before training.
    sets : dict of str → (float, float)
        Of each development set the value before and after.
    """

    #: What figures call it.
    title: ClassVar[str] = "training of soft overlap"
    judged_by: ClassVar[str] = "mean over the sets"
    trained_on: ClassVar[str] = "training sets"

    parameters: Parameters = field(repr=False)
    looks: tuple[Look, ...] = field(repr=False)
    best: int
    updates: int
    interrupted: bool
    signature: Signature
    sets: dict[str, tuple[float, float]] = field(repr=False)

    def save(self, path: str | os.PathLike[str], comments: Sequence[str] = ()) -> None:
        """Write the parameters to a file that ``parameters=`` of the metric reads."""
        from fastmatch.metrics.shared.overlap_parameters import write_parameters

        look = self.looks[self.best]
        facts = [
            f"signature: {self.signature}",
            f"mean over the development sets: {self.before:.6f} before, {look.dev:.6f} after {look.update} steps",
        ]
        write_parameters(path, self.parameters, [*facts, *comments])

    def to_dict(self) -> dict[str, Any]:
        """Everything but the parameters as plain values, ready for JSON."""
        return {
            "signature": str(self.signature),
            "parameters": self.parameters.digest,
            "before": self.before,
            "after": self.after,
            "best": self.best,
            "updates": self.updates,
            "interrupted": self.interrupted,
            "sets": {name: {"before": one, "after": two} for name, (one, two) in self.sets.items()},
            "looks": [look._asdict() for look in self.looks],
        }


def train_softoverlap(
    train: Sequence[ScoredPairs],
    dev: Sequence[ScoredPairs] = (),
    *,
    names: Sequence[str] | None = None,
    embeddings: str | os.PathLike[str] | Embeddings | None = None,
    metric: SoftOverlap | None = None,
    steps: int = STEPS,
    map_steps: int = MAP_STEPS,
    rate: float = RATE,
    every: int = EVERY,
    patience: int | None = None,
    share: float = 1.0,
    progress: bool | Tell | None = None,
) -> OverlapTraining:
    """Learn the parameters of soft overlap from scored pairs.

    Parameters
    ----------
    train : sequence of (pred, gold, scores)
        Sets of pairs, each as :func:`fastmatch.train_wwlk` takes them: two corpora, and the human scores, on any scale,
        or a file with one a line. None instead of scores stands for 0, 1, 0, 1, …: a foil, then a paraphrase that
        should score higher. :func:`fastmatch.benchmarks.bamboo_pairs` gives those of BAMBOO.
    dev : sequence of (pred, gold, scores)
        Development sets; the training sets themselves if there are none.
    names : sequence of str, optional
        What the development sets are called in the result.
    embeddings : path or Embeddings, optional
        Word vectors, unless ``metric`` is given.
    metric : SoftOverlap, optional
        Its parameters are where training starts, except that ``single`` = 0.5 and ``between`` = 0.3 if both are 0
        there. By default that of the preset ``bamboo``, without parameters.
    steps, map_steps : int
        Steps without and with the map of word vectors, 0 or more.
    rate : float
        Of the first steps.
    every : int
        Steps between two looks at the development sets.
    patience : int, optional
        End a stage after so many looks without a better one.
    share : float
        Above 0 and at most 1: the result is so far from the start to what was learnt. Less than 1 is better for
        sentences of another kind than those that are learnt from.
    progress : None, bool or callable
        True draws a bar on a terminal; a callable gets (steps made, steps at most, last look).

    Returns
    -------
    OverlapTraining

    Raises
    ------
    PairingError, OptionError, ReadError
        If graphs and scores do not fit each other, an option has no such value, or something cannot be read.

    Notes
    -----
    Nothing is random. ``KeyboardInterrupt`` is caught: the result are the best parameters until then. A step over
    BAMBOO's 33,000 training pairs takes 2 s of one processor.
    """
    for name, value, least in (("steps", steps, 0), ("map_steps", map_steps, 0), ("every", every, 1)):
        whole(name, value, least)
    if patience is not None:
        whole("patience", patience, 1)
    if isinstance(rate, bool) or not (isinstance(rate, int | float) and 0 < rate < np.inf):
        raise OptionError(f"rate={rate!r}: expected a positive number")
    if isinstance(share, bool) or not (isinstance(share, int | float) and 0 < share <= 1):
        raise OptionError(f"share={share!r}: expected a number above 0 and at most 1")
    if metric is None:
        metric = SoftOverlap(embeddings=embeddings, smatch=SoftOverlap.presets["bamboo"]["smatch"])
    elif embeddings is not None:
        raise OptionError("metric is made already: no embeddings can be given besides")
    if not train:
        raise OptionError("train: expected at least one set of pairs")
    labels = [f"dev {number + 1}" for number in range(len(dev))] if names is None else list(names)
    if len(labels) != len(dev):
        raise OptionError(f"names: {len(labels)} names for {len(dev)} development sets")
    problem = _Problem(metric, train, dev, labels)
    stages = [_Stage(steps, rate, 0.0)]
    if problem.dimension:
        stages.append(_Stage(map_steps, rate * SECOND_RATE, rate * SECOND_RATE * MAP_RATE))
    if callable(progress):
        return _adam(problem, stages, every, patience, share, progress)
    with Bar("steps", quiet=not progress) as bar:
        return _adam(
            problem,
            stages,
            every,
            patience,
            share,
            lambda done, total, look: bar(done, total, f"dev = {look.dev:.4f} at {look.update}"),
        )


class _Stage(NamedTuple):
    """So many steps, with these rates of everything else and of the map at the start; they fall in a straight line."""

    steps: int
    rate: float
    map_rate: float


class _Set(NamedTuple):
    """Pairs of the large corpus that holds all graphs: ``first`` … against ``second`` …; None: role confusion."""

    name: str
    pred: Int32Array
    gold: Int32Array
    targets: FloatArray | None


class _Values(NamedTuple):
    """All trained numbers as one vector has them: stretches of it, by name."""

    free: slice
    shares: slice
    positive: slice
    classes: slice
    incoming: slice
    edges: slice
    scales: slice
    warp: slice
    map: slice
    size: int


class _Problem:
    """Everything that does not change while numbers are trained, and the slopes of the loss."""

    def __init__(
        self, metric: SoftOverlap, train: Sequence[ScoredPairs], dev: Sequence[ScoredPairs], labels: list[str]
    ) -> None:
        from fastmatch._ext.overlap.labels import CLASSES, project
        from fastmatch._ext.overlap.space import SoftSpace

        self.metric = metric
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
        self.depth, self.degree = np.log1p(features.depths), np.log1p(features.degrees)
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
        self.space: SoftSpace = SoftSpace(
            features.node_offsets,
            features.rows,
            self.node_masses,
            features.edge_offsets,
            features.edges,
            self.edge_masses,
            self.table,
            *features.labels,
            self.scales,
            self.settings,
        )
        self.layout = self._layout()
        self.triples = self._triples(corpus)

    def _layout(self) -> _Values:
        sizes = [len(_FREE), len(_SHARES), len(_POSITIVE), len(self.scales), len(self.role_names) + 1]
        sizes += [len(self.role_names), len(self.upper[0]), PIECES, self.dimension**2]
        ends = np.cumsum(sizes).tolist()
        stretches = [slice(first, last) for first, last in zip([0, *ends], ends, strict=False)]
        return _Values(**dict(zip(_Values._fields, stretches, strict=False)), size=ends[-1])

    def _triples(self, corpus: Corpus) -> dict[str, FloatArray]:
        """F1 of Smatch++ of the pairs of every set, by the set's name."""
        if not self.metric.smatch:
            return {each.name: np.zeros(len(each.pred)) for each in (*self.train, *self.dev)}
        from fastmatch.metrics.run import run
        from fastmatch.metrics.softoverlap import Prepared

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
        x[at.shares] = _logit(np.array([getattr(from_, name) for name in _SHARES]))
        x[at.positive] = np.log([getattr(from_, name) for name in _POSITIVE])
        x[at.classes] = from_.class_masses
        x[at.incoming] = [from_.incoming.get(name, 0.0) for name in (*self.role_names, ROOT)]
        x[at.edges] = [from_.edges.get(name, 0.0) for name in self.role_names]
        x[at.scales] = _logit(from_.scales[self.upper])
        x[at.warp] = np.log(from_.warp / from_.warp.sum())
        if self.dimension and from_.map is not None:
            x[at.map] = from_.map.ravel()
        return x

    def bounds(self, begin: FloatArray) -> FloatArray:
        """How far from 0 each number may go; those that begin farther away do not go farther."""
        far = np.full(self.layout.size, FAR)
        far[self.layout.shares] = far[self.layout.scales] = FAR_SHARE
        found: FloatArray = np.maximum(far, np.abs(begin))
        return found

    def begin(self) -> FloatArray:
        """Where the first step is made from: the start, with one-to-one matches if they had no part there."""
        from_ = self.start_parameters
        if from_.single > 0 or from_.between > 0:
            return self.start()
        x = self.start()
        x[self.layout.shares] = _logit(
            np.array([getattr(replace(from_, single=SINGLE, between=BETWEEN), name) for name in _SHARES])
        )
        return x

    def parameters(self, x: FloatArray) -> Parameters:
        """What the numbers stand for."""
        from fastmatch._ext.overlap.labels import CLASSES

        at = self.layout
        scales = np.empty((len(CLASSES), len(CLASSES)))
        scales[self.upper] = scales.T[self.upper] = _sigmoid(x[at.scales])
        warp = np.exp(x[at.warp] - x[at.warp].max())
        table = x[at.map].reshape(self.dimension, self.dimension) if self.dimension else None
        return replace(
            self.start_parameters,
            vectors=None if self.vectors is None else self.vectors.fingerprint,
            **dict(zip(_FREE, x[at.free].tolist(), strict=True)),
            **dict(zip(_SHARES, _sigmoid(x[at.shares]).tolist(), strict=True)),
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

    def sums(self, each: _Set) -> FloatArray:
        """Matched and whole masses of a set's pairs, float64[4, n]."""
        from fastmatch._ext.overlap.score import score_pairs

        out = np.empty((4, len(each.pred)))
        score_pairs(self.space, self.space, each.pred, each.gold, 0, len(each.pred), cancel=_NEVER, out=out)
        return out

    def values(self, sets: Sequence[_Set], x: FloatArray) -> list[float]:
        """Pearson's r, or the share of foils below their paraphrase, of each set."""
        now, _ = self.put(x)
        part, found = self.metric.smatch, []
        for each in sets:
            scores = (1 - part) * now.scored(*self.sums(each)) + part * self.triples[each.name]
            found.append(_value(scores, each.targets))
        return found

    def slopes(self, x: FloatArray) -> tuple[float, FloatArray, list[float]]:
        """The loss, its slopes by all numbers, and what :meth:`values` gives of the training sets."""
        from fastmatch._ext.overlap.gradient import add_slopes

        now, lengths = self.put(x)
        at = self.layout
        by = np.zeros(at.size)
        by_node, by_edge = np.zeros(len(self.node_masses)), np.zeros(len(self.edge_masses))
        by_vector = np.zeros(self.table.shape)
        by_scale, by_setting = np.zeros(self.scales.shape), np.zeros(len(SETTINGS))
        loss, found = 0.0, []
        by_share = dict.fromkeys((*_SHARES, *_POSITIVE), 0.0)
        part = self.metric.smatch
        for each in self.train:
            sums = self.sums(each)
            score = _Scored(now, sums)
            scores = (1 - part) * score.value + part * self.triples[each.name]
            more, by_score = _loss(scores, each.targets)
            loss += more
            found.append(_value(scores, each.targets))
            by_sums = score.slopes((1 - part) * by_score, by_share, by[at.warp])
            add_slopes(
                self.space,
                each.pred,
                each.gold,
                by_sums,
                cancel=_NEVER,
                node_masses=by_node,
                edge_masses=by_edge,
                vectors=by_vector,
                scales=by_scale,
                settings=by_setting,
            )
        for name, slope in zip(SETTINGS, by_setting.tolist(), strict=True):
            if name in by_share:
                by_share[name] += slope
        self._by_masses(by, by_node * self.node_masses, by_edge * self.edge_masses)
        shares, positive = x[at.shares], x[at.positive]
        by[at.shares] = np.array([by_share[name] for name in _SHARES]) * _sigmoid(shares) * _sigmoid(-shares)
        by[at.positive] = np.array([by_share[name] for name in _POSITIVE]) * np.exp(positive)
        both = by_scale + by_scale.T
        np.fill_diagonal(both, np.diagonal(by_scale))
        by[at.scales] = both[self.upper] * _sigmoid(x[at.scales]) * _sigmoid(-x[at.scales])
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
        by[at.free] = (
            _inner(by_node, self.rarity),
            -_inner(by_node, self.depth),
            -_inner(by_node, self.degree),
            by_edge.sum(),
        )
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


def _loss(scores: FloatArray, targets: FloatArray | None) -> tuple[float, FloatArray]:
    """The loss of a set, and its slopes by the scores."""
    if targets is None:
        apart = (scores[1::2] - scores[0::2]) / MARGIN
        slopes = np.empty(len(scores))
        slopes[1::2] = -_sigmoid(-apart) / (MARGIN * len(apart))
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
    if targets is None:
        return float((scores[1::2] > scores[0::2]).mean())
    return pearson(scores, targets)


def _adam(
    problem: _Problem, stages: Sequence[_Stage], every: int, patience: int | None, share: float, progress: Tell
) -> OverlapTraining:
    """Train until all steps are made, ``patience`` ends it, or Ctrl-C."""
    start, begin = problem.start(), problem.begin()
    far = problem.bounds(begin)
    total, done = sum(stage.steps for stage in stages), 0
    judged = problem.dev or problem.train
    first = problem.values(judged, start)
    looks = [Look(0, float(np.mean(first)), float(np.mean(problem.values(problem.train, start))))]
    best, kept, last = 0, begin, first
    interrupted = False
    try:
        for stage in stages:
            x, mean, square = kept.copy(), np.zeros(len(start)), np.zeros(len(start))
            rates = np.full(len(x), stage.rate)
            rates[problem.layout.map] = stage.map_rate
            began = len(looks)
            for t in range(1, stage.steps + 1):
                _, slopes, found = problem.slopes(x)
                slopes = slopes + problem.cost(x, begin)[1]
                mean = MEMORY * mean + (1 - MEMORY) * slopes
                square = SQUARE_MEMORY * square + (1 - SQUARE_MEMORY) * slopes * slopes
                step = mean / (1 - MEMORY**t) / (np.sqrt(square / (1 - SQUARE_MEMORY**t)) + TINY)
                x = np.clip(x - (1 - (t - 1) / stage.steps) * rates * step, -far, far)
                done += 1
                if t % every == 0 or t == stage.steps:
                    now = problem.values(judged, begin + share * (x - begin))
                    looks.append(Look(done, float(np.mean(now)), float(np.mean(found))))
                    if looks[-1].dev > looks[best].dev:
                        best, kept, last = len(looks) - 1, x.copy(), now
                    elif patience and len(looks) - max(best, began - 1) - 1 >= patience:
                        progress(done, total, looks[-1])
                        break
                progress(done, total, looks[-1])
    except KeyboardInterrupt:
        interrupted = True
    return OverlapTraining(
        rounded(problem.parameters(begin + share * (kept - begin)) if best else problem.start_parameters),
        tuple(looks),
        best,
        done,
        interrupted,
        problem.signature,
        {each.name: pair for each, pair in zip(judged, zip(first, last, strict=True), strict=True)},
    )


def _collect(
    metric: SoftOverlap, train: Sequence[ScoredPairs], dev: Sequence[ScoredPairs], labels: list[str]
) -> tuple[Corpus, list[_Set], list[_Set]]:
    """All graphs as one corpus, and the pairs in it."""
    from fastmatch.evaluation.inputs import corpora_of
    from fastmatch.evaluation.placeholders import counted

    parts: list[Corpus] = []
    found: list[list[_Set]] = [[], []]
    n_graphs = 0
    names = [f"train {number + 1}" for number in range(len(train))]
    for place, (sets, called) in enumerate(((train, names), (dev, labels))):
        for name, (pred, gold, scores) in zip(called, sets, strict=True):
            pair = corpora_of(pred, gold, metric, "raise")
            if parts:
                pair = tuple(corpus.detached(parts[0].vocabulary) for corpus in pair)  # type: ignore[assignment]
            if len(pair[0]) != len(pair[1]):
                raise PairingError(f"{name}: {len(pair[0])} predictions but {len(pair[1])} gold graphs")
            rows = counted(*pair)
            targets: FloatArray | None = None
            if scores is None:
                if len(rows) % 2 or not len(rows):
                    raise PairingError(f"{name}: {len(rows)} pairs, expected foils and paraphrases in turn")
            else:
                targets = targets_of(name, scores, len(pair[0]))[rows]
                if len(targets) < 2 or np.ptp(targets) == 0:
                    raise OptionError(f"{name}: expected at least two pairs whose scores differ")
            found[place].append(_Set(name, rows + n_graphs, rows + n_graphs + len(pair[0]), targets))
            n_graphs += 2 * len(pair[0])
            parts += pair
    for corpus in parts:
        metric.check(corpus.dialect)
    whole = parts[0]
    for corpus in parts[1:]:
        whole = whole + corpus
    if len({each.name for each in (*found[0], *found[1])}) < len(train) + len(dev):
        raise OptionError("names: expected a name of its own for each development set, other than 'train 1', …")
    return whole, found[0], found[1]


def _inner(x: FloatArray, y: FloatArray) -> float:
    """The inner product, without BLAS: that adds up in parts, as many as there are threads, and rounds accordingly."""
    return float((x * y).sum())


def _sigmoid(x: FloatArray) -> FloatArray:
    found: FloatArray = 0.5 * (1.0 + np.tanh(0.5 * x))
    return found


def _logit(x: FloatArray) -> FloatArray:
    """The inverse, of numbers that are kept away from 0 and 1."""
    x = np.clip(x, 1e-4, 1 - 1e-4)
    found: FloatArray = np.log(x / (1 - x))
    return found
