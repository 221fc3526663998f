"""The sentence graphs of a document, read by a dialect, with the places of errors in the document's file."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from fastmatch.errors import FastmatchWarning, ReadError, calling_line
from fastmatch.graphs.reading import parse
from fastmatch.report.cells import count
from fastmatch.umr.documents import without_comment

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from fastmatch.graphs.corpus import Corpus
    from fastmatch.graphs.vocabulary import Vocabulary
    from fastmatch.types import Dialect, OnError
    from fastmatch.umr.documents import Document, Sentence

__all__ = ["sentence_graphs"]

#: So many alignments are named in a warning.
_NAMED = 3


def sentence_graphs(
    document: Document, dialect: Dialect, vocabulary: Vocabulary, texts: list[str] | None, on_error: OnError
) -> tuple[Corpus, list[tuple[int, str]]]:
    """The sentence graphs, with their texts, or those given, as ``# ::snt``, and what could not be read of them."""
    own: Sequence[str | None] = texts or [None] * len(document)
    tool = texts is not None
    blocks = [sentence.block(text, tool) for sentence, text in zip(document.sentences, own, strict=True)]
    mode: OnError = "repair" if on_error == "repair" else "empty"
    corpus = parse([text for text, _ in blocks], dialect=dialect, on_error=mode, vocabulary=vocabulary)
    problems = []
    mended: dict[int, ReadError] = {}
    for repair in corpus.repairs:
        line, column = map(int, repair.place.split(":")[-2:])
        sentence, number = document.sentences[repair.graph].written, blocks[repair.graph][1][line - 1]
        column += sentence.column - 1 if number == sentence.line else 0
        mended.setdefault(repair.graph, ReadError(f"mended: {repair.rule}", line=number, column=column))
    known = {k for k, _ in document.problems if not document.sentences[k].graph}
    for k in sorted(({k for k, _ in corpus.problems} | set(mended)) - known):
        error = mended.get(k) or _misread(document.sentences[k], dialect)
        message = f"sentence {k + 1}: {error.message}"
        error = ReadError(
            message, source=document.source, line=error.line, column=error.column, text=error.text, place=error.place
        )
        if on_error == "raise":
            raise error
        problems.append((k, str(error)))
    if not tool:
        _warn_odd_alignments(document, corpus, {k for k, _ in problems} | known)
    return corpus, problems


def _warn_odd_alignments(document: Document, corpus: Corpus, unread: Set[int]) -> None:
    """Warn of alignments of nodes that their graph does not have, or with tokens that their sentence does not have.

    Both are slips of the pen or of a program, and would cost points in silence. Graphs that could not be read have no
    nodes.
    """
    text = corpus.vocabulary.text
    names, starts = corpus.variable_names.tolist(), corpus.variable_offsets.tolist()
    nodes: list[str] = []
    tokens: list[str] = []
    for k, sentence in enumerate(document.sentences):
        if not sentence.alignment or k in unread:
            continue
        known = {text(name) for name in names[starts[k] : starts[k + 1]] if name >= 0}
        n_tokens = len(sentence.text.split())
        for variable, spans in sentence.alignment.items():
            if variable not in known:
                nodes.append(f"sentence {k + 1}: {variable}")
            last = max((last for _, last in spans), default=0)
            if last > n_tokens > 0:
                tokens.append(f"sentence {k + 1}: {variable} with token {last} of {n_tokens}")
    for odd, said in ((nodes, "without a node in the graph"), (tokens, "with tokens behind the last one")):
        if odd:
            shown = "; ".join(odd[:_NAMED]) + "; …" * (len(odd) > _NAMED)
            message = f"{document.source}: {count(len(odd), 'alignment')} {said} ({shown})"
            warnings.warn(message, FastmatchWarning, stacklevel=calling_line()[0])


def _misread(sentence: Sentence, dialect: Dialect) -> ReadError:
    """What is wrong with a graph that cannot be read, with the place in its file."""
    written = sentence.written
    tool = dialect == "ancast-umr"
    # an empty line would end the graph in this dialect, a space does not
    rows = [(row if tool else without_comment(row)) or " " for row in sentence.graph.split("\n")]
    lines = max(written.line - 1, 0)
    text = " " * (written.column - 1) + "\n".join(rows)
    try:
        parse(["\n" * lines + text], dialect=dialect)
    except ReadError as error:
        if sentence.graph:
            return error
        return ReadError(error.message, line=written.line or sentence.line, column=written.column)
    return ReadError("the graph cannot be read", line=written.line or sentence.line, column=written.column)
