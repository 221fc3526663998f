"""Everything against everything: ``cdist``, ``cpdist``, ``pairs`` and ``top_k``, for every metric.

This module reads, cuts the work into blocks of rows and puts the results where they belong: an array in memory, a
``.npy`` file, a Parquet file. What a block is, and how bounds and cutoffs save work, is in :mod:`fastmatch.blocks`; how
a computation goes on after it was killed, in :mod:`fastmatch.journal`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from fastmatch import pairs as _pairs
from fastmatch.blocks import AllPairs
from fastmatch.errors import OptionError, PairingError
from fastmatch.journal import Journal, MatrixFile, digest, fingerprint, flush_folder
from fastmatch.sides import agreed_signature, chosen_metric, corpora_of, corpus_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import pandas
    import pyarrow
    import scipy.sparse
    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from fastmatch.corpus import Corpus
    from fastmatch.metrics.base import Metric
    from fastmatch.overlap import FeatureLists
    from fastmatch.results import PairScores
    from fastmatch.sides import Graphs
    from fastmatch.signature import Signature
    from fastmatch.types import FloatArray, Int32Array, Int64Array, Progress

    Path = str | PathLike[str]

__all__ = [
    "BLOCK_BYTES",
    "Setting",
    "TopK",
    "cdist",
    "check_k",
    "cpdist",
    "feature_matrix",
    "features",
    "mirrored",
    "score_pairs",
    "sparse_rows",
    "top_k",
    "without_prefix",
    "write_matrix",
]

#: Bytes of a block of rows, at most (unless one row is longer): what is computed, then written and flushed at once.
BLOCK_BYTES = 1 << 28
#: Estimated seconds of a block on one thread, at most (unless one row takes longer): what a kill may cost.
BLOCK_SECONDS = 60.0


def cdist(
    A: Graphs,  # noqa: N803 - the names of SciPy and RapidFuzz
    B: Graphs | None = None,  # noqa: N803
    *,
    metric: str | Metric = "smatch",
    preset: str | None = None,
    workers: int = 1,
    score_cutoff: float | None = None,
    dtype: DTypeLike = np.float32,
    out: NDArray[Any] | Path | None = None,
    sparse: bool = False,
    resume: bool = False,
    progress: Progress = None,
    on_error: str = "raise",
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
        With a path: go on where an earlier run was interrupted or killed. Finished blocks are not computed again.
    progress : None, bool or callable
        True draws a bar with an estimate on a terminal; a callable gets (pairs done, pairs in all).
    on_error : {"raise", "empty"}
        As for :func:`fastmatch.score`.

    Returns
    -------
    float array, shape (len(A), len(B))
        ``out`` if it is an array, a read-only memory-map if it is a path. A ``csr_array`` with ``sparse``, and the path
        itself for a Parquet file.

    Raises
    ------
    OptionError
        Besides what :func:`fastmatch.score` raises: the dtype is not of floats, ``out`` has another shape, an earlier
        run left something unfinished under this path, or the journal is of another computation.

    Examples
    --------
    >>> import fastmatch as fm
    >>> fm.cdist(["(a / cat)", "(a / dog)"], metric="smatch").round(2).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    setting = Setting.make("cdist", A, B, metric, preset, score_cutoff, on_error, options)
    comparison, shape = setting.comparison, setting.shape
    workers = _pairs.worker_count(workers)
    half = comparison.half and not comparison.indexed
    total = shape[0] * shape[1]
    report = _pairs.Report(progress, total)
    kind = np.dtype(dtype) if not isinstance(out, np.ndarray) else out.dtype
    if kind.kind != "f":
        raise OptionError(f"dtype={kind.name!r}: scores are fractions, expected a float type")
    try:
        if sparse:
            return _sparse(setting, kind, out, resume, workers, report)
        if isinstance(out, (str, PathLike)):
            _to_file(setting, kind, os.fspath(out), resume, workers, report)
            return np.load(out, mmap_mode="r")
        if out is None:
            # zeros cost nothing before they are touched, and with a cutoff most never are
            out = np.zeros(shape, kind) if comparison.skips else np.empty(shape, kind)
        elif out.shape != shape:
            raise OptionError(f"out has the shape {out.shape}, expected {shape}")
        elif comparison.skips:
            out[:] = 0
        for start, stop in setting.blocks(setting.height(kind.itemsize)):
            counted = _from(report, start * shape[1])
            if comparison.skips:
                comparison.scattered(start, stop, out, workers=workers, report=counted, half=half)
                continue
            comparison.dense(start, stop, out[start:stop], workers=workers, report=counted, half=half)
            if half:
                out[stop:, start:stop] = out[start:stop, stop:].T
        report(total)
        return out
    finally:
        report.close()


def cpdist(
    A: Graphs,  # noqa: N803
    B: Graphs | None = None,  # noqa: N803
    index_pairs: ArrayLike | None = None,
    *,
    metric: str | Metric = "smatch",
    preset: str | None = None,
    workers: int = 1,
    score_cutoff: float | None = None,
    dtype: DTypeLike = np.float64,
    progress: Progress = None,
    on_error: str = "raise",
    **options: Any,
) -> NDArray[Any]:
    """Scores of chosen pairs of graphs, without the matrix around them.

    Parameters
    ----------
    index_pairs : int array, shape (n_pairs, 2), optional
        Pair k is graph ``index_pairs[k, 0]`` of ``A`` with graph ``index_pairs[k, 1]`` of ``B`` (or of ``A``, without
        ``B``). By default the first with the first, the second with the second, and so on.
    A, B, metric, preset, workers, score_cutoff, progress, on_error, **options
        As for :func:`cdist`.

    Returns
    -------
    float[n_pairs]
        Headline scores. :func:`fastmatch.pairs` gives everything that is known of each pair.

    Raises
    ------
    PairingError
        If there are no ``index_pairs`` and the sides differ in length.
    OptionError
        If ``index_pairs`` has another shape, or names graphs that there are not.
    """
    scores = score_pairs(
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
    cutoff = _cutoff(score_cutoff)
    if cutoff is not None:
        scores = np.where(scores < cutoff, 0, scores)
    return scores.astype(dtype)


def score_pairs(
    A: Graphs,  # noqa: N803
    B: Graphs | None = None,  # noqa: N803
    index_pairs: ArrayLike | None = None,
    *,
    metric: str | Metric = "smatch",
    preset: str | None = None,
    workers: int = 1,
    progress: Progress = None,
    on_error: str = "raise",
    mapping: bool = False,
    **options: Any,
) -> PairScores:
    """What is known of chosen pairs of graphs: statistics, scores, certificates. Also called ``fastmatch.pairs``.

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
    setting = Setting.make("pairs", A, B, metric, preset, None, on_error, options)
    comparison, (n_pred, n_gold) = setting.comparison, setting.shape
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
    return _pairs.run(
        comparison.metric,
        comparison.pred,
        comparison.gold,
        rows,
        columns,
        workers=workers,
        progress=progress,
        mapping=mapping,
    )


