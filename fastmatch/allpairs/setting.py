# ruff: noqa: N803 - A and B are the names of SciPy and RapidFuzz
"""What ``cdist``, ``top_k``, ``pairs`` and ``features`` share: prepared corpora, blocks of rows, resuming, checks."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike

from fastmatch.allpairs.blocks import AllPairs
from fastmatch.errors import OptionError, ReadWarning, choice, warn_caller
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import Graphs, corpora_of, corpus_of, graph_ids
from fastmatch.graphs.ids import Ids
from fastmatch.metrics.base import Metric
from fastmatch.metrics.choosing import agreed_signature, chosen_metric
from fastmatch.metrics.run import run
from fastmatch.metrics.shared.foreign_vectors import warn_foreign_vectors
from fastmatch.metrics.shared.sentence_groups import warn_undivided
from fastmatch.results.signature import Signature
from fastmatch.runtime.journal import Journal, flush_folder
from fastmatch.runtime.progress import Steps
from fastmatch.types import OnErrorPaired
from fastmatch.version import __version__

if TYPE_CHECKING:
    from fastmatch.allpairs.npy import NpyFile
    from fastmatch.allpairs.parquet import ParquetFile

#: Bytes of a block of rows, at most (unless one row is longer): what is computed, then written and flushed at once.
BLOCK_BYTES = 1 << 28

#: The share of all pairs that are scored where the best k are wanted and rows have bounds: of real graphs it is less.
SCORED = 0.05

#: Estimated seconds of a block on one thread, at most (unless one row takes longer): what a kill may cost.
BLOCK_SECONDS = 60.0


@dataclass(frozen=True)
class Setting:
    """Two corpora that were read and prepared, and the comparison of each graph with each.

    Attributes
    ----------
    pred, gold : Corpus
        The same object if a corpus is compared with itself.
    signature : Signature
        Of the scores.
    comparison : AllPairs
    """

    pred: Corpus
    gold: Corpus
    signature: Signature
    comparison: AllPairs

    @classmethod
    def make(
        cls,
        A: Graphs,
        B: Graphs | None,
        metric: str | Metric,
        preset: str | None,
        cutoff: float | None,
        on_error: OnErrorPaired,
        options: dict[str, Any],
        workers: int = 1,
    ) -> Setting:
        """From the arguments of a public function; ``workers`` read the files, if there are any.

        Raises
        ------
        OptionError
            What :func:`fastmatch.cdist` says of its arguments.
        """
        choice("on_error", on_error, ("raise", "empty", "repair"))
        chosen = chosen_metric(metric, preset, options)
        if B is None:
            pred = gold = corpus_of("A", A, None, chosen.dialect, on_error, workers=workers)
        else:
            pred, gold = corpora_of(A, B, chosen.dialect, on_error, workers=workers)
        signature = agreed_signature(chosen, pred, gold)
        warn_undivided(chosen, pred, gold)
        warn_foreign_vectors(chosen, pred, gold)
        prepared = chosen.prepare(pred)
        other = prepared if B is None else chosen.prepare(gold)
        cutoff = checked_cutoff(cutoff)
        if cutoff is not None and cutoff > 1 and len(gold):
            first = np.zeros(1, np.int32)
            highest = run(chosen, other, other, first, first).score[0]
            if highest < cutoff:  # points, where a fraction was meant; some metrics have higher scores
                warn_caller(
                    f"score_cutoff={cutoff:g}: scores are fractions, of a graph with itself {highest:g}; what is below "
                    "the cutoff is left out"
                )
        return cls(pred, gold, signature, AllPairs(chosen, prepared, other, len(pred), len(gold), cutoff))

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of graphs of both corpora."""
        return len(self.pred), len(self.gold)

    @property
    def ids(self) -> tuple[Ids, Ids]:
        """The ids of both corpora's graphs; those of a corpus that is compared with itself are looked up once."""
        ids = graph_ids(self.gold)
        return (ids if self.pred is self.gold else graph_ids(self.pred)), ids

    def height(
        self, itemsize: int, seconds_at_most: float = BLOCK_SECONDS, *, k: int | None = None, parts: int = 1
    ) -> int:
        """Rows of a block: what :data:`BLOCK_BYTES` hold of cells of this size, and takes no longer than that.

        ``parts``: only one of so many parts of those bytes. ``k``: only the best so many of each row are wanted; an
        index then needs no memory for the others.
        """
        n_pred, n_gold = self.shape
        width = n_gold if k is None or not self.comparison.indexed else k
        rows = BLOCK_BYTES // parts // max(1, width * itemsize)
        if n_pred and n_gold:
            rng = np.random.default_rng(0)  # the same pairs every time, so that blocks are the same, too
            i, j = (rng.integers(0, n, 256).astype(np.int32) for n in self.shape)
            grid = self.comparison.grid
            seconds = 2e-9 if self.comparison.indexed else grid.metric.costs(grid.pred, grid.gold, i, j).mean()
            if k is not None and self.comparison.bounded:
                seconds *= SCORED
            rows = min(rows, int(seconds_at_most / (seconds * n_gold)))
        return max(1, rows)

    def blocks(self, height: int) -> list[tuple[int, int]]:
        """Rows (start, stop) of each block."""
        n_pred = len(self.pred)
        return [(start, min(start + height, n_pred)) for start in range(0, n_pred, height)]

    def header(self, what: str, **more: Any) -> dict[str, Any]:
        """What a journal says of the computation, with its fingerprint."""
        grid = self.comparison.grid
        described = {
            "result": what,
            "shape": list(self.shape),
            "signature": str(self.signature),
            "metric": repr(grid.metric),
            "cutoff": grid.cutoff,
            **more,
        }
        pred = digest(self.pred)
        gold = pred if grid.same else digest(self.gold)

        mark = fingerprint(pred=pred, gold=gold, same=grid.same, version=__version__, **described)
        return {"fastmatch": __version__, "fingerprint": mark, **described}

    def journalled(
        self, header: dict[str, Any], height: int, resume: bool, file: NpyFile | ParquetFile, report: Steps
    ) -> Iterator[tuple[int, int, int]]:
        """The blocks that are not on disk yet: (number, start, stop).

        The caller writes each block before it asks for the next one; the journal then notes it.

        Raises
        ------
        OptionError
            What :func:`fastmatch.cdist` says of ``out`` and ``resume``.
        """
        path = file.path
        if os.path.isdir(path):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if os.path.exists(path) and not os.path.isfile(path):
            raise OptionError(f"{path} is no regular file: blocks cannot be written to it in any order")
        blocks = self.blocks(height)
        journal = Journal(path, {**header, "blocks": len(blocks), "height": height}, resume=resume)
        try:
            # an earlier run may have been given another size of blocks
            begun = journal.header.get("height")
            if type(begun) is not int or begun < 1 or len(self.blocks(begun)) != journal.header["blocks"]:
                raise journal.damaged()
            blocks = self.blocks(begun)
            if journal.complete:
                fault = file.fault(blocks, journal)
                if fault:
                    raise OptionError(
                        f"{path} is not the result that {journal.path} tells of: {fault}; "
                        "without resume=True it is computed anew"
                    )
                file.clean()
                report(report.total)
                return
            kept = file.kept(blocks, journal) if journal.done else set()
            if len(kept) < len(journal.done):
                warn_caller(
                    f"{journal.part}: {len(journal.done) - len(kept)} of {len(journal.done)} finished blocks are not "
                    "what was written; they are computed again",
                    ReadWarning,
                )
            file.open(fresh=not kept)
            for number, (start, stop) in enumerate(blocks):
                if number not in kept:
                    yield number, start, stop
                    file.flush()
                    journal.finish(number, file.checksum)
                report(stop * self.shape[1])
            checksum = file.finish(blocks)
            flush_folder(path)
            journal.end(checksum)
            # only now: killed before, a later run must find all blocks that the journal names
            file.clean()
            report(report.total)
        finally:
            file.close()
            journal.close()


