"""One list of features against all lists of a corpus: an inverted index, for comparing everything with everything.

A merge of two sorted lists costs their length, whatever they share. Most pairs of graphs share next to nothing, so here
the lists of a corpus are turned over once, feature -> graphs that have it (*postings*). The overlaps of one list with a
whole corpus are then sums over the postings of its own few features: a pair that shares two features costs two
additions, and the cost of a pair does not grow with the corpus.

Overlap of two lists of (feature, value), by ``kind``:
    SET  number of shared features; values are not looked at
    BAG  sum over shared features of the smaller value
    DOT  sum over shared features of the product of the values
Products are added in the order of the features, as a merge would, so the floating-point sums are the same.

Where only pairs above a cutoff matter, :meth:`FeatureIndex.candidates` looks at the rarest features of a list first.
Once what is left of the list could not make a sufficient overlap alone, no further graph can come in (prefix
filtering: Bayardo, Ma and Srikant 2007, "Scaling up all pairs similarity search"); so the long postings of the
commonest features are mostly never touched. The few graphs met so far are then compared in full.
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc

from fastmatch._ext.interrupt cimport interrupted, raise_pending
from fastmatch._ext.sorting cimport Pair, sort_pairs
from fastmatch._ext.splitmix cimport mix

import numpy as np

cdef enum:
    C_SET = 0
    C_BAG = 1
    C_DOT = 2
    C_ROW = 0
    C_JACCARD = 1
    C_DICE = 2
    C_COSINE = 3

SET, BAG, DOT = C_SET, C_BAG, C_DOT

#: What the overlap must reach for a score of t, from the sizes a and b of the two lists: nothing but the row's own
#: need (ROW); t (a + b) / (1 + t) (JACCARD); t (a + b) / 2 (DICE); t sqrt(a b) (COSINE, sizes are squared norms).
ROW, JACCARD, DICE, COSINE = C_ROW, C_JACCARD, C_DICE, C_COSINE

#: Bounds are computed in floating point: by this much they are taken to be less strict than they are.
cdef double SLACK = 1 - 1e-9


cdef class FeatureIndex:
    """The lists of features of a corpus, and the same turned over. Made by :func:`feature_index`; immutable."""

    cdef readonly Py_ssize_t n_graphs
    cdef readonly int kind
    cdef readonly Py_ssize_t n_features  # different ones in the corpus
    cdef int64_t[::1] slot_keys          # a hash table, open addressing
    cdef int32_t[::1] slot_ids           # -1: free
    cdef const int64_t[::1] offsets
    cdef const int32_t[::1] ids
    cdef const double[::1] values
    cdef int64_t[::1] posting_offsets
    cdef int32_t[::1] posting_graphs
    cdef double[::1] posting_values
    cdef double[::1] most

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

    def accumulate(
        self,
        const int64_t[::1] offsets not None,
        const int32_t[::1] ids not None,
        const double[::1] values not None,
        Py_ssize_t start,
        Py_ssize_t stop,
        double[:, ::1] out not None,
        *,
        bint triangle=False,
        const uint8_t[::1] cancel not None,
    ):
        """Overlaps of lists ``start .. stop - 1`` with every list of the corpus.

        Args:
            offsets, ids, values: the lists, as those of the corpus; ids from :meth:`translate`, ascending features.
            out: float64, shape (stop - start, n_graphs). With ``triangle``, list i is compared with the lists i, i + 1,
                ... of the corpus only, and what is left of them becomes 0.
            cancel: uint8, shape (1,); not 0: stop early.

        Raises:
            ValueError, IndexError: an array's length or an index does not fit.
        """
        check_lists(self, offsets, ids, values, start, stop)
        if out.shape[0] != stop - start or out.shape[1] != self.n_graphs or cancel.shape[0] < 1:
            raise ValueError("out must have one row a list and one column a graph, cancel one entry")
        cdef Py_ssize_t i, k, p, first, last
        cdef double value
        cdef double *row
        cdef bint stopped = False
        if self.n_graphs == 0:
            return
        with nogil:
            for i in range(start, stop):
                if cancel[0] or ((i - start) % 64 == 63 and interrupted()):
                    stopped = not cancel[0]
                    break
                row = &out[i - start, 0]
                for p in range(self.n_graphs):
                    row[p] = 0.0
                for k in range(offsets[i], offsets[i + 1]):
                    if ids[k] < 0:
                        continue
                    first, last = self.posting_offsets[ids[k]], self.posting_offsets[ids[k] + 1]
                    if triangle:
                        first = lower_bound(self.posting_graphs, first, last, i)
                    value = values[k]
                    if self.kind == C_SET:
                        for p in range(first, last):
                            row[self.posting_graphs[p]] += 1.0
                    elif self.kind == C_BAG:
                        for p in range(first, last):
                            row[self.posting_graphs[p]] += min(value, self.posting_values[p])
                    else:
                        for p in range(first, last):
                            row[self.posting_graphs[p]] += value * self.posting_values[p]
        if stopped:
            raise_pending()

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

        Args:
            sizes, corpus_sizes: float64, one a list: what ``measure`` is made of.
            measure: ROW, JACCARD, DICE or COSINE.
            cutoff: the score to reach, above 0.
            needs: float64, one a list, above 0: the least overlap that suffices for the list, whatever the other one
                is; of COSINE, the least squared norm of the part of the list that is shared.
            offsets, ids, values, start, stop, triangle, cancel: as for :meth:`accumulate`.

        Returns:
            (rows, columns, overlaps): int32, int32, float64, by row and column.

        Raises:
            ValueError, IndexError: an array's length or an index does not fit.
        """
        check_lists(self, offsets, ids, values, start, stop)
        if sizes.shape[0] < stop or needs.shape[0] < stop or corpus_sizes.shape[0] != self.n_graphs or not cutoff > 0:
            raise ValueError("sizes and needs must have one entry a list, and cutoff must be above 0")
        cdef Search search
        cdef Py_ssize_t i, k, room = 1
        cdef int status = 0
        for i in range(start, stop):
            room = max(room, offsets[i + 1] - offsets[i])
        search.order = <Pair *> malloc(2 * room * sizeof(Pair))
        search.partial = <double *> calloc(self.n_graphs + 1, sizeof(double))
        search.seen = <uint8_t *> calloc(self.n_graphs + 1, sizeof(uint8_t))
        search.met = <Pair *> malloc(2 * (self.n_graphs + 1) * sizeof(Pair))
        search.mark = <double *> calloc(self.n_features + 1, sizeof(double))
        search.scratch = search.order + room
        search.found = NULL
        search.n_found = search.room = 0
        if (search.order == NULL or search.partial == NULL or search.seen == NULL or search.met == NULL
                or search.mark == NULL):
            status = -1
        if status == 0:
            with nogil:
                for i in range(start, stop):
                    if cancel[0]:
                        break
                    if (i - start) % 64 == 63 and interrupted():
                        status = -2
                        break
                    if search_row(self, &search, offsets, ids, values, i, sizes[i], corpus_sizes, measure, cutoff,
                                  needs[i], triangle) < 0:
                        status = -1
                        break
        free(search.order)
        free(search.partial)
        free(search.seen)
        free(search.met)
        free(search.mark)
        if status != 0:
            free(search.found)
            if status == -2:
                raise_pending()
            raise MemoryError()
        rows = np.empty(search.n_found, np.int32)
        columns = np.empty(search.n_found, np.int32)
        overlaps = np.empty(search.n_found, np.float64)
        cdef int32_t[::1] out_rows = rows
        cdef int32_t[::1] out_columns = columns
        cdef double[::1] out_overlaps = overlaps
        for k in range(search.n_found):
            out_rows[k] = search.found[k].row
            out_columns[k] = search.found[k].column
            out_overlaps[k] = search.found[k].overlap
        free(search.found)
        return rows, columns, overlaps


