"""The graphs of two corpora, ready to be scored row by row: postings and columns of the slots that lists can have."""

from libc.stdint cimport int32_t, int64_t, uint8_t

from fastmatch._ext.index.formulas cimport OverlapScorer
from fastmatch._ext.index.lists cimport FeatureIndex, check_lists

import numpy as np

from fastmatch._ext.index.lists import BAG, DOT, SET

cdef enum:
    # A slot with a posting for so many graphs is a column: then that takes no longer than the postings.
    COMMON = 32

#: Graphs of a tile: their sums, of one byte each and in a few lines, fit the cache that is next to the processor.
TILE = 8192


cdef class RowScorer:
    """The graphs of two corpora, ready to be scored row by row, in any number of threads.

    Parameters
    ----------
    indexes : tuple of :class:`~fastmatch._ext.index.lists.FeatureIndex`
        Of the columns' lists, one for each overlap of the scorer.
    lists : tuple of (offsets, ids, values)
        For each index the rows' lists: list i has the features offsets[i] … offsets[i + 1] - 1, by their numbers in the
        index, or -1 where it has them not, and their values, above 0.
    scorer : OverlapScorer
        Makes scores of overlaps.
    by_size : bool
        Whether the graphs of the columns stand in the order of their sizes: for :func:`find_rows` with a cutoff, and
        for :func:`best_rows`. :func:`score_rows` wants them as they are.
    tile : int
        Graphs of a tile, at least 1. No result depends on it.

    Raises
    ------
    ValueError, IndexError
        If an array's length or an index does not fit, or a value is not above 0.

    Notes
    -----
    Memory: 4 bytes for each posting (12 if values are not small whole numbers), 8 for each different feature, and for
    each slot with a posting for 32 graphs a byte a graph.
    """

    def __cinit__(
        self, tuple indexes not None, tuple lists not None, OverlapScorer scorer not None, bint by_size=False,
        Py_ssize_t tile=TILE,
    ):
        cdef Py_ssize_t n_lists = len(indexes)
        cdef FeatureIndex index
        cdef const int64_t[::1] offsets
        cdef const int32_t[::1] ids
        cdef const double[::1] values
        if n_lists != scorer.n_overlaps or len(lists) != n_lists:
            raise ValueError(f"{n_lists} indexes and {len(lists)} lists for {scorer.n_overlaps} overlaps")
        if tile < 1:
            raise ValueError(f"tiles of {tile} graphs")
        whole = True
        for index, (offsets, ids, values) in zip(indexes, lists, strict=True):
            if index.n_graphs != scorer.n_gold or offsets.shape[0] != scorer.n_pred + 1:
                raise ValueError(
                    f"lists of {offsets.shape[0] - 1} and an index of {index.n_graphs} graphs, a scorer of "
                    f"{scorer.n_pred} and {scorer.n_gold}"
                )
            if scorer.bags_only and index.kind == DOT:
                raise ValueError("this formula takes sets and bags, not products")
            check_lists(index, offsets, ids, values, scorer.n_pred)
            whole = whole and small_and_whole(values) and small_and_whole(index.values)
        self.indexes, self.lists, self.scorer, self.by_size = indexes, lists, scorer, by_size
        if not by_size and not scorer.linear:
            tile *= 4  # scores of a row are looked up: less often anew
        self.n_lists, self.tile, self.whole = n_lists, min(tile, scorer.n_gold + 1), whole
        self.n_lines = n_lists
        if whole and scorer.linear and (np.asarray(scorer.weights) == 1).all():
            self.n_lines = 1
        sizes = np.asarray(scorer.sizes_gold)
        self.graphs = (np.argsort(sizes, kind="stable") if by_size else np.arange(len(sizes))).astype(np.int32)
        self.sizes_there = sizes[np.asarray(self.graphs)]
        self.small = ((sizes >= 0) & (sizes < SMALL) & (sizes == np.floor(sizes))).all()
        self.kind_sizes, kinds = np.unique(np.asarray(self.sizes_there), return_inverse=True)
        self.kinds = np.minimum(kinds, KINDS).astype(np.uint8)
        fill_slots(self)


