"""WWLK-θ: weights of roles, learnt from human scores.

Which roles matter for meaning is not written in a graph. Opitz, Daza and Frank (2021, section 3.3) learn a weight for
each role from pairs that people have scored, so that the metric's scores correlate with theirs. The correlation of
optimal transports has no gradient that could be computed cheaply, so it is estimated by simultaneous perturbation
stochastic approximation (SPSA; Spall 1987): all weights are moved a little at random, once in a direction and once
against it, and the difference of the two losses says how steep the loss is in this direction. An update costs two
scorings of a batch, however many weights there are.

For t = 1, 2, …, with the numbers of the published program:

* 16 pairs are drawn with replacement, and a sign r for every weight;
* loss(x) = 1 − the Pearson correlation of the pairs' similarities under weights x with the human scores;
* g = (loss(x + c r) − loss(x − c r)) / (2 c r), with c = 0.01 / t^0.05; for every weight times its share in all uses of
  weights in the batch; cut to [−0.01, 0.01];
* x ← x − rate / (t + 2)^0.5 · g, with rate = 0.75.

Every 350 updates the correlation with the scores of a development set is measured: a *look*. Training ends after 25
looks. Its result are the weights of the best look, or those of the start if no look was better. Weights may become
negative.

Differences from the program:

* random numbers are drawn from ``seed`` and repeat;
* with ``patience`` training ends after so many looks without a better one;
* Ctrl-C ends it as well, and the weights of the best look are kept;
* a role that occurs in no training pair keeps the weight it is drawn with; the program gives all of them one random
  number.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, ClassVar

import numpy as np

from fastmatch._ext.transport.contexts import NodeSpace
from fastmatch._ext.transport.score import score_pairs
from fastmatch.errors import OptionError
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import Graphs
from fastmatch.metrics.base import Metric, PairRange
from fastmatch.metrics.options import whole
from fastmatch.metrics.registry import make
from fastmatch.metrics.training.curve import Learning, Look, Tell, telling
from fastmatch.metrics.training.human_scores import Scores, pearson, read_pairs, targets_of
from fastmatch.metrics.wwlk import Wwlk
from fastmatch.report.writing import attributes, plain
from fastmatch.types import FloatArray, Int32Array

#: c in the first update, and the power of t by which it falls; the same of the learning rate.
STEP, STEP_DECAY = 0.01, 0.05
RATE_DELAY, RATE_DECAY = 2, 0.5
#: No estimate of a slope counts for more than this.
STEEPEST = 0.01


@dataclass(frozen=True)
class Training(Learning):
    """Learnt weights and how they were found.

    Attributes
    ----------
    weights : dict of str → float
        Weight of each role of the training pairs, at the best look. Under ``direction="2-way"`` roles turned around are
        separate, ``:arg0-of``.
    looks : tuple of Look
        The learning curve; the first is the start.
    best : int
        Which look was best; the first of equals.
    updates : int
        Updates that were made.
    interrupted : bool
        Ctrl-C ended it.
    signature : Signature
        Of the metric before training.
    test : (float, float) or None
        Pearson's r on the test set with the weights at the start, and with the learnt ones; None if there is none.
    """

    #: What figures call it.
    title: ClassVar[str] = "training of WWLK's weights"
    judged_by: ClassVar[str] = "Pearson's r"
    trained_on: ClassVar[str] = "training batches"
    steps: ClassVar[str] = "updates"

    weights: dict[str, float] = field(repr=False)
    test: tuple[float, float] | None = None

    def save(self, path: str | os.PathLike[str], comments: Sequence[str] = ()) -> None:
        """Write the weights to a file that ``weights=`` of the metric reads (``metrics/shared/role_weights.py``)."""
        from fastmatch.metrics.shared.role_weights import write_weights

        facts = self._facts("Pearson's r on the development set")
        if self.test is not None:
            facts.append("the same on the test set: {:.6f} before, {:.6f} after".format(*self.test))
        write_weights(path, self.weights, [*facts, *comments])

    def _gains(self) -> dict[str, tuple[float, float]]:
        return {"development set": (self.before, self.after), **({} if self.test is None else {"test set": self.test})}

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, ready for JSON; what is not a number is None."""
        return {
            "signature": str(self.signature),
            **attributes(self, "before", "after", "best", "updates", "interrupted"),
            "test": None if self.test is None else dict(zip(("before", "after"), self.test, strict=True)),
            "looks": [plain(look._asdict()) for look in self.looks],
            "weights": self.weights,
        }


