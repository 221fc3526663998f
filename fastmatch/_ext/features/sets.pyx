"""Sets and bags of features, and what two of them share.

Metrics without an alignment turn each graph once into a set or a bag of features. A pair of graphs then costs one merge
of two sorted lists. :class:`FeatureSets` holds these lists for a whole corpus. A graph has one row for each *level*
(the order of an n-gram, the round of a relabelling; most metrics have one level). A row holds the keys of the features
(:mod:`fastmatch._ext.features.keys`), ascending and without repetition, and in a bag also their counts.

Two random graphs share few features. So the test for equal keys in a merge is mostly false, and the processor predicts
it well. Which of the two keys is smaller cannot be predicted, so no branch depends on it: both places are advanced by
the truth value of a comparison.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from fastmatch._ext.base.pairs cimport check_cancel, check_pairs

import numpy as np

cdef enum:
    # Number of pairs after which ``cancel`` is read again: some tens of microseconds.
    STRIDE = 256


@cython.final
cdef class FeatureSets:
    """Features of the graphs of a corpus; immutable and cheap to pickle.

    Two of them can be compared if the same function made them, with the same options and comparable keys.

    Parameters
    ----------
    offsets : int64, shape (n_graphs * n_levels + 1,)
        Row r is ``keys[offsets[r]:offsets[r + 1]]``; level l of graph g is row ``g * n_levels + l``.
    keys : uint64, shape (n_features,)
        Ascending within a row, without repetition; this is not checked.
    counts : int32, shape (n_features,), optional
        How often the graph has each feature, at least 1; without it every feature counts once.
    n_levels : int
        Rows of each graph, at least 1.
    cut : bool, shape (n_graphs,), optional
        Graphs that have further features, left out because there were too many; without it there is no such graph.

    Attributes
    ----------
    n_graphs : int
    n_levels : int
    cut : bool array or None

    Raises
    ------
    ValueError
        If the arrays do not fit together.
    """

    def __cinit__(self, const int64_t[::1] offsets not None, const uint64_t[::1] keys not None,
                  const int32_t[::1] counts=None, Py_ssize_t n_levels=1, cut=None):
        cdef Py_ssize_t row, n_rows = offsets.shape[0] - 1
        if n_levels < 1 or n_rows < 0 or n_rows % n_levels or offsets[0] < 0 or offsets[n_rows] > keys.shape[0]:
            raise ValueError("offsets do not fit the keys or the levels")
        for row in range(n_rows):
            if offsets[row] > offsets[row + 1]:
                raise ValueError(f"offsets of row {row} decrease")
        if counts is None:
            counts = np.empty(0, np.int32)
        elif counts.shape[0] != keys.shape[0]:
            raise ValueError(f"{counts.shape[0]} counts for {keys.shape[0]} keys")
        self.row_offsets = offsets
        self.feature_keys = keys
        self.feature_counts = counts
        self.n_levels = n_levels
        self.n_graphs = n_rows // n_levels
        self.graph_totals = self.sums(False)
        if cut is not None and cut.shape != (self.n_graphs,):
            raise ValueError(f"{cut.shape} graphs that are cut or not, of {self.n_graphs}")
        self.cut_graphs = cut if cut is not None and cut.any() else None

    @property
    def cut(self):
        """bool, shape (n_graphs,): graphs that have further features; None where no graph has."""
        return self.cut_graphs

    @property
    def offsets(self):
        """int64, shape (n_graphs * n_levels + 1,)."""
        return np.asarray(self.row_offsets)

    @property
    def keys(self):
        """uint64, shape (n_features,)."""
        return np.asarray(self.feature_keys)

    @property
    def counts(self):
        """int32, shape (n_features,), or None where every feature counts once."""
        return None if self.feature_counts.shape[0] == 0 and self.feature_keys.shape[0] else \
            np.asarray(self.feature_counts)

    @property
    def totals(self):
        """int64, shape (n_levels, n_graphs): number of features of each graph, the sum of their counts."""
        return np.asarray(self.graph_totals)

    @property
    def squares(self):
        """int64, shape (n_levels, n_graphs): sum of the squares of each graph's counts."""
        return self.sums(True)

    def level(self, Py_ssize_t level):
        """The features of one level.

        Returns
        -------
        offsets : int64, shape (n_graphs + 1,)
            Graph g has the features offsets[g] … offsets[g + 1] - 1.
        keys : int64, shape (n_features,)
            With the sign bit flipped: unsigned order becomes signed order.
        values : float64, shape (n_features,)
            Counts.

        Raises
        ------
        IndexError
            If there is no such level.
        """
        if not 0 <= level < self.n_levels:
            raise IndexError(f"level {level} of {self.n_levels}")
        starts = np.zeros(self.n_graphs + 1, np.int64)
        np.cumsum(np.diff(self.row_offsets)[level :: self.n_levels], out=starts[1:])
        keys, values = np.empty(starts[self.n_graphs], np.int64), np.empty(starts[self.n_graphs])
        cdef int64_t[::1] out_keys = keys
        cdef double[::1] out_values = values
        cdef Py_ssize_t g, k, n = 0, row
        for g in range(self.n_graphs):
            row = g * self.n_levels + level
            for k in range(self.row_offsets[row], self.row_offsets[row + 1]):
                out_keys[n] = <int64_t> (self.feature_keys[k] ^ (<uint64_t> 1 << 63))
                out_values[n] = self.feature_counts[k] if self.feature_counts.shape[0] else 1
                n += 1
        return starts, keys, values

    cdef object sums(self, bint squared):
        """The sum of each graph's counts or their squares, level by level, int64[n_levels, n_graphs]."""
        cdef int64_t[::1] found = np.diff(self.row_offsets)
        cdef int64_t total
        cdef Py_ssize_t row, k
        for row in range(found.shape[0] if self.feature_counts.shape[0] else 0):
            total = 0
            for k in range(self.row_offsets[row], self.row_offsets[row + 1]):
                total += <int64_t> self.feature_counts[k] * (self.feature_counts[k] if squared else 1)
            found[row] = total
        return np.ascontiguousarray(np.asarray(found).reshape(self.n_graphs, self.n_levels).T)

    def __reduce__(self):
        return (FeatureSets, (self.offsets, self.keys, self.counts, self.n_levels, self.cut_graphs))


