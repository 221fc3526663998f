"""The numbered features of a corpus's lists, for kernels that sum over them."""

from libc.stdint cimport int32_t, int64_t

from fastmatch._ext.base.columns cimport Column, push


# A pair that is found among all pairs, in a column that grows.
cdef struct Found:
    int32_t row
    int32_t column
    double score        # or overlap


cdef inline int note(Column *found, Py_ssize_t row, Py_ssize_t column, double score) except -1 nogil:
    (<Found *> push(found, sizeof(Found)))[0] = Found(<int32_t> row, <int32_t> column, score)


cdef class FeatureIndex:
    cdef readonly Py_ssize_t n_graphs
    cdef readonly int kind
    cdef readonly Py_ssize_t n_features  # different ones in the corpus
    cdef int64_t[::1] slot_keys          # a hash table, open addressing
    cdef int32_t[::1] slot_ids           # -1: free
    cdef const int64_t[::1] offsets
    cdef const int32_t[::1] ids
    cdef const double[::1] values
    cdef double[::1] most                # the highest value of a feature in any graph


cdef void check_lists(
    FeatureIndex index, const int64_t[::1] offsets, const int32_t[::1] ids, const double[::1] values,
    Py_ssize_t stop,
) except *
cdef tuple sorted_pairs(const Column *found, Py_ssize_t start, Py_ssize_t stop)
