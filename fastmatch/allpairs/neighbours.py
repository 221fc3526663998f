"""``top_k``: the graphs of a corpus that score highest with each query, and what holds them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fastmatch.allpairs.setting import Setting, positive, without_prefix
from fastmatch.allpairs.sparse import sparse_rows
from fastmatch.errors import OptionError, choice
from fastmatch.graphs.arrays import starts_of
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import Graphs
from fastmatch.metrics.base import Metric
from fastmatch.metrics.registry import from_signature
from fastmatch.report import markup
from fastmatch.report.cells import Points
from fastmatch.report.frames import Tabular
from fastmatch.report.model import Report, Table
from fastmatch.results.equality import ByValue
from fastmatch.runtime.cpus import worker_count
from fastmatch.runtime.files import followed
from fastmatch.runtime.progress import Steps
from fastmatch.types import FloatArray, Int32Array, MetricName, OnErrorPaired, Progress

if TYPE_CHECKING:
    import pyarrow
    import scipy.sparse


Path = str | PathLike[str]

#: Queries that a notebook shows, and matches of each.
_QUERIES, _MATCHES = 5, 5


def top_k(
    queries: Graphs,
    corpus: Graphs | None = None,
    k: int = 10,
    *,
    metric: MetricName | str | Metric = "smatch",
    preset: str | None = None,
    workers: int = 1,
    score_cutoff: float | None = None,
    out: Path | None = None,
    resume: bool = False,
    progress: Progress = None,
    on_error: OnErrorPaired = "raise",
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
        graphs' ``::id``. It is written block by block, and can be resumed, as with :func:`cdist`. The result is then
        read from the file, so the ids of graphs that are no query's neighbour are None.
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
    k = positive("k", k)
    options = without_prefix(metric, options)
    setting = Setting.make(queries, corpus, metric, preset, score_cutoff, on_error, options, workers)
    search = Search(setting, k, corpus is None, workers, progress)
    return search.found() if out is None else TopK.read(search.to_file(out, resume))


class Search:
    """The best ``k`` of each row, block by block.

    The command line only writes them to a file: of a million queries it takes seconds to be read again.
    """

    def __init__(self, setting: Setting, k: int, alone: bool, workers: int, progress: Progress) -> None:
        self.setting, self.alone, self.workers = setting, alone, worker_count(workers)
        self.k = min(k, max(1, setting.shape[1] - alone))
        self.height = setting.height(16, k=self.k)
        self.report = Steps(progress, setting.shape[0] * setting.shape[1])
        self.ids = setting.ids

    def block(self, start: int, stop: int) -> tuple[Int32Array, FloatArray]:
        """Places and scores, int32 and float64[stop − start, k]."""
        counted = self.report.part(start * self.setting.shape[1])
        return self.setting.comparison.best(
            start, stop, self.k, workers=self.workers, report=counted, skip_self=self.alone
        )

    def found(self) -> TopK:
        """All blocks."""
        parts = [(np.empty((0, self.k), np.int32), np.empty((0, self.k)))]
        with self.report:
            parts += [self.block(start, stop) for start, stop in self.setting.blocks(self.height)]
            self.report(self.report.total)
        indices, scores = (np.concatenate(column) for column in zip(*parts, strict=True))
        return TopK(indices, scores, str(self.setting.signature), *self.ids)

    def to_file(self, out: Path, resume: bool) -> str:
        """Write each block that is not there yet; returns the file's name."""
        from fastmatch.allpairs.parquet import ParquetFile, neighbour_table

        nothing = neighbour_table(0, np.empty((0, self.k), np.int32), np.empty((0, self.k)), *self.ids)
        file = ParquetFile(followed(out), str(self.setting.signature), nothing)
        header = self.setting.header("top_k", k=self.k, alone=self.alone)
        with self.report:
            for number, start, stop in self.setting.journalled(header, self.height, resume, file, self.report):
                file.write(number, neighbour_table(start, *self.block(start, stop), *self.ids))
        return file.path


