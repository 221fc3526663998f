"""Results as Arrow tables, Parquet files and pandas data frames. Needs pyarrow (``pip install 'fastmatch[arrow]'``).

A Parquet file cannot be continued once its writer is gone. So each block of a long computation becomes a file of its
own in the folder ``NAME.part``, written under another name, flushed and then renamed; when all are there they are
joined to ``NAME``, one row group a block.
"""

from __future__ import annotations

import os
import platform
import shutil
import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from fastmatch.errors import OptionError
from fastmatch.journal import flush_folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    import pandas
    import pyarrow

    from fastmatch.types import FloatArray, Int32Array, Int64Array

__all__ = ["BlockFolder", "ParquetFile", "neighbour_frame", "neighbour_table", "pair_table", "read_neighbours"]


def _arrow() -> ModuleType:
    from importlib import import_module

    try:
        return import_module("pyarrow")
    except ImportError:
        raise OptionError("Arrow tables and Parquet files need pyarrow: pip install 'fastmatch[arrow]'") from None


def _columns(
    start: int,
    indices: Int32Array,
    scores: FloatArray,
    query_ids: Sequence[str | None],
    ids: Sequence[str | None],
) -> dict[str, Any]:
    """One entry a match, by query and rank; ``start``: number of the first query."""
    rows, ranks = np.nonzero(indices >= 0)
    columns = indices[rows, ranks]
    return {
        "query": rows + start,
        "rank": ranks.astype(np.int32),
        "index": columns.astype(np.int64),
        "score": scores[rows, ranks],
        "query_id": [query_ids[row] for row in (rows + start).tolist()],
        "id": [ids[column] for column in columns.tolist()],
    }


def neighbour_table(
    start: int,
    indices: Int32Array,
    scores: FloatArray,
    query_ids: Sequence[str | None],
    ids: Sequence[str | None],
) -> pyarrow.Table:
    """Table of the matches of the queries ``start`` …; see :func:`fastmatch.top_k` for the columns.

    Its metadata name ``k`` (the matches a query has at most) and the lengths of both sides.
    """
    arrow = _arrow()
    columns = _columns(start, indices, scores, query_ids, ids)
    arrays = [arrow.array(columns[name], arrow.string() if name.endswith("id") else None) for name in columns]
    table: pyarrow.Table = arrow.table(arrays, names=list(columns))
    return table.replace_schema_metadata({"k": str(indices.shape[1]), "shape": f"{len(query_ids)} {len(ids)}"})


def neighbour_frame(
    indices: Int32Array, scores: FloatArray, query_ids: Sequence[str | None], ids: Sequence[str | None]
) -> pandas.DataFrame:
    """The same as a pandas data frame."""
    try:
        import pandas
    except ImportError:
        raise OptionError("data frames need pandas: pip install pandas") from None
    return pandas.DataFrame(_columns(0, indices, scores, query_ids, ids))


def read_neighbours(
    path: str,
) -> tuple[Int32Array, FloatArray, str, tuple[str | None, ...], tuple[str | None, ...]]:
    """The arguments of :class:`fastmatch.TopK` from a file that :func:`fastmatch.top_k` wrote.

    Ids of graphs of the corpus that are nobody's match are not in the file: they are None.
    """
    _arrow()
    import pyarrow
    import pyarrow.parquet

    files = [path]
    if os.path.isdir(path):
        files = sorted(os.path.join(path, name) for name in os.listdir(path) if name.endswith(".parquet"))
    if not files:
        raise OptionError(f"{path} holds no neighbours: expected a file or folder that top_k wrote")
    table = pyarrow.concat_tables([pyarrow.parquet.read_table(name) for name in files])
    metadata = table.schema.metadata or {}
    if b"k" not in metadata:
        raise OptionError(f"{path} holds no neighbours: expected a file or folder that top_k wrote")
    n_queries, n_graphs = map(int, metadata[b"shape"].split())
    indices = np.full((n_queries, int(metadata[b"k"])), -1, np.int32)
    scores = np.zeros(indices.shape)
    place = table["query"].to_numpy(), table["rank"].to_numpy()
    indices[place], scores[place] = table["index"].to_numpy(), table["score"].to_numpy()
    query_ids: list[str | None] = [None] * n_queries
    ids: list[str | None] = [None] * n_graphs
    for names, numbers, texts in ((query_ids, "query", "query_id"), (ids, "index", "id")):
        for number, text in zip(table[numbers].to_numpy().tolist(), table[texts].to_pylist(), strict=True):
            names[number] = text
    return indices, scores, metadata[b"signature"].decode(), tuple(query_ids), tuple(ids)


