"""The verbs ``demo`` and ``score``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, TextIO

from fastmatch.cli import aspects, paper
from fastmatch.cli.align import alignment_records, show_alignments
from fastmatch.cli.arguments import (
    add_dialect,
    add_fields,
    add_files,
    add_metric_options,
    add_output,
    add_pairing_options,
    add_resampling_options,
    add_running_options,
    add_worst,
    check_worst,
)
from fastmatch.cli.check import add_certificate, check_certificate, say_unproven
from fastmatch.cli.converters import points
from fastmatch.cli.inputs import (
    check_common_options,
    check_standard_input,
    dialect_of,
    field_texts,
    file_names,
    keep_standard_input,
    made_metric,
    read_pairs,
)
from fastmatch.cli.parser import EPILOG
from fastmatch.cli.plotting import add_plot, check_plot
from fastmatch.errors import OptionError
from fastmatch.metrics.names import DEFAULT

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from fastmatch.cli.arguments import Verbs
    from fastmatch.graphs.corpus import Corpus
    from fastmatch.metrics.base import Metric
    from fastmatch.results.scores import CorpusScore

__all__ = ["add_demo", "add_score"]


def add_demo(verbs: Verbs, *_: str) -> None:
    """Add the verb ``demo``."""
    demo = verbs.add_parser(
        "demo",
        help="score a packaged corpus of 40 pairs",
        description="Score the sample corpus that comes with fastmatch and show what the report means.",
    )
    demo.set_defaults(run=_demo)


def add_score(verbs: Verbs, *metrics: str) -> None:
    """Add the verb ``score``, with the flags of the metrics."""
    score = verbs.add_parser(
        "score",
        help="score predicted graphs against gold graphs",
        description="Score the graphs of PRED against those of GOLD, pair by pair in the order of the files.",
        epilog=EPILOG,
    )
    add_files(score)
    add_fields(score)
    paper.add_systems(score)
    add_dialect(score)
    add_metric_options(score, *metrics, several=True)
    aspects.add_aspects(score)
    add_pairing_options(score)
    add_resampling_options(score, "--bootstrap", "resample the pairs N times and print confidence intervals", None)
    add_running_options(score)
    add_output(score)
    output = score.add_argument_group("more output")
    output.add_argument(
        "--per-pair",
        metavar="OUT.tsv",
        help="also write a table with one line a pair: index id score, then the other scores and the counts of the "
        "metric; of several metrics or aspects one score each, empty where neither graph has the aspect; '-' writes it "
        "to standard output, and the report to standard error",
    )
    add_certificate(output, "for each pair")
    add_worst(
        output,
        "the N pairs with the lowest scores, of each metric, aspect or system; of one metric also what matches in them",
    )
    paper.add_baseline(output)
    add_plot(output, "how the scores of the pairs are distributed, or the scores of the aspects")
    output.add_argument(
        "--fail-under",
        type=points,
        metavar="POINTS",
        help="exit with status 1 if the score (F1 for most metrics, 0 to 100) is below this, of any metric, or of any "
        "aspect that occurs",
    )
    score.set_defaults(run=_score)


def _demo(arguments: argparse.Namespace) -> int:
    import fastmatch
    from fastmatch.evaluation.scoring import align, score
    from fastmatch.graphs.reading import read
    from fastmatch.pages.terminal import print_demo

    folder = os.path.join(os.path.dirname(fastmatch.__file__), "data")
    names = os.path.join(folder, "sample-pred.amr"), os.path.join(folder, "sample-gold.amr")
    pred = read(names[0])
    gold = read(names[1], vocabulary=pred.vocabulary)
    print_demo(score(pred, gold), pred, gold, align, names)
    return 0


def _score(arguments: argparse.Namespace) -> int:
    from fastmatch.cli.notices import warn_unreadable
    from fastmatch.evaluation.scoring import score
    from fastmatch.report.model import emit
    from fastmatch.results.per_pair import write_headlines, write_pairs
    from fastmatch.results.scores import scores_report
    from fastmatch.results.worst import with_worst

    aspects.check(arguments)
    check_worst(arguments)
    check_plot(arguments, arguments.pred, arguments.gold)
    if arguments.certificate is not None and (paper.is_asked(arguments) or len(arguments.metrics or ()) > 1):
        raise OptionError("--certificate is of one system and one metric")
    if arguments.aspects is not None:
        return _aspects(arguments)
    if paper.is_asked(arguments):
        return _below(paper.run(arguments), arguments)
    metrics = list(dict.fromkeys(arguments.metrics or [DEFAULT]))
    several = len(metrics) > 1
    arguments.metric = metrics[0]
    to_stdout = _check_table_of_pairs(arguments)
    if several:
        check_common_options(arguments, metrics)
    # every metric is made before a file is read, which tells a wrong option at once
    made = [made_metric(arguments, name if several else None) for name in metrics]
    if arguments.certificate is not None:
        check_certificate(arguments, made[0])
    field_texts(arguments)
    if several:
        check_standard_input(*file_names(arguments))
        arguments.pred, arguments.gold = keep_standard_input(arguments.pred, arguments.gold)
    corpora: dict[str, tuple[Corpus, Corpus]] = {}
    results = []
    for metric in made:
        dialect = dialect_of(arguments, metric)
        seen = dialect in corpora
        if not seen:
            corpora[dialect] = read_pairs(arguments, arguments.on_error, dialect)
        pred, gold = corpora[dialect]
        result = score(
            pred,
            gold,
            metric=metric,
            workers=arguments.workers,
            progress=not arguments.quiet,
            mapping=arguments.certificate is not None,
            bootstrap=arguments.bootstrap,
            confidence=arguments.confidence,
            bootstrap_method=arguments.bootstrap_method,
            bootstrap_seed=arguments.bootstrap_seed,
        )
        if not arguments.quiet and not seen:
            warn_unreadable(result)
        results.append(result)
    named = dict(zip(metrics, results, strict=True))
    if arguments.per_pair is not None and several:
        write_headlines(named, results[0].ids, arguments.per_pair)
    elif arguments.per_pair is not None:
        write_pairs(results[0], arguments.per_pair)
    if arguments.certificate is not None:
        _write_certificate(arguments, made[0], pred, gold, results[0])
    if arguments.plot is not None:
        from fastmatch.plot.pages import write_scores

        write_scores(named, arguments.plot)
    shown = with_worst(scores_report(named), named, arguments.worst) if several else results[0].report()
    worst = None if several else arguments.worst
    if arguments.form == "json" and worst is not None:
        shown.record["worst"] = _worst_records(results[0], made[0], pred, gold, worst)
    if not (to_stdout and arguments.quiet):
        file = sys.stderr if to_stdout else sys.stdout
        emit(shown, arguments.form, file)
        if arguments.form == "text" and worst is not None:
            _print_worst(results[0], made[0], pred, gold, worst, file)
    return _below(named, arguments)


def _write_certificate(
    arguments: argparse.Namespace, metric: Metric, pred: Corpus, gold: Corpus, result: CorpusScore
) -> None:
    from fastmatch.certificates.making import certificate_file, certified

    fields = arguments.pred_field, arguments.gold_field
    given = zip(("pred", "gold"), (arguments.pred, arguments.gold), fields, strict=True)
    names = {side: name if field is None and os.path.isfile(name) else None for side, name, field in given}
    plain = arguments.pair_by == "position" and arguments.on_error == "raise"
    scores, signature = result.pairs, result.signature
    with certificate_file(arguments.certificate) as lines:
        found = certified(metric, pred, gold, scores, signature, names, lines, not arguments.quiet, plain=plain)
    if not arguments.quiet:
        say_unproven(found)


def _print_worst(result: CorpusScore, metric: Metric, pred: Corpus, gold: Corpus, number: int, file: TextIO) -> None:
    """The pairs with the lowest scores in a table, and the alignment of each if the metric makes one."""
    from fastmatch.pages.terminal import print_worst

    worst = result.worst(number)
    print_worst(worst, [gold.metadata(pair.index).get("snt", "") for pair in worst], file)
    if metric.aligns is not None and len(worst):
        print(file=file)
        show_alignments(metric, pred, gold, [pair.index for pair in worst], titles=True, file=file)


def _worst_records(
    result: CorpusScore, metric: Metric, pred: Corpus, gold: Corpus, number: int
) -> list[dict[str, Any]]:
    """The pairs with the lowest scores as objects for JSON, with the alignment of each if the metric makes one."""
    worst = result.worst(number)
    records: list[dict[str, Any]] = [{"index": pair.index, "id": pair.id, "score": pair.score} for pair in worst]
    if metric.aligns is not None:
        aligned = alignment_records(metric, pred, gold, [pair.index for pair in worst])
        for record, found in zip(records, aligned, strict=True):
            # of the same metric as the whole
            record["alignment"] = {name: value for name, value in found.items() if name not in ("metric", "signature")}
    return records


def _below(results: Mapping[str, CorpusScore], arguments: argparse.Namespace) -> int:
    """1 if the score of any metric or aspect is below ``--fail-under``, with a line for each that is; else 0."""
    from fastmatch.results.problems import n_lost
    from fastmatch.results.words import label

    status = 0
    for called, result in results.items():
        # NaN passes nothing, and neither do pairs of which nothing could be read
        scored = n_lost(result.problems) < len(result)
        if arguments.fail_under is not None and not (scored and 100 * result.score >= arguments.fail_under):
            status = 1
            if not arguments.quiet:
                name = label(next(iter(result.scores)))
                of = f" of {called}" if len(results) > 1 else ""
                below = f"{name}{of} {100 * result.score:.4f}" if scored else "there is no score, so it"
                print(f"fastmatch: {below} is below {arguments.fail_under:g}", file=sys.stderr)
    return status


def _check_table_of_pairs(arguments: argparse.Namespace) -> bool:
    """Whether ``--per-pair`` goes to standard output; an error if it cannot be written."""
    from fastmatch.cli.outputs import check_target

    to_stdout: bool = arguments.per_pair == "-"
    if to_stdout and arguments.form != "text":
        raise OptionError(f"--per-pair - and --{arguments.form} would both write to standard output; give a file name")
    if arguments.per_pair is not None:
        check_target(arguments.per_pair, *file_names(arguments))
    return to_stdout


def _aspects(arguments: argparse.Namespace) -> int:
    from fastmatch.report.model import emit
    from fastmatch.results.per_pair import write_headlines
    from fastmatch.results.worst import with_worst

    scored = aspects.scorer(arguments)
    if paper.is_asked(arguments):
        return _below(paper.run_aspects(arguments, scored), arguments)
    to_stdout = _check_table_of_pairs(arguments)
    check_standard_input(*file_names(arguments))
    result = scored(arguments.pred, arguments.gold)
    if arguments.per_pair is not None:
        write_headlines(result, next(iter(result.values())).ids, arguments.per_pair)
    if arguments.plot is not None:
        from fastmatch.plot.pages import write_aspects

        write_aspects(result, arguments.plot)
    if not (to_stdout and arguments.quiet):
        shown = with_worst(result.report(), result, arguments.worst)
        emit(shown, arguments.form, sys.stderr if to_stdout else sys.stdout)
    # an aspect that no graph has is neither good nor bad
    return _below({name: score for name, score in result.items() if score.n_macro or not len(score)}, arguments)
