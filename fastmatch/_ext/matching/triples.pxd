from libc.stdint cimport int32_t, int64_t


cdef class TripleFeatures:
    cdef readonly Py_ssize_t n_graphs
    cdef const int32_t[::1] variables          # [n_graphs] number of variables
    cdef const int64_t[::1] triples            # [n_graphs] number of triples, the divisor of precision or recall
    cdef const int64_t[::1] unary_offsets      # [n_graphs + 1]
    cdef const int64_t[::1] unary_keys         # sorted within a graph, ties by variable
    cdef const int32_t[:, ::1] unary           # rows: variable, count
    cdef const int64_t[::1] relation_offsets   # [n_graphs + 1]
    cdef const int32_t[:, ::1] relations       # rows: role, source, target, count; sorted by the first three
