# ruff: noqa: N803 - A and B are the names of SciPy and RapidFuzz
"""``cpdist`` and ``pairs``: scores of chosen pairs of graphs, without the matrix around them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from fastmatch.allpairs.setting import Setting, checked_cutoff, checked_kind
from fastmatch.errors import OptionError, PairingError
from fastmatch.graphs.forms import Graphs
from fastmatch.metrics.base import Metric
from fastmatch.metrics.run import run
from fastmatch.results.pairs import PairScores
from fastmatch.types import MetricName, OnErrorPaired, Progress


def cpdist(
    A: Graphs,
    B: Graphs | None = None,
    index_pairs: ArrayLike | None = None,
    *,
    metric: MetricName | str | Metric = "smatch",
    preset: str | None = None,
    workers: int = 1,
    score_cutoff: float | None = None,
    dtype: DTypeLike = np.float64,
    progress: Progress = None,
    on_error: OnErrorPaired = "raise",
    **options: Any,
) -> NDArray[Any]:
    """Scores of chosen pairs of graphs, without the matrix around them.

    Parameters
    ----------
    index_pairs : int array, shape (n_pairs, 2), optional
        Pair k is graph ``index_pairs[k, 0]`` of ``A`` with graph ``index_pairs[k, 1]`` of ``B`` (or of ``A``, without
        ``B``). By default the first with the first, the second with the second, and so on.
    dtype : dtype
        Of the result, a float type. :func:`cdist` has float32 by default, because a matrix is large.
    A, B, metric, preset, workers, score_cutoff, progress, on_error, **options
        As for :func:`cdist`.

    Returns
    -------
    float[n_pairs]
        Headline scores. :func:`fastmatch.pairs` gives everything that is known of each pair.

    Raises
    ------
    PairingError
        If there are no ``index_pairs`` and ``A`` and ``B`` differ in length.
    OptionError
        If ``index_pairs`` has another shape, or names graphs that there are not, or ``dtype`` is not of floats.
    """
    kind = checked_kind(dtype)
    scores = pairs(
        A,
        B,
        index_pairs,
        metric=metric,
        preset=preset,
        workers=workers,
        progress=progress,
        on_error=on_error,
        **options,
    ).score
    cutoff = checked_cutoff(score_cutoff)
    if cutoff:  # 0, as in all other calls, keeps all, also scores below it
        scores = np.where(scores < cutoff, 0, scores)
    return scores.astype(kind)


def pairs(
    A: Graphs,
    B: Graphs | None = None,
    index_pairs: ArrayLike | None = None,
    *,
    metric: MetricName | str | Metric = "smatch",
    preset: str | None = None,
    workers: int = 1,
    progress: Progress = None,
    on_error: OnErrorPaired = "raise",
    mapping: bool = False,
    **options: Any,
) -> PairScores:
    """What is known of chosen pairs of graphs: statistics, scores, certificates.

    Parameters
    ----------
    A, B, index_pairs, metric, preset, workers, progress, on_error, **options
        As for :func:`cpdist`.
    mapping : bool
        Keep the alignments.

    Returns
    -------
    PairScores
        Entry k is of ``index_pairs[k]``.
    """
    setting = Setting.make(A, B, metric, preset, None, on_error, options, workers)
    grid, (n_pred, n_gold) = setting.comparison.grid, setting.shape
    if index_pairs is None:
        if n_pred != n_gold:
            raise PairingError(f"pairs: {n_pred} graphs in A but {n_gold} in B; say which to pair: index_pairs=…")
        rows = columns = np.arange(n_pred, dtype=np.int32)
    else:
        chosen = np.asarray(index_pairs)
        if chosen.size == 0:
            chosen = chosen.reshape(0, 2).astype(np.int64)
        if chosen.ndim != 2 or chosen.shape[1] != 2 or chosen.dtype.kind not in "iu":
            raise OptionError(f"index_pairs: expected whole numbers of shape (n_pairs, 2), not {chosen.shape}")
        for side, size, column in (("A", n_pred, chosen[:, 0]), ("B", n_gold, chosen[:, 1])):
            if len(column) and not (column.min() >= 0 and column.max() < size):
                worst = column.max() if column.max() >= size else column.min()
                raise OptionError(f"index_pairs: graph {worst} of {side}, which has {size}")
        rows, columns = (np.ascontiguousarray(column, np.int32) for column in chosen.T)
    return run(grid.metric, grid.pred, grid.gold, rows, columns, workers=workers, progress=progress, mapping=mapping)
