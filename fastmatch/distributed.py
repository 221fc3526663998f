# ruff: noqa: N803 - A and B are the names of SciPy and RapidFuzz
"""``cdist`` and ``top_k`` on Dask: many processes, many machines. ``pip install 'fastmatch[dask]'``

Workers compute the blocks of :mod:`fastmatch.allpairs.blocks`. The client reads and prepares the corpora and sends them
once, pickled, as the argument of a task that unpickles them. The other workers get the result of that task from the
first worker that ran it, or from each other, also those that join later; each builds its inverted index once.

Data that are *scattered* would go the same way. But Dask keeps one copy of data that nobody uses at the moment, and
scattered data are lost with the last worker that had them: when jobs reach their time limit together, or before a
second worker has come. A task is run again by whoever comes next, and may be there before any worker is, while jobs
wait in their queue.

All other tasks are ranges of rows. They depend on nothing else, have no side effects but (for Parquet) a file that
appears whole, and may be run any number of times with the same result. So when a worker dies, the scheduler gives its
tasks to another one: nothing has to be told of it.

A task uses one thread. So a machine should have one worker with a thread for each CPU: kernels drop the GIL, and the
threads have one copy of the corpora and their indexes. On a cluster of machines without a shared file system only what
is called without ``out`` works.
"""

from __future__ import annotations

import os
import pickle
import threading
from collections.abc import Callable
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from fastmatch.allpairs.blocks import AllPairs
from fastmatch.allpairs.neighbours import TopK
from fastmatch.allpairs.setting import Setting, checked_kind, positive, without_prefix
from fastmatch.allpairs.sparse import mirrored
from fastmatch.allpairs.tiles import PairList
from fastmatch.errors import OptionError
from fastmatch.graphs.forms import Graphs
from fastmatch.metrics.base import Metric
from fastmatch.runtime.optional import needed
from fastmatch.runtime.progress import Steps
from fastmatch.types import FloatArray, Int32Array, MetricName, OnErrorPaired, Progress

if TYPE_CHECKING:
    import dask.array
    import scipy.sparse
    from distributed import Client, Future

    from fastmatch.allpairs.parquet import BlockFolder


SomePath = TypeVar("SomePath", bound=str | PathLike[str])

#: Estimated seconds of a task, at most; those of nearest neighbours through an index take a seventh of it. Long beside
#: the millisecond that the scheduler needs for it, short enough that many workers end at about the same time and little
#: is lost with one of them.
TASK_SECONDS = 2.0

_WHO = "this needs Dask, with the package"

#: Threads of a worker share the corpora: one of them makes the indexes, the others wait.
_INDEXING = threading.Lock()


@overload
def cdist(
    A: Graphs,
    B: Graphs | None = None,
    *,
    client: Client | None = None,
    metric: MetricName | str | Metric = "smatch",
    preset: str | None = None,
    score_cutoff: float | None = None,
    dtype: DTypeLike = ...,
    out: None = None,
    sparse: Literal[False] = False,
    rows: int | None = None,
    progress: Progress = None,
    on_error: OnErrorPaired = "raise",
    **options: Any,
) -> dask.array.Array: ...
@overload
def cdist(
    A: Graphs,
    B: Graphs | None = None,
    *,
    client: Client | None = None,
    metric: MetricName | str | Metric = "smatch",
    preset: str | None = None,
    score_cutoff: float | None = None,
    dtype: DTypeLike = ...,
    out: None = None,
    sparse: Literal[True],
    rows: int | None = None,
    progress: Progress = None,
    on_error: OnErrorPaired = "raise",
    **options: Any,
) -> scipy.sparse.csr_array: ...
@overload
def cdist(
    A: Graphs,
    B: Graphs | None = None,
    *,
    client: Client | None = None,
    metric: MetricName | str | Metric = "smatch",
    preset: str | None = None,
    score_cutoff: float | None = None,
    dtype: DTypeLike = ...,
    out: SomePath,
    sparse: Literal[True],
    rows: int | None = None,
    progress: Progress = None,
    on_error: OnErrorPaired = "raise",
    **options: Any,
) -> SomePath: ...
def cdist(
    A: Graphs,
    B: Graphs | None = None,
    *,
    client: Client | None = None,
    metric: MetricName | str | Metric = "smatch",
    preset: str | None = None,
    score_cutoff: float | None = None,
    dtype: DTypeLike = np.float32,
    out: str | PathLike[str] | None = None,
    sparse: bool = False,
    rows: int | None = None,
    progress: Progress = None,
    on_error: OnErrorPaired = "raise",
    **options: Any,
) -> Any:
    """:func:`fastmatch.cdist` on the workers of a Dask client: as a Dask array, one chunk a block of rows.

    Parameters
    ----------
    client : distributed.Client, optional
        Whose workers do the work; by default the client that is current. Workers may come and go at any time.
    out : path of a folder, optional
        With ``sparse``, on a file system that client and workers share: workers write one Parquet file a block there,
        with the columns of :func:`fastmatch.cdist`, and no score travels through the client. Blocks whose file is there
        already are not computed again; the folder must be of this computation.
    sparse : bool
        Compute now, and keep only what is above 0 (and not below the cutoff).
    rows : int, optional
        Rows of a block; by default what takes about two seconds.
    progress : None, bool or callable
        With ``sparse``, as for :func:`fastmatch.cdist`.
    A, B, metric, preset, score_cutoff, dtype, on_error, **options
        As for :func:`fastmatch.cdist`. In a Dask array every row is computed in full, also where the metric is
        symmetric: blocks do not wait for each other.

    Returns
    -------
    dask.array.Array, shape (len(A), len(B))
        Nothing of it is computed before it is asked for: ``.compute()``, ``.to_zarr(…)``, ``.sum()``, whatever Dask can
        do with it. With ``sparse`` a ``scipy.sparse.csr_array``, or the path of the folder.

    Raises
    ------
    OptionError
        Without Dask or a client, if the folder is of another computation, and what :func:`fastmatch.cdist` raises.
    """
    needed("distributed", _WHO, "dask")
    kind = checked_kind(dtype)
    if out is not None and not sparse:
        raise OptionError("out= is for sparse=True; a whole matrix is a Dask array, which has .to_zarr(…) and the like")
    setting = Setting.make(A, B, metric, preset, score_cutoff, on_error, options)
    found, half = _client(client), setting.comparison.half
    if not sparse:
        return _lazy(found, setting, kind, rows)
    work = _Work(found, setting, _blocks(setting, rows, 8), progress)
    if out is None:
        return mirrored(work.run(_listed, half=half), setting.shape, kind, half=half)
    work.fill(_write_pairs, out, "pairs", {}, half=half, shape=setting.shape)
    return out


