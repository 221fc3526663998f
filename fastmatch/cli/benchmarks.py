"""The verbs that run a benchmark on metrics: ``bamboo``, ``rare``, ``principles``."""

from __future__ import annotations

import argparse
from typing import Any

from fastmatch.cli.arguments import count, positive, workers
from fastmatch.errors import OptionError
from fastmatch.runtime.progress import Bar

__all__ = ["add_verbs"]

_METRIC = """\
A metric is NAME[/PRESET][,OPTION=VALUE]..., for instance smatch, smatch/smatch, sembleu/tool,k=2 or
s2match,embeddings=glove.txt,cutoff=0.9. Repeat --metric for several; all stands for every metric with its defaults.
"""


def _runs(text: str) -> int:
    if text.isdecimal() and int(text) >= 2:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a whole number, 2 or more, found {text!r}")


def _add_metrics(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--metric",
        action="append",
        dest="metrics",
        metavar="METRIC",
        help="NAME[/PRESET][,OPTION=VALUE]..., or all; may be repeated (default: smatch)",
    )
    parser.add_argument(
        "--embeddings", metavar="FILE", help="word vectors, for those of the metrics that take them and name none"
    )


def _metrics(arguments: argparse.Namespace, default: list[str]) -> list[str]:
    """The metrics that were named, each as one word.

    Raises
    ------
    OptionError
        If one of them is wrong: that is said before the work begins.
    """
    from fastmatch.metrics.options import described
    from fastmatch.metrics.registry import available, from_text

    texts: list[str] = []
    for text in arguments.metrics or default:
        # softmatch is made of functions that a user writes; without any it is smatch
        texts += (name for name in available() if name != "softmatch") if text == "all" else [text]
    if arguments.embeddings is not None:
        for place, text in enumerate(texts):
            metric: Any = from_text(text)
            if "embeddings" in (entry[0] for entry in described(type(metric))) and metric.embeddings is None:
                texts[place] = f"{text},embeddings={arguments.embeddings}"
    for text in texts:
        from_text(text)
    return texts


def add_verbs(verbs: Any) -> None:
    """Add the verbs to the parsers of the command line."""
    bamboo = verbs.add_parser(
        "bamboo",
        help="run metrics on the BAMBOO benchmark",
        description="Correlate metrics with human ratings of sentence pairs, on BAMBOO's data: DIR/{sts,sick,para}/"
        "{main,reify,syno,role_confusion}/{src,tgt}.test.amr and DIR/<set>/test.y.",
        epilog=_METRIC,
    )
    bamboo.add_argument("folder", metavar="DIR", help="the benchmark's data")
    _add_metrics(bamboo)
    bamboo.add_argument(
        "--protocol",
        choices=["0.2", "0.1", "spearman"],
        default="0.2",
        help="0.2: Pearson's r, accuracy for role confusion (default); 0.1: as the paper's table; spearman: as "
        "Rematch's paper",
    )
    bamboo.add_argument("--split", choices=["test", "dev", "train"], default="test", help="default: %(default)s")
    bamboo.add_argument("--workers", type=workers, default=1, metavar="N", help="threads; -1: all CPUs (default: 1)")
    bamboo.add_argument("--quiet", action="store_true", help="no progress on standard error")
    form = bamboo.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    form.add_argument("--tsv", action="store_true", help="print a header and a line a metric")
    form.add_argument("--latex", action="store_true", help="print the table in LaTeX")
    bamboo.set_defaults(run=_bamboo)

    rare = verbs.add_parser(
        "rare",
        help="rewire a corpus and see whether metrics notice: the RARE benchmark",
        description="Divide a corpus, rewire each graph step by step, and correlate metrics with the share of edges "
        "that are still there.",
        epilog=_METRIC,
    )
    rare.add_argument(
        "corpus",
        metavar="CORPUS",
        help="file of graphs, - for standard input; or a folder of pairs, as --write or the published program makes it",
    )
    _add_metrics(rare)
    rare.add_argument(
        "--split",
        action="append",
        dest="splits",
        choices=["train", "dev", "test"],
        help="what to score; may be repeated (default: test)",
    )
    rare.add_argument(
        "--preset",
        choices=["default", "tool"],
        help="default: rewire as the paper says, by seed; tool: exactly as the published program",
    )
    rare.add_argument("--seed", type=count, metavar="N", help="of splitting and rewiring (default: 0)")
    rare.add_argument(
        "--write",
        metavar="DIR",
        help="write the pairs of all three splits, and their labels; without --metric, score nothing",
    )
    rare.add_argument("--workers", type=workers, default=1, metavar="N", help="threads; -1: all CPUs (default: 1)")
    rare.add_argument("--quiet", action="store_true", help="no progress on standard error")
    form = rare.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    form.add_argument("--tsv", action="store_true", help="print a header and a line a metric and split")
    form.add_argument("--latex", action="store_true", help="print the table in LaTeX")
    rare.set_defaults(run=_rare)

    principles = verbs.add_parser(
        "principles",
        help="try metrics for bounds, identity, symmetry, determinacy and bias",
        description="Try metrics on pairs of graphs: are scores bounded, 1 for equal graphs only, symmetric and "
        "repeatable? What do wrong concepts cost, and are pairs in the order of their common triples?",
        epilog=_METRIC,
    )
    principles.add_argument("pred", metavar="PRED", help="file of graphs, - for standard input")
    principles.add_argument("gold", metavar="GOLD", help="file of as many graphs")
    _add_metrics(principles)
    principles.add_argument("--runs", type=_runs, default=10, metavar="N", help="repetitions (default: %(default)s)")
    principles.add_argument(
        "--probes",
        type=positive,
        default=1000,
        metavar="N",
        help="pairs to rename and change, at most (default: %(default)s)",
    )
    principles.add_argument(
        "--seed", type=count, default=0, metavar="N", help="of renaming, changing and repeating (default: 0)"
    )
    principles.add_argument(
        "--workers", type=workers, default=1, metavar="N", help="threads; -1: all CPUs (default: 1)"
    )
    principles.add_argument("--quiet", action="store_true", help="no progress on standard error")
    form = principles.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    form.add_argument("--tsv", action="store_true", help="print a header and a line a metric")
    form.add_argument("--latex", action="store_true", help="print a LaTeX table, a row a metric")
    principles.set_defaults(run=_principles)


