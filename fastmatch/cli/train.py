"""The verb ``train wwlk``."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Any

from fastmatch.cli.arguments import add_output, add_own_options, add_plot, add_quiet, check_plot
from fastmatch.cli.inputs import own_options
from fastmatch.errors import OptionError

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
    add_plot(train, "the learning curve")
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
        add_own_options(train, METRIC)
    add_quiet(train)
    add_output(train)
    train.set_defaults(run=_train)


def _train(arguments: argparse.Namespace) -> int:
    from fastmatch.cli.outputs import check_target
    from fastmatch.graphs.reading import read
    from fastmatch.graphs.vocabulary import Vocabulary
    from fastmatch.metrics.options import taking
    from fastmatch.metrics.registry import get, make
    from fastmatch.metrics.training.wwlk import train_wwlk

    options = own_options(arguments, METRIC)
    files = [arguments.pred, arguments.gold, arguments.scores, *(arguments.dev or ()), *(arguments.test or ())]
    files += [str(options[name]) for name in taking(get(METRIC), "vectors") if name in options]
    check_target(arguments.output, *files)
    check_plot(arguments, *files)
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


#: The metric whose parameters are trained.
METRIC = "softoverlap"
#: The variants of BAMBOO that are trained on: reified graphs are standardised back to those of ``main``.
_TRAINED = ("main", "syno", "role_confusion")


def add_softoverlap(train: Parser, *metrics: str) -> None:
    """Add the flags of the verb; the flags of its metric only if it is asked for, because they load its module."""
    train.add_argument("folder", metavar="DIR", nargs="?", help="BAMBOO's folder of data: its train and dev files")
    train.add_argument("-o", "--output", required=True, metavar="OUT.tsv", help="file that parameters are written to")
    for flag, text in (
        ("--train", "a further training set: two files of graphs, and one with a human score a line"),
        ("--dev", "a further development set; these decide what parameters are best (default: the training sets)"),
    ):
        train.add_argument(
            flag,
            nargs=3,
            action="append",
            default=[],
            metavar=("A", "B", "SCORES"),
            help=f"{text}; '-' instead of SCORES: foils and paraphrases in turn; may be given again",
        )
    train.add_argument(
        "--leave-out",
        action="append",
        default=[],
        choices=("sts", "sick", "para"),
        metavar="SET",
        help="leave out one of BAMBOO's sets (sts, sick, para); may be given again",
    )
    train.add_argument(
        "--genres",
        action="store_true",
        help="STS's captions, news and forums are sets of their own besides (by the table of its sentences)",
    )
    add_plot(train, "the learning curve")
    how = train.add_argument_group("how to learn")
    how.add_argument("--steps", type=int, metavar="N", help="steps without the map of word vectors (default: 50)")
    how.add_argument("--map-steps", type=int, metavar="N", help="steps with it (default: 50)")
    how.add_argument("--rate", type=float, metavar="X", help="learning rate of the first steps (default: 0.06)")
    how.add_argument(
        "--every", type=int, metavar="N", help="steps between two scorings of the development sets (default: 5)"
    )
    how.add_argument("--patience", type=int, metavar="N", help="end after so many of them without a better one")
    how.add_argument(
        "--share",
        type=float,
        metavar="X",
        help="go so far from the start to what was learnt, above 0 and at most 1 (default: 1); 0.5 is better for "
        "sentences of another kind than those that are learnt from",
    )
    how.add_argument(
        "--transfer",
        action="store_true",
        help="learn for sentences of other kinds than those that are learnt from: --agreement 0.8, the numbers fixed "
        "that transfer worst, and of BAMBOO --genres",
    )
    how.add_argument(
        "--fixed",
        action="append",
        default=[],
        metavar="NAME",
        help="leave a number, or a kind of numbers, as it is: rank, depth, power, edges, map, …; may be given again",
    )
    how.add_argument(
        "--agreement",
        type=float,
        metavar="X",
        help="a number moves only if at least so large a share of the sets agree on the way, 0 to 1 (default: 0, or "
        "0.8 with --transfer); a "
        "set of BAMBOO's counts as one with all its variants",
    )
    if METRIC in metrics:
        add_own_options(train, METRIC, without=("structure", "means"))
    add_quiet(train)
    add_output(train)
    train.set_defaults(run=_train)


def _train(arguments: argparse.Namespace) -> int:
    from fastmatch.benchmarks.bamboo import bamboo_pairs
    from fastmatch.cli.outputs import check_target
    from fastmatch.graphs.reading import read
    from fastmatch.metrics.options import taking
    from fastmatch.metrics.registry import get
    from fastmatch.metrics.softoverlap import SoftOverlap
    from fastmatch.metrics.training.softoverlap import train_softoverlap

    if arguments.folder is None and arguments.genres:
        raise OptionError("--genres: they are BAMBOO's; expected its folder")
    if arguments.folder is None and not arguments.train:
        raise OptionError("nothing to train on: expected BAMBOO's folder, or --train A B SCORES")
    options = own_options(arguments, METRIC)
    files = [name for given in (*arguments.train, *arguments.dev) for name in given if name != "-"]
    files += [str(options[name]) for name in taking(get(METRIC)) if name in options]
    check_target(arguments.output, *files)
    check_plot(arguments, *files)
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
