"""``score`` and ``align``: from whatever holds graphs to a result.

:mod:`fastmatch.graphs.forms` makes corpora of what is given; here graphs are paired, and a metric scores them. The
results compute what they are asked for. Pairs are also shown in detail, as reports: which variables and triples match,
which node goes where, which features.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fastmatch.errors import OptionError, PairingError
from fastmatch.evaluation.checks import warn_odd_pairs
from fastmatch.evaluation.pairing import Rules, paired
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import Graphs, One, corpora_of, pair_ids
from fastmatch.metrics.base import Metric
from fastmatch.metrics.choosing import agreed_signature, chosen_metric
from fastmatch.metrics.run import run
from fastmatch.metrics.shared.foreign_vectors import warn_foreign_vectors
from fastmatch.metrics.shared.sentence_groups import warn_undivided
from fastmatch.report.model import Report, joined, under
from fastmatch.results.pairs import PairScores
from fastmatch.results.problems import problems_of
from fastmatch.results.scores import CorpusScore
from fastmatch.results.signature import Signature
from fastmatch.types import IntervalMethod, MetricName, OnErrorPaired, PairBy, Progress, Unpaired

if TYPE_CHECKING:
    from fastmatch.results.alignment import Alignment
    from fastmatch.results.flow import FlowAlignment

_INDEX_OF_ONE = np.zeros(1, np.int32)
_INDEX_OF_ONE.flags.writeable = False


def score(
    pred: Graphs,
    gold: Graphs,
    *,
    metric: MetricName | str | Metric = "smatch",
    preset: str | None = None,
    workers: int = 1,
    progress: Progress = None,
    on_error: OnErrorPaired = "raise",
    pair_by: PairBy = "position",
    unpaired: Unpaired = "raise",
    mapping: bool = False,
    bootstrap: int | None = None,
    confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca",
    bootstrap_seed: int = 0,
    **options: Any,
) -> CorpusScore:
    """Score predictions against gold graphs, pair by pair.

    Parameters
    ----------
    pred, gold : Corpus, or graphs in another form
        The first graph of ``pred`` is paired with the first of ``gold``, and so on. Each may be a corpus; a string (or
        its bytes in UTF-8) that holds any number of graphs; a sequence of strings with exactly one graph each; one
        ``Graph``, ``penman.Graph`` or directed graph of networkx, with ``label`` and ``role`` as
        :meth:`Corpus.from_networkx` expects them, or a sequence of these; a column of a data frame or an Arrow table; a
        path object (a file name in a string is taken for a graph); an open file of text or bytes, gzipped or not.
    metric : str or Metric
        Name of the metric, also with preset and options in one word (``"sembleu/tool,k=2"``), or one with its options
        set.
    preset : str, optional
        Options by name; ``preset="smatch"`` reproduces smatch 1.0.4, ``"smatch++"`` smatchpp 1.8.0.
    workers : int
        Threads, −1 for all CPUs this process may use. Results do not depend on it.
    progress : None, bool or callable
        True draws a bar on a terminal or in a notebook, elsewhere it writes a line each half minute to standard error;
        a callable gets (pairs done, pairs in all).
    on_error : {"raise", "empty", "repair"}
        What becomes of text that is no graph: an error; an empty graph, which is listed in ``problems``; or what
        :func:`fastmatch.repair` can make of it, whose rules are listed there, else an empty graph. A string
        in a sequence always stays paired with its partner. In one string with many graphs, and in a file, places may
        shift if the text is so broken that the graphs cannot be told apart.
    pair_by : {"position", "id"}
        What makes a pair: the same place, or the same ``# ::id``. Pairs by id come in the order of the gold graphs.
    unpaired : {"raise", "empty", "skip"}
        With ``pair_by="id"``, what becomes of an id that only one side has: an error that lists them; a pair with an
        empty graph, which is listed in ``problems`` (a gold graph without prediction scores 0; predictions without gold
        graph come last); or nothing, with a warning. A repeated id, and a graph without one, are errors.
    mapping : bool
        Keep the alignments: ``result.pairs.mapping_of(k)``.
    bootstrap : int, optional
        Resample the pairs so many times and give confidence intervals: ``result.intervals["f1"]``. 1,000 is a usual
        number.
    confidence : float
        How often such an interval should hold the true score, between 0 and 1.
    bootstrap_method : {"bca", "percentile"}
        Kind of interval; see :mod:`fastmatch.evaluation.bootstrap`.
    bootstrap_seed : int
        Seed of the resampling, ≥ 0.
    **options
        The metric's own: the fields of its class, such as :class:`fastmatch.metrics.smatch.Smatch`.

    Returns
    -------
    CorpusScore

    Raises
    ------
    PairingError
        If predictions and gold graphs differ in number, or cannot be paired by id.
    ReadError
        If text is no graph and ``on_error`` is ``"raise"``; its ``source`` says which: ``pred[3]`` is string 3 of
        ``pred``, counted from 0.
    OptionError
        If there is no such metric, preset or option, an option has no such value, or corpora were read with a dialect
        that does not fit the metric or each other.
    TypeError
        If an argument holds no graphs.

    Warns
    -----
    PairingWarning
        If there are no pairs, in which case every score is NaN; or if pairs do not look like pairs: ``::id`` or
        ``::snt`` differ, many graphs have concepts like those of graphs in other places, or only one side carries
        alignments (``~e.1``) or ``:wiki``.

    Notes
    -----
    What is given stays as it was: graphs are compared in a vocabulary that is made for the call, so a corpus that is
    scored against again and again does not grow.
    """
    rules = Rules("score", pair_by, unpaired, on_error).checked()
    chosen = chosen_metric(metric, preset, options)
    if bootstrap is not None:
        from fastmatch.evaluation import bootstrap as resampling

        how = resampling.checked(bootstrap, confidence, bootstrap_method, bootstrap_seed)
    pred_corpus, gold_corpus = corpora_of(pred, gold, chosen.dialect, on_error, workers=workers)
    unread = pred_corpus.problems or pred_corpus.repairs or gold_corpus.problems or gold_corpus.repairs
    told = on_error != "raise" or unread
    hint = "" if told else "; an unreadable graph keeps its place with on_error='empty'"
    pred_corpus, gold_corpus = paired(pred_corpus, gold_corpus, rules, hint=hint)
    warn_odd_pairs(pred_corpus, gold_corpus)
    result, signature = score_corpora(chosen, pred_corpus, gold_corpus, workers, progress, mapping)
    intervals = None if bootstrap is None else resampling.bootstrap(result, how, workers)
    problems, ids = problems_of(pred_corpus, gold_corpus), pair_ids(pred_corpus, gold_corpus)
    return CorpusScore(result, signature, problems, intervals, ids)


def align(
    pred: Corpus | One,
    gold: Corpus | One,
    *,
    metric: str | Metric = "smatch",
    preset: str | None = None,
    **options: Any,
) -> Alignment | FlowAlignment:
    """Align one prediction with one gold graph.

    Parameters
    ----------
    pred, gold : str, Graph, penman.Graph or Corpus
        One graph each.
    metric, preset, **options
        As for :func:`score`.

    Returns
    -------
    Alignment
        Which variable stands for which; the triples are compared when they are first asked for. Metrics by optimal
        transport (WWLK) give a :class:`~fastmatch.results.flow.FlowAlignment`: how much of a node goes to which nodes.

    Raises
    ------
    PairingError
        If ``pred`` or ``gold`` is not exactly one graph.
    OptionError
        As for :func:`score`, and if the metric makes no alignment.
    ReadError, TypeError
        As for :func:`score`.
    """
    chosen = chosen_metric(metric, preset, options)
    pred_corpus, gold_corpus = corpora_of(pred, gold, chosen.dialect, "raise", one=True)
    for argument, corpus in (("pred", pred_corpus), ("gold", gold_corpus)):
        if len(corpus) != 1:
            raise PairingError(f"align: expected one graph, {argument} has {len(corpus)}; choose one: {argument}[0]")
    flow = chosen.flow(pred_corpus, gold_corpus)
    if flow is not None:
        return flow
    result, signature = score_corpora(chosen, pred_corpus, gold_corpus, 1, None, True)
    if result.mapping is None:
        raise OptionError(f"align: metric {chosen.name!r} makes no alignment")

    from fastmatch.results.alignment import Alignment

    return Alignment(result, signature, chosen, chosen.standardized(pred_corpus), chosen.standardized(gold_corpus))


def score_known_pairs(
    metric: Metric, pred: Corpus, gold: Corpus, workers: int, prepared: tuple[Any, Any] | None = None
) -> CorpusScore:
    """As :func:`score`, of corpora of which the caller knows that graph k belongs to graph k: no warnings.

    Data sets of similar sentences pair graphs whose ``::snt`` differ on purpose. ``prepared``: as of
    :func:`score_corpora`, for corpora that share a vocabulary.
    """
    pred, gold = Corpus.together((pred, gold))
    made = score_corpora(metric, pred, gold, workers, None, False, prepared)
    return CorpusScore(*made, problems_of(pred, gold), ids=pair_ids(pred, gold))


def score_corpora(
    metric: Metric,
    pred: Corpus,
    gold: Corpus,
    workers: int,
    progress: Progress,
    mapping: bool,
    prepared: tuple[Any, Any] | None = None,
) -> tuple[PairScores, Signature]:
    """Score graph k of one corpus against graph k of the other.

    The corpora have as many graphs each, and share a vocabulary. ``prepared`` is what the metric prepares of both, if
    the caller has it already.
    """
    signature = agreed_signature(metric, pred, gold)
    warn_undivided(metric, pred, gold)
    warn_foreign_vectors(metric, pred, gold)
    index = _INDEX_OF_ONE if len(pred) == 1 else np.arange(len(pred), dtype=np.int32)
    both = prepared or (metric.prepare(pred), metric.prepare(gold))
    return run(metric, *both, index, index, workers=workers, progress=progress, mapping=mapping), signature


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
        from fastmatch.results.features import features_report

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
