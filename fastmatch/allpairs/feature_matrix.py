# ruff: noqa: N803 - A and B are the names of SciPy and RapidFuzz
"""``features``: what a metric sees of each graph, as rows of a sparse matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike

from fastmatch.allpairs.setting import Setting
from fastmatch.allpairs.sparse import sparse_rows
from fastmatch.errors import OptionError
from fastmatch.graphs.arrays import starts_of
from fastmatch.graphs.forms import Graphs
from fastmatch.metrics.base import Metric
from fastmatch.types import Int64Array, MetricName, OnErrorPaired

if TYPE_CHECKING:
    import scipy.sparse

    from fastmatch.metrics.feature_lists import FeatureLists


def features(
    A: Graphs,
    B: Graphs | None = None,
    *,
    metric: MetricName | str | Metric = "rematch",
    preset: str | None = None,
    dtype: DTypeLike = np.float64,
    on_error: OnErrorPaired = "raise",
    **options: Any,
) -> scipy.sparse.csr_array | tuple[scipy.sparse.csr_array, scipy.sparse.csr_array]:
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
    setting = Setting.make(A, B, metric, preset, None, on_error, options)
    grid = setting.comparison.grid
    given = [grid.pred] if B is None else [grid.pred, grid.gold]
    tables = [grid.metric.overlaps(prepared) for prepared in given]
    if not tables[0]:
        raise OptionError(f"features: scores of metric {grid.metric.name!r} are not made of features")
    known = [np.unique(np.concatenate([each.keys for each in lists])) for lists in zip(*tables, strict=True)]
    matrices = [feature_matrix(lists, known, np.dtype(dtype)) for lists in tables]
    return matrices[0] if B is None else (matrices[0], matrices[1])


def feature_matrix(
    lists: Sequence[FeatureLists], known: Sequence[Int64Array], kind: np.dtype[Any]
) -> scipy.sparse.csr_array:
    """Values of the features whose keys are known, one row a graph; other features are left out.

    Parameters
    ----------
    lists : sequence of FeatureLists
        What the metric has of the graphs.
    known : sequence of int64[n_known]
        Keys that get a column, ascending, for each of the lists.
    kind : dtype
        Of the values.
    """
    from scipy.sparse import hstack

    parts = []
    for each, keys in zip(lists, known, strict=True):
        columns = np.searchsorted(keys, each.keys)
        found = columns < len(keys)
        found[found] = keys[columns[found]] == each.keys[found]
        offsets = starts_of(found)[each.offsets]
        parts.append(sparse_rows(each.values[found].astype(kind), columns[found], offsets, (len(each), len(keys))))
    return parts[0] if len(parts) == 1 else hstack(parts, format="csr")
