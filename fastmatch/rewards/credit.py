"""Credit: which characters of an answer earned its score.

An F1 of triples is a sum. Of ``m`` matched triples, ``p`` predicted and ``g`` gold ones it is ``2m / (p + g)``, so each
matched triple earned ``2 / (p + g)`` and the others nothing. A predicted triple also has a place in the text: its role
and its target, its concept, its value. Together they say where in an answer the score was earned, which a trainer with
rewards for tokens can use.

*Sums are exact.* Ten times the float next to 0.1 is not 1. So the k-th matched triple of the text has the difference of
the scores of k and of k − 1 matched triples. For k > 1 the smaller one is at least half the larger one, so this
difference is a float itself (Sterbenz 1974), and adding up the shares in their order gives the score of every beginning
of the list without any rounding.

*Places* are those of a light scan of the text that the compiled reader has read: it makes one place of each thing of
which the reader makes a triple, in the same order. If the text was mended, they are traced back through the repairs.
"""

from __future__ import annotations

import os
import re
import sys
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fastmatch._ext.reading.extract import locate
from fastmatch._ext.reading.repair import mend_with_places
from fastmatch.errors import OptionError
from fastmatch.graphs.extracting import check_where
from fastmatch.graphs.reading import parse
from fastmatch.metrics.run import run
from fastmatch.metrics.shared.explaining import placed_triples
from fastmatch.metrics.smatch import CLASSES
from fastmatch.report import markup
from fastmatch.results.ratios import prf
from fastmatch.rewards.reward import check_number, made_metric
from fastmatch.standardization.triples import remove_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TextIO

    from fastmatch.graphs.corpus import Corpus
    from fastmatch.types import Effort, Triple, Where

    #: Characters ``start … stop - 1`` of the answer.
    Span = tuple[int, int]

__all__ = ["Credit", "MissingTriple", "TripleCredit", "credit"]

#: Metrics whose score is a sum over the triples of the text, each matched as a whole.
_METRICS = ("smatch", "smatch++")

_SYMBOL = r'[^ \t\n\r\v\f()/:"~]'
_TARGET = rf'({_SYMBOL}+|"(?:[^"\\\n\r]|\\[^\n\r])*")'
_ALIGNMENT = r"(?:\s*~(?:[a-z]\.?)?[0-9]+(?:,[0-9]+)*)?"
#: What stands before the first bracket: blanks, comments, a byte-order mark.
_BEFORE = re.compile(r"\ufeff?(?:[ \t-\r]*#[^\n\r]*)*[ \t-\r]*", re.ASCII)
#: Groups: variable (perhaps empty), slash, concept; role, target; closing bracket.
_ITEM = re.compile(
    rf"\(\s*({_SYMBOL}*)\s*(?:(/)\s*{_TARGET}?)?|(:{_SYMBOL}*){_ALIGNMENT}(?:\s*(?!\#){_TARGET})?|(\))", re.ASCII
)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class TripleCredit(NamedTuple):
    """What one triple of the predicted graph earned.

    Attributes
    ----------
    triple : (str, str, str)
        As :func:`fastmatch.align` shows it; ``(root, ":TOP", …)`` stands for the root.
    gold : triple or None
        The gold triple that it matches.
    share : float
        Its part of the score; 0 if it matches none.
    spans : tuple of (int, int)
        Its characters in the answer: the concept; the role and the target (of a node the variable); the role and the
        value; for the root its variable. What a repair made has none. A triple that only the metric's standardisation
        made has those of a node of the text at one of its ends, if there is one.
    """

    triple: Triple
    gold: Triple | None
    share: float
    spans: tuple[Span, ...]

    @property
    def matched(self) -> bool:
        """Whether it matches a gold triple."""
        return self.gold is not None


class MissingTriple(NamedTuple):
    """A gold triple that nothing in the answer matches.

    Attributes
    ----------
    triple : (str, str, str)
        As the gold graph has it.
    node : str or None
        The variable of the predicted graph where it belongs: the partner of its source, else of its target. None if
        neither has a partner.
    span : (int, int) or None
        That variable's characters in the answer, where its node begins.
    """

    triple: Triple
    node: str | None
    span: Span | None


