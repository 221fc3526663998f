"""DocSmatch: Smatch of documents, in which sentence k may only match sentence k.

Naseem et al. (2022), "DocAMR: Multi-Sentence AMR Representation and Evaluation". The root of a document graph has a
relation ``:snt1``, ``:snt2``, … to the root of each sentence. Two variables may be mapped to each other only if some
sentence number belongs to both. This is Smatch with fewer candidates, so its optimum is found and proven in the same
way, and is never above that of Smatch, which ``within="document"`` gives. If the two documents divide their text into
other sentences, ``sentence_map`` says which belong together.

Which sentences a variable belongs to (:mod:`fastmatch._ext.matching.sentences`):

* ``within="sentences"``: those whose root reaches it along relations, but for those between mentions (``:coref``,
  ``:part``, ``:subset``, ``:same-as``). A variable that no root reaches belongs to the sentences of those that it is
  connected with. A chain belongs to the sentences of its mentions. The rule looks at triples only, not at which of them
  the text writes with ``-of``;
* ``within="tool"``: as DocSmatch of docAMR 0.1.1, where a relation that is written with ``-of`` is followed in both
  directions.

The root, and what is connected to no sentence, is a group of its own. What the concept of the root is does not matter,
so ``multi-sentence`` graphs of AMR are documents, too. Numbers may be left out, and the two documents may have
different numbers of sentences. If one of two graphs has no ``:snt1``, …, the pair is matched as Smatch does.

``preset="tool"`` has the reading, the triples and the groups of the program: its optimum is that of the program's
search, which climbs hills from a few starts that differ from run to run. A text that makes the program fail (a gap in
the numbers of sentences) is scored here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, TypeAlias

import numpy as np

from fastmatch.errors import OptionError, first_few, shortened, warn_caller
from fastmatch.graphs.arrays import starts_of
from fastmatch.graphs.corpus import Corpus
from fastmatch.metrics.contract.required import PairRange
from fastmatch.metrics.options import common, keys_of, option
from fastmatch.metrics.registry import register
from fastmatch.metrics.shared.option_tables import OptionTable, wrong_line
from fastmatch.metrics.shared.sentence_groups import sentence_groups
from fastmatch.metrics.shared.triples import BothSides
from fastmatch.metrics.smatch import Smatch
from fastmatch.results.pairs import TripleScores
from fastmatch.results.signature import Value
from fastmatch.types import Int32Array, Int64Array


@register("docsmatch")
@dataclass(frozen=True)
class DocSmatch(Smatch):
    """DocSmatch with its options.

    Attributes
    ----------
    within : {"sentences", "tool", "document"}
        What variables must share to be mapped to each other: a sentence, a sentence as DocSmatch counts what is in one,
        or nothing but the document.
    sentence_map : str, mapping or None
        Which sentences belong together, for documents whose sentences are divided otherwise: pairs of numbers (of the
        prediction, of the gold document) by the id of the document, or the name of a file; see
        :class:`SentenceMap`. In a document that it names, variables may match only if they are
        in sentences of such a pair. None, and for other documents: sentence k belongs to sentence k.
    solver, top, duplicates, triples, standard, restarts, seed, effort, time_limit
        As for Smatch.
    compress : bool
        Must be False: a compressed pair has no sentences.
    """

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"tool": {**Smatch.presets["smatch"], "within": "tool"}}

    within: str = common("within", "sentences")
    sentence_map: str | Mapping[str, Iterable[tuple[int, int]]] | None = option(
        None,
        "file that says which sentences belong together: lines of a document's id, a tab, sentences of the prediction "
        "(such as 2,3), a tab, sentences of gold; without it, those of the same number",
        takes="sentences",
    )

    def __post_init__(self) -> None:
        if self.compress is True:
            raise OptionError("compress=True: docsmatch keeps to sentences, and a compressed pair has none; use smatch")
        super().__post_init__()
        given = SentenceMap.checked(self.sentence_map)
        if given is not None and self.within == "document":
            raise OptionError("sentence_map: has no effect with within='document'; leave one of them out")
        object.__setattr__(self, "sentence_map", given)

    @property
    def symmetric(self) -> bool:
        """As Smatch's; not with a map, which says what belongs to a prediction, and what to gold."""
        return self.sentence_map is None and super().symmetric

    def prepare(self, corpus: Corpus) -> Any:
        if self.sentence_map is None:
            return super().prepare(corpus)
        return self.on_both_sides(self.standardized(corpus))

    def on_both_sides(self, graphs: Corpus) -> BothSides:
        """Features of graphs that are standardised already, under the map of sentences, which there must be."""
        assert self.sentence_map is not None
        features = self.features(graphs)
        restricted, offsets, groups = sentence_groups(graphs, tool=self.within == "tool")
        known, ids = SentenceMap.of(self.sentence_map), graphs.ids
        warn_unknown(known, ids)
        sides = [mapped_groups(known, side, ids, graphs.variable_offsets, offsets, groups) for side in (0, 1)]
        return BothSides(*(features.grouped_by(restricted, *side) for side in sides))

    def score(self, pred: Any, gold: Any, pairs: PairRange, out: TripleScores) -> None:
        if isinstance(pred, BothSides):  # only the groups of both sides differ, the triples are the same
            pred, gold = pred.pred, gold.gold
        super().score(pred, gold, pairs, out)

    signature_names: ClassVar = {**keys_of("within map#sentence_map"), **Smatch.signature_names}

    def fields(self, dialect: str) -> dict[str, Value]:
        return {**super().fields(dialect), "within": self.within}

    def digest(self, option: str) -> str:
        assert self.sentence_map is not None
        return SentenceMap.of(self.sentence_map).digest


