# cython: language_level=3
from libc.stdint cimport int32_t, int64_t, uint64_t


cdef class FeatureSets:
    cdef readonly Py_ssize_t n_graphs, n_levels
    cdef const int64_t[::1] row_offsets         # n_graphs * n_levels + 1; level l of graph g is row g * n_levels + l
    cdef const uint64_t[::1] feature_keys       # rising within a row
    cdef const int32_t[::1] feature_counts      # how often a graph has the feature; length 0: once each
    cdef const int64_t[:, ::1] graph_totals     # rows: levels; features of each graph, as often as it has them
    cdef object cut_graphs                      # bool array, or None where no graph was cut

    cdef object sums(self, bint squared)