def top_k(
    queries: Graphs,
    corpus: Graphs | None = None,
    k: int = 10,
    *,
    metric: str | Metric = "smatch",
    preset: str | None = None,
    workers: int = 1,
    score_cutoff: float | None = None,
    out: Path | None = None,
    resume: bool = False,
    progress: Progress = None,
    on_error: str = "raise",
    **options: Any,
) -> TopK:
    """The ``k`` graphs of ``corpus`` that score highest with each query.

    Parameters
    ----------
    queries, corpus
        Graphs, as for :func:`cdist`; the query is the prediction. Without ``corpus``, the neighbours of each graph
        among the others, itself left out.
    k : int
        At least 1.
    score_cutoff : float, optional
        Inclusive: neighbours that score lower are left out, so a query may have fewer than ``k``.
    out : path, optional
        Also write a Parquet file: ``query``, ``rank`` (from 0), ``index``, ``score``, and ``query_id`` and ``id``, the
        graphs' ``::id``. Block by block, resumable, as :func:`cdist` does it. The result is then read from the file:
        ids of graphs that are nobody's neighbour are None.
    metric, preset, workers, resume, progress, on_error, **options
        As for :func:`cdist`. An option may bear the metric's name in front, as the flags of the command line do:
        ``wlk_k=3`` is WLK's own ``k``.

    Returns
    -------
    TopK
        As if all pairs had been scored and sorted: ties go to the lower index.

    Raises
    ------
    OptionError
        As :func:`cdist`; or ``k`` is not a positive whole number.
    """
    k = check_k(k)
    options = without_prefix(metric, options)
    setting = Setting.make("top_k", queries, corpus, metric, preset, score_cutoff, on_error, options)
    comparison, shape = setting.comparison, setting.shape
    workers = _pairs.worker_count(workers)
    alone = corpus is None
    k = min(k, max(1, shape[1] - alone))
    report = _pairs.Report(progress, shape[0] * shape[1])

    def compute(start: int, stop: int) -> tuple[Int32Array, FloatArray]:
        counted = _from(report, start * shape[1])
        return comparison.best(start, stop, k, workers=workers, report=counted, skip_self=alone)

    ids = setting.pred.ids, setting.gold.ids
    try:
        if out is not None:
            from fastmatch.parquet import ParquetFile, neighbour_table

            nothing = neighbour_table(0, np.empty((0, k), np.int32), np.empty((0, k)), *ids)
            file = ParquetFile(os.fspath(out), str(setting.signature), nothing)
            header = setting.header("top_k", k=k, alone=alone)
            for number, start, stop in setting.journalled(file.path, header, setting.height(16), resume, file, report):
                file.write(number, neighbour_table(start, *compute(start, stop), *ids))
            return TopK.read(file.path)
        parts = [compute(start, stop) for start, stop in setting.blocks(setting.height(16))]
        report(report.total)
    finally:
        report.close()
    indices = np.concatenate([part[0] for part in parts]) if parts else np.empty((0, k), np.int32)
    scores = np.concatenate([part[1] for part in parts]) if parts else np.empty((0, k))
    return TopK(indices, scores, str(setting.signature), tuple(ids[0]), tuple(ids[1]))


