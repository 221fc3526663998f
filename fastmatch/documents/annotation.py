"""Coreference annotations: which mentions of a document are of the same thing, from MS-AMR's XML or plain text.

MS-AMR (O'Gorman et al. 2018, part of the AMR 3.0 release) has a file of XML for each document::

    <document>
      <sentences docid="d1"> <amr id="d1.1" order="1"/> <amr id="d1.2" order="2"/> </sentences>
      <relations>
        <identity>
          <identchain relationid="rel-0">
            <mention id="d1.1" variable="p" concept="person"/>
            <mention id="d1.2" variable="s" concept="she"/>
            <implicitrole id="d1.2" parentvariable="g" parentconcept="go-02" argument="ARG0"/>
          </identchain>
        </identity>
        <singletons> <identchain relationid="rel-1"> … </identchain> </singletons>
        <bridging>
          <partwhole relationid="rel-2"> <whole id="rel-0"/> <part id="rel-1"/> </partwhole>
          <setmember relationid="rel-3"> <superset id="rel-0"/> <member id="rel-1"/> </setmember>
        </bridging>
      </relations>
    </document>

The plain format says the same in lines. A mention is written as the variable that it becomes in the document graph:
``s2.g`` is variable ``g`` of the second sentence, ``s2.g:ARG0`` its role that no word fills. Several documents may
stand in one file; lines that begin with ``#`` are comments::

    document d1
    sentence d1.1
    sentence d1.2
    chain rel-0 s1.p s2.s s2.g:ARG0
    chain rel-1 s2.w
    part rel-1 rel-0
    subset s2.b rel-0

``part A B`` says that A is a part of B, ``subset A B`` that A belongs to B; each is a chain or a mention.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from typing import NamedTuple

from fastmatch.errors import ReadError, error_in_row, shortened
from fastmatch.graphs.reading import contents
from fastmatch.graphs.sources import decoded


class Mention(NamedTuple):
    """A variable of a sentence, or a role of it that no word fills.

    Attributes
    ----------
    sentence : int
        Number of the sentence, from 0.
    variable : str
        The variable; of an implicit role, that of the predicate.
    role : str
        Of an implicit role, without colon; empty for a mention.
    line : int
        Where the annotation says so, from 1.
    """

    sentence: int
    variable: str
    role: str = ""
    line: int = 0


class Chain(NamedTuple):
    """Mentions of one thing; ``single`` if the annotation lists it as one that is mentioned once."""

    name: str
    mentions: tuple[Mention, ...]
    single: bool = False
    line: int = 0


class Bridge(NamedTuple):
    """Each of ``parts`` is a part of ``whole`` (kind ``"part"``), or belongs to it (``"subset"``).

    All are names of chains, or mentions such as ``s1.p``.
    """

    kind: str
    parts: tuple[str, ...]
    whole: str
    line: int = 0


@dataclass(frozen=True)
class Annotation:
    """The coreference annotation of one document.

    Attributes
    ----------
    name : str
        Id of the document.
    sentences : tuple of str
        The ``::id`` of each sentence, in order.
    chains : tuple of Chain
    bridges : tuple of Bridge
    source : str
        Name of the file, for messages.
    line : int
        Where the document begins, from 1.
    """

    name: str
    sentences: tuple[str, ...]
    chains: tuple[Chain, ...] = ()
    bridges: tuple[Bridge, ...] = ()
    source: str = "<string>"
    line: int = 0


def read_annotations(path: str | PathLike[str], *, root: str | PathLike[str] | None = None) -> list[Annotation]:
    """Read coreference annotations.

    Parameters
    ----------
    path : path
        A file of MS-AMR's XML, a file of plain text, a folder of such files, or a list of them (``*.fof``: a path a
        line). Files may be gzipped.
    root : path, optional
        The folder from which the paths of a list begin; by default that of the list.

    Raises
    ------
    ReadError
        If a file is no annotation; the message names file, line and column. If there is not one document in all.
    OSError
        If a file cannot be read.
    """
    path = fspath(path)
    if os.path.isdir(path):
        names = sorted(name for name in os.listdir(path) if not name.startswith("."))
        paths = [os.path.join(path, name) for name in names if os.path.isfile(os.path.join(path, name))]
        if not paths:
            raise ReadError("no files in this folder; expected coreference annotations", source=path)
    elif path.endswith(".fof"):
        listed = _text(*contents(path)).split("\n")
        folder = os.path.dirname(path) if root is None else fspath(root)
        paths = [os.path.join(folder, line.strip()) for line in listed if line.strip()]
    else:
        paths = [path]
    found: list[Annotation] = []
    for each in paths:
        name, data = contents(each)
        found += parse_annotations(data if isinstance(data, str) else bytes(data), source=name)
    if not found:
        raise ReadError("no document in it; expected coreference annotations", source=path)
    return found


def parse_annotations(text: str | bytes, *, source: str = "<string>") -> list[Annotation]:
    """Coreference annotations of a text: XML if its first character is ``<``, else the plain format.

    Raises
    ------
    ReadError
        If it is no annotation; the message names line and column.
    """
    start = text[:1000].lstrip()
    if isinstance(start, str):
        is_xml = start.lstrip("\ufeff").startswith("<")
    else:  # a document of XML may be in UTF-16
        is_xml = start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<" or start[:2] in (b"\xff\xfe", b"\xfe\xff")
    return [_Xml(source).parse(text)] if is_xml else _Plain(source).parse(_text(source, text))


def _text(source: str, data: str | bytes | bytearray | memoryview) -> str:
    return data if isinstance(data, str) else decoded(source, bytes(data)).removeprefix("\ufeff")


def _lines(text: str | bytes) -> list[str]:
    """The lines of a text, for messages: bytes that are no UTF-8 are shown as U+FFFD."""
    if not isinstance(text, str):
        text = text.decode("utf-8", "replace").removeprefix("\ufeff")
    return re.split(r"\r\n|\r|\n", text)


def _shown(word: str) -> str:
    """A word of a file as messages quote it, shortened when it is long."""
    return repr(shortened(word))


def _error(message: str, source: str, lines: list[str], line: int, column: int) -> ReadError:
    """An error at a place, with some of its line."""
    line = min(line, len(lines))
    whole = lines[line - 1]
    return error_in_row(message, source, line, min(column, len(whole) + 1), whole)


# ---- XML -------------------------------------------------------------------------------------------------------------


class _Xml:
    """One document of MS-AMR's XML, read as a stream.

    Declarations of entities are refused: a few lines of them can stand for gigabytes, and MS-AMR has none.
    """

    def __init__(self, source: str) -> None:
        from xml.parsers import expat

        self.source = source
        self.lines: list[str] = []
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.EntityDeclHandler = self.refuse
        self.error = expat.ExpatError
        self.path: list[str] = []
        self.name: str | None = None
        self.line = 0
        self.sentences: list[tuple[float, str]] = []
        self.numbers: dict[str, int] = {}
        self.chains: list[Chain] = []
        self.names: set[str] = set()
        self.mentions: list[Mention] = []
        self.chain: tuple[str, int] = ("", 0)
        self.opened = 0
        self.whole: list[str] = []
        self.parts: list[str] = []
        self.bridges: list[Bridge] = []
        self.steps: dict[str, Callable[[Mapping[str, str]], None]] = {
            "document": self.document,
            "document/sentences": self.of_sentences,
            "document/sentences/amr": self.sentence,
            "document/relations/identity/identchain": self.open_chain,
            "document/relations/identity/identchain/mention": self.mention,
            "document/relations/identity/identchain/implicitrole": self.implicit,
            "document/relations/singletons/identchain": self.open_chain,
            "document/relations/singletons/identchain/mention": self.mention,
            "document/relations/singletons/identchain/implicitrole": self.implicit,
            "document/relations/bridging/partwhole": self.open_bridge,
            "document/relations/bridging/partwhole/whole": self.of_whole,
            "document/relations/bridging/partwhole/part": self.of_part,
            "document/relations/bridging/setmember": self.open_bridge,
            "document/relations/bridging/setmember/superset": self.of_whole,
            "document/relations/bridging/setmember/member": self.of_part,
        }

    def parse(self, text: str | bytes) -> Annotation:
        self.lines = _lines(text)
        try:
            self.parser.Parse(text, True)
        except self.error as error:
            message = f"no XML: {str(error).partition(':')[0]}; expected a coreference annotation of MS-AMR"
            raise _error(message, self.source, self.lines, error.lineno, error.offset + 1) from None
        except UnicodeEncodeError:
            raise self.problem("half of a surrogate pair; expected text") from None
        except (LookupError, UnicodeError) as error:
            raise self.problem(f"no XML: {error}; expected a text in UTF-8") from None
        for bridge in self.bridges:
            for name in (*bridge.parts, bridge.whole):
                if name not in self.names:
                    raise self.problem(f"no chain {_shown(name)}, which a bridge names", bridge.line)
        assert self.name is not None
        sentences = tuple(name for _, name in sorted(self.sentences, key=lambda sentence: sentence[0]))
        # mentions were numbered as their sentences stand in the file
        place = {self.numbers[name]: number for number, name in enumerate(sentences)}
        chains = tuple(
            chain._replace(mentions=tuple(each._replace(sentence=place[each.sentence]) for each in chain.mentions))
            for chain in self.chains
        )
        return Annotation(self.name, sentences, chains, tuple(self.bridges), self.source, self.line)

    def problem(self, message: str, line: int | None = None) -> ReadError:
        column = self.parser.CurrentColumnNumber + 1 if line is None else 1
        return _error(message, self.source, self.lines, line or self.parser.CurrentLineNumber, column)

    def refuse(self, name: str, *_: object) -> None:
        raise self.problem(f"the document declares an entity ({name}); expected none, as in MS-AMR")

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.path.append(tag)
        if len(self.path) > 10:
            raise self.problem(f"<{tag}> is too deep for a coreference annotation of MS-AMR")
        if self.path == [tag] and tag != "document":
            raise self.problem(f"<{tag}>; expected <document>, a coreference annotation of MS-AMR")
        step = self.steps.get("/".join(self.path))
        if step is not None:
            step(attributes)
        elif tag in {path.rpartition("/")[2] for path in self.steps}:
            raise self.problem(f"<{tag}> does not belong into <{'/'.join(self.path[:-1])}>")

    def end(self, tag: str) -> None:
        if tag == "identchain":
            name, line = self.chain
            self.chains.append(Chain(name, tuple(self.mentions), "singletons" in self.path, line))
            self.mentions = []
        elif tag in ("partwhole", "setmember"):
            if len(self.whole) != 1 or not self.parts:
                raise self.problem(f"a bridge <{tag}> with {len(self.whole)} wholes and {len(self.parts)} parts")
            kind = "part" if tag == "partwhole" else "subset"
            self.bridges.append(Bridge(kind, tuple(self.parts), self.whole[0], self.opened))
        elif tag == "document" and len(self.path) == 1 and self.name is None:
            raise self.problem("a document without <sentences>")
        self.path.pop()

    def needed(self, attributes: Mapping[str, str], name: str) -> str:
        value = attributes.get(name)
        if not value:
            raise self.problem(f"<{self.path[-1]}> without {name}=")
        return value

    def document(self, attributes: Mapping[str, str]) -> None:
        self.line = self.parser.CurrentLineNumber

    def of_sentences(self, attributes: Mapping[str, str]) -> None:
        self.name = self.needed(attributes, "docid")

    def sentence(self, attributes: Mapping[str, str]) -> None:
        name, order = self.needed(attributes, "id"), attributes.get("order", "")
        if name in self.numbers:
            raise self.problem(f"sentence {_shown(name)} comes twice")
        if order and not re.fullmatch(r"[0-9]{1,9}", order):
            raise self.problem(f"order={order!r}; expected a number")
        self.numbers[name] = len(self.numbers)
        self.sentences.append((int(order) if order else len(self.numbers), name))

    def open_chain(self, attributes: Mapping[str, str]) -> None:
        name = self.needed(attributes, "relationid")
        if name in self.names:
            raise self.problem(f"chain {_shown(name)} comes twice")
        self.names.add(name)
        self.chain = (name, self.parser.CurrentLineNumber)

    def mention(self, attributes: Mapping[str, str]) -> None:
        self.add(attributes, self.needed(attributes, "variable"), "")

    def implicit(self, attributes: Mapping[str, str]) -> None:
        self.add(attributes, self.needed(attributes, "parentvariable"), self.needed(attributes, "argument"))

    def add(self, attributes: Mapping[str, str], variable: str, role: str) -> None:
        sentence = self.needed(attributes, "id")
        if sentence not in self.numbers:
            raise self.problem(f"no sentence {_shown(sentence)} in this document")
        self.mentions.append(Mention(self.numbers[sentence], variable, role, self.parser.CurrentLineNumber))

    def open_bridge(self, attributes: Mapping[str, str]) -> None:
        self.whole, self.parts, self.opened = [], [], self.parser.CurrentLineNumber

    def of_whole(self, attributes: Mapping[str, str]) -> None:
        self.whole.append(self.needed(attributes, "id"))

    def of_part(self, attributes: Mapping[str, str]) -> None:
        self.parts.append(self.needed(attributes, "id"))


# ---- plain text ------------------------------------------------------------------------------------------------------

#: A mention: number of the sentence, variable, and the role that no word fills.
_MENTION = re.compile(r"s([1-9][0-9]{0,8})\.([^\s:]+)(?::(\S+))?")


class _Plain:
    """Documents in the plain format; see the top of this module."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.lines: list[str] = []
        self.found: list[Annotation] = []
        self.place = (0, 0)
        self.name = ""
        self.begin = 0
        self.sentences: list[str] = []
        self.chains: list[Chain] = []
        self.names: set[str] = set()
        self.bridges: list[tuple[Bridge, tuple[int, int]]] = []

    def parse(self, text: str) -> list[Annotation]:
        self.lines = _lines(text)
        for number, line in enumerate(self.lines, 1):
            words = [(word[0], word.start() + 1) for word in re.finditer(r"\S+", line)]
            if not words or words[0][0].startswith("#"):
                continue
            self.place = (number, words[0][1])
            keyword, *rest = words
            if keyword[0] == "document":
                self.finish()
                self.name, self.begin = self.one(line, keyword, "the id of the document"), number
            elif not self.name:
                raise self.problem(f"{_shown(keyword[0])} before any document; expected 'document ID'")
            elif keyword[0] == "sentence":
                self.sentences.append(self.one(line, keyword, "the ::id of the sentence"))
            elif keyword[0] == "chain":
                self.chain(rest)
            elif keyword[0] in ("part", "subset"):
                if len(rest) != 2:
                    raise self.problem(f"{keyword[0]!r} with {len(rest)} names; expected two, of chains or mentions")
                bridge = Bridge(keyword[0], (rest[0][0],), rest[1][0], number)
                self.bridges.append((bridge, (rest[0][1], rest[1][1])))
            else:
                raise self.problem(
                    f"{_shown(keyword[0])}; expected document, sentence, chain, part, subset, or a comment (#)"
                )
        self.finish()
        return self.found

    def problem(self, message: str, place: tuple[int, int] | None = None) -> ReadError:
        return _error(message, self.source, self.lines, *(place or self.place))

    def one(self, line: str, keyword: tuple[str, int], what: str) -> str:
        rest = line[keyword[1] - 1 + len(keyword[0]) :].strip()
        if not rest:
            raise self.problem(f"{_shown(keyword[0])} without {what}")
        return rest

    def chain(self, words: list[tuple[str, int]]) -> None:
        if not words:
            raise self.problem("a chain without a name")
        (name, _), *rest = words
        if name in self.names:
            raise self.problem(f"chain {_shown(name)} comes twice")
        if not rest:
            raise self.problem(f"chain {_shown(name)} without mentions")
        self.names.add(name)
        mentions = tuple(self.mention(word, column) for word, column in rest)
        self.chains.append(Chain(name, mentions, False, self.place[0]))

    def mention(self, word: str, column: int) -> Mention:
        found = _MENTION.fullmatch(word)
        if not found:
            message = f"{_shown(word)}; expected a mention such as s2.b, variable b of sentence 2, or s2.b:ARG0"
            raise self.problem(message, (self.place[0], column))
        number = int(found[1])
        if number > len(self.sentences):
            message = f"{_shown(word)}: the document has {len(self.sentences)} sentences before this line"
            raise self.problem(message, (self.place[0], column))
        return Mention(number - 1, found[2], found[3] or "", self.place[0])

    def finish(self) -> None:
        """Close the document that is being read."""
        if not self.name:
            return
        for bridge, columns in self.bridges:
            for name, column in zip((*bridge.parts, bridge.whole), columns, strict=True):
                found = _MENTION.fullmatch(name)
                if name not in self.names and not (found and not found[3] and int(found[1]) <= len(self.sentences)):
                    message = f"{_shown(name)}; expected a chain of this document, or a mention such as s2.b"
                    raise self.problem(message, (bridge.line, column))
        bridges = tuple(bridge for bridge, _ in self.bridges)
        chains = tuple(self.chains)
        self.found.append(Annotation(self.name, tuple(self.sentences), chains, bridges, self.source, self.begin))
        self.name, self.sentences, self.chains, self.names, self.bridges = "", [], [], set(), []
