"""The verb ``train softoverlap``."""

from __future__ import annotations

import argparse
from typing import Any

from fastmatch.cli import add, inputs
from fastmatch.cli.parser import Parser
from fastmatch.cli.train import finish
from fastmatch.errors import OptionError

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
    add.plot(train, "the learning curve")
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
        "that transfer worst, of BAMBOO --genres, and of three sets or more the mean of what is learnt without each",
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
        add.own_options(train, METRIC, without=("structure", "means"))
    add.quiet(train)
    add.output(train)
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
    options = inputs.own_options(arguments, METRIC)
    files = [name for given in (*arguments.train, *arguments.dev) for name in given if name != "-"]
    files += [str(options[name]) for name in taking(get(METRIC)) if name in options]
    check_target(arguments.output, *files)
    inputs.check_plot(arguments, *files)
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
