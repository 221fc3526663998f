"""The verbs ``bench optima``, ``space``, ``impact``, ``ranking``: measurements of the papers about metrics."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastmatch.cli.arguments import add_number, add_output, add_workers
from fastmatch.cli.benchmarks import add_metrics, metrics_of
from fastmatch.cli.converters import positive
from fastmatch.cli.inputs import check_standard_input, flags
from fastmatch.errors import OptionError
from fastmatch.metrics.names import DEFAULT

if TYPE_CHECKING:
    import argparse

    from fastmatch.cli.parser import Parser
    from fastmatch.report.model import Report

_TWO = (("pred", "PRED", "file of predicted graphs, - for standard input"), ("gold", "GOLD", "file of as many graphs"))


def add_optima(optima: Parser, *_: str) -> None:
    """Add the flags of the verb ``bench optima``."""
    for name, shown, text in _TWO:
        optima.add_argument(name, metavar=shown, help=text)
    optima.add_argument(
        "--preset", metavar="NAME", help="graphs and triples of Smatch's preset, such as smatch++/reify"
    )
    add_number(optima, "--runs", 20, "climbs a pair", positive)
    add_number(optima, "--seed", 0, "seed of the starts")
    add_workers(optima)
    add_output(optima)
    optima.set_defaults(run=_optima)


def add_space(space: Parser, *_: str) -> None:
    """Add the flags of the verb ``bench space``."""
    for name, shown, text in _TWO:
        space.add_argument(name, metavar=shown, help=text)
    add_metrics(space)
    add_output(space)
    space.set_defaults(run=_space)


def add_impact(impact: Parser, *_: str) -> None:
    """Add the flags of the verb ``bench impact``."""
    impact.add_argument("graphs", metavar="GRAPHS", help="file of graphs, - for standard input")
    add_number(impact, "--longest", 3, "the longest k-grams", positive, metavar="K")
    add_output(impact)
    impact.set_defaults(run=_impact)


def add_ranking(ranking: Parser, *_: str) -> None:
    """Add the flags of the verb ``bench ranking``."""
    ranking.add_argument("files", metavar="FILE", nargs="+", help="files of systems, A B ..., and last the gold graphs")
    add_metrics(ranking)
    add_workers(ranking)
    add_output(ranking)
    ranking.set_defaults(run=_ranking)


def _optima(arguments: argparse.Namespace) -> Report:
    from fastmatch.benchmarks.studies import optima

    pred, gold = _given(arguments.pred, arguments.gold)
    return optima(pred, gold, **flags(arguments, "runs", "seed", "preset", "workers")).report()


def _space(arguments: argparse.Namespace) -> Report:
    from fastmatch.benchmarks.reports import space_report
    from fastmatch.benchmarks.studies import search_space

    metrics = metrics_of(arguments, [DEFAULT])
    pred, gold = _given(arguments.pred, arguments.gold)
    return space_report(search_space(pred, gold, metrics))


def _impact(arguments: argparse.Namespace) -> Report:
    from fastmatch.benchmarks.studies import impact

    (graphs,) = _given(arguments.graphs)
    return impact(graphs, k=arguments.longest).report()


def _ranking(arguments: argparse.Namespace) -> Report:
    from fastmatch.benchmarks.studies import ranking

    files = arguments.files
    if len(files) < 3:
        raise OptionError(f"bench ranking: expected two systems or more and GOLD, found {len(files)}")
    metrics = metrics_of(arguments, [DEFAULT])
    *systems, gold = _given(*files)
    return ranking(systems, gold, metrics, workers=arguments.workers).report(files)


def _given(*files: str) -> list[Any]:
    """The files; standard input is read once, though some studies read their files once a metric."""
    check_standard_input(*files)
    return [sys.stdin.read() if name == "-" else Path(name) for name in files]
