"""Which sentences of two documents belong together, where their numbers do not say it.

A file has a line for each such group of sentences: the ``::id`` of the document, a tab, numbers of sentences of the
prediction with commas between them, a tab, and numbers of sentences of the gold document:

    doc.1	1	1
    doc.1	2,3	2
    doc.1	4	3,4

Each sentence of the one list belongs together with each of the other. A sentence may stand in several lines. Empty
lines and lines that begin with ``#`` are passed over, and so is a byte-order mark.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np

from fastmatch.errors import OptionError, warn_caller
from fastmatch.graphs.arrays import starts_of
from fastmatch.metrics.shared.option_tables import OptionTable, wrong_line
from fastmatch.types import Int32Array, Int64Array

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
    shown = [repr(document if len(document) <= 60 else f"{document[:60]}…") for document in ids[:_NAMED]]
    return ", ".join(shown) + ", …" * (len(ids) > _NAMED)


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
