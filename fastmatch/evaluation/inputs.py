"""What ``score`` and its relatives are given: whatever holds graphs becomes corpora, the name of a metric a metric.

``pred`` and ``gold`` are the two arguments of a comparison. Where a function treats both alike, its parameter
``argument`` is what errors call the one at hand.

Two short strings are scored in some 100 µs, so everything on their way is looked up once: metrics by
:func:`fastmatch.metrics.registry.make`, which keeps the last few, and options that were checked there are not checked
again.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from os import PathLike
from typing import IO, TYPE_CHECKING, Any

from fastmatch.errors import FastmatchError, OptionError, ReadError
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.ids import PairIds
from fastmatch.graphs.lacking import no_text
from fastmatch.graphs.reading import parse, read
from fastmatch.metrics.base import Metric
from fastmatch.metrics.registry import make, split
from fastmatch.results.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    import penman

    from fastmatch.graphs.graph import Graph
    from fastmatch.graphs.vocabulary import Vocabulary
    from fastmatch.results.signature import Signature, Value
    from fastmatch.types import Dialect, OnErrorPaired

    One: TypeAlias = str | Graph | penman.Graph
    Sequences: TypeAlias = Sequence[str] | Sequence[Graph] | Sequence[penman.Graph]
    Graphs: TypeAlias = Corpus | One | Sequences | PathLike[str] | IO[str] | IO[bytes]

__all__ = [
    "agreed_fields",
    "agreed_signature",
    "chosen_metric",
    "corpora_of",
    "corpus_of",
    "of_objects",
    "pair_ids",
    "parsed",
    "problems_of",
]

#: What no graph looks like, but the name of a file does: no brackets, no line breaks, and a suffix.
_FILE_NAME = re.compile(r"[^()\n]{0,4096}\.[A-Za-z0-9]{1,12}")

_EXPECTED = "expected a Corpus, Penman text, a Graph, a penman.Graph or a sequence of these, a path or an open file"


def chosen_metric(metric: str | Metric, preset: str | None, options: dict[str, Any]) -> Metric:
    """The metric of that name with these options, or the one that was made already.

    The name may be followed by a preset and options, which win: ``"sembleu/tool,k=2"``.

    Raises
    ------
    OptionError
        If there is no such metric, preset or option, or options are given besides a metric that was made.
    TypeError
        If ``metric`` is neither.
    """
    if isinstance(metric, str):
        if "/" in metric or "," in metric:
            metric, own_preset, own = split(metric)
            preset, options = own_preset or preset, {**options, **own}
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
    signature = metric.signature(dialect)
    signature = signature.with_fields(**_top(signature.fields, pred, gold))
    if pred.repairs or gold.repairs:  # the same graphs in another mode, if they can be read, score otherwise
        signature = signature.with_fields(on_error="repair")
    return signature


def agreed_fields(metric: Metric, pred: Corpus, gold: Corpus) -> dict[str, Value]:
    """The fields of that signature for scores of parts of the graphs, which have a signature of their own."""
    fields = metric.signature_fields(pred.dialect)
    return {**fields, **_top(fields, pred, gold)}


def _top(fields: Mapping[str, Any], pred: Corpus, gold: Corpus) -> dict[str, str]:
    """Graphs without roots have no triple for a root, whatever it would be."""
    return {"top": "none"} if "top" in fields and _without_roots(pred) and _without_roots(gold) else {}


def _without_roots(corpus: Corpus) -> bool:
    """Whether graphs have nodes, and none of them a root; quick for corpora whose first graph has one."""
    return bool(len(corpus) and corpus.root[0] < 0 and len(corpus.rootless) and not (corpus.root >= 0).any())


def corpora_of(
    pred: Graphs,
    gold: Graphs,
    metric: Metric,
    on_error: OnErrorPaired,
    *,
    one: bool = False,
    workers: int = 1,
) -> tuple[Corpus, Corpus]:
    """Predictions and gold graphs as corpora that share a vocabulary, which nothing else has; see :func:`corpus_of`."""
    how: dict[str, Any] = {"one": one, "workers": workers}
    if isinstance(gold, Corpus):
        if isinstance(pred, Corpus):
            pred_corpus, gold_corpus = Corpus.together((pred, gold))
            return pred_corpus, gold_corpus
        gold_corpus = gold.detached()
        return corpus_of("pred", pred, gold_corpus.vocabulary, metric, on_error, **how), gold_corpus
    pred_corpus = corpus_of("pred", pred, None, metric, on_error, **how)
    return pred_corpus, corpus_of("gold", gold, pred_corpus.vocabulary, metric, on_error, **how)


def corpus_of(
    argument: str,
    graphs: Graphs,
    vocabulary: Vocabulary | None,
    metric: Metric,
    on_error: OnErrorPaired,
    *,
    one: bool = False,
    workers: int = 1,
) -> Corpus:
    """The graphs of one argument as a corpus of the caller's own; text is read with the metric's dialect.

    Metrics add strings to the vocabulary of what they score: labels as they compare them. So a corpus that is given is
    detached from its vocabulary, which others may share and keep for long.

    Parameters
    ----------
    argument : str
        What errors call it: ``"pred"``, ``"gold"``, the letter of a system.
    graphs : Graphs
        As :func:`fastmatch.score` takes them.
    vocabulary : Vocabulary or None
        Gets the strings; None: a new one.
    metric : Metric
    on_error : {"raise", "empty", "repair"}
        What becomes of text that is no graph.
    one : bool
        A string is one graph; whatever else is in it is an error.
    workers : int
        Threads for reading files.

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
        return graphs.detached(vocabulary) if vocabulary is not None else Corpus.together([graphs])[0]
    given: Any = graphs
    if isinstance(given, PathLike) or hasattr(given, "read"):  # a path, or an open file
        return read(given, dialect=dialect, on_error=on_error, vocabulary=vocabulary, workers=workers)
    from fastmatch.graphs.graph import Graph

    graph_type = _penman_graph()
    kinds = (Graph, graph_type) if graph_type is not None else (Graph,)
    if isinstance(given, kinds):
        given = [given]
    elif isinstance(given, bytes) or not hasattr(given, "__iter__"):
        raise TypeError(f"{argument}: {_EXPECTED}, not {type(given).__name__}")
    elif isinstance(given, (set, frozenset, Mapping)):
        # a set gives its graphs in another order in each run of Python, and pairs are made by order
        raise TypeError(f"{argument}: {_EXPECTED}, in an order, not {type(given).__name__}")
    given = list(given)
    if given and all(isinstance(graph, PathLike) for graph in given):
        return read(given, dialect=dialect, on_error=on_error, vocabulary=vocabulary, workers=workers)
    if all(isinstance(graph, str) for graph in given):
        return parsed(argument, given, dialect, on_error, vocabulary)
    odd = [k for k, graph in enumerate(given) if not isinstance(graph, (str, *kinds))]
    if odd and on_error == "raise":
        raise TypeError(f"{argument}[{odd[0]}]: {_EXPECTED}, not {type(given[odd[0]]).__name__}")
    if not any(isinstance(graph, kinds) for graph in given):
        return parsed(argument, given, dialect, on_error, vocabulary)
    if any(isinstance(graph, str) for graph in given):
        raise TypeError(f"{argument}: strings and graph objects do not mix in one sequence")
    return of_objects(argument, given, dialect, vocabulary, on_error)


