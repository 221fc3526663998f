"""Pairs of graphs in detail, as reports: which variables and triples match, which node goes where, which features."""

from __future__ import annotations

from collections.abc import Sequence

from fastmatch.evaluation.scoring import align, score_known_pairs
from fastmatch.graphs.corpus import Corpus
from fastmatch.metrics.base import Metric
from fastmatch.report.model import Report, joined, under
from fastmatch.results.features import features_report


def pair_report(metric: Metric, pred: Corpus, gold: Corpus, *, number: int | None = None) -> Report:
    """What became of one prediction and its gold graph.

    Parameters
    ----------
    metric : Metric
        One that aligns graphs or names their features.
    pred, gold : Corpus
        One graph each.
    number : int, optional
        Of the pair, if it is one of several.
    """
    if metric.aligns is None:
        report = features_report(score_known_pairs(metric, pred, gold, 1), metric.named_features(pred, gold, 0, 0))
    else:
        report = align(pred, gold, metric=metric).report()
    ids = {"pred_id": pred.ids[0], "gold_id": gold.ids[0]}
    columns, data = (*ids, *report.columns), [(*ids.values(), *row) for row in report.data]
    report = report._replace(columns=columns, data=data, record={**ids, **report.record})
    return under(heading(pred, gold, number), report)


def pairs_report(metric: Metric, pred: Corpus, gold: Corpus, numbers: Sequence[int]) -> Report:
    """The same of several pairs, which keep their numbers."""
    if not len(numbers):
        return Report("fastmatch align", [], ("index",), [], [])
    return joined([({"index": k}, pair_report(metric, pred[k : k + 1], gold[k : k + 1], number=k)) for k in numbers])


def heading(pred: Corpus, gold: Corpus, number: int | None = None) -> str:
    """The number and the id of a pair, and what its graphs mean, as lines with an empty one behind."""
    lines = []
    if number is not None:
        lines.append(f"pair {number}{f', {gold.ids[0]}' if gold.ids[0] else ''}")
    sentence, gold_sentence = (corpus.metadata(0).get("snt", "") for corpus in (pred, gold))
    if sentence and sentence == gold_sentence:
        lines.append(sentence)
    elif sentence or gold_sentence:
        lines += [f"prediction: {sentence or '?'}", f"gold: {gold_sentence or '?'}"]
    return "\n".join([*lines, ""]) if lines else ""