@dataclass(frozen=True, eq=False, repr=False)
class TopK(ByValue, Tabular):
    """The best matches of each query, best first.

    Attributes
    ----------
    indices : int32[n_queries, k]
        Places in the corpus; −1 where a query has fewer than ``k`` matches.
    scores : float64[n_queries, k]
        0 there.
    signature : str
        What the scores depend on.
    query_ids, ids : sequence of str or None
        The ``::id`` of every query and of every graph of the corpus.
    """

    indices: Int32Array
    scores: FloatArray
    signature: str
    query_ids: Sequence[str | None] = field(default=())
    ids: Sequence[str | None] = field(default=())

    @classmethod
    def read(cls, path: Path) -> TopK:
        """What :func:`top_k` wrote to a Parquet file."""
        from fastmatch.allpairs.parquet import read_neighbours

        return cls(*read_neighbours(os.fspath(path)))

    def _table(self) -> dict[str, Any]:
        """One row a match: ``query``, ``rank``, ``index``, ``score``, ``query_id``, ``id``."""
        from fastmatch.allpairs.parquet import neighbour_columns

        return neighbour_columns(0, self.indices, self.scores, self.query_ids, self.ids)

    def to_arrow(self) -> pyarrow.Table:
        """One row a match: ``query``, ``rank``, ``index``, ``score``, ``query_id``, ``id``. Needs pyarrow."""
        from fastmatch.allpairs.parquet import neighbour_table

        return neighbour_table(0, self.indices, self.scores, self.query_ids, self.ids)

    def _repr_html_(self) -> str:
        """The matches of the first queries."""
        rows = []
        for query in range(min(len(self), _QUERIES)):
            name = self.query_ids[query] or query
            matches = zip(self.indices[query, :_MATCHES].tolist(), self.scores[query].tolist(), strict=False)
            for index, score in matches:
                if index >= 0:
                    rows.append((name, index, self.ids[index] or "", f"{score:.4f}"))
                    name = ""
        return (
            markup.paragraph(markup.escape(repr(self)[1:-1]))
            + markup.table(("query", "index", "id", "score"), rows, "hrlr")
            + markup.paragraph(markup.more(_QUERIES, len(self), "query").replace("querys", "queries"))
        )

    def to_csr(
        self, values: Literal["score", "distance", "one"] = "score", *, symmetric: bool = False
    ) -> scipy.sparse.csr_array:
        """The graph of neighbours as a sparse matrix: one row a query, one column a graph of the corpus.

        Parameters
        ----------
        values : {"score", "distance", "one"}
            Of the entries: scores; 1 − score, at least 0, as scikit-learn's precomputed neighbours want them (what is
            absent is far away); or 1.
        symmetric : bool
            Of a corpus searched in itself: two graphs are neighbours if either finds the other, as spectral clustering
            and graph algorithms want it.

        Returns
        -------
        scipy.sparse.csr_array of float64, shape (n_queries, n_graphs)
            The entries of a row stand in the order of their rank (of their columns, if ``symmetric``); zeros are stored
            as well.

        Raises
        ------
        OptionError
            For other ``values``; if ``symmetric`` is asked for where queries and corpus differ, or the metric is not
            symmetric, so that a pair has two scores.
        """
        found = self.indices >= 0
        scores = self.scores[found]
        kinds = {"score": scores, "distance": np.maximum(1 - scores, 0), "one": np.ones(len(scores))}
        choice("values", values, kinds)
        offsets = starts_of(found.sum(axis=1))
        if not symmetric:
            return sparse_rows(kinds[values], self.indices[found], offsets, (len(self), len(self.ids)))
        size = len(self)
        if self.query_ids != self.ids:
            raise OptionError("symmetric=True is for a corpus that is searched in itself")
        if not from_signature(self.signature).symmetric:
            raise OptionError(f"symmetric=True: scores of {self.signature.partition('|')[0]} depend on the direction")
        rows, columns = np.nonzero(found)[0], self.indices[found].astype(np.int64)
        places, first = np.unique(np.concatenate([rows * size + columns, columns * size + rows]), return_index=True)
        offsets = np.searchsorted(places, np.arange(size + 1) * size)
        return sparse_rows(kinds[values][first % max(1, len(rows))], places % max(1, size), offsets, (size, size))

    def report(self, sentences: tuple[Corpus, Corpus] | None = None) -> Report:
        """The matches of each query, the best first; JSON lines have an object a query.

        Parameters
        ----------
        sentences : (Corpus, Corpus), optional
            Queries and the graphs that were searched: their sentences (``# ::snt``, or nothing) stand there as well,
            and a query has a row of its own in the table for people.
        """
        queries = self._queries(sentences)
        rows: list[tuple[object, ...]] = []
        data: list[tuple[Any, ...]] = []
        for query in queries:
            name = query["id"] or str(query["query"])
            if sentences is not None:
                rows.append((name, "", "", "", query["sentence"]))
                name = ""
            for match in query["matches"] or [None]:
                more = () if sentences is None else ("" if match is None else match["sentence"],)
                if match is None:
                    rows.append((name, "none", "", "", *more))
                else:
                    rows.append((name, match["id"], str(match["index"]), Points(match["score"]), *more))
                name = ""
            for rank, match in enumerate(query["matches"]):
                texts = () if sentences is None else (query["sentence"], match["sentence"])
                data.append((query["query"], query["id"], rank, match["index"], match["id"], match["score"], *texts))
        names = () if sentences is None else ("query_sentence", "sentence")
        table = Table(("query", "match", "index", "score", *names[1:]), rows, right=False)
        columns = ("query", "query_id", "rank", "index", "id", "score", *names)
        whole, signatures = {**self.to_dict(), "queries": queries}, [(self.signature.partition("|")[0], self.signature)]
        lines = [{**query, "signature": self.signature} for query in queries]
        return Report("fastmatch search", [table], columns, data, whole, signatures, lines=lines)

    def _queries(self, sentences: tuple[Corpus, Corpus] | None) -> list[dict[str, Any]]:
        queries: list[dict[str, Any]] = self.to_dict()["queries"]
        if sentences is not None:
            pred, gold = sentences
            for query in queries:
                query["sentence"] = pred.metadata(query["query"]).get("snt", "")
                for match in query["matches"]:
                    match["sentence"] = gold.metadata(match["index"]).get("snt", "")
        return queries

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
