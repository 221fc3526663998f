"""Penman notation, in small: kinds of triples, what a token may look like, inverted roles, comment lines.

The kind of a triple says how the text wrote it:

====  ===================  ===================================================
kind  triple               written
====  ===================  ===================================================
0     instance             ``(b / boy``
1     attribute            ``:polarity -``: the target is a constant
2     relation             at its source: ``(w … :ARG0 (b …``
3     inverted relation    at its target: ``(b … :ARG0-of (w …``
====  ===================  ===================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress

from fastmatch.errors import FastmatchError, shortened

#: Kinds of triples.
INSTANCE, ATTRIBUTE, RELATION, INVERTED = 0, 1, 2, 3

#: Roles that end in ``-of`` without being the inverse of anything: penman's AMR model and smatch 1.0.4 agree on them.
NOT_INVERTED = frozenset((":consist-of", ":prep-on-behalf-of", ":prep-out-of"))

#: Patterns of tokens: a concept, a constant or a variable; a constant in quotes; a role; an alignment.
SYMBOL = r'(?!#)[^ \t\r\n\v\f"()/:~]+'
STRING = r'"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*"'
ROLE = r':[^ \t\r\n\v\f"()/:~]*'
ALIGNMENT = r"~(?:[a-z]\.?)?([0-9]+(?:,[0-9]+)*)"


def is_inverted(role: str) -> bool:
    """Whether a reader turns a relation written with this role around."""
    return role.endswith("-of") and role not in NOT_INVERTED


def bare(text: str | None) -> str:
    """A label without quotes around it, in lower case; nothing for None."""
    return "" if text is None else text.strip('"').lower()


def is_symbol(text: str) -> bool:
    """Whether a reader reads this as one concept or constant without quotes."""
    return re.fullmatch(SYMBOL, text) is not None


def is_string(text: str) -> bool:
    """Whether a reader reads this as one quoted string."""
    return re.fullmatch(STRING, text) is not None


def string_of(text: str) -> str:
    """The quoted string that holds a text."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def parse_alignment(text: str) -> tuple[int, ...]:
    """The token positions of an alignment: ``~e.4,5`` gives (4, 5).

    Raises
    ------
    FastmatchError
        If it is none. Readers make no such alignment, but a corpus made of arrays or a damaged file may hold it.
    """
    found = re.fullmatch(ALIGNMENT, text)
    if found is not None:
        with suppress(ValueError):  # Python reads no number of more than 4,300 digits
            return tuple(map(int, found[1].split(",")))
    raise FastmatchError(f"{shortened(text)!r} is no alignment; expected one such as '~e.4,5'")


def parse_metadata(comments: str) -> dict[str, str]:
    """Metadata of comment lines, by penman's rule.

    Each line is cut from the right at ``::``; a piece ``key value`` (split at the first space) sets ``key``, the value
    without white space at its right end; what stands before the first ``::`` counts for nothing. So of a key repeated
    in one line the leftmost wins, otherwise the last line.
    """
    metadata: dict[str, str] = {}
    for line in comments.split("\n"):
        end = len(line)
        while (start := line.rfind("::", 0, end)) >= 0:  # from the right: ':::a' is a key 'a' after a colon
            key, _, value = line[start + 2 : end].partition(" ")
            metadata[key] = value.rstrip()
            end = start
    return metadata


def format_metadata(metadata: Mapping[str, str] | None) -> str:
    """The comment lines ``# ::key value`` for it, one a key; line breaks in values become spaces."""
    lines = (f"# ::{key} {value}".rstrip() for key, value in (metadata or {}).items())
    return "\n".join(" ".join(line.splitlines()) for line in lines)


def joined_spans(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Spans of tokens, first and last, in order; those that touch or overlap are one."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return tuple(joined)