@dataclass(frozen=True)
class Credit:
    """Where an answer earned its score.

    Attributes
    ----------
    text : str
        The whole answer; all places count its characters from 0.
    score : float or None
        The metric's F1 in [0, 1]; ``on_invalid`` if the answer has no graph that can be read; None if the gold graph
        cannot be read.
    valid : bool
        A graph was found and read.
    repaired : int
        Repairs that it took.
    certified : bool
        The score is proven to be the best over all maps of variables.
    triples : tuple of TripleCredit
        The triples of the predicted graph in the order of its text, the root first.
    missing : tuple of MissingTriple
        The gold triples that nothing matches.
    rest : float
        What no triple earned: ``on_invalid``, or 1 where both graphs are empty; else 0. ``sum(t.share for t in
        triples) + rest`` is the score to the last bit.
    """

    text: str
    score: float | None
    valid: bool
    repaired: int
    certified: bool
    triples: tuple[TripleCredit, ...]
    missing: tuple[MissingTriple, ...]
    rest: float

    def to_tokens(self, offsets: Iterable[Sequence[int]]) -> list[float]:
        """The credit of each token: a triple's share goes to the token that holds its last character.

        There the triple is complete. What has no characters, and ``rest``, goes to the last token.

        Parameters
        ----------
        offsets : iterable of (start, stop)
            Characters of ``text`` that each token stands for, as a fast tokenizer of Hugging Face gives them in
            ``tokenizer(text, return_offsets_mapping=True)["offset_mapping"]``. Empty stretches, such as the (0, 0) of
            special tokens, get nothing unless all are empty.

        Returns
        -------
        list of float
            One for each token. Added up they give the score, but for rounding (10⁻¹⁵); they are 0 if the gold graph
            cannot be read. Without tokens the list is empty.

        Raises
        ------
        OptionError
            If an offset is no pair of whole numbers ``0 ≤ start ≤ stop``.
        """
        stretches: list[Span] = []
        for offset in offsets:
            try:
                start, stop = map(int, offset)
            except (TypeError, ValueError):
                start, stop = 0, -1
            if not 0 <= start <= stop:
                raise OptionError(f"offsets: expected pairs 0 <= start <= stop, found {offset!r:.60}")
            stretches.append((start, stop))
        values = [0.0] * len(stretches)
        if not values:
            return values
        # of tokens that share characters (parts of one letter) the last one
        full = sorted((start, place) for place, (start, stop) in enumerate(stretches) if start < stop)
        last = max((place for _, place in full), default=len(values) - 1)
        for entry in self.triples:
            if entry.share:
                place = last
                if entry.spans and full:
                    end = max(stop for _, stop in entry.spans) - 1
                    place = full[max(0, bisect_right(full, (end, len(values))) - 1)][1]
                values[place] += entry.share
        values[last] += self.rest
        return values

    def to_html(self) -> str:
        """The answer coloured by credit, as a piece of HTML: no scripts, and colours that fit light and dark pages.

        What matched is underlined, what did not is crossed by a dotted line below it; a tooltip names the triple.
        """
        if self.score is None:
            return markup.paragraph("the gold graph cannot be read") + markup.block(self.text)
        pieces = []
        for start, stop, entry in self._painted():
            text = markup.escape(self.text[start:stop])
            if entry is None:
                pieces.append(text)
                continue
            style = _MATCHED if entry.matched else _UNMATCHED
            title = markup.escape(f"{_shown(entry.triple)}: {_outcome(entry)}")
            pieces.append(f'<span style="{style}" title="{title}">{text}</span>')
        lines = [markup.escape(f"{_shown(gone.triple)}{_belongs(gone)}") for gone in self.missing[:_SHOWN]]
        return (
            markup.paragraph(markup.escape(self._title()))
            + f'<pre style="max-height:32em;overflow:auto;text-align:left;white-space:pre-wrap">{"".join(pieces)}</pre>'
            + markup.paragraph("not in the answer:" if lines else "", *lines)
            + markup.paragraph(markup.more(_SHOWN, len(self.missing), "triple"))
        )

    def _repr_html_(self) -> str:
        return self.to_html()

    def show(self, file: TextIO | None = None) -> None:
        """Write the answer and what is missing to a file, by default standard output.

        On a terminal what matched is green and what did not is red, unless ``NO_COLOR`` is set; elsewhere a list of the
        triples says the same.
        """
        file = sys.stdout if file is None else file
        if not file.isatty() or os.environ.get("NO_COLOR"):
            file.write(f"{self}\n")
            return
        pieces = []
        for start, stop, entry in self._painted():
            text = _CONTROL.sub("\ufffd", self.text[start:stop])
            colour = "" if entry is None else "\x1b[32m" if entry.matched else "\x1b[31m"
            pieces.append(f"{colour}{text}\x1b[0m" if colour else text)
        file.write("\n".join([self._title(), "".join(pieces), *self._missing_lines()]) + "\n")

    def __str__(self) -> str:
        lines = [
            f"  {'=' if entry.matched else '-'} {_shown(entry.triple)}  {entry.share:.4f}" for entry in self.triples
        ]
        return "\n".join([self._title(), *lines, *self._missing_lines()])

    def _missing_lines(self) -> list[str]:
        return [f"  + {_shown(gone.triple)}{_belongs(gone)}" for gone in self.missing]

    def _title(self) -> str:
        if self.score is None:
            return "the gold graph cannot be read"
        if not self.valid:
            return f"score {self.score:.4f}: no graph that can be read"
        matched = sum(entry.matched for entry in self.triples)
        proof = "" if self.certified else ", not proven"
        counts = f"{matched} of {len(self.triples)} triples match, {len(self.missing)} are missing"
        return f"score {self.score:.4f}: {counts}{proof}"

    def _painted(self) -> list[tuple[int, int, TripleCredit | None]]:
        """The answer in stretches, each with the triple that it belongs to; where two meet, one that did not match."""
        owners: list[TripleCredit | None] = [None] * len(self.text)
        for entry in sorted(self.triples, key=lambda entry: not entry.matched):
            for start, stop in entry.spans:
                owners[start:stop] = [entry] * (stop - start)
        found: list[tuple[int, int, TripleCredit | None]] = []
        start = 0
        for place in range(1, len(owners) + 1):
            if place == len(owners) or owners[place] is not owners[start]:
                found.append((start, place, owners[start]))
                start = place
        return found


