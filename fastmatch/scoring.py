"""``score`` and ``align``: from whatever holds graphs to a result.

This module reads, pairs and hands over; it knows no metric by name. A pair of two short strings takes about 100 µs
altogether, so everything on its way is looked up once: metrics by :func:`fastmatch.metrics.base.make`, which keeps the
last few, options that were checked there are not checked again, and results compute what they are asked for.
"""

from __future__ import annotations

import sys
from os import PathLike
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from fastmatch import pairs as _pairs
from fastmatch.corpus import Corpus
from fastmatch.errors import OptionError, PairingError, ReadError
from fastmatch.graph import Graph
from fastmatch.metrics.base import Metric, choice, make
from fastmatch.reading import parse, read
from fastmatch.results import Alignment, CorpusScore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Literal, TypeAlias

    import penman

    from fastmatch.flows import FlowAlignment
    from fastmatch.results import PairScores
    from fastmatch.signature import Signature
    from fastmatch.types import Dialect
    from fastmatch.vocabulary import Vocabulary

    One: TypeAlias = str | Graph | penman.Graph
    Graphs: TypeAlias = Corpus | One | Sequence[str] | Sequence[Graph] | Sequence[penman.Graph] | PathLike[str]
    Progress: TypeAlias = bool | Callable[[int, int], object] | None

__all__ = ["align", "score"]

_INDEX_OF_ONE = np.zeros(1, np.int32)
_INDEX_OF_ONE.flags.writeable = False


def score(
    pred: Graphs,
    gold: Graphs,
    *,
    metric: str | Metric = "smatch",
    preset: str | None = None,
    workers: int = 1,
    progress: Progress = None,
    on_error: str = "raise",
    mapping: bool = False,
    bootstrap: int | None = None,
    confidence: float = 0.95,
    bootstrap_method: str = "bca",
    bootstrap_seed: int = 0,
    **options: Any,
) -> CorpusScore:
    """Score predictions against gold graphs, pair by pair.

    Parameters
    ----------
    pred, gold : Corpus, or graphs in another form
        The first graph of ``pred`` is paired with the first of ``gold``, and so on. Besides a corpus: a string that
        holds any number of graphs; a sequence of strings with exactly one graph each; one ``Graph`` or
        ``penman.Graph``, or a sequence of them; a path object (a file name in a string is taken for a graph).
    metric : str or Metric
        Name of the metric, or one with its options set.
    preset : str, optional
        Options by name; ``preset="smatch"`` reproduces smatch 1.0.4, ``"smatch++"`` smatchpp 1.8.0.
    workers : int
        Threads, −1 for all CPUs this process may use. Results do not depend on it.
    progress : None, bool or callable
        True draws a bar on a terminal; a callable gets (pairs done, pairs in all).
    on_error : {"raise", "empty"}
        What becomes of text that is no graph: an error, or an empty graph, which is counted in ``problems``. A string
        in a sequence always stays paired with its partner; in one string with many graphs the places may shift if the
        text is so broken that the graphs cannot be told apart.
    mapping : bool
        Keep the alignments: ``result.pairs.mapping_of(k)``.
    bootstrap : int, optional
        Resample the pairs so many times and give confidence intervals: ``result.intervals["f1"]``. 1,000 is a usual
        number.
    confidence : float
        Of these intervals, between 0 and 1.
    bootstrap_method : {"bca", "percentile"}
        Kind of interval; see :mod:`fastmatch.resampling`.
    bootstrap_seed : int
        Of the resampling, ≥ 0.
    **options
        The metric's own. Smatch: ``solver="exact" | "climb" | "ilp"``, ``top="constant" | "concept" | "none"``,
        ``duplicates="once" | "bag" | "multiply"``, ``triples="all" | "instance" | "attribute" | "relation"``,
        ``restarts=4`` and ``seed=0`` for ``climb``, ``time_limit=None`` (seconds per pair), ``compress=False``.

    Returns
    -------
    CorpusScore

    Raises
    ------
    PairingError
        If the two sides differ in length.
    ReadError
        If text is no graph and ``on_error`` is ``"raise"``; the source says which: ``pred[3]`` is string 3 of ``pred``.
    OptionError
        If there is no such metric, preset or option, an option has no such value, or corpora were read with a dialect
        that does not fit the metric or each other.
    TypeError
        If an argument holds no graphs.

    Notes
    -----
    Graphs that share no vocabulary yet are put into one: strings of ``gold`` (or of ``pred``, if that was not a corpus)
    are added to the other side's vocabulary, which only grows.
    """
    if on_error != "raise":
        choice("on_error", on_error, ("raise", "empty"))
    chosen = _metric(metric, preset, options)
    if bootstrap is not None:
        from fastmatch import resampling

        resampling.check(bootstrap, confidence, bootstrap_method, bootstrap_seed)
    pred_corpus, gold_corpus = _both(pred, gold, chosen, on_error, one=False)
    if len(pred_corpus) != len(gold_corpus):
        hint = "" if on_error == "empty" else "; an unreadable graph keeps its place with on_error='empty'"
        raise PairingError(f"score: {len(pred_corpus)} predictions but {len(gold_corpus)} gold graphs{hint}")
    result, signature = _run(chosen, pred_corpus, gold_corpus, workers, progress, mapping)
    if not pred_corpus.problems and not gold_corpus.problems and bootstrap is None:
        return CorpusScore(result, signature)
    problems = [("pred", *problem) for problem in pred_corpus.problems]
    problems += [("gold", *problem) for problem in gold_corpus.problems]
    intervals = None
    if bootstrap is not None:
        intervals = resampling.bootstrap(
            result,
            resamples=bootstrap,
            confidence=confidence,
            method=bootstrap_method,
            seed=bootstrap_seed,
            workers=workers,
        )
    return CorpusScore(result, signature, tuple(problems), intervals)


