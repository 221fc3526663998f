"""The verb ``train wwlk``."""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import Any

from fastmatch.cli import inputs
from fastmatch.graphs.reading import read
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.metrics.registry import make
from fastmatch.metrics.training.softoverlap import OverlapTraining
from fastmatch.metrics.training.wwlk import Training, train_wwlk
from fastmatch.report.model import emit

#: The metric whose weights are trained.
METRIC = "wwlk"


def run_wwlk(arguments: argparse.Namespace) -> int:

    options = inputs.own_options(arguments, METRIC)
    dialect = make(METRIC, arguments.preset, **options).dialect
    vocabulary = Vocabulary()

    def pairs(one: str, two: str, scores: str) -> tuple[Any, Any, Any]:
        first, second = (read(name, dialect=dialect, vocabulary=vocabulary) for name in (one, two))
        return first, second, None if scores == "-" else scores

    given: dict[str, Any] = {name: getattr(arguments, name) for name in ("batch", "rate", "every", "looks", "patience")}
    given = {**{name: value for name, value in given.items() if value is not None}, **options}
    training = train_wwlk(
        *pairs(arguments.pred, arguments.gold, arguments.scores),
        dev=pairs(*arguments.dev) if arguments.dev else None,
        test=pairs(*arguments.test) if arguments.test else None,
        preset=arguments.preset,
        seed=arguments.seed,
        progress=not arguments.quiet,
        **given,
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
