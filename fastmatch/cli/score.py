"""The verbs ``demo``, ``score`` and ``align``."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from fastmatch.cli.arguments import (
    EPILOG,
    add_metric_options,
    add_resampling_options,
    add_running_options,
    count,
    dialect_of,
    metric_options,
    points,
    read_both,
)

__all__ = ["add_align", "add_demo", "add_score"]


def add_demo(verbs: Any) -> None:
    demo = verbs.add_parser(
        "demo",
        help="score a packaged corpus of 40 pairs",
        description="Score the sample corpus that comes with fastmatch and show what the report means.",
    )
    demo.set_defaults(run=_demo)


def add_score(verbs: Any, metric: str) -> None:
    score = verbs.add_parser(
        "score",
        help="score predicted graphs against gold graphs",
        description="Score the graphs of PRED against those of GOLD, pair by pair in the order of the files.",
        epilog=EPILOG,
    )
    score.add_argument("pred", metavar="PRED", help="file of predicted graphs")
    score.add_argument("gold", metavar="GOLD", help="file of gold graphs")
    add_metric_options(score, metric)
    score.add_argument(
        "--aspects",
        nargs="?",
        const="damonte",
        choices=["damonte", "enhanced", "s2match", "smatch++"],
        metavar="KIND",
        help="score each aspect by itself: damonte (as Damonte et al. 2017; default), enhanced (sets, with frames), "
        "s2match (enhanced, with S2match), or smatch++ (its sub-graphs); with --preset tool as the published programs "
        "do",
    )
    score.add_argument(
        "--aspect",
        action="append",
        metavar="NAME",
        help="with --aspects smatch++: only this one; may be given several times",
    )
    score.add_argument(
        "--aspect-align",
        choices=["one", "each"],
        help="with --aspects smatch++: match all by the best alignment of the whole graphs (one, the default), or each "
        "by its own",
    )
    score.add_argument(
        "--frames",
        metavar="FILE",
        help="with --aspects smatch++: what the roles of frames are, a line 'predicate  ARG0: description …' each",
    )
    add_resampling_options(score, "--bootstrap", "resample the pairs N times and print confidence intervals", None)
    add_running_options(score)
    output = score.add_argument_group("output")
    output.add_argument(
        "--per-pair",
        metavar="OUT.tsv",
        help="also write one line a pair: index id score, then what the metric has (smatch: precision recall matched "
        "n_pred n_gold upper certified); '-' writes them to standard output, and the report to standard error",
    )
    form = output.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object instead of the report")
    form.add_argument("--tsv", action="store_true", help="print a header and one line instead of the report")
    output.add_argument(
        "--fail-under",
        type=points,
        metavar="POINTS",
        help="exit with status 1 if the score (F1 for most, 0 to 100) is below this",
    )
    score.set_defaults(run=_score)


def add_align(verbs: Any, metric: str) -> None:
    align = verbs.add_parser(
        "align",
        help="show which variables and triples of a pair match",
        description="Align one pair of graphs and show which variables and which triples match.",
        epilog=EPILOG,
    )
    align.add_argument("pred", metavar="PRED", help="file of predicted graphs; with --text, the graph itself")
    align.add_argument("gold", metavar="GOLD", help="file of gold graphs; with --text, the graph itself")
    align.add_argument("-e", "--text", action="store_true", help="PRED and GOLD are graphs, not names of files")
    align.add_argument("--index", type=count, metavar="I", help="which pair of the files, counted from 0 (default: 0)")
    add_metric_options(align, metric)
    align.add_argument("--json", action="store_true", help="print one JSON object instead of the tables")
    align.set_defaults(run=_align)


def _demo(arguments: argparse.Namespace) -> int:
    import fastmatch
    from fastmatch import report

    folder = os.path.join(os.path.dirname(fastmatch.__file__), "data")
    names = os.path.join(folder, "sample-pred.amr"), os.path.join(folder, "sample-gold.amr")
    pred = fastmatch.read(names[0])
    gold = fastmatch.read(names[1], vocabulary=pred.vocabulary)
    report.print_demo(fastmatch.score(pred, gold), pred, gold, fastmatch.align, names)
    return 0


def _score(arguments: argparse.Namespace) -> int:
    import fastmatch
    from fastmatch import report
    from fastmatch.errors import OptionError

    own = {"only": arguments.aspect, "align": arguments.aspect_align, "frames": arguments.frames}
    own = {name: value for name, value in own.items() if value is not None}
    if own and arguments.aspects != "smatch++":
        raise OptionError("--aspect, --aspect-align and --frames go with --aspects smatch++ only")
    if arguments.aspects is not None:
        return _aspects(arguments, own)
    to_stdout = arguments.per_pair == "-"
    if to_stdout and (arguments.json or arguments.tsv):
        raise OptionError("--per-pair - and --json or --tsv would both write to standard output; give a file name")
    if arguments.per_pair is not None:
        report.check_target(arguments.per_pair, arguments.pred, arguments.gold)
    pred, gold = read_both(arguments, arguments.on_error)
    progress = not arguments.quiet
    result = fastmatch.score(
        pred,
        gold,
        workers=arguments.workers,
        progress=progress,
        bootstrap=arguments.bootstrap,
        confidence=arguments.confidence,
        bootstrap_method=arguments.bootstrap_method,
        bootstrap_seed=arguments.bootstrap_seed,
        **metric_options(arguments),
    )
    if not arguments.quiet:
        report.warn_unreadable(result)
    if arguments.per_pair is not None:
        report.write_pairs(result, pred, gold, arguments.per_pair)
    if arguments.json:
        report.print_json(report.score_record(result))
    elif arguments.tsv:
        report.print_tsv(result)
    elif not to_stdout:
        report.print_score(result)
    elif not arguments.quiet:
        report.print_score(result, sys.stderr)
    if arguments.fail_under is not None and 100 * result.score < arguments.fail_under:
        if not arguments.quiet:
            name = report.label(next(iter(result.scores)))
            print(f"fastmatch: {name} {100 * result.score:.4f} is below {arguments.fail_under:g}", file=sys.stderr)
        return 1
    return 0


def _aspects(arguments: argparse.Namespace, own: dict[str, Any]) -> int:
    from pathlib import Path

    import fastmatch
    from fastmatch import report
    from fastmatch.errors import OptionError

    for name, given in (("--per-pair", arguments.per_pair), ("--fail-under", arguments.fail_under)):
        if given is not None:
            raise OptionError(f"{name} is of one score; --aspects makes several")
    if arguments.pred == "-" and arguments.gold == "-":
        raise OptionError("'-' (standard input) can stand for one of the two files, not for both")
    options = metric_options(arguments)
    del options["metric"]
    result = fastmatch.aspects(
        Path(arguments.pred),
        Path(arguments.gold),
        kind=arguments.aspects,
        workers=arguments.workers,
        progress=not arguments.quiet,
        on_error=arguments.on_error,
        bootstrap=arguments.bootstrap,
        confidence=arguments.confidence,
        bootstrap_method=arguments.bootstrap_method,
        bootstrap_seed=arguments.bootstrap_seed,
        **options,
        **own,
    )
    if not arguments.quiet:
        report.warn_unreadable(result)
    if arguments.json:
        report.print_json(report.aspects_record(result))
    elif arguments.tsv:
        report.print_aspects_tsv(result)
    else:
        report.print_aspects(result)
    return 0


def _align(arguments: argparse.Namespace) -> int:
    import fastmatch
    from fastmatch import report
    from fastmatch.errors import OptionError

    if arguments.text:
        if arguments.index is not None:
            raise OptionError("--index chooses a pair of two files; with --text there is only one pair")
        alignment = fastmatch.align(arguments.pred, arguments.gold, **metric_options(arguments))
        pred, gold = (fastmatch.parse(text, dialect=dialect_of(arguments)) for text in (arguments.pred, arguments.gold))
        index = 0
    else:
        pred, gold = read_both(arguments)
        index = arguments.index or 0
        for name, corpus in ((arguments.pred, pred), (arguments.gold, gold)):
            if index >= len(corpus):
                raise OptionError(f"--index {index}: {name} holds {len(corpus)} graphs, counted from 0")
        alignment = fastmatch.align(pred[index : index + 1], gold[index : index + 1], **metric_options(arguments))
    if arguments.json:
        report.print_json(report.alignment_record(alignment, pred[index], gold[index]))
    elif hasattr(alignment, "flows"):
        report.print_flow(alignment)
    else:
        report.print_alignment(alignment, pred[index], gold[index])
    return 0