def positive(option: str, value: Any) -> int:
    """The value as an int.

    Raises
    ------
    OptionError
        If it is not a positive whole number.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise OptionError(f"{option}={value!r}: expected a positive whole number")
    return int(value)


def without_prefix(metric: str | Metric, options: dict[str, Any]) -> dict[str, Any]:
    """The options by their own names: ``wlk_k`` of the metric ``wlk`` is ``k``."""
    name = (metric if isinstance(metric, str) else str(getattr(metric, "name", ""))).replace("+", "p").replace("-", "_")
    return {option.removeprefix(f"{name}_"): value for option, value in options.items()}


def checked_cutoff(value: float | None) -> float | None:
    """The cutoff as a float, or None.

    Raises
    ------
    OptionError
        If it is no number, or negative.
    """
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float | np.floating)):
        raise OptionError(f"score_cutoff={value!r}: expected a fraction, as scores are, or None")
    if value is not None and not value >= 0:
        raise OptionError(f"score_cutoff={value!r}: expected 0 or more")
    return None if value is None else float(value)


def checked_kind(dtype: DTypeLike) -> np.dtype[Any]:
    """The type of scores as a dtype; OptionError if it is not one of floats."""
    kind = np.dtype(dtype)
    if kind.kind != "f":
        raise OptionError(f"dtype={kind.name!r}: scores are fractions, expected a float type")
    return kind


def fingerprint(**parts: Any) -> str:
    """A short digest of named values that JSON can hold (or that ``repr`` tells apart); hexadecimal."""
    text = json.dumps(parts, sort_keys=True, default=repr)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def digest(corpus: Corpus) -> str:
    """A digest of the graphs of a corpus, and of their order and ids: equal for equal content, however it was read.

    Ids of the vocabulary do not go into it, as they depend on what else was read.
    """
    # in this order, as journals hold digests
    names = "root variable_offsets instance_offsets instances attribute_offsets attributes relation_offsets relations"
    state = hashlib.sha256(corpus.dialect.encode())
    strings = [corpus.variable_names, corpus.instances[1], *corpus.attributes[1:3], corpus.relations[1]]
    used, first, places = np.unique(np.concatenate(strings), return_index=True, return_inverse=True)
    # numbered in the order in which they first occur
    order = np.argsort(first)
    rank = np.empty(len(used), np.int64)
    rank[order] = np.arange(len(used))
    texts = [corpus.vocabulary.text(int(id)) if id >= 0 else None for id in used[order]]
    for name in names.split():
        array = getattr(corpus, name)
        rows = {"instances": (1,), "attributes": (1, 2), "relations": (1,)}.get(name)
        if rows is not None:
            array = np.delete(array, rows, axis=0)
        state.update(f"{name}{array.shape}".encode())
        state.update(np.ascontiguousarray(array).data)
    state.update(rank[places].data)
    state.update(json.dumps([texts, list(corpus.ids)]).encode())
    return state.hexdigest()[:32]
