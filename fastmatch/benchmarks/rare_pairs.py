"""The pairs of RARE, and how they are made: a corpus is divided, and every graph of it rewired step by step."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from fastmatch.benchmarks.rewiring import CutRewirings, Rewirings, Stream, legacy_order, rewire, rewire_as_published
from fastmatch.errors import FastmatchWarning, OptionError
from fastmatch.graphs.forms import Graphs, corpus_of
from fastmatch.metrics.options import choice
from fastmatch.runtime.progress import Steps
from fastmatch.types import FloatArray, Int32Array, Progress

Preset: TypeAlias = Literal["default", "tool"]
Split: TypeAlias = Literal["train", "dev", "test"]

SPLITS: tuple[Split, ...] = ("train", "dev", "test")
PRESETS: tuple[Preset, ...] = ("default", "tool")


@dataclass(frozen=True)
class RarePairs:
    """The pairs of one split.

    Attributes
    ----------
    split : str
    n_graphs : int
        Graphs of the split, those without a possible exchange included unless the pairs were loaded.
    originals : tuple of str
        Penman text of each graph that could be rewired.
    rewired : tuple of str
        Penman text of the second graph of each pair.
    index : int32[n_pairs]
        Which of the originals is the first.
    labels : tuple of str
        ``<graph>_<step>_<edges exchanged>``, for a graph with itself ``<graph>_-1``. Graphs count from 0 in the corpus,
        under the preset ``tool`` after its shuffle; steps count the original edges in the order of their turns.
    scores : float64[n_pairs]
        Share of edges that are still there, in [0, 1].
    """

    split: Split
    n_graphs: int
    originals: tuple[str, ...]
    rewired: tuple[str, ...]
    index: Int32Array
    labels: tuple[str, ...]
    scores: FloatArray

    def __len__(self) -> int:
        return len(self.rewired)


@dataclass(frozen=True)
class RareSet:
    """The pairs of a corpus, and how they were made.

    Attributes
    ----------
    splits : tuple of RarePairs
    source : str
        Name of the corpus, or of the folder that the pairs were loaded from.
    preset : str
    seed : int or None
        Of splitting and rewiring; 0 under the preset ``tool``, None for what was loaded.
    """

    splits: tuple[RarePairs, ...]
    source: str
    preset: Preset
    seed: int | None

    def to_dict(self) -> dict[str, Any]:
        """Numbers of graphs and pairs, as plain Python values, without scores and texts."""
        return {
            "corpus": self.source,
            "preset": self.preset,
            "seed": self.seed,
            "splits": {
                pairs.split: {"graphs": pairs.n_graphs, "rewired": len(pairs.originals), "pairs": len(pairs)}
                for pairs in self.splits
            },
        }


def generate(
    corpus: Graphs,
    splits: Sequence[Split] = SPLITS,
    *,
    preset: Preset = "default",
    seed: int = 0,
    progress: Progress = None,
) -> RareSet:
    """Divide a corpus and rewire its graphs.

    Parameters
    ----------
    corpus : Corpus, or graphs in another form
        As for :func:`fastmatch.score`; a corpus must have been read with the dialect ``penman``.
    splits : sequence of str
        Which of train, dev and test to make. What is in one depends on no other.
    preset : {"default", "tool"}
        See the top of :mod:`fastmatch.benchmarks.rare`.
    seed : int
        Of splitting and rewiring, 0 or more; only 0 goes with the preset ``tool``.
    progress : None, bool or callable
        True draws a bar on a terminal; a callable gets (graphs done, graphs in all).

    Returns
    -------
    RareSet

    Raises
    ------
    OptionError
        If the corpus is empty or of another dialect, or there is no such split, preset or seed.
    ReadError, TypeError
        As for :func:`fastmatch.score`.
    FastmatchError
        Under the preset ``tool``, if penman cannot read or write a graph.

    Warns
    -----
    FastmatchWarning
        If graphs are too large for all their exchanges: ``WORK`` of :mod:`fastmatch.benchmarks.rewiring`.
    """
    choice("preset", preset, PRESETS)
    for split in splits:
        choice("split", split, SPLITS)
    if seed < 0 or (preset == "tool" and seed != 0):
        raise OptionError(
            f"seed={seed!r}: expected {'0, the seed of the program' if preset == 'tool' else '0 or more'}"
        )
    corpus = corpus_of("corpus", corpus, None, "penman", "raise")
    if corpus.dialect != "penman":
        raise OptionError(f"rare: expected graphs read with dialect='penman', not {corpus.dialect!r}")
    if not len(corpus):
        raise OptionError(f"{corpus.source}: no graphs, expected at least one to rewire")
    members = divide(len(corpus), preset, seed)
    made = []
    cut: list[int] = []
    with Steps(progress, sum(len(members[split]) for split in splits), "graphs") as report:
        for split in splits:
            rewirings: list[Rewirings] = []
            for number, index in members[split]:
                if preset == "tool":
                    rewirings.append(rewire_as_published(corpus[index], number))
                else:
                    rewirings.append(rewire(corpus[index], number, seed))
                if isinstance(rewirings[-1], CutRewirings):
                    cut.append(index)
                report.step()
            made.append(_collected(split, rewirings))
    if cut:
        shown = ", ".join(map(str, sorted(cut)[:5])) + (", …" if len(cut) > 5 else "")
        warnings.warn(
            f"{corpus.source}: {len(cut):,} of {len(corpus):,} graphs are too large for all their exchanges, so their "
            f"series end early (graph {shown})",
            FastmatchWarning,
            stacklevel=2,
        )
    return RareSet(tuple(made), corpus.source, preset, seed)


def divide(n: int, preset: Preset, seed: int) -> dict[Split, list[tuple[int, int]]]:
    """Split → (number for labels and seeds, index) of each of its graphs: eight tenths, one tenth, the rest.

    ``n``: graphs of the corpus.
    """
    n_train, n_dev = int(0.8 * n), int(0.1 * n)
    bounds = (0, n_train, n_train + n_dev, n)
    # the stream of the corpus: its third number is one that no graph's stream has
    order = legacy_order(n) if preset == "tool" else tuple(Stream(seed, 0, 1).shuffled(n))
    return {
        split: (
            list(enumerate(order))[start:stop]
            if preset == "tool"
            else [(index, index) for index in sorted(order[start:stop])]
        )
        for split, start, stop in zip(SPLITS, bounds, bounds[1:], strict=False)
    }


def _collected(split: Split, rewirings: list[Rewirings]) -> RarePairs:
    """The pairs of all graphs of a split."""
    kept = [one for one in rewirings if one.series]
    flat = [(index, made) for index, one in enumerate(kept) for made in one.series]
    return RarePairs(
        split=split,
        n_graphs=len(rewirings),
        originals=tuple(one.original for one in kept),
        rewired=tuple(made.text for _, made in flat),
        index=np.array([index for index, _ in flat], np.int32),
        labels=tuple(made.label for _, made in flat),
        scores=np.array([made.score for _, made in flat], np.float64),
    )
