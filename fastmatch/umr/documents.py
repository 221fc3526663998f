"""UMR documents: sentence graphs, alignments, and the relations that a document has across its sentences.

A document is a text of blocks, one a sentence, with two empty lines between them::

    1   The text of the sentence

    # sentence level graph:
    (s1s / see-01 :ARG0 (s1p / person) :ARG1 (s1d / dog))

    # alignment:
    s1s: 2-2
    s1p: 1-1
    s1d: 4-4

    # document level annotation:
    (s1s0 / sentence
        :temporal ((document-creation-time :before s1s))
        :modal ((author :full-affirmative s1s))
        :coref ((s1p :same-entity s0p)))

:func:`read` and :func:`parse` give a :class:`Document`; :func:`fastmatch.umr.scoring.score` compares two. A block
without any of the three headings is passed over. A block with one or two of them is an error, and so is a text that is
no document at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import TYPE_CHECKING

from fastmatch.errors import ReadError
from fastmatch.graphs.reading import contents

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ASPECTS", "Document", "Sentence", "parse", "read"]

#: Kinds of relations between the concepts of a document, in the order in which AnCast++ goes through them.
ASPECTS = ("temporal", "modal", "coref")

_HEADINGS = ("# sentence level graph:", "# alignment:", "# document level annotation:")


@dataclass(frozen=True)
class Sentence:
    """One sentence of a document.

    Attributes
    ----------
    text : str
        The sentence, without the number in front.
    graph : str
        Its graph as written.
    alignment : mapping of str → tuple of (int, int)
        Variable → first and last token, counted from 1. A variable that stands for no token is left out.
    relations : mapping of str → tuple of (head, relation, tail)
        For ``"temporal"``, ``"modal"`` and ``"coref"`` what the document level annotation holds, relations without the
        colon.
    line : int
        Line of the file in which the block begins, from 1.
    """

    text: str
    graph: str
    alignment: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    relations: Mapping[str, tuple[tuple[str, str, str], ...]] = field(default_factory=dict)
    line: int = 0

    def penman(self, text: str | None = None) -> str:
        """The graph with its sentence, or another text, as ``# ::snt``, and its alignment: what any metric reads."""
        # an empty line inside a graph would end its block
        lines = (line for line in self.graph.split("\n") if line.strip())
        spans = " ".join(f"{variable}: {first}-{last}" for variable, (first, last) in self.alignment.items())
        comments = [f"# ::snt {self.text if text is None else text}", *([f"# ::alignment {spans}"] if spans else [])]
        return "\n".join((*comments, *lines))


@dataclass(frozen=True)
class Document:
    """The sentences of a document; ``source`` is the name of its file, for messages."""

    sentences: tuple[Sentence, ...]
    source: str = "<string>"

    def __len__(self) -> int:
        return len(self.sentences)

    @property
    def graphs(self) -> list[str]:
        """Each sentence's :meth:`~Sentence.penman`: ``fm.score(pred.graphs, gold.graphs, metric="smatch")``."""
        return [sentence.penman() for sentence in self.sentences]


def read(path: str | PathLike[str]) -> Document:
    """Read a UMR document: a file in UTF-8, gzipped or not, or standard input under the name ``-``.

    Raises
    ------
    ReadError
        If it is no document, a block is no sentence of one, or the file is damaged gzip.
    OSError
        If the file cannot be read.
    """
    name, data = contents(fspath(path))
    if isinstance(data, str):
        return parse(data, source=name)
    data = bytes(data)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"byte 0x{data[error.start]:02x} is not UTF-8; expected a text file in UTF-8"
        raise ReadError(message, source=name, line=line, column=1) from None
    return parse(text, source=name)


def parse(text: str, *, source: str = "<string>") -> Document:
    """Read a UMR document from a string. White space alone is a document without sentences.

    Raises
    ------
    ReadError
        If it is no document, or a block is no sentence of one.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    gaps = [(gap.start(), gap.end()) for gap in re.finditer(r"\n(?:[^\S\n]*\n){2,}", text)] + [(len(text), len(text))]
    sentences = []
    start = 0
    for number, (stop, after) in enumerate(gaps):
        block = text[start:stop]
        found = [heading in block for heading in _HEADINGS]
        if (
            any(found)
            and not all(found)
            and after < len(text)
            and _HEADINGS[0] not in text[after : gaps[number + 1][0]]
        ):
            continue  # a part of a sentence that is empty leaves two empty lines as well
        if any(found):
            line = text.count("\n", 0, start + len(block) - len(block.lstrip())) + 1
            if not all(found):
                message = f"a sentence without {_HEADINGS[found.index(False)]!r}; expected {', '.join(_HEADINGS)}"
                raise ReadError(message, source=source, line=line, column=1)
            sentences.append(_sentence(block, source, line))
        start = after
    if not sentences and not text.isspace() and text:
        message = f"no UMR document; expected sentences with the headings {', '.join(map(repr, _HEADINGS))}"
        raise ReadError(message, source=source, line=1, column=1)
    return Document(tuple(sentences), source)


def _sentence(block: str, source: str, line: int) -> Sentence:
    text, _, rest = block.partition(_HEADINGS[0])
    graph, _, rest = rest.partition(_HEADINGS[1])
    alignment, found, annotation = rest.partition(_HEADINGS[2])
    if not found or not graph:
        raise ReadError("the headings of a sentence are out of order", source=source, line=line, column=1)
    return Sentence(
        " ".join(re.sub(r"^\s*\d+\s*", "", text).split()),
        graph.strip(),
        _alignment(alignment, source, line),
        {aspect: _relations(annotation, aspect) for aspect in ASPECTS},
        line,
    )


def _alignment(text: str, source: str, line: int) -> dict[str, tuple[int, int]]:
    """``variable: first-last`` a line; 0, a negative number or ``undefined`` stand for no token."""
    spans: dict[str, tuple[int, int]] = {}
    for entry in filter(None, map(str.strip, text.splitlines())):
        if entry.startswith("#"):
            continue
        variable, colon, span = (part.strip() for part in entry.partition(":"))
        if not colon:
            message = f"expected 'variable: first-last' in an alignment, found {entry!r}"
            raise ReadError(message, source=source, line=line, column=1)
        numbers = re.fullmatch(r"(\d+)-(\d+)", span, re.ASCII)
        if numbers and int(numbers[1]) > 0:
            spans[variable] = int(numbers[1]), int(numbers[2])
    return spans


def _relations(text: str, aspect: str) -> tuple[tuple[str, str, str], ...]:
    """The triples ``(head :relation tail)`` in the brackets behind the first ``:aspect``."""
    opening = re.search(rf":{aspect}\s*\(", text)
    if opening is None:
        return ()
    depth = 1
    for bracket in re.finditer(r"[()]", text[opening.end() :]):
        depth += 1 if bracket[0] == "(" else -1
        if depth == 0:
            text = text[opening.end() :][: bracket.start()]
            break
    else:
        return ()
    return tuple(re.findall(r"\(\s*([^\s():]+)\s+:(\S+)\s+([^\s()]+)\s*\)", text))
