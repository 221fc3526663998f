"""What ``score`` and its relatives are given: whatever holds graphs becomes corpora, the name of a metric a metric.

``pred`` and ``gold`` are the two arguments of a comparison. Where a function treats both alike, its parameter
``argument`` is what errors call the one at hand.

Two short strings are scored in some 100 µs, so everything on their way is looked up once: metrics by
:func:`fastmatch.metrics.registry.make`, which keeps the last few, and options that were checked there are not checked
again.
"""

from __future__ import annotations

import sys
from os import PathLike
from typing import TYPE_CHECKING, Any

from fastmatch.errors import OptionError, ReadError
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.reading import parse, read
from fastmatch.metrics.base import Metric
from fastmatch.metrics.registry import make

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    import penman

    from fastmatch.graphs.graph import Graph
    from fastmatch.graphs.vocabulary import Vocabulary
    from fastmatch.results.signature import Signature
    from fastmatch.types import Dialect, OnErrorPaired

    One: TypeAlias = str | Graph | penman.Graph
    Graphs: TypeAlias = Corpus | One | Sequence[str] | Sequence[Graph] | Sequence[penman.Graph] | PathLike[str]

__all__ = ["agreed_signature", "chosen_metric", "corpora_of", "corpus_of", "of_objects", "parsed", "problems_of"]

_EXPECTED = "expected a Corpus, Penman text, a Graph, a penman.Graph or a sequence of these"


def chosen_metric(metric: str | Metric, preset: str | None, options: dict[str, Any]) -> Metric:
    """The metric of that name with these options, or the one that was made already.

    Raises
    ------
    OptionError
        If there is no such metric, preset or option, or options are given besides a metric that was made.
    TypeError
        If ``metric`` is neither.
    """
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


def agreed_signature(metric: Metric, pred: Corpus, gold: Corpus) -> Signature:
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


def corpora_of(
    pred: Graphs, gold: Graphs, metric: Metric, on_error: OnErrorPaired, *, one: bool = False
) -> tuple[Corpus, Corpus]:
    """Predictions and gold graphs as corpora that share a vocabulary; see :func:`corpus_of`."""
    if isinstance(gold, Corpus) and not isinstance(pred, Corpus):
        gold_corpus = gold
        pred_corpus = corpus_of("pred", pred, gold.vocabulary, metric, on_error, one=one)
    else:
        pred_corpus = corpus_of("pred", pred, None, metric, on_error, one=one)
        gold_corpus = corpus_of("gold", gold, pred_corpus.vocabulary, metric, on_error, one=one)
    if gold_corpus.vocabulary is not pred_corpus.vocabulary:
        gold_corpus = gold_corpus.remap(pred_corpus.vocabulary)
    return pred_corpus, gold_corpus


def corpus_of(
    argument: str,
    graphs: Graphs,
    vocabulary: Vocabulary | None,
    metric: Metric,
    on_error: OnErrorPaired,
    *,
    one: bool = False,
) -> Corpus:
    """The graphs of one argument as a corpus; text is read with the metric's dialect.

    Parameters
    ----------
    argument : str
        What errors call it: ``"pred"``, ``"gold"``, the letter of a system.
    graphs : Graphs
        As :func:`fastmatch.score` takes them.
    vocabulary : Vocabulary or None
        Gets the strings; a corpus that has another keeps its own.
    metric : Metric
    on_error : {"raise", "empty"}
        What becomes of text that is no graph.
    one : bool
        A string is one graph; whatever else is in it is an error.

    Raises
    ------
    ReadError
        If text is no graph and ``on_error`` is ``"raise"``.
    TypeError
        If ``graphs`` holds no graphs.
    """
    dialect = metric.dialect
    if isinstance(graphs, str):
        return parsed(argument, graphs, dialect, on_error, vocabulary, one)
    if isinstance(graphs, Corpus):
        return graphs
    if isinstance(graphs, PathLike):
        return read(graphs, dialect=dialect, on_error=on_error, vocabulary=vocabulary)
    from fastmatch.graphs.graph import Graph

    given: Any = graphs
    graph_type = _penman_graph()
    kinds = (Graph, graph_type) if graph_type is not None else (Graph,)
    if isinstance(given, kinds):
        given = [given]
    elif isinstance(given, bytes) or not hasattr(given, "__iter__"):
        raise TypeError(f"{argument}: {_EXPECTED}, not {type(given).__name__}")
    given = list(given)
    odd: Any = next((k for k, graph in enumerate(given) if not isinstance(graph, (str, *kinds))), None)
    if odd is not None:
        raise TypeError(f"{argument}[{odd}]: {_EXPECTED}, not {type(given[odd]).__name__}")
    if all(isinstance(graph, str) for graph in given):
        return parsed(argument, given, dialect, on_error, vocabulary)
    if any(isinstance(graph, str) for graph in given):
        raise TypeError(f"{argument}: strings and graph objects do not mix in one sequence")
    return of_objects(argument, given, dialect, vocabulary)


def _penman_graph() -> type | None:
    """``penman.Graph`` if penman is imported; without that there can be no object of it."""
    module = sys.modules.get("penman.graph")
    return getattr(module, "Graph", None)


def of_objects(argument: str, graphs: Sequence[Any], dialect: Dialect, vocabulary: Vocabulary | None) -> Corpus:
    """A sequence of ``Graph`` and ``penman.Graph`` as a corpus of this dialect."""
    from fastmatch.graphs.graph import Graph

    made = [graph if isinstance(graph, Graph) else Graph.from_penman(graph) for graph in graphs]
    if dialect != "penman" and any(graph.dialect != dialect for graph in made):
        # what the tools read is text, and their quirks lie in the reading
        return parsed(argument, [graph.encode() for graph in made], dialect, "raise", vocabulary)
    return Corpus.from_graphs(made, vocabulary=vocabulary, source=argument, dialect=None if made else dialect)


def parsed(
    argument: str,
    text: str | Iterable[str],
    dialect: Dialect,
    on_error: OnErrorPaired,
    vocabulary: Vocabulary | None,
    one: bool = False,
) -> Corpus:
    """As :func:`fastmatch.parse`; errors name the argument. ``one``: a string is one graph, not any number."""
    try:
        # one graph: parse says what is wrong with a string of a list that holds none or several
        return parse(
            [text] if one and isinstance(text, str) else text, dialect=dialect, on_error=on_error, vocabulary=vocabulary
        )
    except ReadError as error:
        raise _named(error, argument, one) from None


def _named(error: ReadError, argument: str, one: bool) -> ReadError:
    """The same error, whose source is ``pred[3]`` instead of ``<string 3>``, or ``pred`` instead of ``<string>``."""
    number = error.source.strip("<>").removeprefix("string").strip()
    source = f"{argument}[{number}]" if number and not one else argument
    error.args = (str(error).replace(error.source, source, 1),)
    error.source = source
    return error


def problems_of(pred: Corpus, gold: Corpus) -> tuple[tuple[str, int, str], ...]:
    """The graphs that could not be read and count as empty: ``"pred"`` or ``"gold"``, number of the pair, message."""
    return (*(("pred", *problem) for problem in pred.problems), *(("gold", *problem) for problem in gold.problems))
