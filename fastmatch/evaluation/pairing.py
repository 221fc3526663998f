"""Which prediction belongs to which gold graph: by the place in the files, or by ``# ::id``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fastmatch._ext.graphs.metadata import differing
from fastmatch.errors import OptionError, PairingError, choice, first_few
from fastmatch.evaluation.checks import Names, quoted, warn
from fastmatch.evaluation.order import likely_gaps
from fastmatch.graphs.arrays import TABLES
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.dialects import DIALECTS
from fastmatch.graphs.forms import Graphs, corpus_of
from fastmatch.report.cells import count
from fastmatch.types import Dialect, Int64Array, OnErrorPaired, PairBy, Unpaired


class Pairing(NamedTuple):
    """Which graphs make the pairs.

    Attributes
    ----------
    pred, gold : int64[n_pairs]
        Places in the corpora; −1: an empty graph stands for one that there is not.
    ids : sequence of str or None
        Of the pairs.
    """

    pred: Int64Array
    gold: Int64Array
    ids: Sequence[str | None]

    def take(self, pred: Corpus, gold: Corpus) -> tuple[Corpus, Corpus]:
        """The graphs of the pairs, in their order; the empty graphs are listed in ``problems``."""
        return _taken(pred, self.pred, self.ids), _taken(gold, self.gold, self.ids)


class Rules(NamedTuple):
    """How graphs are read and paired, by the options of that name.

    ``caller`` is the public function; errors begin with it.
    """

    caller: str
    pair_by: PairBy = "position"
    unpaired: Unpaired = "raise"
    on_error: OnErrorPaired = "raise"
    workers: int = 1

    def checked(self) -> Rules:
        """The same; raises :class:`~fastmatch.OptionError` if an option has no such value, or is given in vain."""
        choice("on_error", self.on_error, ("raise", "empty", "repair"))
        choice("pair_by", self.pair_by, ("position", "id"))
        choice("unpaired", self.unpaired, ("raise", "empty", "skip"))
        if self.unpaired != "raise" and self.pair_by != "id":
            raise OptionError(
                f"unpaired={self.unpaired!r} goes with pair_by='id': graphs paired by position all have a partner"
            )
        return self


def read_together(names: Sequence[str], graphs: Sequence[Graphs], dialect: Dialect, rules: Rules) -> list[Corpus]:
    """Graphs of several, which errors call by these names, as corpora that share the vocabulary of the first."""
    corpora: list[Corpus] = []
    for name, given in zip(names, graphs, strict=True):
        vocabulary = corpora[0].vocabulary if corpora else None
        corpora.append(corpus_of(name, given, vocabulary, dialect, rules.on_error, workers=rules.workers))
    return corpora


def paired(
    pred: Corpus, gold: Corpus, rules: Rules, names: Names = ("pred", "gold"), hint: str = ""
) -> tuple[Corpus, Corpus]:
    """The corpora with graph k of one paired with graph k of the other; see :func:`pairing`."""
    found = pairing(pred, gold, rules, names, hint)
    return (pred, gold) if found is None else found.take(pred, gold)


def pairing(
    pred: Corpus, gold: Corpus, rules: Rules, names: Names = ("pred", "gold"), hint: str = ""
) -> Pairing | None:
    """How to pair the graphs of two corpora; None: as they stand.

    Parameters
    ----------
    pred, gold : Corpus
    rules : Rules
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
    if rules.pair_by == "id":
        return by_id(pred, gold, rules, names)
    caller = rules.caller
    if len(pred) != len(gold):
        if names[0] == "pred":
            text = f"{caller}: {count(len(pred), 'prediction')} but {count(len(gold), 'gold graph')}"
        else:
            text = f"{caller}: {names[0]} has {count(len(pred), 'graph')}, {names[1]} {len(gold):,}"
        more = _missing(pred, gold, names), likely_gaps(pred, gold, names), _unread(pred, gold, names)
        raise PairingError(f"{text}{''.join(more)}{hint}")
    if DIALECTS[pred.dialect].identified and DIALECTS[gold.dialect].identified:
        _check_ids(caller, pred, gold, names)
    return None


def _check_ids(caller: str, pred: Corpus, gold: Corpus, names: Names) -> None:
    """Raise :class:`~fastmatch.PairingError` if pairs by position are of different sentences."""
    places, *_ = differing(pred.columns, gold.columns, b"id", False)
    if len(places):
        k = int(places[0])
        raise PairingError(
            f"{caller}: {names[0]} has sentence {pred.ids[k]!r} where {names[1]} has {gold.ids[k]!r} (pair {k}; "
            f"{count(len(places), 'pair')} in all); pair_by='id' pairs equal ids"
        )


