"""UMR documents: sentence graphs, alignments, and the relations that a document has across its sentences.

A sentence is a header and three parts, each under its heading::

    # :: snt1
    Index: 1  2   3   4   5
    Words: A  man saw the dog

    # sentence level graph:
    (s1s / see-01 :ARG0 (s1p / person) :ARG1 (s1d / dog))    # a comment

    # alignment:
    s1s: 3-3
    s1p: 1-2
    s1d: 4-4, 5-5                         # tokens, counted from 1

    # document level annotation:
    (s1s0 / sentence
        :temporal ((document-creation-time :before s1s))
        :modal ((author :full-affirmative s1s))
        :coref ((s1p :same-entity s0p)))

The header may also be a line with a number and the sentence (``1   A man saw the dog``). Two empty lines end a
sentence. Where a file has them between the parts as well, the headings tell which parts belong together. A ``#`` begins
a comment up to the end of its line; in a graph only where a word could begin, so that ``"C#"`` is a string.

:func:`read` and :func:`parse` give a :class:`Document`; :func:`fastmatch.umr.scoring.score` compares two. Text between
sentences that looks like no sentence is passed over. A sentence without one of its parts is an error, and so is a text
that is no document at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import IO, Any, Literal, NamedTuple, TypeAlias

from fastmatch.errors import ReadError, choice, error_in_row, shortened
from fastmatch.graphs.notation import joined_spans
from fastmatch.graphs.reading import contents
from fastmatch.graphs.sources import decoded
from fastmatch.report.cells import count

#: First and last token, counted from 1.
Span: TypeAlias = tuple[int, int]
#: (head, relation, tail)
Relation: TypeAlias = tuple[str, str, str]


def joined_length(tokens: list[str], spans: tuple[Span, ...]) -> int:
    """Characters of the tokens in these spans, joined by blanks; those that do not exist do not count."""
    words = [word for first, last in joined_spans(spans) for word in tokens[first - 1 : last]]
    return sum(map(len, words)) + max(len(words) - 1, 0)


#: What becomes of a part of a sentence that cannot be read.
OnErrorRead: TypeAlias = Literal["raise", "empty"]

#: Kinds of relations between the concepts of a document, in the order in which AnCast++ goes through them.
ASPECTS = ("temporal", "modal", "coref")

_HEADINGS = ("# sentence level graph:", "# alignment:", "# document level annotation:")
_GRAPH, _ALIGNMENT, _ANNOTATION = range(3)
_HEADING = re.compile(r"\s*#\s*(?:(sentence level graph)|(alignment)|(document level annotation))\s*:", re.IGNORECASE)
# a line that begins the header of a sentence
_BEGINNING = re.compile(r"\s*(?:#{4,}|#\s*::|#\s*meta-info|Index:|Words:|Sentence:|\d+\s+\S)")
_NUMBERED = re.compile(r"\s*(?:#\s*::\s*snt|Words:|\d+\s+\S)")
# a line of a graph, an alignment or an annotation, if it stands apart from the rest
_CONTINUED = re.compile(r"\s*[(:)]|(?!\s*(?:Words|Sentence|Index)\b)\s*\S+\s*:\s*(?:[\d-]|undefined)")
_WORDS = re.compile(r"\s*Words:(.*)")
_SENTENCE = re.compile(r"\s*Sentence:(.*)")
_SNT = re.compile(r"\s*#\s*::\s*snt\d*\s(.*)")
# a string that ends on its line, a comment, a bracket, a role or another word
_PENMAN = re.compile(r'"(?:[^"\\]|\\.)*"|(#.*)|[()"]|[^\s()"]+')
_SPANS = re.compile(r"\d+-\d+(?:\s*,\s*\d+-\d+)*", re.ASCII)
_NOWHERE = re.compile(r"0+-0+|-\d+--?\d+|\d+--\d+|.*undefined.*|", re.ASCII)
_TOKEN = re.compile(r"[()/]|:?[^\s()/:]+|:")


class Written(NamedTuple):
    """The other parts of a sentence as they are written: header, alignment and annotation, and where the graph is.

    Presets that read as another program read these. ``line`` and ``column`` are those of the graph's first character,
    counted from 1.
    """

    header: str = ""
    alignment: str = ""
    annotation: str = ""
    line: int = 0
    column: int = 1


@dataclass(frozen=True)
class Sentence:
    """One sentence of a document.

    Attributes
    ----------
    text : str
        The sentence: what stands behind ``Words:``, else behind ``Sentence:`` or ``# :: snt1``, else the header without
        comments and without the number in front.
    graph : str
        Its graph as written, comments included.
    alignment : mapping of str → tuple of (int, int)
        Variable → the first and the last token of each run of tokens, counted from 1, in order, so that ``4-4, 2-3`` is
        ``((2, 4),)``. A variable that stands for no token is left out.
    relations : mapping of str → tuple of (head, relation, tail)
        For ``"temporal"``, ``"modal"`` and ``"coref"``, and for other groups that there are, what the document level
        annotation holds, relations without the colon.
    line : int
        Line of the file in which the sentence begins, from 1.
    written : Written
        The other parts as they are written.
    """

    text: str
    graph: str
    alignment: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    relations: Mapping[str, tuple[Relation, ...]] = field(default_factory=dict)
    line: int = 0
    written: Written = field(default=Written(), repr=False)

    def penman(self, text: str | None = None) -> str:
        """The graph with its sentence, or another text, as ``# ::snt``, and its alignment: what any metric reads.

        Comments inside the graph are left out.
        """
        return self.block(text)[0]

    def block(self, text: str | None = None, comments: bool = False, id: str | None = None) -> tuple[str, list[int]]:
        """As :meth:`penman`, perhaps with the comments inside the graph, and the line of the file of each of its lines.

        Lines that are not from the graph have number 0; a line ``# ::id`` is one of them.
        """
        spelled = {v: ",".join(f"{first}-{last}" for first, last in spans) for v, spans in self.alignment.items()}
        spans = " ".join(f"{variable}: {text}" for variable, text in spelled.items())
        lines = [f"# ::snt {self.text if text is None else text}", *([f"# ::alignment {spans}"] if spans else [])]
        lines = [*([] if id is None else [f"# ::id {id}"]), *lines]
        numbers = [0] * len(lines)
        for number, line in enumerate(self.graph.split("\n"), self.written.line):
            row = line if comments else without_comment(line)
            if row.strip():  # an empty line inside a graph would end its block
                lines.append(row)
                numbers.append(number)
        return "\n".join(lines), numbers


@dataclass(frozen=True)
class Document:
    """The sentences of a document.

    Attributes
    ----------
    sentences : tuple of Sentence
    source : str
        Name of its file, for messages.
    problems : tuple of (int, str)
        Sentences of which a part could not be read (``on_error="empty"``), counted from 0; what is wrong and where.
    text : str
        The whole text, for presets that read it as another program does.
    """

    sentences: tuple[Sentence, ...]
    source: str = "<string>"
    problems: tuple[tuple[int, str], ...] = ()
    text: str = field(default="", compare=False)

    def __repr__(self) -> str:
        unread = f", {count(len(self.problems), 'problem')}" if self.problems else ""
        return f"<Document {self.source!r}: {count(len(self), 'sentence')}{unread}>"

    def __len__(self) -> int:
        return len(self.sentences)

    @property
    def graphs(self) -> list[str]:
        """Each sentence's :meth:`~Sentence.penman`: ``fm.score(pred.graphs, gold.graphs, metric="smatch")``."""
        return [sentence.penman() for sentence in self.sentences]