def credit(
    text: str,
    gold: str,
    metric: str = "smatch",
    *,
    preset: str | None = None,
    extract: Where = "auto",
    thinking: bool = False,
    repair: bool = False,
    on_invalid: float = 0.0,
    effort: Effort = "minimal",
    most_characters: int = 8000,
    **options: Any,
) -> Credit:
    """Where in an answer its score was earned: the shares of its triples, and their characters.

    Parameters
    ----------
    text : str
        A whole completion. Whatever it holds raises nothing; what is no string is an invalid answer.
    gold : str
        The gold graph.
    metric : {"smatch", "smatch++"}
        Triples match as a whole, and each counts the same.
    preset, extract, thinking, repair, on_invalid, effort, most_characters
        As for :class:`~fastmatch.rewards.GraphReward`, whose score this is.
    **options
        The metric's own.

    Returns
    -------
    Credit

    Raises
    ------
    OptionError
        If an option has no such value, or the score is no sum over the triples of the text: another metric,
        ``compress=True``, ``duplicates="multiply"``.

    Examples
    --------
    >>> import fastmatch as fm
    >>> found = fm.credit("It is (c / cat :mod (b / big)).", "(c / cat)")
    >>> [(entry.triple, round(entry.share, 3), entry.spans) for entry in found.triples[:2]]
    [(('c', ':TOP', 'top'), 0.333, ((7, 8),)), (('c', ':instance', 'cat'), 0.333, ((11, 14),))]
    >>> found.to_tokens([(0, 5), (6, 8), (8, 14), (14, 31)]) == [0.0, 1 / 3, 1 / 3, 0.0]
    True
    """
    check_where(extract)
    check_number("most_characters", most_characters, 1, np.inf)
    check_number("on_invalid", on_invalid)
    try:
        chosen = _metric(metric, preset, effort, **options)
    except TypeError:  # an option that cannot be hashed
        chosen = _metric.__wrapped__(metric, preset, effort, **options)
    # numpy's strings are subclasses, which the kernels refuse
    text = str(text) if isinstance(text, str) else ""
    start, stop, how = locate(text, extract, thinking)
    graph, n_repairs, pieces = text[start:stop], 0, None
    found = bool(how) and stop - start <= most_characters
    if found and repair:
        graph, repairs, pieces = mend_with_places(graph)
        n_repairs = len(repairs)
    corpus = parse([graph if found else "", gold if isinstance(gold, str) else ""], dialect="penman", on_error="empty")
    unread = {place for place, _ in corpus.problems}
    valid = found and 0 not in unread
    repaired = n_repairs if valid else 0
    if 1 in unread:
        return Credit(text, None, valid, repaired, False, (), (), 0.0)
    if not valid:
        return Credit(text, float(on_invalid), False, 0, False, (), (), float(on_invalid))
    read = corpus
    if preset is not None:  # as the reward has it: some programs make two triples of a repeated one
        corpus = remove_duplicates(corpus)
    if chosen.solver == "climb":  # whose random numbers follow from places in a corpus
        mine, theirs = (chosen.prepare(corpus[k : k + 1]) for k in (0, 1))
        result = run(chosen, mine, theirs, _FIRST, _FIRST, mapping=True)
    else:
        prepared = chosen.prepare(corpus)
        result = run(chosen, prepared, prepared, _FIRST, _SECOND, mapping=True)
    n_pred, n_gold = result.n_pred.item(), result.n_gold.item()
    mapping = result.mapping_of(0).tolist()
    matched_graphs = chosen.standardized(corpus)
    labels = chosen.labels(matched_graphs)
    options_of_triples = {"top": chosen.top, "classes": CLASSES[chosen.triples]}
    predicted, wanted = (_once(placed_triples(matched_graphs, k, labels, **options_of_triples)) for k in (0, 1))
    where = _Places(graph, read, start, pieces, in_order=matched_graphs is corpus)
    entries = []
    for (role, value, *ends), (triple, place) in predicted.items():
        met = wanted.pop((role, value, *[mapping[end] for end in ends]), None)
        entries.append((where.of(triple, place), triple, None if met is None else met[0]))
    if matched_graphs is not corpus:
        entries.sort(key=lambda entry: entry[0][0])
    triples, score, matched = [], 0.0, 0
    for (_, spans), triple, partner in entries:
        share = 0.0
        if partner is not None:
            matched += 1
            now = prf(matched, n_pred, n_gold).f1
            score, share = now, now - score
        triples.append(TripleCredit(triple, partner, share, spans))
    total = prf(result.matched.item(), n_pred, n_gold).f1  # what result.score holds, to the last bit
    nodes = _partners(matched_graphs, mapping)
    missing = []
    for triple, _ in wanted.values():
        node = nodes.get(triple[0], nodes.get(triple[2]) if triple[1] != ":instance" else None)
        missing.append(MissingTriple(triple, node, where.node(node)))
    return Credit(
        text,
        total,
        True,
        repaired,
        result.certified.item(),
        tuple(triples),
        tuple(missing),
        total - score,
    )


