"""Credit: which characters of an answer earned its score.

An F1 of triples is a sum. Of ``m`` matched triples, ``p`` predicted and ``g`` gold ones it is ``2m / (p + g)``, so each
matched triple earned ``2 / (p + g)`` and the others nothing. A predicted triple also has a place in the text: its role
and its target, its concept, its value. Together they say where in an answer the score was earned, which a trainer with
rewards for tokens can use.

A trainer wants numbers, people want triples. So the score is made at once, the numbers by :meth:`Credit.to_tokens`, and
the triples, which are hundreds of Python objects, when they are asked for.

*Sums are exact.* Ten times the float next to 0.1 is not 1. So the k-th matched triple of the text has the difference of
the scores of k and of k − 1 matched triples. For k > 1 the smaller one is at least half the larger one, so this
difference is a float itself (Sterbenz 1974), and adding up the shares in their order gives the score of every beginning
of the list without any rounding.

*Places* are found by a light scan of the text that the compiled reader has read: it makes one place of each thing of
which the reader makes a triple, in the same order. If the text was mended, they are traced back through the repairs.
"""

from __future__ import annotations

import os
import re
import sys
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO, TypeAlias

import numpy as np

from fastmatch._ext.graphs.columns import Columns
from fastmatch._ext.graphs.placed import credited, to_tokens, tokens_of_text
from fastmatch._ext.reading.extract import locate
from fastmatch._ext.reading.interner import Interner
from fastmatch._ext.reading.repair import ends_of_triples, mend_with_places, places_of_triples
from fastmatch.errors import OptionError, choice
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.extracting import WHERE
from fastmatch.graphs.notation import bare
from fastmatch.graphs.reading import parse
from fastmatch.graphs.standardization.triples import remove_duplicates
from fastmatch.metrics.run import run
from fastmatch.metrics.shared.triples import TOPS, Labels
from fastmatch.metrics.smatch import CLASSES
from fastmatch.report import markup
from fastmatch.results.equality import ByValue
from fastmatch.rewards.reward import check_number, listed, made_metric
from fastmatch.runtime.cached import from_cache
from fastmatch.runtime.collecting import no_collection
from fastmatch.types import Effort, Int32Array, Triple, Where

if TYPE_CHECKING:
    #: Characters ``start … stop - 1`` of the answer.
    Span = tuple[int, int]
    _Entries: TypeAlias = "tuple[tuple[TripleCredit, ...], tuple[MissingTriple, ...]]"

#: Metrics whose score is a sum over the triples of the text, each matched as a whole.
_METRICS = ("smatch", "smatch++")

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


@dataclass(slots=True, eq=False, repr=False)
class Credit(ByValue):
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

    Notes
    -----
    The triples are made when one of them is first asked for. Until then the object keeps the graphs of the call that it
    is from.
    """

    text: str
    score: float | None
    valid: bool
    repaired: int
    certified: bool
    _entries: _Entries | _Pair
    rest: float

    def _made(self) -> _Entries:
        entries = self._entries  # read once: another thread may put the triples there meanwhile
        if isinstance(entries, _Pair):
            self._entries = entries = entries.entries()
        return entries

    @property
    def triples(self) -> tuple[TripleCredit, ...]:
        """The triples of the predicted graph."""
        return self._made()[0]

    @property
    def missing(self) -> tuple[MissingTriple, ...]:
        """The gold triples that nothing matches."""
        return self._made()[1]

    def _values(self) -> dict[str, Any]:
        shown = ("text", "score", "valid", "repaired", "certified", "triples", "missing", "rest")
        return {name: getattr(self, name) for name in shown}

    def __reduce__(self) -> tuple[Any, ...]:
        given = self.text, self.score, self.valid, self.repaired, self.certified, self._made(), self.rest
        return Credit, given

    def __repr__(self) -> str:
        return f"<Credit: {self._title()}>"

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
            If this is no list, or an offset is no pair of whole numbers ``0 ≤ start ≤ stop``.
        """
        pairs = listed("offsets", offsets, "a list of pairs")
        entries = self._entries
        try:
            found: list[float] | None = entries.tokens(pairs, self.rest) if isinstance(entries, _Pair) else None
            if found is None:
                matched = [entry for entry in self.triples if entry.matched]
                ends = [max([stop for _, stop in entry.spans], default=0) for entry in matched]
                found = to_tokens(pairs, [entry.share for entry in matched], ends, self.rest)
            return found
        except ValueError as error:
            raise OptionError(f"offsets: expected pairs 0 <= start <= stop, found {error.args[0]!r:.60}") from None

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
            outcome = "matches nothing" if entry.gold is None else f"matches {_shown(entry.gold)}, {entry.share:.4f}"
            title = markup.escape(f"{_shown(entry.triple)}: {outcome}")
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
    way = from_cache(_way, metric, preset, extract, thinking, repair, on_invalid, effort, most_characters, **options)
    return _credits(way, [text], [gold])[0]


