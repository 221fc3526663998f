"""Parts of a corpus, and several corpora as one: the arrays behind slices, lists of graphs and ``+``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from fastmatch.errors import OptionError
from fastmatch.graphs.arrays import ID_ROWS, TABLES, Content, Repair, starts_of
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.types import Int32Array, Int64Array


def stretch(content: Content, start: int, stop: int) -> Content:
    """The graphs ``start`` … ``stop − 1``."""
    given = content.arrays
    arrays: dict[str, Any] = {name: given[name][start:stop] for name in ("root", "lines")}
    for offsets, table in TABLES.items():
        bounds = given[offsets][start : stop + 1]
        arrays[offsets] = bounds - bounds[0]
        # rows stay contiguous, so two-dimensional tables are copied; the others are views
        arrays[table] = np.ascontiguousarray(given[table][..., bounds[0] : bounds[-1]])
    problems = tuple((g - start, message) for g, message in content.problems if start <= g < stop)
    repairs = tuple(one._replace(graph=one.graph - start) for one in content.repairs if start <= one.graph < stop)
    return content._replace(arrays=arrays, problems=problems, repairs=repairs)


def taken(content: Content, chosen: Int64Array) -> Content:
    """The graphs with these numbers, in this order, int64[n]; none is negative."""
    given = content.arrays
    arrays: dict[str, Any] = {name: given[name][chosen] for name in ("root", "lines")}
    for offsets, table in TABLES.items():
        bounds = given[offsets]
        starts = bounds[chosen]
        sizes = bounds[chosen + 1] - starts
        arrays[offsets] = made = starts_of(sizes)
        if table == "comments":  # long stretches: joining them beats an index for every byte
            text = given[table].data
            pieces = [text[start:stop] for start, stop in zip(starts.tolist(), (starts + sizes).tolist(), strict=True)]
            arrays[table] = np.frombuffer(b"".join(pieces), np.uint8)
            continue
        columns = np.arange(made[-1])
        columns += np.repeat(starts - made[:-1], sizes)
        arrays[table] = given[table].take(columns, axis=-1)
    problems: tuple[tuple[int, str], ...] = ()
    if content.problems:
        messages = dict(content.problems)
        problems = tuple((k, messages[g]) for k, g in enumerate(chosen.tolist()) if g in messages)
    repairs: list[Repair] = []
    if content.repairs:
        known: dict[int, list[Repair]] = {}
        for one in content.repairs:
            known.setdefault(one.graph, []).append(one)
        for k, g in enumerate(chosen.tolist()):
            repairs += [one._replace(graph=k) for one in known.get(g, ())]
    return content._replace(arrays=arrays, problems=problems, repairs=tuple(repairs))


def renumbered(content: Content, vocabulary: Vocabulary, ids: Int32Array) -> Content:
    """The same graphs over another vocabulary; ``ids``: id in the old one → id in the new one."""
    # one more place at the end, so that −1 maps to itself
    ids = np.append(ids, np.int32(-1))
    arrays: dict[str, Any] = dict(content.arrays)
    for name, rows in ID_ROWS.items():
        if rows is None:
            arrays[name] = ids[arrays[name]]
        else:
            arrays[name] = table = arrays[name].copy()
            for row in rows:
                table[row] = ids[table[row]]
    return content._replace(vocabulary=vocabulary, arrays=arrays)


def moved(content: Content, vocabulary: Vocabulary) -> Content:
    """The same graphs over another vocabulary, which gets the strings that these graphs use and it lacks.

    O(size of the arrays), whatever the size of the old vocabulary.
    """
    arrays: dict[str, Any] = dict(content.arrays)
    changed = []
    for name, rows in ID_ROWS.items():
        if arrays[name].size:  # small graphs have no surface, and often no attributes: no time for copies of nothing
            arrays[name] = table = arrays[name].copy()
            changed += [table] if rows is None else [table[row] for row in rows]
    content.vocabulary.interner.renumber(vocabulary.interner, changed)
    return content._replace(vocabulary=vocabulary, arrays=arrays)


def joined(contents: Sequence[Content]) -> Content:
    """All graphs of these corpora, at least one, in the vocabulary of the first, which gets the strings it lacks.

    Raises
    ------
    OptionError
        If the corpora were read with different dialects.
    """
    parts, first = list(contents), contents[0]
    for part in parts:
        if part.dialect != first.dialect:
            raise OptionError(
                f"corpora of the dialects {first.dialect!r} and {part.dialect!r} cannot be joined; read both alike"
            )
    merged: dict[int, Int32Array] = {}  # each vocabulary once, however many corpora share it
    for number, part in enumerate(parts):
        if part.vocabulary is not first.vocabulary:
            if id(part.vocabulary) not in merged:
                merged[id(part.vocabulary)] = first.vocabulary.merge(part.vocabulary)
            parts[number] = renumbered(part, first.vocabulary, merged[id(part.vocabulary)])
    given = [part.arrays for part in parts]
    arrays: dict[str, Any] = {name: np.concatenate([each[name] for each in given]) for name in ("root", "lines")}
    for offsets, table in TABLES.items():
        tables = [each[table] for each in given]
        arrays[table] = np.concatenate(tables, axis=-1)
        arrays[offsets] = bounds = np.concatenate([given[0][offsets][:1], *(each[offsets][1:] for each in given)])
        # where the columns of each part begin: one operation for all parts, of which there may be many small ones
        begins = [0, *accumulate(part.shape[-1] for part in tables[:-1])]
        bounds[1:] += np.repeat(begins, [len(each["root"]) for each in given])
    before, problems = 0, []
    repairs: list[Repair] = []
    for part in parts:
        problems += [(before + g, message) for g, message in part.problems]
        repairs += [one._replace(graph=before + one.graph) for one in part.repairs]
        before += len(part.arrays["root"])
    source = first.source if len({part.source for part in parts}) == 1 else "<joined>"
    return Content(first.vocabulary, arrays, first.dialect, source, tuple(problems), tuple(repairs))