@overload
def align(
    pred: Corpus | One,
    gold: Corpus | One,
    *,
    metric: Literal["wwlk"],
    preset: str | None = None,
    **options: Any,
) -> FlowAlignment: ...
@overload
def align(
    pred: Corpus | One,
    gold: Corpus | One,
    *,
    metric: str | Metric = "smatch",
    preset: str | None = None,
    **options: Any,
) -> Alignment: ...
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
        Which variable stands for which; the triples are compared when they are first asked for. Of metrics that align
        by flow (WWLK): a :class:`~fastmatch.flows.FlowAlignment`, which parts of a node stand for which nodes.

    Raises
    ------
    PairingError
        If a side is not exactly one graph.
    ReadError, OptionError, TypeError
        As for :func:`score`.
    """
    chosen = _metric(metric, preset, options)
    pred_corpus, gold_corpus = _both(pred, gold, chosen, "raise", one=True)
    for side, corpus in (("pred", pred_corpus), ("gold", gold_corpus)):
        if len(corpus) != 1:
            raise PairingError(f"align: expected one graph, {side} has {len(corpus)}; choose one: {side}[0]")
    flow = chosen.flow(pred_corpus, gold_corpus)
    if flow is not None:
        return flow
    result, signature = _run(chosen, pred_corpus, gold_corpus, 1, None, True)
    if result.mapping is None:
        raise OptionError(f"align: metric {chosen.name!r} makes no alignment")
    return Alignment(result, signature, chosen, chosen.standardized(pred_corpus), chosen.standardized(gold_corpus))


def _metric(metric: str | Metric, preset: str | None, options: dict[str, Any]) -> Metric:
    if isinstance(metric, str):
        try:
            return make(metric, preset, **options)
        except TypeError:  # an option that cannot be hashed cannot be looked up; it is no right value of any either
            return make.__wrapped__(metric, preset, **options)
    if not isinstance(metric, Metric):
        raise TypeError(f"metric: expected the name of a metric or a Metric, not {type(metric).__name__}")
    if preset is not None or options:
        given = ", ".join(repr(name) for name in (["preset"] if preset is not None else []) + list(options))
        raise OptionError(f"metric is made already: {given} cannot be given besides")
    return metric


def _run(
    metric: Metric, pred: Corpus, gold: Corpus, workers: int, progress: Progress, mapping: bool
) -> tuple[PairScores, Signature]:
    signature = _agreed(metric, pred, gold)
    index = _INDEX_OF_ONE if len(pred) == 1 else np.arange(len(pred), dtype=np.int32)
    result = _pairs.run(
        metric,
        metric.prepare(pred),
        metric.prepare(gold),
        index,
        index,
        workers=workers,
        progress=progress,
        mapping=mapping,
    )
    return result, signature


def _agreed(metric: Metric, pred: Corpus, gold: Corpus) -> Signature:
    """Signature of scores of these corpora.

    Raises
    ------
    OptionError
        If they were read in a way that does not fit the metric or each other.
    """
    dialect = pred.dialect
    metric.check(dialect)
    if dialect != gold.dialect:
        metric.check(gold.dialect)
        raise OptionError(f"pred was read with dialect={dialect!r}, gold with {gold.dialect!r}: read both alike")
    return metric.signature(dialect)


def _both(pred: Graphs, gold: Graphs, metric: Metric, on_error: str, one: bool) -> tuple[Corpus, Corpus]:
    """Both sides as corpora that share a vocabulary."""
    if isinstance(gold, Corpus) and not isinstance(pred, Corpus):
        gold_corpus = gold
        pred_corpus = _corpus("pred", pred, gold.vocabulary, metric, on_error, one)
    else:
        pred_corpus = _corpus("pred", pred, None, metric, on_error, one)
        gold_corpus = _corpus("gold", gold, pred_corpus.vocabulary, metric, on_error, one)
    if gold_corpus.vocabulary is not pred_corpus.vocabulary:
        gold_corpus = gold_corpus.remap(pred_corpus.vocabulary)
    return pred_corpus, gold_corpus


def _corpus(side: str, graphs: Any, vocabulary: Vocabulary | None, metric: Metric, on_error: str, one: bool) -> Corpus:
    """The graphs of one side; text is read with the metric's dialect."""
    dialect = metric.dialect
    if isinstance(graphs, str):
        return _parse(side, graphs, dialect, on_error, vocabulary, one)
    if isinstance(graphs, Corpus):
        return graphs
    if isinstance(graphs, PathLike):
        return read(graphs, dialect=dialect, on_error=on_error, vocabulary=vocabulary)  # type: ignore[arg-type]
    graph_type = _penman_graph()
    kinds = (Graph, graph_type) if graph_type is not None else (Graph,)
    if isinstance(graphs, kinds):
        graphs = [graphs]
    elif isinstance(graphs, bytes) or not hasattr(graphs, "__iter__"):
        raise TypeError(f"{side}: {_EXPECTED}, not {type(graphs).__name__}")
    graphs = list(graphs)
    odd: Any = next((k for k, graph in enumerate(graphs) if not isinstance(graph, (str, *kinds))), None)
    if odd is not None:
        raise TypeError(f"{side}[{odd}]: {_EXPECTED}, not {type(graphs[odd]).__name__}")
    if all(isinstance(graph, str) for graph in graphs):
        return _parse(side, graphs, dialect, on_error, vocabulary)
    if any(isinstance(graph, str) for graph in graphs):
        raise TypeError(f"{side}: strings and graph objects do not mix in one sequence")
    return _from_objects(side, graphs, dialect, vocabulary)


