"""Which prediction belongs to which gold graph, and warnings where the pairs look wrong.

Graphs are paired by their place in the files, or by ``# ::id``. A wrong pair is no error that could be seen in a score:
it only makes the score low. So the metadata of all pairs are compared before they are scored, in compiled code that
reads each comment once; what differs is looked at more closely here. What metadata do not tell,
:mod:`fastmatch.evaluation.order` sees in the concepts.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fastmatch._ext.graphs.metadata import differing
from fastmatch.errors import OptionError, PairingError, PairingWarning, calling_line
from fastmatch.evaluation.order import likely_gaps, other_order
from fastmatch.graphs.arrays import SECOND_GRAPH, TABLES
from fastmatch.graphs.dialects import DIALECTS
from fastmatch.metrics.options import choice
from fastmatch.results.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fastmatch.graphs.corpus import Corpus
    from fastmatch.types import Int64Array, PairBy, Unpaired

__all__ = [
    "Pairing",
    "by_id",
    "check_pairing",
    "listed_ids",
    "paired",
    "pairing",
    "warn_odd_metadata",
    "warn_odd_pairs",
    "with_an_empty_graph",
]

#: How many graphs a message names.
_NAMED = 5

#: A sentence that is the beginning of another one, and has so many letters and digits, is the same sentence, cut off.
_CUT_OFF = 20

_BRACKETS = re.compile(r"-(?:lrb|rrb|lcb|rcb|lsb|rsb)-", re.IGNORECASE)
_NUMBERED = re.compile(r"(.*?)(\d{1,18})(\D*)", re.DOTALL)


class Pairing(NamedTuple):
    """Which graphs make the pairs.

    Attributes
    ----------
    pred, gold : int64[n_pairs]
        Places in the corpora; −1: an empty graph stands for one that there is not.
    ids : list of str
        Of the pairs.
    """

    pred: Int64Array
    gold: Int64Array
    ids: list[str]

    def take(self, pred: Corpus, gold: Corpus) -> tuple[Corpus, Corpus]:
        """The graphs of the pairs, in their order; the empty graphs are listed in ``problems``."""
        return _taken(pred, self.pred, self.ids), _taken(gold, self.gold, self.ids)


def check_pairing(pair_by: str, unpaired: str) -> None:
    """Raise :class:`~fastmatch.OptionError` if an option has no such value, or is given in vain."""
    choice("pair_by", pair_by, ("position", "id"))
    choice("unpaired", unpaired, ("raise", "empty", "skip"))
    if unpaired != "raise" and pair_by != "id":
        raise OptionError(f"unpaired={unpaired!r} goes with pair_by='id': graphs paired by position all have a partner")


def paired(
    caller: str,
    pred: Corpus,
    gold: Corpus,
    pair_by: PairBy = "position",
    unpaired: Unpaired = "raise",
    names: tuple[str, str] = ("pred", "gold"),
    hint: str = "",
) -> tuple[Corpus, Corpus]:
    """The corpora with graph k of one paired with graph k of the other; see :func:`pairing`."""
    found = pairing(caller, pred, gold, pair_by, unpaired, names, hint)
    return (pred, gold) if found is None else found.take(pred, gold)


def pairing(
    caller: str,
    pred: Corpus,
    gold: Corpus,
    pair_by: PairBy,
    unpaired: Unpaired,
    names: tuple[str, str] = ("pred", "gold"),
    hint: str = "",
) -> Pairing | None:
    """How to pair the graphs of two corpora; None: as they stand.

    Parameters
    ----------
    caller : str
        The public function; errors begin with it.
    pred, gold : Corpus
    pair_by : {"position", "id"}
    unpaired : {"raise", "empty", "skip"}
        As for :func:`by_id`.
    names : (str, str)
        What errors call the two.
    hint : str
        The end of the error of unequal numbers.

    Raises
    ------
    PairingError
        If the numbers of graphs differ (by position), or the ids of a pair, where every graph has that of its
        sentence; or what :func:`by_id` raises.
    """
    if pair_by == "id":
        return by_id(caller, pred, gold, unpaired, names)
    if len(pred) != len(gold):
        if names[0] == "pred":
            text = f"{caller}: {counted(len(pred), 'prediction')} but {counted(len(gold), 'gold graph')}"
        else:
            text = f"{caller}: {names[0]} has {counted(len(pred), 'graph')}, {names[1]} {len(gold):,}"
        more = _missing(pred, gold, names), likely_gaps(pred, gold, names), _unread(pred, gold, names)
        raise PairingError(f"{text}{''.join(more)}{hint}")
    if DIALECTS[pred.dialect].identified and DIALECTS[gold.dialect].identified:
        _check_ids(caller, pred, gold, names)
    return None


def _check_ids(caller: str, pred: Corpus, gold: Corpus, names: tuple[str, str]) -> None:
    """Raise :class:`~fastmatch.PairingError` if pairs by position are of different sentences."""
    columns = pred.comments, pred.comment_offsets, gold.comments, gold.comment_offsets
    places, *_ = differing(*columns, b"id", False)
    if len(places):
        k = int(places[0])
        raise PairingError(
            f"{caller}: {names[0]} has sentence {pred.ids[k]!r} where {names[1]} has {gold.ids[k]!r} (pair {k}; "
            f"{counted(len(places), 'pair')} in all); pair_by='id' pairs equal ids"
        )


def by_id(
    caller: str,
    pred: Corpus,
    gold: Corpus,
    unpaired: Unpaired,
    names: tuple[str, str] = ("pred", "gold"),
    *,
    extra: bool = True,
) -> Pairing:
    """Pair graphs of equal ``::id``, in the order of the gold graphs.

    Parameters
    ----------
    caller : str
        The public function; errors begin with it.
    pred, gold : Corpus
    unpaired : {"raise", "empty", "skip"}
        What becomes of an id that only one side has: an error; a pair with an empty graph (those of the predictions
        come last); or nothing, with a warning.
    names : (str, str)
        What errors call the two.
    extra : bool
        False: a prediction whose id no gold graph has is an error also with ``"empty"``.

    Raises
    ------
    PairingError
        If a graph has no id, an id is repeated, or an id that only one side has is an error. The message counts them
        and names the first of each kind.
    """
    faults: list[str] = []
    left_out: list[str] = []
    places: list[dict[str, int]] = []
    for name, corpus in zip(names, (pred, gold), strict=True):
        known = corpus.ids
        nameless = [k for k, id in enumerate(known) if not id]
        if unpaired != "raise":  # a graph that cannot be read counts for nothing in any case
            broken = {k for k, _ in corpus.problems}
            lost = [k for k in nameless if k in broken]
            if lost:
                left_out.append(f"{counted(len(lost), 'unreadable graph')} of {name} without ::id")
            nameless = [k for k in nameless if k not in broken]
        if nameless:
            faults.append(
                f"{counted(len(nameless), 'graph')} of {name} without ::id (number {_first(map(str, nameless))})"
            )
        repeated = [f"{id!r} {n} times" for id, n in Counter(filter(None, known)).items() if n > 1]
        if repeated:
            faults.append(f"{counted(len(repeated), 'repeated id')} in {name} ({_first(repeated)})")
        places.append({id: k for k, id in enumerate(known) if id})
    mine, its = places
    missing, unknown = [id for id in its if id not in mine], [id for id in mine if id not in its]
    plain = not faults
    for lacking, here, there in ((missing, names[1], names[0]), (unknown, names[0], names[1])):
        if lacking and (unpaired == "raise" or (unpaired == "empty" and here == names[0] and not extra)):
            faults.append(f"{counted(len(lacking), 'id')} of {here} not in {there} ({_quoted(lacking)})")
    if faults:
        more = ""
        if plain and unpaired == "raise":
            more = "; unpaired='empty' counts what is missing as empty graphs, 'skip' leaves it out"
        raise PairingError(f"{caller}: paired by ::id: {'; '.join(faults)}{more}")
    ids = list(its)
    if unpaired == "skip":
        for lacking, here, there in ((missing, names[1], names[0]), (unknown, names[0], names[1])):
            if lacking:
                left_out.append(f"{counted(len(lacking), 'id')} of {here} not in {there} ({_quoted(lacking)})")
        ids = [id for id in ids if id in mine]
    elif unpaired == "empty":
        # An unreadable graph against the empty graph that stands for no graph would be a perfect pair.
        alone = [(id, names[1]) for id in missing if _is_empty(gold, its[id])]
        alone += [(id, names[0]) for id in unknown if _is_empty(pred, mine[id])]
        for id, name in alone:
            left_out.append(f"the empty graph {id!r} of {name}, which has no partner")
        gone = {id for id, _ in alone}
        ids = [id for id in (*its, *unknown) if id not in gone]
    if left_out:
        warn(f"left out of {names}", f"{caller}: left out: {'; '.join(left_out)}", pred, gold)
    index_pred, index_gold = (np.array([at.get(id, -1) for id in ids], np.int64) for at in places)
    return Pairing(index_pred, index_gold, ids)


def _is_empty(corpus: Corpus, g: int) -> bool:
    return bool(corpus.variable_offsets[g] == corpus.variable_offsets[g + 1])


def _taken(corpus: Corpus, index: Int64Array, ids: Sequence[str]) -> Corpus:
    n = len(corpus)
    lacking = np.flatnonzero(index < 0).tolist()
    if lacking:
        corpus = with_an_empty_graph(corpus)
        index = np.where(index < 0, n, index)
    elif len(index) == n and np.array_equal(index, np.arange(n)):
        return corpus
    corpus = corpus[index]
    if lacking:
        problems = [*corpus.problems, *((k, f"no graph with ::id {ids[k]!r}") for k in lacking)]
        corpus = corpus.with_columns(problems=tuple(sorted(problems)))
    return corpus


def with_an_empty_graph(corpus: Corpus) -> Corpus:
    """The corpus with an empty graph behind its own."""
    more: dict[str, Any] = {name: np.append(array, array[-1]) for name, array in _offsets(corpus)}
    return corpus.with_columns(
        root=np.append(corpus.root, np.int32(-1)), lines=np.append(corpus.lines, np.int32(0)), **more
    )


def _offsets(corpus: Corpus) -> Iterable[tuple[str, Int64Array]]:
    return ((name, getattr(corpus, name)) for name in TABLES)


# ---- warnings --------------------------------------------------------------------------------------------------------


def warn_odd_pairs(pred: Corpus, gold: Corpus, names: tuple[str, str] = ("pred", "gold")) -> None:
    """Warn (:class:`~fastmatch.PairingWarning`) if pairs do not look like pairs; there are as many graphs on each side.

    That is if there are no pairs at all, if ``::id`` or ``::snt`` differ, or else if graphs look like those in other
    places (:func:`~fastmatch.evaluation.order.other_order`), if only one side carries alignments (``~e.1``), ``:wiki``
    or, in MRP JSON, an ``input``, if neither side of a pair can be read, or if a repair may have lost a graph. Ids that
    only number the graphs of a file, and sentences that differ in spaces, case and punctuation only, do not count.

    Notes
    -----
    O(bytes of the comments and concepts) for pairs that agree: 0.2 µs a pair.
    """
    if not len(gold):
        warn("none", "no graphs on either side: there is nothing to score", pred, gold)
        return
    odd = warn_odd_metadata(pred, gold, names)
    text = "" if odd else other_order(pred, gold, names)
    if text:
        warn(f"order of {names}", text, pred, gold)
    _warn_format(pred, gold, names)
    if pred.problems and gold.problems:
        _warn_unread_pairs(pred, gold, names)
    if pred.repairs or gold.repairs:
        _warn_second_graphs(pred, gold, names)


def _warn_unread_pairs(pred: Corpus, gold: Corpus, names: tuple[str, str]) -> None:
    """Warn of pairs of two unreadable graphs: both count as empty, and two empty graphs are equal."""
    lost = sorted({k for k, _ in pred.problems} & {k for k, _ in gold.problems})
    if lost:
        warn(
            f"unread pairs of {names}",
            f"{counted(len(lost), 'pair')} of {names[0]} and {names[1]} cannot be read on either side (pair "
            f"{_first(map(str, lost[:_NAMED]), len(lost))}): two empty graphs are equal, so these count as right",
            pred,
            gold,
        )


def _warn_second_graphs(pred: Corpus, gold: Corpus, names: tuple[str, str]) -> None:
    for name, corpus in zip(names, (pred, gold), strict=True):
        places = [f"{one.graph}: {one.place}" for one in corpus.repairs if one.rule == SECOND_GRAPH]
        if places:
            warn(
                f"second graph of {name}",
                f"within {counted(len(places), 'repaired graph')} of {name} another graph seems to begin, which is "
                f"lost (graph {_first(places, len(places))}); if so, the pairs behind it are wrong, unless "
                "paired by ::id",
                pred,
                gold,
            )


def warn_odd_metadata(pred: Corpus, gold: Corpus, names: tuple[str, str]) -> bool:
    """Warn if ``::id`` or ``::snt`` of pairs differ, and say so: the first part of :func:`warn_odd_pairs`."""
    if not len(pred.comments) or not len(gold.comments):
        return False
    columns = pred.comments, pred.comment_offsets, gold.comments, gold.comment_offsets
    places, _, n_both = differing(*columns, b"id", False)
    if len(places):
        mine, its = pred.ids, gold.ids
        if not _own_numbers(mine, its):
            shown = [f"{k}: {mine[k]!r} and {its[k]!r}" for k in places[:_NAMED].tolist()]
            warn(
                f"id of {names}",
                f"::id differs in {len(places):,} of {counted(n_both, 'pair')} of {names[0]} and {names[1]}, paired by "
                f"position (pair {_first(shown, len(places))}); pair_by='id' (--pair-by id) pairs equal ids",
                pred,
                gold,
            )
            return True  # the sentences would say the same
    places, sure, n_both = differing(*columns, b"snt", True)
    if len(places):
        unsure = places[~sure].tolist()
        same = [k for k in unsure if _same_sentence(pred.metadata(k)["snt"], gold.metadata(k)["snt"])]
        odd = np.setdiff1d(places, same, assume_unique=True)
        n_odd = len(odd)
        if n_odd:
            shown = [
                f"{k}: {_short(pred.metadata(k)['snt'])} and {_short(gold.metadata(k)['snt'])}"
                for k in odd[:_NAMED].tolist()
            ]
            warn(
                f"snt of {names}",
                f"::snt differs in {n_odd:,} of {counted(n_both, 'pair')} of {names[0]} and {names[1]} "
                f"(pair {_first(shown, n_odd)}): do these graphs belong together?",
                pred,
                gold,
            )
            return True
    return False


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
    import unicodedata

    text = unicodedata.normalize("NFKC", _BRACKETS.sub(" ", text)).casefold()
    return "".join(filter(str.isalnum, text))


def _warn_format(pred: Corpus, gold: Corpus, names: tuple[str, str]) -> None:
    role = gold.vocabulary.interner.lookup(b":wiki")  # both share the vocabulary
    # Whether a side has any is known faster than how many; most often both have some, or neither.
    if role >= 0 and _has(pred, role) != _has(gold, role):
        more = "remove it, or add it, on both sides to compare the rest fairly"
        _warn_one_side("wiki", ":wiki", (_n_with(pred, role), _n_with(gold, role)), pred, gold, names, more)
    if pred.dialect.startswith("mrp"):
        _warn_inputs(pred, gold, names)
    if pred.dialect == "penman":
        if (pred.surface.shape[1] > 0) == (gold.surface.shape[1] > 0):
            return
        more = "they are left out of the comparison"
    else:
        more = f"the reader {pred.dialect!r} takes them for a part of the labels; remove them first"
    numbers = _n_aligned(pred), _n_aligned(gold)
    if (numbers[0] > 0) != (numbers[1] > 0):
        _warn_one_side("alignments", "alignments (~e.1)", numbers, pred, gold, names, more)


def _warn_inputs(pred: Corpus, gold: Corpus, names: tuple[str, str]) -> None:
    """Warn if fewer graphs of one side have an ``input``, without which the ends of anchors stay as they are."""
    anchors = gold.vocabulary.interner.lookup(b":ANCHORS")
    if anchors < 0 or not _has(pred, anchors) or not _has(gold, anchors):
        return
    mine, its = _n_with_sentence(pred), _n_with_sentence(gold)
    if mine != its:
        warn(
            f"input of {names}",
            f"{names[0]} has 'input' in {counted(mine, 'graph')}, {names[1]} in {its:,} of {len(gold):,}: without it "
            "blanks and punctuation at the ends of anchors stay, so that equal nodes may differ",
            pred,
            gold,
        )


def _n_with_sentence(corpus: Corpus) -> int:
    """How many graphs have a ``::snt``, by the lines that begin with it."""
    return (b"\n" + corpus.comments.tobytes()).count(b"\n# ::snt ")


def _warn_one_side(
    kind: str, what: str, numbers: tuple[int, int], pred: Corpus, gold: Corpus, names: tuple[str, str], more: str
) -> None:
    has, lacks = names if numbers[0] else names[::-1]
    message = f"{has} has {what} in {counted(max(numbers), 'graph')} of {len(gold):,}, {lacks} in none: {more}"
    warn(f"{kind} of {names}", message, pred, gold)


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
    text = blob.tobytes()
    found, place = [], text.find(b"~e.")
    while place >= 0:
        found.append(place)
        place = text.find(b"~e.", place + 3)
    if not found:
        return 0
    marked = np.zeros(len(offsets), np.bool_)  # one more at the end: label −1 is none
    marked[np.searchsorted(offsets, found, side="right") - 1] = True
    graphs: set[int] = set()
    for labels, bounds in (
        (corpus.instances[1], corpus.instance_offsets),
        (corpus.attributes[1], corpus.attribute_offsets),
        (corpus.attributes[2], corpus.attribute_offsets),
        (corpus.relations[1], corpus.relation_offsets),
    ):
        graphs.update((np.searchsorted(bounds, np.flatnonzero(marked[labels]), side="right") - 1).tolist())
    return len(graphs)


def _n_with(corpus: Corpus, role: int) -> int:
    """Graphs that have a role."""
    graphs: set[int] = set()
    for roles, bounds in (
        (corpus.attributes[1], corpus.attribute_offsets),
        (corpus.relations[1], corpus.relation_offsets),
    ):
        places = np.flatnonzero(roles == role)
        graphs.update((np.searchsorted(bounds, places, side="right") - 1).tolist())
    return len(graphs)


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


# ---- messages --------------------------------------------------------------------------------------------------------


def _missing(pred: Corpus, gold: Corpus, names: tuple[str, str]) -> str:
    """Which ids only one side has, for the error of unequal numbers; empty if a side has no ids."""
    mine, its = (set(corpus.ids) - {None} for corpus in (pred, gold))
    if not mine or not its:
        return ""
    text = ""
    for here, there, ids, name in ((gold, mine, its, names[0]), (pred, its, mine, names[1])):
        lacking = [id for id in dict.fromkeys(here.ids) if id and id in ids and id not in there]
        if lacking:
            text += f"; not in {name}: {counted(len(lacking), 'id')} ({_quoted(lacking)})"
    return text


def _unread(pred: Corpus, gold: Corpus, names: tuple[str, str]) -> str:
    """Which graphs could not be read, for the same error: text between graphs keeps a place, too."""
    text = ""
    for name, corpus in zip(names, (pred, gold), strict=True):
        if corpus.problems:
            n = len(corpus.problems)
            text += f"; {n:,} of {name} cannot be read (the first: {corpus.problems[0][1]})"
    return text


def listed_ids(ids: Sequence[str]) -> str:
    """How many ids there are, and the first of them."""
    return f"{counted(len(ids), 'id')} ({_quoted(ids)})"


def _quoted(ids: Sequence[str]) -> str:
    return _first([repr(id) for id in ids[:_NAMED]], len(ids))


def _first(texts: Iterable[str], total: int | None = None) -> str:
    """The first few texts, and that there are more."""
    listed = list(texts)
    total = len(listed) if total is None else total
    return ", ".join(listed[:_NAMED]) + (", …" if total > _NAMED else "")


def _short(text: str) -> str:
    return repr(text if len(text) <= 30 else text[:29] + "…")
