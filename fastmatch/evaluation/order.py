"""Whether two corpora look as if their graphs stood in different orders, judged by the concepts of a sample.

Predictions and gold graphs of the same sentences share most concepts, graphs of different sentences few. So a look at
some graphs tells pairs from strangers, where no ``::id`` and no ``::snt`` does. The bounds here are far from both kinds
of files: parses, paraphrases (also those that people call unlike each other) and rewired graphs on the one hand;
shuffled, reversed and shifted graphs on the other. Where in doubt, nothing is said.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import numpy as np

from fastmatch._ext.graphs.likeness import closest, likeness
from fastmatch.errors import first_few
from fastmatch.graphs.corpus import Corpus
from fastmatch.report.cells import count
from fastmatch.types import FloatArray, Int64Array

#: So many graphs are looked at, evenly spaced; if fewer than `_FEWEST` can be judged, or are unlike their own, none is.
_SAMPLE, _FEWEST = 128, 6

#: Graphs are unlike below the first bound, and alike from the second on. Parses of a sentence have 0.8, sentences that
#: have nothing to do with each other 0.05, paraphrases 0.5 on average.
_UNLIKE, _ALIKE = 0.25, 0.5

#: Graphs whose partners stand a constant number of places away: they gain, beyond so much each, so much together. In
#: SICK, where the same sentences come again and again, the most of all stretches and distances is 3.2.
_GAIN, _GAIN_IN_ALL = 0.3, 4.0

#: Files of different texts: so many graphs, or more, have no greater likeness on average.
_MANY, _STRANGE = 20, 0.08

#: Numbers of graphs that differ by more are no matter of a few lost graphs.
_FEW = 5

#: Where a graph is missing is known if all places that are nearly as good lie so close together.
_NEARLY, _CLOSE = 0.25, 5


def other_order(pred: Corpus, gold: Corpus, names: tuple[str, str]) -> str:
    """What is odd about the order of two corpora of as many graphs, in words; empty if nothing is.

    Notes
    -----
    O(1) for parses and paraphrases: 40 to 80 µs for any number of graphs. O(concepts) if most graphs are unlike theirs.
    """
    n = len(gold)
    if n < _FEWEST:
        return ""
    sample = _sample(n)
    mine, its = pred.columns, gold.columns
    own = likeness(mine, its, sample, sample)
    n_known, n_low = int(np.sum(own == own)), int(np.sum(own <= _UNLIKE))
    if n_low < _FEWEST:
        return ""
    shuffled = n_low >= n_known / 2 + 3  # so many, in another order each with a partner of its own
    if shuffled:
        low = sample[own <= _UNLIKE]
        best, place = closest(mine, its, low)
        far, partner = low[best >= _ALIKE], place[best >= _ALIKE]
        shifts = [shift for shift, number in Counter((far - partner).tolist()).items() if number >= _FEWEST]
    else:  # most graphs are in their places, and others can only be near theirs
        shifts = [k for k in range(-_FEW, _FEW + 1) if _stretch(_near(pred, gold, sample, k, own))[0] >= _GAIN_IN_ALL]
    text = _shifted(pred, gold, names, sample, own, shifts)
    if text or not shuffled:
        return text
    if len(np.unique(partner)) >= n_known / 2 + 3:
        return (
            f"{names[0]} and {names[1]} seem to be in different orders: of {count(n_known, 'graph')} of {names[0]} "
            f"that were looked at, {len(far):,} look like a graph of {names[1]} in another place, and not like their "
            f"own ({_listed(far, partner)})"
        )
    if n_known >= _MANY and np.nanmean(own) <= _STRANGE:
        return (
            f"graphs of {names[0]} and {names[1]} share hardly a concept ({np.nanmean(own):.0%} on average of "
            f"{count(n_known, 'pair')} that were looked at): do these graphs belong together?"
        )
    return ""


@lru_cache(maxsize=8)
def _sample(n: int) -> Int64Array:
    """Places of a corpus of n graphs, evenly spaced."""
    size = min(n, _SAMPLE)
    sample: Int64Array = np.arange(size, dtype=np.int64) * n // size
    sample.flags.writeable = False
    return sample


def _shifted(
    pred: Corpus, gold: Corpus, names: tuple[str, str], sample: Int64Array, own: FloatArray, shifts: list[int]
) -> str:
    """Words for the first stretch of graphs that look like the gold graphs one of these numbers of places before."""
    n = len(gold)
    found: list[tuple[int, int, int, bool]] = []
    for shift in shifts:
        if _stretch(_gains(pred, gold, sample, shift, own))[0] < _GAIN_IN_ALL:
            continue
        every = np.arange(n, dtype=np.int64)  # the sample has found it: where exactly?
        gains = _gains(pred, gold, every, shift, _likeness(pred, gold, every, every))
        _, start, stop = _stretch(gains)
        rest = gains[stop : n + min(shift, 0)] + _GAIN
        found.append((start, stop, shift, bool(rest.sum() >= 0)))
    if not found:
        return ""
    start, stop, shift, to_the_end = min(found)
    size = abs(shift)
    far = np.arange(start, stop, dtype=np.int64)
    here = f"from graph {start} " + ("on" if to_the_end else f"to {stop - 1}")
    there = ("" if size == 1 else f"{size:,} places ") + ("before" if shift > 0 else "behind")
    more, fewer = names if shift > 0 else names[::-1]
    question = ""
    if size <= _FEW:
        number = "is there a graph" if size == 1 else f"are there {size} graphs"
        question = f": {number} too many in {more}, or missing in {fewer}?"
    return (
        f"{here}, each graph of {names[0]} looks like the graph of {names[1]} {there} its own "
        f"({_listed(far, far - shift)}){question}"
    )


def _gains(pred: Corpus, gold: Corpus, graphs: Int64Array, shift: int, own: FloatArray) -> FloatArray:
    """How much more graphs are like the gold graph ``shift`` places before their own, less what chance may give."""
    gains = -own
    inside = (graphs >= shift) & (graphs < len(gold) + shift)
    gains[inside] += _likeness(pred, gold, graphs[inside], graphs[inside] - shift)
    return np.where(gains == gains, gains - _GAIN, 0.0)


def _near(pred: Corpus, gold: Corpus, graphs: Int64Array, shift: int, own: FloatArray) -> FloatArray:
    """As :func:`_gains`, but only graphs that are unlike their own gain anything."""
    inside = (graphs >= shift) & (graphs < len(gold) + shift) & (own == own)
    gains = np.where(inside, -_GAIN, 0.0)
    low = inside & (own <= _UNLIKE)
    gains[low] += np.nan_to_num(_likeness(pred, gold, graphs[low], graphs[low] - shift)) - own[low]
    return gains


def _stretch(gains: FloatArray) -> tuple[float, int, int]:
    """The greatest sum of neighbouring numbers, and where they begin and end."""
    sums = np.concatenate(([0.0], np.cumsum(gains)))
    rises = sums - np.minimum.accumulate(sums)
    stop = int(rises.argmax())
    start = stop - int(sums[stop::-1].argmin())
    return float(rises[stop]), start, stop


def likely_gaps(pred: Corpus, gold: Corpus, names: tuple[str, str]) -> str:
    """Which graphs of the longer corpus have no partner, for the error of unequal numbers; empty if that is unclear.

    The pairs stay in order, so each graph of the shorter corpus is paired with the one in its place, or up to as many
    places behind it as there are graphs too many: of all such pairings the one with the greatest likeness in all.
    """
    if len(pred) > len(gold):
        pred, gold, names = gold, pred, names[::-1]
    pred, gold = Corpus.together((pred, gold))
    n, n_gaps = len(pred), len(gold) - len(pred)
    if not n or n_gaps > _FEW:
        return ""
    every = np.arange(n, dtype=np.int64)
    # One row for each number of graphs left out before: the sums of likeness from the start.
    sums = np.zeros((n_gaps + 1, n + 1))
    for k in range(n_gaps + 1):
        np.cumsum(np.nan_to_num(_likeness(pred, gold, every, every + k)), out=sums[k, 1:])
    # The best sum before each place, with k graphs left out, less what the row of k + 1 has: where to change to it.
    changes, best = [], sums[0]
    for k in range(n_gaps):
        changes.append(best - sums[k + 1])
        best = sums[k + 1] + np.maximum.accumulate(changes[-1])
    if best[-1] < _GAIN * n:
        return ""
    gaps: list[int] = []
    stop = n
    for k in reversed(range(n_gaps)):
        gains = changes[k][: stop + 1]
        near = np.flatnonzero(gains >= gains.max() - _NEARLY)
        if near[-1] - near[0] > _CLOSE:
            return ""
        stop = int(gains.argmax())
        gaps.append(stop + k)
    listed = ", ".join(map(str, reversed(gaps)))
    seem = "graph {} of {} seems" if n_gaps == 1 else "graphs {} of {} seem"
    return f"; by their concepts {seem.format(listed, names[1])} to have no partner in {names[0]}"


def _likeness(pred: Corpus, gold: Corpus, graphs: Int64Array, others: Int64Array) -> FloatArray:
    return likeness(pred.columns, gold.columns, graphs, others)


def _listed(graphs: Int64Array, partners: Int64Array) -> str:
    """The first few graphs, and which ones they look like."""
    pairs = zip(graphs[:_FEW].tolist(), partners[:_FEW].tolist(), strict=True)
    return first_few((f"{k} like {other}" for k, other in pairs), len(graphs), most=_FEW)
