"""Graphs as the programs behind ``preset="tool"`` take them: as text, rewritten before it is read.

The published scripts make "Unlabeled" and "No WSD" by regular expressions on the *text* of the graphs, so the new name
of a role decides which triples overwrite each other when the text is read. :func:`old_text` gets the text of whatever
holds graphs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from os import PathLike, fspath
from typing import Any, NamedTuple

from fastmatch.errors import OptionError
from fastmatch.graphs import reading
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import of_objects, parsed
from fastmatch.graphs.sources import Kept
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.types import Dialect, OnErrorPaired


class OldText(NamedTuple):
    """Graphs before they are read.

    Attributes
    ----------
    argument : str
        What errors call them: ``"pred"`` or ``"gold"``.
    name : str or None
        Name of the file that they come from.
    text : str or list of str
        One string with all graphs, or one string for each.
    """

    argument: str
    name: str | None
    text: str | list[str]

    def read(
        self, rewrite: Callable[[str], str] | None, dialect: Dialect, on_error: OnErrorPaired, vocabulary: Vocabulary
    ) -> Corpus:
        """The graphs of the text, rewritten if there is something to rewrite it with."""
        if not isinstance(self.text, str):
            texts: list[Any] = list(self.text)
            if rewrite is not None:  # what is no text is left for the reader, which says so
                texts = [rewrite(text) if isinstance(text, str) else text for text in texts]
            return parsed(self.argument, texts, dialect, on_error, vocabulary)
        text = self.text if rewrite is None else rewrite(self.text)
        if self.name is None:
            return parsed(self.argument, text, dialect, on_error, vocabulary)
        stream: Any = Kept(self.name, text.encode("utf-8", "surrogateescape"))
        return reading.read(stream, dialect=dialect, on_error=on_error, vocabulary=vocabulary)


def old_text(argument: str, graphs: Any) -> OldText:
    """The text of graphs in any form that :func:`fastmatch.score` takes.

    Raises
    ------
    OptionError
        If they have no text: a corpus that was read in another dialect than ``penman``.
    """
    if isinstance(graphs, str):
        return OldText(argument, None, graphs)
    if isinstance(graphs, PathLike) or hasattr(graphs, "read"):
        parts, name = [], ""
        files = None if hasattr(graphs, "read") else reading.several_files(graphs)
        for file in [graphs] if files is None else files:
            name, data = reading.contents(file)
            saved = reading.saved_corpus(file, name, data)
            if saved is not None:
                return old_text(argument, reading.read(graphs))
            parts.append(data if isinstance(data, str) else bytes(data).decode("utf-8", "surrogateescape"))
        return OldText(argument, name if files is None else fspath(graphs), "\n\n".join(parts))
    if not isinstance(graphs, Corpus):
        graphs = [graphs] if not hasattr(graphs, "__iter__") else list(graphs)
        if any(isinstance(graph, str) for graph in graphs) or not any(hasattr(graph, "triples") for graph in graphs):
            return OldText(argument, None, graphs)
        there = [graph for graph in graphs if hasattr(graph, "triples")]
        texts = iter(old_text(argument, of_objects(argument, there, "penman", None)).text)
        return OldText(argument, None, [next(texts) if hasattr(graph, "triples") else graph for graph in graphs])
    if graphs.dialect != "penman":
        raise OptionError(
            f"preset 'tool' rewrites the text before it is read; {argument} was read with dialect={graphs.dialect!r}: "
            "give its path or its text"
        )
    return OldText(argument, None, [graph.encode() for graph in graphs])


def unlabelled_text(text: str) -> str:
    """Every colon and the letters, digits and hyphens behind it become ``:label``, in comments and strings as well."""
    return re.sub(r":[a-zA-Z0-9-]*", ":label", text)


def half_unlabelled_text(text: str) -> str:
    """The same up to the first hyphen; an ``-of`` there stays.

    Two passes: the first takes one character less before ``-of``, which is why the second has to clean up.
    """
    text = re.sub(r":[0-9a-zA-Z]*(?!-of)", ":label", text)
    return re.sub(r":[0-9a-zA-Z]*-of", ":label-of", text)


def one_sense_text(text: str) -> str:
    """The last hyphen with digits among the letters, digits and hyphens of a concept becomes ``-01``."""
    return re.sub(r"(/ [a-zA-Z0-9-]+)-[0-9]+", r"\1-01", text)
