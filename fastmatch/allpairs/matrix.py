# ruff: noqa: N803 - A and B are the names of SciPy and RapidFuzz
"""``cdist``: a matrix of all scores, in memory or on disk.

This module reads, cuts the work into blocks of rows and puts the results where they belong: an array in memory, a
``.npy`` file, a Parquet file. What a block is, and how bounds and cutoffs save work, is told in
:mod:`fastmatch.allpairs.blocks`; how a computation goes on after it was killed, in :mod:`fastmatch.runtime.journal`.
"""

from __future__ import annotations

import os
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from fastmatch.allpairs.npy import NpyFile
from fastmatch.allpairs.setting import Setting, checked_kind
from fastmatch.allpairs.sparse import mirrored
from fastmatch.allpairs.tiles import joined
from fastmatch.errors import OptionError
from fastmatch.graphs.forms import Graphs
from fastmatch.metrics.base import Metric
from fastmatch.runtime.cpus import worker_count
from fastmatch.runtime.files import followed
from fastmatch.runtime.progress import Steps
from fastmatch.types import MetricName, OnErrorPaired, Progress

if TYPE_CHECKING:
    import scipy.sparse


Path = str | PathLike[str]


def cdist(
    A: Graphs,
    B: Graphs | None = None,
    *,
    metric: MetricName | str | Metric = "smatch",
    preset: str | None = None,
    workers: int = 1,
    score_cutoff: float | None = None,
    dtype: DTypeLike = np.float32,
    out: NDArray[Any] | Path | None = None,
    sparse: bool = False,
    resume: bool = False,
    progress: Progress = None,
    on_error: OnErrorPaired = "raise",
    **options: Any,
) -> Any:
    """Scores of each graph of ``A`` (predictions, rows) with each graph of ``B`` (gold, columns).

    Parameters
    ----------
    A, B : Corpus, or graphs in another form
        As for :func:`fastmatch.score`. Without ``B``, ``A`` is compared with itself; metrics that are symmetric then do
        half the work.
    metric, preset, **options
        As for :func:`fastmatch.score`. The matrix holds the metric's headline score: F1 for most.
    workers : int
        Threads, −1 for all CPUs this process may use. Results do not depend on it.
    score_cutoff : float, optional
        Inclusive. A score below it becomes 0, and is absent from a sparse result. Metrics that have a bound skip the
        pairs that cannot reach it.
    dtype : dtype
        A float type. The cutoff is applied before rounding to it. An array given as ``out`` decides for itself.
    out : array or path, optional
        An array of shape (len(A), len(B)), a memory-map for instance, is filled. A path names a ``.npy`` file that is
        written block by block, with memory for one block; it appears under its name when it is whole. With ``sparse`` a
        path names a Parquet file of the columns ``row``, ``column``, ``score`` (column ≥ row only, where a symmetric
        metric compares ``A`` with itself).
    sparse : bool
        Keep only what is above 0 (and not below the cutoff): a ``scipy.sparse.csr_array``.
    resume : bool
        With a path: go on where an earlier run was interrupted or killed. Finished blocks are not computed again, but
        for those that are not what was written any more.
    progress : None, bool or callable
        True draws a bar with an estimate on a terminal; a callable gets (pairs done, pairs in all).
    on_error : {"raise", "empty", "repair"}
        As for :func:`fastmatch.score`.

    Returns
    -------
    float array, shape (len(A), len(B))
        ``out`` if it is an array, a read-only memory-map if it is a path. With ``sparse`` a ``csr_array``, or the path
        itself if there is one.

    Raises
    ------
    OptionError
        Besides what :func:`fastmatch.score` raises: the dtype is not of floats, ``out`` has another shape, or is no
        regular file; an earlier run left something unfinished under this path; with ``resume``, the journal is of
        another computation or damaged, or the finished file is not what was written.

    Examples
    --------
    >>> import fastmatch as fm
    >>> fm.cdist(["(a / cat)", "(a / dog)"], metric="smatch").round(2).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    setting = Setting.make(A, B, metric, preset, score_cutoff, on_error, options, workers)
    comparison, shape = setting.comparison, setting.shape
    workers = worker_count(workers)
    half = comparison.half and not comparison.indexed
    total = shape[0] * shape[1]
    kind = checked_kind(out.dtype if isinstance(out, np.ndarray) else dtype)
    if isinstance(out, (str, PathLike)) and not sparse:
        write_matrix(os.fspath(out), setting, kind, workers=workers, resume=resume, progress=progress)
        return np.load(out, mmap_mode="r")
    with Steps(progress, total) as report:
        if sparse:
            return _sparse(setting, kind, out, resume, workers, report)
        if out is None:
            # zeros cost nothing before they are touched, and with a cutoff most never are
            out = np.zeros(shape, kind) if comparison.skips else np.empty(shape, kind)
        elif not isinstance(out, np.ndarray):
            raise OptionError(f"out: expected the name of a file, or an array, found {type(out).__name__}")
        elif out.shape != shape:
            raise OptionError(f"out has the shape {out.shape}, expected {shape}")
        elif not out.flags.writeable:
            raise OptionError("out is an array that cannot be written to")
        elif comparison.skips:
            out[:] = 0
        # an index takes as many rows as there are: of more of them more are alike
        height = max(1, shape[0]) if comparison.indexed else setting.height(kind.itemsize)
        for start, stop in setting.blocks(height):
            counted = report.part(start * shape[1])
            if comparison.skips:
                comparison.scattered(start, stop, out, workers=workers, report=counted, half=half)
                continue
            comparison.dense(start, stop, out[start:stop], workers=workers, report=counted, half=half)
            if half:
                out[stop:, start:stop] = out[start:stop, stop:].T
        report(total)
        return out


def write_matrix(
    path: str, setting: Setting, kind: np.dtype[Any], *, workers: int, resume: bool, progress: Progress
) -> None:
    """Write the matrix of :func:`cdist` to a ``.npy`` file, and return nothing.

    ``cdist`` maps the file that it wrote, which takes as much address space as the file has bytes. A program that only
    writes the file may have a limit of memory below that.
    """
    comparison, shape, workers = setting.comparison, setting.shape, worker_count(workers)
    half = comparison.half and not comparison.indexed
    file = NpyFile(followed(path), shape, kind, half=half)
    header = setting.header("matrix", dtype=kind.str)
    height = setting.height(kind.itemsize)
    with Steps(progress, shape[0] * shape[1]) as report:
        for _, start, stop in setting.journalled(header, height, resume, file, report):
            block = np.empty((stop - start, shape[1]), kind)
            counted = report.part(start * shape[1])
            comparison.dense(start, stop, block, workers=workers, report=counted, half=half)
            file.write(start, block)
            del block  # before the next one is made


def _sparse(
    setting: Setting, kind: np.dtype[Any], out: NDArray[Any] | Path | None, resume: bool, workers: int, report: Steps
) -> scipy.sparse.csr_array | Path:
    comparison, shape = setting.comparison, setting.shape
    half = comparison.half
    height = setting.height(8)
    if isinstance(out, (str, PathLike)):
        from fastmatch.allpairs.parquet import ParquetFile, pair_table

        nothing = pair_table(*joined([]), shape, half)
        file = ParquetFile(followed(out), str(setting.signature), nothing)
        header = setting.header("pairs")
        for number, start, stop in setting.journalled(header, height, resume, file, report):
            counted = report.part(start * shape[1])
            found = comparison.listed(start, stop, workers=workers, report=counted, half=half)
            file.write(number, pair_table(*found, shape, half))
        return out
    if out is not None:
        raise OptionError("sparse: out may be a path of a Parquet file, not an array")
    parts = [
        comparison.listed(start, stop, workers=workers, report=report.part(start * shape[1]), half=half)
        for start, stop in setting.blocks(height)
    ]
    report(report.total)
    return mirrored(parts, shape, kind, half=half)
