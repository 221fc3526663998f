"""``ensemble``: from many graphs of each sentence to one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, Literal

import numpy as np

from fastmatch.ensembles import search
from fastmatch.ensembles.candidates import Candidates, of_sentences, of_systems
from fastmatch.ensembles.labels import GraphTriples, graph_triples, kept_metadata, label_list, written
from fastmatch.ensembles.result import Bounding, Ensemble
from fastmatch.errors import FastmatchError, OptionError, choice, warn_caller
from fastmatch.evaluation.pairing import Rules
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.dialects import DIALECTS
from fastmatch.graphs.graph import Graph
from fastmatch.graphs.notation import is_inverted
from fastmatch.graphs.reading import parse
from fastmatch.graphs.standardization.labels import writable
from fastmatch.graphs.standardization.texts import loose_text
from fastmatch.metrics.base import Metric
from fastmatch.metrics.choosing import agreed_signature, chosen_metric
from fastmatch.metrics.run import run
from fastmatch.metrics.s2match import S2match
from fastmatch.metrics.smatch import Smatch
from fastmatch.metrics.smatchpp import SmatchPlusPlus
from fastmatch.runtime.collecting import no_collection
from fastmatch.runtime.progress import Steps
from fastmatch.types import BoolArray, FloatArray, Int64Array, MetricName, OnErrorPaired, PairBy, Progress, Unpaired

Method = Literal["merge", "select", "vote", "graphene", "graphene-smatch"]

#: How one graph is made of many.
METHODS = ("merge", "select", "vote", "graphene", "graphene-smatch")


def ensemble(
    candidates: Sequence[Any],
    *,
    method: Method = "merge",
    metric: MetricName | str | Metric = "smatch",
    preset: str | None = None,
    weights: Sequence[Any] | None = None,
    by: Literal["system", "sentence"] = "system",
    names: Sequence[str] | None = None,
    pair_by: PairBy = "position",
    unpaired: Unpaired = "raise",
    on_error: OnErrorPaired = "raise",
    workers: int = 1,
    progress: Progress = None,
    **options: Any,
) -> Ensemble:
    """One graph for each sentence, of many: the one whose mean score against the candidates is best.

    Parameters
    ----------
    candidates : sequence
        Systems, each with one graph a sentence in any form that :func:`fastmatch.score` takes (three parsers, three
        annotators); with ``by="sentence"`` a list of graphs for each sentence, of any length (samples of a language
        model).
    method : {"merge", "select", "vote", "graphene", "graphene-smatch"}
        ``merge`` makes the graph, of triples of all candidates; ``select`` takes the best candidate. ``vote`` changes
        the first candidate by votes of all, ``graphene`` each, and takes the one with the most support (Hoang et al.
        2021), ``graphene-smatch`` the best of these and the candidates. Only ``select`` works with every metric; the
        others take ``smatch``, ``smatch++`` and ``s2match``.
    metric, preset, **options
        As for :func:`fastmatch.score`.
    weights : sequence, optional
        How much each system counts: numbers above 0; with ``by="sentence"``, a list for each sentence. By default all
        count equally.
    by : {"system", "sentence"}
        What the first list is a list of.
    names : sequence of str, optional
        Of the systems, for messages; A, B, … by default.
    pair_by, unpaired
        With ``by="system"``, as for :func:`fastmatch.score`; of an id that a system lacks, ``"empty"`` means that the
        system does not vote on it.
    on_error : {"raise", "empty", "repair"}
        What becomes of text that is no graph: an error; nothing, it does not vote; or what :func:`fastmatch.repair`
        makes of it, and nothing where that fails. What does not vote is listed in ``unreadable``.
    workers : int
        Threads, −1 for all CPUs this process may use. Results do not depend on it.
    progress : None, bool or callable
        As for :func:`fastmatch.score`. How many pairs of graphs there are to match shows as drafts are made, so the
        number in all grows.

    Returns
    -------
    Ensemble

    Raises
    ------
    OptionError
        If there is no candidate, an option has no such value, or the metric fits no such method.
    PairingError
        If systems differ in number of graphs, or cannot be paired by id.
    ReadError, TypeError
        As for :func:`fastmatch.score`.

    Warns
    -----
    FastmatchWarning
        If no sentence has more than two candidates that differ, and both count equally: ties go to the first.
    PairingWarning
        If systems do not look as if they had the same sentences.

    Notes
    -----
    The graph of ``merge`` is connected, has a root and one concept a node, and its mean score is never below that of
    the best candidate of which this is true. How it is found is told in docs/ensembles.md.

    Examples
    --------
    >>> import fastmatch as fm
    >>> sung = ["(s / sing-01 :ARG0 (b / bird))", "(h / hum-02 :ARG0 (b / bird))", "(s / sing-01 :ARG0 (c / cat))"]
    >>> fm.ensemble(sung).graphs[0].encode(None)
    '(s / sing-01 :ARG0 (b / bird))'
    """
    choice("method", method, METHODS)
    choice("by", by, ("system", "sentence"))
    rules = Rules("ensemble", pair_by, unpaired, on_error, workers).checked()
    chosen = chosen_metric(metric, preset, options)
    if method != "select":
        check_method(chosen, method)
    if by == "system":
        found = of_systems(candidates, weights, names, chosen, rules)
    else:
        if pair_by != "position" or names is not None:
            raise OptionError("by='sentence': candidates of a sentence have no systems to name or to pair")
        found = of_sentences(candidates, weights, chosen, on_error)
    _warn_two(found.distinct()[1])
    # drafts are many lists of tuples, and in no circle
    with no_collection(), Steps(progress, 0) as report:
        return combined(found, chosen, method, workers, report)


def combined(found: Candidates, metric: Metric, method: str, workers: int, report: Steps) -> Ensemble:
    """The ensemble of candidates that were read."""
    signature = agreed_signature(metric, found.corpus, found.corpus)
    groups, weights = found.distinct()
    space = _space(metric, found.corpus, groups, workers, report) if _matches_triples(metric) else None
    prepared = metric.prepare(found.corpus) if space is None else space.prepared
    picked = [-1] * len(groups)
    scored: dict[tuple[int, int], tuple[float, bool]] = {}  # pairs of candidates
    made: dict[int, GraphTriples] = {}
    floor: dict[int, float] = {}  # the score of the candidate that stands in for a graph that cannot be kept
    visits = np.zeros(len(groups), np.int64)
    maps: dict[int, tuple[list[list[int]], list[list[int]] | None]] = {}  # to that candidate, and to the graph
    if method == "select" or space is None:
        picked, scored = _selected(metric, prepared, groups, weights, workers, report)
    else:
        voting = [k for k, group in enumerate(groups) if group]
        sentences = search.pairs_of(space, [groups[k] for k in voting], [weights[k] for k in voting])
        merging = search.best_merged if method == "merge" else partial(search.best_of_votes, method=method)
        for k, sentence, choice_of in zip(voting, sentences, merging(space, sentences), strict=True):
            picked[k] = groups[k][choice_of.candidate]
            maps[k] = sentence.maps_to(choice_of.candidate), choice_of.maps
            if choice_of.graph is not None:
                made[k], floor[k] = choice_of.graph, choice_of.floor
        visits[voting] = search.limited(metric, space.visits[: len(voting)])[1].work  # 0 where enough is left
    while True:
        graphs, sources = _graphs(found, picked, made, getattr(metric, "standard", "default") != "default")
        scorer = metric
        if space is not None and visits.any():  # what the search has taken, its last pairs do without
            scorer, shared = search.limited(metric, np.repeat(visits, list(map(len, groups))))
            for number, (k, j) in enumerate((k, j) for k, group in enumerate(groups) for j in range(len(group))):
                if shared.work[number] and (best := maps[k][k in made]):
                    n_nodes = made[k].n_nodes if k in made else space.triples[picked[k]].n_nodes
                    shared.maps[number] = np.array(search.turned(best[j], n_nodes), np.int32)
        known = {(k, b): scored[a, b] for k, a in enumerate(picked) for b in groups[k] if (a, b) in scored}
        scores, certified, own = _measured(scorer, graphs, prepared, groups, weights, known, workers, report)
        # what is standardised again as it is scored need not have the score of the draft
        worse = [k for k in made if scores[k] <= floor[k] + search.LEAST]
        if not worse:
            break
        for k in worse:
            del made[k]
    bounds = [
        _counted(space, group, own) if space is not None and group else None
        for group, own in zip(groups, weights, strict=True)
    ]
    candidate_scores = []
    for k, (places, firsts) in enumerate(zip(found.places, found.firsts, strict=True)):
        values = np.full(found.counts[k], np.nan)
        at = dict(zip(groups[k], own[k], strict=True))
        values[places] = [at[first] for first in firsts]
        candidate_scores.append(values)
    return Ensemble(graphs, scores, bounds, certified, sources, candidate_scores, method, signature, metric, found)


def _matches_triples(metric: Metric) -> bool:
    """Whether a mean score is linear in the triples of a graph, so that votes say what a triple brings."""
    if type(metric) in (Smatch, SmatchPlusPlus):
        plain = metric.standard in ("default", "smatch++", "smatch++/reify", "generic")  # type: ignore[attr-defined]
        once = metric.duplicates == "once" and not metric.compress  # type: ignore[attr-defined]
        return plain and once and metric.triples == "all" and metric.within == "document"  # type: ignore[attr-defined]
    return type(metric) is S2match and metric.standard == "default" and metric.within == "document"


def check_method(metric: Metric, method: str) -> None:
    """Raise :class:`~fastmatch.OptionError` if graphs cannot be merged by this metric."""
    if not _matches_triples(metric):
        raise OptionError(
            f"method={method!r} works with smatch, smatch++ and s2match that count a repeated triple once and all "
            f"triples of a graph; for {metric.name} as it is here, method='select' takes the best candidate"
        )


def _warn_two(weights: Sequence[Sequence[float]]) -> None:
    """Say once that two candidates that count equally cannot be told apart."""
    many = [own for own in weights if len(own) > 1]
    if many and all(len(own) == 2 and own[0] == own[1] for own in many):
        warn_caller(
            "ensemble: of two candidates that count equally each is as near to the other, so ties go to the first "
            "(weights= tells which of them counts more)"
        )


def _space(metric: Any, corpus: Corpus, groups: Sequence[Sequence[int]], workers: int, report: Steps) -> search.Space:
    """The candidates as the metric takes them, for the search."""
    graphs = metric.standardized(corpus)
    prepared = search.prepared_standard(metric, graphs)
    triples = graph_triples(graphs, metric.labels(graphs))
    similar = _similar(metric, prepared, groups) if isinstance(metric, S2match) else None
    sizes = metric.sizes(prepared).tolist()
    visits = np.zeros(len(groups), np.int64)
    return search.Space(
        metric, prepared, triples, sizes, graphs.vocabulary, graphs.dialect, similar, workers, report, visits
    )


def _selected(
    metric: Metric,
    prepared: Any,
    groups: Sequence[Sequence[int]],
    weights: Sequence[Sequence[float]],
    workers: int,
    report: Steps,
) -> tuple[list[int], dict[tuple[int, int], tuple[float, bool]]]:
    """The candidate of each sentence with the best mean score, the first of equal ones; −1 where there is none.

    Besides, the score of each pair of candidates that was matched, and whether it is proven.
    """
    pairs = [(a, b) for group in groups for a in group for b in group if a <= b or not metric.symmetric]
    index = np.array(pairs, np.int32).reshape(-1, 2).T.copy()
    found = run(metric, prepared, prepared, *index, workers=workers, progress=report.more(len(pairs)))
    score = dict(zip(pairs, found.score.tolist(), strict=True))
    picked = []
    for group, own in zip(groups, weights, strict=True):
        best, best_mean = -1, -np.inf
        for a in group:
            values = (score[(a, b) if a <= b or not metric.symmetric else (b, a)] for b in group)
            mean = sum(weight * value for weight, value in zip(own, values, strict=True))
            if mean > best_mean + search.LEAST:
                best, best_mean = a, mean
        picked.append(best)
    return picked, dict(zip(pairs, zip(found.score.tolist(), found.certified.tolist(), strict=True), strict=True))


def _graphs(
    found: Candidates, picked: Sequence[int], made: dict[int, GraphTriples], rewritten: bool
) -> tuple[Corpus, Int64Array]:
    """The graphs of all sentences, and which candidate each of them is; those that cannot be written leave ``made``."""
    corpus = found.corpus
    comments = [kept_metadata(corpus.metadata(found.graphs[k][0])) for k in made]
    new = dict(zip(made, _written(list(made.values()), corpus, comments, rewritten), strict=True))
    rows = []
    added: list[Graph] = []
    sources = np.full(len(picked), -1, np.int64)
    nothing = Graph(None, [], [], [], {}, "", corpus.dialect)
    for k, number in enumerate(picked):
        graph = new.get(k)
        if graph is None:
            made.pop(k, None)
            if number >= 0:
                sources[k] = found.places[k][found.firsts[k].index(number)]
            else:
                number = found.spare[k]
            if number < 0:
                graph = nothing
        if graph is not None:
            number = len(corpus) + len(added)
            added.append(graph)
        rows.append(number)
    if not added:
        graphs = corpus[rows]
    else:
        graphs = Corpus.from_graphs(added, vocabulary=corpus.vocabulary, dialect=corpus.dialect)
        if len(added) < len(rows):
            graphs = Corpus.concatenate([corpus, graphs])[rows]
    return graphs.with_columns(source="<ensemble>"), sources


def _written(
    drafts: Sequence[GraphTriples], corpus: Corpus, comments: Sequence[str], rewritten: bool
) -> list[Graph | None]:
    """Drafts as graphs; None for one that no text holds."""
    graphs = []
    for draft, lines in zip(drafts, comments, strict=True):
        top, triples = written(draft, corpus.vocabulary)
        graph = Graph.from_triples(triples, top, rooted=top is not None)
        graphs.append(Graph(graph.top, graph.variables, graph.triples, graph._kinds, {}, lines, corpus.dialect))
    if rewritten:  # a standardisation has taken quotes off, which text may need
        graphs = list(writable(Corpus.from_graphs(graphs, vocabulary=corpus.vocabulary, dialect=corpus.dialect)))
    return [_as_read(graph) for graph in graphs]


def _as_read(graph: Graph) -> Graph | None:
    """The graph as its text is read: the same one, unless a role can only be turned around by another name."""
    roles = {role for _, role, _ in graph.relations}
    if DIALECTS[graph.dialect].turns and all(is_inverted(f"{role}-of") and not is_inverted(role) for role in roles):
        return graph  # every relation can be written at either end
    with suppress(FastmatchError):
        graph.encode(None)
        return graph
    with suppress(FastmatchError):
        return parse([loose_text(graph)], dialect=graph.dialect)[0]
    return None


def _measured(
    metric: Metric,
    graphs: Corpus,
    prepared: Any,
    groups: Sequence[Sequence[int]],
    weights: Sequence[Sequence[float]],
    known: dict[tuple[int, int], tuple[float, bool]],
    workers: int,
    report: Steps,
) -> tuple[FloatArray, BoolArray, list[list[float]]]:
    """Mean score of each graph, whether it is proven, and its score against each distinct candidate.

    ``known``: of a graph and a candidate what need not be matched.
    """
    pairs = [(k, number) for k, group in enumerate(groups) for number in group]
    left = [pair for pair in pairs if pair not in known]
    index = np.array(left, np.int32).reshape(-1, 2).T.copy()
    told = report.more(len(left))
    found = run(metric, metric.prepare(graphs), prepared, *index, workers=workers, progress=told)
    rows = known | dict(zip(left, zip(found.score.tolist(), found.certified.tolist(), strict=True), strict=True))
    values, proven = (iter(column) for column in zip(*map(rows.__getitem__, pairs), strict=True)) if pairs else ([], [])
    own = [list(islice(values, len(group))) for group in groups]
    certified = np.array([all(list(islice(proven, len(group)))) for group in groups], np.bool_)
    scores = [
        sum(weight * value for weight, value in zip(shares, row, strict=True)) if row else np.nan
        for shares, row in zip(weights, own, strict=True)
    ]
    return np.array(scores, np.float64), certified, own


def _counted(space: search.Space, group: Sequence[int], weights: list[float]) -> Bounding:
    """What bounds the score of a sentence."""
    any_concept = space.similar is not None  # the concepts of no candidate may be similar to many
    labels = [np.array(label_list(space.triples[g], space.metric.top, any_concept), np.int64) for g in group]
    return Bounding(labels, weights, [space.sizes[g] for g in group])


def _similar(metric: S2match, prepared: Any, groups: Sequence[Sequence[int]]) -> dict[tuple[int, int], float]:
    """The similarities of concepts of one sentence that differ and are similar, by their labels."""
    pairs = [(a, b) for group in groups for a in group for b in group]
    links = metric.links(prepared, prepared, *np.array(pairs, np.int32).reshape(-1, 2).T.copy())
    labels = prepared.labels
    keys = (labels[concepts].tolist() for concepts in links.arrays[:2])
    return dict(zip(zip(*keys, strict=True), links.arrays[2].tolist(), strict=True))