def read(path: str | PathLike[str] | IO[str] | IO[bytes], *, on_error: OnErrorRead = "raise") -> Document:
    """Read a UMR document: a file in UTF-8, gzipped or not, or standard input under the name ``-``.

    Parameters
    ----------
    path : str, path object or open file
    on_error : {"raise", "empty"}
        As for :func:`parse`.

    Raises
    ------
    ReadError
        If it is no document, a part of a sentence cannot be read, or the file is damaged gzip.
    OptionError
        If ``on_error`` has no such value.
    OSError
        If the file cannot be read.
    """
    name, text = read_text(path)
    return parse(text, source=name, on_error=on_error)


def read_text(path: str | PathLike[str] | IO[str] | IO[bytes], *, mark: bool = False) -> tuple[str, str]:
    """Name and text of a file, perhaps with its byte-order mark, for :func:`read`; it raises what that raises."""
    name, data = contents(path)
    if isinstance(data, str):
        return name, data
    text = decoded(name, bytes(data))
    return name, text if mark else text.removeprefix("\ufeff")


def parse(text: str, *, source: str = "<string>", on_error: OnErrorRead = "raise") -> Document:
    """Read a UMR document from a string. White space alone is a document without sentences.

    Parameters
    ----------
    text : str
    source : str
        What messages call it.
    on_error : {"raise", "empty"}
        What becomes of an alignment or an annotation that cannot be read, or of a sentence without one of its parts: an
        error, or nothing in its place and an entry in ``problems``. Graphs are not looked into here.

    Raises
    ------
    ReadError
        If it is no document, or with ``on_error="raise"`` a part of a sentence cannot be read.
    OptionError
        If ``on_error`` has no such value.
    """
    return document_of(text, source, on_error, tool=False)