cdef struct Found:
    int32_t row
    int32_t column
    double overlap


cdef struct Search:
    Pair *order        # the row's features by the length of their postings
    Pair *scratch
    double *partial    # per graph: overlap with the features looked at so far; 0 between rows
    uint8_t *seen      # per graph: met in this row; 0 between rows
    Pair *met          # graphs met in this row
    double *mark       # per feature: its value in this row; 0 between rows
    Found *found
    Py_ssize_t n_found
    Py_ssize_t room


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


cdef inline Py_ssize_t lower_bound(
    const int32_t[::1] graphs, Py_ssize_t first, Py_ssize_t last, Py_ssize_t least
) noexcept nogil:
    """First place of ``graphs[first:last]`` (ascending) that holds ``least`` or more."""
    cdef Py_ssize_t middle
    while first < last:
        middle = (first + last) // 2
        if graphs[middle] < least:
            first = middle + 1
        else:
            last = middle
    return first


cdef inline double shared(int kind, double x, double y) noexcept nogil:
    if kind == C_SET:
        return 1.0
    if kind == C_BAG:
        return min(x, y)
    return x * y


cdef inline double needed(int measure, double cutoff, double a, double b, double need) noexcept nogil:
    if measure == C_JACCARD:
        return max(need, cutoff * (a + b) / (1 + cutoff))
    if measure == C_DICE:
        return max(need, cutoff * (a + b) / 2)
    if measure == C_COSINE:
        return cutoff * sqrt(a * b)
    return need


