"""Lists of features of a corpus, numbered: what everything is compared with everything by.

Overlap of two lists of (feature, value), by ``kind``:
    SET  number of shared features; values are not looked at
    BAG  sum over shared features of the smaller value
    DOT  sum over shared features of the product of the values
:mod:`fastmatch._ext.index.rows` sums overlaps up and makes scores of them.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t

from fastmatch._ext.base.best cimport offer, sort_best
from fastmatch._ext.base.columns cimport Column
from fastmatch._ext.base.division cimport check_division
from fastmatch._ext.base.kept cimport space
from fastmatch._ext.base.sorting cimport Pair, sort_pairs
from fastmatch._ext.base.random cimport mix

import numpy as np

cdef enum:
    C_SET = 0
    C_BAG = 1
    C_DOT = 2

SET, BAG, DOT = C_SET, C_BAG, C_DOT

ctypedef fused Score:
    float
    double

#: What only this module can give: an index that nothing has filled would be read outside its arrays.
cdef object HERE = object()


cdef class FeatureIndex:
    """The lists of features of a corpus, and the graphs of each feature. Made by :func:`feature_index`; immutable."""

    def __cinit__(self, where=None):
        if where is not HERE:
            raise TypeError("feature_index() makes an index of features")

    @property
    def own(self):
        """Numbers of the corpus's own features, int32, as :meth:`translate` gives them."""
        return np.asarray(self.ids)

    def translate(self, const int64_t[::1] keys not None):
        """The numbers of these features in this index, int32; -1 for a feature that no graph of the corpus has."""
        ids = np.empty(keys.shape[0], np.int32)
        cdef int32_t[::1] out = ids
        cdef Py_ssize_t k
        with nogil:
            for k in range(keys.shape[0]):
                out[k] = self.slot_ids[find_slot(self.slot_keys, self.slot_ids, keys[k])]
        return ids


cdef tuple sorted_pairs(const Column *found, Py_ssize_t start, Py_ssize_t stop):
    """Pairs of the rows ``start`` … ``stop - 1``, :class:`Found`, as three arrays that are sorted by row and column."""
    cdef const Found *pairs = <const Found *> found.data
    cdef Py_ssize_t k, i, n = found.used, place = 0
    cdef int64_t row
    ends = np.zeros(stop - start + 1, np.int64)
    cdef int64_t[::1] at = ends
    for k in range(n):
        at[pairs[k].row - start + 1] += 1
    longest = ends.max()
    np.cumsum(ends, out=ends)
    rows = np.repeat(np.arange(start, stop, dtype=np.int32), np.diff(ends))
    columns, scores = np.empty(n, np.int32), np.empty(n)
    cdef int32_t[::1] out_columns = columns
    cdef double[::1] out_scores = scores
    kept = []
    cdef Pair *order = <Pair *> space(kept, n + longest, sizeof(Pair))
    with nogil:
        for k in range(n):
            row = pairs[k].row - start
            order[at[row]].major, order[at[row]].minor = pairs[k].column, k
            at[row] += 1
        for row in range(stop - start):  # at[row] is its end now
            sort_pairs(order + place, at[row] - place, order + n)
            place = at[row]
        for k in range(n):
            i = order[k].minor
            out_columns[k], out_scores[k] = pairs[i].column, pairs[i].score
    return rows, columns, scores


cdef void check_lists(
    FeatureIndex index, const int64_t[::1] offsets, const int32_t[::1] ids, const double[::1] values,
    Py_ssize_t stop,
) except *:
    """Check once what the loops then trust."""
    cdef Py_ssize_t i, k
    if not 0 <= stop < offsets.shape[0]:
        raise IndexError(f"lists 0 to {stop} of {offsets.shape[0] - 1}")
    if values.shape[0] != ids.shape[0]:
        raise ValueError("ids and values must have one entry a feature")
    for i in range(stop):
        if not 0 <= offsets[i] <= offsets[i + 1] <= ids.shape[0]:
            raise ValueError(f"offsets of list {i} do not fit {ids.shape[0]} features")
        for k in range(offsets[i], offsets[i + 1]):
            if not -1 <= ids[k] < index.n_features:
                raise IndexError(f"feature {ids[k]} of {index.n_features} in list {i}")
            if not values[k] > 0:
                raise ValueError(f"a value of list {i} is not above 0")


cdef inline Py_ssize_t find_slot(const int64_t[::1] slot_keys, const int32_t[::1] slot_ids, int64_t key) noexcept nogil:
    """Where a key stands in the hash table, or the free slot where it would."""
    cdef Py_ssize_t mask = slot_ids.shape[0] - 1, slot = <Py_ssize_t> (mix(<uint64_t> key) & <uint64_t> mask)
    while slot_ids[slot] >= 0 and slot_keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