class _Pairs:
    """Pairs with human scores, ready to be scored under any weights; ``name`` is what errors call them."""

    def __init__(
        self, name: str, pred: Graphs, gold: Graphs, scores: Scores, metric: Wwlk, seen: Corpus | None
    ) -> None:
        self.pred, self.gold, rows = read_pairs(name, pred, gold, metric, seen)
        self.targets = (
            np.arange(len(self.pred), dtype=np.float64) % 2
            if scores is None
            else targets_of(name, scores, len(self.pred))
        )
        if len(rows) < len(self.pred):
            self.pred, self.gold, self.targets = self.pred[rows], self.gold[rows], self.targets[rows]
        if len(self.targets) < 2 or np.ptp(self.targets) == 0:
            raise OptionError(f"{name}: expected at least two pairs whose scores differ")
        self.graphs = [metric.graphs(corpus) for corpus in (self.pred, self.gold)]
        self.index = np.arange(len(self.pred), dtype=np.int32)
        self.spaces: tuple[NodeSpace, NodeSpace]

    def roles(self) -> list[int]:
        """Ids of the roles that occur."""
        return np.unique(np.concatenate([graphs[3][1] for graphs in self.graphs])).tolist()

    def bind(self, metric: Wwlk, numbers: Int32Array, weights: FloatArray) -> None:
        """Make the node spaces; from then on edges hold the numbers of their weights instead of roles."""
        for graphs in self.graphs:
            graphs[3][1] = numbers[graphs[3][1]]
        pred, gold = (
            metric.space(corpus, graphs, weights)
            for corpus, graphs in zip((self.pred, self.gold), self.graphs, strict=True)
        )
        self.spaces = pred, gold

    def correlation(self, chosen: Int32Array, weights: FloatArray, *, clip: bool = False) -> float:
        """Pearson's r between similarities and human scores of the chosen pairs; 0 where it is not defined.

        ``clip``: similarities below 0 are 0.
        """
        distances = np.empty((3, len(chosen)))
        score_pairs(*self.spaces, PairRange.all(chosen, chosen), out=distances, weights=weights)
        similarities = 1 - distances[0]
        return pearson(np.maximum(similarities, 0) if clip else similarities, self.targets[chosen])


def train_wwlk(
    pred: Graphs,
    gold: Graphs,
    scores: Scores = None,
    *,
    dev: tuple[Graphs, Graphs, Scores] | None = None,
    test: tuple[Graphs, Graphs, Scores] | None = None,
    metric: Metric | None = None,
    preset: str | None = None,
    batch: int = 16,
    rate: float = 0.75,
    every: int = 350,
    looks: int = 25,
    patience: int | None = None,
    seed: int = 0,
    progress: bool | Tell | None = None,
    **options: Any,
) -> Training:
    """Learn the weights of roles from scored pairs.

    Parameters
    ----------
    pred, gold : Corpus, or graphs in another form
        As for :func:`fastmatch.score`. The metric is symmetric: exchanging them changes nothing.
    scores : sequence of float, path or None
        The human score of each pair, on any scale: the higher the more alike. A file has a number a line. None stands
        for 0, 1, 0, 1, …: role confusion as BAMBOO has it.
    dev : (pred, gold, scores), optional
        Development set; the training pairs themselves if there is none.
    test : (pred, gold, scores), optional
        Test set, scored with the weights at the start and with the learnt ones; training does not depend on it.
    metric : Wwlk, optional
        Instead of ``preset`` and ``**options``, which are those of the metric; its weights are where training starts.
    batch : int
        Pairs scored for an update, ≥ 2.
    rate : float
        Learning rate at the start.
    every, looks : int
        Updates between two looks at the development set, and the number of looks.
    patience : int, optional
        End after so many looks without a better one.
    seed : int
        Of batches and signs; the metric's ``seed`` as well, unless ``metric`` is given.
    progress : None, bool or callable
        True draws a bar on a terminal; a callable gets (updates made, updates at most, last look) ten times a second at
        most, and at each look.

    Returns
    -------
    Training

    Raises
    ------
    PairingError, OptionError, ReadError
        If graphs and scores do not fit each other, an option has no such value, or something cannot be read.

    Notes
    -----
    ``KeyboardInterrupt`` is caught: the result are the best weights until then.
    """
    chosen = _metric(metric, preset, seed, options)
    for name, number, least in (("batch", batch, 2), ("every", every, 1), ("looks", looks, 0)):
        whole(name, number, least)
    if patience is not None:
        whole("patience", patience, 1)
    if not (isinstance(rate, int | float) and 0 < rate < np.inf):
        raise OptionError(f"rate={rate!r}: expected a positive number")
    train = _Pairs("train", pred, gold, scores, chosen, None)
    other = train if dev is None else _Pairs("dev", *dev, chosen, train.pred)
    unseen = None if test is None else _Pairs("test", *test, chosen, train.pred)
    others = [pairs for pairs in (other, unseen) if pairs is not None and pairs is not train]
    names, free = _bind(chosen, train, others)
    spsa = _Spsa(chosen, train, other, unseen, names, free, batch, rate, seed)
    with telling(progress, "updates", "r = {dev:.4f} at {update:,}") as tell:
        return spsa.run(every, looks, patience, tell)


