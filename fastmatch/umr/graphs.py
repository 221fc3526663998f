"""The sentence graphs of a document, read by a dialect, with the places of errors in the document's file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastmatch.errors import ReadError
from fastmatch.graphs.reading import parse
from fastmatch.umr.documents import without_comment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastmatch.graphs.corpus import Corpus
    from fastmatch.graphs.vocabulary import Vocabulary
    from fastmatch.types import Dialect, OnError
    from fastmatch.umr.documents import Document, Sentence

__all__ = ["sentence_graphs"]


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
    return corpus, problems


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
