"""The verbs ``demo`` and ``score``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from typing import Any

import fastmatch
from fastmatch.cli import aspects, inputs, paper
from fastmatch.cli.align import show_sides
from fastmatch.cli.check import check_certificate, write_certificate
from fastmatch.cli.notices import warn_unreadable
from fastmatch.cli.outputs import headline_lines, pair_lines, to_standard_output
from fastmatch.errors import OptionError
from fastmatch.evaluation.scoring import pairs_report, score
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.reading import read
from fastmatch.metrics.base import Metric
from fastmatch.report.cells import Points, count
from fastmatch.report.model import Report, Table, emit
from fastmatch.report.writing import write_lines
from fastmatch.results.problems import n_lost
from fastmatch.results.scores import CorpusScore, with_worst
from fastmatch.results.words import label


def run_demo(arguments: argparse.Namespace) -> int:
    from fastmatch.pages.terminal import print_demo

    folder = os.path.join(os.path.dirname(fastmatch.__file__), "data")
    names = os.path.join(folder, "sample-pred.amr"), os.path.join(folder, "sample-gold.amr")
    pred = read(names[0])
    gold = read(names[1], vocabulary=pred.vocabulary)
    print_demo(score(pred, gold), pred, gold, names)
    return 0


def run_score(arguments: argparse.Namespace) -> int:

    aspects.check(arguments)
    inputs.check_worst(arguments)
    if arguments.certificate is not None and (paper.is_asked(arguments) or len(arguments.metrics or ()) > 1):
        raise OptionError("--certificate is of one system and one metric")
    if not paper.is_asked(arguments):  # a paper's table always has intervals
        inputs.check_resampling(arguments)
    if arguments.aspects is not None:
        return _aspects(arguments)
    if paper.is_asked(arguments):
        return _below(paper.run(arguments), arguments)
    to_stdout = to_standard_output(arguments.form, {"--per-pair": arguments.per_pair})
    metrics = inputs.made_metrics(arguments)
    made, several = [*metrics.values()], len(metrics) > 1
    if arguments.certificate is not None:
        check_certificate(arguments, made[0])
    inputs.field_texts(arguments)
    if several:
        arguments.pred, arguments.gold = inputs.keep_standard_input(arguments.pred, arguments.gold)
    corpora: dict[str, tuple[Corpus, Corpus]] = {}
    results = []
    given = inputs.running(arguments, "bootstrap", *inputs.RESAMPLING)
    for metric in made:
        dialect = inputs.dialect_of(arguments, metric)
        seen = dialect in corpora
        if not seen:
            corpora[dialect] = inputs.read_pairs(arguments, arguments.on_error, dialect)
        pred, gold = corpora[dialect]
        result = score(pred, gold, metric=metric, mapping=arguments.certificate is not None, **given)
        if not arguments.quiet and not seen:
            warn_unreadable(result)
        results.append(result)
    named = dict(zip(metrics, results, strict=True))
    if arguments.per_pair is not None:
        write_lines(headline_lines(named) if several else pair_lines(results[0]), arguments.per_pair)
    if arguments.certificate is not None:
        write_certificate(arguments, made[0], pred, gold, results[0].pairs, results[0].signature)
    if arguments.plot is not None:
        from fastmatch.plot.pages import write_scores

        write_scores(named, arguments.plot)
    sides: list[int] = []
    if several:
        shown = Report.of(named, worst=arguments.worst)
    else:
        shown = results[0].report()
        if arguments.worst is not None:
            to_terminal = arguments.form == "text" and sys.stdout.isatty() and not to_stdout
            shown, sides = _with_worst(shown, results[0], made[0], pred, gold, arguments.worst, to_terminal)
    if not (to_stdout and arguments.quiet):
        file = sys.stderr if to_stdout else sys.stdout
        emit(shown, arguments.form, file)
        if sides:
            print(file=file)
            show_sides(made[0], pred, gold, sides, file)
    return _below(named, arguments)


def _with_worst(
    shown: Report, result: CorpusScore, metric: Metric, pred: Corpus, gold: Corpus, number: int, sides: bool
) -> tuple[Report, list[int]]:
    """The report with the pairs that score lowest, and with the alignment of each if the metric makes one.

    With ``sides`` some alignments may be left to be printed side by side: the numbers of their pairs.
    """

    worst = result.worst(number)
    rows = [(str(pair.index), pair.id, Points(pair.score), gold.metadata(pair.index).get("snt")) for pair in worst]
    title = f"{count(len(rows), 'pair')} with the lowest scores"
    if not len(worst):
        return shown._replace(record={**shown.record, "worst": []}), []
    *tables, means = shown.tables
    tables.append(means._replace(notes=shown.notes))  # what is said of the corpus stands above its pairs
    tables.append(Table(("pair", "id", "score", "sentence"), rows, title, right=False))
    shown = shown._replace(notes=())
    records: list[dict[str, Any]] = [{"index": pair.index, "id": pair.id, "score": pair.score} for pair in worst]
    numbers = [pair.index for pair in worst] if metric.aligns is not None else []
    if numbers and sides and metric.aligns == "map":
        return shown._replace(tables=tables), numbers
    if numbers:
        aligned = pairs_report(metric, pred, gold, numbers)
        tables += aligned.tables
        for record, found in zip(records, aligned.record, strict=True):
            # of the same metric and pair as the whole
            own = ("index", "metric", "signature")
            record["alignment"] = {name: value for name, value in found.items() if name not in own}
    return shown._replace(tables=tables, record={**shown.record, "worst": records}), []


def _below(results: Mapping[str, CorpusScore], arguments: argparse.Namespace) -> int:
    """1 if the score of any metric or aspect is below ``--fail-under``, with a line for each that is; else 0."""

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


def _aspects(arguments: argparse.Namespace) -> int:

    scored = aspects.scorer(arguments)
    if paper.is_asked(arguments):
        return _below(paper.run_aspects(arguments, scored), arguments)
    to_stdout = to_standard_output(arguments.form, {"--per-pair": arguments.per_pair})
    result = scored(arguments.pred, arguments.gold)
    if arguments.per_pair is not None:
        write_lines(headline_lines(result), arguments.per_pair)
    if arguments.plot is not None:
        from fastmatch.plot.pages import write_aspects

        write_aspects(result, arguments.plot)
    if not (to_stdout and arguments.quiet):
        shown = with_worst(result.report(), result, arguments.worst)
        emit(shown, arguments.form, sys.stderr if to_stdout else sys.stdout)
    # an aspect that no graph has is neither good nor bad
    return _below({name: score for name, score in result.items() if score.n_macro or not len(score)}, arguments)