def features(
    A: Graphs,  # noqa: N803
    B: Graphs | None = None,  # noqa: N803
    *,
    metric: str | Metric = "rematch",
    preset: str | None = None,
    dtype: DTypeLike = np.float64,
    on_error: str = "raise",
    **options: Any,
) -> Any:
    """What a metric sees of each graph, as rows of a sparse matrix: for scikit-learn, or for one's own similarity.

    Parameters
    ----------
    A, B
        Graphs, as for :func:`cdist`. With ``B`` the matrices of both have the same columns: those of all features that
        occur in ``A`` or ``B``.
    metric, preset, on_error, **options
        As for :func:`cdist`; a metric whose scores are made of features, as Rematch.
    dtype : dtype
        Of the values: 1 for each feature where the metric looks at sets, else counts or weights.

    Returns
    -------
    scipy.sparse.csr_array, shape (len(A), n_features)
        Or two of them, with ``B``. Columns are in the order of the features' keys, which means nothing. Where the
        metric compares sets or weighted sets, ``X @ X.T`` holds what its scores are made of: the sizes of
        intersections, or the kernel before it is normalised.

    Raises
    ------
    OptionError
        As :func:`cdist`; or the metric's scores are not made of features.
    """
    setting = Setting.make("features", A, B, metric, preset, None, on_error, options)
    comparison = setting.comparison
    sides = [comparison.pred] if B is None else [comparison.pred, comparison.gold]
    tables = [comparison.metric.overlaps(side) for side in sides]
    if not tables[0]:
        raise OptionError(f"features: scores of metric {comparison.metric.name!r} are not made of features")
    known = [np.unique(np.concatenate([each.keys for each in lists])) for lists in zip(*tables, strict=True)]
    results = tuple(feature_matrix(lists, known, np.dtype(dtype)) for lists in tables)
    return results[0] if B is None else results


def feature_matrix(
    lists: Sequence[FeatureLists], known: Sequence[Int64Array], kind: np.dtype[Any]
) -> scipy.sparse.csr_array:
    """Values of the features whose keys are known (ascending, for each of the lists), one row a graph."""
    from scipy.sparse import hstack

    parts = []
    for each, keys in zip(lists, known, strict=True):
        columns = np.searchsorted(keys, each.keys)
        found = columns < len(keys)
        found[found] = keys[columns[found]] == each.keys[found]
        offsets = np.concatenate([[0], np.cumsum(found)])[each.offsets]
        parts.append(sparse_rows(each.values[found].astype(kind), columns[found], offsets, (len(each), len(keys))))
    return parts[0] if len(parts) == 1 else hstack(parts, format="csr")


