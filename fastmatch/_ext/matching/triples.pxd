from libc.stdint cimport int32_t, int64_t, uint8_t


cdef class TripleFeatures:
    cdef readonly Py_ssize_t n_graphs
    cdef readonly object n_variables           # the arrays that the next two are views of: runs of a pair ask for them
    cdef readonly object n_triples
    cdef const int32_t[::1] variables          # [n_graphs] number of variables
    cdef const int64_t[::1] triples            # [n_graphs] number of triples, the divisor of precision or recall
    cdef const int64_t[::1] unary_offsets      # [n_graphs + 1]
    cdef const int64_t[::1] unary_keys         # sorted within a graph, ties by variable
    cdef const int32_t[:, ::1] unary           # rows: variable, count
    cdef const int64_t[::1] relation_offsets   # [n_graphs + 1]
    cdef const int32_t[:, ::1] relations       # rows: role, source, target, count; sorted by the first three
    # Variables may match only if they share a group; the arrays are empty if ``grouped`` is False.
    cdef bint grouped
    cdef const uint8_t[::1] restricted         # [n_graphs] 0: a variable of this graph may match any other
    cdef const int64_t[::1] variable_offsets   # [n_graphs + 1]
    cdef const int64_t[::1] group_offsets      # [variables of all graphs + 1]
    cdef const int32_t[::1] groups             # ascending for each variable


cdef inline int64_t feature_key(int32_t role, int32_t value) noexcept nogil:
    """The key of a unary feature, of folded ids; triples.pyx says what stands in their place."""
    return ((<int64_t> role + 1) << 32) | (<int64_t> value + 1)
