"""The verb ``train softoverlap``."""

from __future__ import annotations

import argparse
from typing import Any

from fastmatch.benchmarks.bamboo import bamboo_pairs
from fastmatch.cli import inputs
from fastmatch.cli.train import finish
from fastmatch.errors import OptionError
from fastmatch.graphs.reading import read
from fastmatch.metrics.softoverlap import SoftOverlap
from fastmatch.metrics.training.softoverlap import train_softoverlap

#: The metric whose parameters are trained.
METRIC = "softoverlap"
#: The variants of BAMBOO that are trained on: reified graphs are standardised back to those of ``main``.
_TRAINED = ("main", "syno", "role_confusion")


def run_softoverlap(arguments: argparse.Namespace) -> int:

    if arguments.folder is None and arguments.genres:
        raise OptionError("--genres: they are BAMBOO's; expected its folder")
    if arguments.folder is None and not arguments.train:
        raise OptionError("nothing to train on: expected BAMBOO's folder, or --train A B SCORES")
    options = inputs.own_options(arguments, METRIC)
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
        train[f"given/{number}"] = _pairs(read, *given)
    for number, given in enumerate(arguments.dev, 1):
        dev[f"dev {number}"] = _pairs(read, *given)
    names = ("steps", "map_steps", "rate", "every", "patience", "share", "agreement")
    how = {name: getattr(arguments, name) for name in names if getattr(arguments, name) is not None}
    training = train_softoverlap(
        list(train.values()),
        list(dev.values()),
        names=list(dev),
        metric=metric,
        transfer=arguments.transfer,
        fixed=arguments.fixed,
        blocs=[name.split("/", 1)[1] for name in train],  # all variants of a set, or of a part of it, together
        progress=not arguments.quiet,
        **how,
    )
    return finish(training, arguments, f"parameters {training.parameters.digest}")


def _pairs(read: Any, one: str, two: str, scores: str) -> tuple[Any, Any, Any]:
    return read(one), read(two), None if scores == "-" else scores
