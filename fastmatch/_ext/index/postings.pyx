"""One list of features against all lists of a corpus: an inverted index, for comparing everything with everything.

A merge of two sorted lists costs their length, whatever they share. Most pairs of graphs share next to nothing, so here
an index lists once, for each feature, the graphs that have it (*postings*). The overlaps of one list with a
whole corpus are then sums over the postings of its own few features: a pair that shares two features costs two
additions, and the cost of a pair does not grow with the corpus.

Overlap of two lists of (feature, value), by ``kind``:
    SET  number of shared features; values are not looked at
    BAG  sum over shared features of the smaller value
    DOT  sum over shared features of the product of the values
Products are added in the order of the features, as a merge would, so the floating-point sums are the same. From these
sums :mod:`fastmatch._ext.index.rows` makes scores.

Where an overlap only bounds a score that is expensive to compute, :meth:`FeatureIndex.candidates` finds the pairs that
may reach a cutoff. It looks at the rarest features of a list first. Once the rest of the list could not make a
sufficient overlap alone, no graph that has not been met so far can be a candidate (prefix filtering: Bayardo, Ma and
Srikant 2007, "Scaling up all pairs similarity search"); so the long postings of the commonest features are mostly never
read. The few graphs met so far are then compared in full.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from fastmatch._ext.base.best cimport offer, sort_best
from fastmatch._ext.base.columns cimport Column, release
from fastmatch._ext.base.interrupt cimport raise_signals
from fastmatch._ext.base.kept cimport space, zeros
from fastmatch._ext.base.sorting cimport Pair, sort_pairs
from fastmatch._ext.base.random cimport mix
from fastmatch._ext.base.search cimport lower_bound
from fastmatch._ext.index.found cimport Found, note

import numpy as np

cdef enum:
    C_SET = 0
    C_BAG = 1
    C_DOT = 2
    C_ROW = 0
    C_JACCARD = 1
    C_DICE = 2

SET, BAG, DOT = C_SET, C_BAG, C_DOT

#: What the overlap must reach for a score of t, from the sizes a and b of the two lists: nothing but the row's own
#: need (ROW); t (a + b) / (1 + t) (JACCARD); t (a + b) / 2 (DICE).
ROW, JACCARD, DICE = C_ROW, C_JACCARD, C_DICE

#: Bounds are computed in floating point: by this much they are taken to be less strict than they are.
cdef double SLACK = 1 - 1e-9


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

    def candidates(
        self,
        const int64_t[::1] offsets not None,
        const int32_t[::1] ids not None,
        const double[::1] values not None,
        Py_ssize_t start,
        Py_ssize_t stop,
        *,
        const double[::1] sizes not None,
        const double[::1] corpus_sizes not None,
        int measure,
        double cutoff,
        const double[::1] needs not None,
        bint triangle=False,
        const uint8_t[::1] cancel not None,
    ):
        """Pairs whose overlap may be sufficient for a cutoff: none that reaches it is missing.

        Parameters
        ----------
        offsets : int64, shape (n_lists + 1,)
            List i has the features offsets[i] … offsets[i + 1] - 1.
        ids : int32, shape (n_features,)
            Their numbers, as :meth:`translate` gives them.
        values : float64, shape (n_features,)
            Their values, above 0.
        start, stop : int
            The lists to look at, 0 <= start <= stop <= n_lists.
        sizes, corpus_sizes : float64, shapes (n_lists,) and (n_graphs,)
            Sizes of the lists, which ``measure`` is made of.
        measure : {ROW, JACCARD, DICE}
        cutoff : float
            The score to reach, above 0.
        needs : float64, shape (n_lists,)
            The least overlap that suffices for the list, whatever the other one is; above 0.
        triangle : bool
            Of list i only the graphs i, i + 1, …
        cancel : uint8, shape (1,)
            Set to 1 by another thread, it ends the search early.

        Returns
        -------
        rows, columns : int32
        overlaps : float64
            The pairs, sorted by row and column.

        Raises
        ------
        ValueError, IndexError
            If an array's length or an index does not fit.
        MemoryError
            If the candidates do not fit in memory.
        """
        check_lists(self, offsets, ids, values, start, stop)
        if not self.with_postings:
            raise ValueError("an index without postings has no candidates")
        if sizes.shape[0] < stop or needs.shape[0] < stop or corpus_sizes.shape[0] != self.n_graphs or not cutoff > 0:
            raise ValueError("sizes and needs must have one entry a list, and cutoff must be above 0")
        cdef Search search
        cdef Py_ssize_t i, room = 1
        kept = []
        for i in range(start, stop):
            room = max(room, offsets[i + 1] - offsets[i])
        search.order = <Pair *> space(kept, 2 * room, sizeof(Pair))
        search.scratch = search.order + room
        search.partial = <double *> zeros(kept, self.n_graphs, sizeof(double))
        search.seen = <uint8_t *> zeros(kept, self.n_graphs, sizeof(uint8_t))
        search.met = <Pair *> space(kept, 2 * (self.n_graphs + 1), sizeof(Pair))
        search.mark = <double *> zeros(kept, self.n_features, sizeof(double))
        memset(&search.found, 0, sizeof(Column))
        try:
            with nogil:
                for i in range(start, stop):
                    if cancel[0]:
                        break
                    if (i - start) % 64 == 63:
                        raise_signals()
                    search_row(self, &search, offsets, ids, values, i, sizes[i], corpus_sizes, measure, cutoff,
                               needs[i], triangle)
            return sorted_pairs(&search.found, start, stop)
        finally:
            release(&search.found)


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


cdef struct Search:
    Pair *order        # the row's features by the length of their postings
    Pair *scratch
    double *partial    # per graph: overlap with the features looked at so far; 0 between rows
    uint8_t *seen      # per graph: met in this row; 0 between rows
    Pair *met          # graphs met in this row
    double *mark       # per feature: its value in this row; 0 between rows
    Column found


cdef void check_lists(
    FeatureIndex index, const int64_t[::1] offsets, const int32_t[::1] ids, const double[::1] values,
    Py_ssize_t start, Py_ssize_t stop,
) except *:
    """Check once what the loops then trust."""
    cdef Py_ssize_t i, k
    if not 0 <= start <= stop < offsets.shape[0]:
        raise IndexError(f"lists {start} to {stop} of {offsets.shape[0] - 1}")
    if values.shape[0] != ids.shape[0]:
        raise ValueError("ids and values must have one entry a feature")
    for i in range(start, stop):
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


cdef inline double shared(int kind, double x, double y) noexcept nogil:
    """The overlap that a feature with the values x and y makes."""
    if kind == C_SET:
        return 1.0
    if kind == C_BAG:
        return min(x, y)
    return x * y


cdef inline double needed(int measure, double cutoff, double a, double b, double need) noexcept nogil:
    """The overlap that two lists of sizes a and b need for the cutoff."""
    if measure == C_JACCARD:
        return max(need, cutoff * (a + b) / (1 + cutoff))
    if measure == C_DICE:
        return max(need, cutoff * (a + b) / 2)
    return need


cdef int search_row(
    FeatureIndex index, Search *search, const int64_t[::1] offsets, const int32_t[::1] ids, const double[::1] values,
    Py_ssize_t i, double size, const double[::1] corpus_sizes, int measure, double cutoff, double need, bint triangle,
) except -1 nogil:
    """Append the candidates of list ``i`` to ``search.found``."""
    cdef Py_ssize_t k, p, first, last, n = 0, n_met = 0, feature, graph
    cdef double left = 0.0, value, overlap
    cdef int kind = index.kind
    for k in range(offsets[i], offsets[i + 1]):
        if ids[k] < 0:
            continue
        search.order[n].major = index.posting_offsets[ids[k] + 1] - index.posting_offsets[ids[k]]
        search.order[n].minor = k
        n += 1
        # the most that this feature can add in any pair
        left += shared(kind, values[k], index.most[ids[k]])
        search.mark[ids[k]] = values[k]
    sort_pairs(search.order, n, search.scratch)
    for k in range(n):
        if left < need * SLACK:
            break
        feature, value = ids[search.order[k].minor], values[search.order[k].minor]
        first, last = index.posting_offsets[feature], index.posting_offsets[feature + 1]
        if triangle:
            first = lower_bound(&index.posting_graphs[0], first, last, i)
        for p in range(first, last):
            graph = index.posting_graphs[p]
            if not search.seen[graph]:
                search.seen[graph] = 1
                search.met[n_met].major = graph
                search.met[n_met].minor = 0
                n_met += 1
            search.partial[graph] += shared(kind, value, index.posting_values[p])
        left -= shared(kind, value, index.most[feature])
    # what was reached by subtraction may be off by rounding; the slack covers that many times over
    p = 0
    for k in range(n_met):
        graph = search.met[k].major
        if search.partial[graph] + left >= needed(measure, cutoff, size, corpus_sizes[graph], need) * SLACK:
            search.met[p].major = graph
            search.met[p].minor = 0
            p += 1
        search.partial[graph] = 0.0
        search.seen[graph] = 0
    n_met = p
    sort_pairs(search.met, n_met, search.met + index.n_graphs + 1)
    for k in range(n_met):
        graph = search.met[k].major
        overlap = 0.0
        for p in range(index.offsets[graph], index.offsets[graph + 1]):
            value = search.mark[index.ids[p]]
            if value != 0.0:
                overlap += shared(kind, value, index.values[p])
        if overlap >= needed(measure, cutoff, size, corpus_sizes[graph], need) * SLACK:
            note(&search.found, i, graph, overlap)
    for k in range(offsets[i], offsets[i + 1]):
        if ids[k] >= 0:
            search.mark[ids[k]] = 0.0
    return 0


def best_of_rows(
    const double[:, ::1] scores not None,
    *,
    double cutoff,
    const int64_t[::1] skip not None,
    int32_t[:, ::1] indices not None,
    double[:, ::1] values not None,
):
    """The best scores of each row, the best first, ties by column.

    Parameters
    ----------
    scores : float64, shape (n_rows, n_columns)
    cutoff : float
        Scores below it are left out.
    skip : int64, shape (n_rows,)
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
    cdef int32_t column
    if (skip.shape[0] != n_rows or indices.shape[0] != n_rows or values.shape[0] != n_rows or values.shape[1] != k
            or n_columns >= 1 << 31):
        raise ValueError("skip, indices and values must have one entry a row, indices and values the same shape")
    if k == 0:
        return
    with nogil:
        for row in range(n_rows):
            n = 0
            for column in range(n_columns):
                if scores[row, column] >= cutoff and column != skip[row]:
                    n = offer(&values[row, 0], &indices[row, 0], n, k, scores[row, column], column)
            sort_best(&values[row, 0], &indices[row, 0], n)
            for n in range(n, k):
                values[row, n], indices[row, n] = 0.0, -1


