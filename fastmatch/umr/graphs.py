"""The sentence graphs of documents, read by a dialect, with the places of errors in the document's file."""

from __future__ import annotations

from collections.abc import Sequence, Set

from fastmatch.errors import PairingError, ReadError, first_few, warn_caller
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.reading import parse
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.report.cells import count
from fastmatch.types import Dialect, OnError, OnErrorPaired
from fastmatch.umr.documents import Document, OnErrorRead, Sentence, document_of, without_comment
from fastmatch.umr.inputs import Documents, document_pairs
from fastmatch.umr.tool_reading import text_of

#: So many alignments are named in a warning.
_NAMED = 3


def sentences(
    pred: Documents, gold: Documents, *, dialect: Dialect = "penman", on_error: OnErrorPaired = "raise"
) -> tuple[Corpus, Corpus]:
    """The sentence graphs of documents: graph k of the predictions belongs to gold graph k.

    Any metric compares them, and a page shows them: ``fm.align(pred[7], gold[7], metric="ancast")``.

    Parameters
    ----------
    pred, gold
        As :func:`fastmatch.umr.score` takes them. Sentences are paired by their places.
    dialect : str
        How the graphs are read. ``"ancast"`` and ``"ancast-umr"``: as preset ``tool`` of AnCast++ reads those of
        documents, its slips included.
    on_error : {"raise", "empty", "repair"}
        What becomes of a graph that cannot be read: an error, an empty graph, or one that was mended. What else of a
        document cannot be read is an error only with ``"raise"``.

    Returns
    -------
    (Corpus, Corpus)
        Graphs with their sentence (``::snt``), the tokens of their nodes (``::alignment``), and an ``::id``: ``snt7``
        is the seventh sentence; of several documents the name of the gold one stands in front.

    Raises
    ------
    PairingError
        If the numbers of documents or sentences differ, or two folders hold files of different names.
    ReadError
        If a text is no document, or with ``on_error="raise"`` a part of a sentence cannot be read.
    OSError
        If a file cannot be read.
    """
    tool = dialect in ("ancast", "ancast-umr")
    if tool:
        dialect = "ancast-umr"
    careful: OnErrorRead = "raise" if on_error == "raise" or tool else "empty"
    vocabulary = Vocabulary()
    found: tuple[list[Corpus], list[Corpus]] = ([], [])
    pairs = document_pairs(pred, gold, lambda text, source: document_of(text, source, careful, tool))
    for one, two in pairs:
        check_sentences(one, two)
        folder = f"{two.source}:" if len(pairs) > 1 else ""
        ids = None if tool else [f"{folder}snt{k + 1}" for k in range(len(two))]
        texts = list(map(text_of, one.sentences)) if tool else None
        for corpora, document in zip(found, (one, two), strict=True):
            corpora.append(sentence_graphs(document, dialect, vocabulary, texts, on_error, ids)[0])
    return Corpus.concatenate(found[0]), Corpus.concatenate(found[1])


def check_sentences(pred: Document, gold: Document) -> None:
    """Raise PairingError if two documents have different numbers of sentences."""
    if len(pred) != len(gold):
        raise PairingError(
            f"umr: {pred.source} has {count(len(pred), 'sentence')} but {gold.source} has {len(gold)}; "
            "they are paired by place"
        )


def sentence_graphs(
    document: Document,
    dialect: Dialect,
    vocabulary: Vocabulary,
    texts: list[str] | None,
    on_error: OnError,
    ids: list[str] | None = None,
) -> tuple[Corpus, list[tuple[int, str]]]:
    """The sentence graphs, with their texts, or those given, as ``# ::snt``, and what could not be read of them."""
    own: Sequence[str | None] = texts or [None] * len(document)
    called: Sequence[str | None] = ids or [None] * len(document)
    tool = texts is not None
    blocks = [
        sentence.block(text, tool, id) for sentence, text, id in zip(document.sentences, own, called, strict=True)
    ]
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


def unlike_texts(pred: Document, gold: Document) -> list[int]:
    """The sentences whose texts differ."""
    pairs = zip(pred.sentences, gold.sentences, strict=False)
    return [k for k, (one, two) in enumerate(pairs) if one.text != two.text]


def graphs_of_both(
    pred: Document, gold: Document, dialect: Dialect, vocabulary: Vocabulary, texts: list[str] | None, on_error: OnError
) -> tuple[list[Corpus], list[int], list[tuple[int, str]]]:
    """The graphs of two documents, the numbers of the sentences that are compared, and what was wrong with which."""
    n = max(len(pred), len(gold))
    corpora = []
    problems: list[tuple[int, str]] = []
    for document in (pred, gold):
        corpus, unread = sentence_graphs(document, dialect, vocabulary, texts, on_error)
        corpora.append(corpus)
        problems += [*document.problems, *unread]
        for k in range(len(document), n):
            problems.append((k, f"{document.source}: sentence {k + 1} is missing and counts as an empty one"))
    left_out = {k for k, _ in problems} if on_error == "skip" else set()
    return corpora, [k for k in range(n) if k not in left_out], problems


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
            shown = first_few(odd, most=_NAMED, between="; ")
            warn_caller(f"{document.source}: {count(len(odd), 'alignment')} {said} ({shown})")


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
