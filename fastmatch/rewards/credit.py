"""Credit for each token: which characters of an answer earned how much of its score.

The score of an answer is a number for all of it. A trainer that takes rewards for each token can give them where they
were earned: each triple of the predicted graph that matches has an equal share of the score, and stands at certain
characters of the answer. The concept of a node stands where it is written, a relation where its role and the variable
at its end are, an attribute where role and value are, and the triple of the root at the root's variable.
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from html import escape
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fastmatch._ext.reading.extract import locate
from fastmatch._ext.reading.repair import mend
from fastmatch.errors import OptionError
from fastmatch.graphs.extracting import check_where
from fastmatch.graphs.reading import parse
from fastmatch.metrics.choosing import chosen_metric
from fastmatch.metrics.run import run
from fastmatch.results.alignment import Alignment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fastmatch.types import Effort, Triple, Where

    Span = tuple[int, int]

__all__ = ["Credit", "TripleCredit", "credit"]

_TOKEN = re.compile(
    r"""(?P<string>"[^"\\]*(?:\\.[^"\\]*)*")|(?P<role>:[^\s()/~]*)|(?P<open>\()|(?P<close>\))|(?P<slash>/)
    |(?P<alignment>~[a-z]?\.?[0-9]+(?:,[0-9]+)*)|(?P<comment>\#[^\n]*)|(?P<symbol>[^\s()/~]+)|(?P<other>\S)""",
    re.VERBOSE,
)
#: Places of the two graphs in a corpus.
_ANSWER_AND_GOLD = np.array([1], np.int32), np.array([0], np.int32)
#: Tokens of the answer that are looked through for the next token of its mended text.
_AHEAD = 30
_COLOURS = {True: ("\x1b[32m", "#c8f0c8"), False: ("\x1b[31m", "#f6cfcf")}


class TripleCredit(NamedTuple):
    """What one triple of the predicted graph earned.

    Attributes
    ----------
    triple : (str, str, str)
        As it was written; the root's is ``(variable, ":TOP", "top")``.
    matched : bool
        It is a triple of the gold graph, too.
    share : float
        Of the score; 0 if it is not matched.
    spans : tuple of (int, int)
        Where it stands in the answer: characters from 0, the second number behind the last one. Empty where a repair
        filled in what was missing.
    """

    triple: Triple
    matched: bool
    share: float
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Credit:
    """What an answer earned, and where.

    Attributes
    ----------
    text : str
        The answer.
    score : float
        Smatch F1; the sum of all shares, to the last bit (:func:`math.fsum`).
    valid : bool
        A graph was found, and could be read (mended, if that is wanted). If not, there are no triples.
    repaired : int
        Repairs that it took.
    certified : bool
        No map of variables matches more triples.
    triples : tuple of TripleCredit
        In the order of the text, the root's first.
    missing : tuple of (triple, str or None)
        The gold graph's triples that are not matched, each with the variable of the prediction where it belongs: that
        which stands for its source, or None.
    """

    text: str
    score: float
    valid: bool
    repaired: int
    certified: bool
    triples: tuple[TripleCredit, ...]
    missing: tuple[tuple[Triple, str | None], ...]

    def to_tokens(self, offsets: Sequence[Sequence[int]]) -> list[float]:
        """The score, divided among tokens.

        Parameters
        ----------
        offsets : sequence of (int, int)
            Where each token stands in the answer, as tokenizers of Hugging Face give it (``offset_mapping``).
            ``(0, 0)`` is a token that stands nowhere.

        Returns
        -------
        list of float
            One for each token. They sum to the score (:func:`math.fsum`), unless there are no tokens. A share goes to
            the tokens that its characters lie in, by their numbers of characters; if they lie in none, to the last
            token that begins before them.
        """
        values = [0.0] * len(offsets)
        if not values:
            return values
        ordered = sorted((int(start), int(stop), k) for k, (start, stop) in enumerate(offsets) if stop > start)
        for entry in self.triples:
            if not entry.share:
                continue
            parts: dict[int, int] = {}
            for first, last in entry.spans:
                for start, stop, k in ordered:
                    if start >= last:
                        break
                    if stop > first:
                        parts[k] = parts.get(k, 0) + min(stop, last) - max(start, first)
            if not parts:
                first = entry.spans[0][0] if entry.spans else len(self.text)
                before = [k for start, _, k in ordered if start <= first]
                parts = {before[-1] if before else ordered[0][2] if ordered else len(values) - 1: 1}
            whole = sum(parts.values())
            for k, part in parts.items():
                values[k] += entry.share * part / whole
        return _summing_to(values, self.score)

    def to_html(self) -> str:
        """The answer as HTML: what earned something on green, what matches nothing on red, the rest as it is."""
        pieces = ['<pre style="white-space: pre-wrap">']
        for piece, entry in self._pieces():
            if entry is None:
                pieces.append(escape(piece))
                continue
            source, role, target = entry.triple
            title = escape(f"({source} {role} {target}): {entry.share:.4f}", quote=True)
            colour = _COLOURS[entry.matched][1]
            pieces.append(f'<mark style="background: {colour}; color: #000" title="{title}">{escape(piece)}</mark>')
        return "".join([*pieces, "</pre>"])

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_terminal(self, colour: bool | None = None) -> str:
        """The answer with what earned something in green and what matches nothing in red.

        ``colour`` None: only if standard output is a terminal and the variable ``NO_COLOR`` is not set.
        """
        if colour is None:
            colour = sys.stdout is not None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        if not colour:
            return self.text
        return "".join(
            piece if entry is None else f"{_COLOURS[entry.matched][0]}{piece}\x1b[0m" for piece, entry in self._pieces()
        )

    def _pieces(self) -> Iterator[tuple[str, TripleCredit | None]]:
        """The text in pieces, each with the triple that it belongs to."""
        at = 0
        for (start, stop), k in sorted((span, k) for k, entry in enumerate(self.triples) for span in entry.spans):
            if start >= at:
                yield self.text[at:start], None
                yield self.text[start:stop], self.triples[k]
                at = stop
        yield self.text[at:], None


def credit(
    text: str,
    gold: str,
    *,
    extract: Where = "auto",
    thinking: bool = False,
    repair: bool = False,
    effort: Effort = "minimal",
    most_characters: int = 8000,
    **options: Any,
) -> Credit:
    """The Smatch score of an answer, and which of its characters earned it.

    Parameters
    ----------
    text : str
        What a language model wrote. Whatever it is, it raises nothing: without a graph in it, nothing is earned.
    gold : str
        The gold graph.
    extract, thinking, repair, effort, most_characters
        As for :class:`fastmatch.rewards.GraphReward`.
    **options
        Of Smatch: ``top``, ``triples``, ``duplicates``. Other metrics rewrite graphs; their triples stand nowhere in
        the answer.

    Returns
    -------
    Credit

    Raises
    ------
    ReadError
        If the gold graph cannot be read.
    OptionError
        If an option has no such value.

    Examples
    --------
    >>> import fastmatch as fm
    >>> found = fm.credit("The graph: (c / cat :mod (b / big))", "(x / cat)")
    >>> [(entry.triple, round(entry.share, 3), entry.spans) for entry in found.triples if entry.matched]
    [(('c', ':TOP', 'top'), 0.286, ((12, 13),)), (('c', ':instance', 'cat'), 0.286, ((16, 19),))]
    >>> found.to_tokens([(0, 10), (11, 13), (13, 20), (20, 34)])
    [0.0, 0.2857142857142857, 0.2857142857142857, 0.0]
    """
    check_where(extract)
    for name in ("preset", "standard", "compress", "within"):
        if name in options:
            raise OptionError(f"credit: {name}={options[name]!r}: only triples as they are written stand in the answer")
    metric = chosen_metric("smatch", None, {"effort": effort, **options})
    given: Any = text
    text = str(given) if isinstance(given, str) else ""
    nothing = Credit(text, 0.0, False, 0, False, (), ())
    start, stop, how = locate(text, extract, thinking)
    written = text[start:stop] if stop - start <= most_characters else ""
    read, repairs = mend(written) if repair else (written, [])
    corpus = parse([gold, read], on_error="empty")
    unread = {place for place, _ in corpus.problems}
    if 0 in unread:
        parse([gold])  # says why not
    if not how or 1 in unread:
        return nothing
    prepared = metric.prepare(corpus)
    pairs = run(metric, prepared, prepared, *_ANSWER_AND_GOLD, mapping=True)
    graphs = metric.standardized(corpus)
    found = Alignment(pairs, metric.signature(corpus.dialect), metric, graphs[1:2], graphs[:1])
    graph = corpus[1]
    spans = _spans(read)
    if len(spans) != len(graph.triples):
        spans = [()] * len(graph.triples)
    root = next((match.span() for match in _TOKEN.finditer(read) if match.lastgroup == "symbol"), None)
    spans.append(() if root is None else (root,))
    if repairs:
        places = _places(read, written)
        spans = [tuple(places[span] for span in own if span in places) for own in spans]
    *spans, top = (tuple((first + start, last + start) for first, last in own) for own in spans)
    where: dict[Triple, list[tuple[Span, ...]]] = {}
    for triple, own in zip(graph.triples, spans, strict=True):
        where.setdefault(triple, []).append(own)
    matched = found.matched_triples
    shares = _summing_to([found.f1 / len(matched)] * len(matched), found.f1) if matched else []
    entries = []
    earned = [*zip([one for one, _ in matched], [True] * len(matched), shares, strict=True)]
    for triple, is_matched, share in [*earned, *((triple, False, 0.0) for triple in found.unmatched_pred)]:
        queue = where.get(triple)
        own = top if triple[1] == ":TOP" and not queue else queue.pop(0) if queue else ()
        entries.append(TripleCredit(triple, is_matched, share, own))
    entries.sort(key=lambda entry: entry.spans or ((len(text), 0),))
    partner = {its: mine for mine, its in found.mapping.items()}
    missing = tuple((triple, partner.get(triple[0])) for triple in found.unmatched_gold)
    return Credit(text, found.f1, True, len(repairs), found.certified, tuple(entries), missing)


def _summing_to(values: list[float], total: float) -> list[float]:
    """The values, the least of them that is not 0 changed by rounding errors so that they sum to the total exactly."""
    used = [k for k, value in enumerate(values) if value]
    if used:
        at = min(used, key=values.__getitem__)
        values[at] = fsum([total, *(-value for k, value in enumerate(values) if k != at)])
    return values


def _spans(text: str) -> list[tuple[Span, ...]]:
    """Where the triples of a graph stand in its text, in the order of the text: of each node, then of each edge."""
    found: list[tuple[Span, ...]] = []
    role: Span | None = None  # of an edge whose end has not come yet
    slot = -1  # of the node that has no concept yet
    state = ""
    for match in _TOKEN.finditer(text):
        kind, span = match.lastgroup, match.span()
        if kind in ("comment", "alignment", "close", "other"):
            continue
        if kind == "open":
            state = "variable"
        elif kind == "role":
            if role is not None:
                found.append((role,))
            role, state = span, "target"
        elif kind == "slash":
            state = "concept"
        elif state == "variable":  # of a node
            if role is not None:
                found.append((role, span))
                role = None
            found.append(())
            slot, state = len(found) - 1, ""
        elif state == "concept":
            found[slot] = (span,)
            state = ""
        elif state == "target" and role is not None:
            found.append((role, span))
            role, state = None, ""
    return found


def _places(mended: str, written: str) -> dict[Span, Span]:
    """Where tokens of a mended text stand → where they stand in the text that was written."""
    its = list(_TOKEN.finditer(written))
    found: dict[Span, Span] = {}
    at = 0
    for match in _TOKEN.finditer(mended):
        plain = match[0].strip('"') or match[0]
        for k in range(at, min(at + _AHEAD, len(its))):
            first = its[k].start()
            if its[k][0] == match[0] or (match.lastgroup == "string" and written.startswith(plain, first)):
                last = its[k].end() if its[k][0] == match[0] else first + len(plain)
                found[match.span()] = first, last
                at = next((j for j in range(k, len(its)) if its[j].start() >= last), len(its))
                break
    return found