def _lazy(client: Client, setting: Setting, kind: np.dtype[Any], rows: int | None) -> dask.array.Array:
    import dask.array
    from dask import delayed

    n_rows, n_columns = setting.shape
    if not n_rows or not n_columns:
        return dask.array.zeros((n_rows, n_columns), dtype=kind)
    blocks = _blocks(setting, rows, kind.itemsize)
    # one symbolic layer, whatever the number of blocks
    return dask.array.map_blocks(
        _dense,
        comparison=delayed(_sent(client, setting.comparison)),
        height=blocks[0][1],
        kind=kind,
        chunks=(tuple(stop - start for start, stop in blocks), (n_columns,)),
        dtype=kind,
        meta=np.empty((0, 0), kind),
    )


def top_k(
    queries: Graphs,
    corpus: Graphs | None = None,
    k: int = 10,
    *,
    client: Client | None = None,
    metric: MetricName | str | Metric = "smatch",
    preset: str | None = None,
    score_cutoff: float | None = None,
    out: str | PathLike[str] | None = None,
    rows: int | None = None,
    progress: Progress = None,
    on_error: OnErrorPaired = "raise",
    **options: Any,
) -> TopK:
    """:func:`fastmatch.top_k`, its blocks on the workers of a Dask client.

    Parameters
    ----------
    out : path of a folder, optional
        As for :func:`cdist`, with the columns of :func:`fastmatch.top_k`.
    client, rows
        As for :func:`cdist`.
    queries, corpus, k, metric, preset, score_cutoff, progress, on_error, **options
        As for :func:`fastmatch.top_k`.

    Raises
    ------
    OptionError
        As :func:`cdist`.
    """
    needed("distributed", _WHO, "dask")
    k = positive("k", k)
    options = without_prefix(metric, options)
    setting = Setting.make(queries, corpus, metric, preset, score_cutoff, on_error, options)
    found = _client(client)
    alone = corpus is None
    k = min(k, max(1, setting.shape[1] - alone))
    work = _Work(found, setting, _blocks(setting, rows, 16, k), progress)
    ids, own = setting.ids, {"k": k, "alone": alone}
    if out is not None:
        work.fill(_write_best, out, "top_k", own, **own, ids=_sent(found, ids))
        if work.blocks:
            return TopK.read(out)
    parts = [(np.empty((0, k), np.int32), np.empty((0, k)))]
    parts += work.run(_best, **own)
    indices, scores = (np.concatenate(column) for column in zip(*parts, strict=True))
    return TopK(indices, scores, str(setting.signature), *ids)


# ---- tasks: run by workers, and again by others when those die -------------------------------------------------------