def pair_table(rows: Int64Array, columns: Int64Array, scores: FloatArray) -> pyarrow.Table:
    """Table of scored pairs: ``row``, ``column``, ``score``."""
    table: pyarrow.Table = _arrow().table({"row": rows, "column": columns, "score": scores})
    return table


def _write_whole(name: str, table: pyarrow.Table) -> None:
    """Write a file under another name, flush and rename it. Several processes may write the same one at once."""
    import pyarrow.parquet

    temporary = f"{name}.{platform.node()}.{os.getpid()}.{threading.get_ident()}.tmp"
    with open(temporary, "wb") as file:
        pyarrow.parquet.write_table(table, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, name)


class BlockFolder:
    """A folder of Parquet files, one a block of neighbours, that many processes fill.

    A file is there whole or not at all, and blocks do not depend on who computes them; so a block's file is its own
    journal entry. Picklable.

    Parameters
    ----------
    path : str
        Of the folder.
    signature : str
        Goes into the files' metadata.
    mark : str
        Fingerprint of the computation; the folder is of one only.

    Raises
    ------
    OptionError
        If the folder is of another computation, or of something else.
    """

    def __init__(self, path: str, signature: str, mark: str) -> None:
        _arrow()
        self.path, self.signature = path, signature
        os.makedirs(path, exist_ok=True)
        place = os.path.join(path, "_fingerprint")
        if not os.path.exists(place):
            if os.listdir(path):
                raise OptionError(f"{path} is not empty, and not a folder that top_k wrote")
            with open(place, "w") as file:
                file.write(mark)
        with open(place) as file:
            if file.read() != mark:
                raise OptionError(
                    f"{path} is of another computation (other graphs, metric, options, blocks or version): "
                    "give the same ones, or remove it to begin anew"
                )

    def _block(self, number: int) -> str:
        return os.path.join(self.path, f"{number:08d}.parquet")

    def has(self, number: int) -> bool:
        """The block is there."""
        return os.path.exists(self._block(number))

    def write(self, number: int, table: pyarrow.Table) -> None:
        """Write one block."""
        metadata = {**(table.schema.metadata or {}), b"signature": self.signature.encode()}
        _write_whole(self._block(number), table.replace_schema_metadata(metadata))


class ParquetFile:
    """A Parquet file that grows by blocks.

    Parameters
    ----------
    path : str
        Of the whole file.
    signature : str
        Goes into its metadata.
    """

    def __init__(self, path: str, signature: str) -> None:
        _arrow()
        self.path, self.folder, self.signature = path, f"{path}.part", signature

    def open(self, *, fresh: bool) -> None:
        """``fresh``: nothing in the folder is to be believed."""
        if fresh:
            shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder, exist_ok=True)

    def _block(self, number: int) -> str:
        return os.path.join(self.folder, f"{number:08d}.parquet")

    def write(self, number: int, table: pyarrow.Table) -> None:
        """Write one block, all of it or nothing, flushed to disk."""
        _write_whole(self._block(number), table)

    def flush(self) -> None:
        flush_folder(os.path.join(self.folder, ""))

    def finish(self) -> None:
        """Join the blocks to one file, give it its name and remove them."""
        import pyarrow.parquet

        names = sorted(name for name in os.listdir(self.folder) if name.endswith(".parquet"))
        whole = os.path.join(self.folder, "whole.tmp")
        writer = None
        with open(whole, "wb") as file:
            for name in names:
                table = pyarrow.parquet.read_table(os.path.join(self.folder, name))
                metadata = {**(table.schema.metadata or {}), b"signature": self.signature.encode()}
                table = table.replace_schema_metadata(metadata)
                if writer is None:
                    writer = pyarrow.parquet.ParquetWriter(file, table.schema)
                writer.write_table(table)
            if writer is not None:
                writer.close()
            file.flush()
            os.fsync(file.fileno())
        os.replace(whole, self.path)
        shutil.rmtree(self.folder)

    def close(self) -> None:
        """Nothing is open between two blocks."""