def _bamboo(arguments: argparse.Namespace) -> int:
    from fastmatch import report
    from fastmatch.benchmarks.bamboo import bamboo

    metrics = _metrics(arguments, ["smatch"])
    with Bar("tasks", arguments.quiet) as progress:
        result = bamboo(
            arguments.folder,
            metrics,
            protocol=arguments.protocol,
            split=arguments.split,
            workers=arguments.workers,
            progress=progress,
        )
    if arguments.json:
        report.print_json(result.to_dict())
    elif arguments.tsv:
        report.print_bamboo_tsv(result)
    elif arguments.latex:
        report.print_bamboo_latex(result)
    else:
        report.print_bamboo(result)
    return 0


def _rare(arguments: argparse.Namespace) -> int:
    import logging
    import os
    from dataclasses import replace

    from fastmatch import report
    from fastmatch.benchmarks.rare import SPLITS, RareResult, check_folder, evaluate, generate, load, write
    from fastmatch.graphs.reading import read

    # under the preset tool it warns of every attribute whose role looks inverted
    logging.getLogger("penman").setLevel(logging.ERROR)
    chosen = arguments.splits or ["test"]
    splits = tuple(split for split in SPLITS if split in chosen)
    metrics = _metrics(arguments, [] if arguments.write is not None else ["smatch"])
    if os.path.isdir(arguments.corpus):
        for name in ("preset", "seed", "write"):
            if getattr(arguments, name) is not None:
                raise OptionError(f"--{name} is about making pairs; those of {arguments.corpus} are made")
        pairs = load(arguments.corpus, splits)
    else:
        if arguments.write is not None:
            check_folder(arguments.write)
        corpus = read(arguments.corpus)
        with Bar("graphs", arguments.quiet) as progress:
            pairs = generate(
                corpus,
                splits if arguments.write is None else SPLITS,
                preset=arguments.preset or "default",
                seed=arguments.seed or 0,
                progress=progress,
            )
    if arguments.write is not None:
        write(pairs, arguments.write)
    if metrics:
        pairs = replace(pairs, splits=tuple(split for split in pairs.splits if split.split in splits))
    result = RareResult((), pairs)
    if metrics:
        with Bar("pairs", arguments.quiet) as progress:
            result = evaluate(pairs, metrics, workers=arguments.workers, progress=progress)
    if arguments.json:
        report.print_json(result.to_dict())
    elif arguments.tsv:
        report.print_rare_tsv(result)
    elif arguments.latex:
        report.print_rare_latex(result)
    else:
        report.print_rare(result)
    return 0


def _principles(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from fastmatch import report
    from fastmatch.benchmarks.principles import principles
    from fastmatch.graphs.reading import read
    from fastmatch.report.benchmarks import short_name

    if arguments.pred == "-" and arguments.gold == "-":
        raise OptionError("'-' (standard input) can stand for one of the two files, not for both")
    metrics = _metrics(arguments, ["smatch"])
    # standard input is read once, files by each metric's own reader
    pred, gold = (read(name) if name == "-" else Path(name) for name in (arguments.pred, arguments.gold))
    results = []
    for text in metrics:
        with Bar(short_name(text), arguments.quiet) as progress:
            results.append(
                principles(
                    pred,
                    gold,
                    text,
                    runs=arguments.runs,
                    probes=arguments.probes,
                    seed=arguments.seed,
                    workers=arguments.workers,
                    progress=progress,
                )
            )
    if arguments.json:
        report.print_json({"metrics": [result.to_dict() for result in results]})
    elif arguments.tsv:
        report.print_principles_tsv(results)
    elif arguments.latex:
        report.print_principles_latex(results)
    else:
        report.print_principles(results)
    return 0
