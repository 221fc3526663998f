"""Verbs that run benchmarks (``bench bamboo``, ``rare``, ``principles``) and studies of the papers about metrics.

These are ``bench optima``, ``space``, ``impact`` and ``ranking``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastmatch.cli import add, inputs
from fastmatch.cli.converters import count, positive
from fastmatch.errors import OptionError
from fastmatch.metrics.names import DEFAULT

if TYPE_CHECKING:
    from fastmatch.benchmarks.rare import RareSet, Split
    from fastmatch.cli.parser import Parser
    from fastmatch.report.model import Report


def add_bamboo(bamboo: Parser, *_: str) -> None:
    """Add the flags of the verb ``bench bamboo``."""
    bamboo.add_argument("folder", metavar="DIR", help="the benchmark's data")
    add_metrics(bamboo)
    add.choice(
        bamboo,
        "--protocol",
        "0.2 0.1 spearman rmse rmse-quantiles",
        "0.2: Pearson's r, accuracy for role confusion (default); 0.1: as table 4 of BAMBOO's paper; spearman: "
        "rank correlation, as in Rematch's paper; rmse: root mean square error of scores against ratings, "
        "rmse-quantiles: of their quantiles (lower is better)",
    )
    bamboo.add_argument(
        "--split", choices=["test", "dev", "train"], default="test", help="part of the data (default: %(default)s)"
    )
    _add_running(bamboo)
    bamboo.set_defaults(run=_bamboo)


def add_rare(rare: Parser, *_: str) -> None:
    """Add the flags of the verb ``bench rare``."""
    rare.add_argument(
        "corpus",
        metavar="CORPUS",
        help="file of graphs, - for standard input; or a folder of pairs, as --write or the published program makes it",
    )
    add_metrics(rare)
    rare.add_argument(
        "--split",
        action="append",
        dest="splits",
        choices=["train", "dev", "test"],
        help="part of the pairs to score; may be repeated (default: test)",
    )
    rare.add_argument(
        "--preset",
        choices=["default", "tool"],
        help="default: rewire as the paper says, by seed; tool: exactly as the published program does",
    )
    rare.add_argument("--seed", type=count, metavar="N", help="seed of splitting and rewiring (default: 0)")
    rare.add_argument(
        "--write",
        metavar="DIR",
        help="write the pairs of all three splits, and their labels; without --metric, score nothing",
    )
    _add_running(rare)
    rare.set_defaults(run=_rare)


def add_principles(principles: Parser, *_: str) -> None:
    """Add the flags of the verb ``bench principles``."""
    principles.add_argument("pred", metavar="PRED", help="file of graphs, - for standard input")
    principles.add_argument("gold", metavar="GOLD", help="file of as many graphs")
    add_metrics(principles)
    add.number(principles, "--runs", 10, "repetitions, 2 or more", _runs)
    add.number(principles, "--probes", 1000, "pairs whose graphs are renamed and changed, at most", positive)
    principles.add_argument(
        "--seed", type=count, default=0, metavar="N", help="seed of renaming, changing and repeating (default: 0)"
    )
    _add_running(principles)
    add.plot(principles, "how often each metric violates each principle")
    principles.set_defaults(run=_principles)


def add_metrics(parser: Parser) -> None:
    """Add ``--metric``, which may be repeated, and ``--embeddings``."""
    parser.add_argument(
        "--metric",
        action="append",
        dest="metrics",
        metavar="METRIC",
        help=f"NAME[/PRESET][,OPTION=VALUE]..., or all; may be repeated (default: {DEFAULT})",
    )
    parser.add_argument(
        "--embeddings", metavar="FILE", help="word vectors, for those of the metrics that take some and name none"
    )


def _add_running(parser: Parser) -> None:
    add.workers(parser)
    add.quiet(parser)
    add.output(parser)


def _runs(text: str) -> int:
    if text.isdecimal() and int(text) >= 2:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a whole number, 2 or more, found {text!r}")


def metrics_of(arguments: argparse.Namespace, default: list[str]) -> list[str]:
    """The metrics that were named, each as one word.

    Raises
    ------
    OptionError
        If one of them is wrong: that is said before the work begins.
    """
    from fastmatch.metrics.options import taking
    from fastmatch.metrics.registry import available, from_text, get

    texts: list[str] = []
    for text in arguments.metrics or default:
        texts += (name for name in available() if get(name).distinct) if text == "all" else [text]
    metrics = [from_text(text) for text in texts]
    if arguments.embeddings is not None:
        for place, metric in enumerate(metrics):
            for option in taking(type(metric), "vectors"):
                if getattr(metric, option) is None:
                    texts[place] += f",{option}={arguments.embeddings}"
        for text in texts:
            from_text(text)
    return texts


def _bamboo(arguments: argparse.Namespace) -> Report:
    from fastmatch.benchmarks.bamboo import bamboo

    metrics = metrics_of(arguments, [DEFAULT])
    return bamboo(
        arguments.folder, metrics, **inputs.flags(arguments, "protocol", "split"), **inputs.running(arguments)
    ).report()


def _rare(arguments: argparse.Namespace) -> Report:
    import logging
    from dataclasses import replace

    from fastmatch.benchmarks.rare import SPLITS, RareResult, evaluate, write

    # under the preset tool it warns of every attribute whose role looks inverted
    logging.getLogger("penman").setLevel(logging.ERROR)
    chosen = arguments.splits or ["test"]
    splits = tuple(split for split in SPLITS if split in chosen)
    metrics = metrics_of(arguments, [] if arguments.write is not None else [DEFAULT])
    pairs = _rare_pairs(arguments, splits)
    if arguments.write is not None:
        write(pairs, arguments.write)
    result = RareResult((), pairs)
    if metrics:
        pairs = replace(pairs, splits=tuple(split for split in pairs.splits if split.split in splits))
        result = evaluate(pairs, metrics, **inputs.running(arguments))
    return result.report()


def _rare_pairs(arguments: argparse.Namespace, splits: tuple[Split, ...]) -> RareSet:
    """The pairs of a folder, or those of a corpus: of all three splits if they are to be written."""
    import os

    from fastmatch.benchmarks.rare import SPLITS, check_folder, generate, load
    from fastmatch.graphs.reading import read

    if os.path.isdir(arguments.corpus):
        for name in ("preset", "seed", "write"):
            if getattr(arguments, name) is not None:
                raise OptionError(f"--{name} is about making pairs; those of {arguments.corpus} are made")
        return load(arguments.corpus, splits)
    if arguments.write is not None:
        check_folder(arguments.write)
    return generate(
        read(arguments.corpus),
        splits if arguments.write is None else SPLITS,
        preset=arguments.preset or "default",
        seed=arguments.seed or 0,
        progress=not arguments.quiet,
    )


def _principles(arguments: argparse.Namespace) -> Report:
    from fastmatch.benchmarks.principles import principles
    from fastmatch.benchmarks.reports import principles_report
    from fastmatch.graphs.reading import read

    inputs.check_standard_input(arguments.pred, arguments.gold)
    inputs.check_plot(arguments, arguments.pred, arguments.gold)
    metrics = metrics_of(arguments, [DEFAULT])
    # standard input is read once, files by each metric's own reader
    pred, gold = (read(name) if name == "-" else Path(name) for name in (arguments.pred, arguments.gold))
    given = {**inputs.flags(arguments, "runs", "probes", "seed"), **inputs.running(arguments)}
    results = [principles(pred, gold, text, **given) for text in metrics]
    if arguments.plot is not None:
        from fastmatch.plot.pages import write_principles

        write_principles(results, arguments.plot)
    return principles_report(results)


_TWO = (("pred", "PRED", "file of predicted graphs, - for standard input"), ("gold", "GOLD", "file of as many graphs"))


def add_optima(optima: Parser, *_: str) -> None:
    """Add the flags of the verb ``bench optima``."""
    for name, shown, text in _TWO:
        optima.add_argument(name, metavar=shown, help=text)
    optima.add_argument(
        "--preset", metavar="NAME", help="graphs and triples of Smatch's preset, such as smatch++/reify"
    )
    add.number(optima, "--runs", 20, "climbs a pair", positive)
    add.number(optima, "--seed", 0, "seed of the starts")
    add.workers(optima)
    add.output(optima)
    optima.set_defaults(run=_optima)


def add_space(space: Parser, *_: str) -> None:
    """Add the flags of the verb ``bench space``."""
    for name, shown, text in _TWO:
        space.add_argument(name, metavar=shown, help=text)
    add_metrics(space)
    add.output(space)
    space.set_defaults(run=_space)


def add_impact(impact: Parser, *_: str) -> None:
    """Add the flags of the verb ``bench impact``."""
    impact.add_argument("graphs", metavar="GRAPHS", help="file of graphs, - for standard input")
    add.number(impact, "--longest", 3, "the longest k-grams", positive, metavar="K")
    add.output(impact)
    impact.set_defaults(run=_impact)


def add_ranking(ranking: Parser, *_: str) -> None:
    """Add the flags of the verb ``bench ranking``."""
    ranking.add_argument("files", metavar="FILE", nargs="+", help="files of systems, A B ..., and last the gold graphs")
    add_metrics(ranking)
    add.workers(ranking)
    add.output(ranking)
    ranking.set_defaults(run=_ranking)


def _optima(arguments: argparse.Namespace) -> Report:
    from fastmatch.benchmarks.studies import optima

    pred, gold = _given(arguments.pred, arguments.gold)
    return optima(pred, gold, **inputs.flags(arguments, "runs", "seed", "preset", "workers")).report()


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
    inputs.check_standard_input(*files)
    return [sys.stdin.read() if name == "-" else Path(name) for name in files]
