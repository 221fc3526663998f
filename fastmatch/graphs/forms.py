"""Graphs in any form, as corpora: what everything that takes graphs accepts, and where it becomes arrays.

``pred`` and ``gold`` are the two arguments of a comparison. Where a function treats both alike, its parameter
``argument`` is what errors call the one at hand.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import IO, TYPE_CHECKING, Any, Protocol, TypeAlias

from fastmatch.errors import FastmatchError, ReadError
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.ids import Ids
from fastmatch.graphs.reading import columns_of, parse, read
from fastmatch.graphs.sources import decoded, no_text
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.types import Dialect, OnErrorPaired

if TYPE_CHECKING:
    import penman

    from fastmatch.graphs.graph import Graph


class Directed(Protocol):
    """A graph of networkx."""

    @property
    def nodes(self) -> Any: ...
    @property
    def edges(self) -> Any: ...
    def is_directed(self) -> bool: ...


One: TypeAlias = "str | Graph | penman.Graph | Directed"
Sequences: TypeAlias = (
    "Sequence[str] | Sequence[Graph] | Sequence[penman.Graph] | Sequence[Directed] | Sequence[PathLike[str]]"
)
Graphs: TypeAlias = "Corpus | One | Sequences | bytes | PathLike[str] | IO[str] | IO[bytes]"

#: What no graph looks like, but the name of a file does: no brackets, no line breaks, and a suffix.
_FILE_NAME = re.compile(r"[^()\n]{0,4096}\.[A-Za-z0-9]{1,12}")

_EXPECTED = (
    "expected a Corpus, Penman text, a Graph, a graph of penman or networkx, or a sequence of these, a path or an open "
    "file"
)


def corpora_of(
    pred: Graphs, gold: Graphs, dialect: Dialect, on_error: OnErrorPaired, *, one: bool = False, workers: int = 1
) -> tuple[Corpus, Corpus]:
    """Predictions and gold graphs as corpora that share a vocabulary, which nothing else has; see :func:`corpus_of`."""
    if isinstance(gold, Corpus):
        if isinstance(pred, Corpus):
            pred_corpus, gold_corpus = Corpus.together((pred, gold))
            return pred_corpus, gold_corpus
        gold_corpus = gold.detached()
        return corpus_of("pred", pred, gold_corpus.vocabulary, dialect, on_error, one=one, workers=workers), gold_corpus
    pred_corpus = corpus_of("pred", pred, None, dialect, on_error, one=one, workers=workers)
    return pred_corpus, corpus_of("gold", gold, pred_corpus.vocabulary, dialect, on_error, one=one, workers=workers)


def corpus_of(
    argument: str,
    graphs: Graphs,
    vocabulary: Vocabulary | None,
    dialect: Dialect,
    on_error: OnErrorPaired,
    *,
    one: bool = False,
    workers: int = 1,
) -> Corpus:
    """The graphs of one argument as a corpus of the caller's own.

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
    dialect : str
        How text is read. A corpus that is given keeps its own.
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
    given: Any = decoded(argument, graphs) if isinstance(graphs, bytes) else graphs
    if isinstance(given, str):
        return parsed(argument, given, dialect, on_error, vocabulary, one=one, workers=workers)
    if isinstance(given, Corpus):
        return Corpus.together([given])[0] if vocabulary is None else given.detached(vocabulary)
    if isinstance(given, PathLike) or hasattr(given, "read"):
        return read(given, dialect=dialect, on_error=on_error, vocabulary=vocabulary, workers=workers)
    if _is_object(given):
        return of_objects(argument, [given], dialect, vocabulary, on_error)
    if isinstance(given, (set, frozenset, Mapping)):
        # a set gives its graphs in another order in each run of Python, and pairs are made by order
        raise TypeError(f"{argument}: {_EXPECTED}, in an order, not {type(given).__name__}")
    if (columns := columns_of(given)) is not None:
        raise TypeError(f"{argument}: expected a column of graphs, not a table: one of its columns {columns}")
    if not hasattr(given, "__iter__"):
        raise TypeError(f"{argument}: {_EXPECTED}, not {type(given).__name__}")
    given = list(given.to_pylist() if hasattr(given, "to_pylist") else given)  # of Arrow
    others = {k: graph for k, graph in enumerate(given) if not isinstance(graph, str)}
    if given and all(isinstance(graph, PathLike) for graph in given):
        return read(given, dialect=dialect, on_error=on_error, vocabulary=vocabulary, workers=workers)
    strange = [k for k, graph in others.items() if not _is_object(graph)]
    if strange and on_error == "raise":
        raise TypeError(f"{argument}[{strange[0]}]: {_EXPECTED}, not {type(given[strange[0]]).__name__}")
    if len(strange) == len(others):
        return parsed(argument, given, dialect, on_error, vocabulary, workers=workers)
    if len(others) < len(given):
        raise TypeError(f"{argument}: strings and graph objects do not mix in one sequence")
    return of_objects(argument, given, dialect, vocabulary, on_error)


def _is_object(graph: Any) -> bool:
    """Whether it is a ``Graph``, or one of a library; while a library is not imported there are none of its graphs."""
    from fastmatch.graphs.graph import Graph

    return isinstance(graph, Graph) or _is_of("penman.graph", graph) or _is_of("networkx", graph)


def _is_of(library: str, graph: Any) -> bool:
    kind = getattr(sys.modules.get(library), "Graph", None)
    return kind is not None and isinstance(graph, kind)


def of_objects(
    argument: str,
    graphs: Sequence[Any],
    dialect: Dialect,
    vocabulary: Vocabulary | None,
    on_error: OnErrorPaired = "raise",
) -> Corpus:
    """A sequence of ``Graph``, ``penman.Graph`` and networkx's graphs as a corpus of this dialect.

    Unless ``on_error`` is ``"raise"``, anything else in the sequence is a graph that cannot be read, and so is a graph
    that has no text which the dialect's reader could read.
    """
    from fastmatch.graphs.foreign import graph_of_networkx
    from fastmatch.graphs.graph import Graph

    problems: dict[int, str] = {}
    made: list[Any] = []
    for k, graph in enumerate(graphs):
        if not _is_object(graph):
            if on_error == "raise":
                raise TypeError(f"{argument}[{k}]: {_EXPECTED}, not {type(graph).__name__}")
            problems[k] = f"{argument}[{k}]: {no_text(graph)}"
        elif _is_of("networkx", graph):
            graph = graph_of_networkx(f"{argument}[{k}]", graph)
        elif not isinstance(graph, Graph):
            graph = Graph.from_penman(graph)
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
    workers: int = 1,
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
        texts = [text] if one and isinstance(text, str) else text
        return parse(texts, dialect=dialect, on_error=on_error, vocabulary=vocabulary, workers=workers)
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


def graph_ids(corpus: Corpus) -> Ids:
    """The ids of the graphs of a corpus, which are read when they are first asked for."""
    return Ids((corpus.comments, corpus.comment_offsets))


def pair_ids(pred: Corpus, gold: Corpus) -> Ids:
    """The ids of the pairs of two corpora of equal length: the gold graph's, or else the prediction's."""
    return Ids((gold.comments, gold.comment_offsets), (pred.comments, pred.comment_offsets))