_FIRST = np.zeros(1, np.int32)
_SECOND = np.ones(1, np.int32)
_FIRST.flags.writeable = _SECOND.flags.writeable = False


@lru_cache(maxsize=32)
def _metric(name: str, preset: str | None, effort: str, **options: Any) -> Any:
    """The metric, if its score is a sum over triples of the text."""
    metric: Any = made_metric(name, preset, effort, options)
    if metric.name not in _METRICS:
        known = " and ".join(_METRICS)
        raise OptionError(f"credit: {metric.name!r} is no sum over triples that match as a whole; there are {known}")
    for option, value in (("duplicates", "once"), ("compress", False)):
        if getattr(metric, option, value) != value:
            raise OptionError(f"credit: expected {option}={value!r}: other scores are no sums over the text's triples")
    if metric.dialect != "penman":
        raise OptionError(f"credit: a preset that reads as {metric.dialect!r} does has no places in the text")
    return metric


def _once(placed: Iterable[tuple[Any, Triple, int]]) -> dict[Any, tuple[Triple, int]]:
    """The triples by their keys; of equal ones the first."""
    found: dict[Any, tuple[Triple, int]] = {}
    for key, triple, place in placed:
        if key not in found:
            found[key] = triple, place
    return found


def _partners(corpus: Corpus, mapping: list[int]) -> dict[str | None, str | None]:
    """Variable of the gold graph → variable of the prediction, by name."""
    text = corpus.vocabulary.text
    first, second, end = corpus.variable_offsets.tolist()
    names = [text(name) if name >= 0 else None for name in corpus.variable_names[first:end].tolist()]
    return {names[second + j]: names[i] for i, j in enumerate(mapping) if j >= 0}