def credit_batch(texts: Sequence[Any], golds: Sequence[Any], metric: str = "smatch", **options: Any) -> list[Credit]:
    """:func:`credit` of many answers, in less time than as many calls take.

    Parameters
    ----------
    texts : sequence of str
        Completions.
    golds : sequence of str
        The gold graph of each. Equal ones are read once.
    metric, **options
        As for :func:`credit`.

    Returns
    -------
    list of Credit

    Raises
    ------
    OptionError
        As for :func:`credit`, or if one is no list, or there are not as many of one as of the other.
    """
    texts, golds = listed("texts", texts), listed("golds", golds)
    if len(texts) != len(golds):
        raise OptionError(f"{len(texts)} completions, but {len(golds)} gold graphs")
    way = from_cache(_way, metric, **options)
    if way.numbered:
        return [_credits(way, [text], [gold])[0] for text, gold in zip(texts, golds, strict=True)]
    with no_collection():  # its searches take up to a third of the time of a long list, and find nothing
        return _credits(way, texts, golds)


class _Way(NamedTuple):
    """What the options of :func:`credit` say, checked."""

    metric: Any
    by_preset: bool
    extract: Where
    thinking: bool
    repair: bool
    on_invalid: float
    most_characters: float
    numbered: bool  # the metric's random numbers follow from places in a corpus


@lru_cache(maxsize=32, typed=True)
def _way(
    metric: str,
    preset: str | None = None,
    extract: Where = "auto",
    thinking: bool = False,
    repair: bool = False,
    on_invalid: float = 0.0,
    effort: str = "minimal",
    most_characters: int = 8000,
    **options: Any,
) -> _Way:
    """The metric, if its score is a sum over triples of the text, and the other options."""
    choice("extract", extract, WHERE)
    check_number("most_characters", most_characters, 1, np.inf)
    check_number("on_invalid", on_invalid)
    chosen: Any = made_metric(metric, preset, effort, options)
    if chosen.name not in _METRICS:
        known = " and ".join(_METRICS)
        raise OptionError(f"credit: {chosen.name!r} is no sum over triples that match as a whole; there are {known}")
    for option, value in (("duplicates", "once"), ("compress", False)):
        if getattr(chosen, option, value) != value:
            raise OptionError(f"credit: expected {option}={value!r}: other scores are no sums over the text's triples")
    if chosen.dialect != "penman":
        raise OptionError(f"credit: a preset that reads as {chosen.dialect!r} does has no places in the text")
    numbered = chosen.solver == "climb"
    return _Way(chosen, preset is not None, extract, thinking, repair, float(on_invalid), most_characters, numbered)


#: The graphs of the only pair.
_FIRST, _SECOND = np.zeros(1, np.int32), np.ones(1, np.int32)
_FIRST.flags.writeable = _SECOND.flags.writeable = False


#: The entries of an answer without a graph.
_NOTHING: _Entries = (), ()


class _Answer(NamedTuple):
    """The graph in an answer, where it begins there, the repairs it took, and where its pieces come from if it did."""

    graph: str
    start: int
    repairs: int
    pieces: list[tuple[int, int, int, bool]] | None


