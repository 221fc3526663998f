"""Types of results of ``cdist`` and its kin, by their arguments; ``ci/types.sh`` checks it. Never run."""

from __future__ import annotations

from pathlib import Path
from typing import Any, assert_type

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

import fastmatch as fm
import fastmatch.distributed


def matrices(corpus: fm.Corpus, other: list[str], path: Path) -> None:
    assert_type(fm.cdist(corpus), NDArray[np.float32])
    assert_type(fm.cdist(corpus, other, metric="rematch", score_cutoff=0.5, labels=True), NDArray[np.float32])
    assert_type(fm.cdist(corpus, dtype=np.float64), NDArray[np.float64])
    assert_type(fm.cdist(corpus, dtype=np.dtype(np.float16)), NDArray[np.float16])
    assert_type(fm.cdist(corpus, dtype="float64"), NDArray[Any])
    assert_type(fm.cdist(corpus, dtype=float), NDArray[Any])
    assert_type(fm.cdist(corpus, out=path, resume=True), NDArray[np.float32])
    assert_type(fm.cdist(corpus, out="a.npy", dtype=np.float64), NDArray[np.float64])
    assert_type(fm.cdist(corpus, out=np.empty((2, 2))), NDArray[np.float64])


def sparse_matrices(corpus: fm.Corpus, path: Path) -> None:
    assert_type(fm.cdist(corpus, sparse=True), scipy.sparse.csr_array)
    assert_type(fm.cdist(corpus, sparse=True, dtype=np.float64), scipy.sparse.csr_array)
    assert_type(fm.cdist(corpus, sparse=True, out=path), Path)
    assert_type(fm.cdist(corpus, sparse=True, out="a.parquet"), str)


def chosen_pairs(corpus: fm.Corpus) -> None:
    assert_type(fm.cpdist(corpus, corpus), NDArray[np.float64])
    assert_type(fm.cpdist(corpus, corpus, [[0, 1]], metric="sembleu", k=2), NDArray[np.float64])
    assert_type(fm.cpdist(corpus, corpus, dtype=np.float32), NDArray[np.float32])
    assert_type(fm.cpdist(corpus, corpus, dtype="float32"), NDArray[Any])
    assert_type(fm.pairs(corpus, index_pairs=np.array([[0, 1]])), fm.PairScores)


def neighbours(corpus: fm.Corpus, path: Path) -> None:
    assert_type(fm.top_k(corpus, k=3, metric="wlk", wlk_k=1), fm.TopK)
    assert_type(fm.top_k(corpus).indices, NDArray[np.int32])
    assert_type(fm.top_k(corpus, corpus, 3, out=path).to_csr("distance"), scipy.sparse.csr_array)


def features(corpus: fm.Corpus) -> None:
    assert_type(fm.features(corpus), scipy.sparse.csr_array)
    one, two = fm.features(corpus, corpus, metric="wlk", k=1)
    assert_type(one, scipy.sparse.csr_array)
    assert_type(two, scipy.sparse.csr_array)


def on_dask(corpus: fm.Corpus, path: Path) -> None:
    assert_type(fastmatch.distributed.cdist(corpus, sparse=True), scipy.sparse.csr_array)
    assert_type(fastmatch.distributed.cdist(corpus, sparse=True, out=path), Path)
    assert_type(fastmatch.distributed.top_k(corpus), fm.TopK)


def errors(corpus: fm.Corpus) -> None:
    """What the types forbid; mypy says so where an ignored line has no error."""
    fm.cdist(corpus, on_error="skip")  # type: ignore[call-overload]
    fm.cdist(corpus, sparse=True, out=np.empty((2, 2)))  # type: ignore[call-overload]
    fm.top_k(corpus, on_error="skip")  # type: ignore[call-overload]