def _penman_graph() -> type | None:
    """``penman.Graph`` if penman is imported; without that there can be no object of it."""
    module = sys.modules.get("penman.graph")
    return getattr(module, "Graph", None)


def of_objects(
    argument: str,
    graphs: Sequence[Any],
    dialect: Dialect,
    vocabulary: Vocabulary | None,
    on_error: OnErrorPaired = "raise",
) -> Corpus:
    """A sequence of ``Graph`` and ``penman.Graph`` as a corpus of this dialect.

    Unless ``on_error`` is ``"raise"``, anything else in the sequence is a graph that cannot be read, and so is a graph
    that has no text which the dialect's reader could read.
    """
    from fastmatch.graphs.graph import Graph

    problems: dict[int, str] = {}
    made: list[Any] = []
    penman_graph = _penman_graph()
    for k, graph in enumerate(graphs):
        if penman_graph is not None and isinstance(graph, penman_graph):
            graph = Graph.from_penman(graph)
        elif not isinstance(graph, Graph):
            if on_error == "raise":
                raise TypeError(f"{argument}[{k}]: {_EXPECTED}, not {type(graph).__name__}")
            problems[k] = f"{argument}[{k}]: {no_text(graph)}"
        made.append(graph)
    if dialect != "penman" and any(isinstance(graph, Graph) and graph.dialect != dialect for graph in made):
        # what the tools read is text, and their quirks lie in the reading
        texts: list[Any] = []
        for k, graph in enumerate(made):
            try:
                texts.append(graph if k in problems else graph.encode())
            except FastmatchError as error:
                if on_error == "raise":
                    raise
                problems[k] = f"{argument}[{k}]: {error}"
                texts.append(None)
        corpus = parsed(argument, texts, dialect, on_error, vocabulary)
        found = {k: problems.get(k, message) for k, message in corpus.problems}
        return corpus.with_columns(problems=tuple(found.items()))
    if problems:
        known = next((graph.dialect for graph in made if isinstance(graph, Graph)), dialect)
        nothing = Graph(None, [], [], [], {}, "", known)
        made = [nothing if k in problems else graph for k, graph in enumerate(made)]
    corpus = Corpus.from_graphs(made, vocabulary=vocabulary, source=argument, dialect=None if made else dialect)
    return corpus.with_columns(problems=tuple(problems.items())) if problems else corpus