def _found(way: _Way, text: str) -> _Answer | None:
    start, stop, how = locate(text, way.extract, way.thinking)
    if not how or stop - start > way.most_characters:
        return None
    graph = text[start:stop]
    if way.repair:
        graph, repairs, pieces = mend_with_places(graph)
        if repairs:
            return _Answer(graph, start, len(repairs), pieces)
    return _Answer(graph, start, 0, None)


def _credits(way: _Way, texts: Sequence[Any], golds: Sequence[Any]) -> list[Credit]:
    # numpy's strings are subclasses, which the kernels refuse
    texts = [str(text) if isinstance(text, str) else "" for text in texts]
    answers = [_found(way, text) for text in texts]
    # one corpus: whatever takes its time once for a corpus takes it once
    graphs = [answer.graph for answer in answers if answer is not None]
    places: dict[str, int] = {}
    for gold in golds:
        places.setdefault(gold if isinstance(gold, str) else "", len(graphs) + len(places))
    corpus = parse([*graphs, *places], dialect="penman", on_error="empty")
    unread = {place for place, _ in corpus.problems}
    found: list[Any] = []
    scored: list[tuple[int, _Answer, int, int]] = []
    place = 0
    for text, answer, gold in zip(texts, answers, golds, strict=True):
        valid = None if place in unread else answer
        place += answer is not None
        place_of_gold = places[gold if isinstance(gold, str) else ""]
        if place_of_gold in unread:
            found.append(Credit(text, None, valid is not None, valid.repairs if valid else 0, False, _NOTHING, 0.0))
        elif valid is None:
            found.append(Credit(text, way.on_invalid, False, 0, False, _NOTHING, way.on_invalid))
        else:
            scored.append((len(found), valid, place - 1, place_of_gold))
            found.append(None)
    if not scored:
        return found
    read, chosen = corpus, way.metric
    if way.by_preset:  # as the reward has it: some programs make two triples of a repeated one
        corpus = remove_duplicates(corpus)
    standard = chosen.standardized(corpus)
    labels: Labels = chosen.labels(standard)
    if way.numbered:
        mine, theirs = (chosen.prepare(corpus[k : k + 1]) for k in (0, 1))
        result: Any = run(chosen, mine, theirs, _FIRST, _FIRST, mapping=True)
    else:
        mine = theirs = chosen.grouped(standard, labels)
        index = [_FIRST, _SECOND]
        if len(texts) > 1:
            index = [np.array([pair[k] for pair in scored], np.int32) for k in (2, 3)]
        result = run(chosen, mine, theirs, *index, mapping=True)
    columns = (result.matched, result.n_pred, result.n_gold, result.certified, result.mapping_offsets)
    matched, n_pred, n_gold, certified, ends = [column.tolist() for column in columns]
    in_order = standard is corpus or chosen.standard == "default"  # positions are numbers in the text
    graphs_of = _Graphs(
        standard.columns,
        standard.vocabulary.interner,
        (labels, TOPS[chosen.top], CLASSES[chosen.triples]),
        None if in_order else read,
        result.mapping,
        [],
    )
    for pair, (number, answer, place, gold) in enumerate(scored):
        size = n_pred[pair] + n_gold[pair]
        rest = 0.0 if size else 1.0  # two empty graphs are equal, as ratios.prf has it
        score = 2 * matched[pair] / size if size else rest
        entries = _Pair(graphs_of, answer, (place, gold, ends[pair], ends[pair + 1]), size)
        found[number] = Credit(texts[number], score, True, answer.repairs, certified[pair], entries, rest)
    return found


class _Graphs(NamedTuple):
    """The graphs of a call, of which triples are made when they are asked for."""

    columns: Columns
    interner: Interner
    way: tuple[Labels, int, int]
    read: Corpus | None  # the graphs as they are in the text, if standardisation has rewritten them
    mapping: Int32Array  # of all pairs
    texts: list[str | None]  # strings of labels that were asked for