# Which sentences of two documents belong together, where their numbers do not say it.
#
# A file has a line for each such group of sentences: the ``::id`` of the document, a tab, numbers of sentences of the
# prediction with commas between them, a tab, and numbers of sentences of the gold document:
#
#     doc.1       1       1
#     doc.1       2,3     2
#     doc.1       4       3,4
#
# Each sentence of the one list belongs together with each of the other. A sentence may stand in several lines. Empty
# lines and lines that begin with ``#`` are passed over, and so is a byte-order mark.


#: (sentence of the prediction, sentence of the gold document)
Pairs: TypeAlias = tuple[tuple[int, int], ...]

#: Numbers of sentences are below this.
_MOST = 2**30
#: So many ids are named in a warning.
_NAMED = 3


class SentenceMap(OptionTable["Pairs"]):
    """Pairs of sentences that belong together, by the id of the document; equal ones have equal hashes.

    Parameters
    ----------
    pairs : mapping of str to iterable of (int, int)
        Numbers of a sentence of the prediction and one of the gold document, from 0 to 2³⁰ − 1.

    Attributes
    ----------
    digest : str
        16 hexadecimal digits that depend on the ids and pairs and nothing else.

    Raises
    ------
    OptionError
        If an id is no string, or what it stands for is no list of such pairs.
    """

    __slots__ = ("_first",)
    option = "sentence_map"
    entries = "documents"
    holds = "pairs by ids of documents"

    def __init__(self, pairs: Mapping[str, Iterable[tuple[int, int]]]) -> None:
        table: dict[str, Pairs] = {}
        self._first: dict[str, int] = {}
        n = 0
        for document, given in pairs.items():
            listed: list[Any] = list(given) if hasattr(given, "__iter__") else [given]
            if not isinstance(document, str) or not all(map(_is_pair, listed)):
                raise OptionError(
                    "sentence_map: expected ids of documents and pairs of numbers of sentences, found "
                    f"{document!r}: {given!r}"
                )
            table[document] = tuple(sorted({(int(one), int(two)) for one, two in listed}))
            self._first[document] = n
            n += len(table[document])
        rows = (f"{document}\t{one}\t{two}\n" for document, own in sorted(table.items()) for one, two in own)
        super().__init__(table, "".join(rows))

    def groups(self, document: str, side: int) -> dict[int, list[int]]:
        """Number of a sentence of a side (0: prediction, 1: gold) → a group for each pair that it is in, ascending.

        No other document, and no number of a sentence, has these groups.
        """
        found: dict[int, list[int]] = {}
        last = -1 - self._first[document]
        pairs = self[document]
        for k in range(len(pairs) - 1, -1, -1):
            found.setdefault(pairs[k][side], []).append(last - k)
        return found

    @classmethod
    def parsed(cls, path: str, lines: Iterable[tuple[int, str]]) -> dict[str, list[tuple[int, int]]]:
        found: dict[str, list[tuple[int, int]]] = {}
        for number, line in lines:
            if line.startswith("#"):
                continue
            cells = [cell.strip() for cell in line.split("\t")]
            lists = [_numbers(cell) for cell in cells[1:]]
            if len(cells) != 3 or not cells[0] or None in lists:
                expected = "the id of a document and two lists of sentences, such as 2,3, with tabs between them"
                raise wrong_line(expected, path, number, line)
            one, two = lists
            found.setdefault(cells[0], []).extend((a, b) for a in one or () for b in two or ())
        return found