def by_id(pred: Corpus, gold: Corpus, rules: Rules, names: Names = ("pred", "gold"), *, extra: bool = True) -> Pairing:
    """Pair graphs of equal ``::id``, in the order of the gold graphs.

    Parameters
    ----------
    pred, gold : Corpus
    rules : Rules
        ``unpaired`` says what becomes of an id that only one side has: an error; a pair with an empty graph (those of
        the predictions come last); or nothing, with a warning.
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
    caller, unpaired = rules.caller, rules.unpaired
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
                left_out.append(f"{count(len(lost), 'unreadable graph')} of {name} without ::id")
            nameless = [k for k in nameless if k not in broken]
        if nameless:
            faults.append(
                f"{count(len(nameless), 'graph')} of {name} without ::id (number {first_few(map(str, nameless))})"
            )
        repeated = [f"{id!r} {n} times" for id, n in Counter(filter(None, known)).items() if n > 1]
        if repeated:
            faults.append(f"{count(len(repeated), 'repeated id')} in {name} ({first_few(repeated)})")
        places.append({id: k for k, id in enumerate(known) if id})
    mine, its = places
    missing, unknown = [id for id in its if id not in mine], [id for id in mine if id not in its]
    plain = not faults
    alone = [
        f"{count(len(lacking), 'id')} of {here} not in {there} ({quoted(lacking)})" if lacking else ""
        for lacking, here, there in ((missing, names[1], names[0]), (unknown, names[0], names[1]))
    ]
    if unpaired == "raise":
        faults += filter(None, alone)
    elif unpaired == "empty" and unknown and not extra:
        faults.append(alone[1])
    if faults:
        more = ""
        if plain and unpaired == "raise":
            more = "; unpaired='empty' counts what is missing as empty graphs, 'skip' leaves it out"
        # a corpus that is paired with itself has each fault once
        raise PairingError(f"{caller}: paired by ::id: {'; '.join(dict.fromkeys(faults))}{more}")
    ids = list(its)
    if unpaired == "skip":
        left_out += filter(None, alone)
        ids = [id for id in ids if id in mine]
    elif unpaired == "empty":
        # An unreadable graph against the empty graph that stands for no graph would be a perfect pair.
        gone = {id: names[1] for id in missing if _is_empty(gold, its[id])}
        gone |= {id: names[0] for id in unknown if _is_empty(pred, mine[id])}
        left_out += [f"the empty graph {id!r} of {name}, which has no partner" for id, name in gone.items()]
        ids = [id for id in (*its, *unknown) if id not in gone]
    if left_out:
        warn(f"left out of {names}", f"{caller}: left out: {'; '.join(left_out)}", pred, gold)
    index_pred, index_gold = (np.array([at.get(id, -1) for id in ids], np.int64) for at in places)
    return Pairing(index_pred, index_gold, ids)


def _is_empty(corpus: Corpus, g: int) -> bool:
    return bool(corpus.variable_offsets[g] == corpus.variable_offsets[g + 1])


def _taken(corpus: Corpus, index: Int64Array, ids: Sequence[str | None]) -> Corpus:
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
    offsets = {name: np.append(getattr(corpus, name), getattr(corpus, name)[-1]) for name in TABLES}
    root, lines = np.append(corpus.root, np.int32(-1)), np.append(corpus.lines, np.int32(0))
    return corpus.with_columns(root=root, lines=lines, **offsets)


# ---- messages --------------------------------------------------------------------------------------------------------


def _missing(pred: Corpus, gold: Corpus, names: Names) -> str:
    """Which ids only one side has, for the error of unequal numbers; empty if a side has no ids."""
    mine, its = (set(corpus.ids) - {None} for corpus in (pred, gold))
    if not mine or not its:
        return ""
    text = ""
    for here, there, ids, name in ((gold, mine, its, names[0]), (pred, its, mine, names[1])):
        lacking = [id for id in dict.fromkeys(here.ids) if id and id in ids and id not in there]
        if lacking:
            text += f"; not in {name}: {count(len(lacking), 'id')} ({quoted(lacking)})"
    return text


def _unread(pred: Corpus, gold: Corpus, names: Names) -> str:
    """Which graphs could not be read, for the same error: text between graphs keeps a place, too."""
    text = ""
    for name, corpus in zip(names, (pred, gold), strict=True):
        if corpus.problems:
            n = len(corpus.problems)
            text += f"; {n:,} of {name} cannot be read (the first: {corpus.problems[0][1]})"
    return text


def listed_ids(ids: Sequence[str]) -> str:
    """How many ids there are, and the first of them."""
    return f"{count(len(ids), 'id')} ({quoted(ids)})"
