"""Results as Arrow tables, Parquet files and pandas data frames. Needs pyarrow (``pip install 'fastmatch[arrow]'``).

A Parquet file cannot be continued once its writer is gone. So each block of a long computation becomes a file of its
own in the folder ``NAME.part``, written under another name, flushed and then renamed; when all are there they are
joined to ``NAME``, one row group a block.

Files say in their metadata what they hold: ``signature``, ``shape`` (numbers of graphs of both corpora), for neighbours
``k`` and for pairs ``half`` (1: column ≥ row only, the others are their mirror image).
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from fastmatch.allpairs.tiles import PairList, joined
from fastmatch.errors import OptionError
from fastmatch.report.frames import arrow_errors, arrow_table, needed_arrow
from fastmatch.runtime.files import new_bytes, new_text, permissions, remove, take_place
from fastmatch.runtime.journal import Journal, checksum_of_file, flush_folder, naming
from fastmatch.types import FloatArray, Int32Array, Int64Array

if TYPE_CHECKING:
    import pyarrow
    import scipy.sparse


#: File that says what a folder of blocks holds. Readers of Parquet skip names that begin with an underscore.
HEADER = "_computation.json"
#: What blocks are joined in, until it takes its place.
_WHOLE = "_whole.tmp"


def neighbour_table(
    start: int, indices: Int32Array, scores: FloatArray, query_ids: Sequence[str | None], ids: Sequence[str | None]
) -> pyarrow.Table:
    """Table of the matches of the queries ``start`` …; see :func:`fastmatch.top_k` for the columns.

    Its metadata say ``k`` (the matches a query has at most) and the numbers of queries and graphs.
    """
    table = arrow_table(neighbour_columns(start, indices, scores, query_ids, ids))
    return table.replace_schema_metadata({"k": str(indices.shape[1]), "shape": f"{len(query_ids)} {len(ids)}"})


def neighbour_columns(
    start: int, indices: Int32Array, scores: FloatArray, query_ids: Sequence[str | None], ids: Sequence[str | None]
) -> dict[str, Any]:
    """Columns with one entry a match, by query and rank; ``start`` is the number of the first query."""
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


def read_neighbours(path: str) -> tuple[Int32Array, FloatArray, str, tuple[str | None, ...], tuple[str | None, ...]]:
    """The arguments of :class:`fastmatch.TopK` from a file that :func:`fastmatch.top_k` wrote.

    Ids of graphs of the corpus that match no query are not in the file: they are None.

    Raises
    ------
    OptionError
        If the file is of something else, or damaged, or the folder is unfinished.
    """
    nothing = neighbour_table(0, np.empty((0, 1), np.int32), np.empty((0, 1)), (), ())
    table, metadata = _read(path, "k", "neighbours", "top_k", nothing)
    n_queries, n_graphs = _whole_numbers(path, metadata, b"shape", 2)
    (k,) = _whole_numbers(path, metadata, b"k", 1)
    rows, ranks, columns = (table[name].to_numpy() for name in ("query", "rank", "index"))
    for name, numbers, stop in (("query", rows, n_queries), ("rank", ranks, k), ("index", columns, n_graphs)):
        _check_range(path, name, numbers, stop)
    places = rows * k + ranks  # rising, as it was written
    if not (np.diff(places) > 0).all() and len(np.unique(places)) < len(places):
        raise OptionError(f"{path} is damaged: a rank of a query stands there twice")
    indices = np.full((n_queries, k), -1, np.int32)
    scores = np.zeros(indices.shape)
    indices[rows, ranks], scores[rows, ranks] = columns, _scores(path, table)
    query_ids: list[str | None] = [None] * n_queries
    ids: list[str | None] = [None] * n_graphs
    for names, numbers, texts in ((query_ids, rows, "query_id"), (ids, columns, "id")):
        # each id once, however often it is in the table: where it stands first
        first = np.full(len(names), -1)
        first[numbers[::-1]] = np.arange(len(numbers))[::-1]
        used = np.flatnonzero(first >= 0)
        for number, text in zip(used.tolist(), table[texts].take(first[used]).to_pylist(), strict=True):
            names[number] = text
    return indices, scores, metadata.get(b"signature", b"").decode("utf-8", "replace"), tuple(query_ids), tuple(ids)


def pair_table(
    rows: Int64Array, columns: Int64Array, scores: FloatArray, shape: tuple[int, int], half: bool
) -> pyarrow.Table:
    """Table of scored pairs: ``row``, ``column``, ``score``.

    ``half``: only pairs with column ≥ row are in it, the others are their mirror image.
    """
    table: pyarrow.Table = needed_arrow().table({"row": rows, "column": columns, "score": scores})
    return table.replace_schema_metadata({"half": str(int(half)), "shape": " ".join(map(str, shape))})


def read_pairs(path: str | os.PathLike[str]) -> scipy.sparse.csr_array:
    """The matrix that :func:`fastmatch.cdist` wrote to a Parquet file, or on Dask to a folder.

    Returns
    -------
    scipy.sparse.csr_array of float64, shape (len(A), len(B))
        Both triangles, also where the file has only one.

    Raises
    ------
    OptionError
        If the file is of something else, or damaged, or the folder is unfinished.
    """
    from fastmatch.allpairs.sparse import mirrored

    name = os.fspath(path)
    nothing = pair_table(*joined([]), (0, 0), False)
    table, metadata = _read(name, "half", "pairs", "cdist", nothing)
    n_rows, n_columns = _whole_numbers(name, metadata, b"shape", 2)
    half = metadata[b"half"] == b"1"
    rows, columns = table["row"].to_numpy(), table["column"].to_numpy()
    _check_range(name, "row", rows, n_rows)
    _check_range(name, "column", columns, n_columns)
    if half and (n_rows != n_columns or (columns < rows).any()):
        raise OptionError(f"{name} is damaged: a pair stands below the diagonal of a symmetric matrix")
    pairs = PairList(rows, columns, _scores(name, table))
    matrix = mirrored([pairs], (n_rows, n_columns), np.dtype(np.float64), half=half)
    if matrix.nnz < len(rows) + half * (columns > rows).sum():  # twice is once in a matrix, with the sum of scores
        raise OptionError(f"{name} is damaged: a pair stands there twice")
    return matrix


class BlockFolder:
    """A folder of Parquet files, one a block, that many processes fill.

    A file is there whole or not at all, and blocks do not depend on who computes them; so a block's file, with its
    checksum beside it, is its own journal entry. Picklable.

    Parameters
    ----------
    path : str
        Of the folder.
    header : dict
        What is computed: its ``fingerprint``, ``signature`` and the number of ``blocks``. The folder is of one
        computation only.

    Raises
    ------
    OptionError
        If the folder is of another computation, or of something else.
    """

    def __init__(self, path: str, header: dict[str, Any]) -> None:
        needed_arrow()
        self.path, self.signature = path, str(header["signature"])
        os.makedirs(path, exist_ok=True)
        known = self._header(path)
        if known is None:
            if any(not name.endswith(".partial") for name in os.listdir(path)):
                raise OptionError(f"{path} is not empty, and not a folder that fastmatch wrote")
            with new_text(os.path.join(path, HEADER)) as file:
                json.dump(header, file)
        elif known["fingerprint"] != header["fingerprint"]:
            raise OptionError(
                f"{path} is of another computation (other graphs, metric, options, blocks or version): "
                "give the same ones, or remove it to begin anew"
            )

    @staticmethod
    def _header(path: str) -> dict[str, Any] | None:
        try:
            with open(os.path.join(path, HEADER), encoding="utf-8") as file:
                header: dict[str, Any] = json.load(file)
        except (FileNotFoundError, ValueError):
            return None
        return header if "fingerprint" in header and "blocks" in header else None

    @classmethod
    def files(cls, path: str) -> list[str]:
        """The files of a folder, in the order of their rows.

        Raises
        ------
        OptionError
            If blocks are missing.
        """
        files = sorted(os.path.join(path, name) for name in os.listdir(path) if name.endswith(".parquet"))
        header = cls._header(path)
        if header is not None and len(files) != header["blocks"]:
            raise OptionError(
                f"{path} is unfinished ({len(files)} of {header['blocks']} blocks are there): "
                "the same call with the same folder computes what is missing"
            )
        return files

    def _block(self, row: int) -> str:
        return os.path.join(self.path, f"{row:08d}.parquet")

    def _sum(self, row: int) -> str:
        """Readers of Parquet skip such a name."""
        return os.path.join(self.path, f"_{row:08d}.sum")

    def has(self, row: int) -> bool:
        """The block that begins with this row is there, and is what was written."""
        try:
            with open(self._sum(row), encoding="utf-8") as file:
                return file.read() == checksum_of_file(self._block(row))
        except (FileNotFoundError, UnicodeDecodeError):
            return False

    def write(self, row: int, table: pyarrow.Table) -> None:
        """Write the block that begins with this row, then its checksum."""
        metadata = {**(table.schema.metadata or {}), b"signature": self.signature.encode()}
        name = self._block(row)
        _write_whole(name, table.replace_schema_metadata(metadata))
        with new_text(self._sum(row)) as file:
            file.write(checksum_of_file(name))


class ParquetFile:
    """A Parquet file that grows by blocks.

    Parameters
    ----------
    path : str
        Of the whole file.
    signature : str
        Goes into its metadata.
    empty : pyarrow.Table
        What is written where there are no blocks.
    """

    def __init__(self, path: str, signature: str, empty: pyarrow.Table) -> None:
        needed_arrow()
        self.path, self.folder, self.signature, self.empty = path, f"{path}.part", signature, empty
        self.checksum = ""

    def open(self, *, fresh: bool) -> None:
        """Begin; ``fresh``: nothing of an earlier run is to be kept."""
        if fresh:
            self.clean()
        mode = permissions(self.path)
        os.makedirs(self.folder, mode | (mode & 0o444) >> 2, exist_ok=True)
        for name in os.listdir(self.folder):
            if name.endswith(".partial") or name == _WHOLE:  # of a process that was killed
                os.unlink(os.path.join(self.folder, name))

    def _block(self, number: int) -> str:
        return os.path.join(self.folder, f"{number:08d}.parquet")

    def kept(self, blocks: Sequence[tuple[int, int]], journal: Journal) -> set[int]:
        """The blocks in the folder that are what the journal says."""
        there = [number for number in journal.done if os.path.isfile(self._block(number))]
        return {number for number in there if checksum_of_file(self._block(number)) == journal.done[number]}

    def fault(self, blocks: Sequence[tuple[int, int]], journal: Journal) -> str:
        """Why the whole file is not what the journal tells of; nothing if it is."""
        return "" if checksum_of_file(self.path) == journal.whole else "it is not what was written"

    def write(self, number: int, table: pyarrow.Table) -> None:
        """Write one block, all of it or nothing, flushed to disk."""
        name = self._block(number)
        _write_whole(name, table)
        self.checksum = checksum_of_file(name)

    def flush(self) -> None:
        """Wait until the names of the blocks are on disk."""
        flush_folder(os.path.join(self.folder, ""))

    def finish(self, blocks: Sequence[tuple[int, int]]) -> str:
        """Join the blocks to one file and give it its name; its checksum.

        They stay until :meth:`clean`, when the journal knows.
        """
        import pyarrow.parquet

        whole = os.path.join(self.folder, _WHOLE)
        metadata = {**(self.empty.schema.metadata or {}), b"signature": self.signature.encode()}
        schema = self.empty.schema.with_metadata(metadata)
        with naming(self.path):
            with open(whole, "wb") as file:
                with pyarrow.parquet.ParquetWriter(file, schema) as writer:
                    for number in range(len(blocks)):
                        table = _whole_table(self._block(number))
                        writer.write_table(table.replace_schema_metadata(metadata))
                file.flush()
                os.fsync(file.fileno())
            checksum = checksum_of_file(whole)
            take_place(whole, self.path)
        return checksum

    def clean(self) -> None:
        """Remove what was there besides the whole file."""
        remove(self.folder)

    def close(self) -> None:
        """Nothing is open between two blocks."""


def _whole_table(file: str | IO[bytes]) -> pyarrow.Table:
    """What a Parquet file holds, read by this thread alone.

    A thread of Arrow that still holds a Python object when the program ends aborts it: seldom, and when all is written.
    """
    import pyarrow.parquet

    return pyarrow.parquet.ParquetFile(file, pre_buffer=False).read(use_threads=False)


def _read(path: str, key: str, what: str, writer: str, nothing: pyarrow.Table) -> tuple[Any, dict[bytes, bytes]]:
    """The table in a file, or in all files of a folder, and its metadata, which must have this key.

    It has the columns that ``nothing`` has, of these types.
    """
    arrow = needed_arrow()
    schema = nothing.schema.remove_metadata()
    tables = []
    metadata: dict[bytes, bytes] = {}
    for name in BlockFolder.files(path) if os.path.isdir(path) else [path]:
        with open(name, "rb") as file:
            try:
                table = _whole_table(file)
                metadata = table.schema.metadata or {}
                if key.encode() in metadata:
                    table = table.select(schema.names).replace_schema_metadata()
                    # a cast to the same types would do nothing, but load much of pyarrow
                    tables.append(table if table.schema.equals(schema) else table.cast(schema))
                    tables[-1].validate(full=True)  # texts are UTF-8
            except arrow_errors() as error:
                raise OptionError(f"{name} is no Parquet file, or damaged: {' '.join(str(error).split())}") from None
        if key.encode() not in metadata:
            break
    if key.encode() not in metadata:
        raise OptionError(f"{path} holds no {what}: expected a file or folder that {writer} wrote")
    table = arrow.concat_tables(tables)
    if any(table[name].null_count for name in schema.names if not name.endswith("id")):
        raise OptionError(f"{path} is damaged: a number is missing")
    return table, metadata


def _whole_numbers(path: str, metadata: dict[bytes, bytes], key: bytes, count: int) -> list[int]:
    """Numbers of graphs, of which a corpus has less than 2³¹."""
    words = metadata.get(key, b"").split()
    if len(words) != count or not all(word.isdigit() and len(word) <= 10 and int(word) < 2**31 for word in words):
        raise OptionError(f"{path} is damaged: its {key.decode()} is not what a file of this package has")
    return [int(word) for word in words]


def _check_range(path: str, name: str, numbers: Int64Array, stop: int) -> None:
    """Whether all numbers are places among so many."""
    if len(numbers) and not 0 <= numbers.min() <= numbers.max() < stop:
        raise OptionError(f"{path} is damaged: {name} {numbers.min()} or {numbers.max()} is not one of {stop:,}")


def _scores(path: str, table: Any) -> FloatArray:
    scores: FloatArray = table["score"].to_numpy()
    if not np.isfinite(scores).all():
        raise OptionError(f"{path} is damaged: a score is not a number")
    return scores


def _write_whole(name: str, table: pyarrow.Table) -> None:
    """Write a file whose data are on disk before it has its name. Several processes may write the same one at once."""
    import pyarrow.parquet

    with new_bytes(name) as file:
        pyarrow.parquet.write_table(table, file)
        file.flush()
        os.fsync(file.fileno())