def parsed(
    argument: str,
    text: str | Iterable[str],
    dialect: Dialect,
    on_error: OnErrorPaired,
    vocabulary: Vocabulary | None,
    one: bool = False,
) -> Corpus:
    """As :func:`fastmatch.parse`; errors name the argument. ``one``: a string is one graph, not any number."""
    if isinstance(text, str) and _FILE_NAME.fullmatch(text):
        # some dialects take any text for a graph, an empty one here: two names of files would be equal graphs
        raise ReadError(
            f"expected a graph, found {text!r}; if it is a file, give pathlib.Path({text!r}) or fm.read({text!r})",
            source=argument,
        )
    try:
        # one graph: parse says what is wrong with a string of a list that holds none or several
        return parse(
            [text] if one and isinstance(text, str) else text, dialect=dialect, on_error=on_error, vocabulary=vocabulary
        )
    except ReadError as error:
        raise _named(error, argument, one) from None
    except TypeError as error:
        raise TypeError(f"{argument}: {error}") from None


def _named(error: ReadError, argument: str, one: bool) -> ReadError:
    """The same error, whose source is ``pred[3]`` instead of ``<string 3>``, or ``pred`` instead of ``<string>``."""
    number = error.source.strip("<>").removeprefix("string").strip()
    source = f"{argument}[{number}]" if number and not one else argument
    error.args = (str(error).replace(error.source, source, 1),)
    error.source = source
    return error


def pair_ids(pred: Corpus, gold: Corpus) -> PairIds:
    """The ids of the pairs of two corpora of equal length, read when they are first asked for."""
    return PairIds((pred.comments, pred.comment_offsets), (gold.comments, gold.comment_offsets))


def problems_of(pred: Corpus, gold: Corpus) -> tuple[Problem, ...]:
    """The graphs that count as empty, and what was mended: of each side in the order of the pairs."""
    if not (pred.problems or pred.repairs or gold.problems or gold.repairs):
        return ()
    found = []
    for side, corpus in (("pred", pred), ("gold", gold)):
        problems = [Problem(side, number, message) for number, message in corpus.problems]
        problems += [Problem(side, k, f"{place}: {rule}", rule, place) for k, rule, place in corpus.repairs]
        found += sorted(problems, key=_pair) if corpus.repairs else problems
    return tuple(found)


def _pair(problem: Problem) -> int:
    return problem.pair