cdef enum Way:
    # what is summed over the keys that two lists share: 1, the smaller count, the product of the counts
    KEYS, SMALLER, PRODUCT


cdef inline int64_t worth(Way way, const int32_t *left, const int32_t *right, int64_t i, int64_t j) noexcept nogil:
    return <int64_t> left[i] * right[j] if way == PRODUCT else min(left[i], right[j])


cdef inline int64_t overlap(
    Way way, const uint64_t *left, const int32_t *left_counts, int64_t n,
    const uint64_t *right, const int32_t *right_counts, int64_t m,
) noexcept nogil:
    """Return what two ascending lists of n and m keys share, in O(n + m).

    Each step of a merge has to wait for the comparison of the step before. So this merge works from both ends at once,
    as two chains of steps that do not wait for each other, as long as both lists have at least two keys left.
    """
    cdef int64_t shared = 0, i = 0, j = 0
    cdef uint64_t x, y, u, v
    n -= 1      # from here on n and m are the last places that are left
    m -= 1
    while i < n and j < m:
        x, y = left[i], right[j]
        u, v = left[n], right[m]
        if way == KEYS:
            shared += x == y
            shared += u == v
        else:
            if x == y:
                shared += worth(way, left_counts, right_counts, i, j)
            if u == v:
                shared += worth(way, left_counts, right_counts, n, m)
        i += x <= y
        j += y <= x
        n -= u >= v
        m -= v >= u
    while i <= n and j <= m:
        x, y = left[i], right[j]
        if way == KEYS:
            shared += x == y
        elif x == y:
            shared += worth(way, left_counts, right_counts, i, j)
        i += x <= y
        j += y <= x
    return shared