cdef bint small_and_whole(const double[::1] values) noexcept nogil:
    """All values are whole numbers, few above 1 so that each occurrence may have a place of its own."""
    cdef Py_ssize_t k
    cdef double total = 0.0
    for k in range(values.shape[0]):
        if values[k] > HIGHEST or values[k] != <double> <int64_t> values[k]:
            return False
        total += values[k]
    return total <= 8.0 * values.shape[0] + 1048576


cdef int fill_slots(RowScorer rows) except -1:
    """Make postings and columns."""
    cdef Py_ssize_t line, k, f, c, times, g, place, slot, n_slots = 0, n_columns = 0, n_graphs = rows.scorer.n_gold
    cdef FeatureIndex index
    cdef const int32_t[::1] ids
    cdef const double[::1] values
    cdef const int64_t[::1] offsets
    cdef int64_t[::1] after, cursors = np.zeros(rows.scorer.n_pred + 1, np.int64)
    cdef bint bag, counted
    first, further = np.zeros(rows.n_lists + 1, np.int64), []
    for line, index in enumerate(rows.indexes):
        first[line] = n_slots
        n_slots += index.n_features
        more = None
        bag = rows.whole and index.kind == BAG
        if bag:
            more = np.concatenate([[0], np.cumsum(np.asarray(index.most) - 1)]).astype(np.int64) + n_slots
            n_slots = more[index.n_features]
        further.append(more)
        offsets, _, values = rows.lists[line]
        for g in range(rows.scorer.n_pred):
            for k in range(offsets[g], offsets[g + 1]):
                cursors[g] += <int64_t> values[k] if bag else 1
    first[rows.n_lists] = n_slots
    rows.first_slots, rows.further, rows.n_cursors = first, tuple(further), cursors
    cdef int64_t[::1] firsts = first, at = np.zeros(n_slots + 2, np.int64)
    cdef int32_t[::1] most = np.ones(n_slots + 1, np.int32), column_of = np.full(n_slots + 1, -1, np.int32), places
    # the number of postings of each slot; then where they begin, one place too early, as filling moves the places on
    for line, index in enumerate(rows.indexes):
        bag, counted = index.kind == BAG, rows.whole and index.kind != SET
        ids, values, after = index.ids, index.values, first if further[line] is None else further[line]
        for k in range(ids.shape[0]):
            f = ids[k]
            times = <Py_ssize_t> values[k] if counted else 1
            for c in range(times):
                at[2 + (after[f] + c - 1 if c and bag else firsts[line] + f)] += 1
        if rows.whole and index.kind == DOT:
            for f in range(index.n_features):
                most[firsts[line] + f] = <int32_t> index.most[f]
    if rows.whole and n_graphs >= COMMON:
        for slot in range(n_slots):
            if at[slot + 2] * COMMON >= n_graphs and most[slot] < 256:
                column_of[slot], at[slot + 2] = <int32_t> n_columns, 0
                n_columns += 1
    for slot in range(1, n_slots + 2):
        at[slot] += at[slot - 1]
    places = np.empty(at[n_slots + 1], np.int32)
    cdef uint8_t[:, ::1] columns = np.zeros((n_columns, n_graphs), np.uint8)
    rows.values = np.empty(0 if rows.whole else places.shape[0])
    for line, index in enumerate(rows.indexes):
        bag, counted = index.kind == BAG, rows.whole and index.kind != SET
        ids, values, after = index.ids, index.values, first if further[line] is None else further[line]
        for place in range(n_graphs):
            g = rows.graphs[place]
            for k in range(index.offsets[g], index.offsets[g + 1]):
                f = ids[k]
                times = <Py_ssize_t> values[k] if counted else 1
                for c in range(times):
                    slot = after[f] + c - 1 if c and bag else firsts[line] + f
                    if column_of[slot] >= 0:
                        columns[column_of[slot], place] += 1
                        continue
                    places[at[slot + 1]] = <int32_t> place
                    if not rows.whole:
                        rows.values[at[slot + 1]] = values[k]
                    at[slot + 1] += 1
    rows.starts, rows.places, rows.columns, rows.most, rows.column_of = at, places, columns, most, column_of
    return 0