def document_of(text: str, source: str, on_error: OnErrorRead, tool: bool) -> Document:
    """As :func:`parse`; with ``tool`` alignments and annotations that cannot be read are empty, and no problem.

    That is for presets that read these parts as they are written.
    """
    choice("on_error", on_error, ("raise", "empty"))
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    drafts = list(_drafts(lines))
    if not drafts and not text.isspace() and text:
        message = f"no UMR document; expected sentences with the headings {', '.join(map(repr, _HEADINGS))}"
        raise ReadError(message, source=source, line=1, column=1)
    problems: list[tuple[int, _Fault]] = []
    sentences = tuple(_sentence(draft, k, problems, tool) for k, draft in enumerate(drafts))
    if problems and on_error == "raise":
        _, fault = min(problems, key=lambda problem: (problem[1].line, problem[1].column))
        raise fault.error(source, lines)
    return Document(sentences, source, tuple((k, str(fault.error(source, lines))) for k, fault in problems), text)


def without_comment(line: str) -> str:
    """A line of a graph up to the ``#`` that begins a comment: one that is neither in a string nor in a word."""
    if "#" not in line:
        return line
    for token in _PENMAN.finditer(line):
        if token[1] is not None:
            return line[: token.start()]
    return line


# ---- sentences -------------------------------------------------------------------------------------------------------


class _Fault(Exception):
    """What is wrong, and the place, both counted from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message, self.line, self.column = message, line, column

    def error(self, source: str, lines: list[str]) -> ReadError:
        return error_in_row(self.message, source, self.line, self.column, lines[self.line - 1])


def _unexpected(wanted: str, found: str, line: int, column: int) -> _Fault:
    return _Fault(f"expected {wanted}, found {shortened(found)!r}", line, column)


@dataclass
class _Part:
    """A part of a sentence: which, where it begins, and its lines, the first of which stands behind the heading."""

    kind: int
    line: int
    column: int
    rows: list[str]

    def __bool__(self) -> bool:
        return any(row.strip() for row in self.rows)

    def places(self) -> Iterator[tuple[int, int, str]]:
        """Number, column and text of each line."""
        for number, row in enumerate(self.rows):
            yield self.line + number, 1 if number else self.column, row


@dataclass
class _Draft:
    """Header and parts of a sentence, before they are looked into; ``line`` is where it begins."""

    line: int
    header: list[str]
    parts: list[_Part]


def _drafts(lines: list[str]) -> Iterator[_Draft]:
    """The sentences of a text.

    The text falls into *chunks*, between which there are at least two empty lines. A chunk is a sentence, or where a
    file has two empty lines between the parts, or inside of one, a part of it.
    """
    draft: _Draft | None = None
    header: tuple[int, list[str]] | None = None
    for first, last in _chunks(lines):
        # what stands before the chunk's first heading
        heading = next((k for k in range(first, last) if _HEADING.match(lines[k])), last)
        if heading > first:
            rows = lines[first:heading]
            if draft is not None and header is None and _continues(draft, rows, heading < last):
                part = draft.parts[-1]
                part.rows += lines[part.line - 1 + len(part.rows) : heading]
            else:
                if header is not None and _any(_NUMBERED, header[1]):
                    if draft is not None:
                        yield draft
                    draft = None
                    yield _Draft(*header, [])
                header = first + 1, rows
        while heading < last:
            match = _HEADING.match(lines[heading])
            assert match is not None and match.lastindex is not None
            kind = match.lastindex - 1
            after = next((k for k in range(heading + 1, last) if _HEADING.match(lines[k])), last)
            rows = lines[heading:after]
            rows[0] = rows[0][match.end() :]
            part = _Part(kind, heading + 1, match.end() + 1, rows)
            if draft is None or header is not None or any(other.kind == kind for other in draft.parts):
                if draft is not None:
                    yield draft
                draft = _Draft(*(header or (heading + 1, [])), [])
                header = None
            draft.parts.append(part)
            if kind == _ANNOTATION:
                # one empty line between two sentences: the header of the next one stands below the annotation
                border = _border(rows)
                if border < len(rows):
                    header = heading + border + 1, rows[border:]
                    del rows[border:]
            heading = after
    if draft is not None:
        yield draft
    if header is not None and _any(_NUMBERED, header[1]) and draft is not None:
        yield _Draft(*header, [])


def _chunks(lines: list[str]) -> Iterator[tuple[int, int]]:
    """First and last line, exclusive, of what stands between two or more empty lines, counted from 0."""
    first = last = -1
    for number, line in enumerate(lines):
        if line.strip():
            if first >= 0 and number - last > 2:
                yield first, last + 1
                first = -1
            if first < 0:
                first = number
            last = number
    if first >= 0:
        yield first, last + 1


def _continues(draft: _Draft, rows: list[str], headed: bool) -> bool:
    """Whether lines that stand apart belong to the last part of the sentence, and are no header of the next one."""
    part = draft.parts[-1]
    if (part.kind == _ANNOTATION and part) or _any(_NUMBERED, rows):
        return False
    row = next((row for row in rows if row.strip() and not row.lstrip().startswith("#")), None)
    return (row is None and not headed) or (row is not None and _CONTINUED.match(row) is not None)


def _any(pattern: re.Pattern[str], rows: list[str]) -> bool:
    return any(map(pattern.match, rows))


def _border(rows: list[str]) -> int:
    """The first line that belongs to the next sentence's header: one behind an empty line that looks like it."""
    for k in range(1, len(rows)):
        if not rows[k - 1].strip() and _BEGINNING.match(rows[k]):
            return k
    return len(rows)


