"""The verb ``train wwlk``."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Any

from fastmatch.cli import add, inputs

if TYPE_CHECKING:
    import argparse

    from fastmatch.cli.parser import Parser
    from fastmatch.metrics.training.softoverlap import OverlapTraining
    from fastmatch.metrics.training.wwlk import Training

#: The metric whose weights are trained.
METRIC = "wwlk"


def add_wwlk(train: Parser, *metrics: str) -> None:
    """Add the flags of the verb; the flags of its metric only if it is asked for, because they load its module."""
    train.add_argument("pred", metavar="A", help="file of graphs")
    train.add_argument("gold", metavar="B", help="file of as many graphs, the partners of those of A")
    train.add_argument(
        "scores",
        metavar="SCORES",
        help="file with a number a line, the human score of each pair; '-' stands for 0, 1, 0, 1, ... (role confusion)",
    )
    train.add_argument("-o", "--output", required=True, metavar="OUT.tsv", help="file that the weights are written to")
    train.add_argument(
        "--dev",
        nargs=3,
        metavar=("A", "B", "SCORES"),
        help="development set, which decides what weights are best (default: the training pairs)",
    )
    train.add_argument(
        "--test", nargs=3, metavar=("A", "B", "SCORES"), help="test set, scored with the weights before and after"
    )
    add.plot(train, "the learning curve")
    how = train.add_argument_group("how to learn")
    how.add_argument("--batch", type=int, metavar="N", help="pairs scored for an update (default: 16)")
    how.add_argument("--rate", type=float, metavar="X", help="learning rate at the start (default: 0.75)")
    how.add_argument(
        "--every", type=int, metavar="N", help="updates between two scorings of the development set (default: 350)"
    )
    how.add_argument("--looks", type=int, metavar="N", help="scorings of the development set (default: 25)")
    how.add_argument("--patience", type=int, metavar="N", help="end after so many of them without a better one")
    how.add_argument("--seed", type=int, default=0, metavar="N", help="seed of all random numbers (default: 0)")
    how.add_argument("--preset", metavar="NAME", help="'tool': graphs and formula of the published program")
    if METRIC in metrics:
        add.own_options(train, METRIC)
    add.quiet(train)
    add.output(train)
    train.set_defaults(run=_train)


def _train(arguments: argparse.Namespace) -> int:
    from fastmatch.cli.outputs import check_target
    from fastmatch.graphs.reading import read
    from fastmatch.graphs.vocabulary import Vocabulary
    from fastmatch.metrics.options import taking
    from fastmatch.metrics.registry import get, make
    from fastmatch.metrics.training.wwlk import train_wwlk

    options = inputs.own_options(arguments, METRIC)
    files = [arguments.pred, arguments.gold, arguments.scores, *(arguments.dev or ()), *(arguments.test or ())]
    files += [str(options[name]) for name in taking(get(METRIC), "vectors") if name in options]
    check_target(arguments.output, *files)
    inputs.check_plot(arguments, *files)
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
    from fastmatch.report.model import emit

    training.save(arguments.output, [f"made by: fastmatch {shlex.join(sys.argv[1:])}"])
    notes = [f"{arguments.output}: {what}"]
    if arguments.plot is not None:
        from fastmatch.plot.pages import write_training

        write_training(training, arguments.plot)
        notes.append(f"{arguments.plot}: learning curve")
    emit(training.report()._replace(notes=notes), arguments.form)
    return 130 if training.interrupted else 0
