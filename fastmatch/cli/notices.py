"""What a run says on standard error of its input: graphs that cannot be read, that were mended, that are not there."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from fastmatch.errors import first_few
from fastmatch.report.cells import count
from fastmatch.runtime.streams import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastmatch.ensembles.result import Ensemble
    from fastmatch.fine_grained.scores import AspectScores
    from fastmatch.graphs.corpus import Corpus
    from fastmatch.results.scores import CorpusScore
    from fastmatch.umr.jumatch_scoring import JumatchScore
    from fastmatch.umr.scoring import DocumentScore

#: Graphs of a sort, and reasons of a graph, that are named; the others are counted.
NAMED = 5


def _first(lines: list[str], noun: str, rest: str) -> None:
    """Say the first lines, and how many there are besides: "… and 3 graphs more"."""
    for line in lines[:NAMED]:
        say(f"fastmatch: {line}", sys.stderr)
    if len(lines) > NAMED:
        say(f"fastmatch: … and {count(len(lines) - NAMED, noun)} {rest}", sys.stderr)


def _cut(texts: list[str]) -> str:
    """The first texts in a row, and how many more there are."""
    more = f", … and {len(texts) - NAMED:,} more" if len(texts) > NAMED else ""
    return ", ".join(texts[:NAMED]) + more


def warn_unreadable(result: CorpusScore | AspectScores, system: str = "pred") -> None:
    """Say on standard error which graphs count as empty, and why: they cannot be read, or are not there.

    Also which were repaired, and by which rules. The first graphs of each sort are named.

    ``system`` is what the messages call the predictions.
    """
    sorts: tuple[dict[tuple[str, int], list[str]], ...] = ({}, {})
    for problem in result.problems:
        text = problem.message if problem.rule is None else f"{problem.rule} ({problem.place})"
        sorts[problem.rule is not None].setdefault((problem.side, problem.pair), []).append(text)
    for graphs, what, noun in zip(sorts, ("counted as empty", "repaired"), ("empty", "repaired"), strict=True):
        lines = [
            f"pair {index}, {system if side == 'pred' else side}: {what}: {_cut(texts)}"
            for (side, index), texts in graphs.items()
        ]
        _first(lines, f"{noun} graph", "more")


def warn_empty(corpus: Corpus) -> None:
    """Say on standard error that a file which is to be written anew holds no graphs, if it holds none."""
    if not len(corpus):
        say(f"fastmatch: warning: {corpus.source}: no graphs", sys.stderr)


def warn_repaired(corpus: Corpus) -> None:
    """Say on standard error which graphs of a corpus were repaired, and by which rules, the first ones by name."""
    graphs: dict[int, list[str]] = {}
    for number, rule, place in corpus.repairs:
        graphs.setdefault(number, []).append(f"{rule} ({place})")
    _first([f"graph {number}: repaired: {_cut(texts)}" for number, texts in graphs.items()], "repaired graph", "more")


def warn_rewritten(unread: Sequence[str], unwritten: Sequence[str], joined: Sequence[int], became: str) -> None:
    """Say on standard error what standardised graphs lost on the way, the first of each sort with the reason.

    Parameters
    ----------
    unread, unwritten : sequence of str
        Why graphs could not be read or written.
    joined : sequence of int
        Numbers of graphs whose parts became sentences of one graph.
    became : str
        What became of the first two, "left out" for instance.
    """
    for reasons, what in ((unread, "cannot be read"), (unwritten, "cannot be written")):
        _first([f"{became}: {reason}" for reason in reasons], "graph", f"more that {what}")
    if joined:
        top = f"the top of {count(len(joined), 'graph')} ({first_few(map(str, joined), most=NAMED)})"
        parts = "its parts were written as :snt1, :snt2, … of a node multi-sentence"
        print(f"fastmatch: {top} does not reach all of it: {parts}", file=sys.stderr)


def warn_broken(name: str, corpus: Corpus) -> None:
    """Say on standard error which graphs of an annotator cannot be read and count as empty: the first ones, and why."""
    _first([f"{name}: counted as empty: {message}" for _, message in corpus.problems], "empty graph", f"more in {name}")


def warn_not_voting(result: Ensemble, names: Sequence[str]) -> None:
    """Say on standard error which candidates did not vote because they cannot be read: the first ones, and why."""
    lines = [f"does not vote: {names[one.candidate]}: {one.message}" for one in result.unreadable]
    _first(lines, "candidate", "more do not vote")


def warn_left_out(result: DocumentScore | JumatchScore) -> None:
    """One line on standard error for each thing that could not be read, and one if texts differ."""
    for document, k, message in result.problems:
        what = "not wholly read" if k in result.sentences[document][0] else "left out"
        say(f"fastmatch: {what}: {message}", sys.stderr)
    if result.unlike:
        places = ", ".join(
            (f"{result.names[document][0]}: " if len(result.documents) > 1 else "") + str(sentence + 1)
            for document, sentence in result.unlike[:NAMED]
        )
        more = "" if len(result.unlike) <= NAMED else ", ..."
        n = len(result.unlike)
        differ = "1 sentence differs in its" if n == 1 else f"{n:,} sentences differ in their"
        say(f"fastmatch: warning: {differ} text ({places}{more}); do the documents belong together?", sys.stderr)
