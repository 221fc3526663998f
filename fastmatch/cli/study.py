"""The verb ``study``: measurements of the papers that are about metrics."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastmatch.cli.arguments import add_form, add_workers
from fastmatch.cli.benchmarks import METRIC_HELP, add_metrics, metrics_of
from fastmatch.cli.converters import count, positive
from fastmatch.cli.inputs import check_standard_input
from fastmatch.errors import OptionError
from fastmatch.metrics.names import DEFAULT

if TYPE_CHECKING:
    from fastmatch.cli.arguments import Verbs

__all__ = ["add_study"]

#: Kind → number of files, and the least where there may be more.
_FILES = {"optima": (2, "PRED GOLD"), "space": (2, "PRED GOLD"), "impact": (1, "GRAPHS"), "ranking": (3, "A B … GOLD")}


def add_study(verbs: Verbs, *_: str) -> None:
    """Add the verb."""
    study = verbs.add_parser(
        "study",
        help="measure metrics as the papers do: local optima, search spaces, impact of errors, rankings",
        description="optima PRED GOLD: at how many different scores does a hill-climber end? "
        "space PRED GOLD: how much could a metric compare? "
        "impact GRAPHS: in how many k-grams and triples does a node stand? "
        "ranking A B ... GOLD: do metrics agree which system is better?",
        epilog=METRIC_HELP,
    )
    study.add_argument("kind", choices=list(_FILES), help="what to measure")
    study.add_argument("files", metavar="FILE", nargs="+", help="files of graphs; '-' is standard input")
    add_metrics(study)
    study.add_argument(
        "--preset", metavar="NAME", help="of optima: graphs and triples of Smatch's preset, such as smatch++/reify"
    )
    study.add_argument(
        "--runs", type=positive, default=20, metavar="N", help="of optima: climbs a pair (default: %(default)s)"
    )
    study.add_argument("--seed", type=count, default=0, metavar="N", help="of optima: seed of the starts (default: 0)")
    study.add_argument(
        "--longest", type=positive, default=3, metavar="K", help="of impact: the longest k-grams (default: %(default)s)"
    )
    add_workers(study)
    add_form(study, "the table", tsv="print a header and a line a pair of graphs (optima, space) or a row of the table")
    study.set_defaults(run=_study)


def _study(arguments: argparse.Namespace) -> int:
    from fastmatch import report
    from fastmatch.benchmarks import studies

    kind, files = arguments.kind, arguments.files
    wanted, names = _FILES[kind]
    if len(files) != wanted and not (kind == "ranking" and len(files) > wanted):
        raise OptionError(f"study {kind}: expected the files {names}, found {len(files)}")
    check_standard_input(*files)
    # standard input is read once, though ranking and space read their files once a metric
    given: list[Any] = [sys.stdin.read() if name == "-" else Path(name) for name in files]
    found: Any
    if kind == "optima":
        found = studies.optima(
            given[0],
            given[1],
            runs=arguments.runs,
            seed=arguments.seed,
            preset=arguments.preset,
            workers=arguments.workers,
        )
    elif kind == "space":
        found = studies.search_space(given[0], given[1], metrics_of(arguments, [DEFAULT]))
    elif kind == "impact":
        found = studies.impact(given[0], k=arguments.longest)
    else:
        found = studies.ranking(given[:-1], given[-1], metrics_of(arguments, [DEFAULT]), workers=arguments.workers)
    if arguments.json:
        report.print_json(report.study_record(found))
    elif arguments.tsv:
        report.print_study_tsv(found, files)
    else:
        report.print_study(found, files)
    return 0