def _is_pair(given: object) -> bool:
    return (
        isinstance(given, tuple | list)
        and len(given) == 2
        and all(isinstance(number, int) and not isinstance(number, bool) and 0 <= number < _MOST for number in given)
    )


def _numbers(cell: str) -> list[int] | None:
    """The numbers of a list, or None if it is none."""
    words = [word.strip() for word in cell.split(",")]
    if not all(word.isascii() and word.isdigit() and len(word) <= 10 and int(word) < _MOST for word in words):
        return None
    return list(map(int, words))


def warn_unknown(known: SentenceMap, ids: Sequence[str | None]) -> None:
    """Warn of a map that does not fit the documents of a corpus, for then it changes nothing, in silence.

    That is if it names none of them; or if there are several, and it has ids that none of them has, or an id that two
    of them have. A single document may be one pair of a corpus that is scored one by one.

    Parameters
    ----------
    known : SentenceMap
    ids : sequence of str or None, n_graphs
    """
    if not len(known) or not len(ids):
        return
    there = Counter(document for document in ids if document is not None)
    unknown = [document for document in known if document not in there]
    if len(unknown) == len(known):
        found = f"these have {_listed(list(there))}" if there else "these have none"
        _warn(f"the map has no effect, because no document has an ::id that it names ({_listed(unknown)}); {found}")
    elif len(ids) > 1:
        if unknown:
            _warn(f"no document has {_listed(unknown)}, {len(unknown):,} of the {len(known):,} ids of the map")
        twice = [document for document in known if there[document] > 1]
        if twice:
            _warn(f"several documents have the same ::id ({_listed(twice)}); the map holds for each of them")


def _listed(ids: Sequence[str]) -> str:
    return first_few([repr(shortened(document, 60)) for document in ids[:_NAMED]], len(ids), most=_NAMED)


def _warn(text: str) -> None:
    warn_caller(f"sentence_map: {text}")


def mapped_groups(
    known: SentenceMap,
    side: int,
    ids: Sequence[str | None],
    starts: Int64Array,
    offsets: Int64Array,
    groups: Int32Array,
) -> tuple[Int64Array, Int32Array]:
    """The groups of one side of pairs: a group for each pair of sentences that belong together.

    Parameters
    ----------
    known : SentenceMap
    side : int
        0 for predictions, 1 for gold documents.
    ids : sequence of str or None, n_graphs
    starts : int64[n_graphs + 1]
        Where the variables of each graph begin.
    offsets, groups
        As :func:`fastmatch.metrics.shared.sentence_groups.sentence_groups` gives them: k + 1 for sentence k.

    Returns
    -------
    offsets, groups
        The same for documents that the map does not name. In others a sentence that it does not name is in no group.
    """
    named = [(g, document) for g, document in enumerate(ids) if document is not None and document in known]
    if not named:
        return offsets, groups
    sizes = np.diff(offsets)
    pieces: list[Int32Array] = []
    done = 0
    for g, document in named:
        first, stop = starts[g : g + 2].tolist()
        pieces.append(groups[offsets[done] : offsets[first]])
        of = known.groups(document, side)
        bounds = offsets[first : stop + 1].tolist()
        own = groups[bounds[0] : bounds[-1]].tolist()
        lists: list[list[int]] = []
        for a, b in pairwise(bounds):
            found: set[int] = set()
            for group in own[a - bounds[0] : b - bounds[0]]:
                found.update(of.get(group - 1, ()) if group else (0,))
            lists.append(sorted(found))
        sizes[first:stop] = [len(each) for each in lists]
        pieces.append(np.array([group for each in lists for group in each], np.int32))
        done = stop
    pieces.append(groups[offsets[done] :])
    return starts_of(sizes), np.concatenate(pieces).astype(np.int32)
