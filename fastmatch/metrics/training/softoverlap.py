"""Soft overlap, trained: the numbers of the metric, learnt from pairs that people have scored.

The loss of a set of pairs with human scores is minus Pearson's r between scores and human scores. The loss of a set of
role confusion is the mean of softplus(−(p − f) / 0.02), where p is the score of a paraphrase and f that of the foil
before it. The losses of all training sets are added up, so that a small set counts as much as a large one. A penalty
keeps the numbers close to those at the start: the sum of the squares of all changes, times 0.001 (for the map of word
vectors 0.002).

All slopes are computed (:mod:`fastmatch._ext.overlap.gradient`, :mod:`fastmatch.metrics.training.overlap_loss`);
nothing is random. Adam (Kingma and Ba 2015) makes 50 steps over all pairs with a rate of 0.06, which leave the map of
word vectors as it is. Then it makes 50 steps at half that rate, from the best numbers until then, in which the map
learns at a fifth of it. Every five steps the development sets are scored (a *look*), and the numbers of the best look
are the result. In both stages the rate falls linearly to nearly 0. With a constant rate the numbers oscillate, and the
best look would depend on chance. With a ``share`` below 1 the numbers that are looked at, and the result, lie between
those at the start and the learnt ones.

What is learnt from some sets of sentences should hold for others. Two options serve that: numbers that are ``fixed``
stay as they are; and with an ``agreement`` above 0 a number follows, in each step, only slopes on whose sign so large a
share of the sets agree. ``transfer`` sets both to what was found best for sets that were left out. And from three sets
on it leaves out each in turn: as many metrics are learnt at once, and their mean is what is looked at, and the result.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

from fastmatch.errors import OptionError, choice
from fastmatch.metrics.embeddings.vectors import Embeddings
from fastmatch.metrics.options import whole
from fastmatch.metrics.shared.overlap_parameters import Parameters, rounded, write_parameters
from fastmatch.metrics.softoverlap import SoftOverlap
from fastmatch.metrics.training.curve import Learning, Look, Tell, telling
from fastmatch.metrics.training.overlap_loss import BETWEEN, SINGLE, TRAINED, Problem, ScoredPairs
from fastmatch.report.writing import attributes
from fastmatch.types import FloatArray

#: Steps with the map as it is, and then with it; the rate of the former; steps between looks.
STEPS, MAP_STEPS, RATE, EVERY = 50, 50, 0.06, 5
#: The rate of the second stage, and that of the map in it, as parts of the one before.
SECOND_RATE, MAP_RATE = 0.5, 0.2
#: With ``transfer``: the numbers that are fixed, where one-to-one matches stand, and the share of sets that must agree.
HELD = ("rank", "depth", "degree", "edge", "power", "larger", "smaller", "square", "warp", "single", "between")
HELD_SINGLE, HELD_BETWEEN = 0.9, 0.5
AGREEMENT = 0.8
#: Adam's memory of slopes and of their squares.
MEMORY, SQUARE_MEMORY, TINY = 0.9, 0.999, 1e-8


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
    steps: ClassVar[str] = "steps"

    parameters: Parameters = field(repr=False)
    sets: dict[str, tuple[float, float]] = field(repr=False)

    def save(self, path: str | os.PathLike[str], comments: Sequence[str] = ()) -> None:
        """Write the parameters to a file that ``parameters=`` of the metric reads."""
        write_parameters(path, self.parameters, [*self._facts("mean over the development sets"), *comments])

    def _gains(self) -> dict[str, tuple[float, float]]:
        return {**self.sets, "mean": (self.before, self.after)}

    def to_dict(self) -> dict[str, Any]:
        """Everything but the parameters as plain values, ready for JSON."""
        return {
            "signature": str(self.signature),
            "parameters": self.parameters.digest,
            **attributes(self, "before", "after", "best", "updates", "interrupted"),
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
    transfer: bool = False,
    fixed: Collection[str] = (),
    agreement: float | None = None,
    blocs: Sequence[str] | None = None,
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
        Its parameters are where training starts, except that ``single`` = 0.5 and ``between`` = 0.3 (with ``transfer``
        0.9 and 0.5) if both are 0 there. By default that of the preset ``bamboo``, without parameters.
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
    transfer : bool
        Learn for sentences of other kinds than those that are learnt from: :data:`HELD` are fixed, ``agreement`` is 0.8
        by default, and of three sets or more the result is the mean of what is learnt without each of them.
    fixed : collection of str
        What is not learnt: attributes of ``Parameters`` such as ``"rank"`` or ``"map"``.
    agreement : float, optional
        0 to 1: in each step a number moves only if at least so large a share of the training sets agree on the way;
        its cost alone may draw it back. 0, the default without ``transfer``: always.
    blocs : sequence of str, optional
        A name for each training set. Sets of the same name count as one that agrees or not, and those whose names are
        the same up to a ``/`` are left out together. By default each has a name of its own.
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
    if agreement is None:
        agreement = AGREEMENT if transfer else 0.0
    if isinstance(agreement, bool) or not (isinstance(agreement, int | float) and 0 <= agreement <= 1):
        raise OptionError(f"agreement={agreement!r}: expected a number from 0 to 1")
    if isinstance(fixed, str):
        raise OptionError(f"fixed={fixed!r}: expected several names, such as ({fixed!r},)")
    for each in fixed:
        choice("fixed", each, TRAINED)
    if blocs is not None and len(blocs) != len(train):
        raise OptionError(f"blocs: {len(blocs)} names for {len(train)} training sets")
    if metric is None:
        metric = SoftOverlap(embeddings=embeddings, smatch=SoftOverlap.presets["bamboo"]["smatch"])
    elif embeddings is not None:
        raise OptionError("metric is made already: no embeddings can be given besides")
    for name, none in (("structure", None), ("means", 0)):
        if getattr(metric, name) != none:
            raise OptionError(f"{name}: parameters are learnt without it; give it to the metric that scores with them")
    if not train:
        raise OptionError("train: expected at least one set of pairs")
    labels = [f"dev {number + 1}" for number in range(len(dev))] if names is None else list(names)
    if len(labels) != len(dev):
        raise OptionError(f"names: {len(labels)} names for {len(dev)} development sets")
    problem = Problem(metric, train, dev, labels, (HELD_SINGLE, HELD_BETWEEN) if transfer else (SINGLE, BETWEEN))
    moving = problem.moving((*fixed, *HELD) if transfer else fixed)
    stages = [_Stage(steps, rate, 0.0)]
    if problem.dimension and moving[problem.layout.map].any():
        stages.append(_Stage(map_steps, rate * SECOND_RATE, rate * SECOND_RATE * MAP_RATE))
    places: dict[str, list[int]] = {}
    for place, name in enumerate(map(str, blocs or range(len(train)))):
        places.setdefault(name, []).append(place)
    sets = dict.fromkeys(map(_set_of, places))
    ways: list[list[list[int]]] = [[*places.values()] if agreement > 0 else []]
    if transfer and len(sets) > 2:
        # not of two: what each of them teaches alone is far from what they have in common
        ways = [[at for name, at in places.items() if _set_of(name) != left] for left in sets]
    how = _How(stages, moving, ways, agreement)
    with telling(progress, "steps", "dev = {dev:.4f} at {update}") as tell:
        return _adam(problem, how, every, patience, share, tell)


class _Stage(NamedTuple):
    """So many steps, with these rates of everything else and of the map at the start; they fall in a straight line."""

    steps: int
    rate: float
    map_rate: float


class _How(NamedTuple):
    """What steps are made, which numbers move, and what sets must agree on each way; the result is their mean."""

    stages: Sequence[_Stage]
    moving: FloatArray
    ways: Sequence[Sequence[Sequence[int]]]
    agreement: float


def _set_of(name: str) -> str:
    """``sts`` of ``sts/forums``."""
    return name.split("/", 1)[0]


def _adam(
    problem: Problem, how: _How, every: int, patience: int | None, share: float, progress: Tell
) -> OverlapTraining:
    """Train until all steps are made, ``patience`` ends it, or Ctrl-C."""
    start, begin = problem.start(), problem.begin()
    far = problem.bounds(begin)
    total, done = sum(stage.steps for stage in how.stages), 0
    judged = problem.dev or problem.train
    first = problem.values(judged, start)
    looks = [Look(0, float(np.mean(first)), float(np.mean(problem.values(problem.train, start))))]
    best, kept, last = 0, np.tile(begin, (len(how.ways), 1)), first
    interrupted = False
    try:
        for stage in how.stages:
            x, mean, square = kept.copy(), np.zeros(kept.shape), np.zeros(kept.shape)
            rates = np.full(len(start), stage.rate)
            rates[problem.layout.map] = stage.map_rate
            rates *= how.moving
            began = len(looks)
            for t in range(1, stage.steps + 1):
                made = [problem.slopes(each, way, how.agreement) for each, way in zip(x, how.ways, strict=True)]
                slopes = np.stack([found[1] for found in made]) + [problem.cost(each, begin)[1] for each in x]
                mean = MEMORY * mean + (1 - MEMORY) * slopes
                square = SQUARE_MEMORY * square + (1 - SQUARE_MEMORY) * slopes * slopes
                step = mean / (1 - MEMORY**t) / (np.sqrt(square / (1 - SQUARE_MEMORY**t)) + TINY)
                x = np.clip(x - (1 - (t - 1) / stage.steps) * rates * step, -far, far)
                done += 1
                if t % every == 0 or t == stage.steps:
                    now = problem.values(judged, begin + share * (x.mean(axis=0) - begin))
                    looks.append(Look(done, float(np.mean(now)), float(np.nanmean([found[2] for found in made]))))
                    if looks[-1].dev > looks[best].dev:
                        best, kept, last = len(looks) - 1, x.copy(), now
                    elif patience and len(looks) - max(best, began - 1) - 1 >= patience:
                        progress(done, total, looks[-1])
                        break
                progress(done, total, looks[-1])
    except KeyboardInterrupt:
        interrupted = True
    found = problem.parameters(begin + share * (kept.mean(axis=0) - begin)) if best else problem.start_parameters
    sets = {each.name: pair for each, pair in zip(judged, zip(first, last, strict=True), strict=True)}
    return OverlapTraining(tuple(looks), best, done, interrupted, problem.signature, rounded(found), sets)
