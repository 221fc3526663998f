"""Spans of tokens and relations between nodes: the parts of alignments and document relations of UMR."""

from __future__ import annotations

from typing import TypeAlias

#: First and last token, counted from 1.
Span: TypeAlias = tuple[int, int]
#: (head, relation, tail)
Relation: TypeAlias = tuple[str, str, str]


def joined_spans(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Spans in order, those that touch or overlap as one."""
    joined: list[Span] = []
    for first, last in sorted(spans):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return tuple(joined)


def joined_length(tokens: list[str], spans: tuple[Span, ...]) -> int:
    """Characters of the tokens in these spans, joined by blanks; those that do not exist do not count."""
    words = [word for first, last in joined_spans(spans) for word in tokens[first - 1 : last]]
    return sum(map(len, words)) + max(len(words) - 1, 0)
