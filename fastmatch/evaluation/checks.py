"""Warnings of pairs that do not look like pairs: a list of checks, each of which has its words.

A wrong pair is no error that could be seen in a score: it only makes the score low. So the metadata of all pairs are
compared before they are scored, in compiled code that reads each comment once; what differs is looked at more closely
here. What metadata do not tell, :mod:`fastmatch.evaluation.order` sees in the concepts.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import numpy as np

from fastmatch._ext.graphs.metadata import differing
from fastmatch.errors import PairingWarning, calling_line, first_few
from fastmatch.evaluation.order import other_order
from fastmatch.graphs.arrays import SECOND_GRAPH
from fastmatch.graphs.corpus import Corpus
from fastmatch.report.cells import count
from fastmatch.types import BoolArray, Int64Array

Names: TypeAlias = tuple[str, str]
#: What is to be said of two corpora, which messages call by these names; nothing if all is well.
Check: TypeAlias = Callable[[Corpus, Corpus, Names], str]

#: How many graphs a message names.
_NAMED = 5

#: A sentence that is the beginning of another one, and has so many letters and digits, is the same sentence, cut off.
_CUT_OFF = 20

_BRACKETS = re.compile(r"-(?:lrb|rrb|lcb|rcb|lsb|rsb)-", re.IGNORECASE)
_NUMBERED = re.compile(r"(.*?)(\d{1,18})(\D*)", re.DOTALL)


def warn_odd_pairs(pred: Corpus, gold: Corpus, names: Names = ("pred", "gold"), *, scored: bool = True) -> None:
    """Warn (:class:`~fastmatch.PairingWarning`) if pairs do not look like pairs; there are as many graphs on each side.

    That is if there are no pairs at all, if ``::id`` or ``::snt`` differ, or else if graphs look like those in other
    places (:func:`~fastmatch.evaluation.order.other_order`), if only one side carries alignments (``~e.1``), ``:wiki``
    or, in MRP JSON, an ``input``, if neither side of a pair can be read, or if a repair may have lost a graph. Ids that
    only number the graphs of a file, and sentences that differ in spaces, case and punctuation only, do not count.
    With ``scored=False`` nothing is said of what a pair that cannot be read would score.

    Notes
    -----
    O(bytes of the comments and concepts) for pairs that agree: 0.2 µs a pair.
    """
    if not len(gold):
        warn("none", "no graphs on either side: there is nothing to score", pred, gold)
        return
    _warn_first(_BELONGING, pred, gold, names)
    for kind, check in _FORMAT:
        if scored or check is not _unread:
            _warn_first(((kind, check),), pred, gold, names)


def warn_odd_metadata(pred: Corpus, gold: Corpus, names: Names = ("pred", "gold")) -> None:
    """Warn if ``::id`` or ``::snt`` of pairs differ: the first part of :func:`warn_odd_pairs`."""
    _warn_first(_BELONGING[:2], pred, gold, names)


def _warn_first(checks: Iterable[tuple[str, Check]], pred: Corpus, gold: Corpus, names: Names) -> None:
    """Warn of the first thing that is odd."""
    for kind, check in checks:
        text = check(pred, gold, names)
        if text:
            warn(f"{kind} of {names}", text, pred, gold)
            return


# ---- do these graphs belong together? --------------------------------------------------------------------------------


def _ids(pred: Corpus, gold: Corpus, names: Names) -> str:
    places, _, n_both = _differing(pred, gold, b"id")
    if not len(places):
        return ""
    mine, its = pred.ids, gold.ids
    if _own_numbers(mine, its):
        return ""
    shown = [f"{k}: {mine[k]!r} and {its[k]!r}" for k in places[:_NAMED].tolist()]
    return (
        f"::id differs in {len(places):,} of {count(n_both, 'pair')} of {names[0]} and {names[1]}, paired by "
        f"position (pair {first_few(shown, len(places))}); pair_by='id' pairs equal ids"
    )


def _sentences(pred: Corpus, gold: Corpus, names: Names) -> str:
    places, sure, n_both = _differing(pred, gold, b"snt")
    if not len(places):
        return ""
    unsure = places[~sure].tolist()
    same = [k for k in unsure if _same_sentence(pred.metadata(k)["snt"], gold.metadata(k)["snt"])]
    odd = np.setdiff1d(places, same, assume_unique=True)
    if not len(odd):
        return ""
    shown = [
        f"{k}: {_short(pred.metadata(k)['snt'])} and {_short(gold.metadata(k)['snt'])}" for k in odd[:_NAMED].tolist()
    ]
    return (
        f"::snt differs in {len(odd):,} of {count(n_both, 'pair')} of {names[0]} and {names[1]} "
        f"(pair {first_few(shown, len(odd))}): do these graphs belong together?"
    )


def _differing(pred: Corpus, gold: Corpus, key: bytes) -> tuple[Int64Array, BoolArray, int]:
    return differing(pred.columns, gold.columns, key, key == b"snt")


def _own_numbers(mine: list[str | None], its: list[str | None]) -> bool:
    """Whether ids that differ say nothing: one side only numbers its graphs, and the other has ids of another form.

    If both sides number their graphs, from 0 or 1, the places are the same, whatever stands before the numbers.
    """
    forms = [_only_numbers(ids) for ids in (mine, its)]
    if all(forms):
        return True
    for form, others in ((forms[0], its), (forms[1], mine)):
        if form is not None:
            numbered = (_NUMBERED.fullmatch(id[:200]) for id in others if id is not None)
            return not any(found is not None and (found[1], found[3]) == form for found in numbered)
    return False


def _only_numbers(ids: list[str | None]) -> tuple[str, str] | None:
    """What stands before and behind the numbers of ids 0, 1, 2, … or 1, 2, 3, … in this order; None for other ids."""
    start: tuple[str, str, int] | None = None
    for k, id in enumerate(ids):
        if id is None:
            continue
        found = _NUMBERED.fullmatch(id[:200])
        if found is None:
            return None
        this = found[1], found[3], int(found[2]) - k
        start = this if start is None else start
        if start != this or this[2] not in (0, 1):
            return None
    return None if start is None else start[:2]


def _same_sentence(one: str, two: str) -> bool:
    """Whether two sentences are equal but for tokenisation and case, or one is the other one cut off.

    ``differing`` follows this rule for texts in ASCII.
    """
    first, second = sorted((_letters(one), _letters(two)), key=len)
    return not first or first == second or (len(first) >= _CUT_OFF and second.startswith(first))


def _letters(text: str) -> str:

    text = unicodedata.normalize("NFKC", _BRACKETS.sub(" ", text)).casefold()
    return "".join(filter(str.isalnum, text))


# ---- can they be compared fairly, and were they read? ----------------------------------------------------------------


def _wiki(pred: Corpus, gold: Corpus, names: Names) -> str:
    role = gold.vocabulary.interner.lookup(b":wiki")  # both share the vocabulary
    # whether a side has any is known faster than how many; most often both have some, or neither
    if role < 0 or _has(pred, role) == _has(gold, role):
        return ""
    more = "remove it, or add it, on both sides to compare the rest fairly"
    return _one_side(":wiki", (_n_with(pred, role), _n_with(gold, role)), names, len(gold), more)


def _inputs(pred: Corpus, gold: Corpus, names: Names) -> str:
    """If fewer graphs of one side have an ``input``, without which the ends of anchors stay as they are."""
    if not pred.dialect.startswith("mrp"):
        return ""
    anchors = gold.vocabulary.interner.lookup(b":ANCHORS")
    if anchors < 0 or not _has(pred, anchors) or not _has(gold, anchors):
        return ""
    mine, its = _n_with_sentence(pred), _n_with_sentence(gold)
    if mine == its:
        return ""
    return (
        f"{names[0]} has 'input' in {count(mine, 'graph')}, {names[1]} in {its:,} of {len(gold):,}: without it "
        "blanks and punctuation at the ends of anchors stay, so that equal nodes may differ"
    )


def _alignments(pred: Corpus, gold: Corpus, names: Names) -> str:
    if pred.dialect == "penman":
        if (pred.surface.shape[1] > 0) == (gold.surface.shape[1] > 0):
            return ""
        more = "they are left out of the comparison"
    else:
        more = f"the reader {pred.dialect!r} takes them for a part of the labels; remove them first"
    numbers = _n_aligned(pred), _n_aligned(gold)
    if (numbers[0] > 0) == (numbers[1] > 0):
        return ""
    return _one_side("alignments (~e.1)", numbers, names, len(gold), more)


def _one_side(what: str, numbers: tuple[int, int], names: Names, total: int, more: str) -> str:
    has, lacks = names if numbers[0] else names[::-1]
    return f"{has} has {what} in {count(max(numbers), 'graph')} of {total:,}, {lacks} in none: {more}"


def _unread(pred: Corpus, gold: Corpus, names: Names) -> str:
    """Pairs of two unreadable graphs: both count as empty, and two empty graphs are equal."""
    lost = sorted({k for k, _ in pred.problems} & {k for k, _ in gold.problems}) if pred.problems else []
    if not lost:
        return ""
    return (
        f"{count(len(lost), 'pair')} of {names[0]} and {names[1]} cannot be read on either side (pair "
        f"{first_few(map(str, lost[:_NAMED]), len(lost))}): two empty graphs are equal, so these count as right"
    )


def _second_graphs(corpus: Corpus, name: str) -> str:
    places = [f"{one.graph}: {one.place}" for one in corpus.repairs if one.rule == SECOND_GRAPH]
    if not places:
        return ""
    return (
        f"within {count(len(places), 'repaired graph')} of {name} another graph seems to begin, which is lost (graph "
        f"{first_few(places, len(places))}); if so, the pairs behind it are wrong, unless paired by ::id"
    )


def _n_with_sentence(corpus: Corpus) -> int:
    """How many graphs have a ``::snt``, by the lines that begin with it."""
    return (b"\n" + corpus.comments.tobytes()).count(b"\n# ::snt ")


def _has(corpus: Corpus, role: int) -> bool:
    for roles in (corpus.attributes[1], corpus.relations[1]):
        # of a single pair, a list is searched in a fraction of the time that two calls of numpy take
        if role in roles.tolist() if len(roles) < 100 else (roles == role).any():
            return True
    return False


def _n_aligned(corpus: Corpus) -> int:
    """Graphs that carry alignments, in a column of their own or (as some readers leave them) in their labels."""
    if corpus.dialect == "penman" or corpus.surface.shape[1]:
        return int(np.count_nonzero(np.diff(corpus.surface_offsets))) if corpus.surface.shape[1] else 0
    blob, offsets = corpus.vocabulary.export()
    found = [match.start() for match in re.finditer(rb"~e\.", blob.tobytes())]
    marked = np.zeros(len(offsets), np.bool_)
    marked[np.searchsorted(offsets, found, side="right") - 1] = True
    return _n_having(corpus, marked, (("instance", 1), ("attribute", 1), ("attribute", 2), ("relation", 1)))


def _n_with(corpus: Corpus, role: int) -> int:
    """Graphs that have a role."""
    return _n_having(corpus, np.arange(len(corpus.vocabulary) + 1) == role, (("attribute", 1), ("relation", 1)))


def _n_having(corpus: Corpus, marked: BoolArray, rows: Iterable[tuple[str, int]]) -> int:
    """Graphs with a label that is marked, bool[n_labels + 1] (the last one is label −1, none), in rows of tables."""
    graphs: set[int] = set()
    for kind, row in rows:
        labels, bounds = getattr(corpus, f"{kind}s")[row], getattr(corpus, f"{kind}_offsets")
        graphs.update((np.searchsorted(bounds, np.flatnonzero(marked[labels]), side="right") - 1).tolist())
    return len(graphs)


#: Each asks whether the graphs of a pair belong together. The first that finds something speaks; others would say the
#: same.
_BELONGING: tuple[tuple[str, Check], ...] = (("id", _ids), ("snt", _sentences), ("order", other_order))
#: Each of these speaks for itself.
_FORMAT: tuple[tuple[str, Check], ...] = (
    ("wiki", _wiki),
    ("input", _inputs),
    ("alignments", _alignments),
    ("unread pairs", _unread),
    ("second graph of the first", lambda pred, gold, names: _second_graphs(pred, names[0])),
    ("second graph of the second", lambda pred, gold, names: _second_graphs(gold, names[1])),
)


# ---- how it is said --------------------------------------------------------------------------------------------------


#: Where and of what a warning was given: once a run is enough, also if a loop scores a million pairs.
_GIVEN: set[tuple[str, str, int, str, str]] = set()


def warn(kind: str, text: str, pred: Corpus, gold: Corpus) -> None:
    """Warn the user's line of code, once for each line, kind and two files, unless filters ask for more.

    Python itself shows a warning once for each line and text. The texts here name graphs, so in a loop over pairs each
    would be another one, and would be remembered for ever.
    """
    level, frame = calling_line()
    key = (kind, frame.f_code.co_filename, frame.f_lineno, pred.source, gold.source)
    if key in _GIVEN and not _repeated():
        return
    if len(_GIVEN) >= 1000:
        _GIVEN.clear()
    _GIVEN.add(key)
    warnings.warn(text, PairingWarning, stacklevel=level)


def _repeated() -> bool:
    """Whether the filters let every warning through, or make it an error."""
    # Since Python 3.14 a context may have filters of its own, always so without the GIL; no public name gives them.
    filters = getattr(warnings, "_get_filters", lambda: warnings.filters)()
    for action, message, category, module, line in filters:
        if message is None and module is None and not line and issubclass(PairingWarning, category):
            return action in ("always", "all", "error")
    return False


def quoted(ids: Sequence[str]) -> str:
    """The first few ids, in quotes."""
    return first_few([repr(id) for id in ids[:_NAMED]], len(ids))


def _short(text: str) -> str:
    return repr(text if len(text) <= 30 else text[:29] + "…")
