from __future__ import annotations

import re
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

from fastmatch.errors import OptionError
from fastmatch.evaluation.inputs import of_objects, parsed
from fastmatch.graphs import reading
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable


class _Text(NamedTuple):
    """What one side holds before it is read: one string with all graphs, or one string for each."""

    side: str
    name: str | None
    text: str | list[str]

    def read(self, rewrite: Callable[[str], str] | None, dialect: str, on_error: str, vocabulary: Vocabulary) -> Corpus:
        if not isinstance(self.text, str):
            texts = self.text if rewrite is None else [rewrite(text) for text in self.text]
            return parsed(self.side, texts, dialect, on_error, vocabulary)
        text = self.text if rewrite is None else rewrite(self.text)
        if self.name is None:
            return parsed(self.side, text, dialect, on_error, vocabulary)
        stream: Any = _Stream(self.name, text)
        return reading.read(stream, dialect=dialect, on_error=on_error, vocabulary=vocabulary)  # type: ignore[arg-type]


class _Stream(NamedTuple):
    name: str
    text: str

    def read(self) -> bytes:
        return self.text.encode("utf-8", "surrogateescape")


def old_text(side: str, graphs: Any) -> _Text:
    if isinstance(graphs, str):
        return _Text(side, None, graphs)
    if isinstance(graphs, PathLike):
        name, data = reading.contents(graphs)
        return _Text(side, name, data if isinstance(data, str) else bytes(data).decode("utf-8", "surrogateescape"))
    if not isinstance(graphs, Corpus):
        graphs = [graphs] if not hasattr(graphs, "__iter__") else list(graphs)
        if all(isinstance(graph, str) for graph in graphs):
            return _Text(side, None, graphs)
        graphs = of_objects(side, graphs, "penman", None)
    if graphs.dialect != "penman":
        raise OptionError(
            f"preset 'tool' rewrites the text before it is read; {side} was read with dialect={graphs.dialect!r}: "
            "give its path or its text"
        )
    return _Text(side, None, [graph.encode() for graph in graphs])


def _unlabelled_text(text: str) -> str:
    """Every colon and the letters, digits and hyphens behind it, in comments and strings as well."""
    return re.sub(r":[a-zA-Z0-9-]*", ":label", text)


def _half_unlabelled_text(text: str) -> str:
    """The same up to the first hyphen, and an ``-of`` there stays.

    Two passes: the first takes one character less before ``-of``, which is why the second has to clean up.
    """
    text = re.sub(r":[0-9a-zA-Z]*(?!-of)", ":label", text)
    return re.sub(r":[0-9a-zA-Z]*-of", ":label-of", text)


def _one_sense_text(text: str) -> str:
    """The last hyphen with digits among the letters, digits and hyphens of a concept becomes ``-01``."""
    return re.sub(r"(/ [a-zA-Z0-9-]+)-[0-9]+", r"\1-01", text)


REWRITING = {
    "damonte": (_unlabelled_text, _one_sense_text),
    "enhanced": (_half_unlabelled_text, _one_sense_text),
    "s2match": (_half_unlabelled_text, _one_sense_text),
}