cdef void number_features(FeatureIndex index, const int64_t[::1] keys, int32_t[::1] ids) except *:
    """Number the features in the order in which they first occur, and keep the hash table that knows them."""
    cdef Py_ssize_t k, slot, place, size = 1024, n = 0
    cdef int64_t[::1] old_keys, slot_keys = np.empty(size, np.int64)
    cdef int32_t[::1] old_ids, slot_ids = np.full(size, -1, np.int32)
    for k in range(keys.shape[0]):
        slot = find_slot(slot_keys, slot_ids, keys[k])
        if slot_ids[slot] < 0:
            if 2 * n >= size:
                old_keys, old_ids = slot_keys, slot_ids
                slot_keys, slot_ids = np.empty(4 * size, np.int64), np.full(4 * size, -1, np.int32)
                for slot in range(size):
                    if old_ids[slot] >= 0:
                        place = find_slot(slot_keys, slot_ids, old_keys[slot])
                        slot_keys[place], slot_ids[place] = old_keys[slot], old_ids[slot]
                size *= 4
                slot = find_slot(slot_keys, slot_ids, keys[k])
            slot_keys[slot], slot_ids[slot] = keys[k], <int32_t> n
            n += 1
        ids[k] = slot_ids[slot]
    index.n_features = n
    index.slot_keys = slot_keys
    index.slot_ids = slot_ids


def best_of_rows(
    const Score[:, ::1] scores not None,
    *,
    double cutoff,
    const int64_t[::1] skip=None,
    int32_t[:, ::1] indices not None,
    double[:, ::1] values not None,
):
    """The best scores of each row, the best first, ties by column.

    Parameters
    ----------
    scores : float64 or float32, shape (n_rows, n_columns)
    cutoff : float
        Scores below it are left out.
    skip : int64, shape (n_rows,), optional
        A column to leave out, or -1.
    indices, values : int32 and float64, shape (n_rows, k)
        Outputs: columns and scores; -1 and 0 where there are fewer.

    Raises
    ------
    ValueError
        If an array's shape does not fit.

    Notes
    -----
    One pass, and O(log k) for a score that is among the best so far.
    """
    cdef Py_ssize_t n_rows = scores.shape[0], n_columns = scores.shape[1], k = indices.shape[1], row, n
    cdef int64_t left_out = -1
    cdef int32_t column
    cdef double least
    if ((skip is not None and skip.shape[0] != n_rows) or indices.shape[0] != n_rows or values.shape[0] != n_rows
            or values.shape[1] != k or n_columns >= 1 << 31):
        raise ValueError("skip, indices and values must have one entry a row, indices and values the same shape")
    if k == 0:
        return
    with nogil:
        for row in range(n_rows):
            n, least = 0, cutoff
            if skip is not None:
                left_out = skip[row]
            for column in range(n_columns):
                if scores[row, column] >= least and column != left_out:
                    n = offer(&values[row, 0], &indices[row, 0], n, k, scores[row, column], column)
                    if n == k:
                        least = values[row, 0]
            sort_best(&values[row, 0], &indices[row, 0], n)
            for n in range(n, k):
                values[row, n], indices[row, n] = 0.0, -1


def feature_index(
    const int64_t[::1] offsets not None, const int64_t[::1] keys not None, const double[::1] values not None, int kind,
):
    """The features of a corpus's lists, numbered.

    Parameters
    ----------
    offsets : int64, shape (n_graphs + 1,)
        Graph g has the features offsets[g] … offsets[g + 1] - 1.
    keys : int64, shape (n_features,)
        The features, ascending and each once within a graph.
    values : float64, shape (n_features,)
        Above 0: the count or the weight of each feature; 1 in sets.
    kind : {SET, BAG, DOT}

    Returns
    -------
    FeatureIndex

    Raises
    ------
    ValueError
        If the offsets do not fit, a list is not ascending, or a value is not above 0.

    Notes
    -----
    O(F) for F features in all.
    """
    cdef Py_ssize_t n_graphs = offsets.shape[0] - 1, g, k
    check_division("lists", offsets, n_graphs, keys.shape[0])
    if values.shape[0] != keys.shape[0]:
        raise ValueError("keys and values do not fit together")
    if n_graphs >= 1 << 31 or not C_SET <= kind <= C_DOT:
        raise ValueError("at most 2**31 - 1 graphs; kind is SET, BAG or DOT")
    for g in range(n_graphs):
        for k in range(offsets[g], offsets[g + 1]):
            if k > offsets[g] and keys[k] <= keys[k - 1]:
                raise ValueError(f"features of graph {g} do not ascend")
            if not values[k] > 0:
                raise ValueError(f"a value of graph {g} is not above 0")
    cdef FeatureIndex index = FeatureIndex(HERE)
    index.n_graphs = n_graphs
    index.kind = kind
    index.offsets = offsets
    index.values = values
    own = np.empty(keys.shape[0], np.int32)
    number_features(index, keys, own)
    index.ids = own
    index.most = np.zeros(index.n_features, np.float64)
    for k in range(keys.shape[0]):
        index.most[index.ids[k]] = max(index.most[index.ids[k]], values[k])
    return index
