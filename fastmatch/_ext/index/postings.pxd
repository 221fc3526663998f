"""The inverted index of a corpus's lists of features, for kernels that sum over its postings themselves."""

from libc.stdint cimport int32_t, int64_t, uint8_t


cdef class FeatureIndex:
    cdef readonly Py_ssize_t n_graphs
    cdef readonly int kind
    cdef readonly Py_ssize_t n_features  # different ones in the corpus
    cdef int64_t[::1] slot_keys          # a hash table, open addressing
    cdef int32_t[::1] slot_ids           # -1: free
    cdef const int64_t[::1] offsets
    cdef const int32_t[::1] ids
    cdef const double[::1] values
    cdef int64_t[::1] posting_offsets    # feature f is in the graphs posting_graphs[posting_offsets[f]:...[f + 1]]
    cdef int32_t[::1] posting_graphs     # ascending within a feature
    cdef double[::1] posting_values
    cdef double[::1] most                # the highest value of a feature in any graph


cdef struct Lists:
    # Lists of features, and the postings of the same features in an index: pointers, for loops without the GIL.
    int kind
    const int64_t *offsets
    const int32_t *ids          # NULL: nothing is shared
    const double *values
    const int64_t *posting_offsets
    const int32_t *posting_graphs
    const double *posting_values


cdef struct Overlaps:
    # What one graph shares with each graph of a corpus, in one list of features a line.
    Py_ssize_t n_lines
    Py_ssize_t n_graphs
    double *sums                # n_lines * n_graphs; 0 where nothing is shared
    uint8_t *seen               # n_graphs: shares something
    int32_t *met                # the graphs that share something, in no order
    Py_ssize_t n_met


cdef void check_lists(
    FeatureIndex index, const int64_t[::1] offsets, const int32_t[::1] ids, const double[::1] values,
    Py_ssize_t start, Py_ssize_t stop,
) except *

cdef Lists lists_of(FeatureIndex index, const int64_t[::1] offsets, const int32_t[::1] ids, const double[::1] values)

cdef int open_overlaps(Overlaps *overlaps, Py_ssize_t n_lines, Py_ssize_t n_graphs) noexcept nogil
cdef void close_overlaps(Overlaps *overlaps) noexcept nogil
cdef void add_overlaps(
    Overlaps *overlaps, Py_ssize_t line, const Lists *lists, Py_ssize_t row, Py_ssize_t first
) noexcept nogil
cdef void add_feature(
    Overlaps *overlaps, Py_ssize_t line, const Lists *lists, Py_ssize_t k, Py_ssize_t first
) noexcept nogil
cdef void add_feature_of_met(
    Overlaps *overlaps, Py_ssize_t line, const Lists *lists, Py_ssize_t k, Py_ssize_t first
) noexcept nogil
cdef void clear_overlaps(Overlaps *overlaps) noexcept nogil
