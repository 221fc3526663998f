"""Sparse matrices from rows, and from lists of pairs. scipy is imported where it is needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fastmatch.allpairs.tiles import PairList
from fastmatch.types import Int32Array, Int64Array

if TYPE_CHECKING:
    import scipy.sparse


def sparse_rows(
    values: NDArray[Any], columns: Int32Array | Int64Array, offsets: Int64Array, shape: tuple[int, int]
) -> scipy.sparse.csr_array:
    """A sparse matrix from its rows, one after the other.

    Parameters
    ----------
    values, columns : arrays of length n
    offsets : int64[n_rows + 1]
        Row r has the entries ``offsets[r]`` … ``offsets[r + 1] − 1``.
    shape : (int, int)

    Returns
    -------
    csr_array
        With int32 indices where they fit: much of scikit-learn refuses wider ones.
    """
    from scipy.sparse import csr_array

    kind = np.int32 if max(len(values), *shape) < 2**31 else np.int64
    return csr_array((values, columns.astype(kind), offsets.astype(kind)), shape)


def mirrored(
    parts: Sequence[PairList], shape: tuple[int, int], kind: np.dtype[Any], *, half: bool
) -> scipy.sparse.csr_array:
    """A sparse matrix from lists of pairs.

    Parameters
    ----------
    parts : sequence of PairList
    shape : (int, int)
    kind : dtype
        Of the values.
    half : bool
        The lists have only pairs with column ≥ row; the mirror image is added.

    Returns
    -------
    csr_array
        Sorted by row and column; with int32 indices where they fit.
    """
    from scipy.sparse import csr_array

    types: list[Any] = [np.int32 if max(shape) < 2**31 else np.int64] * 2 + [kind]
    rows, columns, scores = (
        np.concatenate([part[field].astype(wanted) for part in parts] or [np.empty(0, wanted)])
        for field, wanted in enumerate(types)
    )
    if half:
        above = columns > rows
        rows, columns = np.concatenate([rows, columns[above]]), np.concatenate([columns, rows[above]])
        scores = np.concatenate([scores, scores[above]])
    matrix = csr_array((scores, (rows, columns)), shape=shape)
    matrix.sort_indices()
    return matrix
