"""Standardised graphs as text that can be read again.

A step may leave what Penman notation cannot hold. Three things are then written in another way:

* *Quotes* that a step dropped come back where a label needs them
  (:func:`~fastmatch.graphs.standardization.labels.writable`).
* *Directions.* ``de-invert-all`` makes ``(s :consist p)`` of ``p :consist-of s``. If the top reaches ``s`` by that
  relation only, it is written at ``p``, with ``-of``: ``:consist-of``. Most readers take that for a role of its own,
  which means the same.
* *Parts* of a graph that its top does not reach are sentences of one graph then:
  ``(m / multi-sentence :snt1 (the top's part) :snt2 (another part))``. So are further concepts of a variable, if it has
  more of them than relations at which they could be written.

Every text is read again in the corpus's dialect, and standardised again by the same steps. The graph must come out as
it was: then the text is scored as the graph is by any metric that standardises so. Where it does not, other ways of
writing are tried: relations by their names at their sources, as ``as-written`` leaves them, and constants with quotes.
If that reader can be given none, penman's is asked. A step may make what no text gives back, such as a second root
(``root-concept``, which smatchpp's reader renames, and of which AnCast's loses a bare ``top``). Then it is enough that
the text has the same top and the same triples, where ``x :role-of y`` and ``y :role x`` are the same, as the corpus's
dialect reads it, or as penman does; quotes do not count if the corpus's dialect drops them. If it has not, the graph
cannot be written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from fastmatch.errors import FastmatchError
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.dialects import DIALECTS
from fastmatch.graphs.graph import Graph
from fastmatch.graphs.notation import INSTANCE, RELATION
from fastmatch.graphs.reading import parse
from fastmatch.graphs.standardization.labels import domain_to_mod, plain_role, quoted, writable
from fastmatch.graphs.writing import NO_ROOT, Writer
from fastmatch.types import Dialect, OnError, Triple

_ROOT = "ROOT_OF_GRAPH"

#: Other ways to write a graph, in the order in which they are tried: how its labels are prepared, and whether relations
#: are written by their names at their sources. Some readers lose constants that they do not know, unless these have
#: quotes; with others quotes are part of them.
_WAYS = ((writable, True), (quoted, False), (quoted, True), (lambda corpus: corpus, False))


class Texts(NamedTuple):
    """Texts of the graphs of a corpus.

    Attributes
    ----------
    texts : list of str
        A text a graph, comment lines first, without an empty line; of graphs that were left out there is none.
    problems : list of (int, str)
        Number of each graph that could not be written, and why.
    joined : list of int
        Numbers of the graphs whose parts became sentences of one graph.
    """

    texts: list[str]
    problems: list[tuple[int, str]]
    joined: list[int]


def penman_texts(corpus: Corpus, on_error: OnError = "raise", again: Callable[[Corpus], Corpus] | None = None) -> Texts:
    """Penman text of every graph, as said at the top of this module.

    Parameters
    ----------
    corpus : Corpus
    again : callable, optional
        The steps that made the graphs. None: there were none.
    on_error : {"raise", "skip", "empty", "repair"}
        What becomes of a graph that cannot be written: an error, nothing, or ``()``.

    Raises
    ------
    FastmatchError
        For the first graph that cannot be written, with ``on_error="raise"``.
    """
    made: list[tuple[str, Graph] | str] = []
    joined = []
    for number, graph in enumerate(writable(corpus)):
        try:
            text, wanted = _penman_text(graph)
        except FastmatchError as error:
            made.append(str(error))
            continue
        made.append((text, wanted))
        if wanted is not graph:
            joined.append(number)
    left = _written_otherwise(corpus, made, joined, again)
    left = _read_otherwise(made, left, corpus.dialect, bare=False)
    left = _read_otherwise(made, left, "penman", bare=DIALECTS[corpus.dialect].unquotes)
    for number in left:
        made[number] = "it cannot be written as a text that is read as this graph again"
    return _sorted_out(corpus, made, on_error, joined, "()")


def tables(corpus: Corpus, on_error: OnError = "raise") -> Texts:
    """Every graph as a table: a line ``source target role`` a triple, with tabs, and a line for the top.

    It holds all triples as they are, and any graph whose labels have no tabs; the dialect ``tsv`` reads it. Alignments
    are lost. A variable without a concept and without outgoing triples is read as a constant.

    Parameters and errors are those of :func:`penman_texts`.
    """
    made: list[tuple[str] | str] = []
    for graph in writable(corpus):
        try:
            made.append((_table(graph),))
        except FastmatchError as error:
            made.append(str(error))
    return _sorted_out(corpus, made, on_error, [], "")


def _written_otherwise(
    corpus: Corpus, made: list[tuple[str, Graph] | str], joined: list[int], again: Callable[[Corpus], Corpus] | None
) -> list[int]:
    """Put other texts in the place of those that are another graph when read and standardised again.

    Returns the numbers of the graphs of which no text is right, and of those whose parts were joined.
    """
    texts = {n: entry[0] for n, entry in enumerate(made) if not isinstance(entry, str) and n not in set(joined)}
    left = list(texts)
    for dialect in dict.fromkeys([corpus.dialect, "penman"]):
        if not DIALECTS[dialect].penman:
            continue
        left = _changed(corpus, {n: texts[n] for n in left}, dialect, again)
        for prepared, literal in _WAYS:
            others: dict[int, str] = {}
            for number, graph in zip(left, prepared(corpus[left]), strict=True):
                with suppress(FastmatchError):
                    others[number] = loose_text(graph, literal=literal)
            for number in others.keys() - set(_changed(corpus, others, dialect, again)):
                made[number] = others[number], corpus[number]
                left.remove(number)
    return sorted([*left, *(n for n in joined if not isinstance(made[n], str))])


def _changed(
    corpus: Corpus, texts: Mapping[int, str], dialect: Dialect, again: Callable[[Corpus], Corpus] | None
) -> list[int]:
    """Those of the texts of graphs of a corpus, by number, that are another graph when read and standardised again."""
    found = parse(texts.values(), dialect=dialect, on_error="empty")
    found = found if again is None else again(found)
    return [number for number, graph in zip(texts, found, strict=True) if graph != corpus[number]]


def _read_otherwise(
    made: list[tuple[str, Graph] | str], numbers: list[int], dialect: Dialect, *, bare: bool
) -> list[int]:
    """Those of the texts with these numbers that a dialect does not read as the graph they belong to."""
    again = parse([made[number][0] for number in numbers], dialect=dialect, on_error="empty")
    bad = {place for place, _ in again.problems}
    found = []
    for place, (number, graph) in enumerate(zip(numbers, again, strict=True)):
        wanted = made[number][1]
        assert isinstance(wanted, Graph)
        if place in bad or graph.top != wanted.top or meaning(graph, bare=bare) != meaning(wanted, bare=bare):
            found.append(number)
    return found


def meaning(graph: Graph, *, bare: bool = False) -> Counter[Triple]:
    """The triples of a graph, with relations of all roles on ``-of``, and ``:domain``, turned around.

    ``bare``: concepts and constants without quotes around them, and without the ``_`` that some readers make of the
    closing quote.
    """
    found: Counter[Triple] = Counter()
    variables = set(graph.variables)
    for source, role, target in graph.triples:
        base, turned = plain_role(role, exceptions=False)
        base, again = domain_to_mod(base)
        if bare and target is not None and target not in variables:
            target = target.strip('"').removesuffix("_")
        found[(target, base, source) if turned != again else (source, base, target)] += 1
    return found


def _sorted_out(
    corpus: Corpus, made: Sequence[tuple[Any, ...] | str], on_error: OnError, joined: list[int], empty: str
) -> Texts:
    """Texts, from a text or a message of each graph."""
    texts, problems = [], []
    for number, written in enumerate(made):
        entry = written if isinstance(written, str) else _unwritable(written[0])
        if entry is None:
            texts.append(written[0])
            continue
        if on_error == "raise":
            raise FastmatchError(f"{corpus.source}: graph {number}: {entry}")
        problems.append((number, entry))
        if on_error != "skip":
            texts.append("\n".join([*corpus[number]._comment_lines(), *([empty] if empty else [])]))
    bad = {number for number, _ in problems}
    return Texts(texts, problems, [number for number in joined if number not in bad])


def _unwritable(text: str) -> str | None:
    """Why no file can hold a text, if it has half of a surrogate pair, as strings of Python and JSON may."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return f"{text[error.start]!a} is half of a surrogate pair, which UTF-8 cannot hold"
    return None