def _sentence(draft: _Draft, number: int, problems: list[tuple[int, _Fault]], tool: bool) -> Sentence:
    """The sentence; what cannot be read becomes a problem, in alignment and annotation only without ``tool``."""
    kinds = [part.kind for part in draft.parts]
    parts: dict[int, _Part] = {part.kind: part for part in draft.parts}
    if len(kinds) < len(_HEADINGS):
        lacking = next(_HEADINGS[kind] for kind in range(len(_HEADINGS)) if kind not in kinds)
        message = f"a sentence without {lacking!r}; expected {', '.join(_HEADINGS)}"
        problems.append((number, _Fault(message, draft.line, 1)))
        parts = {}  # where a heading is missing, a part holds what belongs to another
    elif kinds != sorted(kinds):
        place = next(part for k, part in enumerate(draft.parts) if part.kind != k)
        problems.append((number, _Fault("the headings of a sentence are out of order", place.line, 1)))
    empty = _Part(0, 0, 1, [])
    graph, alignment, annotation = (parts.get(kind, empty) for kind in range(len(_HEADINGS)))
    found: list[dict[str, Any]] = []
    for part, read_part in ((alignment, _alignment), (annotation, _relations)):
        try:
            found.append(read_part(part))
        except _Fault as fault:
            found.append({})
            if not tool:
                problems.append((number, fault))
    spans, relations = found
    text, line, column = _trimmed(graph)
    written = Written("\n".join(draft.header), "\n".join(alignment.rows), "\n".join(annotation.rows), line, column)
    return Sentence(_text(draft.header), text, spans, {**dict.fromkeys(ASPECTS, ()), **relations}, draft.line, written)


def _trimmed(part: _Part) -> tuple[str, int, int]:
    """The text of a part without white space around it, and the place where it begins."""
    for number, column, row in part.places():
        if row.strip():
            text = "\n".join(part.rows[number - part.line :]).strip()
            return text, number, column + len(row) - len(row.lstrip())
    return "", part.line, part.column


def _text(header: list[str]) -> str:
    """The words of a sentence, one space between them."""
    for pattern in (_WORDS, _SENTENCE, _SNT):
        for row in header:
            found = pattern.match(row)
            if found and found[1].strip():
                return " ".join(found[1].split())
    text = " ".join(row for row in header if not row.lstrip().startswith("#"))
    return " ".join(re.sub(r"^\s*\d+\s*", "", text).split())


