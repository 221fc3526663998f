"""What the package ancast 0.1.1 reads of the header and of the annotation of a sentence, for ``preset="tool"``.

The package knows no comments here and looks for patterns. A group of relations is read only if it begins with two
brackets side by side and every line of it ends with a bracket. So a comment behind a relation costs the group, and
relations in a comment whose line ends with a bracket count. The package's patterns may take exponential time; the
functions here take time that is linear in the text, or nearly so.
"""

from __future__ import annotations

import re

from fastmatch.umr.documents import ASPECTS, Relation, Sentence

_BLANK = re.compile(r"\s*")
_WORD = re.compile(r"\S*")


def text_of(sentence: Sentence) -> str:
    """The whole header without the number in front: what the package takes for the sentence."""
    return " ".join(re.sub(r"^\s*\d+\s*", "", sentence.written.header).split())


def relations_of(sentence: Sentence) -> dict[str, tuple[Relation, ...]]:
    """The relations of each kind, in the order of the text."""
    annotation = sentence.written.annotation
    return {aspect: tuple(_triples(_group(annotation, aspect))) for aspect in ASPECTS}


def _group(text: str, aspect: str) -> str:
    """What stands in the first brackets behind ``:aspect`` that hold nothing but relations."""
    for opening in re.finditer(rf":{aspect}\s*\(", text):
        stop = _closing(text, opening.end())
        if stop >= 0:
            return text[opening.end() : stop]
    return ""


def _closing(text: str, start: int) -> int:
    """Place of the bracket that closes a group which begins at ``start``, or -1.

    An item of a group goes from a bracket to a closing one on the same line, the last one if possible, with a colon in
    between. White space follows, then the next item, or the bracket that closes the group. Only behind the last bracket
    of a line a new line can begin, and what is tried for an item in the middle of a line has been tried before for the
    item at its beginning. So it is enough to go down the lines and then back.
    """
    items: list[tuple[int, int]] = []  # behind the first colon, end of the line
    place = start
    while text[place : place + 1] == "(":
        line = text.find("\n", place)
        line = len(text) if line < 0 else line
        colon = text.find(":", place, line)
        last = text.rfind(")", place, line)
        if colon < 0 or last < colon:
            break
        items.append((colon + 1, line))
        place = _skip(text, last + 1)
        if place < line:
            break
    if text[place : place + 1] == ")":
        return place
    for colon, line in reversed(items):
        bracket = text.rfind(")", colon, line)
        while bracket >= 0:
            place = _skip(text, bracket + 1)
            if text[place : place + 1] == ")":
                return place
            bracket = text.rfind(")", colon, bracket)
    return -1


def _triples(text: str) -> list[Relation]:
    """The triples ``(head :relation tail)``, between whose parts blanks may be missing."""
    found: list[Relation] = []
    place = text.find("(")
    while place >= 0:
        place += 1
        triple = _triple(text, place)
        if triple is not None:
            *relation, place = triple
            found.append((relation[0], relation[1], relation[2]))
        place = text.find("(", place)
    return found


def _triple(text: str, start: int) -> tuple[str, str, str, int] | None:
    """Head, relation, tail of the triple whose head begins here, and its end.

    The head is as long as possible, then the relation; the tail is as short as possible, and may be empty.
    """
    stop = _end(text, start)
    colon = _skip(text, stop)
    if colon > stop and text[colon : colon + 1] == ":":
        tail = _end(text, colon)
        bracket = _bracket(text, tail)
        if bracket >= 0:
            return text[start:stop], text[colon + 1 : tail], text[_skip(text, tail) : bracket], bracket + 1
        bracket = text.rfind(")", colon, tail)
        if bracket >= 0:
            return text[start:stop], text[colon + 1 : bracket], "", bracket + 1
    # head and relation are one word
    colon = text.rfind(":", start, stop)
    if colon < 0:
        return None
    bracket = _bracket(text, stop)
    if bracket >= 0:
        return text[start:colon], text[colon + 1 : stop], text[_skip(text, stop) : bracket], bracket + 1
    bracket = text.rfind(")", start, stop)
    colon = text.rfind(":", start, bracket) if bracket >= 0 else -1
    return (text[start:colon], text[colon + 1 : bracket], "", bracket + 1) if colon >= 0 else None


def _bracket(text: str, stop: int) -> int:
    """The first closing bracket in the word behind the white space that begins at ``stop``, or -1."""
    word = _skip(text, stop)
    return text.find(")", word, _end(text, word)) if word > stop else -1


def _skip(text: str, place: int) -> int:
    return _BLANK.match(text, place).end()  # type: ignore[union-attr]


def _end(text: str, place: int) -> int:
    return _WORD.match(text, place).end()  # type: ignore[union-attr]
