"""The verb ``train-wwlk``: its flags, and one call of :func:`fastmatch.train_wwlk`."""

from __future__ import annotations

import os
import shlex
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from fastmatch.training import Look
    from fastmatch.types import Dialect

__all__ = ["add_train"]


def add_train(verbs: Any, add_options: Callable[[argparse.ArgumentParser], None] | None) -> None:
    """Add the verb. ``add_options`` adds the flags of the metric; None unless this verb was typed, for it loads it."""
    train = verbs.add_parser(
        "train-wwlk",
        help="learn role weights for WWLK from scored pairs",
        description="Learn the weights of roles (WWLK-theta) from pairs of graphs and what people say of them: a file "
        "with a number a line, in the order of the graphs. Ctrl-C ends training and keeps what was best until then.",
    )
    train.add_argument("pred", metavar="A", help="file of graphs")
    train.add_argument("gold", metavar="B", help="file of graphs, as many")
    train.add_argument("scores", metavar="SCORES", help="a number a pair; '-': 0, 1, 0, 1, ... (role confusion)")
    train.add_argument("-o", "--output", required=True, metavar="OUT.tsv", help="where the weights go")
    train.add_argument(
        "--dev",
        nargs=3,
        metavar=("A", "B", "SCORES"),
        help="development set that says which weights are best (default: the training pairs)",
    )
    train.add_argument(
        "--test",
        nargs=3,
        metavar=("A", "B", "SCORES"),
        help="test set, scored with the weights before and after",
    )
    train.add_argument("--plot", metavar="OUT.svg", help="also draw the learning curve")
    how = train.add_argument_group("how to learn")
    how.add_argument("--batch", type=int, metavar="N", help="pairs of an update (default: 16)")
    how.add_argument("--rate", type=float, metavar="X", help="learning rate at the start (default: 0.75)")
    how.add_argument("--every", type=int, metavar="N", help="updates between looks at the dev set (default: 350)")
    how.add_argument("--looks", type=int, metavar="N", help="looks at the development set (default: 25)")
    how.add_argument("--patience", type=int, metavar="N", help="end after so many looks without a better one")
    how.add_argument("--seed", type=int, default=0, metavar="N", help="seed of everything drawn (default: 0)")
    how.add_argument("--preset", metavar="NAME", help="'tool': graphs and formula of the published program")
    if add_options is not None:
        add_options(train)
    output = train.add_argument_group("output")
    output.add_argument("--quiet", action="store_true", help="no progress on standard error")
    output.add_argument("--json", action="store_true", help="print one JSON object instead of the summary")
    train.set_defaults(run=_train)


def _train(arguments: argparse.Namespace) -> int:
    from fastmatch import report
    from fastmatch.cli.arguments import own_options
    from fastmatch.errors import OptionError
    from fastmatch.graphs.reading import read
    from fastmatch.graphs.vocabulary import Vocabulary
    from fastmatch.metrics.registry import make
    from fastmatch.report.training import print_training, write_curve
    from fastmatch.runtime.progress import Bar
    from fastmatch.training import train_wwlk

    files = [arguments.pred, arguments.gold, arguments.scores, *(arguments.dev or ()), *(arguments.test or ())]
    files += [str(value) for name, value in own_options(arguments).items() if name == "embeddings"]
    for path in (arguments.output, arguments.plot):
        if path is not None:
            report.check_target(path, *files)
    if arguments.plot is not None and os.path.realpath(arguments.plot) == os.path.realpath(arguments.output):
        raise OptionError(f"{arguments.plot}: weights and plot cannot go to one file")
    options = own_options(arguments)
    dialect: Dialect = make("wwlk", arguments.preset, **options).dialect
    vocabulary = Vocabulary()

    def pairs(one: str, two: str, scores: str) -> tuple[Any, Any, Any]:
        first, second = (read(name, dialect=dialect, vocabulary=vocabulary) for name in (one, two))
        return first, second, None if scores == "-" else scores

    given: dict[str, Any] = {name: getattr(arguments, name) for name in ("batch", "rate", "every", "looks", "patience")}
    given = {**{name: value for name, value in given.items() if value is not None}, **options}
    with Bar("updates", arguments.quiet) as bar:

        def tell(done: int, total: int, look: Look) -> None:
            bar(done, total, f"r = {look.dev:.4f} at {look.update:,}")

        training = train_wwlk(
            *pairs(arguments.pred, arguments.gold, arguments.scores),
            dev=pairs(*arguments.dev) if arguments.dev else None,
            test=pairs(*arguments.test) if arguments.test else None,
            preset=arguments.preset,
            seed=arguments.seed,
            progress=tell,
            **given,
        )
    training.save(arguments.output, [f"made by: fastmatch {shlex.join(sys.argv[1:])}"])
    if arguments.plot is not None:
        write_curve(training, arguments.plot)
    if arguments.json:
        report.print_json(training.to_dict())
    else:
        print_training(training, arguments.output, arguments.plot)
    return 130 if training.interrupted else 0
