"""The verbs ``bench optima``, ``space``, ``impact``, ``ranking``: measurements of the papers about metrics."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastmatch.cli.arguments import add_output, add_workers
from fastmatch.cli.benchmarks import METRIC_HELP, add_metrics, metrics_of
from fastmatch.cli.converters import count, positive
from fastmatch.cli.inputs import check_standard_input
from fastmatch.errors import OptionError
from fastmatch.metrics.names import DEFAULT

if TYPE_CHECKING:
    import argparse

    from fastmatch.cli.arguments import Verbs

__all__ = ["add_impact", "add_optima", "add_ranking", "add_space"]

_TWO = (("pred", "PRED", "file of predicted graphs, - for standard input"), ("gold", "GOLD", "file of as many graphs"))


def add_optima(verbs: Verbs, *_: str) -> None:
    """Add the verb ``bench optima``."""
    optima = verbs.add_parser(
        "bench optima",
        help="at how many different scores does Smatch's hill-climber end?",
        description="Climb again and again from random starts: at how many different scores does the hill-climber end, "
        "and how often at the proven optimum?",
    )
    for name, shown, text in _TWO:
        optima.add_argument(name, metavar=shown, help=text)
    optima.add_argument(
        "--preset", metavar="NAME", help="graphs and triples of Smatch's preset, such as smatch++/reify"
    )
    optima.add_argument("--runs", type=positive, default=20, metavar="N", help="climbs a pair (default: %(default)s)")
    optima.add_argument("--seed", type=count, default=0, metavar="N", help="seed of the starts (default: %(default)s)")
    add_workers(optima)
    add_output(optima)
    optima.set_defaults(run=_optima)


def add_space(verbs: Verbs, *_: str) -> None:
    """Add the verb ``bench space``."""
    space = verbs.add_parser(
        "bench space",
        help="how much could a metric compare: maps of variables, pairs of features",
        description="Count how many maps of variables a pair of graphs has, or how many pairs of features.",
        epilog=METRIC_HELP,
    )
    for name, shown, text in _TWO:
        space.add_argument(name, metavar=shown, help=text)
    add_metrics(space)
    add_output(space)
    space.set_defaults(run=_space)


def add_impact(verbs: Verbs, *_: str) -> None:
    """Add the verb ``bench impact``."""
    impact = verbs.add_parser(
        "bench impact",
        help="in how many k-grams and triples does a node stand?",
        description="Count in how many k-grams (SemBleu) and triples (Smatch) a node stands: what an error costs.",
    )
    impact.add_argument("graphs", metavar="GRAPHS", help="file of graphs, - for standard input")
    impact.add_argument(
        "--longest", type=positive, default=3, metavar="K", help="the longest k-grams (default: %(default)s)"
    )
    add_output(impact)
    impact.set_defaults(run=_impact)


def add_ranking(verbs: Verbs, *_: str) -> None:
    """Add the verb ``bench ranking``."""
    ranking = verbs.add_parser(
        "bench ranking",
        help="do metrics agree which system is better?",
        description="How often do two metrics disagree about which of two systems is better on a sentence, and how "
        "does each metric order the systems?",
        epilog=METRIC_HELP,
    )
    ranking.add_argument("files", metavar="FILE", nargs="+", help="files of systems, A B ..., and last the gold graphs")
    add_metrics(ranking)
    add_workers(ranking)
    add_output(ranking)
    ranking.set_defaults(run=_ranking)


def _optima(arguments: argparse.Namespace) -> int:
    from fastmatch.benchmarks.studies import optima
    from fastmatch.report.model import emit

    pred, gold = _given(arguments.pred, arguments.gold)
    options = {"runs": arguments.runs, "seed": arguments.seed, "preset": arguments.preset}
    emit(optima(pred, gold, workers=arguments.workers, **options).report(), arguments.form)
    return 0


def _space(arguments: argparse.Namespace) -> int:
    from fastmatch.benchmarks.reports import space_report
    from fastmatch.benchmarks.studies import search_space
    from fastmatch.report.model import emit

    metrics = metrics_of(arguments, [DEFAULT])
    pred, gold = _given(arguments.pred, arguments.gold)
    emit(space_report(search_space(pred, gold, metrics)), arguments.form)
    return 0


def _impact(arguments: argparse.Namespace) -> int:
    from fastmatch.benchmarks.studies import impact
    from fastmatch.report.model import emit

    (graphs,) = _given(arguments.graphs)
    emit(impact(graphs, k=arguments.longest).report(), arguments.form)
    return 0


def _ranking(arguments: argparse.Namespace) -> int:
    from fastmatch.benchmarks.studies import ranking
    from fastmatch.report.model import emit

    files = arguments.files
    if len(files) < 3:
        raise OptionError(f"bench ranking: expected two systems or more and GOLD, found {len(files)}")
    metrics = metrics_of(arguments, [DEFAULT])
    *systems, gold = _given(*files)
    emit(ranking(systems, gold, metrics, workers=arguments.workers).report(files), arguments.form)
    return 0


def _given(*files: str) -> list[Any]:
    """The files; standard input is read once, though some studies read their files once a metric."""
    check_standard_input(*files)
    return [sys.stdin.read() if name == "-" else Path(name) for name in files]
