"""The blocks of :mod:`fastmatch.blocks` on Dask: many processes, many machines. ``pip install 'fastmatch[dask]'``

The client reads and prepares the corpora and *scatters* them: every worker gets them once, over the network, and builds
its inverted index once. A task is then no more than a range of rows. It depends on nothing else, has no side effects
but (for Parquet) a file that appears whole, and may be run any number of times with the same result. So when a worker
dies, the scheduler gives its tasks, and the corpora if they were lost with it, to another one: nothing has to be told
of it.

Workers should have one thread each per CPU, as tasks use one thread (kernels drop the GIL, so both threads and
processes do). On a cluster of machines without a shared file system only :func:`cdist` and :func:`top_k` without
``out`` work.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from fastmatch.allpairs import BLOCK_BYTES, Setting, TopK, check_k, without_prefix
from fastmatch.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    import dask.array
    from distributed import Client, Future
    from numpy.typing import DTypeLike, NDArray

    from fastmatch.blocks import AllPairs
    from fastmatch.metrics.base import Metric
    from fastmatch.scoring import Graphs
    from fastmatch.types import FloatArray, Int32Array

__all__ = ["cdist", "top_k"]

#: Estimated seconds of a task, about: long beside the millisecond that the scheduler needs for it, short enough that
#: the
#: work is spread evenly and little is lost with a worker.
TASK_SECONDS = 5.0


def cdist(
    A: Graphs,  # noqa: N803
    B: Graphs | None = None,  # noqa: N803
    *,
    client: Client | None = None,
    metric: str | Metric = "smatch",
    preset: str | None = None,
    score_cutoff: float | None = None,
    dtype: DTypeLike = np.float32,
    rows: int | None = None,
    on_error: str = "raise",
    **options: Any,
) -> dask.array.Array:
    """:func:`fastmatch.cdist` as a Dask array, one chunk a block of rows; nothing is computed before it is asked for.

    Parameters
    ----------
    client : distributed.Client, optional
        Whose workers get the corpora; by default the client that is current.
    rows : int, optional
        Rows of a block; by default what takes about five seconds.
    A, B, metric, preset, score_cutoff, dtype, on_error, **options
        As for :func:`fastmatch.cdist`. Every row is computed in full, also where the metric is symmetric: blocks do not
        wait for each other.

    Returns
    -------
    dask.array.Array, shape (len(A), len(B))
        ``.compute()``, ``.to_zarr(…)``, ``.sum()``: whatever Dask can do with it.

    Raises
    ------
    OptionError
        Without Dask or a client, and what :func:`fastmatch.cdist` raises.
    """
    dask_array, delayed = _dask()
    kind = np.dtype(dtype)
    if kind.kind != "f":
        raise OptionError(f"dtype={kind.name!r}: scores are fractions, expected a float type")
    setting = Setting.make("cdist", A, B, metric, preset, score_cutoff, on_error, options)
    comparison = delayed(_scattered(_client(client), setting.comparison))
    n_rows, n_columns = setting.shape
    if not n_rows or not n_columns:
        return dask_array.zeros((n_rows, n_columns), dtype=kind)
    block = delayed(_dense, pure=True)
    parts = [
        dask_array.from_delayed(block(comparison, start, stop, kind), (stop - start, n_columns), kind)
        for start, stop in _blocks(setting, rows, kind.itemsize)
    ]
    return dask_array.concatenate(parts)


def top_k(
    queries: Graphs,
    corpus: Graphs | None = None,
    k: int = 10,
    *,
    client: Client | None = None,
    metric: str | Metric = "smatch",
    preset: str | None = None,
    score_cutoff: float | None = None,
    out: str | PathLike[str] | None = None,
    rows: int | None = None,
    on_error: str = "raise",
    **options: Any,
) -> TopK:
    """:func:`fastmatch.top_k`, its blocks on the workers of a Dask client.

    Parameters
    ----------
    out : path of a folder, optional
        On a file system that client and workers share: workers write one Parquet file a block there, with the columns
        of :func:`fastmatch.top_k`, and no match travels through the client. Blocks whose file is there already are not
        computed again; the folder must be of this computation.
    client, rows
        As for :func:`cdist`.
    queries, corpus, k, metric, preset, score_cutoff, on_error, **options
        As for :func:`fastmatch.top_k`.

    Raises
    ------
    OptionError
        As :func:`cdist`; or the folder is of another computation.
    """
    _dask()
    k = check_k(k)
    options = without_prefix(metric, options)
    setting = Setting.make("top_k", queries, corpus, metric, preset, score_cutoff, on_error, options)
    found = _client(client)
    alone = corpus is None
    k = min(k, max(1, setting.shape[1] - alone))
    comparison = _scattered(found, setting.comparison)
    blocks = list(_blocks(setting, rows, 16))
    ids = tuple(setting.pred.ids), tuple(setting.gold.ids)
    if out is not None:
        from fastmatch.parquet import BlockFolder

        mark = setting.header("top_k", k=k, alone=alone, blocks=blocks)["fingerprint"]
        folder = BlockFolder(os.path.abspath(out), str(setting.signature), mark)
        names = found.scatter(ids, broadcast=True, hash=False)
        missing = [(number, *rows) for number, rows in enumerate(blocks) if not folder.has(number)]
        futures = [
            found.submit(_write, comparison, names, folder, number, start, stop, k, alone, pure=False)
            for number, start, stop in missing
        ]
        found.gather(futures)
        return TopK.read(folder.path) if blocks else TopK(*_none(k), str(setting.signature), *ids)
    futures = [found.submit(_best, comparison, start, stop, k, alone, pure=False) for start, stop in blocks]
    parts = found.gather(futures)
    indices, scores = (np.concatenate(column) for column in zip(*(parts or [_none(k)]), strict=True))
    return TopK(indices, scores, str(setting.signature), *ids)


def _none(k: int) -> tuple[Int32Array, FloatArray]:
    return np.empty((0, k), np.int32), np.empty((0, k))


# ---- tasks: run by workers, and again by others when those die -------------------------------------------------------


def _dense(comparison: AllPairs, start: int, stop: int, kind: np.dtype[Any]) -> NDArray[Any]:
    out = np.empty((stop - start, comparison.n_gold), kind)
    comparison.dense(start, stop, out)
    return out


def _best(comparison: AllPairs, start: int, stop: int, k: int, alone: bool) -> tuple[Int32Array, FloatArray]:
    return comparison.best(start, stop, k, skip_self=alone)


def _write(
    comparison: AllPairs, ids: Any, folder: Any, number: int, start: int, stop: int, k: int, alone: bool
) -> None:
    from fastmatch.parquet import neighbour_table

    folder.write(number, neighbour_table(start, *_best(comparison, start, stop, k, alone), *ids))


# ---- what both functions share ---------------------------------------------------------------------------------------


def _dask() -> tuple[Any, Any]:
    try:
        import dask.array
        import distributed  # noqa: F401
    except ImportError:
        raise OptionError("this needs Dask: pip install 'fastmatch[dask]'") from None
    return dask.array, dask.delayed


def _client(client: Client | None) -> Client:
    if client is not None:
        return client
    from distributed import default_client

    try:
        return default_client()
    except ValueError:
        raise OptionError(
            "no Dask client: make one first, for instance distributed.Client(), or pass client="
        ) from None


def _scattered(client: Client, comparison: AllPairs) -> Future:
    """The corpora on every worker that there is. More than one copy, so that one worker's death loses none.

    ``hash=False``: a hash would have to look at all arrays.
    """
    return client.scatter(comparison, broadcast=True, hash=False)


def _blocks(setting: Setting, rows: int | None, itemsize: int) -> Iterator[tuple[int, int]]:
    if rows is None:
        most = BLOCK_BYTES // 4 // max(1, setting.shape[1] * itemsize)
        rows = max(1, min(most, setting.height(itemsize, TASK_SECONDS)))
    elif isinstance(rows, bool) or not isinstance(rows, int) or rows < 1:
        raise OptionError(f"rows={rows!r}: expected a positive whole number")
    yield from setting.blocks(rows)