_EXPECTED = "expected a Corpus, Penman text, a Graph, a penman.Graph or a sequence of these"


def _penman_graph() -> type | None:
    """``penman.Graph`` if penman is imported; without that there can be no object of it."""
    module = sys.modules.get("penman.graph")
    return getattr(module, "Graph", None)


def _from_objects(side: str, graphs: list[Any], dialect: Dialect, vocabulary: Vocabulary | None) -> Corpus:
    made = [graph if isinstance(graph, Graph) else Graph.from_penman(graph) for graph in graphs]
    if dialect != "penman" and any(graph.dialect != dialect for graph in made):
        # what the tools read is text, and their quirks lie in the reading
        return _parse(side, [graph.encode() for graph in made], dialect, "raise", vocabulary)
    return Corpus.from_graphs(made, vocabulary=vocabulary, source=side, dialect=None if made else dialect)


def _parse(
    side: str,
    text: str | Iterable[str],
    dialect: Dialect,
    on_error: Any,
    vocabulary: Vocabulary | None,
    one: bool = False,
) -> Corpus:
    try:
        # one graph: parse says what is wrong with a string of a list that holds none or several
        return parse(
            [text] if one and isinstance(text, str) else text, dialect=dialect, on_error=on_error, vocabulary=vocabulary
        )
    except ReadError as error:
        raise _named(error, side, one) from None


def _named(error: ReadError, side: str, one: bool) -> ReadError:
    """The same error, whose source is ``pred[3]`` instead of ``<string 3>``, or ``pred`` instead of ``<string>``."""
    number = error.source.strip("<>").removeprefix("string").strip()
    source = f"{side}[{number}]" if number and not one else side
    error.args = (str(error).replace(error.source, source, 1),)
    error.source = source
    return error