# ---- alignments ------------------------------------------------------------------------------------------------------


def _alignment(part: _Part) -> dict[str, tuple[Span, ...]]:
    """``variable: first-last, first-last …`` a line; 0, a negative number or ``undefined`` stand for no token."""
    found: dict[str, tuple[Span, ...]] = {}
    for line, column, row in part.places():
        entry = row.partition("#")[0]
        if not entry.strip():
            continue
        at = column + len(entry) - len(entry.lstrip())
        variable, colon, spans = entry.partition(":")
        name, said = variable.strip(), spans.strip()
        if not colon or not name or " " in name:
            raise _unexpected("'variable: first-last' in an alignment", entry.strip(), line, at)
        if _NOWHERE.fullmatch(said):
            found.pop(name, None)
            continue
        at = column + len(variable) + 1 + len(spans) - len(spans.lstrip())
        if not _SPANS.fullmatch(said):
            raise _unexpected("tokens such as 2-3 or 2-3, 5-5 in an alignment", said, line, at)
        found[name] = _joined(said, line, at)
    return found


def _joined(said: str, line: int, column: int) -> tuple[Span, ...]:
    """Spans in order, those that touch or overlap as one."""
    spans: list[Span] = []
    for each in re.finditer(r"(\d+)-(\d+)", said):
        if max(map(len, each.groups())) > 9:
            raise _Fault(f"no sentence has so many tokens: {shortened(each[0])!r}", line, column + each.start())
        first, last = int(each[1]), int(each[2])
        if not 0 < first <= last:
            wanted = "tokens from first to last, counted from 1, in an alignment"
            raise _unexpected(wanted, each[0], line, column + each.start())
        spans.append((first, last))
    return joined_spans(tuple(spans))


# ---- relations -------------------------------------------------------------------------------------------------------


class _Token(NamedTuple):
    text: str
    line: int
    column: int


def _relations(part: _Part) -> dict[str, tuple[Relation, ...]]:
    """``(name / sentence :group ((head :relation tail) …) …)``; a group of one relation may lack its own brackets."""
    tokens = [
        _Token(token[0], line, column + token.start())
        for line, column, row in part.places()
        for token in _TOKEN.finditer(row.partition("#")[0])
    ]
    if not tokens:
        return {}
    found: dict[str, list[Relation]] = {}
    group: list[Relation] | None = None
    opened: list[_Token] = []  # the bracket of the sentence, and that of the group
    at = 0
    if [token.text for token in tokens[:3:2]] == ["(", "/"] and len(tokens) > 3:
        opened.append(tokens[0])
        at = 4
    outer = len(opened)
    while at < len(tokens):
        token = tokens[at]
        following = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if token.text[0] == ":" and len(opened) == outer:
            group = found.setdefault(token.text[1:], [])
        elif token.text == "(" and group is not None and len(opened) == outer and following in ("(", ")"):
            opened.append(token)
        elif token.text == "(" and group is not None:
            group.append(_relation(tokens, at))
            at += 4
        elif token.text == ")" and opened:
            opened.pop()
            if len(opened) < outer:
                outer, group = 0, None
                if at + 1 < len(tokens):
                    raise _unexpected("nothing behind the last bracket of an annotation", *tokens[at + 1])
        else:
            raise _unexpected("':group ((head :relation tail) …)' in an annotation", *token)
        at += 1
    if opened:
        raise _Fault("a bracket of an annotation is not closed", opened[-1].line, opened[-1].column)
    return {name: tuple(relations) for name, relations in found.items()}


def _relation(tokens: list[_Token], at: int) -> Relation:
    """The relation that begins with this bracket."""
    inner = tokens[at + 1 : at + 5]
    good = ("word", ":", "word", ")")
    for token, expected in zip(inner, good, strict=False):
        if (token.text[0] if token.text[0] in "()/:" else "word") != expected:
            raise _unexpected("'(head :relation tail)' in an annotation", *token)
    if len(inner) < len(good):
        raise _Fault("a bracket of an annotation is not closed", tokens[at].line, tokens[at].column)
    return inner[0].text, inner[1].text[1:], inner[2].text