def feature_index(
    const int64_t[::1] offsets not None, const int64_t[::1] keys not None, const double[::1] values not None, int kind,
    *, bint postings=True,
):
    """The inverted index of a corpus's lists of features.

    Parameters
    ----------
    offsets : int64, shape (n_graphs + 1,)
        Graph g has the features offsets[g] … offsets[g + 1] - 1.
    keys : int64, shape (n_features,)
        The features, ascending and each once within a graph.
    values : float64, shape (n_features,)
        Above 0: the count or the weight of each feature; 1 in sets.
    kind : {SET, BAG, DOT}
    postings : bool
        Whether the index has what its ``candidates`` need; without, it only numbers the features.

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
    if n_graphs < 0 or offsets[0] != 0 or offsets[n_graphs] != keys.shape[0] or values.shape[0] != keys.shape[0]:
        raise ValueError("offsets, keys and values do not fit together")
    if n_graphs >= 1 << 31 or not C_SET <= kind <= C_DOT:
        raise ValueError("at most 2**31 - 1 graphs; kind is SET, BAG or DOT")
    for g in range(n_graphs):
        if not 0 <= offsets[g] <= offsets[g + 1] <= keys.shape[0]:
            raise ValueError(f"offsets of graph {g} decrease")
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
    cdef Py_ssize_t n_features = index.n_features
    index.most = np.zeros(n_features, np.float64)
    for k in range(keys.shape[0]):
        index.most[index.ids[k]] = max(index.most[index.ids[k]], values[k])
    index.with_postings = postings
    if not postings:
        return index
    index.posting_offsets = np.zeros(n_features + 1, np.int64)
    index.posting_graphs = np.empty(keys.shape[0], np.int32)
    index.posting_values = np.empty(keys.shape[0], np.float64)
    cdef int64_t[::1] place = np.zeros(n_features + 1, np.int64)
    cdef int32_t feature
    with nogil:
        for k in range(keys.shape[0]):
            index.posting_offsets[index.ids[k] + 1] += 1
        for k in range(n_features):
            index.posting_offsets[k + 1] += index.posting_offsets[k]
            place[k] = index.posting_offsets[k]
        for g in range(n_graphs):
            for k in range(offsets[g], offsets[g + 1]):
                feature = index.ids[k]
                index.posting_graphs[place[feature]] = <int32_t> g
                index.posting_values[place[feature]] = values[k]
                place[feature] += 1
    return index