def count_shared(
    FeatureSets pred not None,
    FeatureSets gold not None,
    pairs not None,
    int64_t[:, ::1] shared not None,
    bint product=False,
    bint nested=False,
):
    """Compute what the graphs of the pairs ``start`` … ``stop - 1`` share, level by level.

    Parameters
    ----------
    pred, gold : FeatureSets
        With the same number of levels; both sets or both bags.
    pairs : PairRange
        The pairs to score, of graphs of the two corpora.
    shared : int64, shape (n_levels or more, n_pairs)
        Output, in the first ``n_levels`` rows. For sets, the number of common features; for bags, the sum over the
        common features of the smaller count.
    product : bool
        For bags, sum the products of the two counts instead.
    nested : bool
        Promise that a feature which two graphs share at one level contains one that they share at the level before (the
        prefix of an n-gram, the label of the round before). Levels above one without a common feature are then skipped.

    Raises
    ------
    IndexError, ValueError
        If an index or the length of an array does not fit, or if a set and a bag are compared.

    Notes
    -----
    Cost: O(features of both graphs) a pair.
    """
    cdef const int32_t[::1] index_pred = pairs[0], index_gold = pairs[1]
    cdef Py_ssize_t start = pairs[2], stop = pairs[3], pair, level, left, right, n_levels = pred.n_levels
    cdef const uint8_t[::1] cancel = pairs[4]
    cdef int64_t i, j, n, m
    cdef const int32_t *left_counts = NULL
    cdef const int32_t *right_counts = NULL
    cdef const int64_t *left_offsets = &pred.row_offsets[0]
    cdef const int64_t *right_offsets = &gold.row_offsets[0]
    if gold.n_levels != n_levels:
        raise ValueError(f"features of {n_levels} and of {gold.n_levels} levels cannot be compared")
    check_pairs(index_pred, index_gold, start, stop, pred.n_graphs, gold.n_graphs, shared.shape[1])
    check_cancel(cancel)
    if shared.shape[0] < n_levels:
        raise ValueError("no room for the result of every level")
    if pred.feature_keys.shape[0] == 0 or gold.feature_keys.shape[0] == 0:
        for level in range(n_levels):
            shared[level, start:stop] = 0
        return
    cdef bint bags = pred.feature_counts.shape[0] > 0
    if bags != (gold.feature_counts.shape[0] > 0):
        raise ValueError("a bag and a set of features cannot be compared")
    cdef const uint64_t *left_keys = &pred.feature_keys[0]
    cdef const uint64_t *right_keys = &gold.feature_keys[0]
    if bags:
        left_counts = &pred.feature_counts[0]
        right_counts = &gold.feature_counts[0]
    with nogil:
        for pair in range(start, stop):
            if pair % STRIDE == 0 and cancel[0]:
                break
            for level in range(n_levels):
                if nested and level and shared[level - 1, pair] == 0:
                    shared[level, pair] = 0
                    continue
                left = index_pred[pair] * n_levels + level
                right = index_gold[pair] * n_levels + level
                i, n = left_offsets[left], left_offsets[left + 1] - left_offsets[left]
                j, m = right_offsets[right], right_offsets[right + 1] - right_offsets[right]
                if not bags:
                    shared[level, pair] = overlap(KEYS, left_keys + i, NULL, n, right_keys + j, NULL, m)
                elif product:
                    shared[level, pair] = overlap(
                        PRODUCT, left_keys + i, left_counts + i, n, right_keys + j, right_counts + j, m
                    )
                else:
                    shared[level, pair] = overlap(
                        SMALLER, left_keys + i, left_counts + i, n, right_keys + j, right_counts + j, m
                    )