def _bind(metric: Wwlk, train: _Pairs, others: Sequence[_Pairs]) -> tuple[list[str], int]:
    """Number the roles of all sets, those of the training pairs first.

    Returns the names of all roles, and how many of them are of the training pairs: those whose weights are learnt.
    """
    seen = train.roles()
    roles = seen + sorted({role for pairs in others for role in pairs.roles()} - set(seen))
    vocabulary = train.pred.vocabulary
    names = [vocabulary.text(role) for role in roles]
    numbers = np.zeros(len(vocabulary), np.int32)
    numbers[roles] = np.arange(len(roles), dtype=np.int32)
    weights = metric.role_weights(names)
    for pairs in (train, *others):
        pairs.bind(metric, numbers, weights)
    return names, len(seen)


@dataclass
class _Spsa:
    """State of a training: weights, random numbers, the best so far."""

    metric: Wwlk
    train: _Pairs
    dev: _Pairs
    test: _Pairs | None
    names: list[str]
    free: int
    batch: int
    rate: float
    seed: int

    def __post_init__(self) -> None:
        self.random = np.random.default_rng(self.seed)
        self.weights = np.array(self.train.spaces[0].weights[0])  # float64[2, n_roles]: along edges, against them
        self.ways = 2 if self.metric.direction == "2-way" else 1

    def run(self, every: int, looks: int, patience: int | None, progress: Tell) -> Training:
        """Train until all looks are done, ``patience`` ends it, or Ctrl-C."""

        total, t = every * looks, 0
        curve = [Look(0, self.dev.correlation(self.dev.index, self.weights), np.nan)]
        start = self.weights.copy()
        best, kept = 0, start
        batches: list[float] = []
        told, interrupted = -np.inf, False
        try:
            while t < total and not (patience and len(curve) - 1 - best >= patience):
                t += 1
                batches.append(self.update(t))
                if t % every == 0:
                    dev = self.dev.correlation(self.dev.index, self.weights)
                    curve.append(Look(t, dev, float(np.mean(batches))))
                    batches.clear()
                    if dev > curve[best].dev:
                        best, kept = len(curve) - 1, self.weights.copy()
                if t % every == 0 or monotonic() - told > 0.1:
                    progress(t, total, curve[-1])
                    told = monotonic()
        except KeyboardInterrupt:
            interrupted = True
        weights = dict(zip(self.names[: self.free], kept[0].tolist(), strict=False))
        if self.ways == 2:
            weights.update(
                (f"{name}-of", weight) for name, weight in zip(self.names, kept[1, : self.free].tolist(), strict=False)
            )
        signature = self.metric.signature(self.train.pred.dialect)
        test = None
        if self.test is not None:
            # the scores that the metric gives, as a benchmark counts them; training sees them unclipped
            first, last = (
                self.test.correlation(self.test.index, used, clip=self.metric.clip) for used in (start, kept)
            )
            test = first, last
        return Training(tuple(curve), best, t, interrupted, signature, weights, test)

    def update(self, t: int) -> float:
        """One step; returns the mean correlation of its two scorings."""
        n_pairs, free = len(self.train.index), self.free
        chosen = self.random.integers(0, n_pairs, self.batch, dtype=np.int32)
        signs = np.zeros_like(self.weights)
        signs[: self.ways, :free] = 2.0 * self.random.integers(0, 2, (self.ways, free)) - 1.0
        if self.ways == 1:
            signs[1] = signs[0]
        step = STEP / t**STEP_DECAY
        forth = self.train.correlation(chosen, self.weights + step * signs)
        back = self.train.correlation(chosen, self.weights - step * signs)
        uses = self.train.spaces[0].usage(chosen) + self.train.spaces[1].usage(chosen)
        if self.ways == 1:
            uses[:] = uses.sum(axis=0)
        share = uses / max(uses[: self.ways].sum(), 1)
        # loss is 1 - r, and dividing by a sign is multiplying by it
        slope = (back - forth) / (2 * step) * signs * share
        self.weights -= self.rate / (t + RATE_DELAY) ** RATE_DECAY * np.clip(slope, -STEEPEST, STEEPEST)
        return (forth + back) / 2


def _metric(metric: Metric | None, preset: str | None, seed: int, options: dict[str, Any]) -> Wwlk:
    whole("seed", seed, 0)
    if metric is not None and (preset is not None or options):
        raise OptionError("metric is made already: no preset or options can be given besides")
    chosen = make("wwlk", preset, **{"seed": seed, **options}) if metric is None else metric
    if not isinstance(chosen, Wwlk):
        raise OptionError("metric: only WWLK has weights to be learnt")
    if chosen.stability:
        raise OptionError(f"stability={chosen.stability}: weights are learnt for one draw; leave it at 0")
    if chosen.edges != "weights":
        raise OptionError(f"edges={chosen.edges!r}: roles that are nodes have no weights to be learnt")
    return chosen
