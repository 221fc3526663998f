"""What is printed for people and is no report: two graphs beside each other, the demo."""

from __future__ import annotations

import sys
from typing import TextIO

from fastmatch.evaluation.scoring import heading, pair_report
from fastmatch.graphs.corpus import Corpus
from fastmatch.metrics.base import Metric
from fastmatch.metrics.registry import make
from fastmatch.report.cells import count, points
from fastmatch.report.model import emit
from fastmatch.report.tables import print_table
from fastmatch.results.alignment import Alignment
from fastmatch.results.scores import CorpusScore
from fastmatch.runtime.streams import say


def print_alignment_sides(
    alignment: Alignment,
    metric: Metric,
    pred: Corpus,
    gold: Corpus,
    width: int,
    file: TextIO | None = None,
    *,
    number: int | None = None,
) -> None:
    """Both graphs beside each other as text, as :mod:`fastmatch.pages.sides` says; then the score and the signature.

    Parameters
    ----------
    alignment : Alignment
        Of these graphs.
    metric : Metric
        The metric that aligned them.
    pred, gold : Corpus
        One graph each.
    width : int
        Columns of the terminal.
    number : int, optional
        Of the pair, if it is one of several.
    """
    from fastmatch.pages.evidence import alignment_evidence, graph_record
    from fastmatch.pages.sides import print_sides

    file = file or sys.stdout
    above = heading(pred, gold, number)
    if above:
        say(above, file)
    records = graph_record(metric.standardized(pred), 0), graph_record(metric.standardized(gold), 0)
    print_sides(*records, alignment_evidence(alignment, metric, *records), width, file)
    say(f"\n{alignment.in_words()}\nsignature: {alignment.signature}", file)


def print_demo(result: CorpusScore, pred: Corpus, gold: Corpus, files: tuple[str, str]) -> None:
    """The report of the sample corpus, its worst pairs, one alignment in full, and what to type next."""
    print("The sample corpus: 40 sentences, a gold graph and a parser's output for each.\n")
    emit(result.report())

    worst = [pair.index for pair in result.worst(5)]
    rows = [
        (
            str(index),
            points(result.pairs.f1[index]),
            f"{result.pairs.matched[index]}/{result.pairs.n_pred[index]}/{result.pairs.n_gold[index]}",
            gold[index].metadata.get("snt", ""),
        )
        for index in worst
    ]
    perfect = int((result.pairs.f1 == 1).sum())
    print(f"\n{count(perfect, 'pair')} perfect; the lowest F1:\n")
    print_table(("pair", "F1", "matched/pred/gold", "sentence"), rows, sys.stdout)

    example = 7  # small, and shows every mark
    print(f"\nPair {example}, aligned (= equal, ~ other concept, - only predicted, + only gold):\n")
    emit(pair_report(make("smatch"), pred[example : example + 1], gold[example : example + 1]))
    names = " ".join(f"'{name}'" if " " in name else name for name in files)
    say(f"\nThe same again:\n  fastmatch score {names}\n  fastmatch align {names} --index {example}", sys.stdout)