cdef int search_row(
    FeatureIndex index, Search *search, const int64_t[::1] offsets, const int32_t[::1] ids, const double[::1] values,
    Py_ssize_t i, double size, const double[::1] corpus_sizes, int measure, double cutoff, double need, bint triangle,
) noexcept nogil:
    """Candidates of list ``i``, appended to ``search.found``; -1 if there is no memory."""
    cdef Py_ssize_t k, p, first, last, n = 0, n_met = 0, feature, graph
    cdef double left = 0.0, norm = 0.0, value, overlap, more
    cdef int kind = index.kind
    for k in range(offsets[i], offsets[i + 1]):
        if ids[k] < 0:
            continue
        search.order[n].major = index.posting_offsets[ids[k] + 1] - index.posting_offsets[ids[k]]
        search.order[n].minor = k
        n += 1
        # the most that this feature can add in any pair
        left += shared(kind, values[k], index.most[ids[k]])
        norm += shared(kind, values[k], values[k])
        search.mark[ids[k]] = values[k]
    sort_pairs(search.order, n, search.scratch)
    for k in range(n):
        # of the cosine, what is left adds no more than its norm times that of the other list (also where the overlap
        # is a sum of smaller values: min(x, y) is not above the root of x y); the needs are squared norms then
        if (norm if measure == C_COSINE else left) < need * SLACK:
            break
        feature, value = ids[search.order[k].minor], values[search.order[k].minor]
        first, last = index.posting_offsets[feature], index.posting_offsets[feature + 1]
        if triangle:
            first = lower_bound(index.posting_graphs, first, last, i)
        for p in range(first, last):
            graph = index.posting_graphs[p]
            if not search.seen[graph]:
                search.seen[graph] = 1
                search.met[n_met].major = graph
                search.met[n_met].minor = 0
                n_met += 1
            search.partial[graph] += shared(kind, value, index.posting_values[p])
        left -= shared(kind, value, index.most[feature])
        norm -= shared(kind, value, value)
    # what was reached by subtraction may be off by rounding, and even below 0; the slack covers that many times over
    norm = max(norm, 0.0)
    p = 0
    for k in range(n_met):
        graph = search.met[k].major
        more = left
        if measure == C_COSINE:
            more = min(left, sqrt(norm * corpus_sizes[graph]))
            more += (size + corpus_sizes[graph]) * 1e-12
        if search.partial[graph] + more >= needed(measure, cutoff, size, corpus_sizes[graph], need) * SLACK:
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
        if overlap < needed(measure, cutoff, size, corpus_sizes[graph], need) * SLACK:
            continue
        if search.n_found == search.room and grow(search) < 0:
            return -1
        search.found[search.n_found].row = <int32_t> i
        search.found[search.n_found].column = <int32_t> graph
        search.found[search.n_found].overlap = overlap
        search.n_found += 1
    for k in range(offsets[i], offsets[i + 1]):
        if ids[k] >= 0:
            search.mark[ids[k]] = 0.0
    return 0


cdef int grow(Search *search) noexcept nogil:
    cdef Py_ssize_t room = 2 * search.room + 1024
    cdef Found *found = <Found *> realloc(search.found, room * sizeof(Found))
    if found == NULL:
        return -1
    search.found = found
    search.room = room
    return 0


cdef inline bint worse(double x, int32_t i, double y, int32_t j) noexcept nogil:
    """Score x of column i ranks behind score y of column j."""
    return x < y or (x == y and i > j)