def sparse_rows(
    values: NDArray[Any], columns: Int32Array | Int64Array, offsets: Int64Array, shape: tuple[int, int]
) -> scipy.sparse.csr_array:
    """A sparse matrix of its rows, its places as int32 if they fit: much of scikit-learn refuses wider ones."""
    from scipy.sparse import csr_array

    kind = np.int32 if max(len(values), *shape) < 2**31 else np.int64
    return csr_array((values, columns.astype(kind), offsets.astype(kind)), shape)


@dataclass(frozen=True, eq=False, repr=False)
class TopK:
    """The best matches of each query, best first.

    Attributes
    ----------
    indices : int32[n_queries, k]
        Places in the corpus; −1 where a query has fewer than ``k`` matches.
    scores : float64[n_queries, k]
        0 there.
    signature : str
        What the scores depend on.
    query_ids, ids : tuple of str or None
        The ``::id`` of every query and of every graph of the corpus.
    """

    indices: Int32Array
    scores: FloatArray
    signature: str
    query_ids: tuple[str | None, ...] = field(default=())
    ids: tuple[str | None, ...] = field(default=())

    @classmethod
    def read(cls, path: Path) -> TopK:
        """What :func:`top_k` wrote to a Parquet file."""
        from fastmatch.parquet import read_neighbours

        return cls(*read_neighbours(os.fspath(path)))

    def to_arrow(self) -> pyarrow.Table:
        """One row a match: ``query``, ``rank``, ``index``, ``score``, ``query_id``, ``id``. Needs pyarrow."""
        from fastmatch.parquet import neighbour_table

        return neighbour_table(0, self.indices, self.scores, self.query_ids, self.ids)

    def to_pandas(self) -> pandas.DataFrame:
        """The same as a pandas data frame. Needs pandas."""
        from fastmatch.parquet import neighbour_frame

        return neighbour_frame(self.indices, self.scores, self.query_ids, self.ids)

    def to_csr(self, values: str = "score") -> scipy.sparse.csr_array:
        """The graph of neighbours as a sparse matrix: one row a query, one column a graph of the corpus.

        Parameters
        ----------
        values : {"score", "distance", "one"}
            Of the entries: scores; 1 − score, at least 0, as scikit-learn's precomputed neighbours want them (what is
            absent is far away); or 1.

        Returns
        -------
        scipy.sparse.csr_array of float64, shape (n_queries, n_graphs)
            The entries of a row stand in the order of their rank, zeros are stored as well.

        Raises
        ------
        OptionError
            For other ``values``.
        """
        found = self.indices >= 0
        scores = self.scores[found]
        kinds = {"score": scores, "distance": np.maximum(1 - scores, 0), "one": np.ones(len(scores))}
        if values not in kinds:
            raise OptionError(f"values={values!r}: expected one of {', '.join(map(repr, kinds))}")
        offsets = np.concatenate([[0], np.cumsum(found.sum(axis=1))])
        return sparse_rows(kinds[values], self.indices[found], offsets, (len(self), len(self.ids)))

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values, ready for JSON: for each query its matches."""
        return {
            "signature": self.signature,
            "queries": [
                {
                    "query": row,
                    "id": self.query_ids[row],
                    "matches": [
                        {"index": column, "id": self.ids[column], "score": score}
                        for column, score in zip(columns, line, strict=True)
                        if column >= 0
                    ],
                }
                for row, (columns, line) in enumerate(zip(self.indices.tolist(), self.scores.tolist(), strict=True))
            ],
        }

    def __len__(self) -> int:
        return len(self.indices)

    def __repr__(self) -> str:
        return f"<TopK: {len(self):,} queries, the best {self.indices.shape[1]} of {len(self.ids):,}, {self.signature}>"


# ---- what the functions share ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Setting:
    """Two corpora that were read and prepared."""

    pred: Corpus
    gold: Corpus
    signature: Signature
    comparison: AllPairs

    @classmethod
    def make(
        cls,
        caller: str,
        A: Graphs,  # noqa: N803
        B: Graphs | None,  # noqa: N803
        metric: str | Metric,
        preset: str | None,
        cutoff: float | None,
        on_error: str,
        options: dict[str, Any],
    ) -> Setting:
        if on_error not in ("raise", "empty"):
            raise OptionError(f"on_error={on_error!r}: expected one of 'raise', 'empty'")
        chosen = chosen_metric(metric, preset, options)
        if B is None:
            pred = gold = corpus_of("A", A, None, chosen, on_error)
        else:
            pred, gold = corpora_of(A, B, chosen, on_error)
        signature = agreed_signature(chosen, pred, gold)
        prepared = chosen.prepare(pred)
        other = prepared if B is None else chosen.prepare(gold)
        return cls(pred, gold, signature, AllPairs(chosen, prepared, other, len(pred), len(gold), _cutoff(cutoff)))

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.pred), len(self.gold)

    def height(self, itemsize: int, seconds_at_most: float = BLOCK_SECONDS) -> int:
        """Rows of a block."""
        n_pred, n_gold = self.shape
        rows = BLOCK_BYTES // max(1, n_gold * itemsize)
        if n_pred and n_gold:
            rng = np.random.default_rng(0)  # the same pairs every time, so that blocks are the same, too
            i, j = (rng.integers(0, n, 256).astype(np.int32) for n in self.shape)
            c = self.comparison
            seconds = 1e-8 if c.indexed else c.metric.costs(c.pred, c.gold, i, j).mean()
            rows = min(rows, int(seconds_at_most / (seconds * n_gold)))
        return max(1, rows)

    def blocks(self, height: int) -> list[tuple[int, int]]:
        """Rows (start, stop) of each block."""
        n_pred = len(self.pred)
        return [(start, min(start + height, n_pred)) for start in range(0, n_pred, height)]

    def header(self, what: str, **more: Any) -> dict[str, Any]:
        """What a journal says of the computation."""
        comparison = self.comparison
        described = {
            "result": what,
            "shape": list(self.shape),
            "signature": str(self.signature),
            "metric": repr(comparison.metric),
            "cutoff": comparison.cutoff,
            **more,
        }
        pred = digest(self.pred)
        gold = pred if comparison.same else digest(self.gold)
        from fastmatch import __version__

        mark = fingerprint(pred=pred, gold=gold, same=comparison.same, version=__version__, **described)
        return {"fastmatch": __version__, "fingerprint": mark, **described}

    def journalled(
        self, path: str, header: dict[str, Any], height: int, resume: bool, file: Any, report: _pairs.Report
    ) -> Iterator[tuple[int, int, int]]:
        """The blocks that are not on disk yet: (number, start, stop). What the caller writes of each is noted.

        ``file`` has ``open(fresh)``, ``has(number)``, ``flush()``, ``finish()``, which gives the result its name,
        ``clean()``, which removes all but the result, and ``close()``.
        """
        blocks = self.blocks(height)
        journal = Journal(path, {**header, "blocks": len(blocks), "height": height}, resume=resume)
        try:
            if journal.complete:
                file.clean()
                report(report.total)
                return
            # an earlier run may have been given another size of blocks
            blocks = self.blocks(journal.header["height"])
            file.open(fresh=not journal.done)
            for number, (start, stop) in enumerate(blocks):
                if number not in journal.done or not file.has(number):
                    yield number, start, stop
                    file.flush()
                    journal.finish(number)
                report(stop * self.shape[1])
            file.finish()
            flush_folder(path)
            journal.close(complete=True)
            # only now: killed before, a later run must find all blocks that the journal names
            file.clean()
            report(report.total)
        finally:
            file.close()
            journal.close()


def without_prefix(metric: str | Metric, options: dict[str, Any]) -> dict[str, Any]:
    """The options by their own names: ``wlk_k`` of the metric ``wlk`` is ``k``."""
    name = (metric if isinstance(metric, str) else metric.name).replace("+", "p").replace("-", "_")
    return {option.removeprefix(f"{name}_"): value for option, value in options.items()}


def check_k(k: Any) -> int:
    """A number of neighbours.

    Raises
    ------
    OptionError
        If it is not a positive whole number.
    """
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise OptionError(f"k={k!r}: expected a positive whole number")
    return int(k)


def _cutoff(value: float | None) -> float | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float | np.floating)):
        raise OptionError(f"score_cutoff={value!r}: expected a fraction, as scores are, or None")
    if value is not None and not value >= 0:
        raise OptionError(f"score_cutoff={value!r}: expected 0 or more")
    return None if value is None else float(value)


def _from(report: _pairs.Report, before: int) -> Callable[[int], object]:
    return lambda done: report(before + done)


class _NpyFile:
    """A matrix on its way to a ``.npy`` file."""

    def __init__(self, path: str, shape: tuple[int, int], kind: np.dtype[Any]) -> None:
        self.path, self.shape, self.kind = path, shape, kind
        self.matrix: MatrixFile | None = None

    def open(self, *, fresh: bool) -> None:
        self.matrix = MatrixFile(f"{self.path}.part", self.shape, self.kind, resume=not fresh)

    def has(self, number: int) -> bool:
        return True

    def flush(self) -> None:
        assert self.matrix is not None
        self.matrix.flush()

    def finish(self) -> None:
        self.flush()
        self.close()
        os.replace(f"{self.path}.part", self.path)

    def clean(self) -> None:
        """Nothing is left."""

    def close(self) -> None:
        if self.matrix is not None:
            self.matrix.close()


def write_matrix(
    path: str,
    A: Corpus,  # noqa: N803
    B: Corpus | None,  # noqa: N803
    metric: Metric,
    *,
    workers: int,
    score_cutoff: float | None,
    dtype: DTypeLike,
    resume: bool,
    progress: Progress,
) -> None:
    """:func:`cdist` with a path as ``out``, for who does not look at the result: a map of it takes address space."""
    setting = Setting.make("cdist", A, B, metric, None, score_cutoff, "raise", {})
    report = _pairs.Report(progress, len(setting.pred) * len(setting.gold))
    try:
        _to_file(setting, np.dtype(dtype), path, resume, _pairs.worker_count(workers), report)
    finally:
        report.close()


def _to_file(
    setting: Setting, kind: np.dtype[Any], path: str, resume: bool, workers: int, report: _pairs.Report
) -> None:
    comparison, shape = setting.comparison, setting.shape
    half = comparison.half and not comparison.indexed
    file = _NpyFile(path, shape, kind)
    header = setting.header("matrix", dtype=kind.str)
    height = setting.height(kind.itemsize)
    for _, start, stop in setting.journalled(path, header, height, resume, file, report):
        block = np.empty((stop - start, shape[1]), kind)
        comparison.dense(start, stop, block, workers=workers, report=_from(report, start * shape[1]), half=half)
        assert file.matrix is not None
        if half:
            file.matrix.write_mirrored(start, block)
        else:
            file.matrix.write(start, block)
        del block  # before the next one is made


def _sparse(
    setting: Setting,
    kind: np.dtype[Any],
    out: NDArray[Any] | Path | None,
    resume: bool,
    workers: int,
    report: _pairs.Report,
) -> scipy.sparse.csr_array | Path:
    comparison, shape = setting.comparison, setting.shape
    half = comparison.half
    height = setting.height(8)
    if isinstance(out, (str, PathLike)):
        from fastmatch.parquet import ParquetFile, pair_table

        nothing = pair_table(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0), shape, half)
        file = ParquetFile(os.fspath(out), str(setting.signature), nothing)
        header = setting.header("pairs")
        for number, start, stop in setting.journalled(file.path, header, height, resume, file, report):
            counted = _from(report, start * shape[1])
            found = comparison.listed(start, stop, workers=workers, report=counted, half=half)
            file.write(number, pair_table(*found, shape, half))
        return out
    if out is not None:
        raise OptionError("sparse: out may be a path of a Parquet file, not an array")
    parts = [
        comparison.listed(start, stop, workers=workers, report=_from(report, start * shape[1]), half=half)
        for start, stop in setting.blocks(height)
    ]
    report(report.total)
    return mirrored(parts, shape, kind, half=half)


def mirrored(
    parts: Sequence[tuple[Int64Array, Int64Array, FloatArray]],
    shape: tuple[int, int],
    kind: np.dtype[Any],
    *,
    half: bool,
) -> scipy.sparse.csr_array:
    """A sparse matrix of lists of pairs: rows, columns, scores; with ``half`` their mirror image is added."""
    from scipy.sparse import csr_array

    rows, columns, scores = (
        np.concatenate([part[field] for part in parts] or [np.empty(0, np.int64)]) for field in range(3)
    )
    if half:
        above = columns > rows
        rows, columns = np.concatenate([rows, columns[above]]), np.concatenate([columns, rows[above]])
        scores = np.concatenate([scores, scores[above]])
    matrix = csr_array((scores.astype(kind), (rows, columns)), shape=shape)
    matrix.sort_indices()
    return matrix