class _Places:
    """Where the triples of a graph stand in the answer.

    Parameters
    ----------
    graph : str
        The text that was read.
    corpus : Corpus
        What the reader made of it is graph 0.
    start : int
        Where the graph begins in the answer.
    pieces : list, optional
        Where its pieces come from, if it was mended.
    in_order : bool
        The places of triples are their numbers in the text; else the metric has rewritten the graphs.
    """

    def __init__(
        self, graph: str, corpus: Corpus, start: int, pieces: list[tuple[int, int, int, bool]] | None, *, in_order: bool
    ) -> None:
        self.corpus, self.start, self.pieces, self.in_order = corpus, start, pieces, in_order
        self.spans, self.variables = scan(graph)
        self.written: dict[Any, int] | None = None

    def of(self, triple: Triple, place: int) -> tuple[int, tuple[Span, ...]]:
        """Its number in the text, and its characters."""
        if place >= 0 and not self.in_order:
            place = self._rewritten(triple)
        if 0 <= place < len(self.spans):
            spans = self.spans[place]
            if self.pieces is None:
                start = self.start
                return place, tuple([(a + start, b + start) for a, b in spans])
            return place, tuple([traced for span in spans if (traced := self._traced(span)) is not None])
        span = self.node(triple[0]) or self.node(triple[2])
        return place, () if span is None else (span,)

    def _rewritten(self, triple: Triple) -> int:
        """The number in the text of a triple that the metric's standardisation may have written in another way."""
        if self.written is None:
            self.written = {}
            for number, (source, role, target) in enumerate(self.corpus[0].triples):
                role, source, target = role.lower(), _plain(source), _plain(target)
                self.written.setdefault((source, role, target), number)
                turned = role[:-3] if role.endswith("-of") else f"{role}-of"
                self.written.setdefault((target, turned, source), number)
        source, role, target = triple
        return self.written.get((_plain(source), role.lower(), _plain(target)), len(self.spans))

    def node(self, variable: str | None) -> Span | None:
        """The characters of a variable where its node begins."""
        span = self.variables.get(variable)
        return None if span is None else self._traced(span)

    def _traced(self, span: Span) -> Span | None:
        """A stretch of the graph that was read, in the answer; None if a repair made all of it."""
        start, stop = span
        if self.pieces is not None:
            traced = []
            for place, begin, end, kept in self.pieces:
                length = end - begin
                if kept and place < stop and start < place + length:
                    traced.append((begin + max(0, start - place), begin + min(length, stop - place)))
                elif not kept and start <= place < stop and length:
                    traced.append((begin, end))
            if not traced:
                return None
            start, stop = min(a for a, _ in traced), max(b for _, b in traced)
        return start + self.start, stop + self.start


def _plain(text: str | None) -> str:
    return "" if text is None else text.strip('"').lower()


def scan(graph: str) -> tuple[list[tuple[Span, ...]], dict[str | None, Span]]:
    """The characters of each triple that the reader of the dialect ``penman`` makes of a text, and of each variable.

    Parameters
    ----------
    graph : str
        One graph that this reader can read.

    Returns
    -------
    spans : list of tuples of (start, stop)
        In the order of ``fastmatch.parse(graph)[0].triples``.
    variables : dict
        Variable → its characters where its first node begins; of the node ``()`` those of its bracket.
    """
    spans: list[tuple[Span, ...] | None] = []
    variables: dict[str | None, Span] = {}
    waiting = False  # a role whose target may be the next node
    open_nodes: list[int] = []  # of each the number of its concept's triple, if it has no concept
    before = _BEFORE.match(graph)
    for found in _ITEM.finditer(graph, before.end() if before else 0):
        last = found.lastindex
        if last == 6:
            open_nodes.pop()
            if not open_nodes:
                break
        elif found.start(4) >= 0:
            role = found.span(4)
            if open_nodes and open_nodes[-1] >= 0 and found[4] == ":instance":
                spans[open_nodes[-1]] = None  # the concept comes by a role
                open_nodes[-1] = -1
            waiting = last == 4
            spans.append((role,) if waiting else (role, found.span(5)))
            continue
        else:
            variable = found.span(1)
            name = found[1] or None
            if name is None:
                variable = found.start(), found.start() + 1
            variables.setdefault(name, variable)
            if waiting:
                spans[-1] = (*spans[-1], variable)  # type: ignore[misc]
            open_nodes.append(-1 if found.start(2) >= 0 else len(spans))
            spans.append((found.span(3),) if last == 3 else (variable,))
        waiting = False
    return [one for one in spans if one is not None], variables


_MATCHED = "background:rgba(0,160,60,.22);text-decoration:underline"
_UNMATCHED = "background:rgba(220,30,30,.22);text-decoration:underline dotted"
#: Missing triples that a page lists.
_SHOWN = 100


def _shown(triple: Triple) -> str:
    return _CONTROL.sub("\ufffd", " ".join("" if part is None else part for part in triple))


def _outcome(entry: TripleCredit) -> str:
    return f"matches {_shown(entry.gold)}, {entry.share:.4f}" if entry.gold is not None else "matches nothing"


def _belongs(gone: MissingTriple) -> str:
    return "" if gone.node is None else f"  (at {_CONTROL.sub('?', gone.node)})"