def _penman_text(graph: Graph) -> tuple[str, Graph]:
    """Text of a graph, and what it is to be read as: the graph itself, or one that joins its parts."""
    if graph.variables and graph.top not in graph.variables:
        raise FastmatchError(NO_ROOT)
    with suppress(FastmatchError):
        return graph.encode(), graph
    parts = _other_parts(graph)
    if not parts:
        with suppress(FastmatchError):
            return loose_text(graph), graph
    concepts = Counter(source for source, role, _ in graph.triples if role == ":instance")
    further: list[str | None] = [v for v, count in concepts.items() for _ in range(count - 1)]
    for more in ([], further) if parts else (further,):
        made = _joined(graph, [*parts, *more])
        try:
            return loose_text(made), made
        except FastmatchError as error:
            reason = error
    raise reason


def loose_text(graph: Graph, *, literal: bool = False) -> str:
    """Text in which relations may stand where the dialect's reader takes them for others, as :class:`Writer` says."""
    parts = (graph.top, graph.variables, graph.triples, graph._kinds, graph._surface, graph.dialect)
    return graph._under_comments(Writer(*parts, loose=True, literal=literal).write(6))


def _other_parts(graph: Graph) -> list[str]:
    """A variable of each part of a graph that no chain of relations connects with its top."""
    touching: dict[str | None, list[str | None]] = {variable: [] for variable in graph.variables}
    for source, _, target in graph.relations:
        touching[source].append(target)
        touching[target].append(source)
    concepts = {source for source, role, _ in graph.triples if role == ":instance"}
    known: set[str | None] = set()
    parts = []
    # a node with a concept can be opened by every reader
    for variable in (graph.top, *sorted(graph.variables, key=lambda name: name not in concepts)):
        if variable in known or variable is None:
            continue
        if known:
            parts.append(variable)
        reached: list[str | None] = [variable]
        known.add(variable)
        for node in reached:
            for other in touching[node]:
                if other not in known:
                    known.add(other)
                    reached.append(other)
    return parts