class _Pair(NamedTuple):
    """The triples of an answer and of its gold graph, before they are asked for.

    ``place``: the numbers of both graphs, and where their map begins and ends among all.
    """

    graphs: _Graphs
    answer: _Answer
    place: tuple[int, int, int, int]
    size: int

    def tokens(self, offsets: list[Sequence[int]], rest: float) -> list[float] | None:
        """The credit of tokens; None if characters have to be traced, or are not in the text."""
        graphs, answer = self.graphs, self.answer
        if graphs.read is not None or answer.pieces is not None:
            return None
        pred, gold, start, stop = self.place
        ends = ends_of_triples(answer.graph, answer.start)
        return tokens_of_text(
            graphs.columns, graphs.interner, *graphs.way, pred, gold, graphs.mapping, start, stop, self.size, ends,
            offsets, rest,
        )  # fmt: skip

    def entries(self) -> _Entries:
        """All triples of the answer, and those that it lacks."""
        graphs, (pred, gold, start, stop) = self.graphs, self.place
        read = graphs.read
        if not graphs.texts:
            graphs.texts[:] = [None] * len(graphs.interner)
        return credited(
            graphs.columns,
            graphs.interner,
            graphs.texts,
            *graphs.way,
            pred,
            gold,
            graphs.mapping[start:stop],
            self.size,
            *_places(self.answer),
            None if read is None else lambda *given: _order(read[pred].triples, *given),
            TripleCredit,
            MissingTriple,
        )


def _places(answer: _Answer) -> tuple[list[tuple[Span, ...]], dict[str | None, Span | None]]:
    """The characters, in the answer, of each triple of its graph and of each variable."""
    if answer.pieces is None:
        return places_of_triples(answer.graph, answer.start)
    spans, variables = places_of_triples(answer.graph)
    return (
        [tuple([traced for span in each if (traced := _traced(answer, span)) is not None]) for each in spans],
        {name: _traced(answer, span) for name, span in variables.items()},
    )


def _traced(answer: _Answer, span: Span) -> Span | None:
    """A stretch of a graph that was mended, in the answer; None if a repair made all of it."""
    (start, stop), pieces = span, answer.pieces or []
    traced = []
    # what reaches into the stretch: the last piece that begins before it, perhaps, and those that begin within
    for place, begin, end, kept in pieces[max(0, bisect_left(pieces, (start,)) - 1) : bisect_left(pieces, (stop,))]:
        length = end - begin
        if kept and start < place + length:
            traced.append((begin + max(0, start - place), begin + min(length, stop - place)))
        elif not kept and start <= place and length:
            traced.append((begin, end))
    if not traced:
        return None
    return min(a for a, _ in traced) + answer.start, max(b for _, b in traced) + answer.start


def _order(written: Sequence[Triple], triples: Sequence[Triple], rooted: bool) -> list[tuple[int, int]]:
    """The order of triples that standardisation may have written in another way: (number in the text, number here)."""
    numbers: dict[Any, int] = {}
    for number, (source, role, target) in enumerate(written):
        role, source, target = role.lower(), bare(source), bare(target)
        numbers.setdefault((source, role, target), number)
        turned = role[:-3] if role.endswith("-of") else f"{role}-of"
        numbers.setdefault((target, turned, source), number)
    found = [
        (numbers.get((bare(source), role.lower(), bare(target)), len(written)), k)
        for k, (source, role, target) in enumerate(triples)
    ]
    if rooted:
        found[0] = -1, 0
    return sorted(found)


_MATCHED = "background:rgba(0,160,60,.22);text-decoration:underline"
_UNMATCHED = "background:rgba(220,30,30,.22);text-decoration:underline dotted"
#: Missing triples that a page lists.
_SHOWN = 100


def _shown(triple: Triple) -> str:
    return _CONTROL.sub("\ufffd", " ".join("" if part is None else part for part in triple))


def _belongs(gone: MissingTriple) -> str:
    return "" if gone.node is None else f"  (at {_CONTROL.sub('?', gone.node)})"