def _indexed(comparison: AllPairs, *, bounds: bool = False) -> AllPairs:
    with _INDEXING:
        comparison.make_indexes(bounds=bounds or comparison.grid.cutoff is not None)
    return comparison


def _dense(
    comparison: AllPairs, height: int, kind: np.dtype[Any], block_id: tuple[int, int] | None = None
) -> NDArray[Any]:
    assert block_id is not None
    start = block_id[0] * height
    stop = min(start + height, comparison.grid.n_pred)
    out = np.empty((stop - start, comparison.grid.n_gold), kind)
    _indexed(comparison).dense(start, stop, out)
    return out


def _listed(start: int, stop: int, *, comparison: AllPairs, half: bool) -> PairList:
    return _indexed(comparison).listed(start, stop, half=half)


def _best(start: int, stop: int, *, comparison: AllPairs, k: int, alone: bool) -> tuple[Int32Array, FloatArray]:
    return _indexed(comparison, bounds=True).best(start, stop, k, skip_self=alone)


def _write_pairs(
    start: int, stop: int, *, comparison: AllPairs, folder: BlockFolder, shape: tuple[int, int], half: bool
) -> None:
    from fastmatch.allpairs.parquet import pair_table

    folder.write(start, pair_table(*_listed(start, stop, comparison=comparison, half=half), shape, half))


def _write_best(
    start: int, stop: int, *, comparison: AllPairs, folder: BlockFolder, ids: Any, k: int, alone: bool
) -> None:
    from fastmatch.allpairs.parquet import neighbour_table

    found = _best(start, stop, comparison=comparison, k=k, alone=alone)
    folder.write(start, neighbour_table(start, *found, *ids))


# ---- what both functions share ---------------------------------------------------------------------------------------


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


def _sent(client: Client, thing: Any) -> Future:
    """What all tasks need, as the result of a task that any worker can run; see the top of this file."""
    import cloudpickle
    import dask

    # cloudpickle: a metric may be written in the user's script. Dask sends the memory of an array as it is, and copies
    # that of bytes several times.
    data = np.frombuffer(cloudpickle.dumps(thing, protocol=pickle.HIGHEST_PROTOCOL), np.uint8)
    # Dask warns of arguments of several megabytes, as they should not be sent with every task: this goes with one
    with dask.config.set({"distributed.admin.large-graph-warning-threshold": f"{len(data) + (1 << 24)}B"}):
        return client.submit(pickle.loads, data, pure=False, key=f"fastmatch-corpora-{os.urandom(8).hex()}")


def _blocks(setting: Setting, rows: int | None, itemsize: int, k: int | None = None) -> list[tuple[int, int]]:
    """Rows (start, stop) of each block; all but the last have the height of the first."""
    if rows is None:
        rows = setting.height(itemsize, TASK_SECONDS, k=k, parts=4)
    return setting.blocks(positive("rows", rows))


class _Work(NamedTuple):
    """Blocks to be computed by the workers of a client."""

    client: Client
    setting: Setting
    blocks: list[tuple[int, int]]
    progress: Progress

    def fill(
        self, task: Callable[..., None], out: str | PathLike[str], what: str, described: dict[str, Any], **more: Any
    ) -> None:
        """Have the blocks computed that a folder does not have; ``what`` and ``described`` say what it is of."""
        from fastmatch.allpairs.parquet import BlockFolder

        rows = self.blocks[0][1] if self.blocks else 0
        header = self.setting.header(what, **described, blocks=len(self.blocks), rows=rows)
        folder = BlockFolder(os.path.abspath(out), header)
        missing = [block for block in self.blocks if not folder.has(block[0])]
        self._replace(blocks=missing).run(task, folder=folder, **more)

    def run(self, task: Callable[..., Any], **more: Any) -> list[Any]:
        """Results of ``task(start, stop, comparison=…, **more)`` for the blocks, in their order."""
        if not self.blocks:
            return []
        from distributed import as_completed

        width = self.setting.shape[1]
        comparison = _sent(self.client, self.setting.comparison)
        starts, stops = zip(*self.blocks, strict=True)
        futures = self.client.map(task, starts, stops, comparison=comparison, **more, pure=False)
        places = {future: place for place, future in enumerate(futures)}
        results: list[Any] = [None] * len(futures)
        done = 0
        try:
            with Steps(self.progress, sum(stop - start for start, stop in self.blocks) * width) as report:
                for future in as_completed(list(futures)):
                    place = places.pop(future)
                    results[place] = future.result()
                    futures[place] = None  # workers need not keep what is here
                    done += (stops[place] - starts[place]) * width
                    report(done)
        except BaseException:  # Ctrl-C, an error in a task: nobody waits for the others any more
            self.client.cancel(list(places))
            raise
        return results
