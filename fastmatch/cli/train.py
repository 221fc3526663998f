"""The verbs ``train wwlk`` and ``train softoverlap``: learn from people what a metric counts, and how much."""

from __future__ import annotations

import argparse
import shlex
import sys
from functools import partial
from typing import Any

from fastmatch.benchmarks.bamboo import bamboo_pairs
from fastmatch.cli import inputs
from fastmatch.errors import OptionError
from fastmatch.graphs.reading import read
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.metrics.registry import make
from fastmatch.metrics.softoverlap import SoftOverlap
from fastmatch.metrics.training.softoverlap import OverlapTraining, train_softoverlap
from fastmatch.metrics.training.wwlk import Training, train_wwlk
from fastmatch.report.model import emit
from fastmatch.types import Dialect

#: The variants of BAMBOO that are trained on: reified graphs are standardised back to those of ``main``.
_TRAINED = ("main", "syno", "role_confusion")


def run_wwlk(arguments: argparse.Namespace) -> int:

    options = inputs.own_options(arguments, "wwlk")
    dialect = make("wwlk", arguments.preset, **options).dialect
    pairs = partial(_pairs, dialect=dialect, vocabulary=Vocabulary())
    training = train_wwlk(
        *pairs(arguments.pred, arguments.gold, arguments.scores),
        dev=pairs(*arguments.dev) if arguments.dev else None,
        test=pairs(*arguments.test) if arguments.test else None,
        preset=arguments.preset,
        seed=arguments.seed,
        progress=not arguments.quiet,
        **(inputs.given(arguments, "batch", "rate", "every", "looks", "patience") | options),
    )
    return finish(training, arguments, f"weights of {len(training.weights):,} roles")


def finish(training: Training | OverlapTraining, arguments: argparse.Namespace, what: str) -> int:
    """Write what was learnt, which is ``what``, and its learning curve; print the report; returns the exit status."""

    training.save(arguments.output, [f"made by: fastmatch {shlex.join(sys.argv[1:])}"])
    notes = [f"{arguments.output}: {what}"]
    if arguments.plot is not None:
        from fastmatch.plot.pages import write_training

        write_training(training, arguments.plot)
        notes.append(f"{arguments.plot}: learning curve")
    emit(training.report()._replace(notes=notes), arguments.form)
    return 130 if training.interrupted else 0


def run_softoverlap(arguments: argparse.Namespace) -> int:

    if arguments.folder is None and arguments.genres:
        raise OptionError("--genres: they are BAMBOO's; expected its folder")
    if arguments.folder is None and not arguments.train:
        raise OptionError("nothing to train on: expected BAMBOO's folder, or --train A B SCORES")
    options = inputs.own_options(arguments, "softoverlap")
    metric = SoftOverlap(**{**SoftOverlap.presets["bamboo"], **options})
    metric.numbers()  # what is wrong with files is said before graphs are read
    train: dict[str, Any] = {}
    dev: dict[str, Any] = {}
    if arguments.folder is not None:
        left: list[str] = arguments.leave_out
        genres = arguments.genres or arguments.transfer
        train = dict(bamboo_pairs(arguments.folder, "train", variants=_TRAINED, leave_out=left, genres=genres))
        dev = dict(bamboo_pairs(arguments.folder, "dev", leave_out=left))
    for number, given in enumerate(arguments.train, 1):
        train[f"given/{number}"] = _pairs(*given)
    for number, given in enumerate(arguments.dev, 1):
        dev[f"dev {number}"] = _pairs(*given)
    training = train_softoverlap(
        list(train.values()),
        list(dev.values()),
        names=list(dev),
        metric=metric,
        transfer=arguments.transfer,
        fixed=arguments.fixed,
        blocs=[name.split("/", 1)[1] for name in train],  # all variants of a set, or of a part of it, together
        progress=not arguments.quiet,
        **inputs.given(arguments, "steps", "map_steps", "rate", "every", "patience", "share", "agreement"),
    )
    return finish(training, arguments, f"parameters {training.parameters.digest}")


def _pairs(
    one: str, two: str, scores: str, dialect: Dialect = "penman", vocabulary: Vocabulary | None = None
) -> tuple[Any, Any, Any]:
    """The graphs of two files, and where their scores are: None for ``-``."""
    first, second = (read(name, dialect=dialect, vocabulary=vocabulary) for name in (one, two))
    return first, second, None if scores == "-" else scores