def _joined(graph: Graph, parts: Sequence[str | None]) -> Graph:
    """The graph with a new top, ``multi-sentence``, whose sentences are the old top and ``parts``."""
    taken = {str(end).lower() for source, _, target in graph.triples for end in (source, target)}
    taken.update(str(variable).lower() for variable in graph.variables)
    number = 0
    while (top := f"m{number or ''}") in taken:
        number += 1
    before: list[Triple] = [(top, ":instance", "multi-sentence"), (top, ":snt1", graph.top)]
    after: list[Triple] = [(top, f":snt{2 + place}", part) for place, part in enumerate(parts)]
    triples = [*before, *graph.triples, *after]
    kinds = [INSTANCE, RELATION, *graph._kinds, *([RELATION] * len(after))]
    surface = {(index + 2, part): text for (index, part), text in graph._surface.items()}
    return Graph(top, (top, *graph.variables), triples, kinds, surface, graph.comments, graph.dialect)


def _table(graph: Graph) -> str:
    if graph.variables and graph.top not in graph.variables:
        raise FastmatchError("the graph has no root, which a table must name; Corpus.save keeps such graphs")
    lines = [line for line in graph._comment_lines() if line.startswith("# ::")]
    rows: list[Triple] = []
    if graph.top is not None and graph.top != _ROOT:
        if not any(s == graph.top and r == ":instance" and t is not None for s, r, t in graph.triples):
            raise FastmatchError(f"a table cannot name the top {graph.top!r}, which has no concept")
        rows.append((_ROOT, graph.top, ":root"))
    for source, role, target in graph.triples:
        if target is None and role == ":instance":
            continue  # a variable without a concept
        if source is None or target is None:
            raise FastmatchError("a table cannot hold a triple without a source or target")
        rows.append((source, target or '""', role))
    for row in rows:
        if not all(field and field == field.strip() and "\t" not in field for field in row if field is not None):
            raise FastmatchError("a table cannot hold an empty name, or a tab or white space at the ends of a label")
    return "\n".join([*lines, *("\t".join(map(str, row)) for row in rows)])