cdef void sift(double *values, int32_t *columns, Py_ssize_t place, Py_ssize_t n) noexcept nogil:
    """Mend a heap, the worst on top, whose entry at ``place`` may rank before those below it."""
    cdef Py_ssize_t child
    cdef double value = values[place]
    cdef int32_t column = columns[place]
    while 2 * place + 1 < n:
        child = 2 * place + 1
        if child + 1 < n and worse(values[child + 1], columns[child + 1], values[child], columns[child]):
            child += 1
        if not worse(values[child], columns[child], value, column):
            break
        values[place] = values[child]
        columns[place] = columns[child]
        place = child
    values[place] = value
    columns[place] = column


def best_of_rows(
    const double[:, ::1] scores not None,
    *,
    double cutoff,
    const int64_t[::1] skip not None,
    int32_t[:, ::1] indices not None,
    double[:, ::1] values not None,
):
    """The best scores of each row, the best first, ties by column.

    Args:
        scores: float64, shape (n_rows, n_columns).
        cutoff: scores below it are left out.
        skip: int64, shape (n_rows,): a column to leave out, or -1.
        indices, values: outputs, shape (n_rows, k): columns and scores; -1 and 0 where there are fewer.

    Raises:
        ValueError: an array's shape does not fit.

    Cost: one pass, and O(log k) for a score that is among the best so far.
    """
    cdef Py_ssize_t n_rows = scores.shape[0], n_columns = scores.shape[1], k = indices.shape[1], row, n, last
    cdef int32_t column
    cdef double value
    cdef double *heap
    cdef int32_t *places
    if (skip.shape[0] != n_rows or indices.shape[0] != n_rows or values.shape[0] != n_rows or values.shape[1] != k
            or n_columns >= 1 << 31):
        raise ValueError("skip, indices and values must have one entry a row, indices and values the same shape")
    if k == 0:
        return
    with nogil:
        for row in range(n_rows):
            heap, places, n = &values[row, 0], &indices[row, 0], 0
            for column in range(n_columns):
                value = scores[row, column]
                if n == k:
                    # a later column ranks behind an equal score
                    if value > heap[0] and column != skip[row]:
                        heap[0] = value
                        places[0] = column
                        sift(heap, places, 0, n)
                elif value >= cutoff and column != skip[row]:
                    heap[n] = value
                    places[n] = column
                    n += 1
                    if n == k:
                        for last in range(k // 2 - 1, -1, -1):
                            sift(heap, places, last, n)
            if n < k:
                for last in range(n // 2 - 1, -1, -1):
                    sift(heap, places, last, n)
                for last in range(n, k):
                    heap[last] = 0.0
                    places[last] = -1
            for last in range(n - 1, 0, -1):  # the worst goes to the end
                value, column = heap[0], places[0]
                heap[0], places[0] = heap[last], places[last]
                heap[last], places[last] = value, column
                sift(heap, places, 0, last)


def feature_index(
    const int64_t[::1] offsets not None, const int64_t[::1] keys not None, const double[::1] values not None, int kind
):
    """The inverted index of a corpus's lists of features.

    Args:
        offsets: int64, shape (n_graphs + 1,): graph g has the features offsets[g] .. offsets[g + 1] - 1.
        keys: int64: the features, ascending and each once within a graph.
        values: float64, above 0: one a feature (its count, its weight; 1 in sets).
        kind: SET, BAG or DOT.

    Raises:
        ValueError: the offsets do not fit, a list is not ascending, or a value is not above 0.

    Cost: O(F) for F features in all.
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
    cdef FeatureIndex index = FeatureIndex()
    index.n_graphs = n_graphs
    index.kind = kind
    index.offsets = offsets
    index.values = values
    own = np.empty(keys.shape[0], np.int32)
    number_features(index, keys, own)
    index.ids = own
    cdef Py_ssize_t n_features = index.n_features
    index.posting_offsets = np.zeros(n_features + 1, np.int64)
    index.posting_graphs = np.empty(keys.shape[0], np.int32)
    index.posting_values = np.empty(keys.shape[0], np.float64)
    index.most = np.zeros(n_features, np.float64)
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
                index.most[feature] = max(index.most[feature], values[k])
                place[feature] += 1
    return index
